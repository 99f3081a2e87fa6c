/// The matrices of ConeProximal: columns of what contacts can change, and narrow factors of EᵀSE + R and EᵀZSE + R.

#include <algorithm>
#include <cmath>

#include "carom/numerics/cone_proximal.h"
#include "carom/numerics/dense.h"

namespace carom {

using dense::dot;
using dense::ensure;

namespace {
constexpr double kNoPivotLeft = 1e-13;
}  // namespace

void ConeProximal::find_neighbours() {
  const ConeSystem& system = *system_;
  const int m = system.contacts();
  neighbour_.clear();
  first_neighbour_.assign(1, 0);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) {
      bool linked = i == j;
      for (int a = system.first_row(i); a <= system.first_row(i) + system.contact(i).tangents && !linked; ++a)
        for (int b = system.first_row(j); b <= system.first_row(j) + system.contact(j).tangents && !linked; ++b)
          linked = system.matrix()[static_cast<std::ptrdiff_t>(a) * rows_ + b] != 0.0;
      if (linked) neighbour_.push_back(j);
    }
    first_neighbour_.push_back(static_cast<int>(neighbour_.size()));
  }
}

void ConeProximal::order_contacts() {
  // Breadth first from a contact that is far from others, reversed (Cuthill & McKee): neighbours stay near each other.
  const int m = system_->contacts();
  const auto degree = [&](int i) { return first_neighbour_[i + 1] - first_neighbour_[i]; };
  order_.clear();
  place_.assign(static_cast<std::size_t>(m), -1);
  while (static_cast<int>(order_.size()) < m) {
    int seed = -1;
    for (int i = 0; i < m; ++i)
      if (place_[i] < 0 && (seed < 0 || degree(i) < degree(seed))) seed = i;
    std::size_t next = order_.size();
    order_.push_back(seed);
    place_[seed] = 0;
    for (; next < order_.size(); ++next) {
      const int i = order_[next];
      const std::size_t begin = order_.size();
      for (int k = first_neighbour_[i]; k < first_neighbour_[i + 1]; ++k) {
        const int j = neighbour_[k];
        if (place_[j] >= 0) continue;
        place_[j] = 0;
        order_.push_back(j);
      }
      std::sort(order_.begin() + static_cast<std::ptrdiff_t>(begin), order_.end(),
                [&](int a, int b) { return degree(a) != degree(b) ? degree(a) < degree(b) : a < b; });
    }
  }
  std::reverse(order_.begin(), order_.end());
  for (int k = 0; k < m; ++k) place_[order_[k]] = k;
}

/// Columns of E in the order of the contacts, and where the rows of EᵀSE begin.
void ConeProximal::number_columns() {
  columns_ = 0;
  contact_of_column_.clear();
  envelope_.clear();
  for (const int i : order_) {
    freedom_[i].first = columns_;
    int begin = columns_;
    for (int k = first_neighbour_[i]; k < first_neighbour_[i + 1]; ++k) {
      const int j = neighbour_[k];
      if (place_[j] < place_[i] && freedom_[j].count > 0) begin = std::min(begin, freedom_[j].first);
    }
    for (int k = 0; k < freedom_[i].count; ++k) {
      contact_of_column_.push_back(i);
      envelope_.push_back(begin);
    }
    columns_ += freedom_[i].count;
  }
}

/// EᵀSE + shift·R by rows, of which those from the first entry that is not zero are kept. Returns whether all pivots
/// are above the threshold.
bool ConeProximal::factorise(double shift, double threshold) {
  const ConeSystem& system = *system_;
  number_columns();
  const int n = columns_;
  ensure(factor_, n, n);
  ensure(inverse_diagonal_, n);
  for (int r = 0; r < n; ++r) {
    const int i = contact_of_column_[r];
    const double* column = freedom_[i].column[r - freedom_[i].first];
    const int begin = envelope_[r];
    double* row = factor_.data() + static_cast<std::ptrdiff_t>(r) * n;
    std::fill(row + begin, row + r + 1, 0.0);
    for (int k = first_neighbour_[i]; k < first_neighbour_[i + 1]; ++k) {
      const int j = neighbour_[k];
      if (freedom_[j].count == 0 || place_[j] > place_[i]) continue;
      double image[3] = {0.0, 0.0, 0.0};
      for (int a = 0; a <= system.contact(i).tangents; ++a) {
        const double* s = system.matrix() + static_cast<std::ptrdiff_t>(system.first_row(i) + a) * rows_;
        for (int b = 0; b <= system.contact(j).tangents; ++b) image[b] += column[a] * s[system.first_row(j) + b];
      }
      for (int c = 0; c < freedom_[j].count && freedom_[j].first + c <= r; ++c)
        for (int b = 0; b <= system.contact(j).tangents; ++b)
          row[freedom_[j].first + c] += image[b] * freedom_[j].column[c][b];
    }
    const double diagonal = row[r];
    row[r] += shift * regularisation_ * weight_[i];
    for (int c = begin; c <= r; ++c) {
      const double* other = factor_.data() + static_cast<std::ptrdiff_t>(c) * n;
      const int common = std::max(begin, envelope_[c]);
      const double value = common < c ? row[c] - dot(row + common, other + common, c - common) : row[c];
      if (c < r) {
        row[c] = value * inverse_diagonal_[c];
        continue;
      }
      if (!(value > threshold * diagonal)) return false;
      row[r] = std::sqrt(value);
      inverse_diagonal_[r] = 1.0 / row[r];
    }
  }
  return true;
}

