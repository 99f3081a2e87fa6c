#pragma once
/// Which objects may meet: a body never meets itself, obstacles never meet each other, and two objects do not meet
/// where one of them avoids a group of the other.

#include <cstdint>
#include <vector>

#include "carom/mechanics/model.h"

namespace carom {

class MeetingRules {
 public:
  explicit MeetingRules(const Model& model);

  /// Whether nobody avoids anything.
  [[nodiscard]] bool all_meet() const { return words_ == 0; }
  /// Whether neither of the two avoids a group of the other.
  [[nodiscard]] bool may_meet(ObjectIndex a, ObjectIndex b) const {
    if (words_ == 0) return true;
    return !avoids(a.slot(), b.slot()) && !avoids(b.slot(), a.slot());
  }

 private:
  [[nodiscard]] bool avoids(std::size_t one, std::size_t other) const {
    for (std::size_t w = 0; w < words_; ++w)
      if ((avoided_[one * words_ + w] & member_[other * words_ + w]) != 0) return true;
    return false;
  }

  std::size_t words_ = 0;               ///< of 64 groups for each object; 0 where nobody avoids anything
  std::vector<std::uint64_t> member_;   ///< the groups that an object belongs to
  std::vector<std::uint64_t> avoided_;  ///< those that it avoids
};

}  // namespace carom
