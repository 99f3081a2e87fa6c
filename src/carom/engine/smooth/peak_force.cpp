#include "carom/engine/smooth/peak_force.h"

namespace carom::smooth {

void note_peak_forces(const Motions& motions, Group& group) {
  const Stepper& stepper = *group.stepper;
  const double start = stepper.time(), step = stepper.trial_time() - start;
  for (Contact& contact : group.dynamics.contacts) {
    const auto at = static_cast<std::size_t>(contact.extra);
    const double first = stepper.slope()[at], last = stepper.trial_slope()[at];
    contact.note_force(first, start);
    contact.note_force(last, stepper.trial_time());
    const double mean = (stepper.trial_y()[at] - stepper.y()[at]) / step;
    const double bend = 3.0 * (first + last - 2.0 * mean), way = 2.0 * first + last - 3.0 * mean;
    if (contact.held || !(bend < 0.0 && way < 0.0 && way > bend)) continue;
    const double time = start + way / bend * step;
    const GroupDynamics::Gap gap = motions.gap_at(group, contact, time);
    contact.note_force(contact.normal.evaluate(-gap.gap, -gap.rate).force, time);
  }
}

}  // namespace carom::smooth
