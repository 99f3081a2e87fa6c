#pragma once
/// Settling: slow impacts within clusters that forces press together are plastic.
///
/// Where several contacts of a pressed cluster bounce by turns (a ball in a groove, a heap) infinitely many impacts
/// precede rest, and unlike those of one contact they have no sum that could be written down. Once all contacts of a
/// cluster that approach do so slower than the settling speed, contacts with e < 1 that the forces at hand press
/// together keep nothing of their approach. The energy of such an impact, at most ½ m v² for each body, is booked as
/// that of all impacts, and its event has the flag `settled`.
///
/// Left as they are: contacts with e = 1, clusters without pressing forces, and single contacts of one or two bodies,
/// whose accumulation has a closed form (contact/accumulation.h).

#include <optional>
#include <vector>

#include "carom/engine/event/instant.h"

namespace carom::event {

class Settling {
 public:
  /// The default settling speed, relative to √(acceleration · size): bounces of 5e-7 of the body's size.
  static constexpr double kFraction = 1e-3;

  /// `speed` [m/s]; none: kFraction of √(acceleration · size) at each contact.
  explicit Settling(std::optional<double> speed) : speed_(speed) {}

  /// Whether the impact that is due in the cluster at hand is to be plastic.
  [[nodiscard]] bool is_due(const Instant& at);
  /// Whether contact i of the cluster then keeps nothing of its approach.
  [[nodiscard]] bool settles(std::size_t contact) const { return settles_[contact] != 0; }

 private:
  [[nodiscard]] double speed_of(const World& world, const ContactPoint& contact) const;

  std::optional<double> speed_;
  std::vector<char> settles_;
};

}  // namespace carom::event
