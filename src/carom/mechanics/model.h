#pragma once
/// What is simulated: bodies, obstacles, forces, constraints, joints, and what happens where two materials meet.
///
/// A Model does not change during a run; what changes is the State (state.h). Both are plain values that anybody may
/// fill; `validate` says whether a model makes sense, and every engine calls it. All vectors are in the world frame
/// unless a field says otherwise; units are SI.
///
/// Body frame: its origin is the centre of mass. Its axes are those of the shape where it is one shape; the principal
/// axes may be turned against them (`principal_axes`), as those of a prism are.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "carom/base/error.h"
#include "carom/geometry/part.h"
#include "carom/mechanics/driven_motion.h"
#include "carom/mechanics/indices.h"
#include "carom/mechanics/joint.h"
#include "carom/mechanics/law_parameters.h"
#include "carom/mechanics/restitution.h"
#include "carom/mechanics/script.h"

namespace carom {

/// Elastic constants, for the force laws; the rigid engine needs the name only.
struct Material {
  std::string name;
  std::optional<double> young;    ///< [Pa]
  std::optional<double> poisson;  ///< in (−1, ½)
};

/// Coulomb's friction: no slip while the tangential force is at most μ_s N, μ_k N against the slip otherwise.
struct Coulomb {
  double static_friction = 0.0;   ///< μ_s ≥ μ_k
  double kinetic_friction = 0.0;  ///< μ_k ≥ 0
  friend bool operator==(const Coulomb&, const Coulomb&) = default;
};

/// Resistance of a contact to rolling and to spinning about its normal, torques in proportion to the normal force
/// (laws/friction/resistance.h).
struct TurningResistance {
  double rolling = 0.0;         ///< a ball that rolls on a level plane slows down at rolling · g
  double spinning = 0.0;        ///< torque about the normal per normal force [m]
  double rolling_speed = 1e-3;  ///< at the rim; below it both fade where the motion is integrated [m/s]

  [[nodiscard]] bool any() const { return rolling > 0.0 || spinning > 0.0; }
  friend bool operator==(const TurningResistance&, const TurningResistance&) = default;
};

/// What happens where two materials meet.
struct PairRule {
  Restitution restitution;          ///< e ∈ [0, 1], a number or by the speed of approach
  bool rough = false;               ///< no slip during an impact; sticks (rolls, pivots) while in contact
  std::optional<double> stiffness;  ///< K > 0: of the Hertz contact; relative weight in the law `compliant`
  Coulomb friction{};               ///< where it is not rough
  std::optional<double> tangential_restitution{};  ///< e_t ∈ [−1, 1] of a rough pair; none: equal to the restitution
  TurningResistance resistance{};                  ///< where it is not rough

  /// Whether slip matters to it.
  [[nodiscard]] bool resists_slip() const { return rough || friction.static_friction > 0.0; }
};

/// The force laws where two materials meet, by their names in the registries (laws/normal_force, laws/friction), for
/// the compliant engines.
struct ForceRule {
  std::string normal;  ///< empty: hertz, for a restitution of 1 only
  LawParameters normal_parameters;
  std::string friction;  ///< empty: none
  LawParameters friction_parameters;
  /// A ball on a plane at rest does not sink in or ring: it keeps its height, and the normal force is what balances all
  /// other forces along the normal; it lands without rebound.
  bool quasi_static = false;
};

/// Which may meet: two objects do not where one avoids a group of the other (meeting.h).
struct Groups {
  std::vector<std::string> names;    ///< of the groups that the object belongs to
  std::vector<std::string> avoided;  ///< of those that it does not meet
};

struct Body {
  std::string name;
  Parts parts = one_part(Sphere{1.0});                                 ///< at least one, solid
  double mass = 1.0;                                                   ///< [kg]
  Eigen::Vector3d inertia = Eigen::Vector3d::Ones();                   ///< principal, about the centre of mass [kg m²]
  Eigen::Quaterniond principal_axes = Eigen::Quaterniond::Identity();  ///< principal frame to body frame
  MaterialIndex material;
  Groups groups = {};
};

/// The homogeneous body of this shape: inertia and principal axes from mass_properties.h, the shape placed so that its
/// centroid is the origin, a prism with its vertices measured from there. Throws InputError for a shape that cannot be
/// a body or a mass that is not positive.
Body homogeneous_body(std::string name, const Shape& shape, double mass);

/// Something that is not moved by what hits it: a plane (HalfSpace) or any other shape, at rest, driven with constant
/// velocity and spin, or driven as `motion` says. `pose` and `velocity` are those of its frame at time 0; a `motion` is
/// about `pose`, and there is no velocity then.
struct Obstacle {
  std::string name;
  Parts parts = one_part(HalfSpace{});  ///< at least one; a half-space alone, unplaced
  Pose pose;
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();          ///< [m/s]
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  ///< about the frame's origin [rad/s]
  MaterialIndex material;
  Groups groups = {};
  std::optional<DrivenMotion> motion = {};

