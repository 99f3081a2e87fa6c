#include "carom/engine/event/island.h"

#include <algorithm>
#include <cmath>

#include "carom/base/assert.h"
#include "carom/mechanics/attitude.h"

namespace carom::event {

namespace {

/// Displacement of the central differences, relative to size and radian.
constexpr double kDisplacement = 1e-3;
constexpr int kPerBody = Island::kPerBody;
/// Overlap of bodies with faces, relative to their size, that ends a step in which they are held by other contacts.
constexpr double kOverlap = 1e-11;

Eigen::Map<const Vector3d> position_of(const double* y) {
  return Eigen::Map<const Vector3d>(y);
}
Quaterniond attitude_of(const double* y) {
  return Quaterniond(y[3], y[4], y[5], y[6]).normalized();
}
Eigen::Map<const Vector3d> velocity_of(const double* y) {
  return Eigen::Map<const Vector3d>(y + 7);
}
Eigen::Map<const Vector3d> spin_of(const double* y) {
  return Eigen::Map<const Vector3d>(y + 10);
}

}  // namespace

int Island::slot(int body) const {
  const auto found = std::find(bodies.begin(), bodies.end(), body);
  return found == bodies.end() ? -1 : static_cast<int>(found - bodies.begin());
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
  y[3] = attitude.w();
  y[4] = attitude.x();
  y[5] = attitude.y();
  y[6] = attitude.z();
  Eigen::Map<Vector3d>(y + 7) = state.velocity;
  Eigen::Map<Vector3d>(y + 10) = attitude.conjugate() * state.angular_velocity;
}

IslandDynamics::IslandDynamics(const Model& model) : model_(&model) {}

const PairFunction& IslandDynamics::pair(int a, int b) const {
  const PairFunction* found = find_pair(shape_kind(model_->shape(a)), shape_kind(model_->shape(b)));
  CAROM_ASSERT(found != nullptr);
  return *found;
}

BodyState IslandDynamics::object_state(const Island& island, int object, double time, const double* y) const {
  if (model_->is_body(object)) {
    const int slot = island.slot(object);
    CAROM_ASSERT(slot >= 0);
    return body_state(y + kPerBody * slot, model_->bodies[static_cast<std::size_t>(object)].principal_axes);
  }
  const Obstacle& obstacle = model_->obstacle(object);
  const Pose pose = obstacle.pose_at(time);
  return {pose.position, pose.orientation, obstacle.velocity, obstacle.angular_velocity};
}

void IslandDynamics::read_states(const Island& island, const ContactPoint& contact, double time, const double* y) {
  state_a_ = object_state(island, contact.a, time, y);
  state_b_ = object_state(island, contact.b, time, y);
}

ContactPoint IslandDynamics::follow(const Island& island, const ContactPoint& contact, double time, const double* y) {
  read_states(island, contact, time, y);
  return followed(contact, pair(contact.a, contact.b), model_->shape(contact.a), state_a_.pose(),
                  model_->shape(contact.b), state_b_.pose());
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

void IslandDynamics::build_forces(const Island& island, const double* y) {
  const auto count = static_cast<int>(island.bodies.size());
  n_ = 6 * count;
  metric_.assign(static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_), 0.0);
  force_.assign(static_cast<std::size_t>(n_), 0.0);
  velocity_.resize(static_cast<std::size_t>(n_));
  damping_power_ = torque_power_ = acceleration_scale_ = 0.0;
  for (int slot = 0; slot < count; ++slot) {
    const Body& body = model_->bodies[static_cast<std::size_t>(island.bodies[static_cast<std::size_t>(slot)])];
    const double* state = y + kPerBody * slot;
    for (int k = 0; k < 6; ++k) {
      const auto row = static_cast<std::size_t>(6 * slot + k);
      metric_[row * static_cast<std::size_t>(n_) + row] = k < 3 ? body.mass : body.inertia[k - 3];
      velocity_[row] = state[7 + k];
    }
    Eigen::Map<Vector3d>(force_.data() + 6 * slot) = body.mass * model_->gravity;
    const Vector3d spin = spin_of(state);
    Eigen::Map<Vector3d>(force_.data() + 6 * slot + 3) = body.inertia.cwiseProduct(spin).cross(spin);
  }
  for (const int index : island.loads) {
    const Load& load = model_->loads[static_cast<std::size_t>(index)];
    const int slot = island.slot(load.body);
    const double* state = y + kPerBody * slot;
    const Quaterniond inverse = attitude_of(state).conjugate();
    const Vector3d spin = spin_of(state);
    Eigen::Map<Vector3d>(force_.data() + 6 * slot) += load.force - load.damping * velocity_of(state);
    Eigen::Map<Vector3d>(force_.data() + 6 * slot + 3) += inverse * load.torque - load.angular_damping * spin;
    damping_power_ += load.damping * velocity_of(state).squaredNorm() + load.angular_damping * spin.squaredNorm();
    torque_power_ += (inverse * load.torque).dot(spin);
  }
  for (const int index : island.springs) add_spring(island, model_->springs[static_cast<std::size_t>(index)], y);
  for (int slot = 0; slot < count; ++slot) {
    const Body& body = model_->bodies[static_cast<std::size_t>(island.bodies[static_cast<std::size_t>(slot)])];
    const Eigen::Map<const Vector3d> f(force_.data() + 6 * slot);
    acceleration_scale_ = std::max(acceleration_scale_, f.norm() / body.mass);
  }
}

// ------------------------------------------------------------------------------------------------ rows

double* IslandDynamics::new_row(const Row& row) {
  rows_.push_back(row);
  matrix_.resize(rows_.size() * static_cast<std::size_t>(n_), 0.0);
  double* start = matrix_.data() + (rows_.size() - 1) * static_cast<std::size_t>(n_);
  std::fill(start, start + n_, 0.0);
  return start;
}

void IslandDynamics::add_contact_rows(const Island& island, const ContactPoint& contact, int owner, bool sticks) {
  const int slot_a = island.slot(contact.a);
  const int slot_b = model_->is_body(contact.b) ? island.slot(contact.b) : -1;
  const std::optional<ContactRates> known =
      contact_rates(contact, model_->shape(contact.a), state_a_, model_->shape(contact.b), state_b_);
  const std::array<Vector3d, 2> across = tangents_of(contact.normal);
  const Vector3d relative = point_velocity(state_a_, contact.point_a) - point_velocity(state_b_, contact.point_b);
  for (int k = 0; k < (sticks ? 3 : 1); ++k) {
    const Vector3d direction = k == 0 ? contact.normal : across[static_cast<std::size_t>(k - 1)];
    Row row{
        .owner = owner, .normal = k == 0, .exact_bias = known.has_value(), .bias = 0.0, .rate = 0.0, .wall_rate = 0.0};
    if (known) row.bias = direction.dot(known->velocity_rate) + (k == 0 ? known->normal_rate.dot(relative) : 0.0);
    if (slot_b < 0) row.wall_rate = -direction.dot(point_velocity(state_b_, contact.point_b));
    double* entries = new_row(row);
    const auto put = [&](int object, int slot, const BodyState& state, const Vector3d& point, double sign) {
      const Quaterniond& principal = model_->bodies[static_cast<std::size_t>(object)].principal_axes;
      const Vector6d part = velocity_row(state.position, state.orientation * principal, point, direction);
      for (int i = 0; i < 6; ++i) entries[6 * slot + i] += sign * part[i];
    };
    put(contact.a, slot_a, state_a_, contact.point_a, 1.0);
    if (slot_b >= 0) put(contact.b, slot_b, state_b_, contact.point_b, -1.0);
  }
}

void IslandDynamics::add_constraint_rows(const Island& island, const Constraint& constraint, double time,
                                         const double* y) {
  if (const auto* rolling = std::get_if<RollingConstraint>(&constraint)) {
    ContactPoint contact;
    contact.a = rolling->body;
    contact.b = model_->body_count() + rolling->plane;
    contact = follow(island, contact, time, y);
    add_contact_rows(island, contact, -1, true);
  } else if (const auto* rod = std::get_if<RodConstraint>(&constraint)) {
    const int slot = island.slot(rod->body);
    const double* state = y + kPerBody * slot;
    const Vector3d line = position_of(state) - rod->pivot;
    const Vector3d along = line.normalized();
    const Vector3d velocity = velocity_of(state);
    const double radial = along.dot(velocity);
    double* row = new_row({.owner = -1,
                           .normal = false,
                           .exact_bias = true,
                           .bias = (velocity.squaredNorm() - radial * radial) / line.norm(),
                           .rate = 0.0,
                           .wall_rate = 0.0});
    Eigen::Map<Vector3d>(row + 6 * slot) = along;
  } else {
    const auto& planar = std::get<PlanarConstraint>(constraint);
    const int slot = island.slot(planar.body);
    const Quaterniond inverse = attitude_of(y + kPerBody * slot).conjugate();
    const Row plain{.owner = -1, .normal = false, .exact_bias = true, .bias = 0.0, .rate = 0.0, .wall_rate = 0.0};
    Eigen::Map<Vector3d>(new_row(plain) + 6 * slot) = planar.normal;
    for (const Vector3d& across : tangents_of(planar.normal))
      Eigen::Map<Vector3d>(new_row(plain) + 6 * slot + 3) = inverse * across;
  }
}

void IslandDynamics::build_rows(const Island& island, double time, const double* y) {
  rows_.clear();
  for (const int index : island.constraints)
    add_constraint_rows(island, model_->constraints[static_cast<std::size_t>(index)], time, y);
  for (std::size_t i = 0; i < island.contacts.size(); ++i) {
    const ContactPoint contact = follow(island, island.contacts[i].contact, time, y);
    add_contact_rows(island, contact, static_cast<int>(i), island.contacts[i].sticks);
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const double* row = matrix_.data() + r * static_cast<std::size_t>(n_);
    double rate = rows_[r].wall_rate;
    for (int k = 0; k < n_; ++k) rate += row[k] * velocity_[static_cast<std::size_t>(k)];
    rows_[r].rate = rate;
  }
}

void IslandDynamics::build_biases(const Island& island, double time, const double* y) {
  bool exact = true;
  for (const Row& row : rows_) exact = exact && row.exact_bias;
  if (exact) return;
  double fastest = 0.0;  // displacements per time, relative to size and radian
  for (std::size_t slot = 0; slot < island.bodies.size(); ++slot) {
    const double* state = y + kPerBody * static_cast<int>(slot);
    const double size = bounding_radius(model_->shape(island.bodies[slot]));
    fastest = std::max({fastest, velocity_of(state).norm() / size, spin_of(state).norm()});
  }
  for (const ActiveContact& active : island.contacts) {
    if (model_->is_body(active.contact.b)) continue;
    const Obstacle& wall = model_->obstacle(active.contact.b);
    const double size = bounding_radius(model_->shape(active.contact.a));
    fastest = std::max({fastest, wall.velocity.norm() / size, wall.angular_velocity.norm()});
  }
  if (fastest == 0.0) return;  // at rest: rows do not change
  const double h = kDisplacement / fastest;
  saved_rows_ = rows_;
  saved_matrix_ = matrix_;
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
      moved[3] = turned.w();
      moved[4] = turned.x();
      moved[5] = turned.y();
      moved[6] = turned.z();
    }
    build_rows(island, time + k * h, displaced_.data());
    for (std::size_t r = 0; r < difference_.size(); ++r) difference_[r] += weight * rows_[r].rate;
  }
  rows_.swap(saved_rows_);
  matrix_.swap(saved_matrix_);
  for (std::size_t r = 0; r < rows_.size(); ++r)
    if (!rows_[r].exact_bias) rows_[r].bias = difference_[r];
}

