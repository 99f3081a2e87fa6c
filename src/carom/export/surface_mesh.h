#pragma once
/// Surfaces of shapes as polygons, in the frame of the shape.
///
/// The corners lie on the surface. Spheres and ellipsoids are cut along meridians and parallels with corners on all
/// three axes, so that the extents along these are exact. A rod, which has no surface, is drawn as a cylinder with a
/// hundredth of its half length as radius.

#include <Eigen/Core>
#include <vector>

#include "carom/geometry/part.h"

namespace carom {

struct SurfaceMesh {
  std::vector<Eigen::Vector3d> points;
  std::vector<std::vector<int>> faces;  ///< corners of each, outwards counterclockwise (bore, shell: seen from inside)
};

/// `meridians` is a multiple of 4. A half-space gives the square |x|, |y| ≤ half_size of its surface.
SurfaceMesh surface_mesh(const Shape& shape, int meridians, double half_size);
/// The surfaces of all parts, one behind the other, in the frame of the whole.
SurfaceMesh surface_mesh(const Parts& parts, int meridians, double half_size);

}  // namespace carom
