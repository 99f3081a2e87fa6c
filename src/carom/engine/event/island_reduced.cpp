/// Contacts of a mechanism of many joints, whose rows are eliminated first (joint_elimination.h).

#include <algorithm>
#include <cmath>

#include "carom/engine/event/island_dynamics.h"

namespace carom::event {

namespace {

/// From so many rows on: the rank-revealing way of all rows together, which is exact near singular positions too, costs
/// their cube.
constexpr std::size_t kManyJointRows = 100;
/// A row of which joints leave less than this, squared, is one that they fix.
constexpr double kFixedByJoints = 1e-14;

}  // namespace

bool IslandDynamics::eliminates_joints(const Island& island) const {
  return !island.joints.empty() && !island.rolls && persistent_row_count() > kManyJointRows;
}

/// The accelerations without contacts.
void IslandDynamics::hold_joints() {
  elimination_.factor(rows_, inverse_mass_);
  held_acceleration_.resize(force_.size());
  for (std::size_t k = 0; k < force_.size(); ++k) held_acceleration_[k] = force_[k] * inverse_mass_[k];
  elimination_.hold(held_acceleration_);
  held_force_.resize(force_.size());
  for (std::size_t k = 0; k < force_.size(); ++k) held_force_[k] = held_acceleration_[k] * mass_[k];
}

/// Writes r' = r W G and returns by how much (r − r')·a_h its bias is another: r·a = r'·a + (r − r')·a_h for all
/// accelerations a that the joints allow.
double IslandDynamics::take_left_row(const Row& row, double* entries) {
  const auto n = static_cast<std::size_t>(n_);
  std::fill_n(entries, n, 0.0);
  row.add_to(entries, 1.0);
  const double whole = row.square(inverse_mass_.data()), rate = row.along(held_acceleration_);
  for (std::size_t k = 0; k < n; ++k) entries[k] *= inverse_mass_[k];
  elimination_.project(entries);
  double left = 0.0, rate_left = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    left += entries[k] * entries[k] * mass_[k];
    entries[k] *= mass_[k];
  }
  if (!(left > kFixedByJoints * whole)) std::fill_n(entries, n, 0.0);
  for (std::size_t k = 0; k < n; ++k) rate_left += entries[k] * held_acceleration_[k];
  return rate - rate_left;
}

/// The forces of the joints' rows, from the accelerations of free bodies under all other forces.
void IslandDynamics::take_joint_forces(std::vector<double>& pushed, std::vector<double>& forces) {
  elimination_.hold(pushed);
  std::size_t next = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r)
    if (!rows_[r].touching) forces[r] = elimination_.forces()[next++];
}

}  // namespace carom::event
