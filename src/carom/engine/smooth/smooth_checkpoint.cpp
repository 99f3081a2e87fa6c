/// What the compliant engine goes on from, class by class: each names all its members, and says which are constant or
/// are computed anew.

#include "carom/engine/archived_types.h"
#include "carom/engine/smooth/group_checkpoint.h"
#include "carom/engine/smooth/smooth_engine.h"

namespace carom::smooth {

static void transfer(Archive& archive, Track& track) {
  auto& [start, end, speed, reach, variation, curved, c] = track;
  archive(start, end, speed, reach, variation, curved, c);
}

static void transfer(Archive& archive, GroupEvent& event) {
  auto& [time, group, version, other, other_version, a, b, feature, order] = event;
  archive(time, group, version, other, other_version, a, b, feature, order);
}

static void transfer(Archive& archive, ScriptWatch::Due& due) {
  auto& [time, what, which] = due;
  archive(time, what, which);
}

/// Free rotations are computed anew from the states at the start of a flight, as Paths::begin_flight does.
void Paths::transfer(Archive& archive) {
  archive.section("paths");
  auto& [environment, states, turns, in_play, flies, tracks, boxes, rotations, exact_at] = *this;
  archive(states, turns, in_play, flies, tracks, exact_at);
  for (Bounds& box : boxes) archive(box.low, box.high);
  std::vector<char> turning;
  for (const auto& rotation : rotations) turning.push_back(rotation != nullptr ? 1 : 0);
  archive(turning);
  if (!archive.loads()) return;
  for (const BodyIndex body : rotations.indices()) {
    rotations[body].reset();
    if (turning.at(body.slot()) != 0) rotations[body] = rotation_of(body);
  }
}

void Clearances::transfer(Archive& archive) {
  auto& [known, odometers] = *this;
  for (Odometer& odometer : odometers) archive(odometer.way, odometer.start, odometer.speed);
  std::map<std::uint64_t, std::array<double, 3>> pairs;  // a, b and until
  for (const auto& [key, pair] : known)
    pairs[key] = {static_cast<double>(pair.a), static_cast<double>(pair.b), pair.until};
  archive(pairs);
  if (!archive.loads()) return;
  known.clear();
  for (const auto& [key, pair] : pairs) known[key] = {static_cast<int>(pair[0]), static_cast<int>(pair[1]), pair[2]};
}

void Timeline::transfer(Archive& archive) {
  archive.section("timeline");
  auto& [heap, events, free, most, found] = *this;
  // No two events are equal, so that their order alone says which one comes next.
  std::vector<GroupEvent> in_order;
  std::sort_heap(heap.begin(), heap.end());
  for (auto entry = heap.rbegin(); entry != heap.rend(); ++entry) in_order.push_back(events[entry->place]);
  std::make_heap(heap.begin(), heap.end());
  archive(in_order, found);
  if (!archive.loads()) return;
  heap.clear();
  events.clear();
  free.clear();
  most = kFew;
  for (const GroupEvent& event : in_order) insert(event);
}

void NearPairs::transfer(Archive& archive) {
  auto& [covers, near] = *this;
  for (Bounds& cover : covers) archive(cover.low, cover.high);
  archive(near);
}

void NearList::transfer(Archive& archive) {
  [[maybe_unused]] auto& [few, count, more] = *this;  // as add() fills them
  std::vector<BodyIndex> all(begin(), end());
  archive(all);
  if (!archive.loads()) return;
  clear();
  for (const BodyIndex body : all) add(body);
}

void Encounters::transfer(Archive& archive) {
  auto& [grid, pairs, near] = *this;  // near_ is scratch
  archive(grid, pairs);
}

void ScriptWatch::transfer(Archive& archive) {
  archive.section("script");
  auto& [waits_for_motion, sides, found] = *this;
  std::vector<char> marks(found.size(), 0);  // as many as were found
  archive(waits_for_motion, sides, marks);
  if (archive.loads()) found.resize(marks.size());
  for (Found& one : found) {
    auto& [due, stretches] = one;
    archive(due, stretches);
  }
}

void ContactBook::transfer(Archive& archive) {
  auto& [laws, report, works, open] = *this;  // the laws are constant
  archive(report, open);
  for (LawWork& work : works) archive(work.normal, work.friction);
}

void RestWatch::transfer(Archive& archive) {
  auto& [speed, since, next_look] = *this;  // the speed is constant
  archive(since, next_look);
}

void EnergyWatch::transfer(Archive& archive) {
  auto& [scale, first_gravity, looked, share] = *this;
  archive(scale, first_gravity, looked, share);
}

void Stepping::transfer(Archive& archive) {
  auto& [environment, laws, integrator, first_part, tolerance_share, counts] = *this;
  archive(first_part, tolerance_share, counts.accepted, counts.rejected, counts.constraint_drift);
}

}  // namespace carom::smooth

namespace carom {

void SmoothEngine::transfer(Archive& archive) {
  archive.section("compliant engine");
  archive(log_, start_, now_, end_, repeated_time_, repeats_, until_watch_);
  std::shared_ptr<const Model> model = environment_->shared_model();
  transfer_changes(archive, model);
  if (archive.loads()) {
    take_model(std::move(model), halted_state());
    first_contacts_.clear();
  }
  archive(motions_.paths, motions_.groups, motions_.clearances, motions_.script, encounters_, timeline_, stepping_,
          script_watch_, book_, rest_watch_, energy_watch_);
  smooth::transfer_contacts(archive, *environment_, first_contacts_);
  if (archive.loads()) {
    for (smooth::Contact& contact : first_contacts_) laws_->bring_own_forces(contact);
    for (const smooth::GroupIndex group : motions_.groups.indices())
      for (smooth::Contact& contact : motions_.groups[group].dynamics.contacts) laws_->bring_own_forces(contact);
  }
  // events_ has scratch alone.
}

}  // namespace carom
