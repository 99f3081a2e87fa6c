/// Joints: places and axes in the world, as the bodies are placed, become points and frames of the bodies.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/base/number.h"
#include "carom/mechanics/attitude.h"
#include "carom/scene/format/sections.h"
#include "carom/scene/reader/reading.h"

namespace carom::scene {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

/// Axes of a universal joint whose cosine is larger are not perpendicular.
constexpr double kPerpendicular = 1e-6;
constexpr double kRadiansPerDegree = std::numbers::pi / 180.0;

JointKind kind_named(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(kLastJointKind); ++i)
    if (joint_kind_name(static_cast<JointKind>(i)) == name) return static_cast<JointKind>(i);
  return kLastJointKind;  // the format knows no other
}

/// The frame with these axes; z is kept, x as far as it is perpendicular to it.
Quaterniond frame_with(const Vector3d& x, const Vector3d& z) {
  Eigen::Matrix3d axes;
  axes.col(2) = z;
  axes.col(0) = (x - z * z.dot(x)).normalized();
  axes.col(1) = axes.col(2).cross(axes.col(0));
  return Quaterniond(axes).normalized();
}

std::vector<double> scaled_numbers(const Entry& entry, double unit) {
  const Vector given = as_vector(entry);
  std::vector<double> values(given.begin(), given.end());
  for (double& value : values) value *= unit;
  return values;
}

/// The table that a motor follows, with a unit of its values.
CubicSpline motor_table(const Fields& fields, double unit) {
  const Entry time = fields.at("time"), values = fields.at("values");
  const std::vector<double> times = scaled_numbers(time, 1.0), places = scaled_numbers(values, unit);
  const std::vector<Entry> entries = as_entries(time);
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (times[i] > times[i - 1]) continue;
    throw InputError(Kind::out_of_range, entries[i].place(),
                     fmt::format("{} is {}, expected more than {} before it: times ascend", entries[i].name(), times[i],
                                 times[i - 1]));
  }
  if (places.size() != times.size())
    throw InputError(
        Kind::size_mismatch, values.place(),
        fmt::format("{} has {} numbers, expected {} as 'time' has", values.name(), places.size(), times.size()));
  const std::string ends = fields.string("ends", "natural");
  const SplineEnds how = ends == "rest"       ? SplineEnds::rest
                         : ends == "periodic" ? SplineEnds::periodic
                                              : SplineEnds::natural;
  const std::size_t least = how == SplineEnds::periodic ? 3 : 2;
  if (times.size() < least)
    throw InputError(Kind::size_mismatch, time.place(),
                     fmt::format("{} has {} times, expected at least {}", time.name(), times.size(), least));
  if (how == SplineEnds::periodic && places.front() != places.back())
    throw InputError(Kind::out_of_range, values.place(),
                     fmt::format("{} repeat, but begin with {} and end with {}, expected the same", values.name(),
                                 places.front() / unit, places.back() / unit));
  return CubicSpline(times, places, how);
}

/// Where a motor keeps its coordinate: at a place, or at one that changes; `unit`: of a number of the file.
Profile motor_place(const Entry& entry, double unit) {
  if (!entry.node->is(Node::Type::table)) return PolynomialProfile{{as_number(entry) * unit}};
  const auto [kind, fields] = fields_of(entry, motor_motion_kinds());
  if (kind == "sine")
    return SineProfile{fields.number("amplitude") * unit, fields.number("frequency"),
                       fields.number("phase_deg", 0.0) * kRadiansPerDegree};
  if (kind == "table") return motor_table(fields, unit);
  std::vector<double> coefficients = scaled_numbers(fields.at("coefficients"), unit);
  if (coefficients.empty() || coefficients.size() > kMostCoefficients)
    throw InputError(Kind::size_mismatch, fields.at("coefficients").place(),
                     fmt::format("{} has {} numbers, expected 1 to {}", fields.at("coefficients").name(),
                                 coefficients.size(), kMostCoefficients));
  return PolynomialProfile{std::move(coefficients)};
}

/// One [[joint]] that is no gear.
class HoldingJoint {
 public:
  HoldingJoint(Reading& reading, const Fields& fields, Joint& joint)
      : reading_(reading), fields_(fields), joint_(joint) {}

