#pragma once
/// Bodies that share one integrator because they act on each other, or one body in free flight.
///
/// A group knows its motion on a stretch of time [start, end]; a stretch is provisional until time reaches its end.

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "carom/engine/smooth/group_dynamics.h"
#include "carom/engine/smooth/group_scale.h"
#include "carom/engine/smooth/paths.h"
#include "carom/numerics/stepper/stepper.h"

namespace carom::smooth {

/// What happens at the end of a group's stretch.
struct StretchEnd {
  enum class Kind {
    nothing,    ///< it goes on
    release,    ///< a contact opens
    encounter,  ///< two of its bodies, or one and an obstacle, touch
    leaving,    ///< the point of a contact has left its face or edge
    jump,       ///< the nearest points of a contact are about to be elsewhere
    pocket,     ///< a body is swallowed
    limit,      ///< a joint comes to a limit
    dry_joint,  ///< dry friction of a joint begins or ceases to hold it
  };
  Kind kind = Kind::nothing;
  int contact = kNone;      ///< that opens or leaves, among those of the group
  ObjectIndex a, b;         ///< that touch; a alone: the body that is swallowed
  FeatureCode feature = 0;  ///< at which they touch
  PocketIndex pocket;
  LimitIndex limit{};
  Vector3d normal = Vector3d::Zero();  ///< of a contact that jumps, then

  [[nodiscard]] bool is_nothing() const { return kind == Kind::nothing; }
  static StretchEnd release(int contact) { return {Kind::release, contact, {}, {}, 0, {}}; }
  static StretchEnd leaving(int contact) { return {Kind::leaving, contact, {}, {}, 0, {}}; }
  static StretchEnd jump(int contact, const Vector3d& to) { return {Kind::jump, contact, {}, {}, 0, {}, {}, to}; }
  static StretchEnd change_of_dry_joint() { return {Kind::dry_joint, kNone, {}, {}, 0, {}}; }
  static StretchEnd meeting_of_limit(const LimitIndex& limit) { return {Kind::limit, kNone, {}, {}, 0, {}, limit}; }
  static StretchEnd encounter(ObjectIndex a, ObjectIndex b, FeatureCode feature) {
    return {Kind::encounter, kNone, a, b, feature, {}};
  }
  static StretchEnd fall(BodyIndex body, PocketIndex pocket) { return {Kind::pocket, kNone, body, {}, 0, pocket}; }
};

struct Group {
  explicit Group(const Environment& environment) : dynamics(environment) {}
  Group(const Group& other);
  Group& operator=(const Group&) = delete;
  Group(Group&&) = delete;
  Group& operator=(Group&&) = delete;
  ~Group() = default;

  /// The state of its bodies and contacts within the present step: positions on their tracks, everything else by cubics
  /// from values and slopes at both ends. Of groups that are integrated.
  void interpolate(const Paths& paths, double time, std::vector<double>& state) const;
  /// The same as exact as the ends of steps where there are joints, and on these, in implicit steps (whose slopes tell
  /// nothing of what lies between), and at the end of the run: by a step of its own up to there.
  void state_within(const Paths& paths, double time, std::vector<double>& state) const;
  /// That step, with or without joints.
  void stepped_state(double time, std::vector<double>& state) const;
  /// As interpolate(), of one body alone, or of those of a contact; everything else in `state` is left as it is.
  void write_body(const Paths& paths, SlotIndex slot, double time, double* state) const;
  void interpolate_bodies(const Paths& paths, const Contact& contact, double time, std::vector<double>& state) const;
  /// The angle by which a body turns at most within the present step.
  [[nodiscard]] double turning(SlotIndex slot) const;
  [[nodiscard]] SlotIndex slot_of(ObjectIndex body) const;
  [[nodiscard]] bool has_contact(ObjectIndex a, ObjectIndex b, FeatureCode feature) const;
  /// At any feature of the same two parts.
  [[nodiscard]] bool parts_touch(ObjectIndex a, ObjectIndex b, FeatureCode feature) const;
  /// The tolerances of a step anew, from where the stepper is.
  void measure(double time, const double* state, double tolerance) {
    scale = measure_scale(dynamics, time, state, tolerance, tolerances);
  }
  /// Asks for the memory that its next step reads.
  void prefetch() const;
  /// What a run goes on from, into an archive or back (group_checkpoint.cpp).
  void transfer(Archive& archive, const Environment& environment);

  // What others look at, side by side in memory.
  std::uint64_t version = 0;  ///< of its stretch
  double start = 0.0, end = 0.0;
  bool integrated = false;  ///< otherwise one body in free flight
  bool alive = false;       ///< otherwise it waits to be used again
  bool asleep = false;      ///< stands still until something touches it (group_rest.h)

  GroupDynamics dynamics;            ///< its bodies and contacts
  std::unique_ptr<Stepper> stepper;  ///< made when it is first integrated
  StretchEnd at_end;

  double next_step = 0.0;
  int steps_since_scale = 0;
  double slow_since = 0.0;  ///< all its bodies, or the time of the last step
  GroupScale scale;
  std::vector<double> tolerances;
  std::vector<double> y;  ///< that the stepper was started with

 private:
  /// The last answer of state_within().
  struct Sample {
    std::uint64_t version = 0;
    double time = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> state;
  };
  mutable Sample sample_;
  void write_on_track(const Paths& paths, SlotIndex slot, double time, double* state) const;
};

}  // namespace carom::smooth
