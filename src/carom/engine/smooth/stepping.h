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
  int noticed = 0;  ///< contacts that were found to have begun; only where they are not located
};

class Stepping {
 public:
  Stepping(std::shared_ptr<const Environment> environment, std::shared_ptr<const ContactLaws> laws);

  /// Makes ready a group with its bodies and contacts at `now`. `step`: the size to begin with; 0: unknown.
  void begin(Motions& motions, GroupIndex group, double now, double step) const;
  /// The next stretch of a group from span.from on, at most to span.to.
  std::optional<StepFailure> go_on(Motions& motions, Encounters& encounters, GroupIndex group, Span span);
  /// The motion up to `time` is final: the group stands there.
  Arrival arrive(Motions& motions, GroupIndex group, double time);

  /// Of all steps so far.
  struct Counts {
    std::int64_t accepted = 0, rejected = 0;
    double constraint_drift = 0.0;  ///< the largest
  };
  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  static void fly(Motions& motions, Encounters& encounters, GroupIndex group, Span span);
  void adapt_scale(Group& group, double now) const;
  std::optional<StepFailure> take_step(const Model& model, Group& group, Span span);
  [[nodiscard]] StepFailure too_short(const Model& model, const Group& group, double now, double error) const;
  static void lay_tracks(Motions& motions, Group& group);
  void find_end(Motions& motions, Encounters& encounters, GroupIndex group, Span span) const;
  void find_openings(const Motions& motions, Group& group) const;
  Arrival look_at_contacts(const Motions& motions, Group& group, double time) const;
  [[nodiscard]] double tolerance() const;

  std::shared_ptr<const Environment> environment_;
  std::shared_ptr<const ContactLaws> laws_;
  const Integrator* integrator_;
  /// First step of a new contact, as a part of its time: its force begins as δ^{3/2}, of which a step of any order
  /// makes an error ∝ h^{5/2}.
  double first_part_;
  Counts counts_;
};

}  // namespace carom::smooth
