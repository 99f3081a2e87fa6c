#include "carom/geometry/part.h"

#include <algorithm>
#include <cmath>

#include "carom/base/assert.h"
#include "carom/geometry/pair_table.h"
#include "carom/geometry/support.h"

namespace carom {

namespace {

/// The farthest point of a placed shape from the origin of the whole, or a bound of it.
struct PlacedRadius {
  const Pose& placement;

  /// Of a disc about z: |c|² + r² + 2r|c⊥|, c⊥ its middle's component across the axis.
  [[nodiscard]] double of_disc(double height, double radius) const {
    const Eigen::Vector3d middle = placement.to_world({0.0, 0.0, height});
    const double across = middle.cross(placement.orientation * Eigen::Vector3d::UnitZ()).norm();
    return std::sqrt(middle.squaredNorm() + radius * (radius + 2.0 * across));
  }
  [[nodiscard]] double of_cylinder(double radius, double half_length) const {
    return std::max(of_disc(-half_length, radius), of_disc(half_length, radius));
  }
  double operator()(const Cylinder& cylinder) const { return of_cylinder(cylinder.radius, cylinder.half_length); }
  double operator()(const HalfCylinder& half) const { return of_cylinder(half.radius, half.half_length); }
  double operator()(const Cone& cone) const {
    return std::max(of_disc(0.0, cone.radius), placement.to_world({0.0, 0.0, cone.height}).norm());
  }
  double operator()(const Capsule& capsule) const {
    const auto end = [&](double z) { return placement.to_world({0.0, 0.0, z}).norm() + capsule.radius; };
    return std::max(end(-capsule.half_length), end(capsule.half_length));
  }
  template <class Other>
  double operator()(const Other& shape) const {
    double farthest = 0.0;
    for (const Eigen::Vector3d& vertex : shape_vertices(Shape(shape)))
      farthest = std::max(farthest, placement.to_world(vertex).norm());
    return farthest > 0.0 ? farthest : placement.position.norm() + bounding_radius(Shape(shape));
  }
};

}  // namespace

Parts one_part(const Shape& shape) {
  return {Part{shape, {}}};
}

std::string_view shape_name(const Parts& parts) {
  return parts.size() == 1 ? shape_name(parts[0].shape) : "compound";
}

double bounding_radius(const Part& part) {
  return is_identity(part.placement) ? bounding_radius(part.shape)
                                     : std::visit(PlacedRadius{part.placement}, part.shape);
}

double bounding_radius(const Parts& parts) {
  double farthest = 0.0;
  for (const Part& part : parts) farthest = std::max(farthest, bounding_radius(part));
  return farthest;
}

double body_radius(const Parts& parts) {
  const Bore* const ring = only_shape<Bore>(parts);
  return ring == nullptr ? bounding_radius(parts) : std::hypot(ring->radius, ring->half_length);
}

bool can_meet(const Parts& a, const Parts& b) {
  for (const Part& first : a)
    for (const Part& second : b)
      if (find_pair(shape_kind(first.shape), shape_kind(second.shape)) == nullptr) return false;
  return true;
}

PartProximity nearest_parts(const Parts& a, const Pose& pose_a, const Parts& b, const Pose& pose_b) {
  CAROM_ASSERT(!a.empty() && !b.empty());
  const auto look = [&](int i, int j) {
    const Part& first = a[static_cast<std::size_t>(i)];
    const Part& second = b[static_cast<std::size_t>(j)];
    return proximity(first.shape, placed_in(pose_a, first.placement), second.shape,
                     placed_in(pose_b, second.placement));
  };
  PartProximity best{look(0, 0)};
  for (int i = 0; i < static_cast<int>(a.size()); ++i) {
    for (int j = i == 0 ? 1 : 0; j < static_cast<int>(b.size()); ++j) {
      const Proximity found = look(i, j);
      if (found.distance < best.nearest.distance) best = {found, i, j};
    }
  }
  return best;
}

}  // namespace carom
