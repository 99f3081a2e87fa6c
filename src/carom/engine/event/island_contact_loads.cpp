/// What the contacts of an island do at one moment, for those who ask (mechanics/contact_load.h).

#include <cmath>
#include <limits>

#include "carom/contact/motion.h"
#include "carom/engine/event/island_dynamics.h"
#include "carom/engine/event/island_state.h"

namespace carom::event {

namespace {

/// Turning slower than this part of the speeds at hand, at the size, is round-off.
constexpr double kNoTurning = 1e-9;

}  // namespace

bool IslandDynamics::find_contact_forces(const Island& island, double time, const double* y, LoadSource source) {
  switch (source) {
    case LoadSource::modes: {
      const bool known = solve_modes(island, time, y);
      load_force_ = row_force_;
      for (std::size_t r = 0; known && r < rows_.size(); ++r) {
        if (rows_[r].owner < 0 || !rows_[r].normal) continue;
        const ActiveContact& active = island.contacts[static_cast<std::size_t>(rows_[r].owner)];
        if (!active.slides()) continue;
        const Eigen::Vector2d along = slip_direction(island, r) * active.contact.rule.friction.kinetic_friction;
        for (const std::size_t k : {0u, 1u})
          load_force_[r + 1 + k] = -along[static_cast<Eigen::Index>(k)] * load_force_[r];
      }
      return known;
    }
    case LoadSource::balance: {
      const AccelerationStatus status = solve_unilateral(island, time, y);
      load_force_ = answer_force_;
      return status == AccelerationStatus::solved || status == AccelerationStatus::inconsistent;
    }
    case LoadSource::crowded_step:
      build_forces(island, y);
      build_rows(island, time, y);
      resisting_.clear();
      load_force_.assign(rows_.size(), 0.0);
      for (std::size_t r = 0; r < rows_.size(); ++r) {
        if (rows_[r].owner < 0 || !rows_[r].normal) continue;
        const ActiveContact& active = island.contacts[static_cast<std::size_t>(rows_[r].owner)];
        const std::size_t rows = active.mode == ContactMode::smooth ? 1 : 3;
        for (std::size_t k = 0; k < rows; ++k) load_force_[r + k] = active.force[k];
      }
      return true;
    case LoadSource::crowd_balance: break;
  }
  Island standing = island;
  standing.step = 1.0;  // impulses of one second are forces
  const bool hangs = unbalanced(standing, time, y) == contact::kForever;
  resisting_.clear();
  load_force_ = impulse_;
  return !hangs;
}

/// Of a contact whose states have been read.
SlipMode IslandDynamics::slip_mode(const ActiveContact& active, const ContactPoint& contact) const {
  if (active.mode == ContactMode::smooth) return SlipMode::smooth;
  if (active.slides()) return SlipMode::slide;
  const Vector3d turning = state_a_.angular_velocity - state_b_.angular_velocity;
  const double size = extent_of(contact.a);
  const double speeds = std::sqrt(acceleration_scale_ * size) + state_a_.velocity.norm();
  return turning.norm() * size > kNoTurning * speeds ? SlipMode::roll : SlipMode::stick;
}

void IslandDynamics::append_contact_loads(const Island& island, double time, const double* y, LoadSource source,
                                          std::vector<ContactLoad>& loads) {
  const bool known = find_contact_forces(island, time, y, source);
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (rows_[r].owner < 0 || !rows_[r].normal) continue;
    const auto owner = static_cast<std::size_t>(rows_[r].owner);
    const ActiveContact& active = island.contacts[owner];
    if (active.contact.is_limit() || (known && !(load_force_[r] > 0.0))) continue;
    const ContactPoint contact = follow(island, active.contact, time, y);
    ContactLoad load{contact.a, contact.b, contact.point(), contact.normal, known ? load_force_[r] : kUnknown};
    load.mode = slip_mode(active, contact);
    const bool has_tangents = r + 2 < rows_.size() && rows_[r + 1].owner == rows_[r].owner && !rows_[r + 1].normal;
    for (std::size_t k = 0; has_tangents && k < 2; ++k)
      load.friction += (known ? load_force_[r + 1 + k] : kUnknown) * tangent_[2 * owner + k];
    if (!resisting_.empty())
      load.couple =
          load.force * ((state_a_.orientation * model_->body(contact.a).principal_axes) * resisting_[owner].torque_a);
    loads.push_back(load);
  }
}

}  // namespace carom::event
