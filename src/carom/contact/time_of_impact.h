#pragma once
/// When two moving objects touch next: conservative advancement with proven steps.
///
/// The signed distance of two convex bodies is the largest gap over all directions n, so for the normal n found at time
/// t
///   d(t + τ) ≥ s(τ) = n·(x_a − x_b)(t + τ) − h_a(τ) − h_b(τ),    s(0) = d,
/// with the supports h of the turning bodies bounded from above (shape_support.h) and the relative motion of the
/// centres bounded by its acceleration. That lower bound is concave in τ: up to its root nothing can touch, so time
/// advances by (a safe part of) that root, again and again. Near a contact with d → 0, ḋ < 0 the steps converge as
/// Newton's method does, from before the contact. Sphere with plane and sphere with sphere in equal acceleration have
/// closed forms. A sphere in a shell or a bore uses |y₀ + ẏτ| ≤ the distance from the axis, exact for straight motion;
/// a spinning plane is treated in its own frame. All bounds are proven for the motion that is given (motion.h).
///
/// Where bodies with faces and edges stay at a gap of round-off size for long (they slide along each other without a
/// force), proven steps become minute. After kPatience of them the way is looked at in samples, eight to a stretch of
/// growing length, and the answer says so.
///
/// A contact is hit when d ≤ ε_d and ḋ < −ε_v; ε_d = max(1e-13 size, 16 ulp of the coordinates) (kGapRoundoff), ε_v the
/// larger of 1e-13 of the speeds at hand (kRateRoundoff) and what the velocities are known to
/// (Stretch::velocity_noise). Where d is at round-off level and neither closes nor opens, time advances until it may
/// have sunk by 2ε_d.

#include "carom/contact/motion.h"
#include "carom/geometry/pair_table.h"
#include "carom/geometry/part.h"

namespace carom::contact {

/// ε_d relative to the size of the smaller body.
inline constexpr double kGapRoundoff = 1e-13;
/// ε_v relative to the speeds at hand: slower approach than this is none.
inline constexpr double kRateRoundoff = 1e-13;

/// One of the two: a part of a body or an obstacle, and how the whole moves.
struct Mover {
  const Shape* shape;
  ShapeKind kind;
  const Motion* motion;
  double radius;    ///< of a ball about the moving frame's origin that holds it; infinite for unbounded obstacles
  Vector3d normal;  ///< of a half-space at time 0; zero for the others
  const Pose* placement = nullptr;  ///< of the shape in the frame that moves; null for the identity

  /// Where the shape stands when the whole is in this state.
  [[nodiscard]] Pose pose(const BodyState& state) const {
    return placement == nullptr ? state.pose() : placed_in(state.pose(), *placement);
  }
};

/// From the instant time + carry to the time `horizon`.
struct Stretch {
  double time;
  double carry;
  double horizon;
  double velocity_noise = 0.0;  ///< velocities are known up to this [m/s]: slower approach than this is none either
};

/// What a search found.
struct Advance {
  double time;   ///< of the contact, or as far as there is certainly none
  double carry;  ///< beyond the last digit of `time`
  bool hit;
  bool sampled = false;  ///< a part of the way was looked at in samples only, see below
};

/// A direction along which two solid shapes were apart when they were last looked at, from b to a and in the frame that
/// moves with b; zero where none is known. It is kept by whoever searches for the same pair again and again: while the
/// bodies are apart along it all through a stretch, that needs no look at their nearest points.
using SeparatingDirection = Vector3d;

/// How far a and b are apart along a direction n from b to a, both solid: never more than their distance.
double gap_along(const Mover& a, const BodyState& state_a, const Mover& b, const BodyState& state_b, const Vector3d& n);

/// The first contact of a and b in a stretch of time. Not hit: nothing touches before `time`, which is the horizon or,
/// where the search was long, earlier; the caller goes on from there. `apart`, where given, is used and renewed.
Advance first_contact(const PairFunction& pair, const Mover& a, const Mover& b, const Stretch& stretch,
                      SeparatingDirection* apart = nullptr);

/// A piece of a shape that comes down on a plane by itself: a point, a ball, the rim of a disc about the shape's z axis
/// or of its half y ≤ 0, or the far side of a disc (which touches when the disc lies flat).
struct BodyPart {
  Vector3d centre;           ///< in the shape's frame
  double disc_radius = 0.0;  ///< 0: a point
  enum class Side { near, far } side = Side::near;
  double thickness = 0.0;  ///< radius of the ball about the point
  bool half = false;       ///< only the half y ≤ 0 of the disc, near side
};

/// The first contact of a piece of the shape of a with the half-space b.
Advance first_contact_of_part(const Mover& a, const BodyPart& part, const Mover& b, const Stretch& stretch);

/// Smallest gap that counts as one: ε_d.
double gap_roundoff(double size, double coordinates);

}  // namespace carom::contact
