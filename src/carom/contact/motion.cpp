#include "carom/contact/motion.h"

#include <algorithm>
#include <cmath>

#include "carom/mechanics/attitude.h"

namespace carom::contact {

namespace {

/// ½ω q of a vector ω and a quaternion q.
Eigen::Vector4d half_product(const Vector3d& omega, const Eigen::Vector4d& q) {
  Eigen::Vector4d product;
  product[0] = -0.5 * omega.dot(q.tail<3>());
  product.tail<3>() = 0.5 * (q[0] * omega + omega.cross(q.tail<3>()));
  return product;
}

/// q̇ = ½(ω + αt)q by its Taylor series q = Σ c_j h^j, (j+1) c_{j+1} = ½(ω c_j + α c_{j−1}), up to round-off.
Eigen::Vector4d taylor_step(const Eigen::Vector4d& first, const Vector3d& omega, const Vector3d& rate, double h) {
  constexpr double kNegligible = 1e-18;
  constexpr int kMostTerms = 60;
  const Vector3d turn = h * omega, more = h * h * rate;
  Eigen::Vector4d sum = first, before = Eigen::Vector4d::Zero(), term = first;
  for (int j = 0; j < kMostTerms; ++j) {
    const Eigen::Vector4d next = (half_product(turn, term) + half_product(more, before)) / (j + 1.0);
    before = term;
    term = next;
    sum += term;
    if (term.squaredNorm() + before.squaredNorm() < kNegligible * kNegligible) break;
  }
  return sum;
}

}  // namespace

Quaterniond accelerated_attitude(const Quaterniond& first, const Vector3d& spin, const Vector3d& rate, double tau) {
  const Vector3d bend = spin.cross(rate);
  if (bend.squaredNorm() <= 1e-28 * spin.squaredNorm() * rate.squaredNorm()) {
    return rotation_by(tau * (spin + (0.5 * tau) * rate)) * first;
  }
  // Steps of at most four radians, so that no term of the series is large.
  const double fastest = spin.norm() + rate.norm() * std::abs(tau);
  const double parts = std::clamp(std::ceil(0.25 * fastest * std::abs(tau)), 1.0, 1e6);
  const double h = tau / parts;
  Eigen::Vector4d attitude(first.w(), first.x(), first.y(), first.z());
  for (int k = 0; k < static_cast<int>(parts); ++k) attitude = taylor_step(attitude, spin + (k * h) * rate, rate, h);
  attitude.normalize();
  return Quaterniond(attitude[0], attitude[1], attitude[2], attitude[3]);
}

BodyState Motion::after(double tau) const {
  if (!in_closed_form()) return integrated->after(tau);
  BodyState state;
  state.position = position + tau * (velocity + (0.5 * tau) * acceleration);
  state.velocity = velocity + tau * acceleration;
  switch (turning) {
    case Turning::uniform:
      state.orientation = rotation_by(tau * spin) * attitude;
      state.angular_velocity = spin;
      break;
    case Turning::accelerated:
      state.orientation = accelerated_attitude(attitude, spin, spin_rate, tau);
      state.angular_velocity = spin + tau * spin_rate;
      break;
    case Turning::free: {
      const RotationState turned = rotation->at(tau);
      state.orientation = turned.attitude * principal_axes.conjugate();
      state.angular_velocity = turned.attitude * turned.angular_velocity;
      break;
    }
    case Turning::fixed:
    case Turning::integrated:
    case Turning::driven: state.orientation = attitude; break;
  }
  return state;
}

}  // namespace carom::contact
