#pragma once
/// Driven obstacles at the time they were last asked for: many contacts of a group ask for the same one at the same
/// time.

#include <limits>
#include <utility>
#include <vector>

#include "carom/engine/smooth/environment.h"

namespace carom::smooth {

class ObstacleMemory {
 public:
  explicit ObstacleMemory(const Environment& environment) : environment_(&environment) {}

  const ObstacleState& at(ObjectIndex object, double time) {
    if (const ObstacleState* const resting = environment_->resting_obstacle(object)) return *resting;
    const Model& model = environment_->model();
    const std::size_t index = object.slot() - model.bodies.size();
    if (known_.size() <= index)
      known_.resize(model.obstacles.size(), {std::numeric_limits<double>::quiet_NaN(), ObstacleState{}});
    auto& [known_time, known] = known_[index];
    if (known_time != time) {
      known_time = time;
      known = environment_->obstacle(object, time);
    }
    return known;
  }

 private:
  const Environment* environment_;
  std::vector<std::pair<double, ObstacleState>> known_;
};

}  // namespace carom::smooth
