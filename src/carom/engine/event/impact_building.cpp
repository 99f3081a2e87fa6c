#include "carom/engine/event/impact_building.h"

#include <algorithm>

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
  return carried > 0.0;
}

void ImpactBuilder::collect_bodies(World& world, const std::vector<ContactPoint>& contacts, SlipRows kinds) {
  const bool tangents = std::any_of(contacts.begin(), contacts.end(), [kinds](const ContactPoint& contact) {
    return has_slip_rows(contact.rule, kinds);
  });
  bodies_ = bodies_of(world, contacts);
  parts_.assign(bodies_.size(), {});
  int n = 0;
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const Object& o = world.object(bodies_[k]);
    Part& part = parts_[k];
    part.coordinate = n;
    part.has_spin = !o.round || tangents || !o.constraints.empty();
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
  return offset;
}

void ImpactBuilder::build_contact(World& world, const ContactPoint& contact, SlipRows kinds, Contact& row) {
  row.name.clear();
  row.offset = fill_row(world, contact, contact.normal);
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

/// Velocities satisfy the constraints to round-off; the law guarantees that they go on doing so.
void ImpactBuilder::build_constraints(World& world) {
  problem_.supports.clear();
  constraint_rows_.clear();
  const Eigen::Index n = problem_.velocity.size();
  for (const BodyIndex body : bodies_) {
    const Vector3d centre = world.now(body).position;
    for (const ConstraintIndex index : world.object(body).constraints) {
      const Constraint& constraint = world.model().constraints[index];
      if (const auto* rolling = std::get_if<RollingConstraint>(&constraint)) {
        add_rolling(world, *rolling);
      } else if (const auto* rod = std::get_if<RodConstraint>(&constraint)) {
        entries_.setZero(n);
        add_velocity_row(world, body, centre, (centre - rod->pivot).normalized(), 1.0);
        keep_row();
      } else {
        const auto& planar = std::get<PlanarConstraint>(constraint);
        entries_.setZero(n);
        add_velocity_row(world, body, centre, planar.normal, 1.0);
        keep_row();
        const Quaterniond inverse = (world.now(body).orientation * world.object(body).principal_axes).conjugate();
        for (const Vector3d& across : tangents_of(planar.normal)) {
          entries_.setZero(n);
          entries_.segment<3>(parts_[part_of(body)].coordinate + 3) = (inverse * across).transpose();
          keep_row();
        }
      }
    }
  }
  problem_.persistent.resize(static_cast<Eigen::Index>(constraint_rows_.size()), constraint_rows_.empty() ? 0 : n);
  for (std::size_t r = 0; r < constraint_rows_.size(); ++r)
    problem_.persistent.row(static_cast<Eigen::Index>(r)) = constraint_rows_[r];
}

void ImpactBuilder::build(World& world, const std::vector<ContactPoint>& contacts, SlipRows kinds) {
  collect_bodies(world, contacts, kinds);
  build_metric(world);
  problem_.contacts.resize(contacts.size());
  bool stiff = true;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    build_contact(world, contacts[i], kinds, problem_.contacts[i]);
    stiff = stiff && contacts[i].rule.stiffness.has_value();
  }
  // Relative stiffness counts only where all contacts have one.
  for (std::size_t i = 0; i < contacts.size() && stiff; ++i)
    problem_.contacts[i].stiffness = *contacts[i].rule.stiffness;
  build_constraints(world);
}

void ImpactBuilder::apply(World& world, const ImpactOutcome& outcome) const {
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const Part& part = parts_[k];
    const double* v = outcome.velocity.data() + part.coordinate;
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
