#pragma once
/// What of a shape touches at a point of its surface whose outward normal is given: a vertex, a straight line, a flat
/// face, or something round. This is how a contact recognises, for all shapes alike, how its point and normal follow
/// when the bodies move: a face fixes the normal in its body, a vertex the point, two lines their common perpendicular.

#include <Eigen/Core>

#include "carom/geometry/shape.h"

namespace carom {

struct TouchedFeature {
  enum class Kind {
    vertex,  ///< a sharp point: corner of a polyhedron or prism, apex of a cone, end of a rod
    edge,    ///< a straight line of the surface: edge, side line of a cylinder, cone or capsule, the line of a rod
    face,    ///< a flat face
    round,   ///< curved in every direction along the surface, or a rim
  };
  Kind kind = Kind::round;
  /// Unit, in the shape's frame: the outward normal of a face, the direction of an edge; zero for the others.
  Eigen::Vector3d direction = Eigen::Vector3d::Zero();
  /// Whether the point itself is a vertex of the shape, which it may be on a face or an edge as well.
  bool at_vertex = false;
  /// Whether the line is an edge of the shape or a rod: sharp, and so fixed in the shape. Side lines of round shapes
  /// are where the normal stands.
  bool sharp = false;
};

/// The largest feature of the shape that has this outward unit normal and holds the point: a face where the normal is a
/// face's to 1e-6 rad, an edge where it is orthogonal to one (a side line's own normal) to 1e-6 rad, and so on. Point
/// and normal are in the shape's frame. A half-space is a face; bore and shell are round.
TouchedFeature touched_feature(const Shape& shape, const Eigen::Vector3d& point, const Eigen::Vector3d& normal);

}  // namespace carom
