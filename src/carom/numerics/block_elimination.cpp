#include "carom/numerics/block_elimination.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <type_traits>

#include "carom/base/assert.h"

namespace carom {

namespace {

constexpr int kMost = BlockElimination::kMost;
/// Pivots below this part of the diagonal entry are round-off.
constexpr double kRoundOff = 1e-15;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

/// Calls f with a number of rows that is known when it is compiled.
template <class Function>
void with_rows(int rows, const Function& f) {
  static_assert(kMost == 6);
  switch (rows) {
    case 1: return f(std::integral_constant<int, 1>{});
    case 2: return f(std::integral_constant<int, 2>{});
    case 3: return f(std::integral_constant<int, 3>{});
    case 4: return f(std::integral_constant<int, 4>{});
    case 5: return f(std::integral_constant<int, 5>{});
    case 6: return f(std::integral_constant<int, 6>{});
    default: CAROM_ASSERT(rows == 0);
  }
}

}  // namespace

void BlockElimination::choose_order(std::vector<std::vector<int>>& neighbours) {
  const auto count = static_cast<int>(neighbours.size());
  std::set<std::pair<std::size_t, int>> waiting;  // by degree, then by number
  for (int block = 0; block < count; ++block) waiting.emplace(neighbours[at(block)].size(), block);
  columns_.assign(neighbours.size(), {});
  position_.assign(neighbours.size(), -1);
  std::vector<int> merged;
  for (int position = 0; position < count; ++position) {
    const int block = waiting.begin()->second;
    waiting.erase(waiting.begin());
    position_[at(block)] = position;
    Column& column = columns_[at(position)];
    column.block = block;
    column.rows = rows_[at(block)];
    column.below = neighbours[at(block)];  // as blocks for now
    // Its neighbours become neighbours of each other.
    for (const int other : column.below) {
      std::vector<int>& of_other = neighbours[at(other)];
      waiting.erase({of_other.size(), other});
      merged.clear();
      std::set_union(of_other.begin(), of_other.end(), column.below.begin(), column.below.end(),
                     std::back_inserter(merged));
      std::erase_if(merged, [&](int one) { return one == other || one == block; });
      of_other = merged;
      waiting.emplace(of_other.size(), other);
    }
  }
}

void BlockElimination::analyse(std::span<const int> rows, std::span<const std::pair<int, int>> links) {
  rows_.assign(rows.begin(), rows.end());
  std::vector<std::vector<int>> neighbours(rows.size());
  for (const auto& [a, b] : links) {
    neighbours[at(a)].push_back(b);
    neighbours[at(b)].push_back(a);
  }
  for (std::vector<int>& of : neighbours) {
    std::sort(of.begin(), of.end());
    of.erase(std::unique(of.begin(), of.end()), of.end());
  }
  choose_order(neighbours);
  auto next = static_cast<int>(columns_.size());
  int row = 0;
  for (std::size_t block = 0; block < rows_.size(); ++block) {
    columns_[at(position_[block])].first_row = row;
    row += rows_[block];
  }
  for (Column& column : columns_) {
    for (int& block : column.below) block = position_[at(block)];
    std::sort(column.below.begin(), column.below.end());
    column.first = next;
    next += static_cast<int>(column.below.size());
  }
  blocks_.resize(at(next));
  for (Column& column : columns_) {
    column.updated.clear();
    for (std::size_t j = 0; j < column.below.size(); ++j)
      for (std::size_t i = j; i < column.below.size(); ++i)
        column.updated.push_back(place(columns_[at(column.below[i])].block, columns_[at(column.below[j])].block).index);
  }
}

BlockElimination::Place BlockElimination::place(int a, int b) const {
  const int row = position_[at(a)], column = position_[at(b)];
  if (row == column) return {row, false};
  const Column& first = columns_[at(std::min(row, column))];
  const auto found = std::lower_bound(first.below.begin(), first.below.end(), std::max(row, column));
  CAROM_ASSERT(found != first.below.end() && *found == std::max(row, column));
  return {first.first + static_cast<int>(found - first.below.begin()), row > column};
}

void BlockElimination::clear() {
  for (Block& block : blocks_)
    for (Vector& row : block) row.fill(0.0);
}

/// Row operations take the diagonal block to D Lᵀ and those below, in the same rows, to L⁻¹ times what they were.
template <int kRows>
void BlockElimination::eliminate(std::size_t position, const Rule& rule) {
  Column& column = columns_[position];
  Block& d = blocks_[position];
  Block* const below = blocks_.data() + column.first;
  const std::size_t count = column.below.size();
  column.volume = 1.0;
  for (int j = 0; j < kRows; ++j) {
    const double pivot = d[at(j)][at(j)], whole = column.diagonal[at(j)];
    const bool wanted = rule.left_out == nullptr || rule.left_out[column.first_row + j] == 0;
    const bool used = wanted && pivot > rule.threshold * whole;
    const double inverse = used ? 1.0 / pivot : 0.0;
    column.inverse_pivot[at(j)] = inverse;
    if (used) {
      ++rank_;
      column.volume *= pivot / whole;
      least_pivot_ = pivot < least_pivot_ * whole ? pivot / whole : least_pivot_;
    }
    for (int i = j + 1; i < kRows; ++i) {
      const double factor = d[at(i)][at(j)] * inverse;
      column.lower[at(j)][at(i)] = factor;
      for (std::size_t c = 0; c < kMost; ++c) d[at(i)][c] -= factor * d[at(j)][c];
    }
  }
  for (std::size_t b = 0; b < count; ++b)
    for (int j = 0; j < kRows; ++j)
      for (int i = j + 1; i < kRows; ++i)
        for (std::size_t r = 0; r < kMost; ++r) below[b][at(i)][r] -= column.lower[at(j)][at(i)] * below[b][at(j)][r];
  const int* updated = column.updated.data();
  for (std::size_t j = 0; j < count; ++j) {
    const int columns = columns_[at(column.below[j])].rows;
    Block scaled;
    for (int k = 0; k < kRows; ++k)
      for (std::size_t c = 0; c < kMost; ++c) scaled[at(k)][c] = column.inverse_pivot[at(k)] * below[j][at(k)][c];
    for (std::size_t i = j; i < count; ++i) {
      Block& target = blocks_[at(*updated++)];
      for (int c = 0; c < columns; ++c) {
        Vector left = target[at(c)];
        for (int k = 0; k < kRows; ++k)
          for (std::size_t r = 0; r < kMost; ++r) left[r] -= scaled[at(k)][at(c)] * below[i][at(k)][r];
        target[at(c)] = left;
      }
    }
  }
}

template <int kRows>
void BlockElimination::forward(std::size_t position, std::span<Vector> x) const {
  const Column& column = columns_[position];
  Vector mine = x[at(column.block)];
  for (int j = 0; j < kRows; ++j)
    for (int i = j + 1; i < kRows; ++i) mine[at(i)] -= column.lower[at(j)][at(i)] * mine[at(j)];
  for (int j = 0; j < kRows; ++j) mine[at(j)] *= column.inverse_pivot[at(j)];
  x[at(column.block)] = mine;
  for (std::size_t i = 0; i < column.below.size(); ++i) {
    const Block& block = blocks_[at(column.first) + i];
    Vector other = x[at(columns_[at(column.below[i])].block)];
    for (int j = 0; j < kRows; ++j)
      for (std::size_t r = 0; r < kMost; ++r) other[r] -= mine[at(j)] * block[at(j)][r];
    x[at(columns_[at(column.below[i])].block)] = other;
  }
}

template <int kRows>
void BlockElimination::back(std::size_t position, std::span<Vector> x) const {
  const Column& column = columns_[position];
  Vector mine = x[at(column.block)];
  for (std::size_t i = 0; i < column.below.size(); ++i) {
    const Block& block = blocks_[at(column.first) + i];
    const Vector& other = x[at(columns_[at(column.below[i])].block)];
    for (int j = 0; j < kRows; ++j) {
      double sum = 0.0;
      for (std::size_t r = 0; r < kMost; ++r) sum += block[at(j)][r] * other[r];
      mine[at(j)] -= column.inverse_pivot[at(j)] * sum;
    }
  }
  for (int j = kRows - 1; j-- > 0;)
    for (int i = j + 1; i < kRows; ++i) mine[at(j)] -= column.lower[at(j)][at(i)] * mine[at(i)];
  x[at(column.block)] = mine;
}

void BlockElimination::factor(double threshold) {
  factor_by({threshold, nullptr});
}

void BlockElimination::factor_without(std::span<const char> left_out) {
  factor_by({kRoundOff, left_out.data()});
}

void BlockElimination::factor_by(const Rule& rule) {
  rank_ = 0;
  least_pivot_ = 1.0;
  for (std::size_t position = 0; position < columns_.size(); ++position)
    for (std::size_t j = 0; j < kMost; ++j) columns_[position].diagonal[j] = blocks_[position][j][j];
  for (std::size_t position = 0; position < columns_.size(); ++position)
    with_rows(columns_[position].rows, [&](auto rows) { eliminate<rows()>(position, rule); });
}

double BlockElimination::log_volume() const {
  double sum = 0.0;
  for (const Column& column : columns_) sum += std::log(column.volume);
  return sum;
}

void BlockElimination::solve(std::span<Vector> x) const {
  for (std::size_t position = 0; position < columns_.size(); ++position)
    with_rows(columns_[position].rows, [&](auto rows) { forward<rows()>(position, x); });
  for (std::size_t position = columns_.size(); position-- > 0;)
    with_rows(columns_[position].rows, [&](auto rows) { back<rows()>(position, x); });
}

}  // namespace carom