/// Row `k` of EᵀZ of contact i.
void ConeProximal::following_row(int i, int k, double* row) const {
  const ConeContact& contact = system_->contact(i);
  std::copy_n(freedom_[i].column[k], 3, row);
  if (contact.tangents == 0 || contact.friction == 0.0) return;
  const int f = system_->first_row(i);
  double slip[2] = {0.0, 0.0};
  for (int a = 0; a < contact.tangents; ++a) slip[a] = image_[f + 1 + a] + system_->offset()[f + 1 + a];
  const double speed = tangential_length(slip, contact.tangents);
  for (int a = 0; speed > 0.0 && a < contact.tangents; ++a) row[1 + a] += row[0] * contact.friction * slip[a] / speed;
}

/// EᵀZSE + R as L·U without exchanges, rows and columns from the same first entry on; the lower part by rows, the
/// upper by columns.
bool ConeProximal::factorise_following() {
  const ConeSystem& system = *system_;
  number_columns();
  const int n = columns_;
  ensure(factor_, n, n);
  ensure(upper_, n, n);
  ensure(inverse_diagonal_, n);
  for (int r = 0; r < n; ++r) {
    const int i = contact_of_column_[r];
    double row[3];
    following_row(i, r - freedom_[i].first, row);
    const double* column = freedom_[i].column[r - freedom_[i].first];
    const int begin = envelope_[r];
    double* lower = factor_.data() + static_cast<std::ptrdiff_t>(r) * n;
    double* upper = upper_.data() + static_cast<std::ptrdiff_t>(r) * n;
    std::fill(lower + begin, lower + r + 1, 0.0);
    std::fill(upper + begin, upper + r + 1, 0.0);
    for (int k = first_neighbour_[i]; k < first_neighbour_[i + 1]; ++k) {
      const int j = neighbour_[k];
      if (freedom_[j].count == 0 || place_[j] > place_[i]) continue;
      double image[3] = {0.0, 0.0, 0.0}, own_image[3] = {0.0, 0.0, 0.0};
      for (int a = 0; a <= system.contact(i).tangents; ++a) {
        const double* s = system.matrix() + static_cast<std::ptrdiff_t>(system.first_row(i) + a) * rows_;
        for (int b = 0; b <= system.contact(j).tangents; ++b) {
          image[b] += row[a] * s[system.first_row(j) + b];
          own_image[b] += column[a] * s[system.first_row(j) + b];  // S is symmetric
        }
      }
      for (int c = 0; c < freedom_[j].count && freedom_[j].first + c <= r; ++c) {
        double other[3];
        following_row(j, c, other);
        for (int b = 0; b <= system.contact(j).tangents; ++b) {
          lower[freedom_[j].first + c] += image[b] * freedom_[j].column[c][b];
          upper[freedom_[j].first + c] += other[b] * own_image[b];
        }
      }
    }
    const double diagonal = std::abs(lower[r]) + regularisation_ * weight_[i];
    lower[r] += regularisation_ * weight_[i];
    for (int c = begin; c < r; ++c) {
      const int common = std::max(begin, envelope_[c]);
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(c) * n + common;
      if (common < c) {
        lower[c] -= dot(lower + common, upper_.data() + at, c - common);
        upper[c] -= dot(upper + common, factor_.data() + at, c - common);
      }
      lower[c] *= inverse_diagonal_[c];
    }
    const double pivot = lower[r] - dot(lower + begin, upper + begin, r - begin);
    if (!(std::abs(pivot) > kNoPivotLeft * diagonal)) return false;
    inverse_diagonal_[r] = 1.0 / pivot;
  }
  return true;
}

void ConeProximal::solve_following(double* right) const {
  const int n = columns_;
  for (int r = 0; r < n; ++r) {
    const double* lower = factor_.data() + static_cast<std::ptrdiff_t>(r) * n;
    const int begin = envelope_[r];
    right[r] -= dot(lower + begin, right + begin, r - begin);
  }
  for (int r = n - 1; r >= 0; --r) {
    const double* upper = upper_.data() + static_cast<std::ptrdiff_t>(r) * n;
    right[r] *= inverse_diagonal_[r];
    dense::add_scaled(-right[r], upper + envelope_[r], right + envelope_[r], r - envelope_[r]);
  }
}

void ConeProximal::solve_factor(double* right) const {
  const int n = columns_;
  for (int r = 0; r < n; ++r) {
    const double* row = factor_.data() + static_cast<std::ptrdiff_t>(r) * n;
    const int begin = envelope_[r];
    right[r] = (right[r] - dot(row + begin, right + begin, r - begin)) * inverse_diagonal_[r];
  }
  for (int r = n - 1; r >= 0; --r) {
    const double* row = factor_.data() + static_cast<std::ptrdiff_t>(r) * n;
    right[r] *= inverse_diagonal_[r];
    dense::add_scaled(-right[r], row + envelope_[r], right + envelope_[r], r - envelope_[r]);
  }
}

}  // namespace carom
