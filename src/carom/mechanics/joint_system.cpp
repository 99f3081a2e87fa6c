#include "carom/mechanics/joint_system.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "carom/base/assert.h"
#include "carom/numerics/row_space.h"

namespace carom {

namespace {

/// Rows of which less than this is left beside the others, squared, depend on them, as far as elimination can tell.
constexpr double kDependent = 1e-9;
/// Where more than this is left of each row, squared, none depends on others.
constexpr double kClear = 1e-6;
/// Where more than this is left a position is not near a singular one, and pivots are enough.
constexpr double kFarFromSingular = 1e-2;
/// Distances of unit rows from the span of others: one that depends on them; the same where rows are still to be put
/// right, by up to 1e-6.
constexpr double kDependentRow = 1e-8, kDependentAtStart = 1e-5;
/// The same in a singular position. Nearer round-off makes accelerations so uncertain that steps of small tolerances
/// crawl.
constexpr double kSingular = 3e-5;
/// It is decided anew which rows to keep where so much less is left of one of them.
constexpr double kMuchLess = 1e-2;
/// Up to so many rows distances are found, in a time that is the cube of their number.
constexpr int kMostDistances = 400;
/// Up to so many rows the volume that all of them span is found.
constexpr int kMostVolumes = 120;
/// Sets of forces that do nothing have none in rows of which they have less than this part.
constexpr double kShared = 1e-9;

constexpr int kMost = JointSystem::kMostRows;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

}  // namespace

void JointSystem::clear(int count) {
  blocks_.clear();
  sides_.clear();
  body_count_ = count;
  row_count_ = 0;
  bodies.resize(at(count));
}

void JointSystem::add_block(const Slots& slots, int count) {
  CAROM_ASSERT(count <= kMostRows);
  Block block{row_count_, count, static_cast<int>(sides_.size()), 0};
  row_count_ += count;
  for (int side = 0; side < static_cast<int>(slots.size()); ++side) {
    const int slot = slots[at(side)];
    if (slot < 0) continue;
    // A body on two sides (two gears on one frame) has one place.
    const auto known = std::find_if(sides_.begin() + block.first_side, sides_.end(),
                                    [slot](const Side& other) { return other.slot == slot; });
    if (known != sides_.end()) {
      known->also = side;
      continue;
    }
    sides_.push_back({slot, side, -1, count, {}});
    ++block.sides;
  }
  blocks_.push_back(block);
}

void JointSystem::analyse() {
  std::vector<std::vector<std::pair<int, int>>> on_body(at(body_count_));  // block and side
  std::vector<int> counts;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    counts.push_back(blocks_[b].rows);
    for (int s = 0; s < blocks_[b].sides; ++s)
      on_body[at(sides_[at(blocks_[b].first_side + s)].slot)].emplace_back(static_cast<int>(b),
                                                                           blocks_[b].first_side + s);
  }
  std::vector<std::pair<int, int>> links;
  for (const auto& met : on_body)
    for (const auto& [a, side_a] : met)
      for (const auto& [b, side_b] : met)
        if (a < b) links.emplace_back(a, b);
  elimination_.analyse(counts, links);
  couplings_.clear();
  for (const auto& met : on_body) {
    for (const auto& [a, side_a] : met) {
      for (const auto& [b, side_b] : met) {
        if (a > b) continue;
        const BlockElimination::Place place = elimination_.place(a, b);
        couplings_.push_back(place.flipped ? Coupling{side_b, side_a, place.index}
                                           : Coupling{side_a, side_b, place.index});
      }
    }
  }
  forces_.assign(at(row_count_), 0.0);
  offsets_.assign(at(row_count_), {});
  unknown_.assign(blocks_.size(), {});
  compliance_.assign(blocks_.size(), 0.0);
  decision_ = {};
  shared_.assign(blocks_.size(), 0);
}

