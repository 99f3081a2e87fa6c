/// What touches where two shapes touch: the features of both sides (geometry/touched_feature.h), put together.

#include <algorithm>
#include <cmath>
#include <optional>

#include "carom/contact/feature.h"
#include "carom/geometry/touched_feature.h"

namespace carom::contact {

namespace {

/// Lines whose sine is below this are parallel, and nearly so.
constexpr double kParallel = 1e-6, kNearlyParallel = 1e-2;
/// Lines that cross this far from where bodies touch, relative to how far that is from their middles, do not cross
/// there.
constexpr double kBesideCrossing = 1e-2;
/// A point this close to the end of a line, relative to its length, is at its end.
constexpr double kAtEnd = 1e-9;

/// What of one of the two touches.
struct Piece {
  enum class Kind { face, edge, vertex, circle, ball, round };
  Kind kind = Kind::round;
  Vector3d point = Vector3d::Zero();      ///< where
  Vector3d direction = Vector3d::Zero();  ///< of an edge
  double height = 0.0;                    ///< z of a circle or of a ball's centre
  double radius = 0.0;                    ///< of a circle or a ball
  bool straight = false;                  ///< the side of a cylinder or capsule: a line, as thick as the circle or ball
  std::optional<Circle> rim = {};         ///< of a disc, that the point is on

  /// A line that it belongs to, by one of its points and its direction.
  [[nodiscard]] bool has_line() const { return kind == Kind::edge || straight; }
  [[nodiscard]] Vector3d anchor() const { return straight ? Vector3d(0.0, 0.0, height) : point; }
  [[nodiscard]] Vector3d along() const { return straight ? Vector3d(Vector3d::UnitZ()) : direction; }
  [[nodiscard]] double thickness() const { return straight ? radius : 0.0; }
  /// Whether it rolls on a face that it touches at so many points: a disc that lies on it does not.
  [[nodiscard]] bool rolls(int points) const { return kind == Kind::ball || (kind == Kind::circle && points <= 2); }
  /// A cross-section, an end or a vertex, as a ball.
  [[nodiscard]] Ball as_ball(Owner owner) const {
    return {kind == Kind::vertex ? point : Vector3d(0.0, 0.0, height), radius, owner, false};
  }
};

/// z of a point of a side of half length L, exactly ±L at its ends.
double height_at(double z, double half_length) {
  return std::abs(z) > half_length * (1.0 - kAtEnd) ? std::copysign(half_length, z) : z;
}

struct PieceOf {
  const TouchedFeature& touched;
  const Vector3d& point;

  [[nodiscard]] Piece plain() const {
    switch (touched.kind) {
      case TouchedFeature::Kind::face: return {Piece::Kind::face, point};
      case TouchedFeature::Kind::edge: return {Piece::Kind::edge, point, touched.direction};
      case TouchedFeature::Kind::vertex: return {Piece::Kind::vertex, point};
      case TouchedFeature::Kind::round: break;
    }
    return {Piece::Kind::round, point};
  }
  /// Whether it is the side or the rim of something round about its axis.
  [[nodiscard]] bool on_side() const {
    return touched.kind == TouchedFeature::Kind::round ||
           (touched.kind == TouchedFeature::Kind::edge && !touched.sharp);
  }
  [[nodiscard]] Piece circle(double height, double radius, bool straight) const {
    return {Piece::Kind::circle, point, Vector3d::UnitZ(), height, radius, straight};
  }
  [[nodiscard]] Piece cylindrical(double radius, double half_length) const {
    if (!on_side()) return plain();
    return circle(height_at(point.z(), half_length), radius, touched.kind == TouchedFeature::Kind::edge);
  }

