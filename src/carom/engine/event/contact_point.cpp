#include "carom/engine/event/contact_point.h"

#include <cmath>

namespace carom::event {

namespace {

/// Two directions are the same face's when their cosine is this close to 1.
constexpr double kFaceAlignment = 1e-12;

bool has_faces(const Shape& shape) {
  const ShapeKind kind = shape_kind(shape);
  return kind == ShapeKind::box || kind == ShapeKind::prism || kind == ShapeKind::cylinder;
}

/// Whether `direction` (frame of the shape) is the outward normal of one of its flat faces.
bool is_face_normal(const Shape& shape, const Vector3d& direction) {
  switch (shape_kind(shape)) {
    case ShapeKind::half_space: return true;
    case ShapeKind::box: return 1.0 - direction.cwiseAbs().maxCoeff() < kFaceAlignment;
    case ShapeKind::cylinder: return 1.0 - std::abs(direction.z()) < kFaceAlignment;
    case ShapeKind::prism: {
      if (1.0 - std::abs(direction.z()) < kFaceAlignment) return true;
      const Prism& prism = std::get<Prism>(shape);
      const Eigen::Vector2d flat = direction.head<2>();
      for (std::size_t k = 0; k < 3; ++k) {
        const Eigen::Vector2d edge = (prism.vertices[(k + 1) % 3] - prism.vertices[k]).normalized();
        if (std::abs(direction.z()) < 1e-6 && std::abs(flat.dot(edge)) < 1e-6) return true;
      }
      return false;
    }
    default: return false;
  }
}

void recognise(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, int points,
               ContactPoint& contact) {
  if (!has_faces(a)) return;
  const Vector3d in_b = pose_b.orientation.conjugate() * contact.normal;
  const Vector3d in_a = pose_a.orientation.conjugate() * contact.normal;
  if (shape_kind(a) == ShapeKind::cylinder) {
    if (shape_kind(b) != ShapeKind::half_space) return;
    const Vector3d local = pose_a.to_local(contact.point_a);
    const bool standing = points > 2 || is_face_normal(a, -in_a);
    if (!standing) {
      contact.feature = Feature::rim;
      contact.rim_end = local.z() >= 0.0 ? 1.0 : -1.0;
      return;
    }
  } else if (!has_faces(b) && shape_kind(b) != ShapeKind::half_space) {
    return;
  }
  if (is_face_normal(b, in_b)) {
    contact.feature = Feature::point_on_face;
    contact.local_point = pose_a.to_local(contact.point_a);
    contact.local_normal = in_b;
    contact.local_anchor = pose_b.to_local(contact.point_b);
  } else if (is_face_normal(a, -in_a)) {
    contact.feature = Feature::face_on_point;
    contact.local_point = pose_b.to_local(contact.point_b);
    contact.local_normal = in_a;
    contact.local_anchor = pose_a.to_local(contact.point_a);
  }
}

}  // namespace

void closed_contacts(const PairFunction& pair, const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                     double tolerance, std::vector<ContactPoint>& closed) {
  const TouchingPoints points = pair.touching(a, pose_a, b, pose_b, tolerance);
  for (const TouchingPoint& touching : points) {
    if (touching.distance > tolerance) continue;
    ContactPoint contact;
    contact.point_a = touching.point_a;
    contact.point_b = touching.point_b;
    contact.normal = points.normal();
    contact.gap = touching.distance;
    recognise(a, pose_a, b, pose_b, points.size(), contact);
    closed.push_back(contact);
  }
}

ContactPoint followed(const ContactPoint& contact, const PairFunction& pair, const Shape& a, const Pose& pose_a,
                      const Shape& b, const Pose& pose_b) {
  ContactPoint next = contact;
  switch (contact.feature) {
    case Feature::nearest: {
      const Proximity near = pair.proximity(a, pose_a, b, pose_b);
      next.point_a = near.point_a;
      next.point_b = near.point_b;
      next.normal = near.normal;
      next.gap = near.distance;
      break;
    }
    case Feature::point_on_face:
      next.normal = pose_b.orientation * contact.local_normal;
      next.point_a = pose_a.to_world(contact.local_point);
      next.gap = next.normal.dot(next.point_a - pose_b.to_world(contact.local_anchor));
      next.point_b = next.point_a - next.gap * next.normal;
      break;
    case Feature::face_on_point:
      next.normal = pose_a.orientation * contact.local_normal;
      next.point_b = pose_b.to_world(contact.local_point);
      next.gap = next.normal.dot(pose_a.to_world(contact.local_anchor) - next.point_b);
      next.point_a = next.point_b + next.gap * next.normal;
      break;
    case Feature::rim: {
      const Cylinder& cylinder = std::get<Cylinder>(a);
      next.normal = half_space_normal(pose_b);
      const Vector3d down = pose_a.orientation.conjugate() * Vector3d(-next.normal);
      const double across = std::hypot(down.x(), down.y());
      Vector3d local(0.0, 0.0, contact.rim_end * cylinder.half_length);
      if (across > 0.0) local.head<2>() = down.head<2>() * (cylinder.radius / across);
      next.point_a = pose_a.to_world(local);
      next.gap = next.normal.dot(next.point_a - pose_b.position);
      next.point_b = next.point_a - next.gap * next.normal;
      break;
    }
  }
  return next;
}

std::array<Vector3d, 2> tangents_of(const Vector3d& normal) {
  int smallest = 0;
  normal.cwiseAbs().minCoeff(&smallest);
  const Vector3d first = normal.cross(Vector3d::Unit(smallest)).normalized();
  return {first, normal.cross(first)};
}

}  // namespace carom::event
