/// Impulses of a crowded island by projected block Gauss–Seidel sweeps over its rows, which know two bodies each.
///
/// A row is a link between two bodies: what it sees of their velocities, and what a unit of impulse changes of them.
/// The sweeps go over velocities and never form R G⁻¹Rᵀ, so that one costs as much as there are contacts.

#include <algorithm>
#include <cmath>

#include "carom/base/activity.h"
#include "carom/engine/event/island.h"

namespace carom::event {

namespace {

/// Sweeps end when velocities change by less than this part of the fastest.
constexpr double kVelocityTolerance = 1e-8;
/// With friction as it is, with half of its changes, and altogether.
constexpr int kWholeSweeps = 150, kFrictionSweeps = 400, kMostSweeps = 1000;
constexpr int kConstraintSweeps = 3;

}  // namespace

/// With the impulses that push along these rows.
void IslandDynamics::copy_links(const std::vector<double>& pushing) {
  links_.resize(rows_.size());
  const auto n = static_cast<std::size_t>(n_);
  bool turns = false;  // the contact at hand changes its normal so much within the step that the middle tells nothing
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    Link& link = links_[r];
    link.slot = {row.slot_a, row.slot_b};
    const auto copy = [&](const std::vector<double>& along) {
      link.inertance = 0.0;
      double own = 0.0;
      for (std::size_t side = 0; side < 2; ++side) {
        if (link.slot[side] < 0) continue;
        const std::size_t first = 6 * static_cast<std::size_t>(link.slot[side]);
        for (std::size_t k = 0; k < 6; ++k) {
          const double mass = metric_[(first + k) * (n + 1)];
          double& entry = link.entry[6 * side + k];
          entry = matrix_[r * n + first + k];
          link.change[6 * side + k] = along[r * n + first + k] / mass;
          link.inertance += entry * link.change[6 * side + k];
          own += entry * entry / mass;
        }
      }
      return link.inertance >= 0.5 * own;
    };
    const bool follows = (!turns || row.normal || row.owner < 0) && copy(pushing);
    if (row.normal || row.owner < 0) turns = !follows;
    if (!follows) (void)copy(matrix_);
  }
}

/// Tangent rows that were taken with other tangents, those of an earlier place, as those of the present ones.
void IslandDynamics::turn_with(const std::vector<Vector3d>& tangents, std::vector<double>& matrix) const {
  const auto n = static_cast<std::size_t>(n_);
  for (std::size_t r = 0; r + 2 < rows_.size(); ++r) {
    if (rows_[r].owner < 0 || !rows_[r].normal || rows_[r + 1].normal || rows_[r + 1].owner != rows_[r].owner) continue;
    const std::size_t first = 2 * static_cast<std::size_t>(rows_[r].owner);
    for (std::size_t k = 0; k < n; ++k) {
      double& one = matrix[(r + 1) * n + k];
      double& other = matrix[(r + 2) * n + k];
      const double a = one, b = other;
      one = tangent_[first].dot(tangents[first]) * a + tangent_[first].dot(tangents[first + 1]) * b;
      other = tangent_[first + 1].dot(tangents[first]) * a + tangent_[first + 1].dot(tangents[first + 1]) * b;
    }
  }
}

double IslandDynamics::rate_along(const Link& link, const std::vector<double>& velocity) {
  double sum = 0.0;
  for (std::size_t side = 0; side < 2; ++side) {
    if (link.slot[side] < 0) continue;
    const double* v = velocity.data() + 6 * link.slot[side];
    for (std::size_t k = 0; k < 6; ++k) sum += link.entry[6 * side + k] * v[k];
  }
  return sum;
}

void IslandDynamics::push(const Link& link, double impulse, std::vector<double>& velocity) {
  for (std::size_t side = 0; side < 2; ++side) {
    if (link.slot[side] < 0) continue;
    double* v = velocity.data() + 6 * link.slot[side];
    for (std::size_t k = 0; k < 6; ++k) v[k] += impulse * link.change[6 * side + k];
  }
}

