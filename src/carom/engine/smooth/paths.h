#pragma once
/// Where everything is: the state of each body at the start of its stretch of time, the path of its centre from there,
/// and the box that it does not leave on its stretch.

#include <memory>
#include <vector>

#include "carom/base/archive.h"
#include "carom/base/prefetch.h"
#include "carom/engine/smooth/environment.h"
#include "carom/engine/smooth/track.h"
#include "carom/mechanics/free_rotation.h"
#include "carom/mechanics/state.h"

namespace carom::smooth {

/// Space between two corners, along the axes.
struct Bounds {
  Vector3d low = Vector3d::Zero(), high = Vector3d::Zero();

  [[nodiscard]] bool apart_from(const Bounds& other) const {
    return low.x() > other.high.x() || other.low.x() > high.x() || low.y() > other.high.y() ||
           other.low.y() > high.y() || low.z() > other.high.z() || other.low.z() > high.z();
  }
  [[nodiscard]] bool holds(const Bounds& other) const {
    return (low.array() <= other.low.array()).all() && (other.high.array() <= high.array()).all();
  }
  [[nodiscard]] double extent() const { return (high - low).sum(); }
};

class Paths {
 public:
  Paths(std::shared_ptr<const Environment> environment, const State& initial);

  /// At the start of each body's stretch.
  [[nodiscard]] const Indexed<BodyIndex, BodyState>& states() const { return states_; }
  /// Of an object that is a body.
  [[nodiscard]] const BodyState& state(ObjectIndex body) const { return states_[body.slot()]; }
  void set_state(BodyIndex body, const BodyState& state) { states_[body] = state; }
  void add_velocity(ObjectIndex body, const Vector3d& change) { states_[body.slot()].velocity += change; }
  void move(BodyIndex body, const Vector3d& way) { states_[body].position += way; }

  /// Of the joints, whole turns included, at the start of the stretches of their bodies.
  [[nodiscard]] const Indexed<JointIndex, JointTurns>& turns() const { return turns_; }
  [[nodiscard]] Indexed<JointIndex, JointTurns>& turns() { return turns_; }

  /// Bodies that fell into a pocket are not in play any more; they stay where they are, at rest.
  [[nodiscard]] bool in_play(BodyIndex body) const { return in_play_[body] != 0; }
  void leave_play(BodyIndex body);

  [[nodiscard]] const Track& track(ObjectIndex object) const { return tracks_[object]; }
  /// From its state at `start` the body flies, at most to `end`.
  void begin_flight(BodyIndex body, double start, double end);
  /// It has turned out that the flight ends sooner.
  void shorten_flight(BodyIndex body, double end);
  /// From `start` to `end` the body goes this way.
  void follow(BodyIndex body, const Track& track);
  /// Whether the body is on a flight, from the start of its track on; not before it begins, nor once its end has come.
  [[nodiscard]] bool flies(BodyIndex body) const { return flies_[body] != 0; }
  /// At its end the flight is over: the state is that there.
  void end_flight(BodyIndex body, double time) {
    states_[body] = flight_state(body, time);
    flies_[body] = 0;
  }
  /// The state of a body in flight.
  [[nodiscard]] BodyState flight_state(BodyIndex body, double time) const;
  [[nodiscard]] Pose pose(ObjectIndex object, double time) const;  ///< at the start of its stretch; of an obstacle then

  /// The time at which states are told as exactly as at the ends of steps: the end of the run.
  [[nodiscard]] double exact_at() const { return exact_at_; }
  void set_exact_at(double time) { exact_at_ = time; }

  /// The body's box is that around its present place.
  void stand_still(BodyIndex body);
  /// Whether the boxes of two objects are apart.
  [[nodiscard]] bool apart(ObjectIndex a, ObjectIndex b) const { return boxes_[a].apart_from(boxes_[b]); }
  [[nodiscard]] const Bounds& box(ObjectIndex object) const { return boxes_[object]; }
  /// Whether a body's box is in front of a plane at rest, or apart from that of another obstacle.
  [[nodiscard]] bool clear_of(BodyIndex body, ObjectIndex obstacle) const;
  /// Whether two bodies cannot come together in that time, fast as they are.
  [[nodiscard]] bool too_far(BodyIndex a, BodyIndex b, double from, double to) const;

  /// Asks for what is known of a body.
  void prefetch(BodyIndex body) const {
    const ObjectIndex object(body);
    carom::prefetch(&tracks_[object], sizeof(Track));
    carom::prefetch(&states_[body], sizeof(BodyState));
    carom::prefetch(&boxes_[object], sizeof(Bounds));
  }

  /// Asks for where it may be on its present stretch, roughly and exactly.
  void prefetch_way(BodyIndex body) const {
    const ObjectIndex object(body);
    carom::prefetch(&boxes_[object], sizeof(Bounds));
    carom::prefetch(&tracks_[object], Track::kFlightBytes);
  }

  /// What a run goes on from, into an archive or back (smooth_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  void bound(BodyIndex body);
  /// Of a body that is not round, from its state on.
  [[nodiscard]] std::shared_ptr<const FreeRotation> rotation_of(BodyIndex body) const;
  [[nodiscard]] Bounds box_of(const Obstacle& obstacle) const;

  std::shared_ptr<const Environment> environment_;
  Indexed<BodyIndex, BodyState> states_;
  Indexed<JointIndex, JointTurns> turns_;
  Indexed<BodyIndex, char> in_play_, flies_;
  Indexed<ObjectIndex, Track> tracks_;
  Indexed<ObjectIndex, Bounds> boxes_;
  Indexed<BodyIndex, std::shared_ptr<const FreeRotation>> rotations_;  ///< of bodies in flight that are not round
  double exact_at_ = 0.0;
};

}  // namespace carom::smooth
