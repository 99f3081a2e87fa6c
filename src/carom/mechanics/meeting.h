#pragma once
/// Which objects may meet: a body never meets itself, obstacles never meet each other, two objects do not meet where
/// one of them avoids a group of the other or a joint that does not let them collide joins them, and a ring (a body
/// that is a bore) meets neither other rings nor the obstacle that it is threaded on: of obstacles it meets balls only.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "carom/mechanics/model.h"

namespace carom {

class MeetingRules {
 public:
  explicit MeetingRules(const Model& model);

  /// Whether there is nothing that keeps two of them apart.
  [[nodiscard]] bool all_meet() const { return words_ == 0 && role_.empty() && joined_.empty(); }
  [[nodiscard]] bool may_meet(ObjectIndex a, ObjectIndex b) const {
    if (all_meet()) return true;
    if (!role_.empty() && threaded(role_[a.slot()], role_[b.slot()])) return false;
    if (!joined_.empty() && are_joined(a, b)) return false;
    return !avoids(a.slot(), b.slot()) && !avoids(b.slot(), a.slot());
  }

 private:
  enum class Role : char { other, ring, post };
  [[nodiscard]] static bool threaded(Role a, Role b) {
    return (a == Role::ring && b != Role::other) || (a == Role::post && b == Role::ring);
  }
  [[nodiscard]] bool are_joined(int a, int b) const {
    return std::binary_search(joined_.begin(), joined_.end(), std::pair(std::min(a, b), std::max(a, b)));
  }
  [[nodiscard]] bool avoids(std::size_t one, std::size_t other) const {
    for (std::size_t w = 0; w < words_; ++w)
      if ((avoided_[one * words_ + w] & member_[other * words_ + w]) != 0) return true;
    return false;
  }

  std::vector<Role> role_;                   ///< empty where there are no rings
  std::vector<std::pair<int, int>> joined_;  ///< pairs of bodies, in order
  std::size_t words_ = 0;                    ///< of 64 groups for each object; 0 where nobody avoids anything
  std::vector<std::uint64_t> member_;        ///< the groups that an object belongs to
  std::vector<std::uint64_t> avoided_;       ///< those that it avoids
};

}  // namespace carom
