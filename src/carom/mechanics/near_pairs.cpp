#include "carom/mechanics/near_pairs.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace carom {

namespace {

/// A cell by its three numbers. Two cells with one key only make some more pairs that are looked at.
std::uint64_t cell_key(std::int64_t x, std::int64_t y, std::int64_t z) {
  const auto mixed = [](std::int64_t k) { return static_cast<std::uint64_t>(k) & 0x1fffffU; };
  return (mixed(x) << 42U) | (mixed(y) << 21U) | mixed(z);
}

std::int64_t cell_of(double coordinate, double edge) {
  constexpr double kFar = 9e15;  // beyond it cells have no numbers of their own
  return static_cast<std::int64_t>(std::clamp(std::floor(coordinate / edge), -kFar, kFar));
}

}  // namespace

NearPairs::NearPairs(std::span<const Eigen::Vector3d> centres, std::span<const double> radii)
    : centres_(centres), radii_(radii), level_of_(radii.size(), -1) {
  std::map<int, int> levels;  // by the power of two
  const auto power_of = [](double radius) { return radius > 0.0 ? std::ilogb(radius) : -1022; };
  for (const double radius : radii)
    if (std::isfinite(radius)) levels[power_of(radius)] = 0;
  for (auto& [power, number] : levels) {
    number = static_cast<int>(levels_.size());
    levels_.emplace_back().edge = std::ldexp(1.0, power + 2);
  }
  for (std::size_t i = 0; i < radii.size(); ++i) {
    if (!std::isfinite(radii[i])) {
      boundless_.push_back(static_cast<int>(i));
      continue;
    }
    level_of_[i] = levels[power_of(radii[i])];
    Level& level = levels_[static_cast<std::size_t>(level_of_[i])];
    const Eigen::Vector3d& at = centres[i];
    level.cells[cell_key(cell_of(at.x(), level.edge), cell_of(at.y(), level.edge), cell_of(at.z(), level.edge))]
        .push_back(static_cast<int>(i));
  }
}

bool NearPairs::overlap(int i, int j) const {
  const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
  const double reach = radii_[a] + radii_[b];
  return !std::isfinite(reach) || (centres_[a] - centres_[b]).squaredNorm() <= reach * reach;
}

bool NearPairs::visit_level(const Level& level, int i, bool from_smaller,
                            const std::function<bool(int, int)>& visit) const {
  const Eigen::Vector3d& at = centres_[static_cast<std::size_t>(i)];
  const std::int64_t x = cell_of(at.x(), level.edge), y = cell_of(at.y(), level.edge), z = cell_of(at.z(), level.edge);
  for (std::int64_t dx = -1; dx <= 1; ++dx)
    for (std::int64_t dy = -1; dy <= 1; ++dy)
      for (std::int64_t dz = -1; dz <= 1; ++dz) {
        const auto found = level.cells.find(cell_key(x + dx, y + dy, z + dz));
        if (found == level.cells.end()) continue;
        for (const int j : found->second)
          if ((from_smaller || j > i) && overlap(i, j) && !visit(std::min(i, j), std::max(i, j))) return false;
      }
  return true;
}

void NearPairs::visit(const std::function<bool(int, int)>& visit) const {
  const auto count = static_cast<int>(radii_.size());
  for (const int i : boundless_)
    for (int j = 0; j < count; ++j) {
      const bool other_boundless = level_of_[static_cast<std::size_t>(j)] < 0;
      if (j != i && (!other_boundless || j > i) && !visit(std::min(i, j), std::max(i, j))) return;
    }
  for (int i = 0; i < count; ++i) {
    const int own = level_of_[static_cast<std::size_t>(i)];
    if (own < 0) continue;
    for (auto k = static_cast<std::size_t>(own); k < levels_.size(); ++k)
      if (!visit_level(levels_[k], i, static_cast<int>(k) > own, visit)) return;
  }
}

}  // namespace carom
