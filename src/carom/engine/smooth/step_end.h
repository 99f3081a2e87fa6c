#pragma once
/// The instant at which a step of a group ends because something happens: found on the interpolation, then reached.

#include "carom/engine/smooth/contact_search.h"
#include "carom/engine/smooth/motions.h"

namespace carom::smooth {

/// When the gap of a contact that is open at the end of the step, `whole`, opened.
double opening_time(const Motions& motions, const Group& group, const Contact& contact, double whole);

/// Takes the step again up to the group's end, which was found on the interpolation, and brings the gap that opens or
/// closes there home by Newton's method. `span.from`: where the step begins; span.to: where the run ends.
void retake_step(const Environment& environment, Group& group, Span span);

}  // namespace carom::smooth
