#include "carom/engine/event/ball_motions.h"

#include <algorithm>
#include <cmath>

#include "carom/contact/safe_step.h"
#include "carom/engine/event/turning_ball.h"
#include "carom/geometry/support.h"

namespace carom::event {

using contact::Turning;

namespace {

/// Velocities below this part of the speeds at hand are none.
constexpr double kStandsStill = 1e-12;
/// Vertices this near to the plane of a face, relative to the size of what has it, belong to it.
constexpr double kOnFace = 1e-9;
/// This near to its edge, relative to the ball, the face has ended: how the ball goes over it is integrated.
constexpr double kEdge = 1e-6;

/// The corners of the face on which a ball stands with its foot, world, in order; none where it has no straight edges.
std::vector<Vector3d> face_corners(World& world, const ContactPoint& contact, const Vector3d& foot) {
  std::vector<Vector3d> corners;
  const Mover& wall = world.part(contact.b, contact.part_b);
  const Pose pose = wall.pose(world.now(contact.b));
  for (const Vector3d& vertex : shape_vertices(*wall.shape)) {
    const Vector3d corner = pose.to_world(vertex);
    if (std::abs(contact.normal.dot(corner - foot)) <= kOnFace * wall.radius) corners.push_back(corner);
  }
  if (corners.size() < 3) return {};
  Vector3d middle = Vector3d::Zero();
  for (const Vector3d& corner : corners) middle += corner / static_cast<double>(corners.size());
  const std::array<Vector3d, 2> across = contact::tangents_of(contact.normal);
  const auto angle = [&](const Vector3d& corner) {
    return std::atan2(across[1].dot(corner - middle), across[0].dot(corner - middle));
  };
  std::sort(corners.begin(), corners.end(), [&](const Vector3d& x, const Vector3d& y) { return angle(x) < angle(y); });
  return corners;
}

/// How long the foot of a ball that moves with constant acceleration stays inside a convex face, `margin` from its
/// edges.
double time_on_face(const std::vector<Vector3d>& corners, const Vector3d& normal, const Motion& foot, double margin) {
  double first = contact::kForever;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vector3d inwards = normal.cross(corners[(i + 1) % corners.size()] - corners[i]).normalized();
    first = std::min(first, contact::first_descent(inwards.dot(foot.position - corners[i]) - margin,
                                                   inwards.dot(foot.velocity), 0.5 * inwards.dot(foot.acceleration)));
  }
  return first;
}

/// Whether the only contact of a body is one that a ball has with a plane or a face which keeps its direction.
bool is_on_plane(const World& world, const Island& island) {
  if (island.bodies.size() != 1 || island.contacts.size() != 1) return false;
  const Object& o = world.object(island.bodies[0]);
  const ContactPoint& contact = island.contacts[0].contact;
  if (!o.round || o.is_guided() || world.is_body(contact.b)) return false;
  const Object& wall = world.object(contact.b);
  if (!wall.motion.in_closed_form() || wall.motion.max_spin > 0.0) return false;
  return world.part(contact.b, contact.part_b).kind == ShapeKind::half_space ||
         std::holds_alternative<contact::BallOnFace>(contact.feature);
}

}  // namespace

void BallMotions::Ball::book_until(double time, double carry, EnergyBook& book) const {
  const double tau = std::min((time - start) + (carry - start_carry), stretch.duration);
  book.friction += stretch.dissipated(tau);
  book.wall_work += stretch.wall_power * tau;
}

void BallMotions::leave(const World& world, BodyIndex body, EnergyBook& book) {
  Ball& ball = balls_[body];
  if (!ball.moves) return;
  ball.book_until(world.time(), world.carry(), book);
  ball.moves = false;
}

bool BallMotions::move_on(const Instant& at, const Island& island, Timeline& timeline) {
  World& world = at.world;
  if (!is_on_plane(world, island)) return false;
  const ActiveContact& active = island.contacts[0];
  if (!active.has_limit() && !active.contact.rule.resistance.any()) return false;
  const BodyIndex body = island.bodies[0];
  const Object& o = world.object(body);
  BallOnPlane& plane = balls_[body].plane;
  plane.normal = active.contact.normal;
  plane.wall_velocity = world.now(active.contact.b).velocity;
  plane.set_acceleration(o.free_acceleration);
  plane.radius = o.size;
  plane.mass = o.mass;
  plane.inertia_factor = o.inertia[0] / (o.mass * o.size * o.size);
  plane.friction = active.contact.rule.friction;
  plane.resistance = active.contact.rule.resistance;
  const double still = kStandsStill * (std::sqrt(o.free_acceleration.norm() * o.size) + at.closed.speed());
  BodyState state = world.now(body);
  double spin = plane.normal.dot(state.angular_velocity);
  Vector3d turning = state.angular_velocity - spin * plane.normal;
  if (std::abs(spin) * o.size <= still) spin = 0.0;
  if (active.sticks() && plane.relative_velocity(state).norm() <= still) {
    state.velocity = plane.wall_velocity;
    turning.setZero();
  }
  state.angular_velocity = turning + spin * plane.normal;
  world.set_now(body, state);
  return begin(at, active.contact, {active.mode, active.direction}, timeline);
}

