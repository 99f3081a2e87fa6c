#pragma once
/// The motion between two neighbouring samples of a record, with the jumps in between: where every body is at any time,
/// and where the energy is.
///
/// A record has positions x and velocities v at its samples and velocities before and after, v⁻ and v⁺, at its jumps.
/// From a sample or jump to the next, h apart, velocities are known at both ends, and so
///
///     x_b = x_a + ½h (v_a⁺ + v_b⁻) − h³x⃛/12,
///
/// which in free flight is exact without the last term. Elsewhere that term is found from the sample at the end of the
/// interval: what is missing there, the closure δ, is shared among the steps in proportion to h³. Between the ends of a
/// step x is the cubic that has the positions and velocities of both. Orientations likewise, as rotation vectors.
///
/// A compliant contact that lasts two steps of the samples at most is a blow (contact_blow.h): its impulse changes the
/// velocities of its bodies along the cubic of its force, and in the steps above v changes by that as well. Of a blow
/// that the samples cut, the part on either side follows from δ; what is missing otherwise up to a tenth of Δv times
/// its length comes within it, the rest as above. Of bodies in joints or in constraints of rolling, whose answer to an
/// impulse is not theirs alone, blows are not known.
///
/// Errors: none but round-off where the acceleration is constant. Otherwise, where the motion is smooth but for the
/// recorded jumps, at a jump at most |δ|, of third order in the length of the interval; without jumps of fourth order.
/// Where a contact opens, closes, slips or sticks without a jump the acceleration jumps, and |δ| is of second order.
/// Within a blow, and |δ| of blows: contact_blow.h.
///
/// Energies: kinetic energy and potentials are those of the state. What was lost and supplied since the start steps at
/// the jumps by what they record, goes with the impulse of blows as far as they took it, and changes evenly in between,
/// as does what compliant contacts store; within blows that is what the balance leaves. Where energy is lost at the
/// jumps alone, or in blows, kinetic energy outside them is what the balance leaves: places are known better than the
/// spins of bodies that tumble.

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "carom/analysis/body_way.h"
#include "carom/analysis/contact_blow.h"
#include "carom/analysis/instant.h"
#include "carom/analysis/sample_block.h"
#include "carom/analysis/series.h"

namespace carom {

class SampleInterval {
 public:
  /// Between samples i and i + 1. The samples, and the model where energies are asked for, live longer. Without a model
  /// blows are left out, and where they are hundreds, as samples so far apart tell nothing of them.
  SampleInterval(Samples& samples, std::size_t i, std::vector<Instant> instants, const Model* model,
                 std::vector<ContactBlow> blows = {});

  [[nodiscard]] const std::vector<Instant>& instants() const { return instants_; }
  /// Those that are known, in the order of their ends; they may reach beyond the interval.
  [[nodiscard]] const std::vector<ContactBlow>& blows() const { return blows_; }
  [[nodiscard]] double start() const { return samples_.time(i_); }
  [[nodiscard]] double end() const { return samples_.time(i_ + 1); }

  /// At a time from start() to end(); the side matters at jumps alone.
  [[nodiscard]] BodyState body(int body, double time, Side side) const;
  /// |δ| of a body [m].
  [[nodiscard]] double closure(int body) const;
  /// Whether the steps resolve the motion of a body: |δ| is small beside what its way bends, ⅛ Σ h |v_b⁻ − v_a⁺|, and
  /// what blows do in a quarter of their time, or beside the whole way. They do not where a compliant contact of a body
  /// in joints begins or ends in between: there the cubic swings beyond what the body did.
  [[nodiscard]] bool is_resolved(int body) const;
  /// Needs the model.
  [[nodiscard]] EnergyBook energy(double time, Side side) const;

 private:
  [[nodiscard]] std::vector<Knot> velocities_of(int body) const;
  [[nodiscard]] BodyWay make_way_of(int body) const;
  [[nodiscard]] const BodyWay& way_of(int body) const;
  [[nodiscard]] bool is_within_known_blow(double time) const;
  [[nodiscard]] double contact_energy_beside_blows(double time) const;
  void add_losses_of_blows(double time, EnergyBook& steps, EnergyBook& done) const;
  [[nodiscard]] const Energy& stored_before(double time) const;
  [[nodiscard]] double kinetic_change(const Instant& instant) const;
  /// What the first 0, 1, … instants took and supplied together, all of them last.
  [[nodiscard]] const std::vector<EnergyBook>& steps() const;

  Samples& samples_;
  std::size_t i_;
  std::vector<Instant> instants_;
  const Model* model_;
  std::vector<ContactBlow> blows_;
  mutable std::map<int, BodyWay> ways_;  ///< of the bodies that were asked for
  mutable std::optional<std::pair<double, Energy>> last_stored_;
  mutable std::vector<EnergyBook> steps_;  ///< empty until it is asked for
};

/// Whether energies at all jumps of a span can be had within seconds: each takes the states of all bodies.
inline bool has_energies_at_jumps(const RecordReader& record, const TimeSpan& span = {}) {
  constexpr double kMostStates = 5e6;
  const std::size_t first = record.first_event_from(span.from), end = record.first_event_from(span.to);
  return static_cast<double>(end - std::min(first, end)) * static_cast<double>(record.info().bodies) <= kMostStates;
}

/// Takes the instants between samples i and i + 1 from the source. One at the very time of a sample
/// belongs to the interval on the side of which the sample does not show its velocities.
std::vector<Instant> take_instants(InstantSource& source, Samples& samples, std::size_t i, bool is_last);

}  // namespace carom
