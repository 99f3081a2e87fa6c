#include "carom/contact/feature.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/polyhedron.h"

namespace carom::contact {

namespace {

/// Points within this part of the size are one.
constexpr double kOnePoint = 1e-9;

struct SamePlace {
  double tolerance;

  [[nodiscard]] bool near(const Vector3d& x, const Vector3d& y) const { return (x - y).norm() <= tolerance; }
  [[nodiscard]] bool same(const Ball& x, const Ball& y) const { return x.owner == y.owner && near(x.centre, y.centre); }
  bool operator()(const NearestPoints&, const NearestPoints&) const { return true; }
  bool operator()(const PointOnFace& x, const PointOnFace& y) const { return near(x.point, y.point); }
  bool operator()(const FaceOnPoint& x, const FaceOnPoint& y) const { return near(x.point, y.point); }
  bool operator()(const EdgeOnEdge& x, const EdgeOnEdge& y) const { return near(x.point_a, y.point_a); }
  bool operator()(const RimOnFace& x, const RimOnFace& y) const {
    return x.owner == y.owner && std::abs(x.height - y.height) <= tolerance && near(x.point, y.point);
  }
  bool operator()(const BallOnFace& x, const BallOnFace& y) const {
    return x.normal.dot(y.normal) > 0.5 && same(x.ball, y.ball);
  }
  bool operator()(const BallOnLine& x, const BallOnLine& y) const {
    return near(x.direction, y.direction) && same(x.ball, y.ball);
  }
  bool operator()(const BallOnVertex& x, const BallOnVertex& y) const { return same(x.ball, y.ball); }
  bool operator()(const BallOnRim& x, const BallOnRim& y) const {
    return x.rim.height == y.rim.height && same(x.ball, y.ball);
  }
  bool operator()(const BallInHollow& x, const BallInHollow& y) const { return same(x.ball, y.ball); }
  bool operator()(const RimInHollow& x, const RimInHollow& y) const {
    return std::abs(x.height - y.height) <= tolerance && near(x.point, y.point);
  }
  bool operator()(const RimOnLine& x, const RimOnLine& y) const {
    return x.owner == y.owner && std::abs(x.rim.height - y.rim.height) <= tolerance && near(x.point, y.point);
  }
  bool operator()(const RimOnRim& x, const RimOnRim& y) const {
    return near(x.point_a, y.point_a) && near(x.point_b, y.point_b);
  }
  template <class X, class Y>
  bool operator()(const X&, const Y&) const {
    return false;
  }
};

struct Beyond {
  const Vector3d& x;

