#pragma once
/// What an engine reports while it runs. A record file, a progress bar or a test observes.
///
/// The references and spans handed over live until the call returns. Objects are numbered as in Model: bodies first,
/// then obstacles. Events come in order of time; several rounds of one instant follow each other.

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "carom/mechanics/impact_outcome.h"
#include "carom/mechanics/joint_limit.h"
#include "carom/mechanics/model.h"
#include "carom/mechanics/state.h"

namespace carom {

enum class EventKind {
  impact,         ///< velocities jumped
  rest,           ///< infinitely many bounces have ended: the contacts persist from here on
  release,        ///< persistent contacts open
  contact_start,  ///< contacts became persistent without an accumulation of impacts; compliant: began to press
  contact_end,    ///< compliant engines: the force ended
  swallowed,      ///< a body fell into a pocket and left play
  slip,           ///< persistent contacts begin to slide against friction, or slide on the other way
  stick,          ///< the slip of persistent contacts has come to its end: they stick, roll or pivot
  scripted,       ///< what the scene asked for (script.h)
};

inline constexpr EventKind kLastEventKind = EventKind::scripted;

/// `impact`, `rest`, `release`, `contact-start`, `contact-end`, `swallowed`, `slip`, `stick`, `scripted`.
std::string_view event_kind_name(EventKind kind);

/// How a compliant contact went: since when, and when its normal force was the greatest.
struct ContactCourse {
  double began = 0.0;       ///< [s]
  double peak_force = 0.0;  ///< [N]; of the limit of a turn a couple [N m]
  double peak_time = 0.0;   ///< [s]
};

/// One touching point of an event, or a limit that a joint has come to: of a turn that has a couple [N m s] for an
/// impulse, along `normal`, and rates in rad/s.
struct ContactRecord {
  ObjectIndex a;
  ObjectIndex b;                                                 ///< kNone: the ground, of a limit
  Eigen::Vector3d point = Eigen::Vector3d::Zero();               ///< [m]
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();              ///< unit, from b to a
  double impulse = 0.0;                                          ///< normal, on a along `normal` [N s]
  Eigen::Vector3d tangential_impulse = Eigen::Vector3d::Zero();  ///< on a [N s]; zero at a smooth contact
  double rate_before = 0.0;                                      ///< gap rate γ⁻ [m/s]
  double rate_after = 0.0;                                       ///< γ⁺ [m/s]
  /// e that the impact law was given, by the gap rate before; the nominal one of a force law; none where neither acts.
  std::optional<double> restitution{};
  LimitIndex limit{};  ///< of a joint; none where bodies touch
  /// Of a compliant contact that has ended.
  std::optional<ContactCourse> course{};
};

/// One body whose velocity an event changed.
struct JumpRecord {
  BodyIndex body;
  Eigen::Vector3d velocity_before = Eigen::Vector3d::Zero(), velocity_after = Eigen::Vector3d::Zero();
  Eigen::Vector3d angular_velocity_before = Eigen::Vector3d::Zero(), angular_velocity_after = Eigen::Vector3d::Zero();
};

/// What an impact does in one joint, on the first of its bodies, at its anchor; of a gear on the first body of its
/// first joint. World frame.
struct JointRecord {
  JointIndex joint;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< impulse [N s]
  Eigen::Vector3d couple = Eigen::Vector3d::Zero();  ///< angular impulse about the anchor [N m s]
};

struct EventRecord {
  double time = 0.0;
  EventKind kind = EventKind::impact;
  int round = 0;         ///< 0, and 1, 2, … where a law left something approaching and was asked again
  std::string_view law;  ///< impacts: the registry name of the law that answered; empty otherwise
  std::span<const ContactRecord> contacts;
  std::span<const JumpRecord> jumps;
  std::span<const JointRecord> joints;
  long steps = 0;               ///< of the law
  Stop stop = Stop::separated;  ///< of the law
  /// Of the bodies involved (kinetic, rigid impacts) [J].
  ImpactEnergy energy;
  double min_impulse = 0.0, min_gap_rate_after = 0.0, constraint_residual = 0.0;  ///< of the audit
  std::optional<double> complementarity_residual;
  Flags flags;
  PocketIndex pocket;  ///< swallowed: the one it fell into
  int script = kNone;  ///< scripted: which of Model::script
};

/// Where energy went since the start [J]: total = initial − dissipated + wall_work + torque_work + motor_work.
struct EnergyBook {
  double initial = 0.0;
  double impacts = 0.0;      ///< dissipated by impacts
  double damping = 0.0;      ///< dissipated by dampers and resistance
  double cut_off = 0.0;      ///< removed when a contact came to rest or was set on its constraint
  double contacts = 0.0;     ///< dissipated by the damping of compliant contacts
  double friction = 0.0;     ///< dissipated by friction of contacts that last
  double swallowed = 0.0;    ///< of bodies that left play
  double wall_work = 0.0;    ///< done by driven obstacles
  double torque_work = 0.0;  ///< done by load torques and scripted impulses
  double motor_work = 0.0;   ///< done by motors of joints
  Energy now;

  [[nodiscard]] double dissipated() const { return impacts + damping + cut_off + contacts + friction + swallowed; }
  /// What is missing, zero but for round-off and integration error.
  [[nodiscard]] double error() const {
    return now.total() - (initial - dissipated() + wall_work + torque_work + motor_work);
  }
};

class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  /// All bodies at a multiple of the output step, at the start and at the end.
  virtual void sample(const State& state, const EnergyBook& book) = 0;
  virtual void event(const EventRecord& event) = 0;
  /// Whether samples are to tell what contacts do (State::contact_loads), which takes time to find.
  [[nodiscard]] virtual bool wants_contact_loads() const { return false; }
  /// Now and then (at least every some thousand events), with the model time reached.
  virtual void progress(double /*time*/, long /*events*/) {}
};

}  // namespace carom
