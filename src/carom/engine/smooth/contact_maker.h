#pragma once
/// How a contact begins: which laws it gets, at which approach speed, and whether these laws are meant for it.

#include "carom/engine/smooth/contact_book.h"
#include "carom/engine/smooth/contact_laws.h"
#include "carom/engine/smooth/paths.h"

namespace carom::smooth {

/// Kinetic energy of a body [J].
double kinetic_energy(const BodyInfo& body, const BodyState& state);

/// How two objects stand to each other where their stretches began, and the rate of their gap.
struct Meeting {
  Touch touch;
  double rate;
};
Meeting meeting_at(const Environment& environment, const Paths& paths, const PairGeometry& geometry, double now);

/// The kinetic energy of the bodies of a contact where their stretches began [J].
double pair_energy(const Environment& environment, const Paths& paths, const PairGeometry& geometry);

class ContactMaker {
 public:
  /// For contacts that begin at `now`.
  struct Scene {
    const Environment& environment;
    const ContactLaws& laws;
    Paths& paths;  ///< a ball that lands quasi-statically loses its speed along the normal
    ContactBook& book;
    EnergyBook& energy;
  };
  ContactMaker(const Scene& scene, double now) : scene_(scene), now_(now) {}

  /// `at_start`: of bodies that touch at the start of the run, which not all laws can deal with. `share`: of the
  /// stiffness of a point (Contact::share).
  [[nodiscard]] Contact make(ObjectIndex a, ObjectIndex b, FeatureCode feature, bool at_start = false,
                             double share = 1.0) const;

  /// A joint comes to a limit.
  [[nodiscard]] Contact make(const LimitIndex& limit) const;

  [[nodiscard]] double now() const { return now_; }
  [[nodiscard]] Meeting meeting(const PairGeometry& geometry) const {
    return meeting_at(scene_.environment, scene_.paths, geometry, now_);
  }
  [[nodiscard]] const Scene& scene() const { return scene_; }

 private:
  void land(ObjectIndex body, const Meeting& meeting) const;
  void check_speed(const Contact& contact, const PairLaws& laws) const;

  Scene scene_;
  double now_;
};

}  // namespace carom::smooth