  [[nodiscard]] bool driven() const { return motion || !velocity.isZero(0.0) || !angular_velocity.isZero(0.0); }
  /// Whether its attitude changes.
  [[nodiscard]] bool turns() const { return motion ? motion->turns() : !angular_velocity.isZero(0.0); }
  [[nodiscard]] Pose pose_at(double time) const { return motion_at(time).pose; }
  /// At time + carry; a `motion` is known beyond the last digits of the time.
  [[nodiscard]] FrameMotion motion_at(double time, double carry = 0.0) const;
};

/// Constant force at the centre of mass and torque, and resistance −c v, −c_r ω.
struct Load {
  BodyIndex body;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< [N]
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();  ///< [N m]
  double damping = 0.0;                              ///< c ≥ 0 [N s/m]
  double angular_damping = 0.0;                      ///< c_r ≥ 0 [N m s]
};

/// Linear spring and damper between two points: tension k(ℓ − ℓ₀) + c ℓ̇.
struct Spring {
  BodyIndex body_a;
  BodyIndex body_b;                                   ///< kNone: point_b is a fixed point of the world
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero();  ///< body frame of a [m]
  Eigen::Vector3d point_b = Eigen::Vector3d::Zero();  ///< body frame of b, or world [m]
  double stiffness = 0.0;                             ///< k ≥ 0 [N/m]
  double damping = 0.0;                               ///< c ≥ 0 [N s/m]
  double rest_length = 0.0;                           ///< ℓ₀ ≥ 0 [m]
};

/// The body rolls on the plane without slip or lift, for ever (bilateral).
struct RollingConstraint {
  BodyIndex body;
  int plane = kNone;  ///< index of an obstacle that is a HalfSpace
};

/// The body's centre keeps its distance from a fixed point.
struct RodConstraint {
  BodyIndex body;
  Eigen::Vector3d pivot = Eigen::Vector3d::Zero();  ///< [m]
  double length = 0.0;                              ///< > 0 [m]
};

/// The centre moves in a plane and the body turns about its normal only.
struct PlanarConstraint {
  BodyIndex body;
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< unit
};

/// A hole that swallows every body whose centre comes closer to its axis than `radius`: it leaves play. Compliant
/// engine only.
struct Pocket {
  std::string name;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< a point of the axis [m]
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();   ///< unit
  double radius = 0.0;                               ///< [m]
};

/// A shallow hollow in the surface of a sphere, a cylinder, a bore or a shell: where the contact lies within
/// `half_width` of `direction`, seen from the centre (of a sphere) or the axis, the gap is larger by
/// depth · (1 − (angle/half_width)²)². Compliant engine only.
struct Dent {
  ObjectIndex object;
  Eigen::Vector3d direction = Eigen::Vector3d::UnitX();  ///< unit, in the object's frame
  double half_width = 0.0;                               ///< [rad]
  double depth = 0.0;                                    ///< [m]
};

using Constraint = std::variant<RollingConstraint, RodConstraint, PlanarConstraint>;

struct Model {
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  ///< [m/s²]
  Indexed<MaterialIndex, Material> materials;
  std::vector<PairRule> rules;  ///< materials × materials, row-major, symmetric; the elastic smooth rule where absent
  std::vector<ForceRule> forces;  ///< likewise
  Indexed<BodyIndex, Body> bodies;
  std::vector<Obstacle> obstacles;
  Indexed<LoadIndex, Load> loads;
  Indexed<SpringIndex, Spring> springs;
  Indexed<ConstraintIndex, Constraint> constraints;
  Indexed<JointIndex, Joint> joints;
  Indexed<PocketIndex, Pocket> pockets;
  std::vector<Dent> dents;
  std::vector<ScriptedEvent> script;
  std::vector<ContactSwitch> switches;
  std::vector<ScriptChange> changes;  ///< that the script has made of the joints so far, in their order

  /// The rule for two materials; kNone for a body without one meets everything smoothly and elastically.
  [[nodiscard]] PairRule rule(MaterialIndex a, MaterialIndex b) const;
  [[nodiscard]] const ForceRule& force_rule(MaterialIndex a, MaterialIndex b) const;

  [[nodiscard]] int body_count() const { return static_cast<int>(bodies.size()); }
  [[nodiscard]] int object_count() const { return static_cast<int>(bodies.size() + obstacles.size()); }
  [[nodiscard]] IndexRange<ObjectIndex> obstacle_indices() const { return {body_count(), object_count()}; }
  [[nodiscard]] bool is_body(ObjectIndex object) const { return object < body_count(); }
  /// The body under the number of an object that is one.
  [[nodiscard]] const Body& body(ObjectIndex object) const { return bodies[object.slot()]; }
  [[nodiscard]] const Obstacle& obstacle(ObjectIndex object) const { return obstacles[object.slot() - bodies.size()]; }
  [[nodiscard]] const std::string& name(ObjectIndex object) const {
    return is_body(object) ? body(object).name : obstacle(object).name;
  }
  [[nodiscard]] const Parts& parts(ObjectIndex object) const {
    return is_body(object) ? body(object).parts : obstacle(object).parts;
  }
  [[nodiscard]] const Groups& groups(ObjectIndex object) const {
    return is_body(object) ? body(object).groups : obstacle(object).groups;
  }
  [[nodiscard]] MaterialIndex material(ObjectIndex object) const {
    return is_body(object) ? body(object).material : obstacle(object).material;
  }
};

/// Throws InputError that names the field (`body.egg.mass`): sizes, masses and inertias (positive, J_i ≤ J_j + J_k),
/// indices, units of normals, ranges, finite numbers.
void validate(const Model& model);

/// All that validate would throw about single bodies, obstacles, loads, springs, constraints, joints, pockets and
/// dents.
std::vector<InputError> complaints(const Model& model);

}  // namespace carom
