#pragma once
/// The benchmarks that `carom bench` knows: programs NAME_bench that are built from bench/.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace carom::app {

struct Benchmark {
  std::string_view name;
  std::string_view measures;
  bool runs_tool = false;           ///< gets the path of this tool as its first word
  std::string_view other_engine{};  ///< whose figures it tells; empty where they are ours
  std::string_view package{};       ///< what has to be installed for it to be built

  [[nodiscard]] std::string program() const { return std::string(name) + "_bench"; }
};

/// In the order in which they run.
std::span<const Benchmark> all_benchmarks();

std::vector<std::string_view> benchmark_names();

}  // namespace carom::app
