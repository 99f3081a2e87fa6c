#include "carom/numerics/lemke.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "carom/base/activity.h"
#include "carom/base/random.h"
#include "carom/numerics/dense.h"

namespace carom {

namespace {
/// Entries of a column below this part of its largest entry are round-off and never pivots.
constexpr double kPivotTolerance = 1e-11;
/// Ratios that differ by less are ties, of right-hand sides whose largest is 1.
constexpr double kTie = 1e-13;

/// A number for a column; those of a basis together, exclusive or, tell it from others.
std::uint64_t mark_of(int column) {
  return Random(static_cast<std::uint64_t>(column)).bits();
}

}  // namespace

int Lemke::lexicographic_row(int entering) const {
  const int rhs = 2 * m_ + 1;
  const int artificial = 2 * m_;
  double largest = 0.0;
  for (int i = 0; i < m_; ++i) largest = std::max(largest, std::abs(at(i, entering)));
  int best = -1;
  for (int i = 0; i < m_; ++i) {
    const double entry = at(i, entering);
    if (!(entry > kPivotTolerance * std::max(largest, 1.0))) continue;
    if (best < 0) {
      best = i;
      continue;
    }
    // Compare row i / entry with row best / its entry: right-hand side first, then the columns of w.
    const double other = at(best, entering);
    const double first = at(i, rhs) / entry - at(best, rhs) / other;
    if (std::abs(first) > kTie) {
      if (first < 0.0) best = i;
      continue;
    }
    if (basis_[i] == artificial || basis_[best] == artificial) {  // let z₀ leave as soon as it can
      if (basis_[i] == artificial) best = i;
      continue;
    }
    for (int j = 0; j < m_; ++j) {
      const double difference = at(i, j) / entry - at(best, j) / other;
      if (std::abs(difference) > kTie) {
        if (difference < 0.0) best = i;
        break;
      }
    }
  }
  return best;
}

void Lemke::pivot(int row, int column) {
  double* source = &at(row, column) - column;
  const double inverse = 1.0 / source[column];
  for (int j = 0; j < width_; ++j) source[j] *= inverse;
  source[column] = 1.0;
  for (int i = 0; i < m_; ++i) {
    if (i == row) continue;
    double* target = tableau_.data() + static_cast<std::size_t>(i) * width_;
    const double factor = target[column];
    if (factor == 0.0) continue;
    dense::add_scaled(-factor, source, target, width_);
    target[column] = 0.0;
  }
  basis_[row] = column;
}

Lemke::End Lemke::solve(const double* m_matrix, const double* q, int m, long max_pivots) {
  m_ = m;
  width_ = 2 * m + 2;
  const int artificial = 2 * m;
  const int rhs = 2 * m + 1;
  const auto count = static_cast<std::size_t>(m);
  std::fill_n(dense::ensure(solution, count), m, 0.0);
  std::fill_n(dense::ensure(basic, count), m, char{0});
  std::fill_n(dense::ensure(ray, count), m, 0.0);
  const int lowest = static_cast<int>(std::min_element(q, q + m) - q);
  if (m == 0 || q[lowest] >= 0.0) return End::solution;
  double scale = 0.0;
  for (int i = 0; i < m; ++i) scale = std::max(scale, std::abs(q[i]));

  // w − M p − e z₀ = q, in units of the largest entry of q
  std::fill_n(dense::ensure(tableau_, count * static_cast<std::size_t>(width_)), m * width_, 0.0);
  dense::ensure(basis_, count);
  for (int i = 0; i < m; ++i) {
    at(i, i) = 1.0;
    for (int j = 0; j < m; ++j) at(i, m + j) = -m_matrix[i * m + j];
    at(i, artificial) = -1.0;
    at(i, rhs) = q[i] / scale;
    basis_[i] = i;
  }
  // z₀ enters in the lexicographically lowest row (ties: the last of them keeps the right-hand sides positive).
  int row = lowest;
  for (int i = 0; i < m; ++i)
    if (q[i] == q[lowest]) row = i;
  int left = row;
  pivot(row, artificial);

  // In exact numbers no basis comes again. One of every power of two is remembered (Brent), so that a circle is seen by
  // the time it has been gone round twice.
  std::uint64_t basis = 0, remembered = 0;
  for (int i = 0; i < m; ++i) basis ^= mark_of(basis_[i]);
  long next = 1;
  for (long step = 0; step < max_pivots; ++step) {
    Activity::tick();
    if (step > 0 && basis == remembered) return End::cycle;
    if (step == next) {
      remembered = basis;
      next *= 2;
    }
    const int entering = left < m ? left + m : left - m;  // the complement of what has left
    row = lexicographic_row(entering);
    if (row < 0) {
      for (int i = 0; i < m; ++i)
        if (basis_[i] >= m && basis_[i] < artificial) ray[basis_[i] - m] = std::max(0.0, -at(i, entering));
      if (entering >= m) ray[entering - m] = 1.0;
      return End::ray;
    }
    left = basis_[row];
    basis ^= mark_of(left) ^ mark_of(entering);
    pivot(row, entering);
    if (left == artificial) {
      for (int i = 0; i < m; ++i)
        if (basis_[i] >= m) {
          solution[basis_[i] - m] = scale * std::max(0.0, at(i, rhs));
          basic[basis_[i] - m] = 1;
        }
      return End::solution;
    }
  }
  return End::pivot_limit;
}

}  // namespace carom
