/// Impulses of a crowded island by projected block Gauss–Seidel sweeps over its rows, which know two bodies each.
///
/// A row is a link between two bodies: what it sees of their velocities, and what a unit of impulse changes of them.
/// The sweeps go over velocities and never form R G⁻¹Rᵀ, so that one costs as much as there are contacts.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "carom/base/activity.h"
#include "carom/contact/motion.h"
#include "carom/engine/event/island_dynamics.h"

namespace carom::event {

namespace {

/// Sweeps aim at velocities that change by less than this part of the fastest. Where contacts are redundant and their
/// gaps do not quite agree, what two points of an edge bear wanders from one to the other for ever: then this much is
/// enough, with which bodies overlap less within a step than they may.
constexpr double kVelocityTolerance = 1e-7, kRatesEnough = 1e-5;
constexpr IslandDynamics::Sweeps kSweeps[] = {{1.0, 20}, {0.5, 10}, {0.0, 300}};
/// Sweeps of the normals alone, and the slip that is none, as a part of the fastest.
constexpr IslandDynamics::Sweeps kNormalsAlone = {0.0, 60};
constexpr double kNothingSlips = 1e-10;
/// Rates that change by less than this part of the tolerance are left alone.
constexpr double kQuiet = 0.3;
/// Rounds in which one contact finds the direction of its slip, and the change of its impulses that ends them.
constexpr int kOwnRounds = 20;
constexpr double kOwnAccuracy = 1e-6;
/// The same by Newton's method: rounds, the part of the slip that may be left across, the most it turns by in a round
/// [rad], and the part of its inertance that sliding must leave to a contact.
constexpr int kAngleRounds = 12;
constexpr double kAngleAccuracy = 1e-9, kLargestTurn = 0.5, kLeastSliding = 1e-3;
/// A determinant below this is none.
constexpr double kSingular = 1e-300;
constexpr int kConstraintSweeps = 3;

}  // namespace

/// With the impulses that push along these rows.
void IslandDynamics::copy_links(const std::vector<Row>& pushing) {
  links_.resize(rows_.size());
  bool turns = false;  // the contact at hand changes its normal so much within the step that the middle tells nothing
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    Link& link = links_[r];
    link.slot = {row.slots[0], row.slots[1]};
    link.softness = 0.0;
    const auto copy = [&](const Row& along) {
      link.inertance = 0.0;
      double own = 0.0;
      for (std::size_t side = 0; side < 2; ++side) {
        if (link.slot[side] < 0) continue;
        const std::size_t first = 6 * static_cast<std::size_t>(link.slot[side]);
        for (std::size_t k = 0; k < 6; ++k) {
          const double entry = row.entry[6 * side + k], inverse = inverse_mass_[first + k];
          link.entry[6 * side + k] = entry;
          link.change[6 * side + k] = along.entry[6 * side + k] * inverse;
          link.inertance += entry * link.change[6 * side + k];
          own += entry * entry * inverse;
        }
      }
      return link.inertance >= 0.5 * own;
    };
    const bool follows = (!turns || row.normal || row.owner < 0) && copy(pushing[r]);
    if (row.normal || row.owner < 0) turns = !follows;
    if (!follows) (void)copy(row);
  }
}

/// Tangent rows that were taken with other tangents, those of an earlier place, as those of the present ones.
void IslandDynamics::turn_with(const std::vector<Vector3d>& tangents, std::vector<Row>& rows) const {
  for (std::size_t r = 0; r + 2 < rows_.size(); ++r) {
    if (rows_[r].owner < 0 || !rows_[r].normal || rows_[r + 1].normal || rows_[r + 1].owner != rows_[r].owner) continue;
    const std::size_t first = 2 * static_cast<std::size_t>(rows_[r].owner);
    for (std::size_t k = 0; k < rows[r].entry.size(); ++k) {
      double& one = rows[r + 1].entry[k];
      double& other = rows[r + 2].entry[k];
      const double a = one, b = other;
      one = tangent_[first].dot(tangents[first]) * a + tangent_[first].dot(tangents[first + 1]) * b;
      other = tangent_[first + 1].dot(tangents[first]) * a + tangent_[first + 1].dot(tangents[first + 1]) * b;
    }
  }
}

