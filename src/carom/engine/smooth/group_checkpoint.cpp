/// What the groups of the compliant engine go on from, class by class: each names all its members, and says which are
/// constant or are computed anew.

#include "carom/engine/smooth/group_checkpoint.h"

#include "carom/engine/archived_types.h"
#include "carom/engine/smooth/group_list.h"
#include "carom/engine/smooth/limit_contacts.h"
#include "carom/numerics/stepper/integrators.h"

namespace carom::smooth {

static void transfer(Archive& archive, GroupScale& scale) {
  auto& [contact_time, speed, depth] = scale;
  archive(contact_time, speed, depth);
}

static void transfer(Archive& archive, StretchEnd& end) {
  auto& [kind, contact, a, b, feature, pocket, limit, normal] = end;
  archive(kind, contact, a, b, feature, pocket, limit, normal);
}

static void transfer(Archive& archive, BodyMotion& motion) {
  auto& [position, velocity, spin, attitude, force, torque] = motion;
  archive(position, velocity, spin, attitude, force, torque);
}

static void transfer(Archive& archive, GroupLayout::Slot& slot) {
  auto& [body, rest, began, attitude, spin] = slot;
  archive(body, rest, began, attitude, spin);
}

// ------------------------------------------------------------------------------------------------- contacts

namespace {

/// Forces that a program brings are found again by the pair of materials (ContactLaws::bring_own_forces).
void transfer_forces(Archive& archive, Contact& contact) {
  auto& [stiffness, exponent, damping, damping_exponent, own_force, own_contact] = contact.normal;
  archive(stiffness, exponent, damping, damping_exponent);
  auto& [own_stiffness, own_mass, approach_speed, restitution] = own_contact;
  archive(own_stiffness, own_mass, approach_speed, restitution);
  auto& [kind, mu, kinetic, speed, end_speed, decay, saturation, spring_stiffness, spring_damping, own_friction] =
      contact.friction;
  archive(kind, mu, kinetic, speed, end_speed, decay, saturation, spring_stiffness, spring_damping);
  auto& [rolling, spinning, rate] = contact.resistance;
  archive(rolling, spinning, rate);
}

/// Who touches where, and what is kept of that; everything else of a geometry follows from the model.
void transfer_geometry(Archive& archive, const Environment& environment, Contact& contact) {
  archive(contact.limit);
  PairGeometry& geometry = contact.geometry;
  ObjectIndex a = geometry.a, b = geometry.b;
  FeatureCode feature = geometry.feature;
  double late = geometry.late;
  KnownNormal known = geometry.known;
  double arc_end = geometry.arc_end;
  archive(a, b, feature, late, known.normal, known.depth, arc_end);
  if (!archive.loads()) return;
  geometry =
      contact.is_limit() ? limit_geometry(environment.model(), contact.limit) : environment.geometry(a, b, feature);
  geometry.late = late;
  geometry.known = known;
  geometry.arc_end = arc_end;
}

}  // namespace

void transfer_contacts(Archive& archive, const Environment& environment, std::vector<Contact>& contacts) {
  std::vector<char> marks(contacts.size(), 0);  // as many as there are contacts
  archive(marks);
  if (archive.loads()) contacts.resize(marks.size());
  for (Contact& one : contacts) {
    auto& [geometry, slot_a, slot_b, limit, arm, normal, friction, resistance, plain, held, round, dented, has_friction,
           has_resistance, has_spring, ever_clamped, pressed, law_pair, reduced_mass, share, approach, onset, began,
           first_rate, energy_before, deepest, gap, rate, impulse, damping_work, friction_work, tangential_impulse,
           stretch, extra, peak_force, peak_time] = one;
    transfer_geometry(archive, environment, one);
    transfer_forces(archive, one);
    archive(slot_a, slot_b, arm, plain, held, round, dented, has_friction, has_resistance, has_spring, ever_clamped,
            pressed, law_pair, reduced_mass, share, approach, onset, began, first_rate, energy_before, deepest, gap,
            rate, impulse, damping_work, friction_work, tangential_impulse, stretch, extra, peak_force, peak_time);
  }
}

// ------------------------------------------------------------------------------------------------- equations of motion

void GroupLayout::transfer(Archive& archive) {
  auto& [environment, slots, count, size] = *this;
  archive(slots, count, size);
}

void BodyConstraints::transfer(Archive& archive, const Environment& environment) {
  auto& [constant, body, plane_offset, rolling_height] = *this;
  archive(body, plane_offset, rolling_height);
  if (archive.loads()) constant = &environment;
}

/// What rows there are follows from bodies and modes (begin, lay_out); their entries are filled in when they are used.
void GroupJoints::transfer(Archive& archive) {
  auto& [environment, joints, held_bodies, dry, limits, states, rotations, twists, changes, rows, system, tree,
         tree_fits, forces_wanted, pushes, residual, taken, watch, rank] = *this;
  for (HeldJoint& held : joints) archive(held.turns);
  for (DryCoordinate& one : dry) {
    auto& [joint, coordinate, mode, driven, blocked, held, row] = one;
    archive(mode, blocked, held);
  }
  if (archive.loads()) lay_out();
  JointSystem::Decision decision = system.decision();
  archive(decision);
  if (archive.loads()) system.set_decision(decision);
  archive(forces_wanted, residual, taken, watch, rank);
}

void GroupDynamics::transfer(Archive& archive, bool integrated) {
  archive(bodies);
  transfer_contacts(archive, *environment_, contacts);
  archive(layout_, motions_, constrained_, linearises_);
  std::vector<char> marks(constraints_.size(), 0);  // as many as there are
  archive(marks);
  if (archive.loads()) constraints_.resize(marks.size());
  for (BodyConstraints& constraints : constraints_) constraints.transfer(archive, *environment_);
  if (archive.loads()) other_forces_.begin(bodies);
  // Linearised contacts, scratch_ and obstacles_ are computed anew.
  if (!environment_->has_joints() || !integrated) return;
  if (archive.loads()) {
    if (constraints_.size() < bodies.size()) Archive::refuse("bodies of a group have no constraints");
    const Indexed<JointIndex, JointTurns> turns(environment_->model().joints.size());
    joints_->begin(bodies, constraints_, turns);
  }
  archive(*joints_);
}

// ------------------------------------------------------------------------------------------------- groups

void Group::transfer(Archive& archive, const Environment& environment) {
  // sample_ is a cache of the last answer.
  archive(version, start, end, integrated, alive, asleep, at_end, next_step, steps_since_scale, slow_since, scale,
          tolerances, y);
  dynamics.transfer(archive, integrated && alive);
  bool has_stepper = stepper != nullptr;
  archive(has_stepper);
  if (!has_stepper) return;
  const SmoothOptions& options = environment.options();
  if (archive.loads()) stepper = make_stepper(options.integrator, {.step = options.step});
  stepper->transfer(archive, dynamics);
}

void GroupList::transfer(Archive& archive) {
  archive.section("groups");
  auto& [environment, groups, unused, unused_with_stepper, group_of] = *this;
  std::vector<char> marks(groups.size(), 0);  // as many as there are groups
  archive(marks, unused, unused_with_stepper, group_of);
  if (archive.loads()) {
    groups.clear();
    for (std::size_t i = 0; i < marks.size(); ++i) groups.push_back(std::make_unique<Group>(*environment));
  }
  for (const std::unique_ptr<Group>& group : groups) group->transfer(archive, *environment);
}

}  // namespace carom::smooth
