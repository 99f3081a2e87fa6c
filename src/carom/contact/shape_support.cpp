#include "carom/contact/shape_support.h"

namespace carom::contact {

SupportBound::SupportBound(const Shape& shape, const TurningDirection& seen) : shape_(&shape), seen_(seen) {
  const double w2 = seen.max_spin * seen.max_spin;
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
    value_ = linear_at(seen.direction);
    const Capsule* capsule = std::get_if<Capsule>(&shape);
    const double arm = capsule != nullptr ? capsule->half_length : bounding_radius(shape);
    curvature_ = (w2 + seen.max_spin_rate) * arm;
  }
}

}  // namespace carom::contact