void JointSystem::set_rows(int index, std::span<const JointRow> rows) {
  const Block& block = blocks_[at(index)];
  CAROM_ASSERT(static_cast<int>(rows.size()) == block.rows);
  for (int s = 0; s < block.sides; ++s) {
    Side& side = sides_[at(block.first_side + s)];
    const Eigen::Matrix3d& axes = bodies[at(side.slot)].axes;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      Eigen::Vector3d linear = rows[r].sides[at(side.from)].linear, turning = rows[r].sides[at(side.from)].angular;
      if (side.also >= 0) {
        linear += rows[r].sides[at(side.also)].linear;
        turning += rows[r].sides[at(side.also)].angular;
      }
      for (int k = 0; k < 3; ++k) {
        side.entry[at(k)][r] = linear[k];
        side.entry[at(k + 3)][r] = axes.col(k).dot(turning);
      }
    }
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const JointRow& row = rows[r];
    forces_[at(block.first_row) + r] = 0.0;
    offsets_[at(block.first_row) + r] = {row.residual, row.bias, row.drive, row.motor};
  }
}

void JointSystem::clear_forces() {
  std::fill(forces_.begin(), forces_.end(), 0.0);
}

/// A G⁻¹Aᵀ.
void JointSystem::assemble() {
  elimination_.clear();
  inverse_.resize(bodies.size());
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const double mass = bodies[k].inverse_mass;
    const Eigen::Vector3d& moments = bodies[k].inverse_moments;
    inverse_[k] = {mass, mass, mass, moments[0], moments[1], moments[2]};
  }
  for (const Coupling& coupling : couplings_) {
    BlockElimination::Block& target = elimination_.block(coupling.place);
    const Side& first = sides_[at(coupling.first)];
    const Matrix& second = sides_[at(coupling.second)].entry;
    const std::array<double, 6>& inverse = inverse_[at(first.slot)];
    Matrix answer;  // G⁻¹ times the rows of the second
    for (std::size_t k = 0; k < 6; ++k)
      for (std::size_t c = 0; c < kMost; ++c) answer[k][c] = inverse[k] * second[k][c];
    for (int r = 0; r < first.rows; ++r) {
      BlockElimination::Vector sum = target[at(r)];
      for (std::size_t k = 0; k < 6; ++k)
        for (std::size_t c = 0; c < kMost; ++c) sum[c] += first.entry[k][at(r)] * answer[k][c];
      target[at(r)] = sum;
    }
  }
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (compliance_[b] == 0.0) continue;
    BlockElimination::Block& diagonal =
        elimination_.block(elimination_.place(static_cast<int>(b), static_cast<int>(b)).index);
    for (int r = 0; r < blocks_[b].rows; ++r) diagonal[at(r)][at(r)] += compliance_[b];
  }
}

void JointSystem::write_unit_rows() {
  const auto n = 6 * bodies.size();
  unit_rows_.assign(at(row_count_) * n, 0.0);
  for (const Block& block : blocks_) {
    for (int r = 0; r < block.rows; ++r) {
      double* const row = unit_rows_.data() + at(block.first_row + r) * n;
      double square = 0.0;
      for (int s = 0; s < block.sides; ++s) {
        const Side& side = sides_[at(block.first_side + s)];
        for (std::size_t k = 0; k < 6; ++k) {
          const double entry = side.entry[k][at(r)] * std::sqrt(inverse_[at(side.slot)][k]);
          row[6 * at(side.slot) + k] = entry;
          square += entry * entry;
        }
      }
      if (square > 0.0)
        for (std::size_t k = 0; k < n; ++k) row[k] /= std::sqrt(square);
    }
  }
}

/// Leaves the factors of this place where no row depends on others.
void JointSystem::decide() {
  decision_.made = true;
  decision_.left_out.clear();
  elimination_.factor(kDependent);
  decision_.pivot_then = elimination_.least_pivot();
  if (elimination_.rank() == row_count_ && decision_.pivot_then > kClear) {
    decision_.left_out.assign(at(row_count_), 0);
    return;
  }
  if (row_count_ <= kMostDistances) {
    write_unit_rows();
    independent_.choose(unit_rows_, row_count_, static_cast<int>(6 * bodies.size()),
                        decision_.on_rows ? kDependentRow : kDependentAtStart);
    decision_.left_out = independent_.left_out();
  } else {
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      for (int r = 0; r < blocks_[b].rows; ++r)
        decision_.left_out.push_back(elimination_.is_left_out(static_cast<int>(b), r) ? 1 : 0);
  }
  assemble();
  elimination_.factor_without(decision_.left_out);
  decision_.pivot_then = elimination_.least_pivot();
}

