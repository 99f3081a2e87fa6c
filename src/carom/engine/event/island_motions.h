#pragma once
/// How islands move on after their bodies have settled: at rest, in closed form, or integrated step by step.
///
/// An integrated step is known as a polynomial from its beginning to its end; when time reaches the end the next one is
/// taken, unless a contact has opened. What dampers, torques and driven obstacles do during a step is booked when it is
/// over or cut short.

#include <cstdint>
#include <memory>

#include "carom/engine/event/ball_motions.h"
#include "carom/engine/event/instant.h"
#include "carom/engine/event/timeline.h"

namespace carom::event {

class IslandMotions {
 public:
  /// `settle_speed` [m/s] as the run has it (settling.h).
  IslandMotions(const World& world, std::optional<double> settle_speed);

  /// The island that a body's motion is integrated in; null where it moves by itself.
  [[nodiscard]] const Island* island_of(BodyIndex body) const { return islands_[body].get(); }
  /// Whether anything is to be booked when the body leaves its motion.
  [[nodiscard]] bool is_free(BodyIndex body) const {
    return !islands_[body] && wall_power_[body] == 0.0 && !balls_.moves(body);
  }
  /// Balls that move alone on planes.
  [[nodiscard]] BallMotions& balls() { return balls_; }

  /// Contacts that were there in the steps so far begin with the forces they had.
  void keep_forces(World& world, Island& settled) const;
  /// The bodies leave their motions; what has been done in the steps so far is booked.
  void leave(const Instant& at, const Bodies& bodies);
  /// Gives the bodies of an island, whose state is written, their motions from now on.
  void move_on(const Instant& at, const Island& island, Timeline& timeline);
  /// The step of a body's island has ended: books it and sets the bodies to its end. Returns the island.
  std::shared_ptr<const Island> end_step(const Instant& at, BodyIndex body);
  /// The next step of an island whose contacts all still hold.
  void next_step(const Instant& at, const Island& ended, Timeline& timeline);

  /// Puts bodies that are farther off their joints within a step than round-off, as coarse steps let them be, back on
  /// these: a state of the present steps.
  void put_on_joints(const World& world, State& state) const;
  /// What joints bear at a time.
  [[nodiscard]] Indexed<JointIndex, JointLoad> joint_loads(const World& world, double time) const;
  /// Adds what the contacts of an island do at a time within its step.
  void add_contact_loads(const World& world, const Island& island, double time, std::vector<ContactLoad>& loads) const;
  /// What goes on in present steps up to a time, added to the book.
  void add_works(const World& world, const IslandDynamics& dynamics, double time, EnergyBook& book) const;

  /// What a run goes on from, into an archive or back (island_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  /// Whether an island stands still from now on (island_stand.cpp).
  bool stay(const Instant& at, const Island& island, bool followed);
  static bool is_followed(const Instant& at, const Island& island);
  [[nodiscard]] double heap_speed(double acceleration, double size) const;
  bool move_in_closed_form(const Instant& at, const Island& island);
  void integrate(const Instant& at, const std::shared_ptr<Island>& island, Timeline& timeline);
  void lay_motions(World& world, const std::shared_ptr<Island>& island);
  [[nodiscard]] bool crawls(const Instant& at, const Island& island);

  std::optional<double> settle_speed_;
  BallMotions balls_;
  Indexed<BodyIndex, std::shared_ptr<const Island>> islands_;
  std::shared_ptr<const Island> ended_;    ///< the last island whose step has ended and is booked
  Indexed<JointIndex, JointLoad> loads_;   ///< of joints whose bodies are at rest, or at the end of the run
  Indexed<BodyIndex, double> wall_power_;  ///< that driven obstacles have on a body in closed-form motion [W]
  int idle_steps_ = 0;
  std::int64_t steps_ended_ = 0;
  double crawl_time_ = 0.0;
};

}  // namespace carom::event
