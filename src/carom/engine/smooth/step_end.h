#pragma once
/// The instant at which a step of a group ends because something happens: found on the interpolation, then reached.

#include <optional>

#include "carom/engine/smooth/contact_search.h"
#include "carom/engine/smooth/motions.h"

namespace carom::smooth {

/// Where a continuous function that is positive at the end of the span has become so: regula falsi with Illinois'
/// halving, on the far side. The beginning of the span where it is not negative there.
template <class Function>
double first_crossing(const Function& f, Span span) {
  double low = span.from, high = span.to;
  double f_low = f(low), f_high = f(high);
  if (f_low >= 0.0) return low;
  int side = 0;
  for (int k = 0; k < 60 && high - low > 1e-9 * (span.to - span.from); ++k) {
    double middle = low + (high - low) * (f_low / (f_low - f_high));
    if (!(middle > low && middle < high)) middle = 0.5 * (low + high);
    const double value = f(middle);
    if (value == 0.0) return middle;
    if (value < 0.0) {
      low = middle;
      f_low = value;
      if (side == -1) f_high *= 0.5;
      side = -1;
    } else {
      high = middle;
      f_high = value;
      if (side == 1) f_low *= 0.5;
      side = 1;
    }
  }
  return high;
}

/// When a contact opens within the step, which ends at `whole`; also one that closes again before its end.
std::optional<double> opening_time(const Motions& motions, const Group& group, const Contact& contact, double whole);

/// When the nearest points of a contact are elsewhere from one instant to the next within the step, and with another
/// depth: the place that was followed is none any more.
struct PointJump {
  double time;      ///< just before that
  Vector3d normal;  ///< of the place that they go over to
};
std::optional<PointJump> find_jump(const Motions& motions, const Group& group, const Contact& contact);

/// Where within the step the first dry joint ceases to do what it does: shortens the group's stretch to there.
void find_dry_change(const Motions& motions, Group& group);

/// Where within the step what joints keep becomes dependent: shortens the group's stretch to there.
void find_singular_position(const Motions& motions, Group& group);

/// Takes the step again up to the group's end, which was found on the interpolation, and brings the gap that opens or
/// closes there home by Newton's method. `span.from`: where the step begins; span.to: how far it may go.
void retake_step(const Environment& environment, Group& group, Span span);

}  // namespace carom::smooth
