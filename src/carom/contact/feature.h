#pragma once
/// What touches at a contact, and hence how point and normal follow when the bodies move: one type per case, each with
/// what it alone needs to know. Everything stands in the frame of the object that it is fixed to.

#include <Eigen/Core>
#include <variant>

#include "carom/geometry/shape.h"

namespace carom::contact {

using Eigen::Vector3d;

/// The nearest points of the pair: everything that is round.
struct NearestPoints {};

/// A point of a on a flat face of b: vertices of boxes and prisms, the face of a standing cylinder.
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

/// An edge of a across an edge of b.
struct EdgeOnEdge {
  Vector3d point_a, direction_a;
  Vector3d point_b, direction_b;
};

/// The lowest point of one rim of the cylinder a over the plane b.
struct RimOnPlane {
  double end = 1.0;                   ///< ±1: which of the two rims
  Vector3d point = Vector3d::Zero();  ///< where it began to roll on the rim, of a; zero where it came down on it
};

/// The sphere a on a flat face of b.
struct BallOnFace {
  Vector3d normal;  ///< of b's face
  Vector3d anchor;  ///< a point of it
};

/// The sphere a on an edge of b, or on the side of a cylinder, the line being its axis.
struct BallOnLine {
  Vector3d anchor;         ///< a point of the line
  Vector3d direction;      ///< of the line
  double thickness = 0.0;  ///< radius of b about the line
};

/// The sphere a on a vertex of b.
struct BallOnVertex {
  Vector3d vertex;
};

using Feature =
    std::variant<NearestPoints, PointOnFace, FaceOnPoint, EdgeOnEdge, RimOnPlane, BallOnFace, BallOnLine, BallOnVertex>;

/// Whether the contact has flat faces or straight edges on both sides, so that the two bodies may touch elsewhere too.
bool is_flat(const Feature& feature);

/// Whether two features of the same two objects are one and the same place, points that are no farther apart than
/// `tolerance` counted as one.
bool same_place(const Feature& x, const Feature& y, double tolerance);

/// From the nearest point of the plane, line or vertex that a ball touches to the ball's centre, in the frame of b. A
/// face is met from its outside.
Vector3d off_feature(const BallOnFace& face, const Vector3d& centre);
Vector3d off_feature(const BallOnLine& line, const Vector3d& centre);
Vector3d off_feature(const BallOnVertex& vertex, const Vector3d& centre);

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

/// What touches there.
Feature recognise(const PlacedPair& placed, const TouchingPlace& at);

/// What a ball touches at the nearest point `point_b` of a box, prism or cylinder.
Feature recognise_ball(const PlacedPair& placed, const Vector3d& point_b, const Vector3d& normal);

/// How far a point of the shape's frame lies outside it along its own faces, relative to its size: at most zero inside.
double beyond(const Shape& shape, const Vector3d& x);

/// Whether a point of the border is a vertex; a cylinder's points are all alike.
bool is_vertex(const Shape& shape, const Vector3d& x);

}  // namespace carom::contact
