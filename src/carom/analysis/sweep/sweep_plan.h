#pragma once
/// Which points a sweep has, and the values of each.
///
/// grid     every combination; the last variation changes fastest
/// zip      value i of each
/// random   n points, each coordinate drawn for itself
/// latin    n points such that each of n equal parts of every range holds exactly one (McKay, Beckman & Conover 1979)
/// The values of a point follow from its number and the seed alone, so that any machine can compute any point.

#include <cstdint>
#include <vector>

#include "carom/analysis/sweep/variation.h"

namespace carom::sweep {

/// A sweep of more points is refused.
inline constexpr double kMostPoints = 1e8;

enum class Design { grid, zip, random, latin };

struct PlanRequest {
  std::vector<Variation> variations;
  Design design = Design::grid;
  std::size_t count = 0;   ///< random, latin
  std::uint64_t seed = 0;  ///< likewise
};

class SweepPlan {
 public:
  /// Throws InputError: `usage` (no variation, one path twice, no number of values), `size_mismatch` (zip), `limit`.
  explicit SweepPlan(PlanRequest request);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const std::vector<Variation>& variations() const { return request_.variations; }
  [[nodiscard]] const PlanRequest& request() const { return request_; }
  /// The value of variation v at a point.
  [[nodiscard]] Value value(std::size_t point, std::size_t v) const;

 private:
  [[nodiscard]] double share(std::size_t point, std::size_t v) const;

  PlanRequest request_;
  std::size_t size_ = 0;
};

/// A permutation of 0 … size − 1 that is known entry by entry: four rounds of a Feistel network on the least number of
/// bits that holds them, repeated until the entry lies below size (Black & Rogaway 2002).
std::size_t permuted(std::size_t index, std::size_t size, std::uint64_t key);

}  // namespace carom::sweep