/// A stretch on a face ends where the face does. False where the foot is at its edge already, where the face has none,
/// and for a way that turns.
bool BallMotions::stays_on_face(World& world, const ContactPoint& contact, Ball& ball) {
  if (world.part(contact.b, contact.part_b).kind == ShapeKind::half_space) return true;
  if (ball.stretch.turning) return false;
  const BodyState& state = world.now(contact.a);
  const double margin = kEdge * ball.plane.radius;
  Motion foot;
  foot.position = state.position - ball.plane.radius * ball.plane.normal;
  foot.velocity = ball.plane.relative_velocity(state);
  foot.acceleration = ball.stretch.acceleration;
  const std::vector<Vector3d> corners = face_corners(world, contact, foot.position);
  if (corners.empty()) return false;
  const double inside = time_on_face(corners, ball.plane.normal, foot, margin);
  if (std::isfinite(inside) && (foot.position_after(inside) - foot.position).norm() <= margin) return false;
  if (!(inside < ball.stretch.duration)) return true;
  ball.stretch.duration = inside;
  ball.stretch.end = BallStretch::End::leaves_face;
  return true;
}

bool BallMotions::begin(const Instant& at, const ContactPoint& contact, const ContactAction& action,
                        Timeline& timeline) {
  World& world = at.world;
  const BodyIndex body = as_body(contact.a);
  Ball& ball = balls_[body];
  const BodyState& state = world.now(body);
  const std::optional<BallStretch> found = stretch_of(ball.plane, state, action);
  if (!found) return false;
  ball.stretch = *found;
  Motion motion;
  motion.start = ball.start = world.time();
  motion.start_carry = ball.start_carry = world.carry();
  motion.position = state.position;
  motion.velocity = state.velocity;
  motion.acceleration = found->acceleration;
  motion.attitude = state.orientation;
  motion.spin = state.angular_velocity;
  motion.spin_rate = found->spin_rate;
  if (!stays_on_face(world, contact, ball)) return false;
  const contact::Advance end =
      contact::instant({motion.start, motion.start_carry, contact::kForever}, ball.stretch.duration, false);
  motion.end = end.time;
  if (ball.stretch.turning) {
    const auto path = std::make_shared<const TurningBall>(ball.plane, ball.stretch, state);
    motion.turning = Turning::integrated;
    motion.acceleration_spread = ball.stretch.spread * (1.0 + 1e-9);
    motion.max_spin = path->max_spin(ball.stretch.duration);
    motion.max_spin_rate = path->max_spin_rate();
    motion.integrated = path;
  } else {
    const bool accelerated = !motion.spin_rate.isZero(0.0);
    motion.turning = accelerated ? Turning::accelerated : (motion.spin.isZero(0.0) ? Turning::fixed : Turning::uniform);
    motion.max_spin_rate = motion.spin_rate.norm();
    motion.max_spin = motion.spin.norm();  // at the start: the attitude of a ball matters to nothing
  }
  world.set_motion(body, motion);
  ball.moves = true;
  if (std::isfinite(end.time)) timeline.add_step_end(world, body, end.time, end.carry);
  return true;
}

std::optional<BallMotions::Next> BallMotions::next_stretch(const Instant& at, const ContactPoint& contact,
                                                           Timeline& timeline) {
  World& world = at.world;
  const BodyIndex body = as_body(contact.a);
  Ball& ball = balls_[body];
  const BodyState reached = world.object(body).motion.after(ball.stretch.duration);
  leave(world, body, at.log.result.energy);
  if (ball.stretch.end == BallStretch::End::leaves_face) {
    world.set_now(body, reached);
    return std::nullopt;
  }
  world.set_now(body, ended(ball.plane, ball.stretch, reached));
  if (!begin(at, contact, action_after(ball.plane, ball.stretch), timeline)) return std::nullopt;
  return Next{ball.stretch.action, world.object(body).at_rest};
}

}  // namespace carom::event
