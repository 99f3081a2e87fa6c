#pragma once
/// What happens next: events to come, earliest first, and the search for them.
///
/// What became of an event when its objects changed is not removed: versions tell. Ties are broken by kind and objects,
/// so that the order never depends on how the queue was filled.

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
  /// Looks ahead up to the model time `end`.
  explicit Timeline(double end) : end_(end) {}

  [[nodiscard]] double end() const { return end_; }
  void set_end(double end) { end_ = end; }

  /// The next event that still holds; none before the end.
  [[nodiscard]] const UpcomingEvent* next(const Situation& at);
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
  void predict_script(const Situation& at, const Bodies& bodies);

  /// Whether some search had to look at gaps in samples.
  [[nodiscard]] bool sampled() const { return sampled_; }

  /// What a run goes on from, into an archive or back (event_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  [[nodiscard]] static bool valid(const UpcomingEvent& event, const Situation& at);
  [[nodiscard]] double horizon(const World& world, BodyIndex body) const;
  contact::Advance search(const Situation& at, BodyIndex a, ObjectIndex b, double horizon) const;
  contact::Advance search_parts(const Situation& at, const HeldContacts::PartPair& pair,
                                const contact::Stretch& stretch) const;
  contact::Advance search_beside_held(const Situation& at, const HeldContacts::PartPair& pair,
                                      const contact::Stretch& stretch) const;
  void schedule(const World& world, const contact::Advance& found, BodyIndex a, ObjectIndex b, double horizon);
  double predict_obstacles(const Situation& at, BodyIndex body, const Flight& seen, double horizon);
  void predict_pair(const Situation& at, BodyIndex a, BodyIndex b, double horizon);
  void predict_limits(const Situation& at, BodyIndex body);
  [[nodiscard]] static double look_ahead(const World& world, BodyIndex a, BodyIndex b, double until);
  void predict_body(const Situation& at, BodyIndex body);
  void schedule_cell(const World& world, BodyIndex body);

  double end_;
  EventQueue queue_;
  bool sampled_ = false;
  std::vector<std::uint64_t> predicted_;  ///< of each body: in which round it was, last
  std::uint64_t round_ = 0;
};

}  // namespace carom::event
