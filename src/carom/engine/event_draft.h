#pragma once
/// An event while it is put together: its contacts, the velocities before and after, what the law's audit says. Reused
/// from event to event, so that nothing is allocated in the long run.

#include <functional>
#include <vector>

#include "carom/engine/run_log.h"
#include "carom/mechanics/impact_outcome.h"
#include "carom/mechanics/state.h"
#include "carom/record/observer.h"

namespace carom {

/// What the actions of a scripted event do to velocities, summed up.
struct ScriptedJump {
  std::vector<BodyIndex> bodies;            ///< pushed, or held by joints that have changed
  Indexed<JointIndex, JointLoad> impulses;  ///< of joints, [N s] and [N m s]; empty where none had to hold anything
  double work = 0.0;                        ///< ΔT from the impulses: of pushes ½p·(v⁺+v⁻), of motors and walls

  void add(const Indexed<JointIndex, JointLoad>& more);
};

class EventDraft {
 public:
  /// Begins an event of this kind; everything of the one before is forgotten.
  EventDraft& begin(EventKind kind, double time);

  /// The record but for its contacts and jumps, to be filled in.
  EventRecord record;

  ContactRecord& add_contact(ObjectIndex a, ObjectIndex b);
  [[nodiscard]] std::vector<ContactRecord>& contacts() { return contacts_; }

  JointRecord& add_joint(JointIndex joint);

  /// A body whose velocity the event changes: first as it was, then, by finish_jumps, as it is.
  void add_jump(BodyIndex body, const BodyState& before);
  /// `state_of(body)` is its state after the event.
  template <class StateOf>
  void finish_jumps(const StateOf& state_of) {
    for (JumpRecord& jump : jumps_) {
      const BodyState& after = state_of(jump.body);
      jump.velocity_after = after.velocity;
      jump.angular_velocity_after = after.angular_velocity;
    }
  }

  /// Law, steps, stop, energies and audit of an impact.
  void take_outcome(const ImpactOutcome& outcome);

  void report(RunLog& log);

  /// A scripted event that has happened: which one, what it did, and the velocities that it has changed.
  struct Scripted {
    int which;
    double time;
    const ScriptedJump& jump;
    const Indexed<BodyIndex, BodyState>& before;
    std::function<BodyState(BodyIndex)> after{};
    std::function<double(BodyIndex, const BodyState&)> kinetic_energy{};
  };
  void report_scripted(const Scripted& event, RunLog& log);

 private:
  std::vector<ContactRecord> contacts_;
  std::vector<JumpRecord> jumps_;
  std::vector<JointRecord> joints_;
};

}  // namespace carom
