#pragma once
/// What touches at a contact, and hence how point and normal follow when the bodies move: one type per case, each with
/// what it alone needs to know. Everything stands in the frame of the part (geometry/part.h) that it is fixed to.

#include <Eigen/Core>
#include <optional>
#include <variant>

#include "carom/contact/rim.h"
#include "carom/geometry/shape.h"

namespace carom::contact {

using Eigen::Vector3d;

/// The nearest points of the pair: everything that is round.
struct NearestPoints {};

/// A point of a on a flat face of b: vertices of polyhedra, the face of a standing cylinder, parallel edges.
struct PointOnFace {
  Vector3d point;   ///< of a
  Vector3d normal;  ///< of b's face, from b to a
  Vector3d anchor;  ///< a point of b's face
};

/// A flat face of a on a point of b.
struct FaceOnPoint {
  Vector3d point;   ///< of b
  Vector3d normal;  ///< of a's face, from b to a, in the frame of a
  Vector3d anchor;  ///< a point of a's face
};

/// A straight line of a across one of b: edges, or the axes of what is round about them.
struct EdgeOnEdge {
  Vector3d point_a, direction_a;
  Vector3d point_b, direction_b;
  double thickness_a = 0.0, thickness_b = 0.0;  ///< radii about the lines
};

/// Which of the two the round thing belongs to; the other has the face, the line or the vertex.
enum class Owner { a, b };

/// The lowest point of a circle about the z axis of one of the two over a flat face of the other: a rim, or a
/// cross-section of what rolls on its side.
struct RimOnFace {
  double height = 0.0;                  ///< z of the circle
  double radius = 0.0;                  ///< of the circle
  Vector3d point = Vector3d::Zero();    ///< of the circle, where it began to roll on it; zero where it came down on it
  Vector3d normal = Vector3d::UnitZ();  ///< of the face, outwards
  Vector3d anchor = Vector3d::Zero();   ///< a point of the face
  Owner owner = Owner::a;               ///< of the circle
};

/// A ball that one of the two is, or that the end or the cross-section of a capsule or a cylinder is taken for.
struct Ball {
  Vector3d centre = Vector3d::Zero();
  double radius = 0.0;
  Owner owner = Owner::a;
  bool whole = true;  ///< its owner is this ball and nothing else
};

/// A ball on a flat face.
struct BallOnFace {
  Vector3d normal;  ///< of the face, outwards
  Vector3d anchor;  ///< a point of it
  Ball ball;
};

/// A ball on an edge, or on the side of a cylinder or capsule, the line being its axis.
struct BallOnLine {
  Vector3d anchor;         ///< a point of the line
  Vector3d direction;      ///< of the line
  double thickness = 0.0;  ///< radius about the line
  Ball ball;
};

/// A ball on a vertex, or on the round end of a capsule, the vertex being the middle of that.
struct BallOnVertex {
  Vector3d vertex;
  Ball ball;
  double thickness = 0.0;  ///< radius about the vertex
};

/// A ball on the rim of a disc.
struct BallOnRim {
  Circle rim;
  Ball ball;
};

/// A vertex (a ball without radius), a round end or a cross-section of a on the wall of the shell or bore b.
struct BallInHollow {
  Ball ball;
};

/// The point of a circle about the z axis of a that is farthest from the middle of the shell b, or the axis of the
/// bore.
struct RimInHollow {
  double height = 0.0;                ///< z of the circle
  double radius = 0.0;                ///< of the circle
  Vector3d point = Vector3d::Zero();  ///< of the circle, where all of them are as far
};

/// The rim of one of the two across a straight line of the other, one end of the chord above it: an edge, or the axis
/// of what is round about it. Where the disc lies on the line both ends touch, each a contact of its own.
struct RimOnLine {
  Circle rim;
  Vector3d point;          ///< of the rim, near which it touches
  Line line;               ///< of the other one
  double thickness = 0.0;  ///< radius about the line
  Owner owner = Owner::a;  ///< of the rim
};

/// The rims of both across each other, one of their crossings.
struct RimOnRim {
  Circle rim_a, rim_b;
  Vector3d point_a, point_b;  ///< near which they touch
};

using Feature = std::variant<NearestPoints, PointOnFace, FaceOnPoint, EdgeOnEdge, RimOnFace, BallOnFace, BallOnLine,
                             BallOnVertex, BallInHollow, RimInHollow, RimOnLine, RimOnRim, BallOnRim>;

/// Whether the point of a rim has to be known to find the one that touches a moment later.
bool starts_from_point(const Feature& feature);

/// The ball of a feature that has one; null otherwise.
const Ball* ball_of(const Feature& feature);

/// Whether the two may touch elsewhere too: neither is a ball, and faces, lines or circles touch.
bool is_flat(const Feature& feature);

/// Whether two features of the same two parts are one and the same place, points that are no farther apart than
/// `tolerance` counted as one.
bool same_place(const Feature& x, const Feature& y, double tolerance);

/// Whether a point that wanders over both bodies may have come from the one to the other: a border of a face under
/// another one, the end of a chord on its half of the rim.
bool may_have_wandered(const Feature& from, const Feature& to);

/// From the nearest point of the plane, line, vertex or rim that a ball touches to the ball's centre, in the frame of
/// the object that has it. A face is met from its outside.
Vector3d off_feature(const BallOnFace& face, const Vector3d& centre);
Vector3d off_feature(const BallOnLine& line, const Vector3d& centre);
Vector3d off_feature(const BallOnVertex& vertex, const Vector3d& centre);
Vector3d off_feature(const BallOnRim& on, const Vector3d& centre);

/// Two shapes and where they stand.
struct PlacedPair {
  const Shape& a;
  Pose pose_a;
  const Shape& b;
  Pose pose_b;
};

/// Where the two are nearest: what `recognise` looks at.
struct TouchingPlace {
  Vector3d point_a, point_b, normal;
  int points = 1;  ///< at which the pair touches altogether
};

/// The line that a rim crosses, seen from the rim.
Line line_in_rim(const RimOnLine& on, const PlacedPair& placed);

/// What touches there.
Feature recognise(const PlacedPair& placed, const TouchingPlace& at);

/// Vertices and edges that meet otherwise than crosswise have no feature of their own: which points are nearest may
/// change from one end of an edge to the other at once. For a short time the point of a and the normal in b stand for
/// them; other features are returned as they are.
Feature held_in_place(const Feature& feature, const PlacedPair& placed, const TouchingPlace& at);

/// What a ball touches of a shape: its nearest point and the direction from there to the ball's centre, in the frame of
/// the shape.
struct TouchedByBall {
  Vector3d point, normal, centre;
};
Feature recognise_ball(const Shape& shape, const TouchedByBall& at, const Ball& ball);

/// How far a point of the shape's frame lies outside it along its own faces, relative to its size: at most zero inside.
double beyond(const Shape& shape, const Vector3d& x);

/// Whether a point of the border is a vertex; the points of a rim are all alike.
bool is_vertex(const Shape& shape, const Vector3d& x);

/// The rim of a cylinder, a half cylinder or a cone that the point lies on.
std::optional<Circle> rim_at(const Shape& shape, const Vector3d& x);

}  // namespace carom::contact