  void read() {
    read_bodies();
    read_frames();
    read_points();
    for_each_drive("spring", [this](const Entry& given) { read_spring(given); });
    for_each_drive("friction", [this](const Entry& given) { read_friction(given); });
    for_each_drive("motor", [this](const Entry& given) { read_motor(given); });
    read_limits();
    joint_.collide = fields_.boolean("collide", false);
  }

 private:
  void read_bodies() {
    const Entry list = fields_.at("bodies");
    const std::vector<Entry> bodies = as_entries(list);
    if (bodies.empty() || bodies.size() > 2)
      throw InputError(Kind::usage, list.place(),
                       list.name() + " has " + std::to_string(bodies.size()) +
                           " names, expected two bodies, or one that is held to the ground");
    for (std::size_t k = 0; k < bodies.size(); ++k) joint_.ends[k].body = reading_.body(bodies[k]);
    if (bodies.size() == 2 && joint_.ends[0].body == joint_.ends[1].body)
      bodies[1].fail(Kind::usage, "another body than the first");
  }

  [[nodiscard]] Pose pose_of(const JointEnd& end) const {
    return end.body == kNone ? Pose{} : reading_.state().bodies[end.body].pose();
  }

  /// A point of the file's frame of a body in the frame of its centre of mass.
  [[nodiscard]] Vector3d about_centre(const JointEnd& end, const Vector3d& point) const {
    return end.body == kNone ? point : Vector3d(point - reading_.centre(end.body));
  }

  /// With start angles the frames are turned so that the angles between them are these.
  void read_frames() {
    Quaterniond base = Quaterniond::Identity(), turn = Quaterniond::Identity();
    if (joint_.kind == JointKind::universal) {
      const Entry given = fields_.at("axes");
      const Matrix axes = fields_.matrix("axes");
      for (const Entry& axis : as_entries(given))
        if (as_vector(axis).isZero(0.0))
          throw InputError(Kind::zero_normal, axis.place(), axis.name() + " is all zeros, expected a direction");
      const Vector3d first = axes.row(0).transpose().normalized(), second = axes.row(1).transpose().normalized();
      if (std::abs(first.dot(second)) > kPerpendicular)
        throw InputError(Kind::out_of_range, given.place(),
                         fmt::format("{} are at an angle of {:.9g} degrees, expected perpendicular ones", given.name(),
                                     std::acos(std::clamp(first.dot(second), -1.0, 1.0)) / kRadiansPerDegree));
      if (fields_.find("start_deg")) {
        const Vector angles = fields_.vector("start_deg");
        joint_.start = {angles[0] * kRadiansPerDegree, angles[1] * kRadiansPerDegree};
      }
      const Quaterniond cross = frame_with(first, second);
      base = cross * rotation_by(-joint_.start[1] * Vector3d::UnitZ());
      turn = base.conjugate() * cross * rotation_by(joint_.start[0] * Vector3d::UnitX());
    } else if (fields_.find("axis")) {
      const Vector3d axis = unit_vector(fields_, "axis");
      base = frame_with(axis.unitOrthogonal(), axis);
      if (turn_count(joint_.kind) == 1) joint_.start[0] = fields_.number("start_deg", 0.0) * kRadiansPerDegree;
      turn = rotation_by(joint_.start[0] * Vector3d::UnitZ());
    }
    axis_ = base * Vector3d::UnitZ();
    joint_.ends[0].frame = pose_of(joint_.ends[0]).orientation.conjugate() * base * turn;
    joint_.ends[1].frame = pose_of(joint_.ends[1]).orientation.conjugate() * base;
  }

  void read_points() {
    const std::optional<Entry> given = one_of(fields_, {"point", "anchors"}, true);
    for (std::size_t k = 0; k < 2; ++k) {
      JointEnd& end = joint_.ends[k];
      if (fields_.find("anchors")) {
        end.point = about_centre(end, as_matrix(*given).row(static_cast<Eigen::Index>(k)).transpose());
      } else {
        end.point = pose_of(end).to_local(as_vector(*given));
      }
    }
    const Vector3d apart =
        pose_of(joint_.ends[0]).to_world(joint_.ends[0].point) - pose_of(joint_.ends[1]).to_world(joint_.ends[1].point);
    if (joint_.kind == JointKind::rod) {
      joint_.length = fields_.number("length", apart.norm());
      if (joint_.length == 0.0)
        throw InputError(Kind::out_of_range, given->place(),
                         given->name() + " lie at one place, expected two points at a distance");
    }
    if (has_shift(joint_.kind) && fields_.find("start")) joint_.shift = fields_.number("start") - axis_.dot(apart);
  }