void IslandDynamics::build(const Island& island, double time, const double* y) {
  build_forces(island, y);
  build_rows(island, time, y);
  build_biases(island, time, y);
}

// ---------------------------------------------------------------------------------------------- answers

AccelerationStatus IslandDynamics::solve(const Island& island, bool unilateral) {
  bilateral_rows_.clear();
  bilateral_bias_.clear();
  normal_rows_.clear();
  normal_bias_.clear();
  tangent_rows_.clear();
  tangent_bias_.clear();
  tangent_contact_.clear();
  inertance_.assign(island.contacts.size(), 0.0);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    const double* entries = matrix_.data() + r * static_cast<std::size_t>(n_);
    const bool bilateral = !unilateral || row.owner < 0;
    auto& rows = bilateral ? bilateral_rows_ : (row.normal ? normal_rows_ : tangent_rows_);
    auto& bias = bilateral ? bilateral_bias_ : (row.normal ? normal_bias_ : tangent_bias_);
    rows.insert(rows.end(), entries, entries + n_);
    bias.push_back(row.bias);
    if (!bilateral && !row.normal) tangent_contact_.push_back(row.owner);
    if (row.owner >= 0 && row.normal) {
      double sum = 0.0;
      for (int k = 0; k < n_; ++k)
        sum += entries[k] * entries[k] / metric_[static_cast<std::size_t>(k) * static_cast<std::size_t>(n_ + 1)];
      inertance_[static_cast<std::size_t>(row.owner)] = sum;
    }
  }
  AccelerationProblem problem;
  problem.n = n_;
  problem.metric = metric_.data();
  problem.force = force_.data();
  problem.constraints = static_cast<int>(bilateral_bias_.size());
  problem.constraint_rows = bilateral_rows_.data();
  problem.constraint_bias = bilateral_bias_.data();
  problem.contacts = static_cast<int>(normal_bias_.size());
  problem.normal_rows = normal_rows_.data();
  problem.normal_bias = normal_bias_.data();
  problem.tangents = static_cast<int>(tangent_bias_.size());
  problem.tangent_rows = tangent_rows_.data();
  problem.tangent_bias = tangent_bias_.data();
  problem.tangent_contact = tangent_contact_.data();
  const AccelerationStatus status = dynamics_.solve(problem);
  // The force of a row does the work −w per time through its wall.
  wall_power_ = 0.0;
  std::size_t bilateral_row = 0, normal_row = 0, tangent_row = 0;
  for (const Row& row : rows_) {
    double force = 0.0;
    if (!unilateral || row.owner < 0) {
      force = dynamics_.constraint_force()[bilateral_row++];
    } else if (row.normal) {
      force = dynamics_.normal_force()[normal_row++];
    } else {
      force = dynamics_.tangential_force()[tangent_row++];
    }
    wall_power_ -= force * row.wall_rate;
  }
  return status;
}

