#include "carom/engine/event/world.h"

#include <algorithm>
#include <limits>

#include "carom/base/assert.h"
#include "carom/contact/driven_path.h"

namespace carom::event {

using contact::Turning;

namespace {

contact::CellGrid grid_of(const Model& model, const State& initial) {
  std::vector<double> radii;
  std::vector<Vector3d> positions;
  for (const BodyIndex body : model.bodies.indices()) {
    radii.push_back(body_radius(model.bodies[body].parts));
    positions.push_back(initial.bodies[body].position);
  }
  contact::CellGrid grid(radii, positions);
  for (const BodyIndex body : model.bodies.indices()) grid.insert(body, positions[body.slot()]);
  return grid;
}

/// The movers of an object's parts; `normal` is that of a plane.
void add_parts(Object& object, const Parts& parts, const Vector3d& normal) {
  for (const Part& part : parts) {
    const Pose* const placement = is_identity(part.placement) ? nullptr : &part.placement;
    object.parts.push_back(
        {&part.shape, shape_kind(part.shape), &object.motion, bounding_radius(part), normal, placement});
  }
}

Flight flight_of(const Object& o) {
  const Motion& motion = o.motion;
  return {.position = motion.position,
          .velocity = motion.velocity,
          .acceleration = motion.acceleration,
          .start = motion.start,
          .start_carry = motion.start_carry,
          .radius = o.size,
          .end = motion.end,
          .spread = motion.acceleration_spread,
          .exact = motion.in_closed_form()};
}

}  // namespace

World::World(std::shared_ptr<const Model> model, const State& initial)
    : model_(std::move(model)),
      shapes_(model_),
      meeting_(*model_),
      joints_(*model_),
      grid_(grid_of(*model_, initial)),
      time_(initial.time) {
  objects_.resize(static_cast<std::size_t>(model_->object_count()) + 1);  // the ground is the last
  objects_[ground()].size = std::numeric_limits<double>::infinity();
  flights_.resize(model_->bodies.size());
  states_.resize(objects_.size());
  state_instant_.assign(objects_.size(), 0);
  add_bodies(initial);
  add_obstacles();
  add_couplings();
  for (const JointIndex joint : model_->joints.indices()) {
    turns_.push_back(model_->joints[joint].start);
    limits_.push_back(limits_of(*model_, joint));
  }
  if (!initial.turns.empty()) turns_ = initial.turns;
  progress_ = ScriptProgress(*model_, time_, [this](const Level& level) { return level_after(level, 0.0); });
  std::uint64_t parts = 0;
  for (const Object& object : objects_) {
    parts_before_.push_back(parts);
    parts += object.parts.size();
  }
}

World::World(const World& other)
    : model_(other.model_),
      shapes_(other.shapes_),
      progress_(other.progress_),
      meeting_(other.meeting_),
      joints_(other.joints_),
      turns_(other.turns_),
      limits_(other.limits_),
      objects_(other.objects_),
      flights_(other.flights_),
      grid_(other.grid_),
      time_(other.time_),
      carry_(other.carry_),
      instant_(other.instant_),
      states_(other.states_),
      state_instant_(other.state_instant_),
      moving_(other.moving_),
      parts_before_(other.parts_before_),
      apart_(other.apart_) {
  for (Object& object : objects_)
    for (Mover& part : object.parts) part.motion = &object.motion;
}

void World::add_bodies(const State& initial) {
  moving_ = body_count();
  for (const BodyIndex i : bodies()) {
    const Body& body = model_->bodies[i];
    const BodyState& state = initial.bodies[i];
    Object& o = objects_[i];
    o.size = body_radius(body.parts);
    o.mass = body.mass;
    o.inertia = body.inertia;
    o.principal_axes = body.principal_axes;
    o.round = only_shape<Sphere>(body.parts) != nullptr && body.inertia.maxCoeff() == body.inertia.minCoeff();
    o.free_acceleration = model_->gravity;
    for (const Part& part : body.parts) o.pieces.push_back(contact::pieces_of(part.shape));
    o.motion.start = time_;
    o.motion.position = state.position;
    o.motion.velocity = state.velocity;
    o.motion.attitude = state.orientation.normalized();
    o.motion.spin = state.angular_velocity;
    o.motion.turning = Turning::uniform;  // until the engine starts
    o.motion.max_spin = state.angular_velocity.norm();
    add_parts(o, body.parts, Vector3d::Zero());
    flights_[i] = flight_of(o);
  }
}

void World::add_obstacles() {
  for (const ObjectIndex i : obstacles()) {
    const Obstacle& obstacle = model_->obstacle(i);
    Object& o = objects_[i];
    o.size = bounding_radius(obstacle.parts);
    o.motion = contact::motion_of(obstacle);
    add_parts(o, obstacle.parts,
              is_plane(obstacle.parts) ? half_space_normal(obstacle.pose) : Vector3d(Vector3d::Zero()));
  }
}

void World::add_couplings() {
  for (const LoadIndex k : model_->loads.indices()) {
    const Load& load = model_->loads[k];
    Object& o = objects_[load.body];
    o.loads.push_back(k);
    o.free_acceleration += load.force / o.mass;
    o.integrated = o.integrated || load.damping > 0.0 || load.angular_damping > 0.0 || !load.torque.isZero(0.0);
  }
  for (const SpringIndex k : model_->springs.indices()) {
    for (const BodyIndex body : {model_->springs[k].body_a, model_->springs[k].body_b}) {
      if (body == kNone) continue;
      objects_[body].springs.push_back(k);
      objects_[body].integrated = true;
    }
  }
  for (const ConstraintIndex k : model_->constraints.indices()) {
    const Constraint& constraint = model_->constraints[k];
    const BodyIndex body = std::visit([](const auto& typed) { return typed.body; }, constraint);
    objects_[body].constraints.push_back(k);
    if (std::holds_alternative<RodConstraint>(constraint)) objects_[body].integrated = true;
  }
  for (const JointIndex k : model_->joints.indices()) {
    if (model_->joints[k].released) continue;
    for (const BodyIndex body : joints_.bodies(k)) {
      if (body == kNone) continue;
      Object& o = objects_[body];
      if (o.joints.empty() || o.joints.back() != k) o.joints.push_back(k);
      o.integrated = true;
    }
  }
}

JointTurns World::turns(JointIndex joint, const Indexed<BodyIndex, BodyState>& bodies) const {
  const JointStates states = joints_.states(
      joint, time_, [&](BodyIndex body) -> const BodyState& { return bodies[body]; },
      [&](JointIndex other) -> const JointTurns& { return turns_[other]; });
  return joints_.turns(joint, states);
}

JointStates World::states_of(JointIndex joint) {
  return joints_.states(
      joint, time_, [&](BodyIndex body) -> const BodyState& { return now(body); },
      [&](JointIndex other) -> const JointTurns& { return turns_[other]; });
}

void World::note_turns(const Bodies& bodies) {
  for (const BodyIndex body : bodies) {
    for (const JointIndex joint : objects_[body].joints) turns_[joint] = joints_.turns(joint, states_of(joint));
  }
}

const PairFunction& World::pair(const Mover& a, const Mover& b) {
  const PairFunction* found = find_pair(a.kind, b.kind);
  CAROM_ASSERT(found != nullptr);
  return *found;
}

// ------------------------------------------------------------------------------------------- the present instant

void World::move_to(double time, double carry) {
  if (time > time_ || (time == time_ && carry > carry_)) {
    time_ = time;
    carry_ = carry;
    ++instant_;
  }
}

const BodyState& World::now(ObjectIndex index) {
  if (state_instant_[index] != instant_) {
    state_instant_[index] = instant_;
    const Motion& motion = objects_[index].motion;
    states_[index] = motion.turning == Turning::driven
                         ? contact::DrivenPath(model_->obstacle(index), time_, carry_).after(0.0)
                         : motion.at(time_, carry_);
  }
  return states_[index];
}

void World::set_now(BodyIndex body, const BodyState& state) {
  state_instant_[body] = instant_;
  states_[body] = state;
}

const BodyState* World::known_at(BodyIndex body, double time) const {
  return time == time_ && state_instant_[body] == instant_ ? &states_[body] : nullptr;
}

double World::kinetic_energy(const Bodies& bodies) {
  double sum = 0.0;
  for (const BodyIndex body : bodies) sum += kinetic_energy(body, now(body));
  return sum;
}

double World::kinetic_energy(BodyIndex body, const BodyState& state) const {
  const Object& o = object(body);
  const double linear = 0.5 * o.mass * state.velocity.squaredNorm();
  if (state.angular_velocity.isZero(0.0)) return linear;
  const Vector3d spin = (state.orientation * o.principal_axes).conjugate() * state.angular_velocity;
  return linear + 0.5 * o.inertia.dot(spin.cwiseAbs2());
}

Vector3d World::wall_acceleration(const ContactPoint& contact) const {
  if (contact.is_limit() || is_body(contact.b) || !model_->obstacle(contact.b).motion) return Vector3d::Zero();
  return model_->obstacle(contact.b).motion_at(time_).acceleration_of(contact.point_b);
}

contact::PlacedPair World::placed(const ContactPoint& contact) {
  const Mover& a = part(contact.a, contact.part_a);
  const Mover& b = part(contact.b, contact.part_b);
  return {*a.shape, a.pose(now(contact.a)), *b.shape, b.pose(now(contact.b))};
}

contact::SeparatingDirection& World::apart(ObjectIndex a, int part_a, ObjectIndex b, int part_b) {
  const std::uint64_t first = parts_before_[a] + static_cast<std::uint64_t>(part_a);
  const std::uint64_t second = parts_before_[b] + static_cast<std::uint64_t>(part_b);
  return apart_.try_emplace(first << 32 | second, Vector3d::Zero()).first->second;
}

ContactPoint World::followed_now(const ContactPoint& contact) {
  if (contact.is_limit()) return limit_now(contact.limit);
  return contact::followed(contact, pair(contact), placed(contact));
}

Flight World::flight_now(BodyIndex body) {
  Flight flight = flights_[body];
  if (flight.exact) {
    const double tau = flight.since(time_, carry_);
    flight.position = flight.position_after(tau);
    flight.velocity = flight.velocity_after(tau);
  } else {
    flight.position = now(body).position;
    flight.velocity = now(body).velocity;
  }
  flight.start = time_;
  flight.start_carry = carry_;
  return flight;
}

// ------------------------------------------------------------------------------------------------- motion

void World::note_motion(BodyIndex body) {
  Object& o = objects_[body];
  ++o.version;
  // Motions that begin at one instant are one.
  const double before = o.motion.start - flights_[body].start;
  const double lasted = before > 0.0 ? before : flights_[body].lasted;
  flights_[body] = flight_of(o);
  flights_[body].lasted = lasted;
  if (!grid_.single() && !grid_.inside(body, o.motion.position)) grid_.move(body, o.motion.position);
  const bool in_place = o.motion.in_closed_form() && o.motion.velocity.isZero(0.0) &&
                        o.motion.acceleration.isZero(0.0) && o.motion.max_spin_rate == 0.0 &&
                        (o.round || o.motion.max_spin == 0.0);
  moving_ += static_cast<int>(o.in_place) - static_cast<int>(in_place);
  o.in_place = in_place;
  o.at_rest = in_place && o.motion.max_spin == 0.0;
}

bool World::is_moving(ObjectIndex obstacle) const {
  if (obstacle == ground()) return false;
  const Obstacle& wall = model_->obstacle(obstacle);
  return wall.motion ? time_ < wall.motion->still_from() : wall.driven();
}

void World::set_motion(BodyIndex body, const Motion& motion, bool crowded) {
  objects_[body].motion = motion;
  objects_[body].crowded = crowded;
  objects_[body].from_heap = objects_[body].from_heap || crowded;
  note_motion(body);
}

void World::fly(BodyIndex body) {
  Object& o = objects_[body];
  const BodyState& state = now(body);
  Motion& motion = o.motion;
  motion.start = time_;
  motion.start_carry = carry_;
  motion.end = contact::kForever;
  motion.position = state.position;
  motion.velocity = state.velocity;
  motion.acceleration = o.free_acceleration;
  motion.acceleration_spread = 0.0;
  motion.attitude = state.orientation;
  motion.spin = state.angular_velocity;
  motion.spin_rate.setZero();
  motion.integrated.reset();
  o.crowded = false;
  motion.max_spin_rate = 0.0;
  if (state.angular_velocity.isZero(0.0)) {
    motion.turning = Turning::fixed;
    motion.max_spin = 0.0;
  } else if (o.round) {
    motion.turning = Turning::uniform;
    motion.max_spin = state.angular_velocity.norm();
  } else {
    motion.turning = Turning::free;
    motion.principal_axes = o.principal_axes;
    const Quaterniond attitude = state.orientation * o.principal_axes;
    motion.rotation = std::make_shared<const FreeRotation>(
        o.inertia, RotationState{attitude, attitude.conjugate() * state.angular_velocity});
    motion.max_spin = motion.rotation->max_angular_speed();
    motion.max_spin_rate = motion.rotation->max_angular_acceleration();
  }
  note_motion(body);
}

void World::stop(BodyIndex body, bool crowded, const Vector3d& spin) {
  Motion motion;
  motion.start = time_;
  motion.start_carry = carry_;
  motion.position = now(body).position;
  motion.attitude = now(body).orientation;
  motion.spin = spin;
  motion.turning = spin.isZero(0.0) ? Turning::fixed : Turning::uniform;
  motion.max_spin = spin.norm();
  set_motion(body, motion, crowded);
  BodyState& state = states_[body];
  state.velocity.setZero();
  state.angular_velocity = spin;
}

}  // namespace carom::event
