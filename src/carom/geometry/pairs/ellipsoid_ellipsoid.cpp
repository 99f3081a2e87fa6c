/// Two ellipsoids, x_a = c_a + A S_a u and x_b = c_b + B S_b u with |u| ≤ 1. With c = c_a − c_b the signed distance is
///   d = max over unit n of φ(n),   φ(n) = n·c − |S_a Aᵀn| − |S_b Bᵀn|,
/// for ellipsoids apart and overlapping alike (proximity.h). φ is homogeneous of degree one, so with its gradient g
///   φ = n·g,   gradient on the sphere P g,   Hessian on the sphere P (∇²φ − φ) P,   P = 1 − n nᵀ,
/// and g = x_a − x_b between the support points, so that P g = 0 says: the points lie along the common normal.
///
/// Newton's method starts from the line of centres. Where it ends with φ > 0, the ellipsoids are apart and the maximum
/// is the only one with φ > 0. Where it ends with −φ ≤ ρ, the sum of the ellipsoids' least radii of curvature (shortest
/// axis² / longest axis), it is the largest as well: a ball of radius ρ rolls freely inside the difference of the two
/// sets (Blaschke), so from the end of a normal of length −φ ≤ ρ no other point of its surface is nearer. Deeper inside
/// there can be several maxima; then Newton is started from the best of a fixed fan of directions (in the world's, in
/// both ellipsoids' and in the sum's scales) and the largest maximum found is taken, the first of equal ones.
/// Newton's step has the Hessian's eigenvalues made negative, is shortened until φ grows, and leaves saddles. What is
/// left of |P g| is reported as the residual.
/// Sources: the support-function form of the distance of convex sets (Rockafellar, Convex Analysis, §16); Blaschke,
/// Kreis und Kugel, §24.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "carom/geometry/pairs/direction_fan.h"
#include "carom/geometry/pairs/pairs.h"

namespace carom {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Tangents = Eigen::Matrix<double, 3, 2>;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr int kMaxSteps = 200;
constexpr double kLongestStep = 0.8;  // [rad], about: a Newton step farther than this knows nothing of its end
/// The step after one as short as this, in units of the angle over which normals change, is round-off.
constexpr double kNewtonConverges = 1e-6;
constexpr int kClimbs = 8;  // of the fan's directions, where the first climb ends in an overlap

/// h(n) = |S Rᵀ n| and its derivatives; R S² Rᵀ n / h is the point of the surface with normal n.
struct Support {
  Matrix3d scaled_axes;  // S Rᵀ

  Support(const Ellipsoid& ellipsoid, const Pose& pose)
      : scaled_axes(ellipsoid.semi_axes.asDiagonal() * pose.rotation().transpose()) {}

  struct At {
    double h;
    Vector3d unit;   // S Rᵀ n / h, on the unit sphere
    Vector3d point;  // ∇h
  };
  [[nodiscard]] At at(const Vector3d& n) const {
    const Vector3d image = scaled_axes * n;
    const double h = image.norm();
    const Vector3d unit = image / h;
    return {h, unit, scaled_axes.transpose() * unit};
  }
  /// Tᵀ ∇²h T = Wᵀ (1 − u uᵀ) W / h with W = S Rᵀ T.
  [[nodiscard]] Eigen::Matrix2d curvature(const At& at, const Tangents& tangents) const {
    Tangents w = scaled_axes * tangents;
    w -= at.unit * (at.unit.transpose() * w).eval();
    return w.transpose() * w / at.h;
  }
};

double least_curvature_radius(const Ellipsoid& ellipsoid) {
  const double shortest = ellipsoid.semi_axes.minCoeff();
  return shortest * shortest / ellipsoid.semi_axes.maxCoeff();
}

Tangents tangents_of(const Vector3d& n) {
  int smallest = 0;
  n.cwiseAbs().minCoeff(&smallest);
  Tangents result;
  result.col(0) = n.cross(Vector3d::Unit(smallest)).normalized();
  result.col(1) = n.cross(result.col(0));
  return result;
}

struct Gap {
  Support a;
  Support b;
  Vector3d c;    // centre of a less centre of b
  double scale;  // the lengths whose round-off is in φ
  /// Shortest over longest axis, of the ellipsoid where it is less: the angle over which h changes.
  double slenderness;

