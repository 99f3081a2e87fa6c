#pragma once
/// What a compliant run keeps account of besides energies: how many contacts, how deep, what each law took.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "carom/engine/smooth/contact_laws.h"
#include "carom/engine/smooth/motions.h"
#include "carom/record/run_result.h"

namespace carom::smooth {

class ContactBook {
 public:
  explicit ContactBook(std::shared_ptr<const ContactLaws> laws);

  /// Goes on with the laws of another model of the same materials.
  void change_laws(std::shared_ptr<const ContactLaws> laws) { laws_ = std::move(laws); }

  /// A contact has begun; `count` of them at the start.
  void begin_contacts(int count = 1) {
    report_.contacts_started += count;
    open_ += count;
  }
  /// Contacts that go on from before, noticed after the fact.
  void notice_contacts(int count) { report_.contacts_started += count; }
  /// A contact goes on with more or fewer points.
  void change_points(int more) { open_ += more; }
  /// A contact is over: what it took is booked.
  void end_contact(const Contact& contact, EnergyBook& energy);
  /// Whether contacts have been closed and none is left.
  [[nodiscard]] bool all_apart() const { return open_ == 0 && report_.contacts_started > 0; }

  void set_first_momentum(const Eigen::Vector3d& momentum) { report_.momentum_before = momentum; }
  void note_settled() { ++report_.settled; }
  /// A law that needs an approach speed was given this one [m/s].
  void note_approach(double speed);
  void forget_approaches() { report_.least_approach.reset(); }
  void note_swallowed(BodyIndex body, PocketIndex pocket) { report_.swallowed.push_back({body, pocket}); }
  /// Said once for each pair of laws: up to the semicolon the text is the same.
  void warn(const std::string& text);

  /// As it stands at a time of the present stretches, with the contacts that go on.
  [[nodiscard]] CompliantReport report(const GroupList& groups, const Paths& paths, double time) const;

  /// What a run goes on from, into an archive or back (smooth_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  struct LawWork {
    double normal = 0.0, friction = 0.0;  ///< dissipated [J]
  };
  static void add(const Contact& contact, CompliantReport& report, std::vector<LawWork>& works);

  std::shared_ptr<const ContactLaws> laws_;
  CompliantReport report_;
  std::vector<LawWork> works_;  ///< of finished contacts, for each pair of laws
  std::int64_t open_ = 0;
};

}  // namespace carom::smooth
