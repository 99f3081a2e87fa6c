#include "carom/contact/groups.h"

#include <algorithm>
#include <numeric>

namespace carom::contact {

Groups::Groups(const std::vector<BodyIndex>& bodies) : bodies_(bodies), parent_(bodies.size()) {
  std::iota(parent_.begin(), parent_.end(), std::size_t{0});
}

std::size_t Groups::place(BodyIndex body) const {
  return static_cast<std::size_t>(std::lower_bound(bodies_.begin(), bodies_.end(), body) - bodies_.begin());
}

std::size_t Groups::root(std::size_t place) {
  while (parent_[place] != place) {
    parent_[place] = parent_[parent_[place]];
    place = parent_[place];
  }
  return place;
}

void Groups::join(BodyIndex a, BodyIndex b) {
  const std::size_t first = root(place(a));
  const std::size_t second = root(place(b));
  parent_[std::max(first, second)] = std::min(first, second);
  number_.clear();
}

void Groups::number() {
  if (number_.size() == bodies_.size()) return;
  number_.assign(bodies_.size(), 0);
  count_ = 0;
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    if (root(i) == i) number_[i] = count_++;
}

std::size_t Groups::number_of(BodyIndex body) {
  number();
  return number_[root(place(body))];
}

std::size_t Groups::count() {
  number();
  return count_;
}

}  // namespace carom::contact
