#pragma once
/// How the energy of a run went, in a few lines of block characters: for the end of `carom run` on a terminal.

#include <cstddef>
#include <string>
#include <vector>

#include "carom/record/observer.h"

namespace carom::app {

/// Values from low to high as ▁▂▃▄▅▆▇█, one for each of `cells` cells; a blank where there is no value. Where there are
/// more values than cells, each cell shows the mean of its own.
std::string sparkline(const std::vector<double>& values, int cells);

/// Watches a run of any length in fixed memory: neighbouring samples are joined when they have become too many.
class EnergySparkline final : public Observer {
 public:
  void sample(const State& state, const EnergyBook& book) override;
  void event(const EventRecord& event) override;
  void progress(double time, long events) override;

  /// Lines of at most `width` cells: kinetic, potential and dissipated energy with their least and greatest values,
  /// where they are not zero throughout, and how densely impacts came. Empty where there is nothing to show.
  [[nodiscard]] std::string text(int width) const;

 private:
  /// Samples that follow each other.
  struct Bucket {
    double kinetic = 0.0, potential = 0.0, dissipated = 0.0;  ///< sums over its samples [J]
    double samples = 0.0;
    double impacts = 0.0;
  };
  /// Least and greatest of all samples.
  struct Extremes {
    double low = 0.0, high = 0.0;
    void add(double value, bool first);
  };
  void halve();

  std::vector<Bucket> buckets_;
  std::size_t samples_per_bucket_ = 1;
  double waiting_impacts_ = 0.0;  ///< since the last sample
  double impacts_ = 0.0;
  double last_impact_ = -1.0;  ///< time [s]
  double time_ = 0.0;
  Extremes kinetic_, potential_, dissipated_;
};

/// Columns of the terminal that standard error is; 0 where it is none.
int terminal_width();

}  // namespace carom::app
