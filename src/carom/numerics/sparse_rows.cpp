#include "carom/numerics/sparse_rows.h"

#include <cstddef>

namespace carom {

void SparseRows::begin(const double* rows, int n) {
  rows_ = rows;
  n_ = n;
  group_.clear();
  first_group_.assign(1, 0);
  first_row_.assign(static_cast<std::size_t>((n + kGroup - 1) / kGroup) + 1, 0);
}

/// Of the row at hand.
void SparseRows::add_groups(int first, int entries) {
  const double* row = rows_ + static_cast<std::ptrdiff_t>(first_group_.size() - 1) * n_;
  const bool begun = static_cast<int>(group_.size()) > first_group_.back();
  const int last = begun ? group_.back() : -1;
  for (int g = std::max(first / kGroup, last + 1); g * kGroup < first + entries; ++g) {
    const int end = std::min(n_, kGroup * (g + 1));
    if (std::all_of(row + kGroup * g, row + end, [](double entry) { return entry == 0.0; })) continue;
    group_.push_back(g);
    ++first_row_[g + 1];
  }
}

void SparseRows::sort_by_groups(int count) {
  const int groups = static_cast<int>(first_row_.size()) - 1;
  for (int g = 0; g < groups; ++g) first_row_[g + 1] += first_row_[g];
  row_.resize(group_.size());
  for (int a = count - 1; a >= 0; --a)  // from the back, so that each group's rows ascend
    for (int k = first_group_[a]; k < first_group_[a + 1]; ++k) row_[--first_row_[group_[k] + 1]] = a;
  // Each end has become a beginning.
  first_row_.erase(first_row_.begin());
  first_row_.push_back(static_cast<int>(group_.size()));
  seen_.assign(static_cast<std::size_t>(count), -1);
}

double SparseRows::dot(int a, int b) const {
  const double* x = rows_ + static_cast<std::ptrdiff_t>(a) * n_;
  const double* y = rows_ + static_cast<std::ptrdiff_t>(b) * n_;
  double sum[kGroup] = {0.0, 0.0, 0.0, 0.0};
  double rest = 0.0;
  for (int i = first_group_[a], j = first_group_[b]; i < first_group_[a + 1] && j < first_group_[b + 1];) {
    if (group_[i] != group_[j]) {
      group_[i] < group_[j] ? ++i : ++j;
      continue;
    }
    const int begin = kGroup * group_[i];
    if (begin + kGroup <= n_) {
      for (int k = 0; k < kGroup; ++k) sum[k] += x[begin + k] * y[begin + k];
    } else {
      for (int k = begin; k < n_; ++k) rest += x[k] * y[k];
    }
    ++i;
    ++j;
  }
  return ((sum[0] + sum[2]) + (sum[1] + sum[3])) + rest;
}

}  // namespace carom
