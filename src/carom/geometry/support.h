#pragma once
/// Support functions of the convex shapes: h(u) = max of u·x over the shape, in its frame.

#include <Eigen/Core>
#include <vector>

#include "carom/geometry/shape.h"

namespace carom {

/// h(u) of a bounded convex shape, u of any length.
double support(const Shape& shape, const Eigen::Vector3d& u);

/// h(u + change) − h(u), as exact for the smallest change as for a large one: no two supports are subtracted.
double support_growth(const Shape& shape, const Eigen::Vector3d& u, const Eigen::Vector3d& change);

/// Vertices of a box (8), a prism (6), a rod (2) or a polyhedron in the shape's frame; empty for the round ones.
std::vector<Eigen::Vector3d> shape_vertices(const Shape& shape);

}  // namespace carom