void JointSystem::factor() {
  factor_rows();
  decision_.pivot_now = elimination_.least_pivot();
}

void JointSystem::factor_rows() {
  assemble();
  const bool gives_way = std::any_of(compliance_.begin(), compliance_.end(), [](double one) { return one != 0.0; });
  if (gives_way) {
    elimination_.factor(kDependent);
    return;
  }
  if (!decision_.made) {
    decide();
    return;
  }
  elimination_.factor_without(decision_.left_out);
  if (elimination_.least_pivot() >= kMuchLess * decision_.pivot_then || row_count_ > kMostDistances) return;
  // Others of as many rows serve better here, where bodies may be off their joints.
  write_unit_rows();
  independent_.choose(unit_rows_, row_count_, static_cast<int>(6 * bodies.size()), kDependentAtStart);
  const auto kept = [](const std::vector<char>& rows) { return std::count(rows.begin(), rows.end(), 0); };
  if (kept(independent_.left_out()) != kept(decision_.left_out)) return;
  decision_.left_out = independent_.left_out();
  assemble();
  elimination_.factor_without(decision_.left_out);
  decision_.pivot_then = elimination_.least_pivot();
}

bool JointSystem::is_doubtful() const {
  return !decision_.made || !decision_.on_rows || decision_.pivot_now < kMuchLess * decision_.pivot_then;
}

void JointSystem::review() {
  decision_.on_rows = true;
  decision_.made = false;
  factor();
}

double JointSystem::log_volume() {
  assemble();
  if (row_count_ > kMostVolumes) {
    elimination_.factor_without(decision_.left_out);
    return elimination_.log_volume();
  }
  write_unit_rows();
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Rows> rows(unit_rows_.data(), row_count_, static_cast<Eigen::Index>(6 * bodies.size()));
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> products(rows * rows.transpose(), Eigen::EigenvaluesOnly);
  const auto kept = std::count(decision_.left_out.begin(), decision_.left_out.end(), 0);
  double sum = 0.0;
  for (Eigen::Index k = row_count_ - kept; k < row_count_; ++k)
    sum += std::log(std::max(products.eigenvalues()[k], std::numeric_limits<double>::min()));
  return sum;
}

bool JointSystem::is_singular() {
  const double least = elimination_.least_pivot();
  if (least > kFarFromSingular) return false;
  if (row_count_ > kMostDistances) return !(least > kDependent);
  write_unit_rows();
  independent_.choose(unit_rows_, row_count_, static_cast<int>(6 * bodies.size()), kSingular);
  const std::vector<char>& left_out = independent_.left_out();
  return std::count(left_out.begin(), left_out.end(), 0) < elimination_.rank();
}

Twist JointSystem::load_on_first(int index) const {
  const Block& block = blocks_[at(index)];
  Twist load;
  if (block.sides == 0) return load;
  const Side& side = sides_[at(block.first_side)];
  for (int r = 0; r < block.rows; ++r) {
    const double force = forces_[at(block.first_row + r)];
    for (int k = 0; k < 3; ++k) {
      load.linear[k] += force * side.entry[at(k)][at(r)];
      load.angular[k] += force * side.entry[at(k + 3)][at(r)];
    }
  }
  load.angular = bodies[at(side.slot)].axes * load.angular;
  return load;
}

