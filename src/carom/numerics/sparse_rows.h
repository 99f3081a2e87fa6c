#pragma once
/// Products of long rows most of whose entries are zero, as those of contacts are that know two bodies of many.
///
/// Entries are taken in groups of four, those that dense::dot() sums together; a product visits the groups in which
/// both rows are not zero. It gives the same bits as dense::dot().

#include <algorithm>
#include <vector>

namespace carom {

class SparseRows {
 public:
  /// Reads `count` rows of n entries, one after the other; they have to stay where they are.
  void read(const double* rows, int count, int n);

  /// Row a times row b.
  [[nodiscard]] double dot(int a, int b) const;

  /// Calls visit(b) for every row b ≤ a whose product with row a may be other than zero, in no particular order.
  template <class Visit>
  void visit_neighbours(int a, const Visit& visit) {
    for (int k = first_group_[a]; k < first_group_[a + 1]; ++k)
      for (int r = first_row_[group_[k]]; r < first_row_[group_[k] + 1] && row_[r] <= a; ++r) {
        if (seen_[row_[r]] == a) continue;
        seen_[row_[r]] = a;
        visit(row_[r]);
      }
  }

 private:
  static constexpr int kGroup = 4;

  const double* rows_ = nullptr;
  int n_ = 0;
  std::vector<int> group_, first_group_;  // of each row, ascending
  std::vector<int> row_, first_row_;      // of each group, ascending
  std::vector<int> seen_;
};

}  // namespace carom
