#pragma once
/// How everything moves: the paths of the bodies and the groups that they are integrated in.

#include <memory>
#include <vector>

#include "carom/contact/gap_search.h"
#include "carom/engine/smooth/clearance.h"
#include "carom/engine/smooth/group_list.h"
#include "carom/engine/smooth/paths.h"
#include "carom/mechanics/script_progress.h"

namespace carom::smooth {

class Motions {
 public:
  Motions(std::shared_ptr<const Environment> environment, const State& initial)
      : paths(environment, initial),
        groups(environment),
        clearances(initial.bodies.size()),
        environment_(std::move(environment)) {
    script = ScriptProgress(model(), initial.time, [&](const Level& level) { return level_at(level, initial.time); });
  }

  Paths paths;
  GroupList groups;
  Clearances clearances;  ///< of bodies from each other and from obstacles
  ScriptProgress script;

  [[nodiscard]] const Environment& environment() const { return *environment_; }
  [[nodiscard]] const Model& model() const { return environment_->model(); }
  [[nodiscard]] bool is_body(ObjectIndex object) const { return model().is_body(object); }

  /// One body at a time within its stretch.
  [[nodiscard]] BodyState state_of(BodyIndex body, double time) const;
  /// The groups that are integrated, in order.
  [[nodiscard]] std::vector<GroupIndex> integrated_groups() const;
  /// All of them.
  [[nodiscard]] State state_at(double time) const;
  /// What the contacts of all groups do then.
  [[nodiscard]] std::vector<ContactLoad> contact_loads_at(double time) const;
  /// Whether contacts of the two can begin now.
  [[nodiscard]] bool can_meet(ObjectIndex a, ObjectIndex b) const {
    return environment_->can_meet(a, b) && (script.is_on.empty() || script.allows(model().switches, a, b));
  }
  /// A level at a time within the stretches of its bodies, on their paths.
  [[nodiscard]] double level_at(const Level& level, double time) const;
  [[nodiscard]] double level_roundoff(const Level& level, double time) const;
  /// The level as exact as the ends of steps: by steps of its own up to there.
  [[nodiscard]] double exact_level_at(const Level& level, double time) const;
  /// The distance of two objects then, and its rate.
  [[nodiscard]] contact::GapSample distance_at(ObjectIndex a, ObjectIndex b, double time) const;
  /// The contact of a group, at a time within its stretch.
  [[nodiscard]] GroupDynamics::Gap gap_at(const Group& group, const Contact& contact, double time) const;

 private:
  /// Asks for a level, or for its round-off, with states of its bodies.
  using LevelQuestion = double (*)(const Level&, const JointKinematics&, const StateView&);
  [[nodiscard]] double ask(LevelQuestion question, const Level& level, double time,
                           const std::function<BodyState(BodyIndex)>& state_of) const;

  std::shared_ptr<const Environment> environment_;
  mutable std::vector<double> interpolated_;  ///< scratch
};

}  // namespace carom::smooth
