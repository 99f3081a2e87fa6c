#pragma once
/// How far the script of a model has come, and the model that it leaves behind: a model does not change, so a joint
/// that is released or gets another motor makes a new one.

#include <functional>
#include <vector>

#include "carom/mechanics/model.h"

namespace carom {

struct ScriptProgress {
  std::vector<char> has_happened;  ///< of Model::script
  std::vector<int> impacts;        ///< so far, of those that wait for some
  std::vector<char> holds;         ///< the conditions of Model::switches
  std::vector<char> is_on;  ///< whether contacts of Model::switches can begin: as they hold, but not out of overlap

  ScriptProgress() = default;
  /// Where the model says that its script has come to; `level_of` gives the value of a level at `now`.
  ScriptProgress(const Model& model, double now, const std::function<double(const Level&)>& level_of);

  [[nodiscard]] bool allows(const std::vector<ContactSwitch>& switches, ObjectIndex a, ObjectIndex b) const {
    for (std::size_t i = 0; i < is_on.size(); ++i)
      if (!is_on[i] && switches[i].is_of(a, b)) return false;
    return true;
  }
  /// Whether something waits for a time, so that it happens whatever moves.
  [[nodiscard]] bool waits_for_time(const Model& model) const;
  /// Counts an impact for each event that waits for one where `is_it(number of the event, trigger)`; returns those that
  /// have come about by that.
  std::vector<int> count_impact(const Model& model, const std::function<bool(int, const AtImpact&)>& is_it);
  /// The model with what has happened noted in its script.
  [[nodiscard]] Model noted_in(Model model) const;
};

/// Up to what the value of a level is round-off.
double roundoff_of(const Level& level, const JointKinematics& joints, const StateView& view);

/// The model without a joint, and without gears between it and others. Bodies that only this kept from meeting each
/// other may do so from `now` on, once they do not overlap: switches that come last.
Model without_joint(const Model& model, JointIndex joint, double now);
/// The joints that go with it.
std::vector<JointIndex> joints_gone_with(const Model& model, JointIndex joint);

/// The model with another motor on a coordinate, which is at `place` now.
Model with_motor(const Model& model, const SwitchMotor& change, double place, double now);

/// The model after such changes, one after the other.
Model with_changes(Model model, const std::vector<ScriptChange>& changes);

}  // namespace carom