/// A contact's normal, or a bilateral row, is given the impulse that it needs while all others keep theirs. Returns how
/// much its rate changed.
double IslandDynamics::relax_normal(std::size_t r, std::vector<double>& velocity) {
  const Row& row = rows_[r];
  const Link& link = links_[r];
  const double rate = link.rate(velocity.data()) + row.bias + link.softness * impulse_[r];
  const bool one_sided = row.owner >= 0 && !row.equation;
  const double wanted = impulse_[r] - rate / (link.inertance + link.softness);
  const double change = (one_sided ? std::max(0.0, wanted) : wanted) - impulse_[r];
  impulse_[r] += change;
  if (change != 0.0) link.push(change, velocity.data());
  return std::abs(change) * link.inertance;
}

/// What the impulses of a contact with friction do to its own rates.
void IslandDynamics::take_own_rates() {
  own_.resize(blocks_.size());
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const std::size_t r = blocks_[i];
    if (rows_[r].owner < 0 || r + 2 >= rows_.size() || rows_[r + 1].owner != rows_[r].owner || rows_[r + 1].normal)
      continue;
    OwnRates& own = own_[i];
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column) {
        const Link& seen = links_[r + static_cast<std::size_t>(row)];
        const Link& pushed = links_[r + static_cast<std::size_t>(column)];
        double sum = 0.0;
        for (std::size_t side = 0; side < 2; ++side) {
          if (seen.slot[side] < 0) continue;
          for (std::size_t k = 6 * side; k < 6 * side + 6; ++k) sum += seen.entry[k] * pushed.change[k];
        }
        own.matrix(row, column) = sum;
      }
    bool invertible = false;
    own.matrix.computeInverseWithCheck(own.inverse, invertible, kSingular);
    if (!invertible) own.inverse.setZero();
    own.tangential = std::max(own.matrix(1, 1), own.matrix(2, 2)) + std::abs(own.matrix(1, 2));
  }
}

