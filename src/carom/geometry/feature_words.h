#pragma once
/// What of a shape is at a point of its surface, in words for people: `corner +x-y+z`, `edge +x-z`, `face +z`, `end
/// -z`, `rim +z`, `side`, `base`, `tip`, `corner 4`. Empty where there is nothing to tell apart: balls, ellipsoids,
/// planes, bores and shells.
///
/// Signs name the corners, edges and faces of a box by its own axes; corners of other polyhedra have the number of
/// their vertex, counted from 1 in the order of the scene, those of a prism with the end at which they are.

#include <Eigen/Core>
#include <string>

#include "carom/geometry/shape.h"

namespace carom {

/// The point is in the shape's frame, on its surface to a thousandth of its size; so is the outward unit normal.
std::string feature_words(const Shape& shape, const Eigen::Vector3d& point, const Eigen::Vector3d& normal);

/// Whether there is anything to tell apart.
bool has_features(const Shape& shape);

}  // namespace carom
