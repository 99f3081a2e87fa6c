#include "carom/mechanics/joint_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "carom/base/error.h"
#include "carom/mechanics/joint_limit.h"

namespace carom {

namespace {

constexpr double kDegreesPerRadian = 180.0 / std::numbers::pi;
/// Part of a size in a second that is the speed of a stand.
constexpr double kStandstill = 1e-6;
/// How parallel the axes of a loop in a plane have to be, and how far off one that is meant to be may be [rad].
constexpr double kParallel = 1e-9, kInAPlane = 1e-3;

std::string names_of(const JointKinematics& kinematics, JointIndex joint) {
  const Model& model = kinematics.model();
  const auto name = [&](BodyIndex body) {
    return body == kNone ? std::string("the ground") : "'" + model.bodies[body].name + "'";
  };
  const Joint& held = model.joints[joint];
  if (held.kind == JointKind::gear)
    return fmt::format("'{}' and '{}'", model.joints[held.geared[0]].name, model.joints[held.geared[1]].name);
  return name(held.ends[0].body) + " and " + name(held.ends[1].body);
}

/// What rows that have to do with places only, and with directions only, are missing, in m and in rad or in m/s and
/// rad/s.
struct Missing {
  double places = 0.0;
  double directions = 0.0;
};

std::string place_message(const Joint& joint, const std::string& names, const Missing& missing) {
  if (joint.kind == JointKind::rod)
    return fmt::format("the distance of the anchors of {} is off its length of {} m by {:.6g} m", names, joint.length,
                       missing.places);
  if (has_shift(joint.kind) && missing.places > 0.0)
    return fmt::format("the anchor of {} is {:.6g} m off the axis", names, missing.places);
  if (missing.places > 0.0)
    return fmt::format("the anchors of {} are {:.6g} m apart, expected them to meet", names, missing.places);
  return fmt::format("the axes of {} are turned against each other by {:.6g} rad", names, missing.directions);
}

std::string rate_message(const Joint& joint, const std::string& names, const Missing& missing) {
  if (joint.kind == JointKind::gear)
    return fmt::format("the turns of {} do not have its ratio: they are off by {:.6g} rad/s", names,
                       missing.directions);
  if (missing.places > 0.0)
    return fmt::format(
        "the anchors of {} move against each other at {:.6g} m/s in a direction that a {} joint does not leave", names,
        missing.places, joint_kind_name(joint.kind));
  return fmt::format("{} turn against each other at {:.6g} rad/s in a way that a {} joint does not leave", names,
                     missing.directions, joint_kind_name(joint.kind));
}

/// The joints, in order, by which the two ends of a joint are connected without it; empty where they are not. The
/// ground is one of the bodies then.
std::vector<JointIndex> loop_of(const Model& model, JointIndex index) {
  struct Reached {
    int body;
    std::size_t from;
    JointIndex by;
  };
  const auto ends = [&](JointIndex joint) { return model.joints[joint].ends; };
  std::vector<Reached> reached{{ends(index)[0].body, 0, index}};
  for (std::size_t next = 0; next < reached.size(); ++next) {
    if (reached[next].body == ends(index)[1].body) {
      std::vector<JointIndex> loop;
      for (std::size_t at = next; at > 0; at = reached[at].from) loop.insert(loop.begin(), reached[at].by);
      return loop;
    }
    for (const JointIndex joint : model.joints.indices()) {
      if (joint == index || model.joints[joint].kind == JointKind::gear) continue;
      for (const std::size_t k : {0u, 1u}) {
        if (ends(joint)[k].body != reached[next].body) continue;
        const int other = ends(joint)[1 - k].body;
        if (std::none_of(reached.begin(), reached.end(), [other](const Reached& old) { return old.body == other; }))
          reached.push_back({other, next, joint});
      }
    }
  }
  return {};
}

std::string listed(const Model& model, const std::vector<JointIndex>& joints) {
  std::string text;
  for (const JointIndex joint : joints) text += (text.empty() ? "'" : ", '") + model.joints[joint].name + "'";
  return text;
}

/// What is said of a joint that does not meet and closes a loop.
std::string loop_remark(const Model& model, JointIndex index) {
  if (model.joints[index].kind == JointKind::gear) return {};
  const std::vector<JointIndex> loop = loop_of(model, index);
  return loop.empty() ? "" : "; the loop that it closes with " + listed(model, loop) + " does not close by that much";
}

/// What is said of a motor that asks for another motion, where other motors drive too.
std::string motor_remark(const Model& model, JointIndex index) {
  std::vector<JointIndex> others;
  for (const JointIndex joint : model.joints.indices()) {
    const auto& drives = model.joints[joint].drives;
    if (joint != index && (drives[0].motor.position || drives[1].motor.position)) others.push_back(joint);
  }
  return others.empty() ? "" : "; the motion is also prescribed by the motors of " + listed(model, others);
}

JointStates states_at_start(const JointKinematics& kinematics, JointIndex index, const State& state) {
  return kinematics.states(
      index, state.time, [&](BodyIndex body) -> const BodyState& { return state.bodies[body]; },
      [&](JointIndex other) -> const JointTurns& {
        return state.turns.empty() ? kinematics.model().joints[other].start : state.turns[other];
      });
}

/// Joints that close a loop with those before them.
std::vector<JointIndex> closing_joints(const Model& model) {
  std::vector<std::size_t> parent(model.bodies.size() + 1);  // the ground is the last
  for (std::size_t k = 0; k < parent.size(); ++k) parent[k] = k;
  const auto root = [&](BodyIndex body) {
    std::size_t at = body == kNone ? parent.size() - 1 : static_cast<std::size_t>(body.slot());
    while (parent[at] != at) at = parent[at] = parent[parent[at]];
    return at;
  };
  std::vector<JointIndex> closing;
  for (const JointIndex index : model.joints.indices()) {
    const Joint& joint = model.joints[index];
    if (joint.kind == JointKind::gear || joint.released) continue;
    const std::size_t a = root(joint.ends[0].body), b = root(joint.ends[1].body);
    if (a == b) closing.push_back(index);
    parent[a] = b;
  }
  return closing;
}

/// What is off parallel and perpendicular in a loop in a plane that would have to be [rad]; 0 where it is no such loop.
/// On each body in turn the axis of the next joint is held against the normal of the plane, which the last hinge gives:
/// that is the same wherever the bodies are. `loop`: in order, from the first body of its last joint to the second.
double askew(const Model& model, const std::vector<JointIndex>& loop) {
  BodyIndex on = model.joints[loop.back()].ends[0].body;
  std::optional<Eigen::Vector3d> normal;
  double off = 0.0;
  for (std::size_t k = 0; k < 2 * loop.size(); ++k) {  // once to find a hinge, once around from there
    const Joint& joint = model.joints[loop[k % loop.size()]];
    const std::size_t side = joint.ends[0].body == on ? 0 : 1;
    const JointEnd &near = joint.ends[side], &far = joint.ends[1 - side];
    on = far.body;
    const Eigen::Vector3d axis = near.frame * Eigen::Vector3d::UnitZ();
    switch (joint.kind) {
      case JointKind::revolute:
        if (normal) off = std::max(off, axis.cross(*normal).norm());
        normal = far.frame * Eigen::Vector3d::UnitZ();
        break;
      case JointKind::prismatic:
        if (normal) off = std::max(off, std::abs(axis.dot(*normal)));
        [[fallthrough]];
      case JointKind::fixed:
        if (normal) normal = far.frame * (near.frame.conjugate() * *normal);
        break;
      default: return 0.0;
    }
  }
  return off < kInAPlane ? off : 0.0;
}

}  // namespace

std::vector<InputError> loops_askew(const Model& model) {
  std::vector<InputError> found;
  for (const JointIndex index : closing_joints(model)) {
    std::vector<JointIndex> loop = loop_of(model, index);
    loop.push_back(index);
    const double off = askew(model, loop);
    if (off <= kParallel) continue;
    const std::string path = "joint." + model.joints[index].name;
    loop.pop_back();
    found.emplace_back(
        Kind::constraint_violated, path + ".axis",
        fmt::format("{}.axis: the axes of the loop that it closes with {} are off parallel or perpendicular by {:.6g} "
                    "rad, with which it cannot move: expected less than {}",
                    path, listed(model, loop), off, kParallel));
  }
  return found;
}

void require_joint_holds(const JointKinematics& kinematics, JointIndex index, const State& state) {
  const Joint& joint = kinematics.model().joints[index];
  const JointStates states = states_at_start(kinematics, index, state);
  std::vector<JointRow> rows;
  kinematics.append_rows(index, states, rows);
  const double size = kinematics.size(index);
  Missing off, moving;
  double fastest = 0.0;
  double motor_off = 0.0, motor_moving = 0.0;
  for (const JointRow& row : rows) {
    if (row.motor) {
      motor_off = std::max(motor_off, std::abs(row.residual));
      motor_moving = std::max(motor_moving, std::abs(rate_of(row, states)));
      fastest = std::max(fastest, std::abs(row.drive));
      continue;
    }
    const bool place = !row.sides[0].linear.isZero(0.0);
    const double rate = rate_of(row, states);
    (place ? off.places : off.directions) = std::hypot(place ? off.places : off.directions, row.residual);
    (place ? moving.places : moving.directions) = std::hypot(place ? moving.places : moving.directions, rate);
  }
  for (const BodyState* side : states.sides) {
    if (side == nullptr) continue;
    const double lever = std::max(size, joint.ends[0].point.norm());
    fastest = std::max(fastest, side->velocity.norm() + side->angular_velocity.norm() * lever);
  }
  // A start at a stand may be off by round-off: by 1e-12 of a size in a second.
  fastest = std::max(fastest, kStandstill * size);
  const auto refuse = [&](const std::string& key, const std::string& what) {
    const std::string path = "joint." + joint.name;
    throw InputError{Kind::constraint_violated, path + key, fmt::format("{}: {}", path, what)};
  };
  const auto kept = [size](Missing missing, double allowed) {
    if (missing.places <= allowed) missing.places = 0.0;
    missing.directions = missing.directions <= allowed ? 0.0 : missing.directions / size;
    return missing;
  };
  off = kept(off, kJointAtStart * std::max(size, joint.length));
  if (off.places > 0.0 || off.directions > 0.0)
    refuse(joint.kind == JointKind::rod ? ".length"
           : off.places > 0.0           ? ".anchors"
                                        : "",
           place_message(joint, names_of(kinematics, index), off) + loop_remark(kinematics.model(), index));
  const double unit = has_shift(joint.kind) ? 1.0 : size;
  const char* const name = has_shift(joint.kind) ? "m" : "rad";
  if (motor_off > kJointAtStart * size)
    refuse(".motor", fmt::format("it is {:.6g} {} off what its motor asks for at the start", motor_off / unit, name));
  moving = kept(moving, kJointAtStart * fastest);
  if (moving.places > 0.0 || moving.directions > 0.0)
    refuse("", rate_message(joint, names_of(kinematics, index), moving));
  if (motor_moving > kJointAtStart * fastest)
    refuse(".motor", fmt::format("it moves at a rate that is {:.6g} {}/s off what its motor asks for",
                                 motor_moving / unit, name) +
                         motor_remark(kinematics.model(), index));
}

std::vector<InputError> limits_passed(const Model& model, const State& state, double tolerance) {
  std::vector<InputError> passed;
  const JointKinematics kinematics(model);
  for (const JointIndex index : model.joints.indices()) {
    const JointStates states = states_at_start(kinematics, index, state);
    for (const LimitIndex& limit : limits_of(model, index)) {
      const double beyond = -limit_row(kinematics, limit, states).residual / kinematics.size(index);
      if (beyond <= tolerance) continue;
      const Joint& joint = model.joints[index];
      const bool shift = is_shift(joint.kind, limit.coordinate);
      const JointRange& range = joint.ranges[static_cast<std::size_t>(limit.coordinate)];
      const double unit = shift ? 1.0 : kDegreesPerRadian;
      const std::string path = fmt::format("joint.{}.{}", joint.name, shift ? "limits" : "limits_deg");
      passed.emplace_back(
          Kind::out_of_range, path,
          fmt::format("{} go from {:.9g} to {:.9g}, but the joint starts at {:.9g}, beyond its {} limit", path,
                      range.lower * unit, range.upper * unit,
                      kinematics.coordinate(index, limit.coordinate, states) * unit, limit_side_name(limit.side)));
    }
  }
  return passed;
}

}  // namespace carom