namespace {

/// Of one contact that slides: the impulses p(1, −μê) with which its rate is zero and its slip has the direction ê.
///
/// With M the matrix of its own rates the normal gives p = −γ/(Mₙₙ − μ Mₙₜê), and ê × s(p, ê) = 0 is an equation for
/// the angle of ê; Newton's method begins at the slip that is left, and turns ê by the angles that it finds. None where
/// it does not get there: several answers, or none, lie near each other then.
std::optional<Vector3d> sliding_impulse(const Eigen::Matrix3d& m, double friction, const Vector3d& free,
                                        const Eigen::Vector2d& slip) {
  const double size = std::sqrt(slip[0] * slip[0] + slip[1] * slip[1]);
  double c = size > 0.0 ? slip[0] / size : 1.0, s = size > 0.0 ? slip[1] / size : 0.0;
  double before = contact::kForever;
  for (int k = 0; k < kAngleRounds; ++k) {
    const double inertance = m(0, 0) - friction * (m(0, 1) * c + m(0, 2) * s);
    if (!(inertance > kLeastSliding * m(0, 0))) return std::nullopt;
    const double p = -free[0] / inertance;
    const Vector3d impulse(p, -friction * p * c, -friction * p * s);
    const double turned = -friction * (-m(0, 1) * s + m(0, 2) * c);  // of the inertance, per angle
    const double more = -p * turned / inertance;                     // of p
    const Vector3d change(more, -friction * (more * c - p * s), -friction * (more * s + p * c));
    const double x = free[1] + m.row(1).dot(impulse), y = free[2] + m.row(2).dot(impulse);
    const double along = c * x + s * y, across = c * y - s * x;
    if (std::abs(across) <= kAngleAccuracy * std::abs(along))
      return along > 0.0 ? std::optional(impulse) : std::nullopt;
    const double slope = -along + c * m.row(2).dot(change) - s * m.row(1).dot(change);
    if (slope == 0.0 || std::abs(across) > before) return std::nullopt;
    before = std::abs(across);
    // By the angle whose tangent of the half is t: turns are small in the end, and then it is the one wanted.
    const double t = 0.5 * std::clamp(-across / slope, -kLargestTurn, kLargestTurn);
    const double scale = 1.0 / (1.0 + t * t), cosine = (1.0 - t * t) * scale, sine = 2.0 * t * scale;
    const double turned_c = c * cosine - s * sine;
    s = s * cosine + c * sine;
    c = turned_c;
  }
  return std::nullopt;
}

/// Of one contact that does not slip, where sticking would have to pull: what is left of its slip when the friction
/// that stops it has ended the approach already, by a normal impulse of zero (the limit of large friction). With the
/// slip along ê at the end f = −λê, γ = γ₀ − λMₙₜê = 0 and s = s₀ − λMₜₜê ∥ ê. None where friction drives the bodies
/// together.
std::optional<Vector3d> opening_impulse(const Eigen::Matrix3d& m, const Vector3d& free) {
  Eigen::Vector2d direction = free.tail<2>().normalized();
  for (int k = 0; k < kAngleRounds; ++k) {
    const double opening = m.row(0).tail<2>().dot(direction);
    if (!(opening < 0.0)) return std::nullopt;
    const double lambda = free[0] / opening;
    const Eigen::Vector2d slip = free.tail<2>() - lambda * (m.bottomRightCorner<2, 2>() * direction);
    const double along = slip.dot(direction);
    if (!(along > 0.0)) return std::nullopt;
    const double across = direction[0] * slip[1] - direction[1] * slip[0];
    if (std::abs(across) <= kAngleAccuracy * along)
      return Vector3d(0.0, -lambda * direction[0], -lambda * direction[1]);
    direction = slip.normalized();
  }
  return std::nullopt;
}

}  // namespace

/// The impulses of one contact that its friction allows while all others keep theirs: it opens, sticks, or slides;
/// where Newton's method does not find the direction of that, fixed points approach it.
Vector3d IslandDynamics::own_impulse(const ActiveContact& active, const OwnRates& own, const Vector3d& impulse,
                                     const Vector3d& rate) const {
  const PairRule& rule = active.contact.rule;
  const Vector3d free = rate - own.matrix * impulse;
  Vector3d sticking = impulse - own.inverse * rate;
  const double friction = sticking.tail<2>().norm();
  const bool can_stick =
      rule.rough ||
      friction <= (active.begins ? rule.friction.kinetic_friction : rule.friction.static_friction) * sticking[0];
  if (sticking[0] > 0.0 && can_stick) return sticking;
  if (free[0] >= 0.0) return Vector3d::Zero();
  const std::optional<Vector3d> sliding =
      rule.rough ? opening_impulse(own.matrix, free)
                 : sliding_impulse(own.matrix, rule.friction.kinetic_friction, free, rate.tail<2>());
  if (sliding) return *sliding;
  Vector3d next = impulse;
  for (int k = 0; k < kOwnRounds; ++k) {
    const Vector3d before = next;
    next[0] = std::max(0.0, next[0] - (free + own.matrix * next)[0] / own.matrix(0, 0));
    const Vector3d now = free + own.matrix * next;
    for (const int t : {1, 2}) next[t] -= now[t] / own.tangential;
    const double size = next.tail<2>().norm();
    const double limit = rule.rough ? (next[0] > 0.0 ? size : 0.0) : rule.friction.kinetic_friction * next[0];
    if (size > limit) next.tail<2>() *= limit / size;
    if ((next - before).cwiseAbs().maxCoeff() <= kOwnAccuracy * next.cwiseAbs().maxCoeff()) break;
  }
  return next;
}