  [[nodiscard]] double of_axis(double radius, double half_length) const {
    return std::max(x.head<2>().norm() / radius, std::abs(x.z()) / half_length) - 1.0;
  }
  double operator()(const Box& box) const {
    return (x.cwiseAbs() - box.half_sizes).maxCoeff() / box.half_sizes.maxCoeff();
  }
  double operator()(const Cylinder& cylinder) const { return of_axis(cylinder.radius, cylinder.half_length); }
  double operator()(const Prism& prism) const {
    double most = std::abs(x.z()) / prism.half_length - 1.0;
    const auto& v = prism.vertices;
    const Eigen::Vector2d e1 = v[1] - v[0], e2 = v[2] - v[0];
    const double area = e1.x() * e2.y() - e1.y() * e2.x();
    for (std::size_t k = 0; k < 3; ++k) {  // barycentric coordinates
      const Eigen::Vector2d p = v[(k + 1) % 3] - x.head<2>(), q = v[(k + 2) % 3] - x.head<2>();
      most = std::max(most, -(p.x() * q.y() - p.y() * q.x()) / area);
    }
    return most;
  }
  double operator()(const HalfCylinder& half) const {
    return std::max(of_axis(half.radius, half.half_length), x.y() / half.radius);
  }
  double operator()(const Cone& cone) const {
    const double side = x.head<2>().norm() / cone.radius + x.z() / cone.height - 1.0;
    return std::max(side, -x.z() / cone.height);
  }
  double operator()(const Capsule& capsule) const {
    return std::max(x.head<2>().norm() / capsule.radius, std::abs(x.z()) / (capsule.half_length + capsule.radius)) -
           1.0;
  }
  double operator()(const Rod& rod) const { return std::abs(x.z()) / rod.half_length - 1.0; }
  double operator()(const Convex& convex) const {
    const Polyhedron& body = *convex.polyhedron;
    double most = -1.0;
    for (const Polyhedron::Face& face : body.faces())
      most = std::max(most, (face.normal.dot(x) - face.offset) / body.bounding_radius());
    return most;
  }
  template <class Borderless>
  double operator()(const Borderless& /*shape*/) const {
    return -1.0;
  }
};

bool on_circle(const Vector3d& x, const Circle& circle) {
  const double room = 1e-6 * std::max(circle.radius, std::abs(circle.height));
  return std::abs(x.z() - circle.height) <= room && std::abs(x.head<2>().norm() - circle.radius) <= room;
}

}  // namespace

double beyond(const Shape& shape, const Vector3d& x) {
  return std::visit(Beyond{x}, shape);
}

bool is_vertex(const Shape& shape, const Vector3d& x) {
  if (const Box* box = std::get_if<Box>(&shape))
    return (x.cwiseAbs() - box->half_sizes).cwiseAbs().maxCoeff() < kOnePoint * box->half_sizes.maxCoeff();
  if (const Prism* prism = std::get_if<Prism>(&shape)) {
    for (const Eigen::Vector2d& v : prism->vertices)
      if ((x.head<2>() - v).norm() < kOnePoint * v.norm()) return true;
    return false;
  }
  if (const Convex* convex = std::get_if<Convex>(&shape)) {
    for (const Vector3d& v : convex->polyhedron->vertices())
      if ((x - v).norm() < kOnePoint * convex->polyhedron->bounding_radius()) return true;
    return false;
  }
  if (const Rod* rod = std::get_if<Rod>(&shape))
    return std::abs(std::abs(x.z()) - rod->half_length) < kOnePoint * rod->half_length;
  return true;
}

std::optional<Circle> rim_at(const Shape& shape, const Vector3d& x) {
  std::optional<Circle> rim;
  if (const Cylinder* cylinder = std::get_if<Cylinder>(&shape)) {
    rim = Circle{std::copysign(cylinder->half_length, x.z()), cylinder->radius};
  } else if (const HalfCylinder* half = std::get_if<HalfCylinder>(&shape)) {
    rim = Circle{std::copysign(half->half_length, x.z()), half->radius};
  } else if (const Cone* cone = std::get_if<Cone>(&shape)) {
    rim = Circle{0.0, cone->radius};
  }
  return rim && on_circle(x, *rim) ? rim : std::nullopt;
}

const Ball* ball_of(const Feature& feature) {
  if (const BallOnFace* face = std::get_if<BallOnFace>(&feature)) return &face->ball;
  if (const BallOnLine* line = std::get_if<BallOnLine>(&feature)) return &line->ball;
  if (const BallOnVertex* vertex = std::get_if<BallOnVertex>(&feature)) return &vertex->ball;
  if (const BallOnRim* rim = std::get_if<BallOnRim>(&feature)) return &rim->ball;
  if (const BallInHollow* inside = std::get_if<BallInHollow>(&feature)) return &inside->ball;
  return nullptr;
}

bool is_flat(const Feature& feature) {
  const Ball* const ball = ball_of(feature);
  return ball != nullptr ? !ball->whole : !std::holds_alternative<NearestPoints>(feature);
}

bool starts_from_point(const Feature& feature) {
  return std::holds_alternative<RimOnLine>(feature) || std::holds_alternative<RimOnRim>(feature);
}

bool same_place(const Feature& x, const Feature& y, double tolerance) {
  return std::visit(SamePlace{tolerance}, x, y);
}

bool may_have_wandered(const Feature& from, const Feature& to) {
  const auto half = [](const Vector3d& x, const Vector3d& y) { return x.head<2>().dot(y.head<2>()) > 0.0; };
  if (std::holds_alternative<FaceOnPoint>(from)) return std::holds_alternative<FaceOnPoint>(to);
  const RimOnLine *line = std::get_if<RimOnLine>(&from), *to_line = std::get_if<RimOnLine>(&to);
  if (line != nullptr && to_line != nullptr)
    return line->owner == to_line->owner && line->rim.height == to_line->rim.height &&
           half(line->point, to_line->point);
  const RimOnRim *rims = std::get_if<RimOnRim>(&from), *to_rims = std::get_if<RimOnRim>(&to);
  return rims != nullptr && to_rims != nullptr && half(rims->point_a, to_rims->point_a) &&
         half(rims->point_b, to_rims->point_b);
}

Line line_in_rim(const RimOnLine& on, const PlacedPair& placed) {
  const bool of_a = on.owner == Owner::a;
  const Pose& round = of_a ? placed.pose_a : placed.pose_b;
  const Pose& other = of_a ? placed.pose_b : placed.pose_a;
  return {round.to_local(other.to_world(on.line.anchor)),
          round.orientation.conjugate() * (other.orientation * on.line.direction)};
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

Vector3d off_feature(const BallOnRim& on, const Vector3d& centre) {
  return centre - on.rim.at(centre.head<2>().normalized());
}

}  // namespace carom::contact
