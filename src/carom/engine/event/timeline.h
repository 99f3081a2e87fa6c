#pragma once
/// What happens next: events to come, earliest first, and the search for them.
///
/// What became of an event when its objects changed is not removed: versions tell. Ties are broken by kind and objects,
/// so that the order never depends on how the queue was filled.
///
/// How far searches look ahead does not depend on when the run ends: in closed form they look ahead for ever; others at
/// first for some passages, the time in which a body moves by its own size, and then for as long as the run has lasted.
/// From there they are gone on with, as an event of their own.

#include <optional>

#include "carom/engine/event/closed_contacts.h"
#include "carom/engine/event/event_queue.h"
#include "carom/engine/event/held_contacts.h"

namespace carom::event {

/// What the searches look at.
struct Situation {
  World& world;
  const HeldContacts& held;
  const ClosedContacts& closed;  ///< the cluster that was dealt with last
};

class Timeline {
 public:
  /// Of a run from `start` on, whose events are asked for up to the model time `end`.
  Timeline(double start, double end) : start_(start), end_(end) {}

  [[nodiscard]] double end() const { return end_; }
  void extend(double end) { end_ = end; }

  /// The next event that still holds; none before the end.
  [[nodiscard]] const UpcomingEvent* next(const Situation& at);
  /// Where all bodies rest: whether no obstacle that moves reaches one of them before the end, and nothing else
  /// happens.
  [[nodiscard]] bool stays_quiet(const Situation& at);
  /// How far the motion of bodies together is looked ahead for, from now on.
  [[nodiscard]] double horizon(World& world, const Bodies& bodies) const;
  /// Takes it off the queue.
  UpcomingEvent take();

  /// Searches for whatever happens next to bodies that have begun new motions.
  void predict(const Situation& at, const Bodies& bodies);
  /// Goes on with a search that had come to its limit.
  void search_on(const Situation& at, const UpcomingEvent& event);
  /// A body has left its cell.
  void cross_cell(const Situation& at, BodyIndex body);
  /// The integrated step of the body's island ends, or the stretch of a ball on a plane.
  void add_step_end(const World& world, BodyIndex body, double time, double carry = 0.0);
  /// The bounces that the held contact stands for end.
  void add_report(const HeldContacts& held, HeldIndex index, double time);

  /// Something happens at a time, whatever moves.
  void add_timed(UpcomingEvent::What what, int which, double time);
  /// When what the script waits for comes about along the present motions of these bodies.
  /// `only`: the one search among them that is to be gone on with (UpcomingEvent::which); negative: all.
  void predict_script(const Situation& at, const Bodies& bodies, int only = -1);

  /// Whether some search had to look at gaps in samples.
  [[nodiscard]] bool sampled() const { return sampled_; }

  /// What a run goes on from, into an archive or back (event_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  [[nodiscard]] static bool valid(const UpcomingEvent& event, const Situation& at);
  [[nodiscard]] double ahead(double now, double passage) const;
  [[nodiscard]] double horizon(World& world, BodyIndex body, ObjectIndex obstacle) const;
  contact::Advance search(const Situation& at, BodyIndex a, ObjectIndex b, double horizon) const;
  contact::Advance search_parts(const Situation& at, const HeldContacts::PartPair& pair,
                                const contact::Stretch& stretch) const;
  contact::Advance search_beside_held(const Situation& at, const HeldContacts::PartPair& pair,
                                      const contact::Stretch& stretch) const;
  void schedule(const World& world, const contact::Advance& found, BodyIndex a, ObjectIndex b, double horizon);
  double predict_obstacles(const Situation& at, BodyIndex body, const Flight& seen);
  void predict_pair(const Situation& at, BodyIndex a, BodyIndex b, double latest);
  void predict_limits(const Situation& at, BodyIndex body);
  [[nodiscard]] double horizon(World& world, BodyIndex a, BodyIndex b, double until) const;
  void predict_body(const Situation& at, BodyIndex body);
  void schedule_cell(const World& world, BodyIndex body);

  double start_, end_;
  EventQueue queue_;
  bool sampled_ = false;
  std::vector<std::uint64_t> predicted_;  ///< of each body: in which round it was, last
  std::uint64_t round_ = 0;
};

}  // namespace carom::event