/// A contact with friction is given a part of the change of its impulses that it needs while all others keep theirs.
double IslandDynamics::relax_contact(const ActiveContact& active, std::size_t block, double part,
                                     std::vector<double>& velocity) {
  const std::size_t r = blocks_[block];
  const OwnRates& own = own_[block];
  Vector3d rate, impulse;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    rate[i] = links_[r + k].rate(velocity.data()) + rows_[r + k].bias;
    impulse[i] = impulse_[r + k];
  }
  const Vector3d change = part * (own_impulse(active, own, impulse, rate) - impulse);
  double largest = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double step = change[static_cast<Eigen::Index>(k)];
    if (step == 0.0) continue;
    impulse_[r + k] += step;
    links_[r + k].push(step, velocity.data());
    largest = std::max(largest, std::abs(step) * links_[r + k].inertance);
  }
  return largest;
}

/// Constraints of single bodies hold to round-off, since impacts are posed on them. They stand before the contacts.
void IslandDynamics::hold_constraints(std::vector<double>& velocity) {
  for (int k = 0; k < kConstraintSweeps; ++k)
    for (std::size_t r = 0; r < rows_.size() && rows_[r].owner < 0; ++r) (void)relax_normal(r, velocity);
}

/// A block is given the impulses that it needs, or a part of the change with friction. Returns how much its rates
/// changed.
double IslandDynamics::relax(const Island& island, std::size_t block, double part, std::vector<double>& velocity) {
  const std::size_t r = blocks_[block];
  if (rows_[r].owner < 0 || part == 0.0) return relax_normal(r, velocity);
  const ActiveContact& active = island.contacts[static_cast<std::size_t>(rows_[r].owner)];
  return active.mode == ContactMode::smooth ? relax_normal(r, velocity) : relax_contact(active, block, part, velocity);
}

/// One sweep over the chosen blocks, there or back, that takes a part of the friction. Returns how much rates changed;
/// `changes_` is the same for each of them.
double IslandDynamics::sweep_once(const Island& island, double part, bool back, std::vector<double>& velocity) {
  double largest = 0.0;
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const std::size_t block = chosen_[back ? chosen_.size() - 1 - i : i];
    changes_[block] = relax(island, block, part, velocity);
    largest = std::max(largest, changes_[block]);
  }
  return largest;
}

/// The blocks whose rates have changed by more than a little, and all that act on the same bodies.
void IslandDynamics::choose_unquiet(double quiet) {
  unquiet_bodies_.assign(static_cast<std::size_t>(n_) / 6, 0);
  const auto any_body = [&](std::size_t block, const auto& visit) {
    for (const int slot : links_[blocks_[block]].slot)
      if (slot >= 0 && visit(unquiet_bodies_[static_cast<std::size_t>(slot)])) return true;
    return false;
  };
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    if (changes_[i] > quiet) any_body(i, [](char& unquiet) { return !(unquiet = 1); });
  chosen_.clear();
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    if (any_body(i, [](char unquiet) { return unquiet != 0; })) chosen_.push_back(i);
}

