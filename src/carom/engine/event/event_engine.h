#pragma once
/// The rigid engine: bodies move freely until contacts close, velocities jump by the impact law, and they go on.
///
/// What happens at an event reads: go there → gather the cluster of closed contacts → resolve it by the law → settle
/// what rests → predict. Bodies live at their own times; nothing is stepped that nothing happens to. The parts:
///   World           where everything is and how it moves
///   ClosedContacts  the cluster of the instant
///   Impacts         the law, velocities that jump
///   Rest            which contacts persist
///   HeldContacts    those that do, and when that is reported
///   IslandMotions   how bodies that are held together move on; BallMotions, balls that are alone on a plane
///   Timeline        what happens next
///   script          what the scene asks for on the way (scripted_events.cpp)
/// docs/theory/event-engine.md

#include <functional>

#include "carom/engine/engine.h"
#include "carom/engine/event/contact_loads.h"
#include "carom/engine/event/event_options.h"
#include "carom/engine/event/held_contacts.h"
#include "carom/engine/event/impacts.h"
#include "carom/engine/event/island_motions.h"
#include "carom/engine/event/rest.h"
#include "carom/engine/event/stall_watch.h"
#include "carom/engine/event/timeline.h"

namespace carom {

class EventEngine final : public Engine {
 public:
  /// Checks model, state and options (validate, overlap at the start). Throws InputError.
  EventEngine(std::shared_ptr<const Model> model, const State& initial, const EventOptions& options);
  [[nodiscard]] std::unique_ptr<Engine> clone() const override;

  void start() override;
  [[nodiscard]] std::optional<double> next_time() override;
  void handle_next() override;
  [[nodiscard]] bool at_rest(double next) override;
  [[nodiscard]] double now() const override { return world_.time(); }
  [[nodiscard]] double end() const override { return timeline_.end(); }
  void extend(double end) override { timeline_.extend(end); }

  [[nodiscard]] State state_at(double time) const override;
  [[nodiscard]] std::vector<ContactLoad> contact_loads_at(const State& state) const override;
  [[nodiscard]] EnergyBook energy_at(const State& state) const override;
  [[nodiscard]] RunResult result(const State& reached) const override;

  /// All closed contacts of the cluster are in the problem, named after the two that touch. Coordinates: per body v
  /// (world) and, unless it is a smooth ball, ω (principal frame).
  [[nodiscard]] std::shared_ptr<const Model> changed_model() const override;
  [[nodiscard]] std::optional<ImpactProblem> first_impact() override;

  void transfer(Archive& archive) override;

 private:
  EventEngine(const EventEngine&) = default;

  [[nodiscard]] event::Situation situation() { return {world_, held_, closed_}; }
  [[nodiscard]] event::Instant instant() { return {world_, closed_, dynamics_, log_}; }

  /// All bodies: what touches them now, impacts and rest.
  void settle_next();
  /// Whether the run stopped, or an observer threw, in the middle of an instant.
  [[nodiscard]] bool is_unfinished() const {
    return !unfinished_.empty() || next_unsettled_ < static_cast<int>(settled_.size());
  }
  void finish_instant();
  void resolve_and_settle(const event::Bodies& seeds);
  /// Sets the velocities of islands with joints that these bodies belong to on what they keep: inside steps of a coarse
  /// integration they are there to its tolerance only, and a law needs more.
  void put_velocities(const event::Bodies& seeds);
  void put_on_contacts(event::Island& island);
  void settle(const event::Bodies& bodies);
  /// Where nothing rests and nothing is coupled all bodies of the cluster fly on.
  bool all_fly();
  [[nodiscard]] bool can_rattle() const;
  void end_step(BodyIndex body);
  [[nodiscard]] bool changes_steps(const event::Island& island);
  /// The same for a ball on a plane, whose stretch in closed form has ended.
  void end_stretch(BodyIndex body);
  void report_rest(event::HeldIndex held);

  // What the script of the model asks for (scripted_events.cpp).
  void schedule_script();
  void run_script(int which);
  /// Notes the pairs that have just been struck; returns the scripted events that were waiting for that.
  std::vector<int> note_struck(std::vector<char>& counted);
  /// Goes on with a model of the same objects whose joints have changed.
  void change_joints(Model next);
  /// Whether its two objects do not overlap now.
  [[nodiscard]] bool are_apart(const ContactSwitch& contacts) const;
  /// Sets the velocities of these bodies, and of all that joints connect with them, on what joints ask for.
  event::VelocityCorrection hold_joints(const event::Bodies& bodies, ScriptedJump& jump);
  void book(const event::VelocityCorrection& correction);
  void act(const ReleaseJoint& release, ScriptedJump& jump);
  void act(const GiveImpulse& push, ScriptedJump& jump);
  void act(const SwitchMotor& change, ScriptedJump& jump);
  void act(const StopRun& stop, ScriptedJump& jump);
  /// That of a switch begins or ceases to hold, or still holds and its objects do not overlap any more.
  void change_condition(int which, bool still_holds);
  [[nodiscard]] bool is_in_a_hurry() const;
  [[nodiscard]] Indexed<JointIndex, JointLoad> joint_loads_at(double time) const;
  void switch_off_opened(const std::vector<event::ContactPoint>& opened);

  /// Keeps the contacts of an island; returns those whose beginning is to be reported now.
  std::vector<event::ContactPoint> hold(const event::Island& island);
  void report(EventKind kind, const std::vector<event::ContactPoint>& contacts);

  event::World world_;
  event::ClosedContacts closed_;
  event::Impacts impacts_;
  event::Rest rest_;
  event::HeldContacts held_;
  event::IslandDynamics dynamics_;
  event::IslandMotions motions_;
  event::Timeline timeline_;
  event::StallWatch stalls_;
  event::Bodies unfinished_;  ///< of an instant that has not been dealt with to its end
  // At the start: who has been looked at, and who is next.
  Indexed<BodyIndex, char> settled_;
  BodyIndex next_unsettled_ = 0;
  mutable event::ContactLoads loads_;  ///< what stands still keeps its forces
  EventDraft draft_;
  event::Bodies seeds_;  ///< of the event at hand
};

}  // namespace carom
