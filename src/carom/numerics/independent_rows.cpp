#include "carom/numerics/independent_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace carom {

void IndependentRows::choose(std::vector<double>& rows, int count, int n, double threshold) {
  const auto size = static_cast<std::size_t>(count);
  left_out_.assign(size, 1);
  square_.resize(size);
  least_distance_ = 1.0;
  const auto row = [&](std::size_t k) { return rows.data() + k * static_cast<std::size_t>(n); };
  for (std::size_t round = 0; round < size; ++round) {
    std::size_t farthest = size;
    for (std::size_t k = 0; k < size; ++k) {
      if (left_out_[k] == 0) continue;
      square_[k] = std::inner_product(row(k), row(k) + n, row(k), 0.0);
      if (farthest == size || square_[k] > square_[farthest]) farthest = k;
    }
    const double distance = std::sqrt(square_[farthest]);
    if (!(distance > threshold)) return;
    least_distance_ = std::min(least_distance_, distance);
    left_out_[farthest] = 0;
    double* const chosen = row(farthest);
    for (int i = 0; i < n; ++i) chosen[i] /= distance;
    for (std::size_t k = 0; k < size; ++k) {
      if (left_out_[k] == 0) continue;
      const double part = std::inner_product(chosen, chosen + n, row(k), 0.0);
      for (int i = 0; i < n; ++i) row(k)[i] -= part * chosen[i];
    }
  }
}

}  // namespace carom
