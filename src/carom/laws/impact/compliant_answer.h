#pragma once
/// How the velocities at all contacts of a cluster answer to the free forces (the columns of compliant_grip.h), where
/// most contacts do not feel each other: of each contact those columns alone that it feels. In a pile that are a dozen,
/// however many there are; with contacts that stick it is those that hang together by them.

#include <span>
#include <vector>

#include "carom/laws/impact/compliant_grip.h"
#include "carom/laws/impact/lanes_of.h"

namespace carom {

class CompliantAnswer {
 public:
  /// Takes what is not zero in the rows of the normal and `planes` tangents of all contacts.
  void take(const CompliantGrip& grip, std::span<const CompliantContact> contacts, int closed, int planes);

  /// Whether that is so little that it pays to leave out the rest.
  [[nodiscard]] bool few() const { return few_; }

  /// Row `row` of contact i of the product with these forces.
  [[nodiscard]] double product(int row, int i, const double* force) const {
    double sum = 0.0;
    for (int e = first_[i]; e < first_[i + 1]; ++e) sum += numbers_[e * height(rows_) + row] * force[column_[e]];
    return sum;
  }

  /// All rows of the product for all contacts: `out[row][i]`.
  void multiply(const double* force, double* const* out) const {
    rows_ == 2 ? multiply<2>(force, out) : multiply<3>(force, out);
  }

 private:
  using Pair = LanesOf<2>::Type;
  /// Numbers of an entry: one for each row, filled up to whole pairs.
  [[nodiscard]] static constexpr int height(int rows) { return (rows + 1) / 2 * 2; }

  template <int Rows>
  void multiply(const double* force, double* const* out) const {
    constexpr int kPairs = height(Rows) / 2;
    const auto contacts = static_cast<int>(first_.size()) - 1;
    const double* entry = numbers_.data();
    for (int i = 0; i < contacts; ++i) {
      Pair sum[2][kPairs] = {};
      const auto add = [&](int e, Pair* to) {
        for (int pair = 0; pair < kPairs; ++pair)
          to[pair] += Pair{entry[2 * pair], entry[2 * pair + 1]} * force[column_[e]];
        entry += 2 * kPairs;
      };
      int e = first_[i];
      for (; e + 1 < first_[i + 1]; e += 2) {
        add(e, sum[0]);
        add(e + 1, sum[1]);
      }
      if (e < first_[i + 1]) add(e, sum[0]);
      for (int row = 0; row < Rows; ++row) out[row][i] = sum[0][row / 2][row % 2] + sum[1][row / 2][row % 2];
    }
  }

  void find_groups(const CompliantGrip& grip, std::span<const CompliantContact> contacts);
  void take_columns(const CompliantGrip& grip, std::span<const CompliantContact> contacts, int i);
  void take_column(const CompliantGrip& grip, int i, int column);

  int rows_ = 1;
  int closed_ = 0;
  bool few_ = false;
  std::vector<int> place_;               // of contacts, by index
  std::vector<int> group_;               // of sticking contacts that hang together, by place: the first of them
  std::vector<std::vector<int>> reach_;  // of each group: places of the contacts that it feels
  std::vector<int> taken_;               // contacts whose columns one takes
  std::vector<int> taken_for_;           // of each place: who took it last
  std::vector<int> first_;               // entry of each contact
  std::vector<int> column_;
  std::vector<double> numbers_;
};

}  // namespace carom
