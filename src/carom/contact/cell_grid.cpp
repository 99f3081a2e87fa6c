#include "carom/contact/cell_grid.h"

#include <algorithm>
#include <cmath>

namespace carom::contact {

namespace {
/// Up to so many bodies every pair is looked at.
constexpr std::size_t kFewBodies = 32;
/// Part of a cell's side that a centre may be outside of its cell.
constexpr double kMargin = 0.15;
/// At least 2^kFewestBits cells along an axis.
constexpr std::int32_t kFewestBits = 2;
/// Cells of coordinates beyond this are not told apart.
constexpr double kFarthestCell = 1e9;

/// Least τ ≥ 0 at which |x| moved by vτ + ½aτ² reaches a wall at distance `remaining` ahead; infinite where never.
double reach_time(double remaining, double v, double a) {
  const double disc = v * v + 2.0 * a * remaining;
  if (v > 0.0) return disc < 0.0 ? kForever : 2.0 * remaining / (v + std::sqrt(disc));
  if (a <= 0.0) return kForever;
  return (-v + std::sqrt(std::max(disc, 0.0))) / a;
}
}  // namespace

CellGrid::CellGrid(const std::vector<double>& radii, const std::vector<Vector3d>& positions)
    : cell_(radii.size(), Cell{0, 0, 0}), next_(radii.size(), -1), previous_(radii.size(), -1) {
  if (radii.size() <= kFewBodies) return;
  const double largest = *std::max_element(radii.begin(), radii.end());
  if (!std::isfinite(largest)) return;  // it is near to everybody
  Vector3d low = positions[0], high = positions[0];
  for (const Vector3d& x : positions) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  const Vector3d extent = (high - low).cwiseMax(2.0 * largest);
  const double spacing = std::cbrt(extent.prod() / static_cast<double>(radii.size()));
  // Centres in cells that are not neighbours are at least (1 − 2 kMargin) sides apart. More cells than bodies: looking
  // at an empty one costs less than looking at a body.
  const double least = 2.0 * largest / (1.0 - 2.0 * kMargin);
  side_ = std::max(1.001 * least, std::isfinite(spacing) ? 0.6 * spacing : 0.0);
  std::array<std::int32_t, 3> bits{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double cells = std::min(std::ceil(extent[static_cast<int>(k)] / side_) + 2.0, 64.0);
    bits[k] = kFewestBits;  // the three neighbours along an axis must be in different buckets
    while (static_cast<double>(1 << bits[k]) < cells) ++bits[k];
    mask_[k] = (1 << bits[k]) - 1;
  }
  shift_ = {bits[0], bits[0] + bits[1]};
  head_.assign(std::size_t{1} << (bits[0] + bits[1] + bits[2]), -1);
}

Cell CellGrid::cell_of(const Vector3d& position) const {
  Cell cell{0, 0, 0};
  if (single()) return cell;
  for (int k = 0; k < 3; ++k) {
    const double scaled = std::clamp(std::floor(position[k] / side_), -kFarthestCell, kFarthestCell);
    cell[static_cast<std::size_t>(k)] = static_cast<std::int32_t>(scaled);
  }
  return cell;
}

void CellGrid::link(BodyIndex body, const Cell& cell) {
  cell_[body] = cell;
  if (single()) return;
  BodyIndex& first = head_[bucket(cell)];
  previous_[body] = -1;
  next_[body] = first;
  if (first >= 0) previous_[first] = body;
  first = body;
}

void CellGrid::unlink(BodyIndex body) {
  if (previous_[body] >= 0) {
    next_[previous_[body]] = next_[body];
  } else {
    head_[bucket(cell_[body])] = next_[body];
  }
  if (next_[body] >= 0) previous_[next_[body]] = previous_[body];
}

void CellGrid::insert(BodyIndex body, const Vector3d& position) {
  link(body, cell_of(position));
}

Cell CellGrid::move(BodyIndex body, const Vector3d& position) {
  const Cell left = cell_[body];
  const Cell entered = cell_of(position);
  if (single() || left == entered) return left;
  unlink(body);
  link(body, entered);
  return left;
}

bool CellGrid::inside(BodyIndex body, const Vector3d& position) const {
  if (single()) return true;
  const Cell& cell = cell_[body];
  for (int k = 0; k < 3; ++k) {
    const double low = (cell[static_cast<std::size_t>(k)] - kMargin) * side_;
    if (position[k] < low || position[k] > low + (1.0 + 2.0 * kMargin) * side_) return false;
  }
  return true;
}

double CellGrid::exit_time(BodyIndex body, const Motion& motion, double from) const {
  if (single()) return kForever;
  const Cell& cell = cell_[body];
  const double tau = motion.since(from);
  const Vector3d position = motion.position_after(tau);
  const Vector3d velocity = motion.velocity_after(tau);
  double first = kForever;
  for (int k = 0; k < 3; ++k) {
    const double low = (cell[static_cast<std::size_t>(k)] - kMargin) * side_;
    const double high = low + (1.0 + 2.0 * kMargin) * side_;
    const double v = velocity[k];
    const double a = motion.acceleration[k];
    const double spread = motion.acceleration_spread;
    first = std::min(first, reach_time(std::max(high - position[k], 0.0), v, a + spread));
    first = std::min(first, reach_time(std::max(position[k] - low, 0.0), -v, -a + spread));
  }
  return from + first;
}

void CellGrid::transfer(Archive& archive) {
  auto& [side, cell, next, previous, mask, shift, head] = *this;
  archive(side, cell, next, previous, mask, shift, head);
}

}  // namespace carom::contact
