#pragma once
/// The motion of one body within the present step of its island.

#include <memory>

#include "carom/contact/motion.h"
#include "carom/engine/event/island.h"

namespace carom::event {

class MotionInIsland final : public contact::IntegratedMotion {
 public:
  MotionInIsland(std::shared_ptr<const Island> island, int slot, const Quaterniond& principal_axes)
      : island_(std::move(island)), slot_(slot), principal_axes_(principal_axes) {}

  [[nodiscard]] BodyState after(double tau) const override {
    double y[Island::kPerBody];
    island_->state_at(tau / island_->step, Island::kPerBody * slot_, Island::kPerBody, y);
    return body_state(y, principal_axes_);
  }
  [[nodiscard]] const std::shared_ptr<const Island>& island() const { return island_; }
  [[nodiscard]] int slot() const { return slot_; }

 private:
  std::shared_ptr<const Island> island_;
  int slot_;
  Quaterniond principal_axes_;
};

}  // namespace carom::event
