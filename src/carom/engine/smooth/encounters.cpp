/// Who touches next: conservative advancement on the tracks of the bodies.
///
/// For round shapes the gap is bounded from below with the normal n of the instant: |d| ≥ n·d, so that
///   g(t + τ) ≥ g + ġτ + ½(n·a − w)τ²,   w the variation of the relative acceleration on the two tracks,
/// and time advances to the root of that bound, again and again; near a contact that is Newton's method from before it.
/// A ball in a bore has n·d ≤ |d| against it, and the bound takes the curvature of its path in. All other pairs go
/// through the search of the rigid engine (event/time_of_impact.h).

#include <algorithm>
#include <cmath>

#include "carom/contact/safe_step.h"
#include "carom/contact/shape_support.h"
#include "carom/engine/smooth/smooth_core.h"

namespace carom {

using namespace smooth;

namespace {

constexpr int kMostAdvances = 200;
constexpr double kForever = std::numeric_limits<double>::infinity();

/// A body's motion within the step of a cluster, for the search of the rigid engine.
template <class StateOf>
class StepMotion final : public event::IntegratedMotion {
 public:
  StepMotion(double start, StateOf state_of) : start_(start), state_of_(std::move(state_of)) {}
  [[nodiscard]] BodyState after(double tau) const override { return state_of_(start_ + tau); }

