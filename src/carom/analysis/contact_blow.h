#pragma once
/// Blows: compliant contacts that begin and end within a sample or two, and how their force went.
///
/// Of a contact that has ended a record tells when it began, b, when its normal force was the greatest, p, how much
/// that was, F, when the contact ended, e, and its impulse P. Among the forces that have these, here it rises from b to
/// p and falls from p to e by
///
///     f = F g(s),   s = (t − b)/(p − b) before the peak, (e − t)/(e − p) behind it,
///     g(s) = (n + 1) sⁿ − n sⁿ⁺¹,   the mean of g is M = 2/(n + 2),
///
/// which has no other top and meets the peak smoothly, and friction goes along with it. The mean force P/(e − b) tells
/// M where that is the same on both sides. Where no other blow moves the two bodies at the time, gap rates γ⁻ and γ⁺ at
/// both ends tell more: the gap is zero at both, and so the middle of the impulse, in time, is at b + (e − b) γ⁺/(γ⁺ −
/// γ⁻). A contact that was closed without force before it was struck, or behind that, has a mean below 0.1: then b and
/// e are put so that M is that of Hertz's contact, 0.54.
///
/// Errors: f differs from a linear spring's by 0.011 F at most, from Hertz's by 0.005 F, and the places of bodies by
/// 0.2 % of their greatest overlap, velocities by 1 % of their change; where blows of several bodies overlap, as in a
/// cradle, by 1 % and 3 %. With the damping of Hunt and Crossley at a restitution of 0.3 f is off by 0.08 F and places
/// by 5 %. A force that jumps when the contact begins, as that of a linear damper, is known less well: to 10 % of the
/// overlap at a restitution of 0.8 and 30 % at 0.4. What damping has taken by a time is known to a quarter of all that
/// it takes, and what friction has done to spins, which it may do sooner where it slides and then holds, to a half.

#include <Eigen/Core>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "carom/record/record_reader.h"

namespace carom {

struct ContactBlow {
  ObjectIndex a, b;                                   ///< b: kNone where it is no object
  double began = 0.0, peak = 0.0, ended = 0.0;        ///< [s]
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();  ///< on a, friction too [N s]
  Eigen::Vector3d point = Eigen::Vector3d::Zero();    ///< where it ended [m]
  double loss = 0.0;                                  ///< what damping and friction took [J]
  double rate_before = 0.0, rate_after = 0.0;         ///< γ⁻, γ⁺ [m/s]
  double mean_rising = 0.5, mean_falling = 0.5;       ///< M before and behind the peak

  /// Which part of the impulse has come by a time: from 0 to 1.
  [[nodiscard]] double share(double time) const;
  /// The integral of that over time [s].
  [[nodiscard]] double lag(double time) const;
  [[nodiscard]] double duration() const { return ended - began; }
};

/// Whether contacts press with forces in the runs of this engine.
bool has_contact_forces(std::string_view engine);

/// The blow that a contact of an event was; none where it has not ended, or is the limit of a joint.
std::optional<ContactBlow> blow_of(const EventRecord& event, const ContactRecord& contact);

/// Finds how the forces rise and fall from the gap rates of those that are alone with their bodies.
void fit_lone_blows(std::vector<ContactBlow>& blows, int bodies);

/// Whether a contact is short enough to be a blow between samples so far apart.
inline bool is_blow_within(const ContactBlow& blow, double step) {
  return blow.duration() <= 2.0 * step;
}

/// The blows of a record, fast where times grow.
class BlowReader {
 public:
  /// The record has to live longer.
  explicit BlowReader(RecordReader& record);

  /// Those that reach into the time between two samples.
  std::vector<ContactBlow> between(double start, double end);

 private:
  void read_until(double time);

  RecordReader& record_;
  bool has_blows_;
  std::size_t next_ = 0;             ///< event of the record
  double last_start_ = 0.0;          ///< of the interval that was asked for last
  double read_until_;                ///< no event up to here is missing
  std::deque<ContactBlow> waiting_;  ///< in the order of their ends
};

}  // namespace carom
