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

/// How far a point of the frame lies outside the shape along its own faces, relative to its size: at most zero inside.
double beyond(const Shape& shape, const Vector3d& x) {
  if (const Box* box = std::get_if<Box>(&shape))
    return (x.cwiseAbs() - box->half_sizes).maxCoeff() / box->half_sizes.maxCoeff();
  if (const Cylinder* cylinder = std::get_if<Cylinder>(&shape))
    return std::max(x.head<2>().norm() / cylinder->radius, std::abs(x.z()) / cylinder->half_length) - 1.0;
  if (const Prism* prism = std::get_if<Prism>(&shape)) {
    double most = std::abs(x.z()) / prism->half_length - 1.0;
    const auto& v = prism->vertices;
    const Eigen::Vector2d e1 = v[1] - v[0], e2 = v[2] - v[0];
    const double area = e1.x() * e2.y() - e1.y() * e2.x();
    for (std::size_t k = 0; k < 3; ++k) {  // barycentric coordinates
      const Eigen::Vector2d p = v[(k + 1) % 3] - x.head<2>(), q = v[(k + 2) % 3] - x.head<2>();
      most = std::max(most, -(p.x() * q.y() - p.y() * q.x()) / area);
    }
    return most;
  }
  return -1.0;  // planes have no border
}

/// A vertex of the shape?
bool is_vertex(const Shape& shape, const Vector3d& x) {
  if (const Box* box = std::get_if<Box>(&shape))
    return (x.cwiseAbs() - box->half_sizes).cwiseAbs().maxCoeff() < 1e-9 * box->half_sizes.maxCoeff();
  if (const Prism* prism = std::get_if<Prism>(&shape)) {
    for (const Eigen::Vector2d& v : prism->vertices)
      if ((x.head<2>() - v).norm() < 1e-9 * v.norm()) return true;
    return false;
  }
  return true;  // a cylinder's points are all alike
}

/// The part of a box, prism or cylinder that is nearest to a ball's centre.
void recognise_ball(const Vector3d& centre, const Shape& b, const Pose& pose_b, ContactPoint& contact) {
  const Vector3d p = pose_b.to_local(contact.point_b);
  const Vector3d n = pose_b.orientation.conjugate() * contact.normal;
  contact.local_anchor = p;
  contact.local_normal = n;
  if (const Box* box = std::get_if<Box>(&b)) {
    // Coordinates in which the centre is beyond the box are those that its nearest point is on the border in.
    const Vector3d c = pose_b.to_local(centre);
    int outside = 0, along = 0;
    for (int k = 0; k < 3; ++k) {
      if (std::abs(c[k]) > box->half_sizes[k]) {
        ++outside;
      } else {
        along = k;
      }
    }
    if (outside <= 1) contact.feature = Feature::ball_on_face;
    if (outside == 2) contact.feature = Feature::ball_on_line;
    if (outside == 3) contact.feature = Feature::ball_on_vertex;
    contact.local_point = Vector3d::Unit(along);  // of the edge
    return;
  }
  if (const Cylinder* cylinder = std::get_if<Cylinder>(&b)) {
    const Vector3d c = pose_b.to_local(centre);
    const bool above = std::abs(c.z()) > cylinder->half_length;
    const bool aside = c.head<2>().norm() > cylinder->radius;
    if (above && aside) return;  // the rim is round: the nearest points
    contact.feature = aside ? Feature::ball_on_line : Feature::ball_on_face;
    if (aside) {
      contact.local_anchor = {0.0, 0.0, p.z()};
      contact.local_point = Vector3d::UnitZ();
      contact.thickness = cylinder->radius;
    }
    return;
  }
  const Prism& prism = std::get<Prism>(b);
  const Vector3d c = pose_b.to_local(centre);
  const bool above = std::abs(c.z()) > prism.half_length;
  int corner = -1;
  double nearest = 0.0;
  for (std::size_t k = 0; k < 3; ++k) nearest = std::max(nearest, (prism.vertices[k] - p.head<2>()).norm());
  for (std::size_t k = 0; k < 3; ++k)
    if ((prism.vertices[k] - p.head<2>()).norm() < 1e-12 * nearest) corner = static_cast<int>(k);
  const bool aside = n.head<2>().norm() > 1e-12;
  if (corner >= 0) {
    contact.feature = above ? Feature::ball_on_vertex : Feature::ball_on_line;
    contact.local_point = Vector3d::UnitZ();
  } else if (above && aside) {  // an edge of a face
    contact.feature = Feature::ball_on_line;
    contact.local_point = Vector3d(-n.y(), n.x(), 0.0).normalized();
  } else {
    contact.feature = Feature::ball_on_face;
  }
}

