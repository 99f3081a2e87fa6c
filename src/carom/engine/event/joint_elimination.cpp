#include "carom/engine/event/joint_elimination.h"

#include <algorithm>

namespace carom::event {

namespace {

/// The second correction makes up for the squared condition of the rows.
constexpr int kHoldRounds = 2;

void read_twists(const double* from, std::vector<Twist>& twists) {
  for (Twist& twist : twists) {
    twist = {Eigen::Map<const Eigen::Vector3d>(from), Eigen::Map<const Eigen::Vector3d>(from + 3)};
    from += 6;
  }
}

void write_twists(const std::vector<Twist>& twists, double* to) {
  for (const Twist& twist : twists) {
    Eigen::Map<Eigen::Vector3d>{to} = twist.linear;
    Eigen::Map<Eigen::Vector3d>{to + 3} = twist.angular;
    to += 6;
  }
}

}  // namespace

/// Blocks are those of the rows; an order of elimination is looked for where they are not those of the last time.
void JointElimination::lay_out(const std::vector<IslandRow>& rows, std::size_t bodies) {
  before_.swap(blocks_);
  blocks_.clear();
  int last = -1;
  for (const IslandRow& row : rows) {
    if (row.touching) continue;
    if (row.block != last) blocks_.push_back({row.slots, 0});
    last = row.block;
    ++blocks_.back().rows;
  }
  if (bodies == bodies_ && blocks_ == before_) return;
  bodies_ = bodies;
  lay_out_blocks();
}

void JointElimination::lay_out_blocks() {
  twists_.resize(bodies_);
  system_.clear(static_cast<int>(bodies_));
  for (const Block& block : blocks_) system_.add_block(block.slots, block.rows);
  system_.analyse();
}

void JointElimination::factor(const std::vector<IslandRow>& rows, const std::vector<double>& inverse_mass) {
  lay_out(rows, inverse_mass.size() / 6);
  // Entries stand in the principal frames already.
  for (std::size_t body = 0; body < bodies_; ++body) {
    const double* const inverse = inverse_mass.data() + 6 * body;
    system_.bodies[body] = {inverse[0], Eigen::Vector3d(inverse[3], inverse[4], inverse[5]),
                            Eigen::Matrix3d::Identity()};
  }
  std::size_t next = 0;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    rows_.clear();
    for (; static_cast<int>(rows_.size()) < blocks_[b].rows; ++next) {
      const IslandRow& from = rows[next];
      if (from.touching) continue;
      JointRow& row = rows_.emplace_back();
      for (std::size_t side = 0; side < IslandRow::kBodies; ++side) {
        const double* const entry = from.entry.data() + 6 * side;
        row.sides[side] = {Eigen::Vector3d(entry[0], entry[1], entry[2]),
                           Eigen::Vector3d(entry[3], entry[4], entry[5])};
      }
      row.bias = from.bias;
    }
    system_.set_rows(static_cast<int>(b), rows_);
  }
  system_.factor();
}

void JointElimination::hold(std::vector<double>& acceleration) {
  read_twists(acceleration.data(), twists_);
  system_.clear_forces();
  for (int round = 0; round < kHoldRounds; ++round) system_.correct(twists_, &JointSystem::Offset::bias);
  write_twists(twists_, acceleration.data());
}

void JointElimination::project(double* acceleration) {
  read_twists(acceleration, twists_);
  for (int round = 0; round < kHoldRounds; ++round) system_.project(twists_);
  write_twists(twists_, acceleration);
}

}  // namespace carom::event
