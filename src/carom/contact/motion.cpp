#include "carom/contact/motion.h"

#include <algorithm>
#include <cmath>

#include "carom/mechanics/attitude.h"

namespace carom::contact {

Quaterniond accelerated_attitude(const Quaterniond& first, const Vector3d& spin, const Vector3d& rate, double tau) {
  const Vector3d bend = spin.cross(rate);
  if (bend.squaredNorm() <= 1e-28 * spin.squaredNorm() * rate.squaredNorm()) {
    return rotation_by(tau * (spin + (0.5 * tau) * rate)) * first;
  }
  // Magnus to fourth order over a part h: Ω = hω(mid) + (h³/12) α × ω(mid); the error of a part is below
  // h⁵|ω|²|ω × α|/100.
  const double fastest = spin.norm() + rate.norm() * std::abs(tau);
  const double local = std::pow(std::abs(tau), 5) * fastest * fastest * bend.norm() / 100.0;
  const double parts = std::clamp(std::ceil(std::pow(local / 1e-16, 0.25)), 1.0, 20000.0);
  const double h = tau / parts;
  Quaterniond attitude = first;
  for (int k = 0; k < static_cast<int>(parts); ++k) {
    const Vector3d middle = spin + ((k + 0.5) * h) * rate;
    attitude = rotation_by(h * middle + (h * h * h / 12.0) * rate.cross(middle)) * attitude;
  }
  return attitude.normalized();
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