 private:
  double start_;
  StateOf state_of_;
};

}  // namespace

/// The space that an object's bounding ball crosses on its stretch.
void SmoothEngine::Core::note_box(int body) {
  const auto i = static_cast<std::size_t>(body);
  track(body).bound_speed();
  const Track& at = track(body);
  const double reach = environment_.body(body).size;
  if (!std::isfinite(at.end) || !std::isfinite(reach)) {
    box_low_[i].setConstant(-kForever);
    box_high_[i].setConstant(kForever);
    return;
  }
  const double h = at.end - at.start;
  const Vector3d first = at.c[0], last = at.position(h);
  // Between its ends a path leaves their box by no more than an eighth of the largest acceleration times h².
  const double bulge = 0.125 * h * h * ((2.0 * at.c[2]).norm() + at.variation) + reach;
  box_low_[i] = first.cwiseMin(last).array() - bulge;
  box_high_[i] = first.cwiseMax(last).array() + bulge;
}

/// The space of an obstacle at rest; everything for one that moves or has no bounds.
void SmoothEngine::Core::note_obstacle_box(int object) {
  const auto i = static_cast<std::size_t>(object);
  const Obstacle& obstacle = model_.obstacle(object);
  const double reach = bounding_radius(obstacle.shape);
  box_low_[i].setConstant(-kForever);
  box_high_[i].setConstant(kForever);
  if (obstacle.driven() || !std::isfinite(reach)) return;
  box_low_[i] = obstacle.pose.position.array() - reach;
  box_high_[i] = obstacle.pose.position.array() + reach;
  const std::vector<Vector3d> vertices = event::shape_vertices(obstacle.shape);
  if (vertices.empty()) return;
  box_low_[i].setConstant(kForever);
  box_high_[i].setConstant(-kForever);
  for (const Vector3d& vertex : vertices) {
    const Vector3d at = obstacle.pose.to_world(vertex);
    box_low_[i] = box_low_[i].cwiseMin(at);
    box_high_[i] = box_high_[i].cwiseMax(at);
  }
}

/// Whether the space that a body crosses is in front of a plane at rest, or beside an obstacle.
bool SmoothEngine::Core::clear_of(int body, int object) const {
  const auto i = static_cast<std::size_t>(body);
  const Vector3d* const plane = environment_.resting_plane(object);
  if (plane == nullptr) return apart(body, object);
  const Vector3d& normal = *plane;
  double least = -normal.dot(track(object).c[0]);
  for (int k = 0; k < 3; ++k) {
    if (normal[k] == 0.0) continue;
    least += normal[k] * (normal[k] > 0.0 ? box_low_[i][k] : box_high_[i][k]);
  }
  return least > 0.0;
}

bool SmoothEngine::Core::apart(int a, int b) const {
  const Vector3d &low_a = box_low_[static_cast<std::size_t>(a)], &high_a = box_high_[static_cast<std::size_t>(a)];
  const Vector3d &low_b = box_low_[static_cast<std::size_t>(b)], &high_b = box_high_[static_cast<std::size_t>(b)];
  return low_a.x() > high_b.x() || low_b.x() > high_a.x() || low_a.y() > high_b.y() || low_b.y() > high_a.y() ||
         low_a.z() > high_b.z() || low_b.z() > high_a.z();
}

bool SmoothEngine::Core::touching(const Unit& at, int a, int b, int feature) const {
  for (const Contact& contact : at.cluster.contacts)
    if (contact.geometry.a == a && contact.geometry.b == b && contact.geometry.feature == feature) return true;
  return false;
}

/// Whether two bodies cannot come together in that time, fast as they are.
bool SmoothEngine::Core::too_far(int a, int b, double from, double to) const {
  const Track &first = track(a), &second = track(b);
  const double reach =
      environment_.body(a).size + environment_.body(b).size + (first.speed + second.speed) * (to - from);
  return (first.position(from - first.start) - second.position(from - second.start)).squaredNorm() > reach * reach;
}

/// Everybody else, on the time that both stretches share.
void SmoothEngine::Core::look_around(int index) {
  const Unit& at = unit(index);
  if (!(at.end > at.start)) return;
  for (const int body : at.cluster.bodies) {
    for (int other = 0; other < model_.body_count(); ++other) {
      if (unit_of(other) == index || !in_play(other) || apart(body, other)) continue;
      if (!environment_.can_meet(body, other)) continue;
      const Unit& beside = unit(unit_of(other));
      const double to = std::min(at.end, beside.end);
      if (!(to > at.start) || too_far(body, other, at.start, to)) continue;
      const auto [a, b] = environment_.ordered(body, other);
      const Found found = first_contact(a, b, 0, at.start, to);
      if (!found.hit) continue;
      queue_.push({.time = found.time,
                   .order = made_++,
                   .unit = index,
                   .version = at.version,
                   .other_unit = unit_of(other),
                   .other_version = beside.version,
                   .a = a,
                   .b = b});
    }
  }
}

/// Two bodies of the unit that do not touch yet.
void SmoothEngine::Core::look_inside(Unit& at) {
  const auto& bodies = at.cluster.bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t j = i + 1; j < bodies.size(); ++j) {
      if (apart(bodies[i], bodies[j]) || too_far(bodies[i], bodies[j], at.start, at.end) ||
          !environment_.can_meet(bodies[i], bodies[j]))
        continue;
      const auto [a, b] = environment_.ordered(bodies[i], bodies[j]);
      if (touching(at, a, b, 0)) continue;
      const Found found = first_contact(a, b, 0, at.start, at.end);
      if (!found.hit || (found.time >= at.end && at.at_end != StretchEnd::nothing)) continue;
      at.end = std::min(found.time, at.end);
      at.at_end = StretchEnd::encounter;
      at.a = a;
      at.b = b;
      at.feature = 0;
    }
  }
}

