#include "carom/numerics/extrapolated_iteration.h"

namespace carom {

void ExtrapolatedIteration::begin(int n) {
  n_ = n;
  answers_ = 0;
  for (std::vector<double>* field : {&asked_, &answer_, &asked_before_, &answer_before_, &best_, &from_, &way_})
    dense::ensure(*field, static_cast<std::size_t>(n));
  for (std::vector<double>* field : {&steps_, &images_}) dense::ensure(*field, kHistory, n);
}

void ExtrapolatedIteration::remember() {
  if (answers_ > 0) {
    const int slot = (answers_ - 1) % kHistory;
    double* step = steps_.data() + static_cast<std::ptrdiff_t>(slot) * n_;
    double* image = images_.data() + static_cast<std::ptrdiff_t>(slot) * n_;
    for (int k = 0; k < n_; ++k) {
      image[k] = answer_[k] - answer_before_[k];
      step[k] = image[k] - (asked_[k] - asked_before_[k]);
    }
    const int filled = std::min(answers_, kHistory);
    for (int other = 0; other < filled; ++other)
      gram_[slot * kHistory + other] = gram_[other * kHistory + slot] =
          dense::dot(step, steps_.data() + static_cast<std::ptrdiff_t>(other) * n_, n_);
  }
  std::copy_n(asked_.data(), n_, asked_before_.data());
  std::copy_n(answer_.data(), n_, answer_before_.data());
  ++answers_;
}

bool ExtrapolatedIteration::find_way() {
  const int pairs = std::min(answers_ - 1, kHistory);
  if (pairs <= 0) return false;
  double matrix[kHistory * kHistory], right[kHistory], diagonal[kHistory];
  for (int k = 0; k < n_; ++k) way_[k] = answer_[k] - asked_[k];
  for (int a = 0; a < pairs; ++a) {
    right[a] = dense::dot(steps_.data() + static_cast<std::ptrdiff_t>(a) * n_, way_.data(), n_);
    for (int b = 0; b <= a; ++b) matrix[a * pairs + b] = gram_[a * kHistory + b];
    matrix[a * pairs + a] *= 1.0 + 1e-12;
  }
  if (dense::cholesky(matrix, diagonal, pairs, 1e-14) >= 0) {
    forget();
    return false;
  }
  dense::solve_lower(matrix, diagonal, right, pairs);
  dense::solve_lower_transposed(matrix, diagonal, right, pairs);
  const double step = dense::dot(way_.data(), way_.data(), n_);
  std::fill_n(way_.data(), n_, 0.0);
  for (int a = 0; a < pairs; ++a)
    dense::add_scaled(-right[a], images_.data() + static_cast<std::ptrdiff_t>(a) * n_, way_.data(), n_);
  if (dense::dot(way_.data(), way_.data(), n_) <= kFarthest * kFarthest * step) return true;
  forget();
  return false;
}

}  // namespace carom
