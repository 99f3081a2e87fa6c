#pragma once
/// A contact at one Feature of two bodies: its gap, how far it is from the ends of what touches, and whether the two
/// can touch there at all.

#include "carom/engine/smooth/contact_geometry.h"

namespace carom::smooth {

/// Slope beyond the contact of two bodies that may begin to touch there, and of two edges that cease to.
inline constexpr double kSupportSlope = 0.1, kLostSupport = 0.2;

/// How far the point of the contact is inside face and edges; negative: beyond an end [m].
double inside_facets(const PairGeometry& g, const Pose& a, const Pose& b);

/// Of the end of a line beside another line: the sine of the angle between the two, seen along the normal. Where it is
/// not small they cross, and are nearest there. Zero for every other contact.
double crossing_sine(const PairGeometry& g, const Pose& a, const Pose& b);

/// How steeply a goes up from the contact, seen along its normal, and b goes down, where either does so least: the sine
/// of the slope, at most 1. Below zero one of them reaches beyond the contact. 1 where neither has an end.
double least_rise(const PairGeometry& g, const Pose& a, const Pose& b);

/// Whether both bodies can touch there, but for a slope of kSupportSlope.
inline bool supports(const PairGeometry& g, const Pose& a, const Pose& b) {
  return least_rise(g, a, b) >= -kSupportSlope;
}

}  // namespace carom::smooth