AccelerationStatus IslandDynamics::solve_unilateral(const Island& island, double time, const double* y) {
  build(island, time, y);
  return solve(island, true);
}

AccelerationStatus IslandDynamics::solve_bilateral(const Island& island, double time, const double* y) {
  build(island, time, y);
  return solve(island, false);
}

Taken IslandDynamics::project_velocities(const Island& island, double time, double* y, bool bilateral) {
  build_forces(island, y);
  build_rows(island, time, y);
  if (rows_.empty()) return {};
  // G v⁺ = G v + Rᵀp with R v⁺ + w = 0 (or ≥ 0 ⟂ p): the same mathematics as for accelerations.
  double before = 0.0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(n_); ++k) {
    const double mass = metric_[k * static_cast<std::size_t>(n_ + 1)];
    force_[k] = mass * velocity_[k];
    before += 0.5 * mass * velocity_[k] * velocity_[k];
  }
  for (Row& row : rows_) row.bias = row.wall_rate;
  const AccelerationStatus status = solve(island, !bilateral);
  if (status != AccelerationStatus::solved) return {};
  double after = 0.0;
  for (int k = 0; k < n_; ++k) {
    const double moved = dynamics_.acceleration()[static_cast<std::size_t>(k)];
    after += 0.5 * metric_[static_cast<std::size_t>(k) * static_cast<std::size_t>(n_ + 1)] * moved * moved;
    y[kPerBody * (k / 6) + 7 + k % 6] = moved;
  }
  // The row forces are impulses here, and so is the "power" through the walls their work.
  return {before - after + wall_power_, wall_power_};
}

