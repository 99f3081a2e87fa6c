#pragma once
/// Figures of benchmarks, gathered over several runs. What the programs print: bench/report.h.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/benchmark_list.h"

namespace carom::app {

/// The middle and the ends of several values.
struct Spread {
  double median = 0.0, low = 0.0, high = 0.0;

  /// Half of the range, of the median.
  [[nodiscard]] double relative() const;
};

/// Of at least one value.
Spread spread_of(std::vector<double> values);

struct Figure {
  std::string_view benchmark;
  std::string name;
  std::string group;  ///< heading of the table that it belongs to; empty: that of its benchmark
  std::string unit;
  bool more_is_better = false;
  std::vector<double> values;  ///< one for each run
  std::string compared_with;   ///< empty where it is not compared
  std::vector<double> references, ratios;
  std::string failure;  ///< why one of its runs has no value
};

enum class BenchmarkState {
  waiting,  ///< did not come to its turn
  told,     ///< has figures
  plain,    ///< prints for people only
  missing,  ///< not built
  failed,
};

std::string_view state_name(BenchmarkState state);

struct BenchmarkOutcome {
  const Benchmark* benchmark = nullptr;
  BenchmarkState state = BenchmarkState::waiting;
  std::string reason;  ///< why it is missing or failed
  int runs = 0;        ///< that came to their end
  std::vector<Figure> figures;

  /// Adds one line that the program printed; it is no figure where it does not begin with a brace.
  void add_line(const std::string& line);
};

struct BenchmarkResults {
  bool quick = false;
  bool interrupted = false;
  int runs = 0;  ///< asked for
  std::vector<BenchmarkOutcome> outcomes;

  [[nodiscard]] bool any_failed() const;
};

/// Our figures beside those of the same name and unit of other engines.
std::vector<Figure> compare_with_others(const BenchmarkResults& results);

}  // namespace carom::app
