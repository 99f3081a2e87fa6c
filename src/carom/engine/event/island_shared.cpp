/// Forces in joints that are not unique because contacts are redundant: a bar on a hinge that lies on two supports.
///
/// Contacts push with λ along columns C of loads on the bodies. Joints answer with κ, so that W C λ moves the bodies.
/// Where W C δ = 0 for some δ ≠ 0 the motion is the same with λ + δ, and the joints bear κ + δκ, which is other forces
/// where δκ ≠ 0. Contacts that push with nothing can only push more.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/engine/event/island_held.h"

namespace carom::event {

namespace {

/// A push that is so near to the span of others, relative to its length without joints, depends on them.
constexpr double kSharedPush = 1e-7;
/// Parts of dependencies, and forces in joints relative to the largest of unit pushes, below this are none.
constexpr double kSharedPart = 1e-6;

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Takes from a row what it has of others, orthonormal, and says how much that is of each.
std::vector<double> take_parts(std::vector<double>& row, const std::vector<std::vector<double>>& others) {
  std::vector<double> parts(others.size(), 0.0);
  for (int round = 0; round < 2; ++round) {
    for (std::size_t k = 0; k < others.size(); ++k) {
      const double part = product(row, others[k]);
      parts[k] += part;
      for (std::size_t i = 0; i < row.size(); ++i) row[i] -= part * others[k][i];
    }
  }
  return parts;
}

/// Whether pushes that push with nothing could all push with more, in one of the two directions of a dependency.
bool is_possible(const std::vector<double>& dependency, const std::vector<HeldIsland::ContactPush>& pushes) {
  bool up = true, down = true;
  for (std::size_t k = 0; k < dependency.size(); ++k) {
    if (!pushes[k].idle) continue;
    up = up && dependency[k] >= -kSharedPart;
    down = down && dependency[k] <= kSharedPart;
  }
  return up || down;
}

}  // namespace

std::vector<double> HeldIsland::left_of(const ContactPush& push) {
  system_.clear_forces();
  const auto in_metric = [this] {
    std::vector<double> left;
    for (std::size_t slot = 0; slot < bodies_.size(); ++slot) {
      const HeldInertia& inertia = system_.bodies[slot];
      for (int k = 0; k < 3; ++k) left.push_back(twists_[slot].linear[k] / std::sqrt(inertia.inverse_mass));
      for (int k = 0; k < 3; ++k) left.push_back(twists_[slot].angular[k] / std::sqrt(inertia.inverse_moments[k]));
    }
    return left;
  };
  for (std::size_t slot = 0; slot < bodies_.size(); ++slot) {
    const HeldInertia& inertia = system_.bodies[slot];
    const double* const load = push.load.data() + 6 * slot;
    twists_[slot].linear = inertia.inverse_mass * Eigen::Map<const Eigen::Vector3d>(load);
    twists_[slot].angular = inertia.inverse_moments.cwiseProduct(Eigen::Map<const Eigen::Vector3d>(load + 3));
  }
  const std::vector<double> whole = in_metric();
  const double length = std::sqrt(product(whole, whole));
  if (!(length > 0.0)) return {};
  for (Twist& twist : twists_) twist = {twist.linear / length, twist.angular / length};
  for (int k = 0; k < 2; ++k) system_.correct(twists_, nullptr);
  return in_metric();
}

void HeldIsland::mark_shared_with(const std::vector<ContactPush>& pushes, Indexed<JointIndex, JointLoad>& loads) {
  std::vector<std::vector<double>> basis, makes;                // orthonormal rows, and of which pushes each is made
  std::vector<std::vector<double>> joint_forces, dependencies;  // of each push, and of pushes
  double largest = 0.0;                                         // of these forces
  for (std::size_t push = 0; push < pushes.size(); ++push) {
    std::vector<double> left = left_of(pushes[push]), made(pushes.size(), 0.0);
    std::vector<double>& forces = joint_forces.emplace_back();
    for (std::size_t block = 0; block < held_.size(); ++block) {
      const Twist load = system_.load_on_first(static_cast<int>(block));
      forces.insert(forces.end(), {load.linear.x(), load.linear.y(), load.linear.z()});
      forces.insert(forces.end(), {load.angular.x(), load.angular.y(), load.angular.z()});
    }
    for (const double force : forces) largest = std::max(largest, std::abs(force));
    // Friction along a way that joints do not leave is none.
    if (!(product(left, left) > kSharedPush * kSharedPush)) continue;
    const std::vector<double> parts = take_parts(left, basis);
    made[push] = 1.0;
    for (std::size_t k = 0; k < basis.size(); ++k)
      for (std::size_t i = 0; i < made.size(); ++i) made[i] -= parts[k] * makes[k][i];
    const double length = std::sqrt(product(left, left));
    if (length > kSharedPush) {
      for (double& value : left) value /= length;
      for (double& value : made) value /= length;
      basis.push_back(std::move(left));
      makes.push_back(std::move(made));
    } else {
      dependencies.push_back(std::move(made));
    }
  }
  for (const std::vector<double>& dependency : dependencies) {
    if (!is_possible(dependency, pushes)) continue;
    std::vector<double> change(6 * held_.size(), 0.0);
    for (std::size_t push = 0; push < pushes.size(); ++push)
      for (std::size_t i = 0; i < change.size(); ++i) change[i] += dependency[push] * joint_forces[push][i];
    for (std::size_t block = 0; block < held_.size(); ++block)
      for (std::size_t i = 6 * block; i < 6 * block + 6; ++i)
        if (std::abs(change[i]) > kSharedPart * largest) loads[held_[block].joint].unique = false;
  }
}

}  // namespace carom::event
