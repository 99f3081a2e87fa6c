#include "carom/contact/feature.h"

#include <cmath>

namespace carom::contact {

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

Feature ball_on_box(const Box& box, const Vector3d& centre, const BallOnFace& touched) {
  // Coordinates in which the centre is beyond the box are those that its nearest point is on the border in.
  int outside = 0, along = 0;
  for (int k = 0; k < 3; ++k) {
    if (std::abs(centre[k]) > box.half_sizes[k]) {
      ++outside;
    } else {
      along = k;
    }
  }
  if (outside == 2) return BallOnLine{touched.anchor, Vector3d::Unit(along)};
  if (outside == 3) return BallOnVertex{touched.anchor};
  return touched;
}

Feature ball_on_cylinder(const Cylinder& cylinder, const Vector3d& centre, const BallOnFace& touched) {
  const bool above = std::abs(centre.z()) > cylinder.half_length;
  const bool aside = centre.head<2>().norm() > cylinder.radius;
  if (above && aside) return NearestPoints{};  // the rim is round
  if (aside) return BallOnLine{{0.0, 0.0, touched.anchor.z()}, Vector3d::UnitZ(), cylinder.radius};
  return touched;
}

Feature ball_on_prism(const Prism& prism, const Vector3d& centre, const BallOnFace& touched) {
  const Vector3d& p = touched.anchor;
  const Vector3d& n = touched.normal;
  const bool above = std::abs(centre.z()) > prism.half_length;
  bool at_corner = false;
  double farthest = 0.0;
  for (const Eigen::Vector2d& vertex : prism.vertices) farthest = std::max(farthest, (vertex - p.head<2>()).norm());
  for (const Eigen::Vector2d& vertex : prism.vertices)
    at_corner = at_corner || (vertex - p.head<2>()).norm() < 1e-12 * farthest;
  if (at_corner && above) return BallOnVertex{p};
  if (at_corner) return BallOnLine{p, Vector3d::UnitZ()};
  const bool aside = n.head<2>().norm() > 1e-12;
  if (above && aside) return BallOnLine{p, Vector3d(-n.y(), n.x(), 0.0).normalized()};  // an edge of a face
  return touched;
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
Feature recognise_edges(const Box& a, const Vector3d& in_a, const Box& b, const Vector3d& in_b) {
  const int along_a = edge_axis(a, in_a);
  const int along_b = edge_axis(b, in_b);
  if (along_a < 0 || along_b < 0) return NearestPoints{};
  return EdgeOnEdge{in_a, Vector3d::Unit(along_a), in_b, Vector3d::Unit(along_b)};
}

struct SamePlace {
  double tolerance;

  [[nodiscard]] bool near(const Vector3d& x, const Vector3d& y) const { return (x - y).norm() <= tolerance; }
  bool operator()(const NearestPoints&, const NearestPoints&) const { return true; }
  bool operator()(const PointOnFace& x, const PointOnFace& y) const { return near(x.point, y.point); }
  bool operator()(const FaceOnPoint& x, const FaceOnPoint& y) const { return near(x.point, y.point); }
  bool operator()(const EdgeOnEdge& x, const EdgeOnEdge& y) const { return near(x.point_a, y.point_a); }
  bool operator()(const RimOnPlane& x, const RimOnPlane& y) const { return x.end == y.end && near(x.point, y.point); }
  bool operator()(const BallOnFace& x, const BallOnFace& y) const { return x.normal.dot(y.normal) > 0.5; }
  bool operator()(const BallOnLine& x, const BallOnLine& y) const { return near(x.direction, y.direction); }
  bool operator()(const BallOnVertex&, const BallOnVertex&) const { return true; }
  template <class X, class Y>
  bool operator()(const X&, const Y&) const {
    return false;
  }
};

}  // namespace

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

bool is_vertex(const Shape& shape, const Vector3d& x) {
  if (const Box* box = std::get_if<Box>(&shape))
    return (x.cwiseAbs() - box->half_sizes).cwiseAbs().maxCoeff() < 1e-9 * box->half_sizes.maxCoeff();
  if (const Prism* prism = std::get_if<Prism>(&shape)) {
    for (const Eigen::Vector2d& v : prism->vertices)
      if ((x.head<2>() - v).norm() < 1e-9 * v.norm()) return true;
    return false;
  }
  return true;
}

bool is_flat(const Feature& feature) {
  return std::holds_alternative<PointOnFace>(feature) || std::holds_alternative<FaceOnPoint>(feature) ||
         std::holds_alternative<EdgeOnEdge>(feature);
}

bool same_place(const Feature& x, const Feature& y, double tolerance) {
  return std::visit(SamePlace{tolerance}, x, y);
}

Vector3d off_feature(const BallOnFace& face, const Vector3d& centre) {
  const Vector3d from_anchor = centre - face.anchor;
  return face.normal * face.normal.dot(from_anchor);
}

Vector3d off_feature(const BallOnLine& line, const Vector3d& centre) {
  const Vector3d from_anchor = centre - line.anchor;
  return from_anchor - line.direction * line.direction.dot(from_anchor);
}

Vector3d off_feature(const BallOnVertex& vertex, const Vector3d& centre) {
  return centre - vertex.vertex;
}

Feature recognise_ball(const PlacedPair& placed, const Vector3d& point_b, const Vector3d& normal) {
  const BallOnFace touched{placed.pose_b.orientation.conjugate() * normal, placed.pose_b.to_local(point_b)};
  const Vector3d centre = placed.pose_b.to_local(placed.pose_a.position);
  if (const Box* box = std::get_if<Box>(&placed.b)) return ball_on_box(*box, centre, touched);
  if (const Cylinder* cylinder = std::get_if<Cylinder>(&placed.b)) return ball_on_cylinder(*cylinder, centre, touched);
  return ball_on_prism(std::get<Prism>(placed.b), centre, touched);
}

Feature recognise(const PlacedPair& placed, const TouchingPlace& at) {
  const Shape& a = placed.a;
  const Shape& b = placed.b;
  if (shape_kind(a) == ShapeKind::sphere && has_faces(b)) return recognise_ball(placed, at.point_b, at.normal);
  if (!has_faces(a)) return NearestPoints{};
  const Vector3d normal_in_b = placed.pose_b.orientation.conjugate() * at.normal;
  const Vector3d normal_in_a = placed.pose_a.orientation.conjugate() * at.normal;
  const Vector3d in_a = placed.pose_a.to_local(at.point_a);
  const Vector3d in_b = placed.pose_b.to_local(at.point_b);
  if (shape_kind(a) == ShapeKind::cylinder) {
    if (shape_kind(b) != ShapeKind::half_space) return NearestPoints{};
    const bool standing = at.points > 2 || is_face_normal(a, -normal_in_a);
    if (!standing) return RimOnPlane{in_a.z() >= 0.0 ? 1.0 : -1.0};
  } else if (!has_faces(b) && shape_kind(b) != ShapeKind::half_space) {
    return NearestPoints{};
  }
  const bool face_b = is_face_normal(b, normal_in_b);
  const bool face_a = is_face_normal(a, -normal_in_a);
  // Where two faces lie on each other the points are vertices of a, or places of b's border under a's face.
  if (face_b && (!face_a || is_vertex(a, in_a))) return PointOnFace{in_a, normal_in_b, in_b};
  if (face_a) return FaceOnPoint{in_b, normal_in_a, in_a};
  if (std::holds_alternative<Box>(a) && std::holds_alternative<Box>(b))
    return recognise_edges(std::get<Box>(a), in_a, std::get<Box>(b), in_b);
  return NearestPoints{};
}

}  // namespace carom::contact
