#pragma once
/// Who is near whom: a grid of cubic cells over the centres of the bodies.
///
/// A body belongs to a cell as long as its centre is inside that cell enlarged by a quarter of its side, so that it
/// does not change cells to and fro. Two bodies that touch are then in neighbouring cells if the side is at least twice
/// the largest distance of touching centres. Cells are numbered modulo a power of two along each axis: bodies of far
/// cells may share a bucket, which costs a look and nothing else, and space has no border. With few bodies there is one
/// cell for all.

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include "carom/base/archive.h"
#include "carom/contact/motion.h"
#include "carom/mechanics/indices.h"

namespace carom::contact {

using Cell = std::array<std::int32_t, 3>;

class CellGrid {
 public:
  /// For bodies with these bounding radii at these places.
  CellGrid(const std::vector<double>& radii, const std::vector<Vector3d>& positions);

  /// One cell for all: nothing ever crosses.
  [[nodiscard]] bool single() const { return side_ == 0.0; }

  void insert(BodyIndex body, const Vector3d& position);
  /// Moves a body to the cell of this position; returns the cell that it left.
  Cell move(BodyIndex body, const Vector3d& position);
  [[nodiscard]] const Cell& cell(BodyIndex body) const { return cell_[body]; }
  /// Whether the centre is still inside its enlarged cell.
  [[nodiscard]] bool inside(BodyIndex body, const Vector3d& position) const;
  /// The first time after `from` at which the centre may leave its enlarged cell; exact for closed-form motion, early
  /// otherwise.
  [[nodiscard]] double exit_time(BodyIndex body, const Motion& motion, double from) const;

  /// What a run goes on from, into an archive or back.
  void transfer(Archive& archive);

  /// Calls visit(other) for every other body of the 27 cells around `body`, in a fixed order.
  template <class Visit>
  void neighbours(BodyIndex body, const Visit& visit) const {
    if (single()) {
      for (const BodyIndex other : cell_.indices())
        if (other != body) visit(other);
      return;
    }
    const Cell& c = cell_[body];
    for_block(c, [&](const Cell& cell) {
      for (BodyIndex other = head(cell); other >= 0; other = next_[other])
        if (other != body) visit(other);
    });
  }

  /// The same for the cells around `body` that were not around `left`.
  template <class Visit>
  void new_neighbours(BodyIndex body, const Cell& left, const Visit& visit) const {
    const Cell& c = cell_[body];
    for_block(c, [&](const Cell& cell) {
      bool known = true;
      for (std::size_t k = 0; k < 3; ++k) known = known && std::abs(cell[k] - left[k]) <= 1;
      if (known) return;
      for (BodyIndex other = head(cell); other >= 0; other = next_[other])
        if (other != body) visit(other);
    });
  }

 private:
  template <class Visit>
  static void for_block(const Cell& c, const Visit& visit) {
    for (std::int32_t x = c[0] - 1; x <= c[0] + 1; ++x)
      for (std::int32_t y = c[1] - 1; y <= c[1] + 1; ++y)
        for (std::int32_t z = c[2] - 1; z <= c[2] + 1; ++z) visit(Cell{x, y, z});
  }
  [[nodiscard]] Cell cell_of(const Vector3d& position) const;
  [[nodiscard]] std::size_t bucket(const Cell& cell) const {
    return static_cast<std::size_t>((cell[0] & mask_[0]) | ((cell[1] & mask_[1]) << shift_[0]) |
                                    ((cell[2] & mask_[2]) << shift_[1]));
  }
  [[nodiscard]] BodyIndex head(const Cell& cell) const { return head_[bucket(cell)]; }
  void link(BodyIndex body, const Cell& cell);
  void unlink(BodyIndex body);

  double side_ = 0.0;
  Indexed<BodyIndex, Cell> cell_;
  Indexed<BodyIndex, BodyIndex> next_, previous_;
  std::array<std::int32_t, 3> mask_{};   // cells along each axis less one
  std::array<std::int32_t, 2> shift_{};  // bits of the first axis, and of the first two
  std::vector<BodyIndex> head_;          // first body of each bucket
};

}  // namespace carom::contact
