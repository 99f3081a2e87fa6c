#include "carom/laws/impact/compliant_answer.h"

#include <algorithm>

namespace carom {

void CompliantAnswer::take(const CompliantGrip& grip, std::span<const CompliantContact> contacts, int closed,
                           int planes) {
  const auto count = static_cast<int>(contacts.size());
  rows_ = planes + 1;
  closed_ = closed;
  place_.resize(contacts.size());
  for (int i = 0; i < count; ++i) place_[contacts[i].index] = i;
  find_groups(grip, contacts);
  taken_for_.assign(contacts.size(), -1);
  first_.assign(1, 0);
  column_.clear();
  numbers_.clear();
  for (int i = 0; i < count; ++i) {
    take_columns(grip, contacts, i);
    first_.push_back(static_cast<int>(column_.size()));
  }
  // An entry costs about twice as much as one of a full matrix, whose lines are computed several at once.
  few_ = 2.0 * static_cast<double>(column_.size()) < static_cast<double>(count) * grip.columns();
}

/// Contacts that stick pass on what they feel to all that feel them.
void CompliantAnswer::find_groups(const CompliantGrip& grip, std::span<const CompliantContact> contacts) {
  group_.assign(contacts.size(), -1);
  for (const CompliantGrip::Row& row : grip.sticking()) group_[row.place] = row.place;
  const auto first_of = [&](int i) {
    while (group_[i] != i) i = group_[i] = group_[group_[i]];
    return i;
  };
  for (const CompliantGrip::Row& row : grip.sticking())
    for (const int felt : grip.felt_by(contacts[row.place])) {
      const int other = place_[felt];
      if (group_[other] < 0) continue;
      const int one = first_of(row.place), two = first_of(other);
      group_[std::max(one, two)] = std::min(one, two);
    }
  if (reach_.size() < contacts.size()) reach_.resize(contacts.size());
  for (std::vector<int>& reached : reach_) reached.clear();
  for (const CompliantGrip::Row& row : grip.sticking()) {
    group_[row.place] = first_of(row.place);
    std::vector<int>& reached = reach_[group_[row.place]];
    for (const int felt : grip.felt_by(contacts[row.place])) reached.push_back(place_[felt]);
  }
  for (std::vector<int>& reached : reach_) {
    std::sort(reached.begin(), reached.end());
    reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
  }
}

void CompliantAnswer::take_columns(const CompliantGrip& grip, std::span<const CompliantContact> contacts, int i) {
  taken_.clear();
  const auto take = [&](int j) {
    if (j >= closed_ || taken_for_[j] == i) return;
    taken_for_[j] = i;
    taken_.push_back(j);
  };
  for (const int felt : grip.felt_by(contacts[i])) {
    const int j = place_[felt];
    take(j);
    const int group = group_[j];
    if (group < 0 || (j != i && group == group_[i])) continue;
    for (const int reached : reach_[group]) take(reached);
  }
  std::sort(taken_.begin(), taken_.end());
  for (const int j : taken_) take_column(grip, i, j);
  for (const int j : taken_)
    for (int plane = 1; plane < rows_ && is_free(contacts[j].grip); ++plane)
      take_column(grip, i, grip.column(plane, j));
}

void CompliantAnswer::take_column(const CompliantGrip& grip, int i, int column) {
  double entry[CompliantGrip::kPlanes + 1] = {};
  bool zero = true;
  for (int row = 0; row < rows_; ++row) {
    entry[row] = grip.response(row, i)[column];
    zero = zero && entry[row] == 0.0;
  }
  if (zero) return;
  column_.push_back(column);
  numbers_.insert(numbers_.end(), entry, entry + height(rows_));
}

}  // namespace carom
