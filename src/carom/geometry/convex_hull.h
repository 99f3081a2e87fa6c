#pragma once
/// The triangles of the convex hull of points, by quickhull (Barber, Dobkin & Huhdanpaa 1996) on a grid.
///
/// Rounding is what makes hulls fail: a point that lies in the plane of a triangle is on its one side for one triangle
/// and on the other for the next. Here every point is first put on a grid of 2⁴⁰ steps along each axis of the bounding
/// box. There the sign of (b−a)×(c−a)·(p−a) is a number of at most 123 bits and is found exactly (in floating point
/// where that is certain), so that the triangles always close to a surface.

#include <Eigen/Core>
#include <array>
#include <span>
#include <vector>

namespace carom {

struct HullTriangle {
  std::array<int, 3> corners;     ///< numbers of points, counter-clockwise seen from outside
  std::array<int, 3> neighbours;  ///< the triangle across the side from corner k to corner k + 1
  Eigen::Vector3d normal;         ///< outwards, of the corners on the grid; unit
};

/// The triangles of the hull, in a fixed order; empty where all points lie in a plane of the grid. All coordinates must
/// be finite.
std::vector<HullTriangle> hull_triangles(std::span<const Eigen::Vector3d> points);

}  // namespace carom
