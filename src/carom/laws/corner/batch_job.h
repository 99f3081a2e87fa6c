#pragma once
/// What solve_batch hands to the code of one instruction set. Plain data and no inline functions: this header is
/// compiled with instructions that not every processor has, and nothing from there may be shared with other files.

#include <cstddef>
#include <cstdint>

namespace carom::corner {

struct BatchJob {
  std::size_t size;
  std::size_t offset;  ///< index of the first problem among those of the caller
  const double* restitution;
  const double* slope;
  const double* x;
  const double* y;
  double* out_x;
  double* out_y;
  std::int32_t* steps;
  std::uint8_t* stop;  ///< the values of Stop
  double approach;     ///< S
  double rest;         ///< S_v
  std::int64_t max_steps;
  /// Checks problem i and solves it by `iterate`; may throw.
  void (*solve_one)(const BatchJob& job, std::size_t i);
};

/// What the kernels rely on; other thresholds are for the scalar algorithm.
constexpr double kLeastRest = 0x1p-60;
constexpr double kMostRest = 0x1p-36;
constexpr double kMostApproach = 0x1p-40;
constexpr std::int64_t kLeastLimit = 8;

/// Problems in one job; the kernels keep an index in 31 bits.
constexpr std::size_t kMostProblems = std::size_t{1} << 28;

void solve_portable(const BatchJob& job);
#if defined(__x86_64__)
void solve_avx2(const BatchJob& job);
void solve_avx512(const BatchJob& job);
#endif

}  // namespace carom::corner