/// A contact's normal, or a bilateral row, is given the impulse that it needs while all others keep theirs. Returns how
/// much its rate changed.
double IslandDynamics::relax_normal(std::size_t r, std::vector<double>& velocity) {
  const Row& row = rows_[r];
  const double rate = rate_along(links_[r], velocity) + row.bias;
  const bool one_sided = row.owner >= 0 && !row.equation;
  const double wanted = impulse_[r] - rate / links_[r].inertance;
  const double change = (one_sided ? std::max(0.0, wanted) : wanted) - impulse_[r];
  impulse_[r] += change;
  if (change != 0.0) push(links_[r], change, velocity);
  return std::abs(change) * links_[r].inertance;
}

/// The same for the friction of a contact, of which a part is taken.
double IslandDynamics::relax_friction(const ActiveContact& active, std::size_t r, double part,
                                      std::vector<double>& velocity) {
  const double normal = impulse_[r];
  const double inertance = std::max(links_[r + 1].inertance, links_[r + 2].inertance);
  double target[2];
  for (const std::size_t k : {0u, 1u})
    target[k] = impulse_[r + 1 + k] - (rate_along(links_[r + 1 + k], velocity) + rows_[r + 1 + k].bias) / inertance;
  const PairRule& rule = active.contact.rule;
  if (rule.rough) {
    if (normal == 0.0) target[0] = target[1] = 0.0;
  } else {
    const double size = std::sqrt(target[0] * target[0] + target[1] * target[1]);
    const bool held = !active.begins && size <= rule.friction.static_friction * normal;
    const double limit = rule.friction.kinetic_friction * normal;
    if (!held && size > limit)
      for (double& each : target) each *= limit / size;
  }
  double largest = 0.0;
  for (const std::size_t k : {0u, 1u}) {
    const double step = part * (target[k] - impulse_[r + 1 + k]);
    if (step == 0.0) continue;
    impulse_[r + 1 + k] += step;
    push(links_[r + 1 + k], step, velocity);
    largest = std::max(largest, std::abs(step) * inertance);
  }
  return largest;
}

/// Constraints of single bodies hold to round-off, since impacts are posed on them. They stand before the contacts.
void IslandDynamics::hold_constraints(std::vector<double>& velocity) {
  for (int k = 0; k < kConstraintSweeps; ++k)
    for (std::size_t r = 0; r < rows_.size() && rows_[r].owner < 0; ++r) (void)relax_normal(r, velocity);
}

/// Friction makes the problem one that sweeps may go round in: where they do, it is taken in parts, and in the end it
/// stays as it is while the normals alone, a convex problem, leave nothing approaching.
void IslandDynamics::sweep(const Island& island, std::vector<double>& velocity, double tolerance) {
  for (int k = 0; k < kMostSweeps; ++k) {
    Activity::tick();
    const double part = k < kWholeSweeps ? 1.0 : (k < kFrictionSweeps ? 0.5 : 0.0);
    double largest = 0.0;
    // There and back: what a stack bears goes through it in one sweep.
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const std::size_t r = blocks_[k % 2 == 0 ? i : blocks_.size() - 1 - i];
      largest = std::max(largest, relax_normal(r, velocity));
      if (rows_[r].owner < 0 || part == 0.0) continue;
      const ActiveContact& active = island.contacts[static_cast<std::size_t>(rows_[r].owner)];
      if (active.mode != ContactMode::smooth) largest = std::max(largest, relax_friction(active, r, part, velocity));
    }
    if (largest <= tolerance) break;
  }
  hold_constraints(velocity);
}

void IslandDynamics::sweep_velocities(const Island& island, std::vector<double>& velocity) {
  sweep(island, velocity, kVelocityTolerance * island.fastest);
}

}  // namespace carom::event