  /// What acts on the coordinate of a joint; of a universal one on each of its two, in a list, of a cylindrical one on
  /// the one that it speaks of, or in a list of two on its shift and its turn.
  template <class Read>
  void for_each_drive(std::string_view key, const Read& read) {
    const std::optional<Entry> given = fields_.find(key);
    if (!given) return;
    if (!given->node->is(Node::Type::array)) return read(*given);
    const std::vector<Entry> drives = as_entries(*given);
    if (drives.size() != 2)
      throw InputError(Kind::size_mismatch, given->place(),
                       fmt::format("{} has {} tables, expected 2: for {}", given->name(), drives.size(),
                                   joint_.kind == JointKind::universal ? "the first axis and the second"
                                                                       : "the shift and the turn"));
    for (std::size_t k = 0; k < 2; ++k) {
      listed_ = k;
      read(drives[k]);
    }
    listed_.reset();
  }

  /// The coordinate that a key speaks of: a turn where it has to do with angles, otherwise a shift.
  [[nodiscard]] std::size_t coordinate_of(const Entry& entry, bool turn) const {
    const bool known = turn ? turn_count(joint_.kind) > 0 : has_shift(joint_.kind);
    if (!known)
      throw InputError(Kind::unsupported, entry.place(),
                       entry.name() + " acts on a " + (turn ? "turn" : "shift") + ", which a " +
                           std::string(joint_kind_name(joint_.kind)) + " joint does not have");
    if (joint_.kind == JointKind::universal) return listed_.value_or(0);
    const std::size_t coordinate = turn && has_shift(joint_.kind) ? 1 : 0;
    if (listed_ && *listed_ != coordinate)
      throw InputError(Kind::unsupported, entry.place(),
                       entry.name() + " acts on a " + (turn ? "turn" : "shift") +
                           ", expected the first of a list of two to act on the shift and the second on the turn");
    return coordinate;
  }

  /// Where nothing says whether a turn or a shift is meant, the only one that there is.
  [[nodiscard]] bool means_turn(const Fields& fields, std::string_view of_turn, std::string_view of_shift) const {
    const bool turn = fields.find(of_turn).has_value(), shift = fields.find(of_shift).has_value();
    if (turn || shift) return turn;
    if (listed_) return joint_.kind == JointKind::universal || *listed_ == 1;
    if (joint_.kind == JointKind::cylindrical)
      throw InputError(Kind::usage, fields.entry().place(),
                       fields.entry().name() + " does not say whether it acts on the turn or the shift of a " +
                           "cylindrical joint, expected '" + std::string(of_turn) + "' or '" + std::string(of_shift) +
                           "'");
    return !has_shift(joint_.kind);
  }

  void read_spring(const Entry& given) {
    const Fields keys(given);
    (void)one_of(keys, {"rest_deg", "rest"}, false);
    const bool turn = means_turn(keys, "rest_deg", "rest");
    JointSpring& spring = joint_.drives[coordinate_of(given, turn)].spring;
    spring.stiffness = keys.number("stiffness");
    spring.damping = keys.number("damping", 0.0);
    spring.rest = turn ? keys.number("rest_deg", 0.0) * kRadiansPerDegree : keys.number("rest", 0.0);
  }

  void read_friction(const Entry& given) {
    const Fields keys(given);
    const bool turn = listed_ ? joint_.kind == JointKind::universal || *listed_ == 1 : !has_shift(joint_.kind);
    DryFriction& friction = joint_.drives[coordinate_of(given, turn)].friction;
    friction.kinetic_force = keys.number("kinetic");
    friction.static_force = keys.number("static", friction.kinetic_force);
  }

  void read_motor(const Entry& given) {
    const Fields keys(given);
    if (keys.find("speed") && (keys.find("angle_deg") || keys.find("position")))
      throw InputError(Kind::unsupported, given.place(),
                       given.name() + " keeps a speed and a place of one coordinate, expected only one of the two");
    const Entry what = *one_of(keys, {"torque", "force", "speed", "angle_deg", "position"}, true);
    const bool of_turn = keys.find("torque") || keys.find("angle_deg");
    const bool of_shift = keys.find("force") || keys.find("position");
    const bool turn = of_turn || (!of_shift && means_turn(keys, "torque", "force"));
    const std::size_t which = coordinate_of(given, turn);
    JointMotor& motor = joint_.drives[which].motor;
    if (keys.find("torque") || keys.find("force")) {
      motor.force = as_number(what);
    } else if (keys.find("speed")) {
      motor.position = PolynomialProfile{{start_of(turn), as_number(what)}};
    } else {
      motor.position = motor_place(what, turn ? kRadiansPerDegree : 1.0);
    }
  }

