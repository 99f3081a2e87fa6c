#pragma once
/// What is to happen to a mechanism during a run: at a time, at an impact, or when a quantity crosses a value.
///
/// A scripted event happens once, at the first instant at which its trigger comes about after the start. Contacts of
/// two objects may be off until a condition holds (ContactSwitch): they can begin while it does, and one that lasts is
/// kept until it opens.

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "carom/mechanics/indices.h"
#include "carom/mechanics/joint.h"

namespace carom {

/// One number of a state.
struct StateQuantity {
  enum class Kind {
    coordinate,        ///< of a joint [rad, m]
    rate,              ///< of the coordinate of a joint
    position,          ///< of a body's centre of mass, world
    velocity,          ///< likewise
    angular_velocity,  ///< of a body, world
  };
  Kind kind = Kind::coordinate;
  JointIndex joint;   ///< of a coordinate or its rate
  BodyIndex body;     ///< of the others
  int component = 0;  ///< which coordinate, or x, y, z

  [[nodiscard]] bool is_of_joint() const { return kind == Kind::coordinate || kind == Kind::rate; }
};

/// sign · (first − second − value): what a crossing is the zero of.
struct Level {
  StateQuantity first;
  std::optional<StateQuantity> second;
  double value = 0.0;
  double sign = 1.0;
};

struct AtTime {
  double time = 0.0;  ///< [s]
};
/// The n-th impact in which the two touch, or on a limit of the joint; rounds of one instant count once. Where contacts
/// give way it is the n-th time that they begin to touch.
struct AtImpact {
  ObjectIndex a, b;
  int count = 1;
  JointIndex joint;

  [[nodiscard]] bool is_on_limit() const { return joint != kNone; }
  [[nodiscard]] bool is_of(ObjectIndex x, ObjectIndex y) const {
    return !is_on_limit() && ((x == a && y == b) || (x == b && y == a));
  }
};
struct AtCrossing {
  enum class Way { rising, falling, either };
  Level level;
  Way way = Way::either;
};
using Trigger = std::variant<AtTime, AtImpact, AtCrossing>;

/// The joint holds nothing any more; the energy of its springs is gone.
struct ReleaseJoint {
  JointIndex joint;
};
/// Velocities jump by what a sudden push at the centre of mass and a sudden twist give, through all joints of the body.
struct GiveImpulse {
  BodyIndex body;
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();          ///< world [N s]
  Eigen::Vector3d angular_impulse = Eigen::Vector3d::Zero();  ///< world [N m s]
};
/// Another motor on a coordinate, or none.
struct SwitchMotor {
  JointIndex joint;
  int coordinate = 0;
  double force = 0.0;           ///< [N, N m]
  std::optional<double> speed;  ///< kept from the place on that the coordinate then has; its rate jumps [m/s, rad/s]
};
struct StopRun {};
using ScriptedAction = std::variant<ReleaseJoint, GiveImpulse, SwitchMotor, StopRun>;

/// What a script has changed of a model, and when (script_progress.h).
struct ScriptChange {
  std::variant<ReleaseJoint, SwitchMotor> action;
  double time = 0.0;   ///< [s]
  double place = 0.0;  ///< of the coordinate that got another motor
};

struct ScriptedEvent {
  std::string name;
  Trigger trigger;
  std::vector<ScriptedAction> actions;
  bool has_happened = false;  ///< before the model begins
  int impacts = 0;            ///< that it has waited for before
};

/// Contacts of two objects that are off but for a condition: from a time on, or while a level is above zero.
struct ContactSwitch {
  ObjectIndex a, b;
  std::variant<AtTime, Level> on;
  bool until_apart = false;  ///< the two overlap where the model begins, and come into play when they do not any more

  [[nodiscard]] bool is_of(ObjectIndex x, ObjectIndex y) const {
    return (int{x} == int{a} && int{y} == int{b}) || (int{x} == int{b} && int{y} == int{a});
  }
};

struct Model;
struct BodyState;
class JointKinematics;

/// The motion of all bodies at a time, and turns that the present ones are within half a turn of.
struct StateView {
  double time = 0.0;
  std::function<const BodyState&(BodyIndex)> state_of;
  std::function<const JointTurns&(JointIndex)> turns_of;
};

/// The bodies that it depends on.
std::vector<BodyIndex> bodies_of(const Model& model, const StateQuantity& quantity);
double value_of(const StateQuantity& quantity, const JointKinematics& joints, const StateView& view);
double value_of(const Level& level, const JointKinematics& joints, const StateView& view);

}  // namespace carom
