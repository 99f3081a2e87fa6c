#include "carom/mechanics/free_rotation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/error.h"

namespace carom {

namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

/// Two inertias are equal when they differ by no more than this part: as much as their own rounding may amount to.
constexpr double kEqualInertia = 4.0 * std::numeric_limits<double>::epsilon();
/// Parts of the angular momentum whose squares leave the range of double.
constexpr double kNoWobble = 1e-150;
/// Lifts a maximum above rounding.
constexpr double kAbove = 1.0 + 1e-14;

bool equal_inertia(double a, double b) {
  return std::abs(a - b) <= kEqualInertia * std::max(a, b);
}

void check(const Vector3d& inertia, const RotationState& initial) {
  if (!inertia.allFinite() || !initial.angular_velocity.allFinite() || !initial.attitude.coeffs().allFinite())
    throw InputError{carom::Kind::not_finite, "inertia", "inertia, attitude and angular velocity must be finite"};
  if (!(inertia.minCoeff() > 0.0)) {
    throw InputError{
        carom::Kind::out_of_range, "inertia",
        fmt::format("principal inertias ({}, {}, {}) must be positive", inertia.x(), inertia.y(), inertia.z())};
  }
}

/// J⁻¹(Jω × ω), by differences of inertias: no cancellation for nearly equal ones.
Vector3d angular_acceleration(const Vector3d& J, const Vector3d& w) {
  return {(J[1] - J[2]) / J[0] * w[1] * w[2], (J[2] - J[0]) / J[1] * w[2] * w[0], (J[0] - J[1]) / J[2] * w[0] * w[1]};
}

/// The largest value of a + b s + c s² for 0 ≤ s ≤ 1.
double largest_on_unit_interval(double a, double b, double c) {
  double largest = std::max(a, a + b + c);
  if (c < 0.0 && b > 0.0 && b < -2.0 * c) largest = std::max(largest, a - b * b / (4.0 * c));
  return largest;
}

}  // namespace

FreeRotation::FreeRotation(const Vector3d& inertia, const RotationState& initial) {
  check(inertia, initial);
  const RotationState start{initial.attitude.normalized(), initial.angular_velocity};
  const Vector3d momentum = inertia.cwiseProduct(start.angular_velocity);
  momentum_ = start.attitude * momentum;
  energy_ = 0.5 * momentum.dot(start.angular_velocity);
  first_spin_ = start.angular_velocity;

  const bool equal_yz = equal_inertia(inertia.y(), inertia.z());
  const bool equal_zx = equal_inertia(inertia.z(), inertia.x());
  const bool equal_xy = equal_inertia(inertia.x(), inertia.y());
  if (int{equal_yz} + int{equal_zx} + int{equal_xy} >= 2) {
    prepare_uniform(start);
  } else if (equal_yz || equal_zx || equal_xy) {
    prepare_spheroid(inertia, start, equal_yz ? 0 : (equal_zx ? 1 : 2));
  } else {
    prepare_asymmetric(inertia, start);
  }
}

void FreeRotation::prepare_uniform(const RotationState& initial) {
  kind_ = Kind::uniform;
  start_ = initial.attitude;
  rate_ = initial.angular_velocity.stableNorm();
  if (rate_ > 0.0) axis_ = initial.attitude * (initial.angular_velocity / rate_);
  max_speed_ = rate_ * kAbove;
  max_acceleration_ = 0.0;
}

void FreeRotation::prepare_spheroid(const Vector3d& inertia, const RotationState& initial, int axis) {
  const double transverse = 0.5 * (inertia[(axis + 1) % 3] + inertia[(axis + 2) % 3]);
  const double size = inertia.cwiseProduct(initial.angular_velocity).stableNorm();
  if (size == 0.0) return prepare_uniform(initial);
  kind_ = Kind::spheroid;
  start_ = initial.attitude;
  symmetry_axis_ = axis;
  axis_ = momentum_ / size;
  rate_ = size / transverse;
  spin_ = initial.angular_velocity[axis] * ((transverse - inertia[axis]) / transverse);
  max_speed_ = initial.angular_velocity.stableNorm() * kAbove;
  max_acceleration_ = angular_acceleration(inertia, initial.angular_velocity).stableNorm() * kAbove;
}