void IslandDynamics::project_positions(const Island& island, double time, double* y) {
  build_forces(island, y);
  build_rows(island, time, y);
  // Normal rows of contacts, rolling planes and rods have a gap; all others none.
  bool off = false;
  std::size_t next = 0;
  const auto gap_of = [&](Row& row, double gap, double size) {
    row.bias = gap;
    off = off || std::abs(gap) > 1e-15 * size;
  };
  for (Row& row : rows_) row.bias = 0.0;
  for (const int index : island.constraints) {
    const Constraint& constraint = model_->constraints[static_cast<std::size_t>(index)];
    if (const auto* rolling = std::get_if<RollingConstraint>(&constraint)) {
      ContactPoint contact;
      contact.a = rolling->body;
      contact.b = model_->body_count() + rolling->plane;
      gap_of(rows_[next], follow(island, contact, time, y).gap, bounding_radius(model_->shape(contact.a)));
      next += 3;
    } else if (const auto* rod = std::get_if<RodConstraint>(&constraint)) {
      const double* state = y + kPerBody * island.slot(rod->body);
      gap_of(rows_[next], (position_of(state) - rod->pivot).norm() - rod->length, rod->length);
      next += 1;
    } else {
      next += 3;
    }
  }
  for (const ActiveContact& active : island.contacts) {
    gap_of(rows_[next], follow(island, active.contact, time, y).gap, bounding_radius(model_->shape(active.contact.a)));
    next += active.sticks ? 3 : 1;
  }
  if (!off) return;
  std::fill(force_.begin(), force_.end(), 0.0);
  if (solve(island, false) != AccelerationStatus::solved) return;
  for (std::size_t slot = 0; slot < island.bodies.size(); ++slot) {
    double* state = y + kPerBody * static_cast<int>(slot);
    const double* move = dynamics_.acceleration().data() + 6 * slot;
    Eigen::Map<Vector3d>(state) += Eigen::Map<const Vector3d>(move);
    const Quaterniond turned = attitude_of(state) * rotation_by(Vector3d(move[3], move[4], move[5]));
    state[3] = turned.w();
    state[4] = turned.x();
    state[5] = turned.y();
    state[6] = turned.z();
  }
}

