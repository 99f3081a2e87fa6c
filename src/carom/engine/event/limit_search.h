#pragma once
/// When a joint comes to one of its limits, along the motions that its bodies have now.

#include <optional>

#include "carom/engine/event/closed_contacts.h"
#include "carom/engine/event/world.h"

namespace carom::event {

class LimitSearch {
 public:
  /// From the present instant to the time `horizon`.
  LimitSearch(World& world, const LimitIndex& limit, double horizon, const ClosedContacts& closed);

  /// The first time at which the gap closes.
  [[nodiscard]] std::optional<double> first() const;
  /// The second body, or the ground.
  [[nodiscard]] ObjectIndex second() const { return second_; }

 private:
  [[nodiscard]] MotionBounds bounds_of(ObjectIndex object, double duration) const;

  World& world_;
  LimitIndex limit_;
  double horizon_;
  double noise_;  ///< rates below it are round-off
  ObjectIndex first_, second_;
};

}  // namespace carom::event