void FreeRotation::prepare_asymmetric(const Vector3d& inertia, const RotationState& initial) {
  const Vector3d momentum = inertia.cwiseProduct(initial.angular_velocity);
  const double size = momentum.stableNorm();
  if (size == 0.0) return prepare_uniform(initial);
  const Vector3d direction = momentum / size;

  // Rename the axes: 2 the middle inertia, 3 the axis that the angular momentum circles.
  std::array<int, 3> order{0, 1, 2};
  std::sort(order.begin(), order.end(), [&](int a, int b) { return inertia[a] < inertia[b]; });
  const double low = inertia[order[0]];
  const double middle = inertia[order[1]];
  const double high = inertia[order[2]];
  const double ratio = (low / high) * ((high - middle) / (middle - low));
  const bool about_low = std::abs(direction[order[0]]) >= std::sqrt(ratio) * std::abs(direction[order[2]]);
  index_ = about_low ? std::array<int, 3>{order[2], order[1], order[0]} : order;
  const Vector3d I(inertia[index_[0]], inertia[index_[1]], inertia[index_[2]]);
  const double nu = (I[2] / I[0]) * (std::abs(I[0] - I[1]) / std::abs(I[1] - I[2]));
  sense_ = about_low ? -1.0 : 1.0;

  // … with signs such that m₁, m₃ ≥ 0 and the renamed axes are right-handed.
  Vector3d sign(direction[index_[0]] < 0.0 ? -1.0 : 1.0, 0.0, direction[index_[2]] < 0.0 ? -1.0 : 1.0);
  const bool cyclic = index_[0] == (index_[2] + 1) % 3;
  sign[1] = sign[0] * sign[2] * (cyclic ? 1.0 : -1.0);
  Vector3d m;
  Eigen::Matrix3d rename = Eigen::Matrix3d::Zero();
  for (int k = 0; k < 3; ++k) {
    m[k] = sign[k] * direction[index_[k]];
    rename(k, index_[k]) = sign[k];
    spin_factor_[k] = sign[k] * size / I[k];
  }
  if ((m[0] <= kNoWobble && std::abs(m[1]) <= kNoWobble) || (m[0] <= kNoWobble && m[2] <= kNoWobble))
    return prepare_uniform(initial);
  kind_ = Kind::asymmetric;
  rename_ = Quaterniond(rename);

  const double d12 = std::abs(I[0] - I[1]);
  const double d23 = std::abs(I[1] - I[2]);
  const double d31 = std::abs(I[2] - I[0]);
  const double alpha = std::hypot(m[0], m[1] * std::sqrt((I[0] / I[1]) * (d23 / d31)));
  const double gamma = std::hypot(m[2], m[1] * std::sqrt((I[2] / I[1]) * (d12 / d31)));
  const double beta = sense_ * alpha * std::sqrt(1.0 + nu);
  amplitude_ = {alpha, beta, gamma};
  frequency_ = size * gamma / I[2] * std::sqrt((d31 / I[0]) * (d23 / I[1]));

  const double root_nu = std::sqrt(nu);
  const double parameter = std::min(1.0, nu * (alpha / gamma) * (alpha / gamma));
  const double complement = ((m[2] - root_nu * m[0]) / gamma) * ((m[2] + root_nu * m[0]) / gamma);
  jacobi_ = elliptic::JacobiFunctions({parameter, std::clamp(complement, 0.0, 1.0)});
  precession_ = elliptic::ThirdKindAngle(jacobi_, nu);
  phase_ = elliptic::first_kind({m[1] / beta, m[0] / alpha}, jacobi_.parameter());
  rate_ = size / I[0] - sense_ * frequency_ * precession_.slope();

  start_ = Quaterniond::Identity();
  start_ = (initial.attitude * asymmetric_at(0.0).attitude.conjugate()).normalized();
  bound_asymmetric(I);
}

