#include "carom/engine/event/impact_building.h"

#include <algorithm>
#include <cmath>

#include "carom/engine/event/persistent_rows.h"

namespace carom::event {

using contact::tangents_of;
using contact::Vector6d;

Bodies bodies_of(const World& world, const std::vector<ContactPoint>& contacts) {
  Bodies bodies;
  for (const ContactPoint& contact : contacts) {
    bodies.push_back(as_body(contact.a));
    if (world.is_body(contact.b)) bodies.push_back(as_body(contact.b));
  }
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  return bodies;
}

namespace {

/// Velocities below this part of those at hand are none.
constexpr double kNoVelocity = 1e-15;

/// Adds all that joints connect with these bodies, and keeps them ascending.
void add_joined(const World& world, Bodies& bodies) {
  const auto has = [&](BodyIndex body) { return std::find(bodies.begin(), bodies.end(), body) != bodies.end(); };
  for (std::size_t next = 0; next < bodies.size(); ++next)
    for (const JointIndex joint : world.object(bodies[next]).joints)
      for (const BodyIndex held : world.joints().bodies(joint))
        if (held != kNone && !has(held)) bodies.push_back(held);
  std::sort(bodies.begin(), bodies.end());
}

/// From this many contacts on the laws are told which coordinates each of them knows.
constexpr std::size_t kManyKnown = 9;

bool has_slip_rows(const PairRule& rule, SlipRows kinds) {
  return kinds != SlipRows::none && (rule.rough || (kinds == SlipRows::friction && rule.resists_slip()));
}

}  // namespace

std::size_t ImpactBuilder::part_of(BodyIndex body) const {
  return static_cast<std::size_t>(std::lower_bound(bodies_.begin(), bodies_.end(), body) - bodies_.begin());
}

bool ImpactBuilder::moves_with_planes() const {
  double carried = 0.0;
  for (const Part& part : parts_) carried += part.carrier.norm() + part.carrier_spin.norm();
  return carried > 0.0 || driven_.size() > 0;
}

void ImpactBuilder::collect_bodies(World& world, const std::vector<ContactPoint>& contacts, SlipRows kinds) {
  const bool tangents = std::any_of(contacts.begin(), contacts.end(), [kinds](const ContactPoint& contact) {
    return has_slip_rows(contact.rule, kinds);
  });
  bodies_ = bodies_of(world, contacts);
  add_joined(world, bodies_);
  parts_.assign(bodies_.size(), {});
  int n = 0;
  crowded_ = rattles_ = false;
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const Object& o = world.object(bodies_[k]);
    crowded_ = crowded_ || o.crowded;
    rattles_ = rattles_ || o.rattles;
    Part& part = parts_[k];
    part.coordinate = n;
    part.has_spin = !o.round || tangents || !o.constraints.empty() || !o.joints.empty();
    n += part.has_spin ? 6 : 3;
    for (const ConstraintIndex index : o.constraints) {
      const auto* rolling = std::get_if<RollingConstraint>(&world.model().constraints[index]);
      if (rolling == nullptr) continue;
      const BodyState& plane = world.now(world.body_count() + rolling->plane);
      part.carrier = contact::point_velocity(plane, world.now(bodies_[k]).position);
      part.carrier_spin = plane.angular_velocity;
    }
  }
  problem_.metric = Matrix::Zero(n, n);
  problem_.diagonal = true;
  problem_.velocity.resize(n);
}

void ImpactBuilder::build_metric(World& world) {
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const Object& o = world.object(bodies_[k]);
    const BodyState& state = world.now(bodies_[k]);
    const Part& part = parts_[k];
    const int c = part.coordinate;
    for (int i = 0; i < 3; ++i) problem_.metric(c + i, c + i) = o.mass;
    problem_.velocity.segment<3>(c) = state.velocity - part.carrier;
    if (!part.has_spin) continue;
    for (int i = 0; i < 3; ++i) problem_.metric(c + 3 + i, c + 3 + i) = o.inertia[i];
    problem_.velocity.segment<3>(c + 3) =
        (state.orientation * o.principal_axes).conjugate() * (state.angular_velocity - part.carrier_spin);
  }
}