/// The axis along which a point of a box's border can move on its edge, or −1 where it is on a face or a vertex.
int edge_axis(const Box& box, const Vector3d& x) {
  int free = -1, borders = 0;
  for (int k = 0; k < 3; ++k) {
    if (std::abs(std::abs(x[k]) - box.half_sizes[k]) < 1e-7 * box.half_sizes.maxCoeff()) {
      ++borders;
    } else {
      free = k;
    }
  }
  return borders == 2 ? free : -1;
}

/// Crossing edges of two boxes.
void recognise_edges(const Box& a, const Pose& pose_a, const Box& b, const Pose& pose_b, ContactPoint& contact) {
  const Vector3d in_a = pose_a.to_local(contact.point_a);
  const Vector3d in_b = pose_b.to_local(contact.point_b);
  const int along_a = edge_axis(a, in_a);
  const int along_b = edge_axis(b, in_b);
  if (along_a < 0 || along_b < 0) return;
  contact.feature = Feature::edge_on_edge;
  contact.local_point = in_a;
  contact.local_normal = Vector3d::Unit(along_a);
  contact.local_anchor = in_b;
  contact.local_direction = Vector3d::Unit(along_b);
}

void recognise(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, int points,
               ContactPoint& contact) {
  if (shape_kind(a) == ShapeKind::sphere && has_faces(b)) {
    recognise_ball(pose_a.position, b, pose_b, contact);
    return;
  }
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
  const bool face_b = is_face_normal(b, in_b);
  const bool face_a = is_face_normal(a, -in_a);
  // Where two faces lie on each other the points are vertices of a, or places of b's border under a's face.
  if (face_b && (!face_a || is_vertex(a, pose_a.to_local(contact.point_a)))) {
    contact.feature = Feature::point_on_face;
    contact.local_point = pose_a.to_local(contact.point_a);
    contact.local_normal = in_b;
    contact.local_anchor = pose_b.to_local(contact.point_b);
  } else if (face_a) {
    contact.feature = Feature::face_on_point;
    contact.local_point = pose_b.to_local(contact.point_b);
    contact.local_normal = in_a;
    contact.local_anchor = pose_a.to_local(contact.point_a);
  } else if (std::holds_alternative<Box>(a) && std::holds_alternative<Box>(b)) {
    recognise_edges(std::get<Box>(a), pose_a, std::get<Box>(b), pose_b, contact);
  }
}

}  // namespace

/// From the nearest point of the feature's plane, line or point to a ball's centre (frame of b). A face is met from its
/// outside.
Vector3d off_feature(const ContactPoint& contact, const Vector3d& centre) {
  Vector3d from_anchor = centre - contact.local_anchor;
  if (contact.feature == Feature::ball_on_face) return contact.local_normal * contact.local_normal.dot(from_anchor);
  if (contact.feature == Feature::ball_on_line)
    return from_anchor - contact.local_point * contact.local_point.dot(from_anchor);
  return from_anchor;
}

