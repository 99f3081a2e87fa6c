#pragma once
/// Settling: within clusters that forces press together bounces below a small height are none.
///
/// Where several contacts of a pressed cluster bounce by turns (a ball in a groove, a heap) infinitely many impacts
/// precede rest, and unlike those of one contact they have no sum that could be written down. So there
///   - an impact is plastic where all contacts that approach do so slower than the settling speed; its energy is booked
///     as that of all impacts, and its event has the flag `settled`;
///   - where such a contact is one of a crowded island (island_crowd.cpp) the island's next step begins with that;
///   - what an impact leaves separating slower than that is set down at once, and booked as cut off; but not points of
///     a disc's rim where the disc rocks faster: they leave as it turns, and do not come back.
/// The settling speed of a contact that the forces press together with acceleration a is v √(a/a₀), v that for the
/// largest free acceleration a₀ at hand: it stands for one height of bounces, v²/2a₀.
///
/// An impact of contacts with e = 1 is never plastic. What it leaves separating is set down, and left to the steps of a
/// crowd, only where its body rattles (busy_bodies.h) and the bounce would stay within the contact tolerance,
/// with friction within what steps of crowds let overlap.
///
/// Left as they are: clusters without pressing forces, and what a single body does on obstacles or
/// two do at one contact: these accumulations end by themselves (contact/accumulation.h).

#include <optional>
#include <vector>

#include "carom/engine/event/instant.h"

namespace carom::event {

class Settling {
 public:
  /// The default settling speed, relative to √(acceleration · size): bounces of 4.5e-6 of the body's size.
  static constexpr double kFraction = 3e-3;

  /// `speed` [m/s]; none: kFraction of √(acceleration · size) at each contact.
  explicit Settling(std::optional<double> speed) : speed_(speed) {}

  /// Whether the impact that is due in the cluster at hand is to be plastic.
  [[nodiscard]] bool is_due(const Instant& at);
  /// Whether contact i of the cluster then keeps nothing of its approach.
  [[nodiscard]] bool settles(std::size_t contact) const { return settles_[contact] != 0; }
  /// Whether a contact within a crowded island approaches so slowly that the island's next step ends that.
  [[nodiscard]] bool is_left_to_steps(const Instant& at, const ContactPoint& contact) const;
  /// The settling speed of a contact of the cluster at hand, however hard it is pressed; 0 where it does not settle.
  [[nodiscard]] double speed_of(const Instant& at, const ContactPoint& contact) const;
  /// Up to which speed of separation a contact is set down.
  [[nodiscard]] double leaving_speed_of(const Instant& at, const ContactPoint& contact) const;
  /// The same for one that is pressed together with acceleration `pressing`.
  [[nodiscard]] double leaving_speed_of(const Instant& at, const ContactPoint& contact, double pressing) const;

  /// What a run goes on from, into an archive or back (event_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  [[nodiscard]] double speed_of(const Instant& at, const ContactPoint& contact, double pressing) const;
  [[nodiscard]] double elastic_speed_of(const Instant& at, const ContactPoint& contact) const;

  std::optional<double> speed_;
  std::vector<char> settles_;
};

}  // namespace carom::event
