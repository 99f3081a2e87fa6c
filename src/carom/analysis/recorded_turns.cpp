#include "carom/analysis/recorded_turns.h"

#include <algorithm>

#include "carom/analysis/sample_block.h"

namespace carom {

std::vector<JointTurns> RecordedTurns::counted(JointIndex joint) {
  const JointKind kind = kinematics_.model().joints[joint].kind;
  const std::size_t count = record_.sample_count(), length = SampleBlock::usual_size(record_.info().bodies);
  std::vector<JointTurns> all;
  all.reserve(count);
  JointTurns near = kinematics_.model().joints[joint].start, rates{};
  for (std::size_t first = 0; first < count; first += length) {
    SampleBlock block(record_, first, std::min(first + length, count));
    for (std::size_t i = 0; i < block.size(); ++i) {
      std::array<BodyState, 2> bodies;
      std::size_t next = 0;
      JointStates states = kinematics_.states(
          joint, block.time(i),
          [&](BodyIndex body) -> const BodyState& { return bodies[next++] = block.body(i, static_cast<int>(body)); },
          [&near](JointIndex) -> const JointTurns& { return near; });
      const double since = first + i == 0 ? 0.0 : times_[first + i] - times_[first + i - 1];
      for (int k = 0; k < coordinate_count(kind); ++k) {
        if (is_shift(kind, k)) continue;
        const auto turn = static_cast<std::size_t>(has_shift(kind) ? k - 1 : k);
        const double rate = rate_of(kinematics_.coordinate_row(joint, k, states), states);
        states.near[turn] += 0.5 * since * (rates[turn] + rate);
        rates[turn] = rate;
      }
      near = kinematics_.turns(joint, states);
      all.push_back(near);
    }
  }
  return all;
}

JointTurns RecordedTurns::near(JointIndex joint, double time) {
  if (times_.empty()) times_ = record_.series("/time", 0, record_.sample_count());
  auto found = turns_.find(joint);
  if (found == turns_.end()) found = turns_.emplace(joint, counted(joint)).first;
  const std::vector<JointTurns>& turns = found->second;
  const auto after = static_cast<std::size_t>(std::upper_bound(times_.begin(), times_.end(), time) - times_.begin());
  if (after == 0) return turns.front();
  if (after == times_.size()) return turns.back();
  const double part = (time - times_[after - 1]) / (times_[after] - times_[after - 1]);
  JointTurns near{};
  for (std::size_t k = 0; k < near.size(); ++k)
    near[k] = turns[after - 1][k] + part * (turns[after][k] - turns[after - 1][k]);
  return near;
}

}  // namespace carom
