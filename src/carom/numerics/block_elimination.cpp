#include "carom/numerics/block_elimination.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "carom/base/assert.h"

namespace carom {

namespace {

constexpr int kMost = BlockElimination::kMost;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
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

void BlockElimination::factor_diagonal(int position, double threshold) {
  Column& column = columns_[at(position)];
  Block& d = blocks_[at(position)];
  for (int j = 0; j < column.rows; ++j) {
    double pivot = d[at(j)][at(j)];
    for (int k = 0; k < j; ++k) pivot -= d[at(j)][at(k)] * d[at(j)][at(k)];
    const bool used = pivot > threshold;
    const double inverse = used ? 1.0 / std::sqrt(pivot) : 0.0;
    column.inverse_diagonal[at(j)] = inverse;
    if (used) {
      ++rank_;
      least_pivot_ = std::min(least_pivot_, pivot);
    }
    for (int i = j + 1; i < column.rows; ++i) {
      double sum = d[at(i)][at(j)];
      for (int k = 0; k < j; ++k) sum -= d[at(i)][at(k)] * d[at(j)][at(k)];
      d[at(i)][at(j)] = sum * inverse;
    }
  }
}

void BlockElimination::factor(double threshold) {
  rank_ = 0;
  least_pivot_ = 1.0;
  for (std::size_t position = 0; position < columns_.size(); ++position) {
    factor_diagonal(static_cast<int>(position), threshold);
    const Column& column = columns_[position];
    const Block& d = blocks_[position];
    const std::size_t count = column.below.size();
    Block* const below = blocks_.data() + column.first;
    for (std::size_t i = 0; i < count; ++i) {
      for (int j = 0; j < column.rows; ++j) {
        Vector row = below[i][at(j)];
        for (int k = 0; k < j; ++k) {
          const double factor = d[at(j)][at(k)];
          const Vector& done = below[i][at(k)];
          for (std::size_t r = 0; r < kMost; ++r) row[r] -= factor * done[r];
        }
        for (std::size_t r = 0; r < kMost; ++r) row[r] *= column.inverse_diagonal[at(j)];
        below[i][at(j)] = row;
      }
    }
    const int* updated = column.updated.data();
    for (std::size_t j = 0; j < count; ++j) {
      for (std::size_t i = j; i < count; ++i) {
        Block& target = blocks_[at(*updated++)];
        const int columns = columns_[at(column.below[j])].rows;
        for (int c = 0; c < columns; ++c) {
          Vector left = target[at(c)];
          for (int k = 0; k < column.rows; ++k) {
            const double of_j = below[j][at(k)][at(c)];
            const Vector& of_i = below[i][at(k)];
            for (std::size_t r = 0; r < kMost; ++r) left[r] -= of_j * of_i[r];
          }
          target[at(c)] = left;
        }
      }
    }
  }
}

void BlockElimination::solve(std::span<Vector> x) const {
  for (std::size_t position = 0; position < columns_.size(); ++position) {
    const Column& column = columns_[position];
    const Block& d = blocks_[position];
    Vector& mine = x[at(column.block)];
    for (int j = 0; j < column.rows; ++j) {
      double sum = mine[at(j)];
      for (int k = 0; k < j; ++k) sum -= d[at(j)][at(k)] * mine[at(k)];
      mine[at(j)] = sum * column.inverse_diagonal[at(j)];
    }
    for (std::size_t i = 0; i < column.below.size(); ++i) {
      const Block& block = blocks_[at(column.first) + i];
      Vector other = x[at(columns_[at(column.below[i])].block)];
      for (int j = 0; j < column.rows; ++j)
        for (std::size_t r = 0; r < kMost; ++r) other[r] -= mine[at(j)] * block[at(j)][r];
      x[at(columns_[at(column.below[i])].block)] = other;
    }
  }
  for (std::size_t position = columns_.size(); position-- > 0;) {
    const Column& column = columns_[position];
    const Block& d = blocks_[position];
    Vector& mine = x[at(column.block)];
    for (std::size_t i = 0; i < column.below.size(); ++i) {
      const Block& block = blocks_[at(column.first) + i];
      const Vector& other = x[at(columns_[at(column.below[i])].block)];
      for (int j = 0; j < column.rows; ++j) {
        double sum = 0.0;
        for (std::size_t r = 0; r < kMost; ++r) sum += block[at(j)][r] * other[r];
        mine[at(j)] -= sum;
      }
    }
    for (int j = column.rows; j-- > 0;) {
      double sum = mine[at(j)];
      for (int i = j + 1; i < column.rows; ++i) sum -= d[at(i)][at(j)] * mine[at(i)];
      mine[at(j)] = sum * column.inverse_diagonal[at(j)];
    }
  }
}

}  // namespace carom