// ------------------------------------------------------------------------------------------------ steps

void IslandDynamics::slope(const Island& island, double time, const double* y, double* out) {
  ++evaluations;
  const AccelerationStatus status = solve_bilateral(island, time, y);
  const bool bad = status != AccelerationStatus::solved && status != AccelerationStatus::inconsistent;
  const auto count = static_cast<int>(island.bodies.size());
  for (int slot = 0; slot < count; ++slot) {
    const double* state = y + kPerBody * slot;
    double* rate = out + kPerBody * slot;
    const Quaterniond q(state[3], state[4], state[5], state[6]);
    const Quaterniond turning = q * Quaterniond(0.0, state[10], state[11], state[12]);
    for (int k = 0; k < 3; ++k) rate[k] = state[7 + k];
    rate[3] = 0.5 * turning.w();
    rate[4] = 0.5 * turning.x();
    rate[5] = 0.5 * turning.y();
    rate[6] = 0.5 * turning.z();
    for (int k = 0; k < 6; ++k)
      rate[7 + k] = bad ? std::nan("") : dynamics_.acceleration()[static_cast<std::size_t>(6 * slot + k)];
  }
  out[kPerBody * count] = damping_power_;
  out[kPerBody * count + 1] = torque_power_;
  out[kPerBody * count + 2] = wall_power_;
}

