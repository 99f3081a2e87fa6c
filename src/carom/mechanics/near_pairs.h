#pragma once
/// The pairs of balls that may overlap, among very many of very different sizes.
///
/// Balls whose radii lie between two powers of two share a grid of cells as wide as the larger diameter. A ball meets
/// those of its own size and of larger ones in the 27 cells about it, so every pair is found from its smaller ball, at
/// a cost that is linear in the number of balls at a given density.

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace carom {

class NearPairs {
 public:
  /// Centres and radii [m] of the balls; a radius may be infinite.
  NearPairs(std::span<const Eigen::Vector3d> centres, std::span<const double> radii);

  /// Calls `visit(i, j)`, i < j, once for each pair whose balls touch or overlap, until it returns false.
  void visit(const std::function<bool(int, int)>& visit) const;

 private:
  /// Balls of about one size.
  struct Level {
    double edge = 0.0;  ///< of a cell
    std::unordered_map<std::uint64_t, std::vector<int>> cells;
  };

  [[nodiscard]] bool overlap(int i, int j) const;
  /// Those of a level that overlap ball i; `from_smaller`: whether i is of a lower level.
  bool visit_level(const Level& level, int i, bool from_smaller, const std::function<bool(int, int)>& visit) const;

  std::span<const Eigen::Vector3d> centres_;
  std::span<const double> radii_;
  std::vector<Level> levels_;   ///< ascending in size
  std::vector<int> level_of_;   ///< of each ball; that of one without bounds is not a level
  std::vector<int> boundless_;  ///< balls with an infinite radius
};

}  // namespace carom
