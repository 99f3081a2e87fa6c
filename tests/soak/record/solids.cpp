#include "soak/record/solids.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace carom::soak {

namespace {

using Eigen::Vector3d;

/// A solid shrunk about its centre by a factor.
struct Shrunk {
  const Placed& solid;
  double factor;
  [[nodiscard]] Vector3d support(const Vector3d& direction) const {
    const Vector3d centre = solid.centre();
    return centre + factor * (solid.support(direction) - centre);
  }
};

/// The point nearest to the origin in the hull of up to four points, which are reduced to those that it needs: the
/// best of the projections onto all affine hulls of subsets that lie within the subset.
Vector3d nearest_of(std::vector<Vector3d>& points) {
  Vector3d best = points[0];
  double least = std::numeric_limits<double>::infinity();
  unsigned chosen = 1;
  for (unsigned set = 1; set < 1u << points.size(); ++set) {
    std::array<std::size_t, 4> index{};
    int count = 0;
    for (std::size_t k = 0; k < points.size(); ++k)
      if (set >> k & 1u) index[static_cast<std::size_t>(count++)] = k;
    const Vector3d& base = points[index[0]];
    Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3> edges(3, count - 1);
    for (int k = 1; k < count; ++k) edges.col(k - 1) = points[index[static_cast<std::size_t>(k)]] - base;
    Vector3d candidate = base;
    if (count > 1) {
      const auto normal = (edges.transpose() * edges).eval();
      // Points that are all but in one line or plane have a subset that serves as well.
      auto factors = normal.fullPivLu();
      factors.setThreshold(1e-12);
      if (!factors.isInvertible()) continue;
      const auto weights = factors.solve(-(edges.transpose() * base)).eval();
      if (!weights.allFinite() || weights.minCoeff() < 0.0 || weights.sum() > 1.0) continue;
      candidate = base + edges * weights;
    }
    if (candidate.squaredNorm() < least) {
      least = candidate.squaredNorm();
      best = candidate;
      chosen = set;
    }
  }
  std::vector<Vector3d> kept;
  for (std::size_t k = 0; k < points.size(); ++k)
    if (chosen >> k & 1u) kept.push_back(points[k]);
  points = kept;
  return best;
}

/// The direction from b to a across which the shrunk solids are farthest apart (Gilbert, Johnson and Keerthi), or zero
/// where they overlap.
Vector3d separating_direction(const Shrunk& a, const Shrunk& b, const Vector3d& start, double size) {
  Vector3d nearest = start;
  std::vector<Vector3d> points;
  for (int round = 0; round < 300; ++round) {
    const Vector3d corner = a.support(-nearest) - b.support(nearest);
    if (nearest.squaredNorm() - nearest.dot(corner) <= 1e-14 * nearest.squaredNorm() && round > 0) break;
    if (std::find(points.begin(), points.end(), corner) != points.end()) break;
    points.push_back(corner);
    nearest = nearest_of(points);
    if (nearest.norm() < 1e-13 * size || points.size() == 4) return Vector3d::Zero();
  }
  return nearest.normalized();
}

double gap_across(const Placed& a, const Placed& b, const Vector3d& direction) {
  return direction.dot(a.support(-direction) - b.support(direction));
}

}  // namespace

double half_disc_centroid(double radius) {
  return 4.0 * radius / (3.0 * std::numbers::pi);
}

Vector3d Solid::support(const Vector3d& direction) const {
  const Vector3d own = turn.conjugate() * direction;
  Vector3d point = Vector3d::Zero();
  switch (kind) {
    case Kind::sphere:
    case Kind::ellipsoid: {
      const Vector3d scaled = sizes.cwiseProduct(own);
      point = sizes.cwiseProduct(scaled) / std::max(scaled.norm(), 1e-300);
      break;
    }
    case Kind::box:
      for (int k = 0; k < 3; ++k) point[k] = std::copysign(sizes[k], own[k]);
      break;
    case Kind::cylinder: {
      const double across = std::hypot(own.x(), own.y());
      if (across > 0.0) point.head<2>() = sizes.x() / across * own.head<2>();
      point.z() = std::copysign(sizes.z(), own.z());
      break;
    }
    case Kind::capsule:
      point = sizes.x() * own.normalized();
      point.z() += std::copysign(sizes.z(), own.z());
      break;
    case Kind::cone: {
      const double across = std::hypot(own.x(), own.y());
      point.z() = -0.25 * sizes.z();
      if (sizes.z() * own.z() > sizes.x() * across)
        point.z() += sizes.z();
      else if (across > 0.0)
        point.head<2>() = sizes.x() / across * own.head<2>();
      break;
    }
    case Kind::half_cylinder: {
      const double across = std::hypot(own.x(), own.y());
      if (own.y() < 0.0)
        point.head<2>() = sizes.x() / across * own.head<2>();
      else
        point.x() = std::copysign(sizes.x(), own.x());
      point.y() += half_disc_centroid(sizes.x());
      point.z() = std::copysign(sizes.z(), own.z());
      break;
    }
    case Kind::hull:
      point = *std::max_element(corners.begin(), corners.end(), [&](const Vector3d& one, const Vector3d& other) {
        return own.dot(one) < own.dot(other);
      });
  }
  return offset + turn * point;
}

