#pragma once
/// The factors L D Lᵀ of a sparse symmetric matrix of small blocks: the equations of the forces in joints, one block of
/// rows for each joint, another entry only where two joints have a body in common.
///
/// Blocks are eliminated in the order of least degree. Of a chain or a tree of bodies the blocks nearest to the leaves
/// go first, and nothing is filled in: the time is linear in the number of joints. Every closed loop fills in one block
/// for each that it is long, at most.
///
/// The matrix may be semidefinite. A row of which less than a threshold is left when its turn comes depends on those
/// before it and is left out: its unknown is zero, which solves consistent equations. What is left of a row is its
/// pivot relative to its diagonal entry, so that it does not matter how rows are scaled.

#include <array>
#include <span>
#include <utility>
#include <vector>

namespace carom {

class BlockElimination {
 public:
  static constexpr int kMost = 6;  ///< rows of a block
  /// A block; entries beyond its rows and columns are zero.
  using Block = std::array<std::array<double, kMost>, kMost>;
  using Vector = std::array<double, kMost>;

  /// Blocks of so many rows each; `links` are the pairs that are not zero, the diagonal apart.
  void analyse(std::span<const int> rows, std::span<const std::pair<int, int>> links);

  /// Where the entries of a pair of blocks stand. `flipped`: as entries[row of b][row of a].
  struct Place {
    int index;
    bool flipped;
  };
  [[nodiscard]] Place place(int a, int b) const;
  /// Begins with zeros.
  void clear();
  [[nodiscard]] Block& block(int index) { return blocks_[static_cast<std::size_t>(index)]; }

  /// A row whose pivot is not above this part of its diagonal entry is left out; one that says nothing has the entry 0.
  void factor(double threshold);
  /// With exactly these rows left out, one entry for each row block by block, and those that round-off has taken.
  void factor_without(std::span<const char> left_out);
  /// Rows that were not left out, and the least pivot of these, relative to the diagonal entries.
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] double least_pivot() const { return least_pivot_; }
  /// Whether a row that says something was.
  [[nodiscard]] bool is_left_out(int block, int row) const {
    const Column& column = columns_[static_cast<std::size_t>(position_[static_cast<std::size_t>(block)])];
    const auto at = static_cast<std::size_t>(row);
    return column.inverse_pivot[at] == 0.0 && column.diagonal[at] > 0.0;
  }
  /// The logarithm of the determinant of the rows that were not left out, each scaled so that its diagonal entry is 1:
  /// a smooth function of the matrix, whatever the order of elimination.
  [[nodiscard]] double log_volume() const;
  /// Solves in place, one entry for each block.
  void solve(std::span<Vector> x) const;

 private:
  void choose_order(std::vector<std::vector<int>>& neighbours);

  struct Column {
    int block;                  ///< that is eliminated
    int rows;                   ///< of it
    int first_row = 0;          ///< among all rows, block by block
    std::vector<int> below;     ///< columns that its block below the diagonal belong to, ascending
    int first;                  ///< of its blocks below the diagonal, one after the other
    std::vector<int> updated;   ///< the blocks that its elimination changes: of each pair of `below`
    Vector diagonal = {};       ///< before anything was eliminated
    Vector inverse_pivot = {};  ///< 0 where a row was left out
    double volume = 1.0;        ///< the product of its pivots relative to the diagonal entries
    Block lower = {};           ///< entries of L within the block: lower[j][i], i > j, of row i and column j
  };
  // One column of so many rows; loops of known length are what makes these fast.
  struct Rule {
    double threshold;
    const char* left_out;  ///< of all rows; none: by the threshold alone
  };
  void factor_by(const Rule& rule);
  template <int kRows>
  void eliminate(std::size_t position, const Rule& rule);
  template <int kRows>
  void forward(std::size_t position, std::span<Vector> x) const;
  template <int kRows>
  void back(std::size_t position, std::span<Vector> x) const;

  std::vector<Column> columns_;  ///< in the order of elimination
  std::vector<int> position_;    ///< of each block in that order
  std::vector<int> rows_;        ///< of each block
  std::vector<Block> blocks_;    ///< diagonal ones by column, then those below as entries[row of column][row of it]
  int rank_ = 0;
  double least_pivot_ = 1.0;
};

}  // namespace carom