void SmoothEngine::Core::look_at_obstacles(Unit& at) {
  for (const int body : at.cluster.bodies) {
    for (int b = model_.body_count(); b < model_.object_count(); ++b) {
      if (clear_of(body, b) || !environment_.can_meet(body, b)) continue;
      for (int feature = 0; feature < environment_.features(body, b); ++feature) {
        if (at.integrated && touching(at, body, b, feature)) continue;
        const Found found = first_contact(body, b, feature, at.start, at.end);
        if (!found.hit || (found.time >= at.end && at.at_end != StretchEnd::nothing)) continue;
        at.end = std::min(found.time, at.end);
        at.at_end = StretchEnd::encounter;
        at.a = body;
        at.b = b;
        at.feature = feature;
      }
    }
    for (std::size_t k = 0; k < model_.pockets.size(); ++k) {
      const Found found = first_pocket(body, model_.pockets[k], at.start, at.end);
      if (!found.hit) continue;
      at.end = std::min(found.time, at.end);
      at.at_end = StretchEnd::pocket;
      at.a = body;
      at.b = static_cast<int>(k);
    }
  }
}

SmoothEngine::Core::Found SmoothEngine::Core::first_contact(int a, int b, int feature, double from, double to) const {
  if (!(to > from)) return {to, false};
  const PairGeometry g = environment_.geometry(a, b, feature);
  const bool round =
      g.form == ContactForm::sphere_sphere || g.form == ContactForm::sphere_plane ||
      ((g.form == ContactForm::sphere_bore || g.form == ContactForm::sphere_cylinder) && stays_on_side(g, from, to));
  const Found found = round ? first_round_contact(g, from, to) : first_general_contact(g, from, to);
  // Without its dents a pair touches sooner.
  if (!found.hit || !(g.dented_a || g.dented_b)) return found;
  return first_dented_contact(g, found.time, to);
}

/// The true gap of a dented pair, looked at in samples where the shapes without dents would touch.
SmoothEngine::Core::Found SmoothEngine::Core::first_dented_contact(const PairGeometry& g, double from,
                                                                   double to) const {
  const auto gap = [&](double time) {
    const Pose b = model_.is_body(g.b) ? state_of(g.b, time).pose() : environment_.obstacle(g.b, time).place;
    return -dented_touch(model_, g, state_of(g.a, time).pose(), b).depth;
  };
  constexpr int kSamples = 8;
  double before = from, gap_before = gap(from);
  if (gap_before < 0.0) {
    // Already inside: a hit unless it is on its way out.
    return {from, gap(from + 1e-3 * (to - from)) < gap_before};
  }
  for (int k = 1; k <= kSamples; ++k) {
    const double time = from + (to - from) * k / kSamples;
    const double now = gap(time);
    if (now >= 0.0) {
      before = time;
      gap_before = now;
      continue;
    }
    double low = before, high = time;
    for (int turn = 0; turn < 60 && high - low > 1e-15 * std::abs(high); ++turn) {
      const double middle = 0.5 * (low + high);
      (gap(middle) < 0.0 ? high : low) = middle;
    }
    return {low, true};
  }
  return {to, false};
}

/// Whether a ball keeps between the ends of a bore or cylinder whose axis does not tilt.
bool SmoothEngine::Core::stays_on_side(const PairGeometry& g, double from, double to) const {
  const Vector3d axis = axis_of(g.b, from);
  const Vector3d turning = model_.is_body(g.b) ? states_[static_cast<std::size_t>(g.b)].angular_velocity
                                               : model_.obstacle(g.b).angular_velocity;
  const double spin = turning.norm();
  if (spin > 0.0 && turning.cross(axis).norm() > 1e-9 * spin) return false;
  const Track &a = track(g.a), &b = track(g.b);
  const double h = to - from;
  const Vector3d d0 = a.position(from - a.start) - b.position(from - b.start);
  const Vector3d v = a.velocity(from - a.start) - b.velocity(from - b.start);
  const double pull =
      (a.acceleration(from - a.start) - b.acceleration(from - b.start)).norm() + a.variation + b.variation;
  const double most = std::abs(axis.dot(d0)) + std::abs(axis.dot(v)) * h + 0.5 * pull * h * h;
  return most < g.half_length;
}

Eigen::Vector3d SmoothEngine::Core::axis_of(int object, double time) const {
  const Vector3d z = Vector3d::UnitZ();
  if (model_.is_body(object)) return states_[static_cast<std::size_t>(object)].orientation * z;
  return environment_.obstacle(object, time).place.orientation * z;
}

