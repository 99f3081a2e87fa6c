#include "carom/mechanics/framed_body.h"

#include "carom/base/assert.h"
#include "carom/geometry/mass_properties.h"
#include "carom/geometry/principal_axes.h"

namespace carom {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Of a body frame given by its parts: moves the origin of the frame, which nothing else knows of.
void move_origin(Body& body, const Vector3d& origin) {
  if (origin.isZero(0.0)) return;
  for (Part& part : body.parts) part.placement.position -= origin;
}

Matrix3d tensor_of(const Body& body) {
  const Matrix3d turn = body.principal_axes.toRotationMatrix();
  return turn * body.inertia.asDiagonal() * turn.transpose();
}

}  // namespace

FramedBody framed_body(std::string name, const Shape& shape, double mass) {
  FramedBody framed{homogeneous_body(std::move(name), shape, mass)};
  framed.centre = -framed.body.parts.front().placement.position;
  return framed;
}

FramedBody compound_body(std::string name, const Parts& parts, std::span<const double> masses) {
  CAROM_ASSERT(!parts.empty() && parts.size() == masses.size());
  std::vector<Body> bodies;
  std::vector<Vector3d> centroids;
  FramedBody framed;
  framed.body.parts = parts;
  framed.body.mass = 0.0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    bodies.push_back(homogeneous_body(name, parts[i].shape, masses[i]));
    centroids.push_back(parts[i].placement.to_world(mass_properties(parts[i].shape).centroid));
    framed.body.mass += masses[i];
    framed.centre += masses[i] * centroids[i];
  }
  framed.centre /= framed.body.mass;
  Matrix3d inertia = Matrix3d::Zero();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Matrix3d turn = parts[i].placement.rotation();
    const Vector3d off = centroids[i] - framed.centre;
    inertia += turn * tensor_of(bodies[i]) * turn.transpose();
    inertia += masses[i] * (off.squaredNorm() * Matrix3d::Identity() - off * off.transpose());
  }
  framed.body.name = std::move(name);
  set_inertia(framed.body, inertia);
  move_origin(framed.body, framed.centre);
  return framed;
}

void move_centre(FramedBody& framed, const Vector3d& centre) {
  move_origin(framed.body, centre - framed.centre);
  framed.centre = centre;
}

void set_inertia(Body& body, const Matrix3d& inertia) {
  const PrincipalAxes axes = principal_axes(inertia);
  body.inertia = axes.values;
  body.principal_axes = axes.turn;
}

}  // namespace carom
