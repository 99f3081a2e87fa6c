#include "carom/analysis/quantity_value.h"

#include <algorithm>
#include <array>
#include <limits>

#include "carom/base/assert.h"
#include "carom/geometry/pair_table.h"
#include "carom/record/record_layout.h"

namespace carom {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kBalanceError = "energy.balance_error";

double energy_of(const Moment& moment, int component) {
  const EnergyBook book = moment.energy();
  const double values[] = {book.now.kinetic,  book.now.gravity, book.now.springs, book.now.loads,  book.now.contacts,
                           book.dissipated(), book.wall_work,   book.torque_work, book.motor_work, book.now.total(),
                           book.impacts,      book.damping,     book.cut_off,     book.contacts,   book.friction,
                           book.swallowed,    book.error()};
  return values[component];
}

/// Components x, y, z, radial, magnitude.
double component_of(const Moment& moment, const Quantity& quantity, const Vector3d& vector) {
  constexpr int kRadial = 3;
  if (quantity.component < kRadial) return vector[quantity.component];
  if (quantity.component > kRadial || quantity.measure == Measure::angular_velocity) return vector.norm();
  if (quantity.measure == Measure::position) return vector.norm();
  const Vector3d position = moment.position(quantity.a);
  return vector.dot(position) / position.norm();
}

/// Inertia in the world frame about the centre of mass: R diag(J) Rᵀ, R from the principal axes to the world.
Matrix3d inertia_of(const Body& body, const BodyState& state) {
  const Matrix3d axes = (state.orientation * body.principal_axes).toRotationMatrix();
  return axes * body.inertia.asDiagonal() * axes.transpose();
}

double kinetic_of(const Body& body, const BodyState& state) {
  const Vector3d& spin = state.angular_velocity;
  return 0.5 * body.mass * state.velocity.squaredNorm() + 0.5 * spin.dot(inertia_of(body, state) * spin);
}

Vector3d momentum_of(const Moment& moment) {
  Vector3d momentum = Vector3d::Zero();
  for (int k = 0; k < moment.model()->body_count(); ++k) {
    momentum += moment.model()->bodies[k].mass * moment.velocity(k);
  }
  return momentum;
}

Vector3d angular_momentum_of(const Moment& moment) {
  Vector3d momentum = Vector3d::Zero();
  for (int k = 0; k < moment.model()->body_count(); ++k) {
    const Body& body = moment.model()->bodies[k];
    const BodyState state = moment.body(k);
    momentum += body.mass * state.position.cross(state.velocity) + inertia_of(body, state) * state.angular_velocity;
  }
  return momentum;
}

Pose pose_of(const Moment& moment, int object) {
  if (!moment.model()->is_body(object)) return moment.model()->obstacle(object).pose_at(moment.time());
  return {moment.position(object), moment.orientation(object)};
}

double gap_of(const Moment& moment, const Quantity& quantity) {
  const Model& model = *moment.model();
  return proximity(model.parts(quantity.a), pose_of(moment, quantity.a), model.parts(quantity.b),
                   pose_of(moment, quantity.b))
      .distance;
}

double load_of(const Moment& moment, const Quantity& quantity, const char* path) {
  const Vector3d load = moment.joint_vector(path, quantity.a);
  return quantity.component < 3 ? load[quantity.component] : load.norm();
}

/// Of a joint: a turn or a shift, or the rate of that.
double coordinate_of(const Moment& moment, const Quantity& quantity) {
  const auto joint = JointIndex(quantity.a);
  const JointKinematics& joints = moment.joints();
  std::array<BodyState, 2> bodies;
  std::size_t next = 0;
  const JointTurns near = moment.turns_near(joint);
  const JointStates states = joints.states(
      joint, moment.time(),
      [&](BodyIndex body) -> const BodyState& { return bodies[next++] = moment.body(static_cast<int>(body)); },
      [&near](JointIndex) -> const JointTurns& { return near; });
  if (quantity.measure == Measure::coordinate) return joints.coordinate(joint, quantity.component, states);
  return rate_of(joints.coordinate_row(joint, quantity.component, states), states);
}

/// That of the contact of the two which moves most, as quantity.h numbers them; 0 where none presses.
double contact_mode_of(const Moment& moment, const Quantity& quantity) {
  int mode = 0;
  for (const ContactLoad& load : moment.contact_loads()) {
    const bool is_theirs =
        (load.a == quantity.a && load.b == quantity.b) || (load.b == quantity.a && load.a == quantity.b);
    if (is_theirs) mode = std::max(mode, static_cast<int>(load.mode) + 1);
  }
  return mode;
}

/// Sum over the contacts of the two, on the first; of one object over all its contacts.
double contact_load_of(const Moment& moment, const Quantity& quantity) {
  Vector3d sum = Vector3d::Zero();
  double force = 0.0;
  for (const ContactLoad& load : moment.contact_loads()) {
    const bool first = load.a == quantity.a && (quantity.b == kNone || load.b == quantity.b);
    const bool second = load.b == quantity.a && (quantity.b == kNone || load.a == quantity.b);
    if (!first && !second) continue;
    force += load.force;
    sum += (first ? 1.0 : -1.0) * (quantity.measure == Measure::couple ? load.couple : load.friction);
  }
  if (quantity.measure == Measure::force) return force;
  return quantity.component < 3 ? sum[quantity.component] : sum.norm();
}

}  // namespace