void ImpactBuilder::add_velocity_row(World& world, BodyIndex body, const Vector3d& point, const Vector3d& direction,
                                     double sign) {
  const BodyState& state = world.now(body);
  const Quaterniond principal = state.orientation * world.object(body).principal_axes;
  const Vector6d row = contact::velocity_row(state.position, principal, point, direction);
  const Part& part = parts_[part_of(body)];
  entries_.segment<3>(part.coordinate) += sign * row.head<3>().transpose();
  if (part.has_spin) entries_.segment<3>(part.coordinate + 3) += sign * row.tail<3>().transpose();
}

/// Few contacts are read as they are: it costs nothing.
std::array<CoordinateRange, 2> ImpactBuilder::known_coordinates(const World& world, const ContactPoint& contact) const {
  std::array<CoordinateRange, 2> known;
  if (problem_.contacts.size() < kManyKnown || problem_.persistent.rows() > 0 || eliminates_) return known;
  const auto range = [this](ObjectIndex body) {
    const Part& part = parts_[part_of(as_body(body))];
    return CoordinateRange{part.coordinate, part.has_spin ? 6 : 3};
  };
  known[0] = range(contact.a);
  if (world.is_body(contact.b)) known[1] = range(contact.b);
  if (known[1].count > 0 && known[1].first < known[0].first) std::swap(known[0], known[1]);
  return known;
}

double ImpactBuilder::fill_limit_row(World& world, const ContactPoint& contact) {
  const JointRow row = limit_row(world.joints(), contact.limit, world.states_of(contact.limit.joint));
  entries_.setZero(problem_.velocity.size());
  double offset = 0.0;
  for (std::size_t side = 0; side < 2; ++side) {
    const BodyIndex body = world.joints().bodies(contact.limit.joint)[side];
    if (body == kNone) continue;
    add_side(world, body, row.sides[side]);
    const Part& part = parts_[part_of(body)];
    offset += row.sides[side].linear.dot(part.carrier) + row.sides[side].angular.dot(part.carrier_spin);
  }
  if (driven_.size() > 0) offset += entries_.dot(driven_);
  return offset;
}

double ImpactBuilder::fill_row(World& world, const ContactPoint& contact, const Vector3d& direction) {
  const bool both = world.is_body(contact.b);
  entries_.setZero(problem_.velocity.size());
  add_velocity_row(world, as_body(contact.a), contact.point_a, direction, 1.0);
  double offset = 0.0;
  if (both) {
    add_velocity_row(world, as_body(contact.b), contact.point_b, direction, -1.0);
  } else {
    offset = -direction.dot(contact::point_velocity(world.now(contact.b), contact.point_b));
  }
  // Velocities are relative to the planes that bodies roll on.
  const auto carried = [&](BodyIndex body, const Vector3d& point) {
    const Part& part = parts_[part_of(body)];
    return direction.dot(part.carrier + part.carrier_spin.cross(point - world.now(body).position));
  };
  offset += carried(as_body(contact.a), contact.point_a);
  if (both) offset -= carried(as_body(contact.b), contact.point_b);
  if (driven_.size() > 0) offset += entries_.dot(driven_);
  return offset;
}

void ImpactBuilder::build_contact(World& world, const ContactPoint& contact, SlipRows kinds, Contact& row) {
  row.name.clear();
  row.known = known_coordinates(world, contact);
  row.offset = contact.is_limit() ? fill_limit_row(world, contact) : fill_row(world, contact, contact.normal);
  if (eliminates_) may_eliminate_ = leave_row() && may_eliminate_;
  row.normal = entries_.transpose();
  const Restitution& restitution = contact.rule.restitution;
  row.restitution = restitution.is_constant() ? restitution.at_rest()
                                              : restitution.at(-(row.normal.dot(problem_.velocity) + row.offset));
  row.tangential_restitution.reset();
  row.stiffness = 1.0;
  row.friction = 0.0;
  row.rough = false;
  if (!has_slip_rows(contact.rule, kinds)) {
    row.tangents.resize(0, 0);
    row.tangent_offsets.resize(0);
    return;
  }
  row.rough = contact.rule.rough;
  if (row.rough) {
    row.tangential_restitution =
        contact.rule.tangential_restitution ? contact.rule.tangential_restitution : row.restitution;
  } else {
    row.friction = contact.rule.friction.kinetic_friction;
  }
  row.tangents.resize(2, problem_.velocity.size());
  row.tangent_offsets.resize(2);
  int k = 0;
  for (const Vector3d& across : tangents_of(contact.normal)) {
    row.tangent_offsets[k] = fill_row(world, contact, across);
    if (eliminates_) (void)leave_row();
    row.tangents.row(k++) = entries_;
  }
}

