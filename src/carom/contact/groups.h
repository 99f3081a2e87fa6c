#pragma once
/// Groups of bodies that belong together, found by joining two at a time.

#include <vector>

#include "carom/mechanics/indices.h"

namespace carom::contact {

class Groups {
 public:
  /// Every body alone at first. `bodies`: ascending.
  explicit Groups(const std::vector<BodyIndex>& bodies);

  void join(BodyIndex a, BodyIndex b);
  /// The number of the body's group: groups are counted in the order of their first bodies.
  [[nodiscard]] std::size_t number_of(BodyIndex body);
  [[nodiscard]] std::size_t count();

 private:
  [[nodiscard]] std::size_t place(BodyIndex body) const;
  [[nodiscard]] std::size_t root(std::size_t place);
  void number();

  const std::vector<BodyIndex>& bodies_;
  std::vector<std::size_t> parent_;
  std::vector<std::size_t> number_;  ///< of the group of each root; filled when it is asked for
  std::size_t count_ = 0;
};

}  // namespace carom::contact
