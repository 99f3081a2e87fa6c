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
  /// Reads `count` rows of n entries, one after the other; they have to stay where they are. For row a, ranges(a,
  /// visit) calls visit(first, count) for the entries that may be other than zero, ascending; rows are asked in their
  /// order.
  template <class Ranges>
  void read(const double* rows, int count, int n, const Ranges& ranges) {
    begin(rows, n);
    for (int a = 0; a < count; ++a) {
      ranges(a, [this](int first, int entries) { add_groups(first, entries); });
      end_row();
    }
    sort_by_groups(count);
  }
  void read(const double* rows, int count, int n) {
    read(rows, count, n, [n](int, const auto& visit) { visit(0, n); });
  }

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

  void begin(const double* rows, int n);
  void add_groups(int first, int entries);
  void end_row() { first_group_.push_back(static_cast<int>(group_.size())); }
  void sort_by_groups(int count);

  const double* rows_ = nullptr;
  int n_ = 0;
  std::vector<int> group_, first_group_;  // of each row, ascending
  std::vector<int> row_, first_row_;      // of each group, ascending
  std::vector<int> seen_;
};

}  // namespace carom
