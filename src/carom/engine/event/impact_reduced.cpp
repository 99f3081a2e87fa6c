/// Impacts of mechanisms of many joints: their rows are eliminated joint by joint (mechanics/joint_system.h), and the
/// law is asked with what they leave of the rows of contacts. With W as in joint_elimination.h the inertances N W Nᵀ
/// are the same whether the law is given N and the rows of joints or N W G alone.

#include <algorithm>
#include <cmath>

#include "carom/engine/event/impact_building.h"
#include "carom/engine/event/persistent_rows.h"

namespace carom::event {

namespace {

/// From so many joints on.
constexpr std::size_t kManyJoints = 20;
/// A normal of which joints leave less than this, squared, is one that they may fix.
constexpr double kMayBeFixed = 1e-10;
/// The second correction makes up for the squared condition of the rows.
constexpr int kImpactCorrections = 2;

}  // namespace

void ImpactBuilder::collect_joints(World& world) {
  joined_.clear();
  bool rolls = false;
  for (const BodyIndex body : bodies_) {
    const Object& o = world.object(body);
    joined_.insert(joined_.end(), o.joints.begin(), o.joints.end());
    for (const ConstraintIndex index : o.constraints)
      rolls = rolls || std::holds_alternative<RollingConstraint>(world.model().constraints[index]);
  }
  std::sort(joined_.begin(), joined_.end());
  joined_.erase(std::unique(joined_.begin(), joined_.end()), joined_.end());
  eliminates_ = joined_.size() > kManyJoints && !rolls;
}

void ImpactBuilder::eliminate_joints(World& world) {
  problem_.supports.clear();
  problem_.persistent.resize(0, 0);
  constraint_rows_.clear();
  joints_.clear();
  std::vector<std::vector<JointRow>> others;  // of rods and planes
  system_.clear(static_cast<int>(bodies_.size()));
  std::size_t first = 0;
  for (const JointIndex joint : joined_) {
    HeldJoint& held = joints_.emplace_back();
    const JointStates states = world.states_of(joint);
    held.joint = joint;
    held.first = first;
    held.lever = world.joints().lever(joint, states);
    world.joints().append_rows(joint, states, held.rows);
    first += held.rows.size();
    JointSystem::Slots slots = {-1, -1, -1, -1};
    const std::span<const BodyIndex> bodies = world.joints().bodies(joint);
    for (std::size_t side = 0; side < bodies.size(); ++side)
      if (bodies[side] != kNone) slots[side] = static_cast<int>(part_of(bodies[side]));
    system_.add_block(slots, static_cast<int>(held.rows.size()));
  }
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    for (const ConstraintIndex index : world.object(bodies_[k]).constraints) {
      std::vector<JointRow>& rows = others.emplace_back();
      append_rows(world.model().constraints[index], world.now(bodies_[k]), rows);
      system_.add_block({static_cast<int>(k), -1, -1, -1}, static_cast<int>(rows.size()));
    }
  }
  system_.analyse();
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const Object& o = world.object(bodies_[k]);
    system_.bodies[k] = {1.0 / o.mass, o.inertia.cwiseInverse(),
                         (world.now(bodies_[k]).orientation * o.principal_axes).toRotationMatrix()};
  }
  int block = 0;
  for (const HeldJoint& held : joints_) system_.set_rows(block++, held.rows);
  for (const std::vector<JointRow>& rows : others) system_.set_rows(block++, rows);
  system_.factor();

  // The smallest velocity that motors ask for, as in carry_drives().
  driven_.resize(0);
  const auto& offsets = system_.offsets();
  if (std::all_of(offsets.begin(), offsets.end(), [](const JointSystem::Offset& row) { return row.drive == 0.0; }))
    return;
  twists_.assign(bodies_.size(), {});
  for (int k = 0; k < kImpactCorrections; ++k) system_.correct(twists_, &JointSystem::Offset::drive);
  driven_.setZero(problem_.velocity.size());
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    if (!parts_[k].has_spin) continue;  // a ball without joints
    driven_.segment<3>(parts_[k].coordinate) = twists_[k].linear.transpose();
    driven_.segment<3>(parts_[k].coordinate + 3) = twists_[k].angular.transpose();
  }
  problem_.velocity -= driven_.transpose();
}

/// What free bodies answer to a row of impulses, into twists_.
void ImpactBuilder::answer_freely(const Eigen::RowVectorXd& row) {
  const auto divided = [&](int c, int i) { return row[c + i] / problem_.metric(c + i, c + i); };
  twists_.assign(bodies_.size(), {});
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const int c = parts_[k].coordinate;
    for (int i = 0; i < 3; ++i) twists_[k].linear[i] = divided(c, i);
    for (int i = 0; i < 3 && parts_[k].has_spin; ++i) twists_[k].angular[i] = divided(c, 3 + i);
  }
}

/// Takes from the row in entries_ what joints hold against; false where they leave next to nothing.
bool ImpactBuilder::leave_row() {
  contact_rows_.push_back(entries_);
  answer_freely(entries_);
  const Vector metric = problem_.metric.diagonal();
  const auto square = [&] { return entries_.cwiseAbs2().dot(metric.cwiseInverse().transpose()); };
  const double whole = square();
  for (int k = 0; k < kImpactCorrections; ++k) system_.project(twists_);
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const int c = parts_[k].coordinate;
    entries_.segment<3>(c) = twists_[k].linear.cwiseProduct(metric.segment<3>(c)).transpose();
    if (parts_[k].has_spin)
      entries_.segment<3>(c + 3) = twists_[k].angular.cwiseProduct(metric.segment<3>(c + 3)).transpose();
  }
  return square() > kMayBeFixed * whole;
}

/// Of the rows of joints_, in order.
std::vector<double> ImpactBuilder::joint_impulses(const ImpactOutcome& outcome, bool& unique) {
  if (!eliminates_) return outcome.audit.constraint_impulses;
  // Free bodies under the impulses of the contacts, held by the joints.
  Eigen::RowVectorXd push = Eigen::RowVectorXd::Zero(problem_.velocity.size());
  std::size_t row = 0, tangent = 0;
  for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
    push += outcome.impulses[i] * contact_rows_[row++];
    for (Eigen::Index k = 0; k < problem_.contacts[i].tangents.rows(); ++k, ++row)
      if (!outcome.tangential_impulses.empty()) push += outcome.tangential_impulses[tangent++] * contact_rows_[row];
  }
  answer_freely(push);
  system_.clear_forces();
  for (int k = 0; k < kImpactCorrections; ++k) system_.correct(twists_, nullptr);
  system_.take_least_forces();
  for (std::size_t k = 0; k < joints_.size(); ++k) unique = unique && system_.is_unique(static_cast<int>(k));
  return system_.forces();
}

}  // namespace carom::event