SmoothEngine::Core::Found SmoothEngine::Core::first_round_contact(const PairGeometry& g, double from, double to) const {
  const Track &a = track(g.a), &b = track(g.b);
  const double variation = 2.0 * (a.variation + b.variation);
  const double tiny = 1e-15 * (g.radius_a + g.radius_b);
  const bool axial = g.form == ContactForm::sphere_bore || g.form == ContactForm::sphere_cylinder;
  const Vector3d axis = axial ? axis_of(g.b, from) : Vector3d(Vector3d::Zero());
  double time = from;
  for (int k = 0; k < kMostAdvances; ++k) {
    Vector3d d = a.position(time - a.start) - b.position(time - b.start);
    Vector3d v = a.velocity(time - a.start) - b.velocity(time - b.start);
    const Vector3d pull = a.acceleration(time - a.start) - b.acceleration(time - b.start);
    double gap = 0.0, rate = 0.0, half_curvature = 0.0, room = kForever;
    if (g.form == ContactForm::sphere_plane) {
      gap = g.plane_normal.dot(d) - g.radius_a;
      rate = g.plane_normal.dot(v);
      half_curvature = 0.5 * (g.plane_normal.dot(pull) - variation);
    } else {
      if (axial) {
        d -= axis.dot(d) * axis;
        v -= axis.dot(v) * axis;
      }
      const double length = d.norm();
      if (length == 0.0) {
        // In the middle of a bore: nothing is near.
        const double speed = v.norm() + std::sqrt((pull.norm() + variation) * g.radius_b) + tiny;
        time += 0.25 * (g.radius_b - g.radius_a) / speed;
        if (time >= to) return {to, false};
        continue;
      }
      const Vector3d n = d / length;
      if (g.form == ContactForm::sphere_bore) {
        gap = g.radius_b - g.radius_a - length;
        rate = -n.dot(v);
        const double across = std::max(v.squaredNorm() - rate * rate, 0.0);
        half_curvature = -0.5 * (pull.norm() + variation + 2.0 * across / length);
        room = 0.5 * length / (v.norm() + 1e-300);
      } else {
        const double reach = g.form == ContactForm::sphere_sphere || g.form == ContactForm::sphere_cylinder
                                 ? g.radius_a + g.radius_b
                                 : g.radius_a;
        gap = (d.squaredNorm() - reach * reach) / (length + reach);
        rate = n.dot(v);
        half_curvature = 0.5 * (n.dot(pull) - variation);
      }
    }
    if (gap <= tiny && rate < 0.0) return {time, true};
    const double advance = std::min(event::first_descent(std::max(gap, tiny), rate, half_curvature), room);
    if (time + advance >= to) return {to, false};
    const double next = time + advance;
    if (!(next > time)) return {time, rate < 0.0};
    time = next;
  }
  return {time, true};
}

SmoothEngine::Core::Found SmoothEngine::Core::first_general_contact(const PairGeometry& g, double from,
                                                                    double to) const {
  event::Motion motions[2];
  event::Mover movers[2];
  for (const bool second : {false, true}) {
    const int object = second ? g.b : g.a;
    event::Motion& motion = motions[second ? 1 : 0];
    motion = motion_of(object, from);
    movers[second ? 1 : 0] = {second ? g.shape_b : g.shape_a, shape_kind(model_.shape(object)), &motion,
                              bounding_radius(model_.shape(object)),
                              std::holds_alternative<HalfSpace>(model_.shape(object))
                                  ? half_space_normal(model_.obstacle(object).pose)
                                  : Vector3d(Vector3d::Zero())};
  }
  double time = from;
  for (int k = 0; k < kMostAdvances; ++k) {
    const event::Stretch stretch{time, 0.0, to};
    const event::Advance found = g.form == ContactForm::part_plane
                                     ? event::first_contact_of_part(movers[0], g.part, movers[1], stretch)
                                     : event::first_contact(*g.pair, movers[0], movers[1], stretch);
    if (found.hit) return {std::max(found.time, time), found.time < to};
    if (found.time >= to || !(found.time > time)) return {to, false};
    time = found.time;
  }
  return {to, false};
}