  void read_limits() {
    if (const std::optional<Entry> shifts = fields_.find("limits")) {
      const Vector ends = fields_.vector("limits");
      joint_.ranges[0] = {ends[0], ends[1]};
      require_order(*shifts, ends[0], ends[1]);
    }
    if (const std::optional<Entry> turns = fields_.find("limits_deg")) {
      const bool two = joint_.kind == JointKind::universal;
      const Matrix ends = two ? fields_.matrix("limits_deg") : Matrix(fields_.vector("limits_deg").transpose());
      const std::size_t first = has_shift(joint_.kind) ? 1 : 0;
      for (Eigen::Index k = 0; k < ends.rows(); ++k) {
        joint_.ranges[first + static_cast<std::size_t>(k)] = {ends(k, 0) * kRadiansPerDegree,
                                                              ends(k, 1) * kRadiansPerDegree};
        require_order(*turns, ends(k, 0), ends(k, 1));
      }
    }
    if (const std::optional<Entry> given = fields_.find("restitution")) joint_.restitution = read_restitution(*given);
    if (fields_.find("limit_stiffness")) joint_.limit_stiffness = fields_.number("limit_stiffness");
  }

  static void require_order(const Entry& entry, double lower, double upper) {
    if (lower < upper) return;
    throw InputError(Kind::out_of_range, entry.place(),
                     entry.name() + " go from " + format_number(lower) + " to " + format_number(upper) +
                         ", expected the lower one first");
  }

  /// The coordinate as placed.
  [[nodiscard]] double start_of(bool turn) const {
    if (turn) return joint_.start[joint_.kind == JointKind::universal ? listed_.value_or(0) : 0];
    return joint_.shift + axis_.dot(pose_of(joint_.ends[0]).to_world(joint_.ends[0].point) -
                                    pose_of(joint_.ends[1]).to_world(joint_.ends[1].point));
  }

  Reading& reading_;
  const Fields& fields_;
  Joint& joint_;
  Vector3d axis_ = Vector3d::UnitZ();
  std::optional<std::size_t> listed_;  ///< the coordinate that an entry of a list of two speaks of
};

void read_gear(const Reading& reading, const Fields& fields, Joint& joint) {
  const std::vector<Entry> names = as_entries(fields.at("joints"));
  for (std::size_t k = 0; k < 2; ++k) {
    const JointIndex turned = reading.joint(names[k]);
    const JointKind kind = reading.scene().model.joints[turned].kind;
    if (turn_count(kind) != 1)
      throw InputError(Kind::wrong_type, names[k].place(),
                       names[k].name() + " is a " + std::string(joint_kind_name(kind)) +
                           " joint, expected one that turns about one axis (revolute, cylindrical)");
    joint.geared[k] = turned;
  }
  if (joint.geared[0] == joint.geared[1]) names[1].fail(Kind::usage, "another joint than the first");
  joint.ratio = fields.number("ratio");
  if (joint.ratio == 0.0) fields.at("ratio").fail(Kind::out_of_range, "another number");
}

}  // namespace

void read_joints(Reading& reading) {
  // Gears may name joints that follow them.
  reading.for_each("joint", [&reading](const Fields& fields) {
    Indexed<JointIndex, Joint>& joints = reading.model().joints;
    reading.add_object(fields.at("name"), fields.string("name"), ObjectKind::joint, joints.size());
    Joint& joint = joints.emplace_back();
    joint.name = fields.string("name");
    joint.kind = kind_named(fields_of(fields.entry(), joint_kinds()).kind);
  });
  reading.for_each("joint", [&reading](const Fields& fields) {
    Joint& joint = reading.model().joints[reading.joint(fields.at("name"))];
    if (joint.kind == JointKind::gear) {
      read_gear(reading, fields, joint);
    } else {
      HoldingJoint(reading, fields, joint).read();
    }
  });
}

}  // namespace carom::scene
