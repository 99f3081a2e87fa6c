#pragma once
/// Where a shape can come down on a plane: its vertices, the rims of its discs, its round ends.

#include <vector>

#include "carom/contact/time_of_impact.h"

namespace carom::contact {

/// All of them, in the shape's frame; empty for spheres and ellipsoids, which touch a plane at one point.
std::vector<BodyPart> pieces_of(const Shape& shape);

}  // namespace carom::contact