/// Fills unknown_ with the forces that change the twists so that A u + c = 0; without c, A u = 0.
void JointSystem::balance(std::vector<Twist>& twists, double Offset::*c) {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    BlockElimination::Vector off = {};
    if (c != nullptr)
      for (int r = 0; r < block.rows; ++r) off[at(r)] = offsets_[at(block.first_row + r)].*c;
    for (int s = 0; s < block.sides; ++s) {
      const Side& side = sides_[at(block.first_side + s)];
      const Twist& twist = twists[at(side.slot)];
      for (int k = 0; k < 3; ++k)
        for (std::size_t r = 0; r < kMost; ++r)
          off[r] += side.entry[at(k)][r] * twist.linear[k] + side.entry[at(k + 3)][r] * twist.angular[k];
    }
    for (std::size_t r = 0; r < kMost; ++r) unknown_[b][r] = -off[r];
  }
  elimination_.solve(unknown_);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    const BlockElimination::Vector& force = unknown_[b];
    for (int s = 0; s < block.sides; ++s) {
      const Side& side = sides_[at(block.first_side + s)];
      const std::array<double, 6>& inverse = inverse_[at(side.slot)];
      std::array<double, 6> change;
      for (std::size_t k = 0; k < 6; ++k) {
        double sum = 0.0;
        for (std::size_t r = 0; r < kMost; ++r) sum += side.entry[k][r] * force[r];
        change[k] = inverse[k] * sum;
      }
      Twist& twist = twists[at(side.slot)];
      for (int k = 0; k < 3; ++k) {
        twist.linear[k] += change[at(k)];
        twist.angular[k] += change[at(k + 3)];
      }
    }
  }
}

void JointSystem::correct(std::vector<Twist>& twists, double Offset::*c) {
  balance(twists, c);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    for (int r = 0; r < blocks_[b].rows; ++r) {
      const auto row = at(blocks_[b].first_row + r);
      forces_[row] += unknown_[b][at(r)];
    }
  }
}

/// Each row that was left out gives forces that do nothing together: one of that row, and those of the others that hold
/// the bodies against it. What the forces have of these is taken away.
void JointSystem::take_least_forces() {
  std::fill(shared_.begin(), shared_.end(), 0);
  const auto count = at(row_count_);
  std::vector<double> idle;  // sets of forces that do nothing, one after the other, of unit length
  std::vector<Twist> twists(at(body_count_));
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    for (int r = 0; r < block.rows; ++r) {
      const auto left_out = at(block.first_row + r);
      if (!elimination_.is_left_out(static_cast<int>(b), r)) continue;
      std::fill(twists.begin(), twists.end(), Twist{});
      for (int s = 0; s < block.sides; ++s) {
        const Side& side = sides_[at(block.first_side + s)];
        const std::array<double, 6>& inverse = inverse_[at(side.slot)];
        for (int k = 0; k < 3; ++k) {
          twists[at(side.slot)].linear[k] += inverse[at(k)] * side.entry[at(k)][at(r)];
          twists[at(side.slot)].angular[k] += inverse[at(k + 3)] * side.entry[at(k + 3)][at(r)];
        }
      }
      idle.resize(idle.size() + count, 0.0);
      double* const forces = idle.data() + idle.size() - count;
      forces[left_out] = 1.0;
      for (int round = 0; round < 2; ++round) {
        balance(twists, nullptr);
        for (std::size_t other = 0; other < blocks_.size(); ++other)
          for (int i = 0; i < blocks_[other].rows; ++i)
            forces[at(blocks_[other].first_row + i)] += unknown_[other][at(i)];
      }
      const double length = std::sqrt(std::inner_product(forces, forces + count, forces, 0.0));
      for (std::size_t i = 0; i < count; ++i) forces[i] /= length;
    }
  }
  if (idle.empty()) return;
  RowSpace space;
  space.compute(idle.data(), static_cast<int>(idle.size() / count), row_count_);
  space.remove_component(forces_.data());
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    for (std::size_t i = 0; i < idle.size(); i += count)
      for (int r = 0; r < blocks_[b].rows; ++r)
        if (std::abs(idle[i + at(blocks_[b].first_row + r)]) > kShared) shared_[b] = 1;
}

}  // namespace carom
