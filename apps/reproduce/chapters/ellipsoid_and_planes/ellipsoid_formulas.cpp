#include "reproduce/chapters/ellipsoid_and_planes/ellipsoid_formulas.h"

#include <Eigen/Geometry>

namespace carom::reproduce {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

Matrix3d cross_matrix(const Vector3d& v) {
  Matrix3d matrix;
  matrix << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return matrix;
}

Matrix3d turn(double angle, const Vector3d& axis) {
  return AngleAxisd(angle, axis).toRotationMatrix();
}

}  // namespace

Vector3d paper_inertia(double mass, const Vector3d& semi_axes) {
  const Vector3d squares = semi_axes.cwiseAbs2();
  return mass / 5.0 * Vector3d(squares.y() + squares.z(), squares.z() + squares.x(), squares.x() + squares.y());
}

Matrix3d paper_rotation(const BryanAngles& angles) {
  return turn(angles.psi, Vector3d::UnitX()) * turn(angles.theta, Vector3d::UnitY()) *
         turn(angles.phi, Vector3d::UnitZ());
}

Matrix3d paper_rate_matrix(const BryanAngles& angles, Reading reading) {
  const Matrix3d theta = turn(angles.theta, Vector3d::UnitY()).transpose();
  const Matrix3d phi = turn(angles.phi, Vector3d::UnitZ()).transpose();
  if (reading == Reading::printed) return phi * theta;
  Matrix3d matrix;
  matrix << phi * theta * Vector3d::UnitX(), phi * Vector3d::UnitY(), Vector3d::UnitZ();
  return matrix;
}

Matrix3d paper_spin_matrix(const Vector3d& spin, Reading reading) {
  Matrix3d matrix = cross_matrix(spin);
  if (reading == Reading::printed) matrix(1, 2) = -spin.z();
  return matrix;
}

Vector3d paper_point_velocity(const Matrix3d& rotation, const Vector3d& point, const Vector3d& spin, Reading reading) {
  const Vector3d in_body = cross_matrix(point).transpose() * spin;
  return reading == Reading::printed ? in_body : rotation * in_body;
}

Vector3d paper_contact_point(const Vector3d& semi_axes, const Vector3d& row) {
  const double multiplier = 0.5 * semi_axes.cwiseProduct(row).norm();
  return -semi_axes.cwiseAbs2().cwiseProduct(row) / (2.0 * multiplier);
}

double paper_height(const Vector3d& semi_axes, const Vector3d& row, Reading reading) {
  const double root = semi_axes.cwiseProduct(row).norm();
  return reading == Reading::printed ? semi_axes.cwiseAbs2().dot(row) / root : root;
}

Vector3d paper_gradient(const Matrix3d& rotation, const PaperPlane& plane, Reading reading) {
  if (reading == Reading::printed) return rotation * plane.normal;
  return rotation.transpose() * plane.normal;
}

Matrix3d paper_oblique_system(const Vector3d& semi_axes, const Matrix3d& rotation, const PaperPlane& plane,
                              double multiplier, Reading reading) {
  const Vector3d gradient = paper_gradient(rotation, plane, reading);
  const Vector3d normal = rotation.transpose() * plane.normal;
  Matrix3d matrix = Vector3d::Ones() * normal.transpose();
  for (int i = 0; i < 3; ++i)
    matrix(i, i) += multiplier * plane.normal.squaredNorm() / (semi_axes[i] * semi_axes[i] * gradient[i]);
  return matrix;
}

double paper_inertance(double mass, const Vector3d& inertia, const Vector3d& lever) {
  return 1.0 / mass + lever.dot(lever.cwiseQuotient(inertia));
}

Vector paper_velocity_after(const ImpactProblem& problem, Reading reading) {
  const double sign = reading == Reading::printed ? 1.0 : -1.0;
  const Vector inverse = problem.metric.diagonal().cwiseInverse();
  Vector velocity = problem.velocity;
  for (const Contact& contact : problem.contacts) {
    const double rate = contact.normal.dot(problem.velocity);
    if (rate >= 0.0) continue;
    const Vector response = inverse.cwiseProduct(contact.normal);
    velocity += sign * (1.0 + problem.restitution_of(contact)) * rate / contact.normal.dot(response) * response;
  }
  return velocity;
}

}  // namespace carom::reproduce