Vector3d SampleMoment::acceleration(int body) const {
  if (i_ == 0 || i_ + 1 == block_.size()) return Vector3d::Constant(kUnknown);
  const double before = block_.time(i_) - block_.time(i_ - 1);
  const double after = block_.time(i_ + 1) - block_.time(i_);
  const Vector3d v = velocity(body);
  const Vector3d slope_before = (v - block_.vector("/velocity", i_ - 1, body)) / before;
  const Vector3d slope_after = (block_.vector("/velocity", i_ + 1, body) - v) / after;
  return (before * slope_after + after * slope_before) / (before + after);
}

Vector3d BetweenMoment::acceleration(int /*body*/) const {
  return Vector3d::Constant(kUnknown);
}

Vector3d BetweenMoment::joint_vector(const char* /*path*/, int /*joint*/) const {
  return Vector3d::Constant(kUnknown);
}

bool needs_scene(const Quantity& quantity) {
  switch (quantity.measure) {
    case Measure::kinetic:
    case Measure::momentum:
    case Measure::angular_momentum:
    case Measure::coordinate:
    case Measure::rate:
    case Measure::gap: return true;
    default: return false;
  }
}

bool is_known_between(const Quantity& quantity) {
  switch (quantity.measure) {
    case Measure::acceleration:
    case Measure::joint_force:
    case Measure::joint_couple:
    case Measure::joint_impulse:
    case Measure::joint_couple_impulse:
    case Measure::force:
    case Measure::friction:
    case Measure::couple:
    case Measure::mode:
    case Measure::impulse: return false;
    // The error of a run, not that of reading between its samples.
    case Measure::energy: return quantity.name != kBalanceError;
    default: return true;
  }
}

namespace {

bool is_about_all(const Quantity& quantity) {
  return quantity.measure == Measure::energy || quantity.measure == Measure::momentum ||
         quantity.measure == Measure::angular_momentum;
}

}  // namespace

bool is_moved_by(const Quantity& quantity, const ContactBlow& blow) {
  if (is_about_all(quantity) || quantity.of_joint()) return true;
  const auto is_of = [&blow](int object) { return object != kNone && (blow.a == object || blow.b == object); };
  return is_of(quantity.a) || is_of(quantity.b);
}

bool is_moved_by(const Quantity& quantity, const Instant& instant) {
  if (quantity.of_joint()) return !instant.jumps.empty();
  return is_about_all(quantity) || instant.jump_of(quantity.a) != nullptr ||
         (quantity.b != kNone && instant.jump_of(quantity.b) != nullptr);
}

double value_of(const Moment& moment, const Quantity& quantity) {
  switch (quantity.measure) {
    case Measure::energy: return energy_of(moment, quantity.component);
    case Measure::position: return component_of(moment, quantity, moment.position(quantity.a));
    case Measure::velocity: return component_of(moment, quantity, moment.velocity(quantity.a));
    case Measure::acceleration: return component_of(moment, quantity, moment.acceleration(quantity.a));
    case Measure::angular_velocity: return component_of(moment, quantity, moment.angular_velocity(quantity.a));
    case Measure::orientation: {
      const Eigen::Quaterniond q = moment.orientation(quantity.a);
      return quantity.component == 0 ? q.w() : q.vec()[quantity.component - 1];
    }
    case Measure::kinetic: return kinetic_of(moment.model()->bodies[quantity.a], moment.body(quantity.a));
    case Measure::momentum: return momentum_of(moment)[quantity.component];
    case Measure::angular_momentum: return angular_momentum_of(moment)[quantity.component];
    case Measure::coordinate:
    case Measure::rate: return coordinate_of(moment, quantity);
    case Measure::joint_force: return load_of(moment, quantity, kJointForce);
    case Measure::joint_couple: return load_of(moment, quantity, kJointCouple);
    case Measure::gap: return gap_of(moment, quantity);
    case Measure::force:
    case Measure::friction:
    case Measure::couple: return contact_load_of(moment, quantity);
    case Measure::mode: return contact_mode_of(moment, quantity);
    case Measure::joint_impulse:
    case Measure::joint_couple_impulse:
    case Measure::impulse: break;
  }
  CAROM_ASSERT(false);
  return kUnknown;
}

}  // namespace carom