void ImpactBuilder::keep_row() {
  constraint_rows_.push_back(entries_);
}

void ImpactBuilder::add_rolling(World& world, const RollingConstraint& rolling) {
  ContactPoint contact;
  contact.a = rolling.body;
  contact.b = world.body_count() + rolling.plane;
  const contact::PlacedPair placed = world.placed(contact);
  const Proximity near = world.pair(contact).proximity(placed.a, placed.pose_a, placed.b, placed.pose_b);
  problem_.supports.push_back(static_cast<int>(constraint_rows_.size()));
  const auto across = tangents_of(near.normal);
  for (const Vector3d& direction : {near.normal, across[0], across[1]}) {
    entries_.setZero(problem_.velocity.size());
    add_velocity_row(world, rolling.body, near.point_a, direction, 1.0);
    keep_row();
  }
}

void ImpactBuilder::add_side(World& world, BodyIndex body, const RowSide& side) {
  const int coordinate = parts_[part_of(body)].coordinate;
  const Quaterniond inverse = (world.now(body).orientation * world.object(body).principal_axes).conjugate();
  entries_.segment<3>(coordinate) += side.linear.transpose();
  entries_.segment<3>(coordinate + 3) += (inverse * side.angular).transpose();
}

void ImpactBuilder::add_joint(World& world, JointIndex joint) {
  const std::span<const BodyIndex> bodies = world.joints().bodies(joint);
  const JointStates states = world.states_of(joint);
  HeldJoint& held = joints_.emplace_back();
  held.joint = joint;
  held.first = constraint_rows_.size();
  held.lever = world.joints().lever(joint, states);
  world.joints().append_rows(joint, states, held.rows);
  for (const JointRow& row : held.rows) {
    entries_.setZero(problem_.velocity.size());
    for (std::size_t side = 0; side < bodies.size(); ++side)
      if (bodies[side] != kNone) add_side(world, bodies[side], row.sides[side]);
    keep_row();
  }
}

/// Velocities satisfy the constraints to round-off; the law guarantees that they go on doing so.
void ImpactBuilder::build_constraints(World& world) {
  problem_.supports.clear();
  constraint_rows_.clear();
  joints_.clear();
  const Eigen::Index n = problem_.velocity.size();
  for (const BodyIndex body : bodies_) {
    for (const ConstraintIndex index : world.object(body).constraints) {
      const Constraint& constraint = world.model().constraints[index];
      if (const auto* rolling = std::get_if<RollingConstraint>(&constraint)) {
        add_rolling(world, *rolling);
      } else {
        persistent_.clear();
        append_rows(constraint, world.now(body), persistent_);
        for (const JointRow& row : persistent_) {
          entries_.setZero(n);
          add_side(world, body, row.sides[0]);
          keep_row();
        }
      }
    }
  }
  for (const JointIndex joint : joined_) add_joint(world, joint);
  problem_.persistent.resize(static_cast<Eigen::Index>(constraint_rows_.size()), constraint_rows_.empty() ? 0 : n);
  for (std::size_t r = 0; r < constraint_rows_.size(); ++r)
    problem_.persistent.row(static_cast<Eigen::Index>(r)) = constraint_rows_[r];
}

/// Where motors prescribe rates c, the rows ask for A v = c. With the smallest velocity u for which A u = c (in the
/// metric) A(v − u) = 0, and the problem is posed in v − u, as it is for bodies on driven planes.
void ImpactBuilder::carry_drives() {
  driven_.resize(0);
  const auto n = static_cast<int>(problem_.velocity.size());
  const auto count = static_cast<int>(constraint_rows_.size());
  Vector rates = Vector::Zero(count);
  for (const HeldJoint& held : joints_)
    for (std::size_t k = 0; k < held.rows.size(); ++k)
      rates[static_cast<Eigen::Index>(held.first + k)] = -held.rows[k].drive;
  if (rates.isZero(0.0)) return;
  const Vector root = problem_.metric.diagonal().cwiseSqrt();
  Matrix rows = problem_.persistent;
  for (int r = 0; r < count; ++r) {
    rows.row(r) = rows.row(r).cwiseQuotient(root.transpose());
    const double length = rows.row(r).norm();
    rows.row(r) /= length;
    rates[r] /= length;
  }
  row_space_.compute(rows.data(), count, n);
  Vector move(n);
  row_space_.solve_rows(rates.data(), move.data());
  driven_ = move.cwiseQuotient(root).transpose();
  // What is round-off beside the two velocities is none: where motors prescribe all that moves nothing else is left.
  const double energy = root.cwiseProduct(problem_.velocity).norm() + move.norm();
  Vector left = root.cwiseProduct(problem_.velocity - driven_.transpose());
  row_space_.remove_component(left.data());
  problem_.velocity = left.cwiseQuotient(root);
  for (int k = 0; k < n; ++k)
    if (std::abs(problem_.velocity[k]) * root[k] <= kNoVelocity * energy) problem_.velocity[k] = 0.0;
}