  struct At {
    Support::At a;
    Support::At b;
    Vector3d gradient;
    double value;
  };
  [[nodiscard]] At at(const Vector3d& n) const {
    At result{a.at(n), b.at(n), {}, {}};
    result.gradient = c - result.a.point - result.b.point;
    result.value = n.dot(c) - result.a.h - result.b.h;
    return result;
  }
  [[nodiscard]] double value(const Vector3d& n) const {
    return n.dot(c) - (a.scaled_axes * n).norm() - (b.scaled_axes * n).norm();
  }
};

struct Maximum {
  Vector3d normal;
  double value;
};

/// Eigenvalues (smaller first) and the eigenvector of the larger one of a symmetric 2×2 matrix.
struct Spectrum {
  double low;
  double high;
  Vector2d high_direction;

  explicit Spectrum(const Eigen::Matrix2d& m) {
    const double mean = 0.5 * (m(0, 0) + m(1, 1));
    const double half = 0.5 * (m(0, 0) - m(1, 1));
    const double radius = std::hypot(half, m(0, 1));
    const double angle = 0.5 * std::atan2(m(0, 1), half);
    low = mean - radius;
    high = mean + radius;
    high_direction = {std::cos(angle), std::sin(angle)};
  }
};

/// Newton's step with both eigenvalues made negative, at most kLongestStep long; at a saddle, along its upward way.
Vector2d newton_step(const Eigen::Matrix2d& hessian, const Vector2d& slope, double scale) {
  const Spectrum spectrum(hessian);
  const Vector2d& high = spectrum.high_direction;
  const Vector2d low(-high.y(), high.x());
  const double least = kEpsilon * scale;
  Vector2d step = slope.dot(high) / std::max(std::abs(spectrum.high), least) * high +
                  slope.dot(low) / std::max(std::abs(spectrum.low), least) * low;
  if (spectrum.high > 1e-6 * scale && slope.norm() < 1e-9 * scale) step = 0.1 * high;
  const double length = step.norm();
  if (length > kLongestStep) step *= kLongestStep / length;
  return step;
}

/// One step along `step` or a part of it: as far as φ grows and its slope along the way has not turned steeply down.
/// (Across the ridge of a slender ellipsoid Newton's step knows nothing of the other side.) Where the growth drowns in
/// round-off the slope must fall instead. False where there is no such step.
struct Line {
  Vector3d start;
  Vector3d way;  // tangent; its length is the first step's
  double slope;  // |P g| at the start
  int halvings;
};

bool walk(const Gap& gap, const Line& line, Vector3d& n, Gap::At& here) {
  const double noise = 4.0 * kEpsilon * gap.scale;
  const Gap::At start = here;
  bool moved = false;
  double part = 1.0;
  for (int halving = 0; halving < line.halvings; ++halving, part *= 0.5) {
    const Vector3d next = (line.start + part * line.way).normalized();
    const Gap::At there = gap.at(next);
    const Vector3d slope_there = there.gradient - there.value * next;
    const double rise = start.gradient.dot(line.way);
    const bool grows = there.value > start.value + std::max(1e-4 * part * rise, noise);
    const bool settles = there.value >= start.value - noise && slope_there.norm() < 0.5 * line.slope;
    if (!grows && !settles) {
      if (moved) break;
      continue;
    }
    if (moved && there.value < here.value) break;
    n = next;
    here = there;
    moved = true;
    const bool overshoots = slope_there.dot(line.way) < -0.5 * rise;
    if (!overshoots) break;
  }
  return moved;
}

Maximum climb(const Gap& gap, Vector3d n) {
  Gap::At here = gap.at(n);
  const double noise = 4.0 * kEpsilon * gap.scale;
  const double converging = kNewtonConverges * gap.slenderness;
  for (int count = 0; count < kMaxSteps; ++count) {
    const Tangents tangents = tangents_of(n);
    const Vector2d slope = tangents.transpose() * here.gradient;
    const Eigen::Matrix2d hessian = -gap.a.curvature(here.a, tangents) - gap.b.curvature(here.b, tangents) -
                                    here.value * Eigen::Matrix2d::Identity();
    const Vector2d step = newton_step(hessian, slope, gap.scale);
    const bool short_step = step.norm() < converging;
    // Nothing is left but round-off; at a saddle the step is long all the same.
    if (slope.norm() <= noise && short_step) break;
    if (!walk(gap, {n, tangents * step, slope.norm(), short_step ? 3 : 60}, n, here)) break;
  }
  return {n, here.value};
}

/// The best of the maxima that the fan's most promising directions climb to.
Maximum climb_from_fan(const Gap& gap, Maximum best) {
  struct Start {
    double value;
    Vector3d direction;
  };
  std::array<Start, kClimbs> starts;
  starts.fill({-std::numeric_limits<double>::infinity(), Vector3d::Zero()});
  const Matrix3d sum =
      gap.a.scaled_axes.transpose() * gap.a.scaled_axes + gap.b.scaled_axes.transpose() * gap.b.scaled_axes;
  const Matrix3d root = principal_square_root_inverse(sum);
  const std::array<Matrix3d, 4> scales = {Matrix3d::Identity(), root, gap.a.scaled_axes.inverse(),
                                          gap.b.scaled_axes.inverse()};
  for (const Matrix3d& scaling : scales) {
    for (const Vector3d& direction : direction_fan()) {
      const Vector3d n = (scaling * direction).normalized();
      const double value = gap.value(n);
      if (!(value > starts.back().value)) continue;
      // One start per hill: a direction next to a better one is left out.
      const bool near_better = std::any_of(starts.begin(), starts.end(), [&](const Start& start) {
        return start.value >= value && start.direction.dot(n) > 0.95;
      });
      if (near_better) continue;
      const auto place =
          std::find_if(starts.begin(), starts.end(), [&](const Start& start) { return start.value < value; });
      std::move_backward(place, starts.end() - 1, starts.end());
      *place = {value, n};
    }
  }
  for (const Start& start : starts) {
    if (start.direction.isZero()) continue;
    const Maximum found = climb(gap, start.direction);
    if (found.value > best.value) best = found;
    if (best.value > 0.0) break;
  }
  return best;
}

}  // namespace

Proximity ellipsoid_ellipsoid(const Ellipsoid& a, const Pose& pose_a, const Ellipsoid& b, const Pose& pose_b) {
  const Vector3d c = pose_a.position - pose_b.position;
  const double length = c.norm();
  const Gap gap{
      Support(a, pose_a), Support(b, pose_b), c, length + a.semi_axes.maxCoeff() + b.semi_axes.maxCoeff(),
      std::min(a.semi_axes.minCoeff() / a.semi_axes.maxCoeff(), b.semi_axes.minCoeff() / b.semi_axes.maxCoeff())};
  Maximum best = climb(gap, length > 0.0 ? Vector3d(c / length) : Vector3d(Vector3d::UnitX()));
  const double proven = (1.0 - 1e-9) * (least_curvature_radius(a) + least_curvature_radius(b));
  if (best.value < -proven) best = climb_from_fan(gap, best);

  const Vector3d& n = best.normal;
  const Gap::At at = gap.at(n);
  return {.distance = at.value,
          .normal = n,
          .point_a = pose_a.position - at.a.point,
          .point_b = pose_b.position + at.b.point,
          .residual = (at.gradient - at.value * n).norm()};
}

}  // namespace carom