/// Whether points of the contact's pair overlap and approach that no contact of the island holds; the states of the
/// pair have been read.
bool IslandDynamics::comes_together_elsewhere(const Island& island, const ContactPoint& contact) {
  const Shape& a = model_->shape(contact.a);
  const Shape& b = model_->shape(contact.b);
  const double size = std::min(bounding_radius(a), bounding_radius(b));
  const Pose pose_a = state_a_.pose(), pose_b = state_b_.pose();
  touching_.clear();
  closed_contacts(pair(contact.a, contact.b), a, pose_a, b, pose_b, -kOverlap * size, touching_);
  for (const ContactPoint& point : touching_) {
    if (gap_rate(point, state_a_, state_b_) >= 0.0) continue;
    bool known = false;
    for (const ActiveContact& active : island.contacts) {
      if (active.contact.a != contact.a || active.contact.b != contact.b) continue;
      const ContactPoint held = followed(active.contact, pair(contact.a, contact.b), a, pose_a, b, pose_b);
      known = known || (held.point_a - point.point_a).norm() < 1e-6 * size;
    }
    if (!known) return true;
  }
  return false;
}

bool IslandDynamics::keeps_contacts(const Island& island, double time, const double* y) {
  for (const ActiveContact& active : island.contacts) {
    const ContactPoint& contact = active.contact;
    read_states(island, contact, time, y);
    const Shape& a = model_->shape(contact.a);
    const Shape& b = model_->shape(contact.b);
    if (!same_feature(contact, a, state_a_.pose(), b, state_b_.pose())) return false;
    // Bodies with faces may come together elsewhere; planes are searched for that in their own way (prediction.cpp).
    if (contact.feature != Feature::point_on_face && contact.feature != Feature::face_on_point &&
        contact.feature != Feature::edge_on_edge)
      continue;
    if (std::holds_alternative<HalfSpace>(b)) continue;
    if (comes_together_elsewhere(island, contact)) return false;
  }
  const AccelerationStatus status = solve_unilateral(island, time, y);
  if (status != AccelerationStatus::solved) return status == AccelerationStatus::inconsistent;
  for (int i = 0; i < static_cast<int>(island.contacts.size()); ++i)
    if (dynamics_.opens(i)) return false;
  return true;
}

void IslandDynamics::find_opening(Island& island) {
  island.opens = false;
  if (island.contacts.empty()) return;
  const DensePolynomial motion{island.dense.data(), island.size(), island.time, island.step};
  std::vector<double>& y = island.after;
  const std::vector<double> end = y;
  double kept = 0.0, lost = 2.0;
  for (const double theta : {0.25, 0.5, 0.75, 1.0}) {
    if (theta < 1.0) {
      motion.value(theta, 0, island.size(), y.data());
    } else {
      y = end;
    }
    if (!keeps_contacts(island, island.time + theta * island.step, y.data())) {
      lost = theta;
      break;
    }
    kept = theta;
  }
  if (lost > 1.0) return;
  for (int k = 0; k < 60 && lost - kept > 1e-15; ++k) {
    const double middle = 0.5 * (kept + lost);
    motion.value(middle, 0, island.size(), y.data());
    (keeps_contacts(island, island.time + middle * island.step, y.data()) ? kept : lost) = middle;
  }
  motion.value(lost, 0, island.size(), y.data());
  island.opens = true;
  // The polynomial holds on the part of the step that is left of it; its own step stays in `dense`.
  island.opening = lost;
}

