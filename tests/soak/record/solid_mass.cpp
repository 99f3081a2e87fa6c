#include "soak/record/solid_mass.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom::soak {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

SolidMass with_moments(double volume, const Vector3d& moments) {
  return {volume, Vector3d::Zero(), Matrix3d(moments.asDiagonal())};
}

/// The corners that lie in a plane, around it; empty where there are corners on both sides of it.
std::vector<Vector3d> face_of(const std::vector<Vector3d>& corners, const Vector3d& point, const Vector3d& normal,
                              double room) {
  std::vector<Vector3d> face;
  Vector3d middle = Vector3d::Zero();
  for (const Vector3d& corner : corners) {
    const double height = normal.dot(corner - point);
    if (height > room) return {};
    if (height < -room) continue;
    face.push_back(corner);
    middle += corner;
  }
  middle /= static_cast<double>(face.size());
  const Vector3d along = (face.front() - middle).normalized(), across = normal.cross(along);
  const auto angle = [&](const Vector3d& corner) {
    return std::atan2(across.dot(corner - middle), along.dot(corner - middle));
  };
  std::sort(face.begin(), face.end(),
            [&](const Vector3d& one, const Vector3d& other) { return angle(one) < angle(other); });
  return face;
}

/// Sums over tetrahedra from the first corner to the triangles of all faces; a face is found from each three of its
/// corners, and is counted where they are its first three in the order of the corners.
SolidMass of_hull(const std::vector<Vector3d>& corners, double reach) {
  const double room = 1e-10 * reach;
  const Vector3d apex = corners.front();
  double volume = 0.0;
  Vector3d moment = Vector3d::Zero();
  Matrix3d square = Matrix3d::Zero();  // ∫ x xᵀ from the apex
  const auto add = [&](const Vector3d& a, const Vector3d& b, const Vector3d& c) {
    const double part = std::abs(a.dot(b.cross(c))) / 6.0;
    const Vector3d sum = a + b + c;
    volume += part;
    moment += part / 4.0 * sum;
    square += part / 20.0 * (sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  };
  const std::size_t count = corners.size();
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i + 1; j < count; ++j)
      for (std::size_t k = j + 1; k < count; ++k) {
        const Vector3d area = (corners[j] - corners[i]).cross(corners[k] - corners[i]);
        if (area.norm() <= room * reach) continue;
        for (const double side : {1.0, -1.0}) {
          const Vector3d normal = side * area.normalized();
          const auto in_it = [&](std::size_t other) {
            return std::abs(normal.dot(corners[other] - corners[i])) <= room;
          };
          bool first = true;
          for (std::size_t other = 0; other < k && first; ++other) first = other == i || other == j || !in_it(other);
          if (!first) continue;
          const std::vector<Vector3d> face = face_of(corners, corners[i], normal, room);
          for (std::size_t n = 2; n < face.size(); ++n) add(face[0] - apex, face[n - 1] - apex, face[n] - apex);
        }
      }
  const Vector3d arm = moment / volume;
  const Matrix3d about = square / volume - arm * arm.transpose();
  return {volume, apex + arm, about.trace() * Matrix3d::Identity() - about};
}

/// In the solid's own coordinates.
SolidMass own_mass(const Solid& solid) {
  const Vector3d squares = solid.sizes.cwiseAbs2();
  const Vector3d across(squares.y() + squares.z(), squares.z() + squares.x(), squares.x() + squares.y());
  const double radius = solid.sizes.x(), half = solid.sizes.z();
  switch (solid.kind) {
    case Solid::Kind::sphere:
    case Solid::Kind::ellipsoid: return with_moments(4.0 / 3.0 * pi * solid.sizes.prod(), across / 5.0);
    case Solid::Kind::box: return with_moments(8.0 * solid.sizes.prod(), across / 3.0);
    case Solid::Kind::cylinder: {
      const double side = radius * radius / 4.0 + half * half / 3.0;
      return with_moments(2.0 * pi * radius * radius * half, {side, side, radius * radius / 2.0});
    }
    case Solid::Kind::capsule: {
      const double tube = 2.0 * pi * radius * radius * half, caps = 4.0 / 3.0 * pi * radius * radius * radius;
      const double along = tube * radius * radius / 2.0 + caps * 0.4 * radius * radius;
      // A half sphere has its centroid 3/8 radius from its flat face.
      const double side = tube * (radius * radius / 4.0 + half * half / 3.0) +
                          caps * (0.4 * radius * radius + half * half + 0.75 * half * radius);
      return with_moments(tube + caps, Vector3d(side, side, along) / (tube + caps));
    }
    case Solid::Kind::cone: {
      const double height = solid.sizes.z(), side = 0.15 * radius * radius + 0.0375 * height * height;
      return with_moments(pi / 3.0 * radius * radius * height, {side, side, 0.3 * radius * radius});
    }
    case Solid::Kind::half_cylinder: {
      const double off = half_disc_centroid(radius), along = half * half / 3.0, side = radius * radius / 4.0;
      return with_moments(pi * radius * radius * half,
                          {side + along - off * off, side + along, 2.0 * side - off * off});
    }
    case Solid::Kind::hull: break;
  }
  return of_hull(solid.corners, solid.reach());
}

}  // namespace

SolidMass homogeneous(const Solid& solid) {
  SolidMass mass = own_mass(solid);
  const Matrix3d turn = solid.turn.toRotationMatrix();
  mass.centroid = solid.offset + turn * mass.centroid;
  mass.inertia = turn * mass.inertia * turn.transpose();
  return mass;
}

Vector3d origin_of(const Solid& solid) {
  if (solid.kind == Solid::Kind::cone) return 0.25 * solid.sizes.z() * Vector3d::UnitZ();
  if (solid.kind == Solid::Kind::half_cylinder) return -half_disc_centroid(solid.sizes.x()) * Vector3d::UnitY();
  return Vector3d::Zero();
}

Matrix3d unit_inertia_of_point(const Vector3d& point) {
  return point.squaredNorm() * Matrix3d::Identity() - point * point.transpose();
}

}  // namespace carom::soak
