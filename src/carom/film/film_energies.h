#pragma once
/// The energies of a run at its samples, on both sides of every jump of velocities and in the course of blows, and how
/// they bend in between. docs/film-format.md
///
/// Between two rows, a share s of the way from row r to row r + 1, a stored energy is
///
///     E = (1 − s) E_r + s E_{r+1} − bend_{r+1} s(1 − s),
///
/// the parabola through the middle of the step as well, which is exact in free flight. All of it comes from
/// analysis/sample_interval.h, which states the errors elsewhere.

#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "carom/analysis/sample_interval.h"
#include "carom/film/film_arrays.h"
#include "carom/mechanics/model.h"
#include "carom/record/energy_columns.h"

namespace carom {

class FilmEnergies {
 public:
  /// The model has to live longer. With `waits` the rows of an interval are made with the sample behind its end, by
  /// which contacts that a sample cuts have ended: for engines whose contacts have forces.
  explicit FilmEnergies(const Model& model, bool waits = false) : model_(model), waits_(waits) {}

  /// Of one that changes velocities or ends a compliant contact; others do nothing here.
  void event(const EventRecord& event);
  /// Works out the rows from the last sample to this one. The motion between the two goes to `motion` as well. Nobody
  /// sees these rows before publish(), so that others may read on meanwhile.
  void sample(const State& state, const EnergyBook& book,
              const std::function<void(const SampleInterval&)>& motion = nullptr);
  /// There are no more samples.
  void finish(const std::function<void(const SampleInterval&)>& motion = nullptr);
  void publish();
  void add_to(FilmArrays& arrays, FilmRows rows) const;
  [[nodiscard]] std::size_t size() const { return rows_.time.size(); }
  [[nodiscard]] static std::size_t row_bytes() { return (1 + kEnergyColumns.size() + kBent.size()) * sizeof(double); }

  /// What bends between rows: the others change evenly.
  static constexpr std::array<std::string_view, 4> kBent{"kinetic", "gravity", "springs", "loads"};

 private:
  struct Sample {
    State state;
    EnergyBook book;
  };
  /// The last two samples.
  class Pair final : public Samples {
   public:
    [[nodiscard]] double time(std::size_t i) override { return samples[i].state.time; }
    [[nodiscard]] BodyState body(std::size_t i, int body) override { return samples[i].state.bodies[BodyIndex(body)]; }
    [[nodiscard]] const EnergyBook& energy(std::size_t i) override { return samples[i].book; }

    std::array<Sample, 2> samples;
  };
  class Queue final : public InstantSource {
   public:
    [[nodiscard]] const Instant* next() const override { return instants.empty() ? nullptr : &instants.front(); }
    void advance() override { instants.pop_front(); }

    std::deque<Instant> instants;
  };

  using Bends = std::array<double, kBent.size()>;

  /// The rows up to a sample.
  void take(Sample sample, const std::function<void(const SampleInterval&)>& motion);
  [[nodiscard]] std::vector<ContactBlow> blows_between(double start, double end);
  void add_rows(const SampleInterval& interval);
  /// Up to a time, at the ends and peaks of blows and between these.
  void add_rows_of_blows(const SampleInterval& interval, double until);
  /// A row behind the last one, and the bends from there.
  void add_step(const SampleInterval& interval, double time, EnergyBook book);
  void add_row(double time, EnergyBook book, const Bends& bends);

  const Model& model_;
  bool waits_;
  std::optional<Sample> held_;  ///< the one that waits for the next
  Pair last_;
  Queue pending_;
  std::vector<ContactBlow> blows_;  ///< that have ended behind the last sample that was taken
  double states_ = 0.0;             ///< of bodies that were worked out so far
  struct Rows {
    std::vector<double> time;
    std::array<std::vector<double>, kEnergyColumns.size()> energy;
    std::array<std::vector<double>, kBent.size()> bend;
  };
  Rows made_;  ///< since publish()
  Rows rows_;
  std::optional<std::pair<double, EnergyBook>> last_row_;
};

}  // namespace carom
