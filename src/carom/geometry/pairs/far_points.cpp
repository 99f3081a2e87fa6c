#include "carom/geometry/pairs/far_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "carom/base/assert.h"
#include "carom/geometry/polyhedron.h"

namespace carom {

namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kFullTurn = 2.0 * std::numbers::pi;
constexpr int kSamples = 32;  // of an arc: a wave of degree two has no more than two maxima
constexpr int kMostSteps = 100;

/// ½ df/dθ = B cos θ + C sin θ + D cos 2θ + E sin 2θ of a squared distance f.
struct SquareOnCircle {
  double b, c, d, e;
  [[nodiscard]] double slope(double angle) const {
    return b * std::cos(angle) + c * std::sin(angle) + d * std::cos(2.0 * angle) + e * std::sin(2.0 * angle);
  }
};

/// The zero of a falling function between two angles, by bisection to round-off.
double falling_zero(const SquareOnCircle& square, double low, double high) {
  for (int count = 0; count < kMostSteps; ++count) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (square.slope(middle) > 0.0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// w with Σ (w_i/s_i)² = 1 and |c + w| largest; the axes' squares are given. Along an axis without any offset: +.
template <int n>
Eigen::Matrix<double, n, 1> farthest_on_ellipsoid(const Eigen::Matrix<double, n, 1>& squares,
                                                  const Eigen::Matrix<double, n, 1>& c) {
  using Vector = Eigen::Matrix<double, n, 1>;
  int longest = 0;
  const double most = squares.maxCoeff(&longest);
  const Vector weight = c.cwiseAbs2().cwiseProduct(squares);
  const auto sum = [&](double mu, int power) {
    double total = 0.0;
    for (int i = 0; i < n; ++i)
      if (weight[i] > 0.0) total += weight[i] / std::pow(mu - squares[i], power);
    return total;
  };
  double mu = most;
  for (int i = 0; i < n; ++i) mu = std::max(mu, squares[i] + std::abs(c[i]) * std::sqrt(squares[i]));
  Vector w = Vector::Zero();
  // Newton on 1/√sum − 1, from below, where it comes near without passing by.
  for (int count = 0; count < kMostSteps; ++count) {
    const double here = sum(mu, 2);
    if (!std::isfinite(here) || !(here > 1.0)) break;
    const double next = mu + here * (std::sqrt(here) - 1.0) / sum(mu, 3);
    if (!(next > mu)) break;
    mu = next;
  }
  double filled = 0.0;
  for (int i = 0; i < n; ++i) {
    if (weight[i] > 0.0 && mu > squares[i]) w[i] = c[i] * squares[i] / (mu - squares[i]);
    filled += w[i] * w[i] / squares[i];
  }
  if (weight[longest] > 0.0 && filled > 0.0) return w / std::sqrt(filled);
  // Nothing along the longest axis: what the others leave over.
  w[longest] = std::sqrt(squares[longest] * std::max(0.0, 1.0 - filled));
  return w;
}

}  // namespace

void FarPoints::add(const Vector3d& point) {
  CAROM_ASSERT(count_ < static_cast<int>(few_.size()));
  few_[static_cast<std::size_t>(count_++)] = pose_.to_world(point);
}

void FarPoints::add_circle(const Circle& circle) {
  const Matrix3d rotation = pose_.rotation();
  Vector3d centre = pose_.to_world({0.0, 0.0, circle.height});
  Vector3d first = circle.radius * rotation.col(0);
  Vector3d second = circle.radius * rotation.col(1);
  if (middle_ == HollowMiddle::axis) centre.z() = first.z() = second.z() = 0.0;
  const SquareOnCircle square{centre.dot(second), -centre.dot(first), first.dot(second),
                              0.5 * (second.squaredNorm() - first.squaredNorm())};
  const auto point = [&](double angle) {
    add({circle.radius * std::cos(angle), circle.radius * std::sin(angle), circle.height});
  };
  const bool closed = circle.to - circle.from >= kFullTurn;
  const double step = (circle.to - circle.from) / kSamples;
  int found = 0;
  for (int k = 0; k < kSamples; ++k) {
    const double low = circle.from + k * step, high = circle.from + (k + 1) * step;
    const double before = square.slope(low), after = square.slope(high);
    if (!closed && k == 0 && before <= 0.0) {
      point(low);
      ++found;
    }
    if (before > 0.0 && after <= 0.0) {
      point(falling_zero(square, low, high));
      ++found;
    } else if (!closed && k == kSamples - 1 && after > 0.0) {
      point(high);
      ++found;
    }
  }
  if (found == 0) point(circle.from);  // equally far all around
}

void FarPoints::add_ellipsoid(const Ellipsoid& ellipsoid) {
  const Matrix3d rotation = pose_.rotation();
  const Vector3d squares = ellipsoid.semi_axes.cwiseAbs2();
  Vector3d away;
  if (middle_ == HollowMiddle::point) {
    const Vector3d c = rotation.transpose() * pose_.position;
    away = rotation * (c + farthest_on_ellipsoid<3>(squares, c));
  } else {
    const Matrix2d image = (rotation * squares.asDiagonal() * rotation.transpose()).topLeftCorner<2, 2>();
    const double angle = 0.5 * std::atan2(2.0 * image(0, 1), image(0, 0) - image(1, 1));
    Matrix2d axes;
    axes << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
    const Vector2d image_squares = (axes.transpose() * image * axes).diagonal();
    const Vector2d c = axes.transpose() * pose_.position.head<2>();
    const Vector2d flat = axes * (c + farthest_on_ellipsoid<2>(image_squares, c));
    away = {flat.x(), flat.y(), 0.0};
  }
  // The farthest point is where the surface looks straight away from the middle.
  const Vector3d local = rotation.transpose() * away;
  add(squares.cwiseProduct(local) / ellipsoid.semi_axes.cwiseProduct(local).norm());
}

FarPoints::FarPoints(const Shape& shape, const Pose& pose, HollowMiddle middle) : pose_(pose), middle_(middle) {
  struct Adder {
    FarPoints& points;
    void operator()(const Sphere& sphere) const {
      points.radius_ = sphere.radius;
      points.add(Vector3d::Zero());
    }
    void operator()(const Ellipsoid& ellipsoid) const { points.add_ellipsoid(ellipsoid); }
    void operator()(const Box& box) const {
      for (const double x : {-1.0, 1.0})
        for (const double y : {-1.0, 1.0})
          for (const double z : {-1.0, 1.0}) points.add(box.half_sizes.cwiseProduct(Vector3d(x, y, z)));
    }
    void operator()(const Cylinder& cylinder) const {
      for (const double z : {-cylinder.half_length, cylinder.half_length})
        points.add_circle({cylinder.radius, z, 0.0, kFullTurn});
    }
    void operator()(const Prism& prism) const {
      for (const Vector2d& v : prism.vertices)
        for (const double z : {-prism.half_length, prism.half_length}) points.add({v.x(), v.y(), z});
    }
    void operator()(const Capsule& capsule) const {
      points.radius_ = capsule.radius;
      for (const double z : {-capsule.half_length, capsule.half_length}) points.add({0.0, 0.0, z});
    }
    void operator()(const Cone& cone) const {
      points.add_circle({cone.radius, 0.0, 0.0, kFullTurn});
      points.add({0.0, 0.0, cone.height});
    }
    void operator()(const HalfCylinder& half) const {
      for (const double z : {-half.half_length, half.half_length})
        points.add_circle({half.radius, z, std::numbers::pi, kFullTurn});
    }
    void operator()(const Rod& rod) const {
      for (const double z : {-rod.half_length, rod.half_length}) points.add({0.0, 0.0, z});
    }
    void operator()(const Convex& convex) const { points.vertices_ = convex.polyhedron->vertices(); }
    void operator()(const HalfSpace&) const { CAROM_ASSERT(false); }
    void operator()(const Bore&) const { CAROM_ASSERT(false); }
    void operator()(const Shell&) const { CAROM_ASSERT(false); }
  };
  std::visit(Adder{*this}, shape);
}

}  // namespace carom