bool IslandDynamics::take_step(Island& island, double horizon, double tolerance) {
  const int size = island.size();
  double fastest = 0.0, largest = 0.0;
  std::vector<double>& scale = displaced_;
  scale.assign(static_cast<std::size_t>(size), 1.0);
  build_forces(island, island.state.data());
  for (std::size_t slot = 0; slot < island.bodies.size(); ++slot) {
    const double* state = island.state.data() + kPerBody * static_cast<int>(slot);
    const double radius = bounding_radius(model_->shape(island.bodies[slot]));
    largest = std::max(largest, radius);
    fastest = std::max(
        {fastest, velocity_of(state).norm(), spin_of(state).norm() * radius, std::sqrt(acceleration_scale_ * radius)});
  }
  if (fastest == 0.0) fastest = largest;
  double mass = 0.0;
  for (std::size_t slot = 0; slot < island.bodies.size(); ++slot) {
    double* part = scale.data() + kPerBody * static_cast<int>(slot);
    const double radius = bounding_radius(model_->shape(island.bodies[slot]));
    mass += model_->bodies[static_cast<std::size_t>(island.bodies[slot])].mass;
    for (int k = 0; k < 3; ++k) {
      part[k] = radius;
      part[7 + k] = fastest;
      part[10 + k] = fastest / radius;
    }
  }
  for (int k = 0; k < Island::kIntegrals; ++k) scale[static_cast<std::size_t>(size - 1 - k)] = mass * fastest * fastest;
  collocation_.resize(size);
  collocation_.set_scale(scale.data());
  collocation_.set_tolerance(tolerance);
  island.after.resize(static_cast<std::size_t>(size));
  double h = island.next_step > 0.0 ? island.next_step : 0.02 * largest / fastest;
  const double smallest = 1e-15 * std::max(std::abs(island.time), 1e-3 * largest / fastest);
  for (;;) {
    const bool whole = island.time + h >= horizon;
    const double size_of_step = whole ? horizon - island.time : h;
    if (!(size_of_step > 0.0)) return false;
    const CollocationResult result =
        collocation_.step([&](double time, const double* y, double* out) { slope(island, time, y, out); }, island.time,
                          island.state.data(), size_of_step, island.after.data());
    const double factor = GaussCollocation::step_factor(result);
    if (result.converged && result.error <= 1.0) {
      ++accepted;
      island.step = size_of_step;
      // A step that the horizon cut says nothing against the size before it.
      if (!whole || factor < 1.0) {
        island.next_step = size_of_step * factor;
      } else {
        island.next_step = std::max(h, size_of_step * factor);
      }
      break;
    }
    ++rejected;
    h = size_of_step * std::min(factor, 0.5);
    if (h < smallest) return false;
  }
  (void)collocation_.dense().copied_to(island.dense);
  island.opening = 1.0;
  find_opening(island);
  // Back onto the contacts; what that takes is booked.
  std::vector<double>& y = island.after;
  const double end = island.end();
  const auto potential = [&] {
    double sum = 0.0;
    for (std::size_t slot = 0; slot < island.bodies.size(); ++slot) {
      const Body& body = model_->bodies[static_cast<std::size_t>(island.bodies[slot])];
      sum -= body.mass * model_->gravity.dot(position_of(y.data() + kPerBody * static_cast<int>(slot)));
    }
    return sum;
  };
  for (std::size_t slot = 0; slot < island.bodies.size(); ++slot) {
    double* state = y.data() + kPerBody * static_cast<int>(slot);
    const Quaterniond q = attitude_of(state);
    state[3] = q.w();
    state[4] = q.x();
    state[5] = q.y();
    state[6] = q.z();
  }
  const double before = potential();
  project_positions(island, end, y.data());
  const double lifted = before - potential();
  island.put_back = project_velocities(island, end, y.data(), true);
  island.put_back.cut_off += lifted;
  return true;
}

}  // namespace carom::event