std::vector<std::string> ImpactBuilder::coordinate_names(const World& world) const {
  std::vector<std::string> names(static_cast<std::size_t>(problem_.velocity.size()));
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    constexpr const char* kComponents[] = {" vx", " vy", " vz", " ω1", " ω2", " ω3"};
    for (int k = 0; k < (parts_[i].has_spin ? 6 : 3); ++k)
      names[static_cast<std::size_t>(parts_[i].coordinate + k)] = world.model().name(bodies_[i]) + kComponents[k];
  }
  return names;
}

double ImpactBuilder::motor_work(const ImpactOutcome& outcome) {
  double work = 0.0;
  if (driven_.size() == 0) return work;
  bool unique = true;
  const std::vector<double> impulses = joint_impulses(outcome, unique);
  for (const HeldJoint& held : joints_)
    for (std::size_t k = 0; k < held.rows.size(); ++k) work -= impulses[held.first + k] * held.rows[k].drive;
  return work;
}

void ImpactBuilder::build(World& world, const std::vector<ContactPoint>& contacts, SlipRows kinds) {
  collect_bodies(world, contacts, kinds);
  build_metric(world);
  collect_joints(world);
  may_eliminate_ = true;
  contact_rows_.clear();
  if (eliminates_) {
    eliminate_joints(world);
  } else {
    build_constraints(world);
    carry_drives();
  }
  build_contacts(world, contacts, kinds);
  if (may_eliminate_) return;
  eliminates_ = false;  // it is seen better with all rows together what joints fix
  build_metric(world);
  build_constraints(world);
  carry_drives();
  build_contacts(world, contacts, kinds);
}

void ImpactBuilder::build_contacts(World& world, const std::vector<ContactPoint>& contacts, SlipRows kinds) {
  problem_.contacts.resize(contacts.size());
  bool stiff = true;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    build_contact(world, contacts[i], kinds, problem_.contacts[i]);
    stiff = stiff && contacts[i].rule.stiffness.has_value();
  }
  // Relative stiffness counts only where all contacts have one.
  for (std::size_t i = 0; i < contacts.size() && stiff; ++i)
    problem_.contacts[i].stiffness = *contacts[i].rule.stiffness;
}

void ImpactBuilder::report_joints(const ImpactOutcome& outcome, EventDraft& draft) {
  bool unique = true;
  const std::vector<double> impulses = joint_impulses(outcome, unique);
  if (!unique) draft.record.flags.set(Flag::joint_forces_not_unique);
  for (const HeldJoint& held : joints_) {
    JointRecord& record = draft.add_joint(held.joint);
    for (std::size_t k = 0; k < held.rows.size(); ++k) {
      const double impulse = impulses[held.first + k];
      const RowSide& side = held.rows[k].sides[0];
      record.force += impulse * side.linear;
      record.couple += impulse * (side.angular - held.lever.cross(side.linear));
    }
  }
}

void ImpactBuilder::apply(World& world, const ImpactOutcome& outcome) const {
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const Part& part = parts_[k];
    Eigen::Matrix<double, 6, 1> v = Eigen::Matrix<double, 6, 1>::Zero();
    const int size = part.has_spin ? 6 : 3;
    for (int i = 0; i < size; ++i) {
      v[i] = outcome.velocity[static_cast<std::size_t>(part.coordinate + i)];
      if (driven_.size() > 0) v[i] += driven_[part.coordinate + i];
    }
    BodyState state = world.now(bodies_[k]);
    state.velocity = Vector3d(v[0], v[1], v[2]) + part.carrier;
    if (part.has_spin) {
      const Quaterniond principal = state.orientation * world.object(bodies_[k]).principal_axes;
      state.angular_velocity = principal * Vector3d(v[3], v[4], v[5]) + part.carrier_spin;
    }
    world.set_now(bodies_[k], state);
  }
}

}  // namespace carom::event
