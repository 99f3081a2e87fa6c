#pragma once
/// What bodies and obstacles are made of: one or more shapes, each placed in the frame of the whole.
///
/// The frame of a body has its origin at the centre of mass, that of an obstacle is its own. A part whose placement is
/// the identity stands exactly where the whole does, bit for bit. Parts of one whole may overlap or leave room between
/// them; they never meet each other.

#include <string_view>
#include <vector>

#include "carom/geometry/proximity.h"
#include "carom/geometry/shape.h"

namespace carom {

struct Part {
  Shape shape;
  Pose placement = {};  ///< of the shape's frame in the frame of the whole
};

using Parts = std::vector<Part>;

/// The parts of a whole that is this shape and nothing else.
Parts one_part(const Shape& shape);

inline bool is_identity(const Pose& pose) {
  const Eigen::Quaterniond& q = pose.orientation;
  return pose.position.isZero(0.0) && q.w() == 1.0 && q.x() == 0.0 && q.y() == 0.0 && q.z() == 0.0;
}

/// Where a frame stands that has this placement in a frame at `whole`.
inline Pose placed_in(const Pose& whole, const Pose& placement) {
  if (is_identity(placement)) return whole;
  return {.position = whole.to_world(placement.position), .orientation = whole.orientation * placement.orientation};
}

/// The shape of a whole that is nothing else, in its own frame; null where there are several parts or a placement.
inline const Shape* only_shape(const Parts& parts) {
  return parts.size() == 1 && is_identity(parts[0].placement) ? &parts[0].shape : nullptr;
}

/// The only shape, where it is of this type.
template <class Type>
const Type* only_shape(const Parts& parts) {
  const Shape* const shape = only_shape(parts);
  return shape == nullptr ? nullptr : std::get_if<Type>(shape);
}

/// A plane is a half-space alone.
inline bool is_plane(const Parts& parts) {
  return parts.size() == 1 && std::holds_alternative<HalfSpace>(parts[0].shape);
}

/// The scene format's name of one shape, or `compound`.
std::string_view shape_name(const Parts& parts);

/// Radius of a ball around the frame's origin that holds all parts; the least one where each of them has the identity
/// as its placement or is a sphere, a box or a prism. Infinite for the unbounded ones.
double bounding_radius(const Part& part);
double bounding_radius(const Parts& parts);
/// That of a body, which ends: of a ring, of whose outside nobody asks, that of a ball that holds its wall.
double body_radius(const Parts& parts);

/// Whether the distance is known of every part of a from every part of b.
bool can_meet(const Parts& a, const Parts& b);

/// The nearest points of two wholes at these poses, and the parts that they lie on: the least distance over all pairs
/// of parts, the first such pair where there are several. Throws as the `proximity` of two shapes does.
struct PartProximity {
  Proximity nearest;
  int part_a = 0;
  int part_b = 0;
};
PartProximity nearest_parts(const Parts& a, const Pose& pose_a, const Parts& b, const Pose& pose_b);
inline Proximity proximity(const Parts& a, const Pose& pose_a, const Parts& b, const Pose& pose_b) {
  return nearest_parts(a, pose_a, b, pose_b).nearest;
}

}  // namespace carom
