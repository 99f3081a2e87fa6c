/// Resistance to rolling and spinning in integrated motion.
///
/// The torque on a body that turns by ω against the other (ω_t about the tangent plane, ω_n about the normal) is in
/// proportion to the normal force λ, and so a part of the column that λ pushes along:
///   −λ (ρ h(|ω_t|) ω_t + s h(|ω_n|) ω_n n)         h(ω) = tanh(ω/ω_r)/ω
/// with ρ, s and ω_r of laws/friction/resistance.h: near rest it goes to zero, so that the right-hand side is smooth.
/// Where contacts may open, stick or slide the torques are those of the last answer's normal forces, again and again.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/engine/event/island_dynamics.h"
#include "carom/engine/event/island_state.h"
#include "carom/laws/friction/registry.h"

namespace carom::event {

bool Island::resists_turning() const {
  return std::any_of(contacts.begin(), contacts.end(),
                     [](const ActiveContact& active) { return active.contact.rule.resistance.any(); });
}

void IslandDynamics::build_resistance(const Island& island, double time, const double* y) {
  resisting_.clear();
  if (!island.resists_turning()) return;
  resisting_.resize(island.contacts.size());
  for (std::size_t i = 0; i < island.contacts.size(); ++i) {
    const ActiveContact& active = island.contacts[i];
    if (!active.contact.rule.resistance.any()) continue;
    const ContactPoint contact = follow(island, active.contact, time, y);
    const bool two = model_->is_body(contact.b);
    const bool second = two && extent_of(contact.b) < extent_of(contact.a);  // the smaller of the two rolls
    const Body& rolling = model_->body(second ? contact.b : contact.a);
    const double radius =
        second ? (contact.point_b - state_b_.position).norm() : (contact.point_a - state_a_.position).norm();
    if (!(radius > 0.0)) continue;
    const Resistance resistance =
        prepare_resistance(contact.rule.resistance, {radius, rolling.mass, rolling.inertia.mean()});
    const Vector3d turning = state_a_.angular_velocity - state_b_.angular_velocity;
    const double spin = contact.normal.dot(turning);
    const Vector3d roll = turning - spin * contact.normal;
    const Vector3d torque = -spin * resistance.spinning_over_rate(std::abs(spin)) * contact.normal -
                            resistance.rolling_over_rate(roll.norm()) * roll;
    Resisting& resisting = resisting_[i];
    const auto in_frame = [&](ObjectIndex object, const BodyState& state) {
      return Vector3d((state.orientation * model_->body(object).principal_axes).conjugate() * torque);
    };
    resisting.torque_a = in_frame(contact.a, state_a_);
    if (two) resisting.torque_b = -in_frame(contact.b, state_b_);
    resisting.power = -torque.dot(turning);
    resisting.wall_power = two ? 0.0 : torque.dot(state_b_.angular_velocity);
  }
}

/// Adds the torque per normal force to what the normal force of row r pushes along.
void IslandDynamics::add_resistance(std::size_t normal_row, double* column) const {
  const Row& row = rows_[normal_row];
  if (resisting_.empty()) return;
  const Resisting& resisting = resisting_[static_cast<std::size_t>(row.owner)];
  for (int k = 0; k < 3; ++k) {
    if (row.slots[0] >= 0) column[6 * row.slots[0] + 3 + k] += resisting.torque_a[k];
    if (row.slots[1] >= 0) column[6 * row.slots[1] + 3 + k] += resisting.torque_b[k];
  }
}

AccelerationStatus IslandDynamics::solve_resisted(const Island& island) {
  AccelerationStatus status = solve(island, 0);
  if (resisting_.empty()) return status;
  constexpr int kTurningRounds = 20;
  constexpr double kSame = 1e-14;
  const std::vector<double> given = force_;
  std::vector<double> torque(force_.size());
  double before = 0.0;
  for (int round = 0; round < kTurningRounds && status == AccelerationStatus::solved; ++round) {
    const std::vector<double> pushes(dynamics_.normal_force().begin(), dynamics_.normal_force().end());
    const double sum = std::accumulate(pushes.begin(), pushes.end(), 0.0);
    if (round > 0 && std::abs(sum - before) <= kSame * sum) break;
    before = sum;
    force_ = given;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (!rows_[r].normal || rows_[r].owner < 0) continue;
      std::fill(torque.begin(), torque.end(), 0.0);
      add_resistance(r, torque.data());
      const double push = pushes[static_cast<std::size_t>(rows_[r].owner)];
      for (std::size_t k = 0; k < force_.size(); ++k) force_[k] += push * torque[k];
    }
    status = solve(island, 0);
  }
  force_ = given;
  return status;
}

}  // namespace carom::event
