#pragma once
/// Which bodies may come near each other for a while: those whose covers overlap.
///
/// The cover of a body is a box that it does not leave, wider than what it needs for its present stretch. Only when a
/// body needs another cover, or goes to another cell, its neighbours are looked for among those of the cells around it
/// (contact/cell_grid.h); on all shorter steps until then it has the same few. Of two bodies that touch each stands in
/// the list of the other: they are in neighbouring cells, and inside their covers.

#include <vector>

#include "carom/base/archive.h"
#include "carom/contact/cell_grid.h"
#include "carom/engine/smooth/paths.h"

namespace carom::smooth {

class NearPairs {
 public:
  explicit NearPairs(std::size_t bodies) : covers_(bodies), known_(bodies, 0), near_(bodies) {}

  /// The body stays inside `needed` on its present stretch; its size [m].
  void cover(BodyIndex body, const Bounds& needed, double size, const contact::CellGrid& grid);
  /// The body has gone to another cell.
  void forget(BodyIndex body);
  /// All bodies that the body may touch on its present stretch and they on theirs.
  [[nodiscard]] const std::vector<BodyIndex>& of(BodyIndex body) const { return near_[body]; }

  /// What a run goes on from, into an archive or back (smooth_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  Indexed<BodyIndex, Bounds> covers_;
  Indexed<BodyIndex, char> known_;  ///< whether the body has a cover
  Indexed<BodyIndex, std::vector<BodyIndex>> near_;
};

}  // namespace carom::smooth
