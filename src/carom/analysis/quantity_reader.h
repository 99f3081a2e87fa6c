#pragma once
/// Reads quantities (quantity.h) from a record: all that are asked for in one pass over its samples, in blocks.
///
/// Masses and shapes come from the record's scene, which is read when a quantity needs it (kinetic, momentum,
/// angular_momentum, gap). Gaps are those of geometry/pair_table.h, dents not counted. Accelerations are central
/// differences of the recorded velocities, of second order also where steps differ:
///
///     a_j = (h₋² v_{j+1} − h₊² v_{j−1} + (h₊² − h₋²) v_j) / (h₋h₊(h₋ + h₊)),   h± the steps to the neighbours
///
/// An oscillation of frequency f appears with sin(2πfΔt)/(2πfΔt) of its amplitude, 97 % at a fifteenth of the sampling
/// rate, 64 % at a quarter of it. The first and the last sample of a record have none.
///
/// Between samples quantities follow from the motion there (sample_interval.h, which states the error), with a value
/// before and one after every jump; accelerations, loads of joints and contacts and the error of the energy balance do
/// not. The normal force of compliant contacts has besides the samples the begin, the greatest value and the end of
/// each contact that was the only one of its objects (contact_courses.h).

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "carom/analysis/interval_cursor.h"
#include "carom/analysis/quantity.h"
#include "carom/analysis/recorded_turns.h"
#include "carom/analysis/series.h"
#include "carom/scene/scene_file.h"

namespace carom {

/// Where a quantity is read: at the samples, or at the jumps as well, each with two values, before and after. Of what
/// no jump moves there are none; with `all_jumps` every quantity has them at every jump, so that series match.
enum class ReadAt { samples, own_jumps, all_jumps };

class QuantityReader {
 public:
  /// The record has to live longer.
  explicit QuantityReader(RecordReader& record) : record_(record) {}

  [[nodiscard]] const RecordInfo& info() const { return record_.info(); }
  /// Throws InputError (unsupported), see record_scene.h.
  const scene::SceneFile& scene();

  /// What blows of compliant contacts are worked out with (sample_interval.h); null where there are none.
  const Model* model_of_blows();

  /// As many series as quantities. Throws InputError: `unsupported` for the gap of two shapes whose distance is not
  /// known, or where the scene is needed and cannot be read; `file`.
  /// At jumps energies need the scene too; where it cannot be read, or bodies and events are very many, they
  /// stand at the samples alone.
  std::vector<Series> read(std::span<const Quantity> quantities, const TimeSpan& span = {},
                           ReadAt where = ReadAt::samples);

  /// Whether there are so many jumps in a span that energies stand at the samples alone.
  [[nodiscard]] bool leaves_out_energies(const TimeSpan& span) const { return !has_energies_at_jumps(record_, span); }

  /// At any time that the samples cover; fast where times grow. Throws InputError: `out_of_range` where they do not,
  /// `unsupported` for a quantity that is not known between samples, or as read().
  double at(const Quantity& quantity, double time, Side side = Side::after);
  /// Whether at() answers for a quantity within a span, where samples cover it.
  [[nodiscard]] bool knows_between(const Quantity& quantity, const TimeSpan& span);
  /// Whether samples resolve the motion at a time that they cover (sample_interval.h), of the bodies that matter to a
  /// quantity.
  [[nodiscard]] bool resolves(const Quantity& quantity, double time);
  /// Whether samples lie on both sides of a time, or on it.
  [[nodiscard]] bool covers(double time);

  /// Times of the impacts within the span; for a compliant engine of the contacts that begin. Rounds of one instant
  /// count once. None where there are more than `most`.
  std::optional<std::vector<double>> impact_times(const TimeSpan& span, std::size_t most);

 private:
  void read_samples(std::span<const Quantity> quantities, const TimeSpan& span, ReadAt where, std::span<Series> series);
  const Model* model_if_readable(const TimeSpan& span);
  void read_events(std::span<const Quantity> quantities, const TimeSpan& span, std::span<Series> series);

  RecordedScene beside_samples(const Model* model);

  RecordReader& record_;
  std::unique_ptr<const scene::SceneFile> scene_;
  std::unique_ptr<RecordedTurns> turns_;
  std::unique_ptr<IntervalCursor> cursor_;
};

}  // namespace carom