  Piece operator()(const Sphere& sphere) const {
    return {Piece::Kind::ball, point, Vector3d::Zero(), 0.0, sphere.radius};
  }
  Piece operator()(const Capsule& capsule) const {
    const double z = height_at(std::clamp(point.z(), -capsule.half_length, capsule.half_length), capsule.half_length);
    return {Piece::Kind::ball, point, Vector3d::UnitZ(), z, capsule.radius, touched.kind == TouchedFeature::Kind::edge};
  }
  Piece operator()(const Cylinder& c) const { return cylindrical(c.radius, c.half_length); }
  Piece operator()(const HalfCylinder& c) const { return cylindrical(c.radius, c.half_length); }
  Piece operator()(const Cone& cone) const {
    if (!on_side()) return plain();
    const double height = std::abs(point.z()) < kAtEnd * cone.height ? 0.0 : point.z();
    const double radius = cone.radius * (1.0 - height / cone.height);
    if (radius < kAtEnd * cone.radius) return {Piece::Kind::vertex, {0.0, 0.0, cone.height}};
    return circle(height, radius, false);
  }
  template <class Other>
  Piece operator()(const Other& /*shape*/) const {
    return plain();
  }
};

/// The rim of a disc that a point is on: of its face, or where neither the face nor the side touches.
std::optional<Circle> rim_of(const Shape& shape, const Piece& piece) {
  if (piece.kind == Piece::Kind::face) {
    const bool on_arc = !std::holds_alternative<HalfCylinder>(shape) || piece.point.y() < 0.0;
    return on_arc ? rim_at(shape, piece.point) : std::nullopt;
  }
  if (piece.kind != Piece::Kind::circle || piece.straight) return std::nullopt;
  if (const Cylinder* cylinder = std::get_if<Cylinder>(&shape))
    return Circle{std::copysign(cylinder->half_length, piece.point.z()), cylinder->radius};
  if (const HalfCylinder* half = std::get_if<HalfCylinder>(&shape))
    return Circle{std::copysign(half->half_length, piece.point.z()), half->radius};
  return rim_at(shape, piece.point);
}

Piece piece_of(const Shape& shape, const Vector3d& point, const Vector3d& outwards) {
  const TouchedFeature touched = touched_feature(shape, point, outwards);
  Piece piece = std::visit(PieceOf{touched, point}, shape);
  piece.rim = rim_of(shape, piece);
  return piece;
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
  if (outside == 2) return BallOnLine{touched.anchor, Vector3d::Unit(along), 0.0, touched.ball};
  if (outside == 3) return BallOnVertex{touched.anchor, touched.ball};
  return touched;
}

Feature ball_on_cylinder(const Cylinder& cylinder, const Vector3d& centre, const BallOnFace& touched) {
  const bool above = std::abs(centre.z()) > cylinder.half_length;
  const bool aside = centre.head<2>().norm() > cylinder.radius;
  if (above && aside)
    return BallOnRim{{std::copysign(cylinder.half_length, centre.z()), cylinder.radius}, touched.ball};
  if (aside) return BallOnLine{{0.0, 0.0, touched.anchor.z()}, Vector3d::UnitZ(), cylinder.radius, touched.ball};
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
  if (at_corner && above) return BallOnVertex{p, touched.ball};
  if (at_corner) return BallOnLine{p, Vector3d::UnitZ(), 0.0, touched.ball};
  const bool aside = n.head<2>().norm() > 1e-12;
  if (above && aside)
    return BallOnLine{p, Vector3d(-n.y(), n.x(), 0.0).normalized(), 0.0, touched.ball};  // an edge of a face
  return touched;
}

/// One of the two is a face, `outwards` its normal in its frame at `anchor`, and the other what rolls on it.
Feature round_on_face(const Piece& piece, Owner owner, const Vector3d& outwards, const Vector3d& anchor) {
  if (piece.kind == Piece::Kind::ball) return BallOnFace{outwards, anchor, piece.as_ball(owner)};
  return RimOnFace{piece.height, piece.radius, Vector3d::Zero(), outwards, anchor, owner};
}

/// A ball, an end or a cross-section on a line, a vertex, a round end or a rim of the other one.
Feature ball_on(const Ball& ball, const Piece& other) {
  if (other.has_line()) return BallOnLine{other.anchor(), other.along(), other.thickness(), ball};
  if (other.kind == Piece::Kind::vertex) return BallOnVertex{other.point, ball};
  if (other.kind == Piece::Kind::ball) return BallOnVertex{{0.0, 0.0, other.height}, ball, other.radius};
  if (other.rim && other.kind == Piece::Kind::circle && ball.radius > 0.0) return BallOnRim{*other.rim, ball};
  return NearestPoints{};
}

/// The point of one that touches as a ball (a vertex without radius) on what the other has there.
Feature point_on(const Piece& point, Owner owner, const Piece& other) {
  const bool sharp = point.kind == Piece::Kind::vertex;
  if (point.kind != Piece::Kind::ball && !sharp) return NearestPoints{};
  if (sharp && !(other.thickness() > 0.0) && other.kind != Piece::Kind::ball) return NearestPoints{};
  return ball_on(point.as_ball(owner), other);
}

/// A rim of one of the two, whose point is known, across a line of the other.
std::optional<Feature> rim_on_line(const PlacedPair& placed, const Piece& round, const Piece& straight, Owner owner) {
  if (!round.rim || !straight.has_line()) return std::nullopt;
  const RimOnLine feature{*round.rim, round.point, {straight.anchor(), straight.along()}, straight.thickness(), owner};
  const RimAtLine at = rim_at_line(feature.rim, line_in_rim(feature, placed), feature.point);
  return crosses(at, feature.rim, kCrosses) ? std::optional<Feature>(feature) : std::nullopt;
}

/// The rim of one of the two across a line or the rim of the other.
std::optional<Feature> rim_across(const PlacedPair& placed, const Piece& a, const Piece& b) {
  if (std::optional<Feature> feature = rim_on_line(placed, a, b, Owner::a)) return feature;
  if (std::optional<Feature> feature = rim_on_line(placed, b, a, Owner::b)) return feature;
  if (!a.rim || !b.rim || a.kind == Piece::Kind::face || b.kind == Piece::Kind::face) return std::nullopt;
  const RimCrossing at = rims_crossing({*a.rim, placed.pose_a, a.point}, {*b.rim, placed.pose_b, b.point});
  if (!(at.sine > kCrosses)) return std::nullopt;
  return RimOnRim{*a.rim, *b.rim, at.point_a, at.point_b};
}

/// Whether the lines of the two cross, and nearly parallel ones do so where the two touch: these touch all along, and
/// may cross far beyond their ends.
bool cross_there(const PlacedPair& placed, const Piece& a, const Piece& b, const TouchingPlace& at) {
  const Vector3d along_a = placed.pose_a.orientation * a.along(), along_b = placed.pose_b.orientation * b.along();
  const Vector3d across = along_a.cross(along_b);
  if (across.norm() > kNearlyParallel) return true;
  if (!(across.norm() > kParallel)) return false;
  const Vector3d from_a = placed.pose_a.to_world(a.anchor()), from_b = placed.pose_b.to_world(b.anchor());
  const auto apart = [&](const Vector3d& from, const Vector3d& along, const Vector3d& other,
                         const Vector3d& other_along, const Vector3d& point) {
    const double crossing = (other - from).cross(other_along).dot(along.cross(other_along)) / across.squaredNorm();
    return std::abs(along.dot(point - from) - crossing);
  };
  const double size =
      std::max((at.point_a - placed.pose_a.position).norm(), (at.point_b - placed.pose_b.position).norm());
  return std::max(apart(from_a, along_a, from_b, along_b, at.point_a),
                  apart(from_b, along_b, from_a, along_a, at.point_b)) <= kBesideCrossing * size;
}

/// Neither of the two touches with a face.
Feature without_faces(const PlacedPair& placed, const Piece& a, const Piece& b, const TouchingPlace& at) {
  if (a.has_line() && b.has_line()) {
    if (cross_there(placed, a, b, at))
      return EdgeOnEdge{a.anchor(), a.along(), b.anchor(), b.along(), a.thickness(), b.thickness()};
    if (a.straight) return ball_on(a.as_ball(Owner::a), b);
    if (b.straight) return ball_on(b.as_ball(Owner::b), a);
    const Vector3d normal_in_b = placed.pose_b.orientation.conjugate() * at.normal;
    return PointOnFace{a.point, normal_in_b, b.point};  // parallel edges have no normal of their own
  }
  if (b.has_line()) return point_on(a, Owner::a, b);
  if (a.has_line()) return point_on(b, Owner::b, a);
  return b.kind == Piece::Kind::vertex ? point_on(a, Owner::a, b) : point_on(b, Owner::b, a);
}

/// A body in a shell or a bore: what of it is at the wall.
Feature in_hollow(const PlacedPair& placed, const TouchingPlace& at, const Vector3d& in_a, const Piece& a) {
  const bool bore = std::holds_alternative<Bore>(placed.b);
  if (a.kind == Piece::Kind::round) return NearestPoints{};
  if (a.kind == Piece::Kind::ball) return BallInHollow{a.as_ball(Owner::a)};
  if (a.kind == Piece::Kind::circle && at.points <= 2) {
    const Vector3d axis = placed.pose_a.orientation * Vector3d::UnitZ();
    const Vector3d along = placed.pose_b.orientation * Vector3d::UnitZ();
    if (bore && axis.cross(along).norm() <= kParallel) return BallInHollow{a.as_ball(Owner::a)};
    return RimInHollow{a.height, a.radius, in_a};
  }
  return BallInHollow{{in_a, 0.0, Owner::a, false}};
}

}  // namespace

Feature recognise_ball(const Shape& shape, const TouchedByBall& at, const Ball& ball) {
  const BallOnFace touched{at.normal, at.point, ball};
  if (const Box* box = std::get_if<Box>(&shape)) return ball_on_box(*box, at.centre, touched);
  if (const Cylinder* cylinder = std::get_if<Cylinder>(&shape)) return ball_on_cylinder(*cylinder, at.centre, touched);
  if (const Prism* prism = std::get_if<Prism>(&shape)) return ball_on_prism(*prism, at.centre, touched);
  const Piece piece = piece_of(shape, at.point, at.normal);
  return piece.kind == Piece::Kind::face ? touched : ball_on(ball, piece);
}

Feature recognise(const PlacedPair& placed, const TouchingPlace& at) {
  const Vector3d normal_in_b = placed.pose_b.orientation.conjugate() * at.normal;
  const Vector3d normal_in_a = placed.pose_a.orientation.conjugate() * at.normal;
  const Vector3d in_a = placed.pose_a.to_local(at.point_a);
  const Vector3d in_b = placed.pose_b.to_local(at.point_b);
  const Piece b = piece_of(placed.b, in_b, normal_in_b);
  if (const Sphere* sphere = std::get_if<Sphere>(&placed.a)) {
    // The nearest points of spheres and planes are as simple.
    if (std::holds_alternative<Sphere>(placed.b) || std::holds_alternative<HalfSpace>(placed.b)) return NearestPoints{};
    const Vector3d centre = placed.pose_b.to_local(placed.pose_a.position);
    return recognise_ball(placed.b, {in_b, normal_in_b, centre}, {Vector3d::Zero(), sphere->radius});
  }
  const Piece a = piece_of(placed.a, in_a, -normal_in_a);
  if (std::holds_alternative<Shell>(placed.b) || std::holds_alternative<Bore>(placed.b))
    return in_hollow(placed, at, in_a, a);
  if (a.kind == Piece::Kind::round || b.kind == Piece::Kind::round) return NearestPoints{};
  if (std::optional<Feature> feature = rim_across(placed, a, b)) return *feature;
  if (b.kind == Piece::Kind::face) {
    const bool rolls = a.rolls(at.points);
    const bool plane = std::holds_alternative<HalfSpace>(placed.b);
    if (rolls && plane) return round_on_face(a, Owner::a, Vector3d::UnitZ(), Vector3d::Zero());
    if (rolls) return round_on_face(a, Owner::a, normal_in_b, in_b);
    // Where two faces lie on each other the points are vertices of a, or places of b's border under a's face.
    if (a.kind != Piece::Kind::face || is_vertex(placed.a, in_a)) return PointOnFace{in_a, normal_in_b, in_b};
  }
  if (a.kind == Piece::Kind::face) {
    if (b.rolls(at.points)) return round_on_face(b, Owner::b, -normal_in_a, in_a);
    return FaceOnPoint{in_b, normal_in_a, in_a};
  }
  return without_faces(placed, a, b, at);
}

Feature held_in_place(const Feature& feature, const PlacedPair& placed, const TouchingPlace& at) {
  if (!std::holds_alternative<NearestPoints>(feature)) return feature;
  const auto is_sharp = [](const Piece& piece) {
    return piece.kind == Piece::Kind::vertex || (piece.kind == Piece::Kind::edge && !piece.straight);
  };
  const Vector3d normal_in_b = placed.pose_b.orientation.conjugate() * at.normal;
  const Vector3d in_a = placed.pose_a.to_local(at.point_a), in_b = placed.pose_b.to_local(at.point_b);
  if (!is_sharp(piece_of(placed.a, in_a, placed.pose_a.orientation.conjugate() * Vector3d(-at.normal))) ||
      !is_sharp(piece_of(placed.b, in_b, normal_in_b)))
    return feature;
  return PointOnFace{in_a, normal_in_b, in_b};
}

}  // namespace carom::contact
