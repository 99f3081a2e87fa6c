#include "carom/simulation/event.h"

#include "carom/engine/archived_types.h"

namespace carom {

static void transfer(Archive& archive, ContactCourse& course) {
  auto& [began, peak_force, peak_time] = course;
  archive(began, peak_force, peak_time);
}

static void transfer(Archive& archive, ContactRecord& contact) {
  auto& [a, b, point, normal, impulse, tangential_impulse, rate_before, rate_after, restitution, limit, course] =
      contact;
  archive(a, b, point, normal, impulse, tangential_impulse, rate_before, rate_after, restitution, limit, course);
}

static void transfer(Archive& archive, JumpRecord& jump) {
  auto& [body, velocity_before, velocity_after, spin_before, spin_after] = jump;
  archive(body, velocity_before, velocity_after, spin_before, spin_after);
}

static void transfer(Archive& archive, JointRecord& joint) {
  auto& [index, force, couple] = joint;
  archive(index, force, couple);
}

static void transfer(Archive& archive, ImpactEnergy& energy) {
  auto& [before, after, change, change_from_impulses, contact_work, wall_work] = energy;
  archive(before, after, change, change_from_impulses, contact_work, wall_work);
}

void Event::transfer(Archive& archive) {
  auto& [time, kind, round, law, contacts, jumps, joints, steps, stop, energy, min_impulse, min_gap_rate_after,
         constraint_residual, complementarity_residual, flags, pocket, script] = record_;
  archive(law_, contacts_, jumps_, joints_);
  archive(time, kind, round, steps, stop, energy, min_impulse, min_gap_rate_after, constraint_residual,
          complementarity_residual, flags, pocket, script);
  if (archive.loads()) point_inside();
}

}  // namespace carom
