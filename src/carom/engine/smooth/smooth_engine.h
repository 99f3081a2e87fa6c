#pragma once
/// The compliant engine: bodies press into each other with forces, and the instants at which contacts begin and end are
/// located.
///
/// Bodies that touch (or hang on springs or rods) form groups; each group is integrated on its own steps, and bodies in
/// free flight are not integrated at all. The engine is made of these parts, each of which knows only those above it:
///
///   Environment, ContactLaws   what is constant: bodies with what acts on them, the force laws
///   Motions                    where everything is: Paths of the bodies, and the groups with their GroupDynamics
///   Timeline                   what happens next
///   Encounters                 who touches next (ContactSearch: when)
///   ScriptWatch                when what the script waits for comes about (scripted_actions.cpp: what then)
///   Stepping                   the next stretch of a group, and its end
///   ContactBook, ContactMaker  what contacts begin with, and what they have done
///
/// docs/theory/compliant-contact.md

#include <memory>
#include <vector>

#include "carom/engine/engine.h"
#include "carom/engine/smooth/contact_book.h"
#include "carom/engine/smooth/contact_events.h"
#include "carom/engine/smooth/contact_maker.h"
#include "carom/engine/smooth/encounters.h"
#include "carom/engine/smooth/energy_watch.h"
#include "carom/engine/smooth/joined_bodies.h"
#include "carom/engine/smooth/rest_watch.h"
#include "carom/engine/smooth/script_watch.h"
#include "carom/engine/smooth/smooth_options.h"
#include "carom/engine/smooth/stepping.h"
#include "carom/mechanics/model.h"

namespace carom {

class SmoothEngine final : public Engine {
 public:
  /// Checks model and state (validate, overlap above 1 % of the smaller body, force laws and their parameters; laws
  /// that need an approach speed on bodies that touch at the start) and the options. Throws InputError.
  SmoothEngine(std::shared_ptr<const Model> model, const State& initial, const SmoothOptions& options);

  [[nodiscard]] std::unique_ptr<Engine> clone() const override;
  void start() override;
  [[nodiscard]] std::optional<double> next_time() override;
  void handle_next() override;
  [[nodiscard]] bool at_rest(double next) override;
  [[nodiscard]] double now() const override { return now_; }
  [[nodiscard]] double end() const override { return end_; }
  void extend(double end) override;
  [[nodiscard]] State state_at(double time) const override { return motions_.state_at(time); }
  [[nodiscard]] std::vector<ContactLoad> contact_loads_at(const State& state) const override {
    return motions_.contact_loads_at(state.time);
  }
  [[nodiscard]] EnergyBook energy_at(const State& state) const override;
  [[nodiscard]] RunResult result(const State& reached) const override;
  [[nodiscard]] std::shared_ptr<const Model> changed_model() const override;
  void transfer(Archive& archive) override;

 private:
  using GroupIndex = smooth::GroupIndex;
  using Contact = smooth::Contact;
  using FeatureCode = smooth::FeatureCode;

  SmoothEngine(const SmoothEngine&) = default;

  // smooth_engine.cpp
  [[nodiscard]] std::optional<double> next_of_motion();
  /// Asks for the memory of what most likely comes next, while the present event is dealt with.
  void look_ahead() const;
  void end_stretch(GroupIndex group);
  void go_on(GroupIndex group);
  void put_to_sleep(GroupIndex group);
  void watch_energy();
  /// Another event at this time.
  [[nodiscard]] bool repeats_without_end(double time);
  /// False: the run has failed.
  bool arrive(GroupIndex group, double time);
  void fail(smooth::StepFailure failure);
  [[nodiscard]] bool failed() const { return log_.result.failure.has_value(); }
  [[nodiscard]] smooth::ContactMaker contact_maker();

  // regrouping.cpp
  void close_contact(ObjectIndex a, ObjectIndex b, FeatureCode feature);
  /// The last of these has begun; `touched`: others of the same two were there before.
  void begin_contact(const std::vector<BodyIndex>& bodies, const std::vector<Contact>& contacts, double step,
                     bool touched);
  void close_limit(GroupIndex group, const LimitIndex& limit);
  void open_contact(GroupIndex group, int contact);
  void hand_over_contact(GroupIndex group, int contact);
  void move_contact(GroupIndex group, int contact, const Eigen::Vector3d& normal);
  void change_dry_joints(GroupIndex group);
  void swallow(BodyIndex body, PocketIndex pocket);
  void dissolve(GroupIndex group);
  void book_works(const smooth::Group& group);
  /// Puts the bodies with these contacts into groups of those that belong together. `step`: the size to begin with; 0:
  /// unknown. Returns the groups.
  std::vector<GroupIndex> regroup(const std::vector<BodyIndex>& bodies, const std::vector<Contact>& contacts,
                                  double step);
  void regroup_and_go_on(const std::vector<BodyIndex>& bodies, const std::vector<Contact>& contacts, double step);

  /// Goes on with another model of the same objects: everything that refers to it, without motions.
  void take_model(std::shared_ptr<const Model> model, const State& state);

  // scripted_actions.cpp
  /// All bodies in play, with their contacts, while nothing goes on.
  struct Halted {
    std::vector<BodyIndex> bodies;
    std::vector<Contact> contacts;
    double step = 0.0;  ///< of the shortest
  };
  Halted halt();
  void go_on_from(const Halted& all);
  [[nodiscard]] State halted_state() const;
  void run_script(int which);
  /// Counts a contact that has begun as an impact; adds what was waiting for that.
  void note_impact(const Contact& contact, std::vector<int>& due);
  void run_scripts(const std::vector<int>& due);
  /// Goes on with a model of the same objects whose joints have changed.
  void change_joints(Model next, Halted& all);
  void act(const ReleaseJoint& release, Halted& all, ScriptedJump& jump);
  void act(const GiveImpulse& push, Halted& all, ScriptedJump& jump);
  void act(const SwitchMotor& change, Halted& all, ScriptedJump& jump);
  void act(const StopRun& stop, Halted& all, ScriptedJump& jump);
  smooth::JoinedBodies::Held hold_velocities(BodyIndex body, ScriptedJump& jump);
  [[nodiscard]] double kinetic_energy_of_all() const;
  /// That of a switch begins or ceases to hold, or still holds and its objects do not overlap any more.
  void change_condition(int which, bool still_holds);
  [[nodiscard]] bool are_apart(const ContactSwitch& contacts) const;
  [[nodiscard]] static bool touch(const std::vector<Contact>& all, const ContactSwitch& contacts);
  void switch_off_opened(const std::vector<Contact>& left);

  std::shared_ptr<const smooth::Environment> environment_;
  std::shared_ptr<const smooth::ContactLaws> laws_;
  smooth::Motions motions_;
  smooth::Encounters encounters_;
  smooth::Timeline timeline_;
  smooth::Stepping stepping_;
  smooth::ScriptWatch script_watch_;
  smooth::ContactBook book_;
  smooth::ContactEvents events_;
  smooth::RestWatch rest_watch_;
  smooth::EnergyWatch energy_watch_;
  std::vector<Contact> first_contacts_;  ///< closed at the start, not yet reported

  double start_, now_, end_;
  double repeated_time_ = -1.0;
  int repeats_ = 0;      ///< events at that time so far
  int until_watch_ = 0;  ///< events, steps among them, before the energy is looked at
};

}  // namespace carom
