#pragma once
/// Which bodies are so busy that following what each of their contacts does gets nowhere.
///
/// To follow the modes of contacts pays where a body covers a good part of its size between two changes. In a heap, or
/// where contacts chatter, it does not: the next change comes first. So events of each body are counted, and forgotten
/// over the time T in which it covers its size: a body is busy with more than a few that it shares with other bodies
/// within T, with some hundred that it has alone (a box that rattles on its corners in a bore), and with more than some
/// events or steps at all within a ten-thousandth of T. Islands with busy bodies take the steps of crowds
/// (island_crowd.cpp) where these are possible, until they are calm again.
///
/// Where forces press contacts together that lose nothing, bounces never end: what friction leaves of them goes on at
/// 10⁵ and more a second. A body that is struck more than some hundred times within T rattles: its bounces are 1e-6 of
/// its size on the mean, and what of them is lower than what counts as closed is none (Settling::speed_of).

#include "carom/engine/event/world.h"

namespace carom::event {

class BusyBodies {
 public:
  explicit BusyBodies(const World& world);

  /// Contacts of these bodies were settled together at the present instant.
  void note_settled(World& world, const Bodies& bodies);
  /// A step of theirs has ended.
  void note_step(World& world, const Bodies& bodies);
  /// They were struck at one contact or several; says of each whether it rattles.
  void note_struck(World& world, const Bodies& bodies);
  [[nodiscard]] bool is_busy(World& world, BodyIndex body) const;
  [[nodiscard]] bool any_busy(World& world, const Bodies& bodies) const;

  /// What a run goes on from, into an archive or back (event_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  struct Count {
    double time = 0.0;     ///< of the last event
    double shared = 0.0;   ///< events with other bodies, forgotten over T
    double alone = 0.0;    ///< events without
    double all = 0.0;      ///< any, forgotten over a small part of T
    double strikes = 0.0;  ///< impacts, forgotten over T
  };
  void note(World& world, const Bodies& bodies, double Count::*kind);
  [[nodiscard]] Count faded(World& world, BodyIndex body) const;

  Indexed<BodyIndex, Count> counts_;
};

}  // namespace carom::event
