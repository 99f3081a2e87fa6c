#pragma once
/// Runs benchmark programs one after the other and gathers what they tell.

#include <functional>
#include <string>
#include <vector>

#include "benchmarks/benchmark_figures.h"

namespace carom::app {

struct BenchmarkRequest {
  std::vector<const Benchmark*> benchmarks;
  std::string folder;  ///< with the programs
  std::string tool;    ///< this program
  int runs = 1;
  bool quick = false;
  /// Called before each program: which run of all, which benchmark.
  std::function<void(int run, std::size_t index)> begins{};
};

/// All benchmarks once, then all of them again, so that a busy hour of the machine spoils one run of each and not all
/// runs of one. A program that fails is not run again. Stops at once, with what there is, when
/// SignalWatch::interrupted() is set.
BenchmarkResults run_benchmarks(const BenchmarkRequest& request);

}  // namespace carom::app
