#pragma once
/// How everything moves: the paths of the bodies and the groups that they are integrated in.

#include <memory>
#include <vector>

#include "carom/engine/smooth/group_list.h"
#include "carom/engine/smooth/paths.h"

namespace carom::smooth {

class Motions {
 public:
  Motions(std::shared_ptr<const Environment> environment, const State& initial)
      : paths(environment, initial), groups(environment), environment_(std::move(environment)) {}

  Paths paths;
  GroupList groups;

  [[nodiscard]] const Environment& environment() const { return *environment_; }
  [[nodiscard]] const Model& model() const { return environment_->model(); }
  [[nodiscard]] bool is_body(ObjectIndex object) const { return model().is_body(object); }

  /// One body at a time within its stretch.
  [[nodiscard]] BodyState state_of(BodyIndex body, double time) const;
  /// All of them.
  [[nodiscard]] State state_at(double time) const;
  /// The contact of a group, at a time within its stretch.
  [[nodiscard]] GroupDynamics::Gap gap_at(const Group& group, const Contact& contact, double time) const;

 private:
  std::shared_ptr<const Environment> environment_;
  mutable std::vector<double> interpolated_;  ///< scratch
};

}  // namespace carom::smooth