void closed_contacts(const PairFunction& pair, const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                     double tolerance, std::vector<ContactPoint>& closed) {
  const TouchingPoints points = pair.touching(a, pose_a, b, pose_b, std::abs(tolerance));
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
    case Feature::edge_on_edge: {
      const Vector3d u = pose_a.orientation * contact.local_normal;
      const Vector3d v = pose_b.orientation * contact.local_direction;
      const Vector3d p = pose_a.to_world(contact.local_point);
      const Vector3d q = pose_b.to_world(contact.local_anchor);
      Vector3d across = u.cross(v);
      const double sine = across.norm();
      across /= across.dot(contact.normal) < 0.0 ? -sine : sine;
      const Vector3d apart = p - q;
      const double cosine = u.dot(v);
      next.point_a = p + u * ((cosine * v.dot(apart) - u.dot(apart)) / (sine * sine));
      next.point_b = q + v * ((v.dot(apart) - cosine * u.dot(apart)) / (sine * sine));
      next.normal = across;
      next.gap = across.dot(apart);
      break;
    }
    case Feature::ball_on_face:
    case Feature::ball_on_line:
    case Feature::ball_on_vertex: {
      const double radius = std::get<Sphere>(a).radius;
      const Vector3d centre = pose_b.to_local(pose_a.position);
      const Vector3d off = off_feature(contact, centre);
      const double distance = off.norm();
      const Vector3d normal = off / distance;
      next.normal = pose_b.orientation * normal;
      next.gap = distance - contact.thickness - radius;
      next.point_a = pose_a.position - radius * next.normal;
      next.point_b = next.point_a - next.gap * next.normal;
      break;
    }
    case Feature::rim: {
      const Cylinder& cylinder = std::get<Cylinder>(a);
      next.normal = half_space_normal(pose_b);
      const Vector3d down = pose_a.orientation.conjugate() * Vector3d(-next.normal);
      const double across = std::hypot(down.x(), down.y());
      Vector3d local(0.0, 0.0, contact.rim_end * cylinder.half_length);
      if (across > kFlat) {
        local.head<2>() = down.head<2>() * (cylinder.radius / across);
      } else {  // as good as flat: the point that it began with
        local.head<2>() = contact.local_point.head<2>();
      }
      next.point_a = pose_a.to_world(local);
      next.gap = next.normal.dot(next.point_a - pose_b.position);
      next.point_b = next.point_a - next.gap * next.normal;
      break;
    }
  }
  return next;
}

bool same_feature(const ContactPoint& contact, const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  // Vertices leave their face at its border; where borders cross, the crossing wanders and is found anew now and then.
  const auto border = [](const Shape& shape, const Vector3d& point) { return is_vertex(shape, point) ? 1e-9 : 1e-3; };
  switch (contact.feature) {
    case Feature::point_on_face: {
      const Vector3d at = pose_b.to_local(pose_a.to_world(contact.local_point));
      const Vector3d on_face = at - contact.local_normal * contact.local_normal.dot(at - contact.local_anchor);
      return beyond(b, on_face) < border(a, contact.local_point);
    }
    case Feature::face_on_point: {
      const Vector3d at = pose_a.to_local(pose_b.to_world(contact.local_point));
      const Vector3d on_face = at - contact.local_normal * contact.local_normal.dot(at - contact.local_anchor);
      return beyond(a, on_face) < border(b, contact.local_point);
    }
    case Feature::edge_on_edge: {
      const PairFunction* pair = find_pair(shape_kind(a), shape_kind(b));
      const ContactPoint now = followed(contact, *pair, a, pose_a, b, pose_b);
      return beyond(a, pose_a.to_local(now.point_a)) < 1e-9 && beyond(b, pose_b.to_local(now.point_b)) < 1e-9;
    }
    case Feature::ball_on_face:
    case Feature::ball_on_line:
    case Feature::ball_on_vertex: {
      ContactPoint now = contact;
      const PairFunction* pair = find_pair(shape_kind(a), shape_kind(b));
      const Proximity near = pair->proximity(a, pose_a, b, pose_b);
      now.point_b = near.point_b;
      now.normal = near.normal;
      now.feature = Feature::nearest;
      recognise_ball(pose_a.position, b, pose_b, now);
      return now.feature == contact.feature;
    }
    default: return true;
  }
}

std::array<Vector3d, 2> tangents_of(const Vector3d& normal) {
  int smallest = 0;
  normal.cwiseAbs().minCoeff(&smallest);
  const Vector3d first = normal.cross(Vector3d::Unit(smallest)).normalized();
  return {first, normal.cross(first)};
}

}  // namespace carom::event
