#include "carom/engine/event/island.h"

#include <algorithm>
#include <cmath>

#include "carom/base/assert.h"
#include "carom/contact/motion.h"
#include "carom/engine/event/island_dynamics.h"
#include "carom/engine/event/island_state.h"
#include "carom/geometry/half_width.h"
#include "carom/mechanics/attitude.h"

namespace carom::event {

using contact::ContactRates;
using contact::point_velocity;
using contact::tangents_of;
using contact::Vector6d;

namespace {

/// Displacement of the central differences, relative to size and radian.
constexpr double kDisplacement = 1e-3;
/// Within a crowded step a bit more energy is taken than its parabola says, for terms of higher order.
constexpr double kABitMore = 0.2;

}  // namespace

bool Island::dissipates() const {
  return std::any_of(contacts.begin(), contacts.end(), [](const ActiveContact& active) {
    const PairRule& rule = active.contact.rule;
    return !rule.rough && (rule.friction.static_friction > 0.0 || rule.resistance.any());
  });
}

/// Most islands have their bodies in order; where one has not, what is found is right all the same.
int Island::slot(ObjectIndex body) const {
  auto found = std::lower_bound(bodies.begin(), bodies.end(), as_body(body));
  if (found == bodies.end() || *found != as_body(body)) found = std::find(bodies.begin(), bodies.end(), as_body(body));
  return found == bodies.end() ? -1 : static_cast<int>(found - bodies.begin());
}

const JointTurns& Island::turns_of(JointIndex joint) const {
  const auto found = std::lower_bound(joints.begin(), joints.end(), joint);
  CAROM_ASSERT(found != joints.end() && *found == joint);
  return turns[static_cast<std::size_t>(found - joints.begin())];
}

/// Kinetic energies of linear velocities are parabolas, exactly; what is created on the way is, to the order of the
/// step.
double Island::Excess::slowing(double theta) const {
  const auto parabola = [theta](const double* at) {
    const double bend = 2.0 * (at[0] + at[2]) - 4.0 * at[1];
    return at[0] + theta * (at[2] - at[0] - bend * (1.0 - theta));
  };
  const double more = parabola(created) * (1.0 + kABitMore * theta * (1.0 - theta));
  if (!(more > 0.0)) return 1.0;
  const double all = parabola(kinetic);
  return more < all ? std::sqrt(1.0 - more / all) : 0.0;
}

void Island::state_at(double theta, int first, int count, double* y) const {
  const DensePolynomial motion{dense.data(), size(), time, step};
  motion.value(theta, first, count, y);
  if (const double factor = excess.slowing(theta); factor < 1.0) {
    const int bodies_end = kPerBody * static_cast<int>(bodies.size()) - first;
    for (int place = 0; place + kPerBody <= std::min(count, bodies_end); place += kPerBody)
      for (int k = 7; k < kPerBody; ++k) y[place + k] *= factor;
  }
  if (rods.empty() || !is_crowded()) return;
  for (const Rod& rod : rods) {
    const int place = kPerBody * rod.slot - first;
    if (place < 0 || place + kPerBody > count) continue;
    Eigen::Map<Vector3d> position(y + place), velocity(y + place + 7);
    const Vector3d along = (position - rod.pivot).normalized();
    position = rod.pivot + rod.length * along;
    velocity -= along.dot(velocity) * along;
  }
}

BodyState body_state(const double* y, const Quaterniond& principal_axes) {
  const Quaterniond attitude = attitude_of(y);
  BodyState state;
  state.position = position_of(y);
  state.orientation = attitude * principal_axes.conjugate();
  state.velocity = velocity_of(y);
  state.angular_velocity = attitude * spin_of(y);
  return state;
}

void write_body_state(const BodyState& state, const Quaterniond& principal_axes, double* y) {
  const Quaterniond attitude = state.orientation * principal_axes;
  Eigen::Map<Vector3d>(y + 0) = state.position;
  write_attitude(attitude, y);
  Eigen::Map<Vector3d>(y + 7) = state.velocity;
  Eigen::Map<Vector3d>(y + 10) = attitude.conjugate() * state.angular_velocity;
}

IslandDynamics::IslandDynamics(const Model& model, double tolerance)
    : model_(&model), tolerance_(tolerance), joints_(model), held_(model) {
  for (ObjectIndex i = 0; i < model.object_count(); ++i) {
    sizes_.push_back(model.is_body(i) ? body_radius(model.parts(i)) : bounding_radius(model.parts(i)));
    widths_.push_back(contact::kForever);
    for (const Part& part : model.parts(i)) widths_[i] = std::min(widths_[i], half_width(part.shape));
  }
}

const PairFunction& IslandDynamics::pair(const ContactPoint& contact) const {
  const PairFunction* found =
      find_pair(shape_kind(part(contact.a, contact.part_a).shape), shape_kind(part(contact.b, contact.part_b).shape));
  CAROM_ASSERT(found != nullptr);
  return *found;
}

BodyState IslandDynamics::object_state(const Island& island, ObjectIndex object, double time, const double* y) const {
  if (model_->is_body(object)) {
    const int slot = island.slot(object);
    CAROM_ASSERT(slot >= 0);
    return body_state(y + kPerBody * slot, model_->body(object).principal_axes);
  }
  const FrameMotion now = frame_of(model_->obstacle(object), time);
  return {now.pose.position, now.pose.orientation, now.velocity, now.angular_velocity};
}

/// Rows change with the places of obstacles as their velocities say; what their accelerations add is known exactly
/// (Row::driven). So differences are taken along uniform motion, whatever drives the obstacle.
FrameMotion IslandDynamics::frame_of(const Obstacle& obstacle, double time) const {
  if (!obstacle.motion || shift_ == 0.0) return obstacle.motion_at(time);
  FrameMotion moved = obstacle.motion_at(time - shift_);
  moved.pose.position += shift_ * moved.velocity;
  moved.pose.orientation = rotation_by(shift_ * moved.angular_velocity) * moved.pose.orientation;
  return moved;
}

void IslandDynamics::read_states(const Island& island, const ContactPoint& contact, double time, const double* y) {
  state_a_ = object_state(island, contact.a, time, y);
  state_b_ = object_state(island, contact.b, time, y);
  const bool driven = !model_->is_body(contact.b) && model_->obstacle(contact.b).motion;
  wall_ = driven ? frame_of(model_->obstacle(contact.b), time) : FrameMotion{};
}

ContactPoint IslandDynamics::follow(const Island& island, const ContactPoint& contact, double time, const double* y) {
  if (contact.is_limit()) return contact;  // the kinematics of the joint tell (add_limit_row)
  read_states(island, contact, time, y);
  return contact::followed(contact, pair(contact), placed(contact));
}

// ---------------------------------------------------------------------------------------------- forces

void IslandDynamics::add_force(int slot, const double* y, const Vector3d& force, const Vector3d& point) {
  const double* body = y + kPerBody * slot;
  double* f = force_.data() + 6 * slot;
  Eigen::Map<Vector3d>(f) += force;
  const Vector3d torque = (point - position_of(body)).cross(force);
  Eigen::Map<Vector3d>(f + 3) += attitude_of(body).conjugate() * torque;
}

void IslandDynamics::add_spring(const Island& island, const Spring& spring, const double* y) {
  const int slot_a = island.slot(spring.body_a);
  const int slot_b = spring.body_b == kNone ? -1 : island.slot(spring.body_b);
  const BodyState a = object_state(island, spring.body_a, 0.0, y);
  const Vector3d end_a = a.pose().to_world(spring.point_a);
  Vector3d end_b = spring.point_b;
  Vector3d velocity = point_velocity(a, end_a);
  if (slot_b >= 0) {
    const BodyState b = object_state(island, spring.body_b, 0.0, y);
    end_b = b.pose().to_world(spring.point_b);
    velocity -= point_velocity(b, end_b);
  }
  const Vector3d line = end_a - end_b;
  const double length = line.norm();
  // A spring of no length has no direction; its force is that of a spring of rest length zero, k·line.
  if (length == 0.0) return;
  const Vector3d along = line / length;
  const double rate = along.dot(velocity);
  const double tension = spring.stiffness * (length - spring.rest_length) + spring.damping * rate;
  damping_power_ += spring.damping * rate * rate;
  add_force(slot_a, y, -tension * along, end_a);
  if (slot_b >= 0) add_force(slot_b, y, tension * along, end_b);
}

void IslandDynamics::take_masses(const Island& island) {
  if (weighed_ == island.bodies) return;
  weighed_ = island.bodies;
  mass_.clear();
  for (const BodyIndex index : weighed_) {
    const Body& body = model_->bodies[index];
    mass_.insert(mass_.end(), {body.mass, body.mass, body.mass, body.inertia[0], body.inertia[1], body.inertia[2]});
  }
  inverse_mass_.resize(mass_.size());
  std::transform(mass_.begin(), mass_.end(), inverse_mass_.begin(), [](double mass) { return 1.0 / mass; });
}

void IslandDynamics::build_forces(const Island& island, const double* y) {
  const auto count = static_cast<int>(island.bodies.size());
  n_ = 6 * count;
  take_masses(island);
  force_.resize(static_cast<std::size_t>(n_));
  velocity_.resize(static_cast<std::size_t>(n_));
  damping_power_ = torque_power_ = acceleration_scale_ = 0.0;
  pushes_.clear();
  for (int slot = 0; slot < count; ++slot) {
    const Body& body = model_->bodies[island.bodies[static_cast<std::size_t>(slot)]];
    const double* state = y + kPerBody * slot;
    std::copy(state + 7, state + 13, velocity_.begin() + 6 * slot);
    Eigen::Map<Vector3d>(force_.data() + 6 * slot) = body.mass * model_->gravity;
    const Vector3d spin = spin_of(state);
    Eigen::Map<Vector3d>(force_.data() + 6 * slot + 3) = body.inertia.cwiseProduct(spin).cross(spin);
  }
  for (const LoadIndex index : island.loads) {
    const Load& load = model_->loads[index];
    const int slot = island.slot(load.body);
    const double* state = y + kPerBody * slot;
    const Quaterniond inverse = attitude_of(state).conjugate();
    const Vector3d spin = spin_of(state);
    Eigen::Map<Vector3d>(force_.data() + 6 * slot) += load.force - load.damping * velocity_of(state);
    Eigen::Map<Vector3d>(force_.data() + 6 * slot + 3) += inverse * load.torque - load.angular_damping * spin;
    damping_power_ += load.damping * velocity_of(state).squaredNorm() + load.angular_damping * spin.squaredNorm();
    torque_power_ += (inverse * load.torque).dot(spin);
  }
  for (const SpringIndex index : island.springs) add_spring(island, model_->springs[index], y);
  add_joint_forces(island, y);
  add_dry_forces(island, y);
  for (int slot = 0; slot < count; ++slot) {
    const Body& body = model_->bodies[island.bodies[static_cast<std::size_t>(slot)]];
    const Eigen::Map<const Vector3d> f(force_.data() + 6 * slot);
    acceleration_scale_ = std::max(acceleration_scale_, f.norm() / body.mass);
  }
}

// ------------------------------------------------------------------------------------------------ rows

void IslandDynamics::add_contact_rows(const Island& island, const ContactPoint& contact, int owner, ContactMode mode) {
  const int slot_a = island.slot(contact.a);
  const int slot_b = model_->is_body(contact.b) ? island.slot(contact.b) : -1;
  const std::optional<ContactRates> known =
      contact_rates(contact, part(contact.a, contact.part_a), state_a_, part(contact.b, contact.part_b), state_b_);
  const std::array<Vector3d, 2> across = tangents_of(contact.normal);
  if (owner >= 0) std::copy(across.begin(), across.end(), tangent_.begin() + 2 * owner);
  const Vector3d relative = point_velocity(state_a_, contact.point_a) - point_velocity(state_b_, contact.point_b);
  for (int k = 0; k < (mode == ContactMode::smooth ? 1 : 3); ++k) {
    const Vector3d direction = k == 0 ? contact.normal : across[static_cast<std::size_t>(k - 1)];
    Row row{.owner = owner,
            .touching = true,
            .normal = k == 0,
            .equation = k == 0 || mode == ContactMode::stick,
            .exact_bias = known.has_value(),
            .slots = {slot_a, slot_b, -1, -1},
            .bias = 0.0,
            .rate = 0.0,
            .wall_rate = 0.0,
            .driven = -direction.dot(wall_.acceleration +
                                     wall_.angular_acceleration.cross(contact.point_b - wall_.pose.position)),
            .motor = false,
            .gap = k == 0 ? contact.gap : 0.0,
            .size = extent_of(contact.a)};
    if (known) row.bias = direction.dot(known->velocity_rate) + (k == 0 ? known->normal_rate.dot(relative) : 0.0);
    row.bias += row.driven;
    if (slot_b < 0) row.wall_rate = -direction.dot(point_velocity(state_b_, contact.point_b));
    const auto put = [&](ObjectIndex object, int side, const BodyState& state, const Vector3d& point, double sign) {
      const Quaterniond& principal = model_->body(object).principal_axes;
      const Vector6d part = contact::velocity_row(state.position, state.orientation * principal, point, direction);
      for (int i = 0; i < 6; ++i) row.entry[static_cast<std::size_t>(6 * side + i)] = sign * part[i];
    };
    put(contact.a, 0, state_a_, contact.point_a, 1.0);
    if (slot_b >= 0) put(contact.b, 1, state_b_, contact.point_b, -1.0);
    rows_.push_back(row);
  }
}

void IslandDynamics::build_rows(const Island& island, double time, const double* y) {
  rows_.clear();
  block_ = -1;
  tangent_.resize(2 * island.contacts.size());
  for (const ConstraintIndex index : island.constraints)
    add_constraint_rows(island, model_->constraints[index], time, y);
  add_joint_rows(island, time, y);
  for (std::size_t i = 0; i < island.contacts.size(); ++i) {
    if (island.contacts[i].contact.is_limit()) {
      add_limit_row(island, static_cast<int>(i), time, y);
      continue;
    }
    const ContactPoint contact = follow(island, island.contacts[i].contact, time, y);
    add_contact_rows(island, contact, static_cast<int>(i), island.contacts[i].mode);
  }
  for (Row& row : rows_) row.rate = row.along(velocity_) + row.wall_rate;
}

void IslandDynamics::build_biases(const Island& island, double time, const double* y) {
  bool exact = true;
  for (const Row& row : rows_) exact = exact && row.exact_bias;
  if (exact) return;
  double fastest = 0.0;  // displacements per time, relative to size and radian
  for (std::size_t slot = 0; slot < island.bodies.size(); ++slot) {
    const double* state = y + kPerBody * static_cast<int>(slot);
    const double extent = extent_of(island.bodies[slot]);
    fastest = std::max({fastest, velocity_of(state).norm() / extent, spin_of(state).norm()});
  }
  for (const ActiveContact& active : island.contacts) {
    if (active.contact.is_limit() || model_->is_body(active.contact.b)) continue;
    const FrameMotion wall = model_->obstacle(active.contact.b).motion_at(time);
    const double extent = extent_of(active.contact.a);
    fastest = std::max({fastest, wall.velocity.norm() / extent, wall.angular_velocity.norm()});
  }
  if (fastest == 0.0) return;  // at rest: rows do not change
  const double h = kDisplacement / fastest;
  saved_rows_ = rows_;
  saved_tangent_ = tangent_;
  difference_.assign(rows_.size(), 0.0);
  displaced_.resize(static_cast<std::size_t>(island.size()));
  // f′ ≈ (8(f₁ − f₋₁) − (f₂ − f₋₂)) / 12h
  for (const int k : {-2, -1, 1, 2}) {
    const double weight = (k == 2 || k == -2 ? -1.0 : 8.0) * (k > 0 ? 1.0 : -1.0) / (12.0 * h);
    std::copy(y, y + island.size(), displaced_.begin());
    for (std::size_t slot = 0; slot < island.bodies.size(); ++slot) {
      double* moved = displaced_.data() + kPerBody * static_cast<int>(slot);
      Eigen::Map<Vector3d>(moved) += k * h * velocity_of(moved);
      const Quaterniond turned = attitude_of(moved) * rotation_by(k * h * spin_of(moved));
      write_attitude(turned, moved);
    }
    shift_ = k * h;
    build_rows(island, time + k * h, displaced_.data());
    shift_ = 0.0;
    for (std::size_t r = 0; r < difference_.size(); ++r) difference_[r] += weight * rows_[r].rate;
  }
  rows_.swap(saved_rows_);
  tangent_.swap(saved_tangent_);
  for (std::size_t r = 0; r < rows_.size(); ++r)
    if (!rows_[r].exact_bias) rows_[r].bias = difference_[r] + rows_[r].driven;
}

void IslandDynamics::build(const Island& island, double time, const double* y) {
  build_forces(island, y);
  build_rows(island, time, y);
  build_biases(island, time, y);
  build_resistance(island, time, y);
}

}  // namespace carom::event
