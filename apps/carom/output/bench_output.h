#pragma once
/// The figures of benchmarks as a table, as JSON and as a page of the documentation.

#include <string>
#include <vector>

#include "benchmarks/benchmark_figures.h"
#include "carom/base/json.h"

namespace carom::app {

/// Where the benchmarks ran.
struct BenchmarkMachine {
  std::string processor;
  int processors = 1;
  double load = 0.0;  ///< programs that wanted to run, on average over the last minute

  /// As it is now.
  static BenchmarkMachine here();
};

/// "±4 %"; a dash for a single value.
std::string spread_text(const std::vector<double>& values);

/// One table of all that is compared, or of everything, then what did not run and why.
std::string bench_text(const BenchmarkResults& results, bool everything);

Json bench_json(const BenchmarkResults& results, const BenchmarkMachine& machine);

/// In Markdown.
std::string bench_page(const BenchmarkResults& results, const BenchmarkMachine& machine);

}  // namespace carom::app
