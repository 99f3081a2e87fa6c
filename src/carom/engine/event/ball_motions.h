#pragma once
/// Balls that move alone on a plane or on a flat face of an obstacle, in stretches of closed form (ball_on_plane.h).
///
/// When a stretch ends the next one follows without any other question: nobody else takes part. Only a ball that leaves
/// its face, or whose motion has no closed form from there on, has to be settled anew.

#include "carom/engine/event/ball_on_plane.h"
#include "carom/engine/event/instant.h"
#include "carom/engine/event/timeline.h"

namespace carom::event {

class BallMotions {
 public:
  explicit BallMotions(const World& world) { balls_.resize(world.model().bodies.size()); }

  /// Whether the body is in a stretch.
  [[nodiscard]] bool moves(BodyIndex body) const { return balls_[body].moves; }

  /// Gives the only body of an island its motion from now on where that is one of a ball on a plane or a face. Its
  /// state is written.
  bool move_on(const Instant& at, const Island& island, Timeline& timeline);

  /// What follows a stretch: what the contact does, and whether the ball has come to rest.
  struct Next {
    ContactAction action;
    bool rests = false;
  };
  /// The stretch of a body has ended, which is booked; the next one begins. None where it has to be settled.
  std::optional<Next> next_stretch(const Instant& at, const ContactPoint& contact, Timeline& timeline);

  /// The body leaves its stretch; what has been done so far is booked.
  void leave(const World& world, BodyIndex body, EnergyBook& book);
  /// What goes on in the present stretches up to a time, added to the book.
  void add_works(BodyIndex body, double time, EnergyBook& book) const {
    if (balls_[body].moves) balls_[body].book_until(time, 0.0, book);
  }

  /// What a run goes on from, into an archive or back (island_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  struct Ball {
    BallOnPlane plane;
    BallStretch stretch;
    double start = 0.0, start_carry = 0.0;
    bool moves = false;

    void book_until(double time, double carry, EnergyBook& book) const;
  };
  static bool stays_on_face(World& world, const ContactPoint& contact, Ball& ball);
  bool begin(const Instant& at, const ContactPoint& contact, const ContactAction& action, Timeline& timeline);

  Indexed<BodyIndex, Ball> balls_;
};

}  // namespace carom::event
