#include "carom/analysis/thinning.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/base/assert.h"

namespace carom {
namespace {

constexpr std::size_t kKeptPerBucket = 5;

void keep_bucket(const std::vector<double>& values, std::size_t first, std::size_t end,
                 std::vector<std::size_t>& kept) {
  std::vector<std::size_t> chosen{first, end - 1};
  std::size_t least = end, greatest = end;
  for (std::size_t i = first; i < end; ++i) {
    if (!std::isfinite(values[i])) {
      if (chosen.size() == 2) chosen.push_back(i);
      continue;
    }
    if (least == end || values[i] < values[least]) least = i;
    if (greatest == end || values[i] > values[greatest]) greatest = i;
  }
  if (least != end) chosen.insert(chosen.end(), {least, greatest});
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  kept.insert(kept.end(), chosen.begin(), chosen.end());
}

double extent(const std::vector<double>& values) {
  double least = INFINITY, greatest = -INFINITY;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  return greatest > least ? greatest - least : 0.0;
}

}  // namespace

std::vector<std::size_t> thinned(const std::vector<double>& values, std::size_t most) {
  if (values.size() <= most) {
    std::vector<std::size_t> all(values.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }
  const std::size_t buckets = std::max<std::size_t>(most / kKeptPerBucket, 1);
  std::vector<std::size_t> kept;
  for (std::size_t k = 0; k < buckets; ++k) {
    const std::size_t first = k * values.size() / buckets;
    const std::size_t end = (k + 1) * values.size() / buckets;
    if (first < end) keep_bucket(values, first, end, kept);
  }
  return kept;
}

std::vector<std::size_t> thinned_path(const std::vector<double>& x, const std::vector<double>& y, double resolution) {
  CAROM_ASSERT(x.size() == y.size());
  const double step_x = resolution * extent(x);
  const double step_y = resolution * extent(y);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!kept.empty() && i + 1 < x.size()) {
      const std::size_t last = kept.back();
      if (std::abs(x[i] - x[last]) <= step_x && std::abs(y[i] - y[last]) <= step_y) continue;
      const bool gap = !std::isfinite(x[i]) || !std::isfinite(y[i]);
      const bool after_gap = !std::isfinite(x[last]) || !std::isfinite(y[last]);
      if (gap && after_gap) continue;
    }
    kept.push_back(i);
  }
  return kept;
}

}  // namespace carom