/// Sweeps there and back over the chosen blocks (what a stack bears goes through it in one) are a map of their
/// impulses, which is extrapolated. Leaves the best impulses. Returns how much their rates change there; `left` sweeps
/// become fewer.
double IslandDynamics::sweep_chosen(const Island& island, const Sweeps& sweeps, int& left,
                                    std::vector<double>& velocity, double tolerance) {
  chosen_rows_.clear();
  for (const std::size_t block : chosen_) {
    const std::size_t first = blocks_[block];
    const std::size_t end = block + 1 < blocks_.size() ? blocks_[block + 1] : rows_.size();
    for (std::size_t r = first; r < end; ++r) chosen_rows_.push_back(r);
  }
  double largest = 0.0, least = contact::kForever;
  const int most = left;
  std::vector<double>& trial = trial_impulse_;
  const auto take = [&](const std::vector<double>& impulses) {
    for (std::size_t k = 0; k < chosen_rows_.size(); ++k) {
      const std::size_t r = chosen_rows_[k];
      const double change = impulses[k] - impulse_[r];
      if (change != 0.0) links_[r].push(change, velocity.data());
      impulse_[r] = impulses[k];
    }
  };
  const auto read = [&](std::vector<double>& impulses) {
    impulses.resize(chosen_rows_.size());
    for (std::size_t k = 0; k < chosen_rows_.size(); ++k) impulses[k] = impulse_[chosen_rows_[k]];
  };
  const auto there_and_back = [&](double*) {
    --left;
    take(trial);
    (void)sweep_once(island, sweeps.friction, false, velocity);
    largest = sweep_once(island, sweeps.friction, true, velocity);
    read(trial);
    if (largest < least) best_impulse_ = trial;
    least = std::min(least, largest);
    return largest;
  };
  read(trial);
  best_impulse_ = trial;
  (void)extrapolated_.run(
      there_and_back, [&](const double*) { return largest; }, tolerance, most, trial, sweeps.patience);
  take(best_impulse_);
  return least;
}

/// Where most bodies of an island hardly move and a few do, sweeps go over these alone; one over all shows whether they
/// concern others. Returns how much rates change in the end.
double IslandDynamics::sweep_until(const Island& island, const Sweeps& sweeps, std::vector<double>& velocity,
                                   double tolerance) {
  changes_.resize(blocks_.size());
  double change = contact::kForever;
  for (int left = sweeps.most; left > 0; --left) {
    chosen_.resize(blocks_.size());
    std::iota(chosen_.begin(), chosen_.end(), std::size_t{0});
    (void)sweep_once(island, sweeps.friction, false, velocity);
    change = sweep_once(island, sweeps.friction, true, velocity);
    if (change <= tolerance) break;
    choose_unquiet(kQuiet * tolerance);
    change = sweep_chosen(island, sweeps, left, velocity, kQuiet * tolerance);
  }
  return change;
}

/// Whether the normals alone leave nothing approaching and nothing slipping, where friction has not acted yet: then it
/// has nothing to do, and what is symmetric stays so.
bool IslandDynamics::swept_without_slip(const Island& island, std::vector<double>& velocity) {
  const auto any_resisting = [&](const auto& counts) {
    return std::any_of(blocks_.begin(), blocks_.end(), [&](std::size_t r) {
      return rows_[r].owner >= 0 &&
             island.contacts[static_cast<std::size_t>(rows_[r].owner)].mode != ContactMode::smooth && counts(r);
    });
  };
  const bool has_friction = any_resisting([](std::size_t) { return true; });
  const bool acts = any_resisting([&](std::size_t r) { return impulse_[r + 1] != 0.0 || impulse_[r + 2] != 0.0; });
  if (!has_friction || acts) return false;
  const double none = kNothingSlips * island.fastest;
  const auto slip = [&](std::size_t r) { return std::abs(links_[r].rate(velocity.data()) + rows_[r].bias); };
  return sweep_until(island, kNormalsAlone, velocity, none) <= none &&
         !any_resisting([&](std::size_t r) { return slip(r + 1) > none || slip(r + 2) > none; });
}

/// Friction makes the problem one that sweeps may go round in: where they do, it is taken in parts, and in the end it
/// stays as it is while the normals alone, a convex problem, leave nothing approaching.
void IslandDynamics::sweep_velocities(const Island& island, std::vector<double>& velocity) {
  if (swept_without_slip(island, velocity)) {
    hold_constraints(velocity);
    return;
  }
  take_own_rates();
  const double enough = kRatesEnough * island.fastest;
  double tolerance = kVelocityTolerance * island.fastest;
  for (const Sweeps& sweeps : kSweeps) {
    if (sweep_until(island, sweeps, velocity, tolerance) <= enough) break;
    tolerance = enough;
  }
  hold_constraints(velocity);
}

}  // namespace carom::event
