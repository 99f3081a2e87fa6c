#include "carom/engine/archived_types.h"

namespace carom {

void transfer(Archive& archive, BodyState& state) {
  auto& [position, orientation, velocity, angular_velocity] = state;
  archive(position, orientation, velocity, angular_velocity);
}

void transfer(Archive& archive, JointLoad& load) {
  auto& [force, couple, unique] = load;
  archive(force, couple, unique);
}

void transfer(Archive& archive, ContactLoad& load) {
  auto& [a, b, point, normal, force, friction, couple, mode] = load;
  archive(a, b, point, normal, force, friction, couple, mode);
}

void transfer(Archive& archive, State& state) {
  auto& [time, bodies, turns, joint_loads, contact_loads] = state;
  archive(time, bodies, turns, joint_loads, contact_loads);
}

void transfer(Archive& archive, Energy& energy) {
  auto& [kinetic, gravity, springs, loads, contacts] = energy;
  archive(kinetic, gravity, springs, loads, contacts);
}

void transfer(Archive& archive, EnergyBook& book) {
  auto& [initial, impacts, damping, cut_off, contacts, friction, swallowed, wall, torque, motor, now] = book;
  archive(initial, impacts, damping, cut_off, contacts, friction, swallowed, wall, torque, motor, now);
}

void transfer(Archive& archive, Flags& flags) {
  std::uint32_t bits = flags.bits();
  archive(bits);
  if (!archive.loads()) return;
  flags.clear();
  for (std::uint32_t bit = 1; bit != 0; bit <<= 1U)
    if ((bits & bit) != 0) flags.set(static_cast<Flag>(bit));
}

void transfer(Archive& archive, LimitIndex& limit) {
  auto& [joint, coordinate, side] = limit;
  archive(joint, coordinate, side);
}

void transfer(Archive& archive, Coulomb& friction) {
  auto& [at_rest, kinetic] = friction;
  archive(at_rest, kinetic);
}

void transfer(Archive& archive, TurningResistance& resistance) {
  auto& [rolling, spinning, rolling_speed] = resistance;
  archive(rolling, spinning, rolling_speed);
}

void transfer(Archive& archive, PowerRestitution& law) {
  auto& [e0, v0, exponent] = law;
  archive(e0, v0, exponent);
}

void transfer(Archive& archive, RestitutionTable& law) {
  auto& [speeds, values] = law;
  archive(speeds, values);
}

void transfer(Archive& archive, Restitution& restitution) {
  double constant = restitution.at_rest();
  bool varies = restitution.law() != nullptr;
  archive(constant, varies);
  Restitution::Law law;
  if (varies && !archive.loads()) law = *restitution.law();
  if (varies) archive(law);
  if (archive.loads()) restitution = varies ? Restitution(std::move(law)) : Restitution(constant);
}

void transfer(Archive& archive, PairRule& rule) {
  auto& [restitution, rough, stiffness, friction, tangential_restitution, resistance] = rule;
  archive(restitution, rough, stiffness, friction, tangential_restitution, resistance);
}

void transfer(Archive& archive, Failure& failure) {
  auto& [reason, time, bodies] = failure;
  archive(reason, time, bodies);
}

void transfer(Archive& archive, Collapse& collapse) {
  auto& [a, b, time, impacts] = collapse;
  archive(a, b, time, impacts);
}

void transfer(Archive& archive, CompliantReport::Swallowed& swallowed) {
  auto& [body, pocket] = swallowed;
  archive(body, pocket);
}

void transfer(Archive& archive, CompliantReport::LawWork& work) {
  auto& [law, dissipated] = work;
  archive(law, dissipated);
}

void transfer(Archive& archive, CompliantReport& report) {
  auto& [integrator, started, clamped, approach, deepest, drift, before, after, settled, swallowed, works, warnings] =
      report;
  archive(integrator, started, clamped, approach, deepest, drift, before, after, settled, swallowed, works, warnings);
}

void transfer(Archive& archive, RunResult& result) {
  auto& [stop, failure, guarantee, impacts, multiple, of_several, collapses, first_collapse, opened, accepted, rejected,
         evaluations, flags, compliant, energy, final_state] = result;
  archive(stop, failure, guarantee, impacts, multiple, of_several, collapses, first_collapse, opened, accepted,
          rejected, evaluations, flags, compliant, energy, final_state);
}

// ------------------------------------------------------------------------------------------------- scripts

void transfer(Archive& archive, ReleaseJoint& release) {
  auto& [joint] = release;
  archive(joint);
}

void transfer(Archive& archive, SwitchMotor& change) {
  auto& [joint, coordinate, force, speed] = change;
  archive(joint, coordinate, force, speed);
}

void transfer(Archive& archive, ScriptChange& change) {
  auto& [action, time, place] = change;
  archive(action, time, place);
}

void transfer(Archive& archive, ScriptProgress& progress) {
  auto& [has_happened, impacts, holds, is_on] = progress;
  archive(has_happened, impacts, holds, is_on);
}

void transfer_changes(Archive& archive, std::shared_ptr<const Model>& model) {
  std::vector<ScriptChange> changes = model->changes;
  archive(changes);
  // What is noted in a model that somebody began anew with (ScriptProgress::noted_in).
  std::vector<char> has_happened, until_apart;
  std::vector<int> impacts;
  for (const ScriptedEvent& event : model->script) {
    has_happened.push_back(event.has_happened ? 1 : 0);
    impacts.push_back(event.impacts);
  }
  for (const ContactSwitch& each : model->switches) until_apart.push_back(each.until_apart ? 1 : 0);
  archive(has_happened, impacts, until_apart);
  if (!archive.loads()) return;
  const auto is_joint = [&](JointIndex joint) { return joint >= 0 && joint.slot() < model->joints.size(); };
  for (const ScriptChange& change : changes)
    if (!std::visit([&](const auto& action) { return is_joint(action.joint); }, change.action))
      Archive::refuse("its script changes a joint that the scene does not have");
  Model next = with_changes(*model, changes);
  if (has_happened.size() != next.script.size() || impacts.size() != next.script.size() ||
      until_apart.size() != next.switches.size())
    Archive::refuse("its script is not that of the scene");
  for (std::size_t i = 0; i < next.script.size(); ++i) {
    next.script[i].has_happened = has_happened[i] != 0;
    next.script[i].impacts = impacts[i];
  }
  for (std::size_t i = 0; i < next.switches.size(); ++i) next.switches[i].until_apart = until_apart[i] != 0;
  model = std::make_shared<const Model>(std::move(next));
}

// ------------------------------------------------------------------------------------------------- contacts

namespace contact {

void transfer(Archive& archive, ContactPoint& contact) {
  auto& [a, b, part_a, part_b, point_a, point_b, normal, gap, rule, feature, limit, arm] = contact;
  archive(a, b, part_a, part_b, point_a, point_b, normal, gap, rule, feature, limit, arm);
}

void transfer(Archive& archive, PointOnFace& feature) {
  auto& [point, normal, anchor] = feature;
  archive(point, normal, anchor);
}

void transfer(Archive& archive, FaceOnPoint& feature) {
  auto& [point, normal, anchor] = feature;
  archive(point, normal, anchor);
}

void transfer(Archive& archive, EdgeOnEdge& feature) {
  auto& [point_a, direction_a, point_b, direction_b, thickness_a, thickness_b] = feature;
  archive(point_a, direction_a, point_b, direction_b, thickness_a, thickness_b);
}

void transfer(Archive& archive, RimOnFace& feature) {
  auto& [height, radius, point, normal, anchor, owner] = feature;
  archive(height, radius, point, normal, anchor, owner);
}

void transfer(Archive& archive, Ball& ball) {
  auto& [centre, radius, owner, whole] = ball;
  archive(centre, radius, owner, whole);
}

void transfer(Archive& archive, BallOnFace& feature) {
  auto& [normal, anchor, ball] = feature;
  archive(normal, anchor, ball);
}

void transfer(Archive& archive, BallOnLine& feature) {
  auto& [anchor, direction, thickness, ball] = feature;
  archive(anchor, direction, thickness, ball);
}

void transfer(Archive& archive, BallOnVertex& feature) {
  auto& [vertex, ball, thickness] = feature;
  archive(vertex, ball, thickness);
}

void transfer(Archive& archive, BallOnRim& feature) {
  auto& [rim, ball] = feature;
  archive(rim, ball);
}

void transfer(Archive& archive, BallInHollow& feature) {
  auto& [ball] = feature;
  archive(ball);
}

void transfer(Archive& archive, RimInHollow& feature) {
  auto& [height, radius, point] = feature;
  archive(height, radius, point);
}

void transfer(Archive& archive, Circle& circle) {
  auto& [height, radius] = circle;
  archive(height, radius);
}

void transfer(Archive& archive, Line& line) {
  auto& [anchor, direction] = line;
  archive(anchor, direction);
}

void transfer(Archive& archive, RimOnLine& feature) {
  auto& [rim, point, line, thickness, owner] = feature;
  archive(rim, point, line, thickness, owner);
}

void transfer(Archive& archive, RimOnRim& feature) {
  auto& [rim_a, rim_b, point_a, point_b] = feature;
  archive(rim_a, rim_b, point_a, point_b);
}

}  // namespace contact

}  // namespace carom
