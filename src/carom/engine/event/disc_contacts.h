#pragma once
/// Discs on faces. A disc that lies flat touches with all points of its rim, for which eight stand: enough to bear it,
/// but between them it would sink in when it tips.

#include "carom/engine/event/instant.h"
#include "carom/engine/event/island.h"
#include "carom/engine/event/settling.h"

namespace carom::event {

/// Adds to the cluster at hand, for each disc that lies flat, the point of its rim that approaches fastest, where that
/// is no contact yet and approaches by more than what rests.
void add_rim_points(const Instant& at, const Settling& settling);

/// How much faster than its middle the points of a disc's rim move along the normal where it rocks, at most; 0 where
/// the contact is at no point of a rim.
[[nodiscard]] double rocking_speed(World& world, const ContactPoint& contact);

/// A cylinder or cone that stood on its face and is now held at only one or two points of its rim tips over the arc
/// between them: it goes on as one on its rim. Whether any of the contacts has become another one.
bool stand_on_rims(const World& world, Island& island);

}  // namespace carom::event
