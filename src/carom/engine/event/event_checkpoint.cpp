/// What the rigid engine goes on from, class by class: each names all its members, and says which are constant or are
/// computed anew.

#include "carom/engine/archived_types.h"
#include "carom/engine/event/event_engine.h"
#include "carom/engine/event/island_checkpoint.h"
#include "carom/engine/event/motion_in_island.h"
#include "carom/engine/event/turning_ball.h"

namespace carom::event {

using contact::Turning;

static void transfer(Archive& archive, Flight& flight) {
  auto& [position, velocity, acceleration, start, start_carry, radius, end, spread, lasted, exact] = flight;
  archive(position, velocity, acceleration, start, start_carry, radius, end, spread, lasted, exact);
}

static void transfer(Archive& archive, HeldContacts::Held& held) {
  auto& [contact, mode, direction, alive, reported, version] = held;
  archive(contact, mode, direction, alive, reported, version);
}

static void transfer(Archive& archive, UpcomingEvent& event) {
  auto& [time, carry, what, a, b, version_a, version_b, which] = event;
  archive(time, carry, what, a, b, version_a, version_b, which);
}

namespace {

/// What a motion is that no formula gives.
enum class PathKind : std::uint8_t { none, in_island, turning_ball };

void transfer_path(Archive& archive, const Object& body, std::shared_ptr<const contact::IntegratedMotion>& path) {
  const auto* const in_island = dynamic_cast<const MotionInIsland*>(path.get());
  const auto* const turning = dynamic_cast<const TurningBall*>(path.get());
  PathKind kind = PathKind::none;
  if (in_island != nullptr) kind = PathKind::in_island;
  if (turning != nullptr) kind = PathKind::turning_ball;
  archive(kind);
  if (kind == PathKind::in_island) {
    std::shared_ptr<const Island> island = in_island != nullptr ? in_island->island() : nullptr;
    int slot = in_island != nullptr ? in_island->slot() : 0;
    transfer_shared(archive, island);
    archive(slot);
    if (archive.loads()) path = std::make_shared<MotionInIsland>(std::move(island), slot, body.principal_axes);
  } else if (kind == PathKind::turning_ball) {
    BallOnPlane plane = turning != nullptr ? turning->ball() : BallOnPlane{};
    BallStretch stretch = turning != nullptr ? turning->stretch() : BallStretch{};
    BodyState first = turning != nullptr ? turning->first() : BodyState{};
    archive(plane, stretch, first);
    if (archive.loads()) path = std::make_shared<TurningBall>(plane, stretch, first);
  } else if (archive.loads()) {
    path.reset();
  }
}

}  // namespace

// ------------------------------------------------------------------------------------------------- where everything is

/// A free rotation is computed anew from attitude and spin at its start, as World::fly does.
void World::transfer_motion(Archive& archive, Object& body) {
  auto& [start, start_carry, end, position, velocity, acceleration, spread, turning, attitude, spin, spin_rate,
         max_spin, max_spin_rate, principal_axes, rotation, integrated] = body.motion;
  archive(start, start_carry, end, position, velocity, acceleration, spread, turning, attitude, spin, spin_rate,
          max_spin, max_spin_rate, principal_axes);
  transfer_path(archive, body, integrated);
  if (!archive.loads()) return;
  rotation.reset();
  if (turning != Turning::free) return;
  const Quaterniond principal = attitude * body.principal_axes;
  rotation = std::make_shared<const FreeRotation>(body.inertia, RotationState{principal, principal.conjugate() * spin});
}

void World::transfer(Archive& archive) {
  archive.section("world");
  // Constant: shapes_, parts_before_. Follow from the model: meeting_, joints_.
  auto& [model, shapes, progress, meeting, joints, turns, limits, objects, flights, grid, time, carry, instant, states,
         state_instant, moving, parts_before, apart] = *this;
  std::shared_ptr<const Model> changed = model;
  transfer_changes(archive, changed);
  if (archive.loads()) change_joints(changed);
  archive(progress, turns, limits, flights, grid, time, carry, instant, states, state_instant, moving, apart);
  for (const BodyIndex index : bodies()) {
    auto& [parts, motion, version, size, mass, inertia, axes, free_acceleration, round, integrated, in_place, at_rest,
           crowded, from_heap, rattles, constraints, held_by, loads, springs, pieces] = objects[index];
    transfer_motion(archive, objects[index]);
    archive(version, integrated, in_place, at_rest, crowded, from_heap, rattles, held_by);
  }
}

void ClosedContacts::transfer(Archive& archive) {
  auto& [tolerance, bodies, contacts, inside, gathered, speed, asked, adds_nearest] = *this;
  archive(bodies, contacts, inside, gathered, speed, asked, adds_nearest);
}

void HeldContacts::transfer(Archive& archive) {
  archive.section("held contacts");
  auto& [held, unused, loose, changed, held_by] = *this;
  archive(held, unused, loose, changed, held_by);
}

// ------------------------------------------------------------------------------------------------- what happens next

void EventQueue::transfer(Archive& archive) {
  auto& [heap] = *this;
  archive(heap);
}

void Timeline::transfer(Archive& archive) {
  archive.section("timeline");
  auto& [start, end, queue, sampled, predicted, round] = *this;
  archive(start, end, queue, sampled, predicted, round);
}

void StallWatch::transfer(Archive& archive) {
  auto& [time, carry, repeats, handled, contacts, window_contacts, window_time, storms] = *this;
  archive(time, carry, repeats, handled, contacts, window_contacts, window_time, storms);
}

// ------------------------------------------------------------------------------------------------- what becomes of it

void BusyBodies::transfer(Archive& archive) {
  auto& [counts] = *this;
  for (Count& one : counts) {
    auto& [time, shared, alone, all, strikes] = one;
    archive(time, shared, alone, all, strikes);
  }
}

void Settling::transfer(Archive& archive) {
  auto& [speed, settles] = *this;  // the speed is constant
  archive(settles);
}

void Rest::transfer(Archive& archive) {
  archive.section("rest");
  // The draft is scratch.
  auto& [draft, at_limit, pulling, pulled_at, last_look, moment, busy, flags, let_open] = *this;
  archive(at_limit, pulling, pulled_at, last_look, moment, busy, flags, let_open);
}

void Impacts::transfer(Archive& archive) {
  archive.section("impacts");
  // Constant: the law and its limits. Scratch of one impact: builder, solver, outcome, draft, what is selected,
  // what rounds and their answers have left. A capture ends a run that nobody goes on with.
  auto& [law, max_rounds, builder, settling, solver, outcome, draft, selected, two, struck_pairs, struck_places, again,
         fastest_left, fastest_at_first, approach_left, capture, captured] = *this;
  archive(settling, struck_pairs, struck_places, again);
}

}  // namespace carom::event

namespace carom {

void EventEngine::transfer(Archive& archive) {
  archive(log_, world_, closed_, held_, rest_, impacts_);
  if (archive.loads()) dynamics_.change_joints(world_.model());
  archive(dynamics_);
  archive(motions_, timeline_, stalls_, unfinished_, settled_, next_unsettled_);
  // Scratch: draft_, seeds_. A cache, whose entries follow from what stands still: loads_.
}

}  // namespace carom
