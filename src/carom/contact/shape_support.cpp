#include "carom/contact/shape_support.h"

namespace carom::contact {

SupportBound::SupportBound(const Shape& shape, const TurningDirection& turning, const Pose* placement)
    : shape_(&shape), seen_(turning) {
  const TurningDirection& seen = seen_;
  const double w2 = seen.max_spin * seen.max_spin;
  double far = 0.0, offset = 0.0;  // |o| and u₀·o
  if (placement != nullptr) {
    far = placement->position.norm();
    offset = placement->position.dot(turning.direction);
    offset_rate_ = placement->position.dot(turning.direction_rate);
    const Eigen::Quaterniond inverse = placement->orientation.conjugate();
    seen_.direction = inverse * turning.direction;
    seen_.direction_rate = inverse * turning.direction_rate;
  }
  if (const Sphere* sphere = std::get_if<Sphere>(&shape)) {
    value_ = sphere->radius;
  } else if (const Ellipsoid* ellipsoid = std::get_if<Ellipsoid>(&shape)) {
    const Vector3d square = ellipsoid->semi_axes.cwiseAbs2();
    value_ = support(shape, seen.direction);
    rate_ = square.cwiseProduct(seen.direction).dot(seen.direction_rate) / value_;
    const double longest = ellipsoid->semi_axes.maxCoeff();
    const double shortest = ellipsoid->semi_axes.minCoeff();
    curvature_ = w2 * (longest * longest - shortest * shortest) / shortest + seen.max_spin_rate * (longest - shortest);
  } else {
    smooth_ = false;
    value_ = support(shape, seen.direction);
    const Capsule* capsule = std::get_if<Capsule>(&shape);
    const double arm = capsule != nullptr ? capsule->half_length : bounding_radius(shape);
    curvature_ = (w2 + seen.max_spin_rate) * arm;
  }
  if (placement == nullptr) return;
  value_ += offset;
  rate_ += offset_rate_;
  curvature_ += (w2 + seen.max_spin_rate) * far;
}

}  // namespace carom::contact