/// An object's motion from `from` on as the search of the rigid engine wants it.
event::Motion SmoothEngine::Core::motion_of(int object, double from) const {
  event::Motion motion;
  motion.start = from;
  if (!model_.is_body(object)) {
    const Driven driven = environment_.obstacle(object, 0.0);
    motion.start = 0.0;
    motion.position = driven.place.position;
    motion.attitude = driven.place.orientation;
    motion.velocity = driven.velocity;
    motion.spin = driven.angular_velocity;
    motion.max_spin = motion.spin.norm();
    motion.turning = motion.max_spin > 0.0 ? event::Turning::uniform : event::Turning::fixed;
    return motion;
  }
  const Unit& at = unit(unit_of(object));
  const BodyInfo& info = environment_.body(object);
  const BodyState state = state_of(object, from);
  motion.position = state.position;
  motion.velocity = state.velocity;
  motion.attitude = state.orientation;
  motion.spin = state.angular_velocity;
  motion.max_spin = state.angular_velocity.norm();
  motion.acceleration = track(object).acceleration(from - track(object).start);
  if (!at.integrated) {
    if (motion.max_spin == 0.0) {
      motion.turning = event::Turning::fixed;
    } else if (info.round) {
      motion.turning = event::Turning::uniform;
    } else {
      motion.turning = event::Turning::free;
      motion.principal_axes = info.principal_axes;
      const Eigen::Quaterniond attitude = state.orientation * info.principal_axes;
      motion.rotation = std::make_shared<const FreeRotation>(
          info.inertia, RotationState{attitude, attitude.conjugate() * state.angular_velocity});
      motion.max_spin = motion.rotation->max_angular_speed();
      motion.max_spin_rate = motion.rotation->max_angular_acceleration();
    }
    return motion;
  }
  motion.turning = event::Turning::integrated;
  motion.end = at.end;
  motion.acceleration_spread = track(object).variation;
  const auto state_then = [this, object](double time) { return state_of(object, time); };
  motion.integrated = std::make_shared<StepMotion<decltype(state_then)>>(from, state_then);
  const double h = at.end - from;
  const Vector3d last = state_of(object, at.end).angular_velocity;
  const double change = (last - state.angular_velocity).norm();
  motion.max_spin = std::max(motion.max_spin, last.norm()) + change;
  motion.max_spin_rate = h > 0.0 ? 4.0 * change / h : 0.0;
  return motion;
}

SmoothEngine::Core::Found SmoothEngine::Core::first_pocket(int body, const Pocket& pocket, double from,
                                                           double to) const {
  const Track& at = track(body);
  double time = from;
  for (int k = 0; k < kMostAdvances; ++k) {
    const double tau = time - at.start;
    Vector3d d = at.position(tau) - pocket.centre;
    Vector3d v = at.velocity(tau);
    d -= pocket.axis.dot(d) * pocket.axis;
    v -= pocket.axis.dot(v) * pocket.axis;
    const double length = d.norm();
    const double gap = length - pocket.radius;
    const double rate = length > 0.0 ? d.dot(v) / length : 0.0;
    if (gap <= 1e-12 * pocket.radius) return {time, true};
    const double pull = at.acceleration(tau).dot(d) / length;
    const double advance = event::first_descent(gap, rate, 0.5 * (pull - 2.0 * at.variation));
    if (time + advance >= to) return {to, false};
    if (!(time + advance > time)) return {time, true};
    time += advance;
  }
  return {time, true};
}

}  // namespace carom
