#pragma once
/// Stretches of the groups: flight in closed form, steps of integration, and what ends them.
///
/// Within a step the right-hand side is a smooth function of the state: the set of contacts, the approach speed of each
/// and the clamp of its force change at located instants only, up to which the step is taken again.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "carom/engine/smooth/contact_laws.h"
#include "carom/engine/smooth/encounters.h"
#include "carom/engine/smooth/motions.h"
#include "carom/numerics/stepper/integrators.h"

namespace carom::smooth {

/// Why a group cannot go on.
struct StepFailure {
  std::string reason;
  std::vector<BodyIndex> bodies;
};

/// What has become of a group that went to a time.
struct Arrival {
  std::optional<StepFailure> failure;
  int noticed = 0;     ///< contacts that were found to have begun; only where they are not located
  double taken = 0.0;  ///< energy [J] that putting bodies on joints took
};

class Stepping {
 public:
  Stepping(std::shared_ptr<const Environment> environment, std::shared_ptr<const ContactLaws> laws);

  /// Makes ready a group with its bodies and contacts at `now`. `step`: the size to begin with; 0: unknown.
  Arrival begin(Motions& motions, GroupIndex group, double now, double step) const;
  /// Whether a group that has gone to `time` may be put to sleep there.
  [[nodiscard]] bool may_sleep(Group& group, double time) const;
  /// The next stretch of a group, which stands at `now`, in a run that has lasted for `elapsed`. How long it is does
  /// not depend on when the run ends: at most some passages, the time in which a body moves by its own size, and later
  /// as long as the run has lasted.
  std::optional<StepFailure> go_on(Motions& motions, Encounters& encounters, GroupIndex group, double now,
                                   double elapsed);
  /// The motion up to `time` is final: the group stands there.
  Arrival arrive(Motions& motions, GroupIndex group, double time);

  /// Goes on with another model of the same bodies.
  void change_model(std::shared_ptr<const Environment> environment, std::shared_ptr<const ContactLaws> laws) {
    environment_ = std::move(environment);
    laws_ = std::move(laws);
  }

  /// Steps from now on get this part of their tolerance.
  void set_tolerance_share(double share);

  /// Of all steps so far.
  struct Counts {
    std::int64_t accepted = 0, rejected = 0;
    double constraint_drift = 0.0;  ///< the largest
  };
  [[nodiscard]] const Counts& counts() const { return counts_; }

  /// What a run goes on from, into an archive or back (smooth_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  [[nodiscard]] Span longest_stretch(const Motions& motions, const Group& group, double now, double elapsed) const;
  static void stand_still(Motions& motions, GroupIndex group, Span span);
  static void fly(Motions& motions, Encounters& encounters, GroupIndex group, Span span);
  void adapt_scale(Group& group, double now) const;
  std::optional<StepFailure> take_step(const Model& model, Group& group, Span span);
  [[nodiscard]] StepFailure too_short(const Model& model, const Group& group, double now, double error) const;
  static void lay_tracks(Motions& motions, Group& group);
  void find_end(Motions& motions, Encounters& encounters, GroupIndex group, Span span) const;
  void find_openings(const Motions& motions, Group& group) const;
  void put_on_joints(Motions& motions, Group& group, Arrival& arrival) const;
  void look_at_contacts(const Motions& motions, Group& group, double time, Arrival& arrival) const;
  [[nodiscard]] double tolerance() const;

  std::shared_ptr<const Environment> environment_;
  std::shared_ptr<const ContactLaws> laws_;
  const Integrator* integrator_;
  double first_part_;  ///< first step of a new contact, of the contact's time
  double tolerance_share_ = 1.0;
  Counts counts_;
};

}  // namespace carom::smooth
