#include "carom/engine/event/island_checkpoint.h"

#include "carom/engine/archived_types.h"
#include "carom/engine/event/ball_motions.h"
#include "carom/engine/event/island_motions.h"

namespace carom::event {

void transfer(Archive& archive, ActiveContact& active) {
  auto& [contact, mode, direction, begins, straight, was_slow, moves, undecided, lets_go, pulls, arrival_rate, force,
         pressing] = active;
  archive(contact, mode, direction, begins, straight, was_slow, moves, undecided, lets_go, pulls, arrival_rate, force,
          pressing);
}

static void transfer(Archive& archive, DryJoint& dry) {
  auto& [joint, coordinate, mode, held] = dry;
  archive(joint, coordinate, mode, held);
}

static void transfer(Archive& archive, Island::Rod& rod) {
  auto& [slot, pivot, length] = rod;
  archive(slot, pivot, length);
}

static void transfer(Archive& archive, VelocityCorrection& correction) {
  auto& [cut_off, wall_work, motor_work] = correction;
  archive(cut_off, wall_work, motor_work);
}

static void transfer(Archive& archive, Island::Excess& excess) {
  auto& [kinetic, created] = excess;
  archive(kinetic, created);
}

static void transfer(Archive& archive, ContactAction& action) {
  auto& [mode, direction] = action;
  archive(mode, direction);
}

void transfer(Archive& archive, Island& island) {
  auto& [bodies, contacts, springs, loads, constraints, rods, rolls, joints, turns, driven, pushed, dry, time, step,
         next_step, state, after, dense, opening, opens, stops, keeps_joints, correction, jump, fastest, excess,
         steps_until_look, steps_between_looks] = island;
  archive(bodies, contacts, springs, loads, constraints, rods, rolls, joints, turns, driven, pushed, dry, time, step,
          next_step, state, after, dense, opening, opens, stops, keeps_joints, correction, jump, fastest, excess,
          steps_until_look, steps_between_looks);
}

void JointElimination::transfer(Archive& archive) {
  std::vector<char> marks(blocks_.size(), 0);  // as many as there are blocks
  archive(bodies_, marks);
  if (archive.loads()) blocks_.resize(marks.size());
  for (Block& block : blocks_) archive(block.slots, block.rows);
  JointSystem::Decision decision = system_.decision();
  archive(decision);
  if (!archive.loads()) return;
  lay_out_blocks();
  system_.set_decision(decision);
}

/// The equations of islands are built anew in every step, but for what was decided about their joints.
void IslandDynamics::transfer(Archive& archive) {
  archive(accepted, rejected, evaluations, elimination_);
}

void transfer_shared(Archive& archive, std::shared_ptr<const Island>& island) {
  archive.shared(island, [] { return std::make_shared<Island>(); });
}

void IslandMotions::transfer(Archive& archive) {
  archive.section("motions of islands");
  // Constant: settle_speed.
  auto& [settle_speed, balls, islands, ended, loads, wall_power, idle_steps, steps_ended, crawl_time] = *this;
  archive(balls);
  for (std::shared_ptr<const Island>& island : islands) transfer_shared(archive, island);
  transfer_shared(archive, ended);
  archive(loads, wall_power, idle_steps, steps_ended, crawl_time);
}

// ------------------------------------------------------------------------------------------------- balls on planes

void TurningSlip::transfer(Archive& archive) {
  auto& [along, across, p, w, speed, time_scale, duration] = *this;
  archive(along, across, p, w, speed, time_scale, duration);
}

void transfer(Archive& archive, BallOnPlane& ball) {
  auto& [normal, wall_velocity, along, pressing, radius, mass, inertia_factor, friction, resistance] = ball;
  archive(normal, wall_velocity, along, pressing, radius, mass, inertia_factor, friction, resistance);
}

void transfer(Archive& archive, BallStretch& stretch) {
  auto& [action, acceleration, spread, spin_rate, turning, duration, end, dissipation, dissipation_rate,
         dissipation_by_way, wall_power] = stretch;
  archive(action, acceleration, spread, spin_rate);
  archive.shared(turning, [] { return std::make_shared<TurningSlip>(); });
  archive(duration, end, dissipation, dissipation_rate, dissipation_by_way, wall_power);
}

void BallMotions::transfer(Archive& archive) {
  for (Ball& one : balls_) {
    auto& [plane, stretch, start, start_carry, moves] = one;
    archive(plane, stretch, start, start_carry, moves);
  }
}

}  // namespace carom::event