void FreeRotation::bound_asymmetric(const Vector3d& renamed_inertia) {
  // ω₁² = p₁(1 − s), ω₂² = p₂ s, ω₃² = p₃(1 − m s), s = sn².
  const Vector3d& I = renamed_inertia;
  const Vector3d largest = amplitude_.cwiseProduct(spin_factor_);
  const double unit = largest.lpNorm<Eigen::Infinity>();  // keeps the squares within the range of double
  const Vector3d p = (largest / unit).cwiseAbs2();
  const double m = jacobi_.parameter().m;
  const double speed2 = largest_on_unit_interval(p[0] + p[2], p[1] - p[0] - m * p[2], 0.0);
  max_speed_ = unit * std::sqrt(speed2) * kAbove;
  // |ω̇|² = k₁² ω₂²ω₃² + k₂² ω₃²ω₁² + k₃² ω₁²ω₂², k₁ = (I₂ − I₃)/I₁ and so on.
  const Vector3d k((I[1] - I[2]) / I[0], (I[2] - I[0]) / I[1], (I[0] - I[1]) / I[2]);
  const double c1 = k[0] * k[0] * p[1] * p[2];
  const double c2 = k[1] * k[1] * p[2] * p[0];
  const double c3 = k[2] * k[2] * p[0] * p[1];
  const double acceleration2 = largest_on_unit_interval(c2, c1 - (1.0 + m) * c2 + c3, -m * c1 + m * c2 - c3);
  max_acceleration_ = unit * unit * std::sqrt(acceleration2) * kAbove;
}

RotationState FreeRotation::asymmetric_at(double t) const {
  const auto spot = jacobi_.locate(frequency_ * t + phase_);
  const auto values = jacobi_.reduced(spot);
  const double m1 = spot.sign * amplitude_[0] * values.cn;
  const double m2 = spot.sign * amplitude_[1] * values.sn;
  const double m3 = amplitude_[2] * values.dn;

  // Rz(Ψ): half of Ψ = rate·t − sense·(step·j − arg Y), the half of arg Y without a trigonometric function.
  const double half = 0.5 * (rate_ * t - sense_ * precession_.step() * spot.quarter);
  const double c = std::cos(half);
  const double s = std::sin(half);
  const auto y = precession_.bounded(spot, values);
  const double real = y.real + std::sqrt(y.real * y.real + y.imaginary * y.imaginary);
  const double imaginary = sense_ * y.imaginary;
  const double w = c * real - s * imaginary;
  const double z = c * imaginary + s * real;

  // Rz(Ψ) P with P ∝ (1 + m₃, m₂, −m₁, 0).
  const Quaterniond turned(w * (1.0 + m3), w * m2 + z * m1, z * m2 - w * m1, z * (1.0 + m3));
  RotationState state;
  state.attitude = (start_ * turned * rename_).normalized();
  state.angular_velocity[index_[0]] = spin_factor_[0] * m1;
  state.angular_velocity[index_[1]] = spin_factor_[1] * m2;
  state.angular_velocity[index_[2]] = spin_factor_[2] * m3;
  return state;
}

RotationState FreeRotation::at(double t) const {
  if (kind_ == Kind::asymmetric) return asymmetric_at(t);
  const double half = 0.5 * rate_ * t;
  const Vector3d turn = std::sin(half) * axis_;
  RotationState state{Quaterniond(std::cos(half), turn.x(), turn.y(), turn.z()) * start_, first_spin_};
  if (kind_ == Kind::uniform) return state;

  const int a = (symmetry_axis_ + 1) % 3;
  const int b = (symmetry_axis_ + 2) % 3;
  const double c = std::cos(0.5 * spin_ * t);
  const double s = std::sin(0.5 * spin_ * t);
  Vector3d own = Vector3d::Zero();
  own[symmetry_axis_] = s;
  state.attitude = state.attitude * Quaterniond(c, own.x(), own.y(), own.z());
  // In the body the transverse spin turns the other way round.
  const double cosine = c * c - s * s;
  const double sine = 2.0 * s * c;
  state.angular_velocity[a] = cosine * first_spin_[a] + sine * first_spin_[b];
  state.angular_velocity[b] = cosine * first_spin_[b] - sine * first_spin_[a];
  return state;
}

}  // namespace carom
