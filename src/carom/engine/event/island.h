#pragma once
/// Bodies that move together because contacts that persist, constraints, joints or springs connect them, and where they
/// are in their integrated motion (island_dynamics.h has the equations).
///
/// Coordinates per body: centre x, attitude q of the principal frame, v (world), ω (principal frame); 13 numbers. At
/// the end of the state stand integrals: energy dissipated by dampers, work of load torques, work of driven obstacles,
/// where contacts have friction what that dissipates, where joints have motors the work of these, and
/// where joints have dry friction what that dissipates.

#include <array>
#include <vector>

#include "carom/contact/contact_point.h"
#include "carom/mechanics/joint_rows.h"
#include "carom/mechanics/model.h"

namespace carom::event {

using contact::ContactPoint;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Bodies = std::vector<BodyIndex>;

/// Friction this near to its limit, relative to that, has reached it.
inline constexpr double kAtLimit = 1e-6;

/// Slip slower than this part of an island's speeds (IslandDynamics::speed_scale) is about to end or has only begun: it
/// counts as none when it is asked what contacts do.
inline constexpr double kSlowSlip = 1e-6;

/// What a contact that persists does tangentially.
enum class ContactMode {
  smooth,  ///< slip meets no resistance
  slide,   ///< slips against friction, μ_k λ
  stick,   ///< does not slip: rolls or pivots
};

struct ActiveContact {
  ContactPoint contact;
  ContactMode mode = ContactMode::smooth;
  Vector3d direction = Vector3d::Zero();  ///< of the slip where it slides, unit, at the start of the step
  bool begins = false;                    ///< slides from no slip on
  bool straight = false;                  ///< its slip keeps the direction during the step,
  bool was_slow = false;                  ///< because it is slow when that begins
  bool moves = true;                      ///< its bodies move against each other, turning included
  bool undecided = false;                 ///< it could not be told by itself whether it holds
  bool lets_go = false;                   ///< the friction that sticking needs has reached its limit
  bool pulls = false;                     ///< to stay closed it would have to pull, at the end of the step
  double arrival_rate = 0.0;              ///< gap rate when the bodies settled
  std::array<double, 3> force{};          ///< of the last crowded step, normal and tangential
  double pressing = 0.0;                  ///< gap acceleration that the contact force keeps up with

  [[nodiscard]] bool sticks() const { return mode == ContactMode::stick; }
  [[nodiscard]] bool slides() const { return mode == ContactMode::slide; }
  /// Whether its friction has a limit, sticking or sliding.
  [[nodiscard]] bool has_limit() const { return mode != ContactMode::smooth && !contact.rule.rough; }
};

/// What dry friction does on the coordinate of a joint during a step.
enum class DryMode {
  rises,  ///< the coordinate grows, friction against that
  falls,
  stick,  ///< it does not move
  held,   ///< other joints, limits or contacts do not let it move, so that there is no friction
};

struct DryJoint {
  JointIndex joint;
  int coordinate = 0;
  DryMode mode = DryMode::stick;
  double held = 0.0;  ///< the coordinate where it sticks

  /// Direction of the motion; 0 where there is none.
  [[nodiscard]] double sign() const {
    if (mode == DryMode::stick || mode == DryMode::held) return 0.0;
    return mode == DryMode::rises ? 1.0 : -1.0;
  }
};

/// What it took to set velocities on contacts: the kinetic energy, and what driven obstacles and motors did meanwhile.
struct VelocityCorrection {
  double cut_off = 0.0;
  double wall_work = 0.0;
  double motor_work = 0.0;
};

/// A group of bodies and what acts on it.
struct Island {
  Bodies bodies;
  std::vector<ActiveContact> contacts;
  std::vector<SpringIndex> springs;
  std::vector<LoadIndex> loads;
  std::vector<ConstraintIndex> constraints;
  /// A body, by its place in `bodies`, that a rod keeps at a distance from a point.
  struct Rod {
    int slot;
    Vector3d pivot;
    double length;
  };
  std::vector<Rod> rods;
  bool rolls = false;              ///< whether a constraint makes one of them roll
  std::vector<JointIndex> joints;  ///< ascending
  std::vector<JointTurns> turns;   ///< of the joints at `time`, whole ones included
  bool driven = false;             ///< whether a motor works in one of them
  bool pushed = false;             ///< whether a spring, a damper or a motor of given force acts in one of them
  std::vector<DryJoint> dry;       ///< coordinates with dry friction

  // Integration.
  double time = 0.0;              ///< start of the present step
  double step = 0.0;              ///< size of the present step
  double next_step = 0.0;         ///< suggestion for the next one
  std::vector<double> state;      ///< at `time`
  std::vector<double> after;      ///< at the end of the step
  std::vector<double> dense;      ///< coefficients of the polynomial between
  double opening = 1.0;           ///< part of the step after which a contact ceases to press, 1 where none does
  bool opens = false;             ///< whether one does
  bool stops = false;             ///< whether an obstacle that was driven has come to rest at the end
  bool keeps_joints = true;       ///< whether all that joints, motors and contacts keep could be kept up to the end
  VelocityCorrection correction;  ///< by putting the bodies back on their contacts at the end of the step
  VelocityCorrection jump;        ///< by impulses at the start of a crowded step
  double fastest = 0.0;           ///< speed scale of the present step
  /// Of a crowded step, whose velocities are linear: kinetic energies when it begins, in its middle and at its end, and
  /// by how much there is more energy than when it began.
  struct Excess {
    double kinetic[3] = {0.0, 0.0, 0.0};
    double created[3] = {0.0, 0.0, 0.0};
    /// By what speeds at a part of the step are multiplied so that there is no more.
    [[nodiscard]] double slowing(double theta) const;
  };
  Excess excess;
  int steps_until_look = 1;  ///< of a crowded one: whether it stands still
  int steps_between_looks = 1;

  static constexpr int kPerBody = 13;
  [[nodiscard]] bool dissipates() const;
  /// Whether steps do not follow the modes of each contact (island_crowd.cpp): since they are many, or since it could
  /// not be told what they do.
  [[nodiscard]] bool is_crowded() const;
  [[nodiscard]] bool has_many_contacts() const;
  /// Whether such steps can be taken.
  [[nodiscard]] bool can_crowd() const { return joints.empty() && !rolls && !resists_turning(); }
  /// To ask exactly who holds costs the cube of the number of contacts.
  [[nodiscard]] bool has_too_many_contacts() const { return contacts.size() > 40; }
  [[nodiscard]] bool resists_turning() const;  ///< whether a contact resists rolling or spinning
  [[nodiscard]] int integrals() const { return 3 + (dissipates() ? 1 : 0) + (driven ? 1 : 0) + (dry.empty() ? 0 : 1); }
  [[nodiscard]] int size() const { return kPerBody * static_cast<int>(bodies.size()) + integrals(); }
  [[nodiscard]] double end() const { return time + opening * step; }
  [[nodiscard]] int slot(ObjectIndex body) const;  ///< position in `bodies`, or −1
  [[nodiscard]] const JointTurns& turns_of(JointIndex joint) const;
  /// `count` numbers of the state from `first` on at a part of the step. Between the ends of a crowded one, whose
  /// velocities are linear, bodies are put on their rods and have no more energy than there is.
  void state_at(double theta, int first, int count, double* y) const;
};

/// Reads one body out of an island's state vector.
BodyState body_state(const double* y, const Quaterniond& principal_axes);
/// Writes it.
void write_body_state(const BodyState& state, const Quaterniond& principal_axes, double* y);

}  // namespace carom::event
