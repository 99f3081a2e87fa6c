#pragma once
/// Which bodies may come near each other for a while: those whose covers overlap.
///
/// The cover of a body is a box that it does not leave, wider than what it needs for its present stretch. Only when a
/// body needs another cover, or goes to another cell, its neighbours are looked for among those of the cells around it
/// (contact/cell_grid.h); on all shorter steps until then it has the same few. Of two bodies that touch each stands in
/// the list of the other: they are in neighbouring cells, and inside their covers.

#include <array>
#include <cstdint>
#include <vector>

#include "carom/base/archive.h"
#include "carom/base/prefetch.h"
#include "carom/contact/cell_grid.h"
#include "carom/engine/smooth/paths.h"

namespace carom::smooth {

/// A few bodies, in one line of the cache; of more than a few the memory is elsewhere.
class alignas(64) NearList {
 public:
  [[nodiscard]] const BodyIndex* begin() const { return more_.empty() ? few_.data() : more_.data(); }
  [[nodiscard]] const BodyIndex* end() const { return begin() + size(); }
  [[nodiscard]] std::size_t size() const { return more_.empty() ? static_cast<std::size_t>(count_) : more_.size(); }
  void add(BodyIndex body);
  /// One that is in it; the last one takes its place.
  void remove(BodyIndex body);
  void clear();
  void transfer(Archive& archive);

 private:
  std::array<BodyIndex, 9> few_;
  std::int32_t count_ = 0;
  std::vector<BodyIndex> more_;  ///< all of them, where they are too many
};

class NearPairs {
 public:
  explicit NearPairs(std::size_t bodies) : covers_(bodies, nowhere()), near_(bodies) {}

  /// The body stays inside `needed` on its present stretch; its size [m].
  void cover(BodyIndex body, const Bounds& needed, double size, const contact::CellGrid& grid);
  /// The body has gone to another cell.
  void forget(BodyIndex body);
  /// All bodies that the body may touch on its present stretch and they on theirs.
  [[nodiscard]] const NearList& of(BodyIndex body) const { return near_[body]; }
  /// Asks for the memory of these.
  void prefetch(BodyIndex body) const {
    carom::prefetch(&near_[body], sizeof(NearList));
    carom::prefetch(&covers_[body], sizeof(Bounds));
  }

  /// What a run goes on from, into an archive or back (smooth_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  /// Of a body without a cover: apart from everything, and holds nothing.
  static Bounds nowhere();

  Indexed<BodyIndex, Bounds> covers_;
  Indexed<BodyIndex, NearList> near_;
};

}  // namespace carom::smooth
