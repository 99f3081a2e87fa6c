#pragma once
/// The cluster of the instant: all closed contacts that are connected with the bodies at hand, and those bodies.
///
/// An impact is never that of a single contact with others left aside: whoever touches somebody of the cluster belongs
/// to it, and so do all their contacts, whether they approach or not.

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "carom/engine/event/world.h"

namespace carom::event {

/// A contact of a cluster approaches when its rate is below −kApproach times the fastest speed of the cluster: above
/// the tolerance of the laws, so that what a law leaves is never taken for an approach.
inline constexpr double kApproach = 4e-12;

class ClosedContacts {
 public:
  /// `tolerance`: gap of a closed contact, relative to the size of the smaller body.
  ClosedContacts(int bodies, double tolerance);

  /// Bodies that belong together with this one though they do not touch it: add(other) for each.
  using AddBody = std::function<void(BodyIndex)>;
  using Coupled = std::function<void(BodyIndex body, const AddBody& add)>;

  /// Gathers what touches the seeds or is joined to them, directly or through others, at the present instant;
  /// `coupled`, where given, joins more.
  void gather(World& world, const Bodies& seeds, const Coupled& coupled = {});

  [[nodiscard]] const Bodies& bodies() const { return bodies_; }  ///< ascending
  [[nodiscard]] const std::vector<ContactPoint>& contacts() const { return contacts_; }

  /// Another contact of two of the bodies, beside theirs.
  void add(const ContactPoint& contact);

  /// Gap of a closed contact, relative to the size of the smaller body.
  [[nodiscard]] double tolerance() const { return tolerance_; }

  /// The speed that came into this cluster when it was gathered for an impact; what is small beside it is round-off.
  [[nodiscard]] double speed() const { return speed_; }
  /// Sets it to that of the fastest point now.
  void measure_speed(World& world);
  void set_speed(double speed) {
    speed_ = speed;
    asked_ = 0.0;
  }
  /// A law was asked for no more than that: approach slower than `rate` is what it may leave.
  void allow_approach(double rate) { asked_ = std::max(asked_, rate); }
  [[nodiscard]] double approach_threshold() const { return std::max(kApproach * speed_, asked_); }

  /// Whether the nearest points of two parts belong to their contacts in any case. Where bodies overlap the search for
  /// contacts follows the lowest corner, and that may stand out beside the other's face by less than they overlap: then
  /// it is no touching point, and would be found to close again and again.
  void add_nearest(bool add) { adds_nearest_ = add; }

  /// What the velocities of two objects are known to: those of a cluster that has just been resolved and settled as far
  /// as laws and contact forces are, all others to round-off.
  [[nodiscard]] double velocity_noise(const World& world, ObjectIndex a, ObjectIndex b) const;

  /// What a run goes on from, into an archive or back (event_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  void join(BodyIndex body);
  void append(World& world, ObjectIndex a, ObjectIndex b);
  /// The limits that a joint has come to.
  void append_limits(World& world, JointIndex joint);
  /// The closed contacts of the two parts that `named` names.
  void append_parts(World& world, const ContactPoint& named, double tolerance);
  /// Their nearest points where those overlap and are none of the contacts from number `first` on.
  void append_nearest(World& world, const ContactPoint& named, std::size_t first);
  /// Whether the direction along which the two parts were last seen apart shows that they still are.
  [[nodiscard]] static bool apart_as_known(World& world, const ContactPoint& named, double tolerance);
  [[nodiscard]] bool far_from_obstacle(World& world, BodyIndex body, ObjectIndex obstacle, double tolerance) const;
  [[nodiscard]] bool far_from_body(World& world, BodyIndex a, BodyIndex b) const;

  double tolerance_;
  Bodies bodies_;
  std::vector<ContactPoint> contacts_;
  enum class Part : char { none, joined, looked_around };
  Indexed<BodyIndex, Part> inside_;  ///< what part each body takes
  std::uint64_t gathered_ = 0;       ///< the number of the instant
  double speed_ = 0.0;
  double asked_ = 0.0;  ///< approach that the answers of this instant may have left
  bool adds_nearest_ = false;
};

}  // namespace carom::event