double Solid::size() const {
  if (kind == Kind::capsule) return sizes.x();
  if (kind == Kind::cylinder) return std::min(sizes.x(), sizes.z());
  if (kind == Kind::cone) {
    // From the base to the tip, or from a line of the side to the rim opposite: heights of the triangle that it shows.
    const double radius = sizes.x(), height = sizes.z();
    return std::min(0.5 * height, radius * height / std::hypot(radius, height));
  }
  if (kind == Kind::half_cylinder) return std::min(0.5 * sizes.x(), sizes.z());
  return kind == Kind::hull ? 0.5 * reach() : sizes.minCoeff();
}

double Solid::reach() const {
  switch (kind) {
    case Kind::sphere:
    case Kind::ellipsoid: return sizes.maxCoeff();
    case Kind::box: return sizes.norm();
    case Kind::cylinder: return std::hypot(sizes.x(), sizes.z());
    case Kind::capsule: return sizes.x() + sizes.z();
    case Kind::cone: return std::max(0.75 * sizes.z(), std::hypot(sizes.x(), 0.25 * sizes.z()));
    case Kind::half_cylinder: return std::hypot(sizes.x(), half_disc_centroid(sizes.x()), sizes.z());
    case Kind::hull: break;
  }
  double farthest = 0.0;
  for (const Vector3d& corner : corners) farthest = std::max(farthest, corner.norm());
  return farthest;
}

double gap(const Placed& a, const Placed& b) {
  const Vector3d apart = a.centre() - b.centre();
  const double distance = apart.norm(), far = distance - a.solid->reach() - b.solid->reach();
  const bool round = a.solid->kind == Solid::Kind::sphere && b.solid->kind == Solid::Kind::sphere;
  if (far > 0.0 || round || distance == 0.0) return far;
  const double size = std::min(a.solid->size(), b.solid->size());
  double widest = gap_across(a, b, apart / distance);
  // Shrunk about their centres even solids that overlap are apart, and the direction across which they are is that of
  // the solids themselves in the limit.
  for (double shrink = 0.1; shrink > 1e-7 && widest < -1e-12 * size; shrink *= 0.3) {
    const double factor = 1.0 - shrink;
    const Vector3d direction = separating_direction({a, factor}, {b, factor}, apart, size);
    if (direction.isZero()) break;
    widest = std::max(widest, gap_across(a, b, direction));
  }
  return widest;
}

double gap_to_plane(const Placed& solid, const Vector3d& normal, const Vector3d& point) {
  return normal.dot(solid.support(-normal) - point);
}

double gap_inside(const Placed& solid, const Vector3d& centre, double radius, const Vector3d* axis) {
  const auto from_the_middle = [&](const Vector3d& point) -> Vector3d {
    const Vector3d arm = point - centre;
    return axis == nullptr ? arm : Vector3d(arm - axis->dot(arm) * *axis);
  };
  double farthest = 0.0;
  // Each round goes to the point farthest along the direction of the last one, from the corners of a cube on.
  for (int corner = 0; corner < 8; ++corner) {
    Vector3d direction =
        from_the_middle(centre + solid.orientation * Vector3d(corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0,
                                                              corner & 4 ? 1.0 : -1.0));
    for (int round = 0; round < 100 && direction.norm() > 0.0; ++round) {
      direction = from_the_middle(solid.support(direction));
      if (direction.norm() <= farthest) break;
      farthest = direction.norm();
    }
  }
  return radius - farthest;
}

}  // namespace carom::soak
