#pragma once
/// A contact at one Feature of two bodies: its gap, how far it is from the ends of what touches, and whether the two
/// can touch there at all.

#include "carom/engine/smooth/contact_geometry.h"

namespace carom::smooth {

/// How far the point of the contact is inside face and edges; negative: beyond an end [m].
double inside_facets(const PairGeometry& g, const Pose& a, const Pose& b);

/// Of the end of a line beside another line: the sine of the angle between the two, seen along the normal. Where it is
/// not small they cross, and are nearest there. Zero for every other contact.
double crossing_sine(const PairGeometry& g, const Pose& a, const Pose& b);

/// Whether both bodies can touch there: seen along the normal of the contact a goes up from it on all sides and b goes
/// down, but for a slope of kSupportSlope.
bool supports(const PairGeometry& g, const Pose& a, const Pose& b);
inline constexpr double kSupportSlope = 0.1;

}  // namespace carom::smooth
