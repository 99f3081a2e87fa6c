#include "carom/contact/surface_rates.h"

#include <Eigen/LU>
#include <array>
#include <cmath>

#include "carom/geometry/curvature.h"
#include "carom/geometry/touched_feature.h"

namespace carom::contact {

namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// Systems whose pivots are below this part of the largest one determine no points.
constexpr double kSingular = 1e-9;
/// A point this close to the end of a bore, relative to its length, is on its rim.
constexpr double kAtRim = 1e-9;

/// Along one direction of the tangent plane: the point runs by ẋ over the surface while the outward normal turns by ṁ,
/// both seen from the body, with  stiffness · ẋ = freedom · ṁ.  A surface of curvature κ has (κ, 1); where a point
/// stays whatever the normal does (vertices, across edges and rims) it is (1, 0), on what is straight (0, 1).
struct Bend {
  Vector3d direction;  ///< unit, in the frame of the shape
  double stiffness;    ///< [1/m] where freedom is 1
  double freedom;
};
using Bends = std::array<Bend, 2>;

Bends both(const Vector3d& outwards, double stiffness, double freedom) {
  const std::array<Vector3d, 2> across = tangents_of(outwards);
  return {Bend{across[0], stiffness, freedom}, Bend{across[1], stiffness, freedom}};
}

/// Along `direction`, and across it.
Bends along_and_across(const Vector3d& outwards, const Vector3d& direction, const Bend& along, const Bend& across) {
  Bends bends{along, across};
  bends[0].direction = direction;
  bends[1].direction = outwards.cross(direction);
  return bends;
}

/// The rim of a bore, where the point is on it.
std::optional<Circle> rim_of_bore(const Shape& shape, const Vector3d& point) {
  const Bore* const bore = std::get_if<Bore>(&shape);
  if (bore == nullptr || std::abs(point.z()) < bore->half_length * (1.0 - kAtRim)) return std::nullopt;
  return Circle{std::copysign(bore->half_length, point.z()), bore->radius};
}

/// Around a rim of radius R whose normal is ρ off its axis (inwards for a hollow) the point runs R/ρ times as fast as
/// the normal turns; it does not leave the rim.
std::optional<Bends> bends_of_rim(const Circle& rim, const Vector3d& point, const Vector3d& outwards) {
  const double off_axis = outwards.head<2>().dot(point.head<2>()) / rim.radius;
  if (!(std::abs(off_axis) > kFlat)) return std::nullopt;
  const Vector3d around(-point.y() / rim.radius, point.x() / rim.radius, 0.0);
  return along_and_across(outwards, around, {{}, off_axis / rim.radius, 1.0}, {{}, 1.0, 0.0});
}

std::optional<Bends> bends_at(const Shape& shape, const Vector3d& point, const Vector3d& outwards) {
  const TouchedFeature touched = touched_feature(shape, point, outwards);
  std::optional<Circle> rim = rim_at(shape, point);
  if (!rim) rim = rim_of_bore(shape, point);
  using Kind = TouchedFeature::Kind;
  if (touched.kind == Kind::vertex) return both(outwards, 1.0, 0.0);
  if (rim) return touched.kind == Kind::round ? bends_of_rim(*rim, point, outwards) : std::nullopt;
  if (touched.at_vertex) return std::nullopt;
  if (touched.kind == Kind::face) return both(outwards, 0.0, 1.0);
  if (touched.kind == Kind::edge && touched.sharp)
    return along_and_across(outwards, touched.direction, {{}, 0.0, 1.0}, {{}, 1.0, 0.0});
  const std::optional<SurfaceCurvature> curvature = local_curvature(shape, point);
  if (!curvature) return std::nullopt;
  return Bends{Bend{curvature->smaller_direction, curvature->smaller, 1.0},
               Bend{curvature->larger_direction, curvature->larger, 1.0}};
}

}  // namespace

/// With n from b to a and the gap g, a − b = g n. The two points run by s over their surfaces, besides moving with the
/// bodies (u is the relative velocity of what they are on):
///   P(u + s_a − s_b) = g ṅ,   stiffness s_a = freedom (ω_a × n − ṅ),   stiffness s_b = freedom (ṅ − ω_b × n),
/// six equations in the tangent plane for s_a, s_b and ṅ. Lengths are in parts of a's lever.
std::optional<ContactRates> rates_of_surfaces(const ContactPoint& contact, const Shape& a, const BodyState& state_a,
                                              const Shape& b, const BodyState& state_b) {
  const Vector3d& n = contact.normal;
  const Quaterniond to_a = state_a.orientation.conjugate(), to_b = state_b.orientation.conjugate();
  const std::optional<Bends> of_a = bends_at(a, to_a * (contact.point_a - state_a.position), to_a * Vector3d(-n));
  if (!of_a) return std::nullopt;
  const std::optional<Bends> of_b = bends_at(b, to_b * (contact.point_b - state_b.position), to_b * n);
  if (!of_b) return std::nullopt;
  const Vector3d& w_a = state_a.angular_velocity;
  const Vector3d& w_b = state_b.angular_velocity;
  const Vector3d lever_a = contact.point_a - state_a.position, lever_b = contact.point_b - state_b.position;
  const Vector3d carried_a = w_a.cross(lever_a), carried_b = w_b.cross(lever_b);
  const Vector3d u = state_a.velocity + carried_a - state_b.velocity - carried_b;
  const double size = bounding_radius(a);
  Eigen::Matrix<double, 3, 2> plane;
  const std::array<Vector3d, 2> across = tangents_of(n);
  plane << across[0], across[1];

  Matrix6 system = Matrix6::Zero();
  Vector6 right;
  for (Eigen::Index k = 0; k < 2; ++k) {
    const auto put = [&](Eigen::Index row, Eigen::Index column, const Bend& bend, const Quaterniond& turn, double sign,
                         const Vector3d& spin) {
      const Vector3d direction = turn * bend.direction;
      const Eigen::RowVector2d in_plane = direction.transpose() * plane;
      const double stiffness = bend.freedom == 0.0 ? 1.0 : bend.stiffness * size;
      system.block<1, 2>(row, column) = stiffness * in_plane;
      system.block<1, 2>(row, 4) = sign * bend.freedom * in_plane;
      right[row] = sign * bend.freedom * direction.dot(spin.cross(n));
    };
    put(k, 0, (*of_a)[static_cast<std::size_t>(k)], state_a.orientation, 1.0, w_a);
    put(2 + k, 2, (*of_b)[static_cast<std::size_t>(k)], state_b.orientation, -1.0, w_b);
    system(4 + k, k) = 1.0;
    system(4 + k, 2 + k) = -1.0;
    system(4 + k, 4 + k) = -contact.gap / size;
    right[4 + k] = -plane.col(k).dot(u) / size;
  }
  Eigen::FullPivLU<Matrix6> factors(system);
  factors.setThreshold(kSingular);
  if (!factors.isInvertible()) return std::nullopt;
  const Vector6 found = factors.solve(right);
  const Vector3d run_a = plane * (size * found.head<2>()), run_b = plane * (size * found.segment<2>(2));
  return ContactRates{plane * found.tail<2>(), w_a.cross(carried_a + run_a) - w_b.cross(carried_b + run_b)};
}

}  // namespace carom::contact
