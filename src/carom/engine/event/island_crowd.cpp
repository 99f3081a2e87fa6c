/// Steps of crowded islands: many contacts that stick, slide, open and close at their own instants.
///
/// In a heap the modes of contacts change so often that locating each change costs more than the motion is worth, and
/// slips of spatial contacts pass close to zero, where their directions turn without bound. There a step of a fixed
/// part of the time scale is taken with all contacts one-sided and with their whole friction cones, implicit in the
/// velocity at its end (Moreau 1988, Jean 1999): with the rows R⁺ of the place predicted for the end of the step, and
/// impulses that push along those of its middle, R, so that contacts which stay closed do no work,
///   v⁺ = v + h G⁻¹f + G⁻¹RᵀP,   0 ≤ P_n ⟂ γ⁺ + g/h ≥ 0,   |P_t| ≤ μ P_n, P_t against u⁺ or u⁺ = 0.
/// Contacts that approach when the step begins, or would have closed before its end, are first brought to γ + g/h = 0
/// by impulses; from there on forces P/h act, velocities are linear and positions follow: gaps that close do so at the
/// end of the step. The error is of second order in h where modes hold, of first where they change. A slip or a
/// separation that ends does so exactly. Impulses by sweeps (island_sweeps.cpp), those of forces begun with the step
/// before. Afterwards the bodies are put back on their contacts (island_crowd_places.cpp).

#include <algorithm>
#include <cmath>

#include "carom/contact/motion.h"
#include "carom/engine/event/island_dynamics.h"
#include "carom/engine/event/island_state.h"
#include "carom/engine/event/world.h"
#include "carom/mechanics/attitude.h"

namespace carom::event {

namespace {

/// Islands with more contacts than this are crowded: with friction, and without. With friction so are those of more
/// bodies than this, unless springs connect them, and where contacts are rough those of more than one.
constexpr std::size_t kManyContacts = 6, kManySmoothContacts = 12, kFewBodies = 2;
/// Step size, relative to the time that the fastest point takes for the size of the smallest body.
constexpr double kStepPart = 0.01;
/// And to the time scales of springs and their dampers, √(m/k) and m/c.
constexpr double kSpringPart = 0.05;
/// Approach slower than this part of the fastest is taken up by forces.
constexpr double kSlowApproach = 1e-6;
/// Steps in which bodies overlap by more than this part of their width are taken again, shorter, down to this part.
constexpr double kMostOverlap = kCrowdDepth, kLeastPart = 1e-4;
/// How steps change with what the last one let overlap: to this part of what would be allowed, and by no more.
constexpr double kCareful = 0.8, kMostGrowth = 2.0, kMostShrinking = 0.1;
/// So are those that create more than this part of the energy that bodies have at the speeds at hand.
constexpr double kMostCreated = 1e-5;

}  // namespace

bool Island::has_many_contacts() const {
  if (has_too_many_contacts()) return true;
  const auto resists = [](const ActiveContact& active) { return active.contact.rule.resists_slip(); };
  const auto rough = [](const ActiveContact& active) { return active.contact.rule.rough; };
  const bool friction = std::any_of(contacts.begin(), contacts.end(), resists);
  const bool sticks = std::any_of(contacts.begin(), contacts.end(), rough);
  const bool many_bodies = sticks ? bodies.size() > 1 : friction && springs.empty() && bodies.size() > kFewBodies;
  if (contacts.size() <= (friction ? kManyContacts : kManySmoothContacts) && !many_bodies) return false;
  // Where none of them moves they go as one body, exactly; but springs would move them later, and what many rough ones
  // do costs too much to ask.
  return !springs.empty() || (sticks && contacts.size() > kManySmoothContacts) ||
         std::any_of(contacts.begin(), contacts.end(), [](const ActiveContact& active) { return active.moves; });
}

bool Island::is_crowded() const {
  if (!can_crowd()) return false;
  const auto undecided = [](const ActiveContact& active) { return active.undecided; };
  return has_many_contacts() || std::any_of(contacts.begin(), contacts.end(), undecided);
}

double IslandDynamics::time_scale(const Island& island) const {
  double smallest = contact::kForever;
  for (const BodyIndex body : island.bodies) smallest = std::min(smallest, extent_of(body));
  return smallest / island.fastest;
}

/// The longest step that springs and dampers allow.
double IslandDynamics::spring_step(const Island& island) const {
  double longest = contact::kForever;
  for (const SpringIndex index : island.springs) {
    const Spring& spring = model_->springs[index];
    double mass = model_->bodies[spring.body_a].mass;
    if (spring.body_b != kNone) mass = std::min(mass, model_->bodies[spring.body_b].mass);
    if (spring.stiffness > 0.0) longest = std::min(longest, kSpringPart * std::sqrt(mass / spring.stiffness));
    if (spring.damping > 0.0) longest = std::min(longest, kSpringPart * mass / spring.damping);
  }
  return longest;
}

/// Makes the rows at hand ready for sweeps over velocities: contacts one-sided, with their gaps to go within h.
void IslandDynamics::choose_blocks(const Island& island, double h) {
  blocks_.clear();
  impulse_.assign(rows_.size(), 0.0);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    Row& row = rows_[r];
    row.bias = row.wall_rate;
    blocks_.push_back(r);
    if (row.owner < 0) continue;
    row.equation = false;
    row.bias += std::max(0.0, gaps_[static_cast<std::size_t>(row.owner)]) / h;
    if (island.contacts[static_cast<std::size_t>(row.owner)].mode == ContactMode::smooth) continue;
    for (const std::size_t k : {1u, 2u}) rows_[r + k].bias = rows_[r + k].wall_rate;
    r += 2;
  }
}

/// The forces of the step before act on during this one, as a first guess.
void IslandDynamics::begin_with_forces(const Island& island, std::vector<double>& velocity) {
  for (const std::size_t r : blocks_) {
    if (rows_[r].owner < 0) continue;
    const ActiveContact& active = island.contacts[static_cast<std::size_t>(rows_[r].owner)];
    for (std::size_t k = 0; k < (active.mode == ContactMode::smooth ? 1u : 3u); ++k) {
      impulse_[r + k] = island.step * active.force[k];
      links_[r + k].push(impulse_[r + k], velocity.data());
    }
  }
}

/// Impulses at the start of a step, where contacts approach by more than forces take up in it.
void IslandDynamics::end_approach(Island& island) {
  island.jump = {};
  double* y = island.state.data();
  gaps_.resize(island.contacts.size());
  bool approaches = false;
  for (std::size_t i = 0; i < island.contacts.size(); ++i) {
    const ContactPoint contact = follow(island, island.contacts[i].contact, island.time, y);
    gaps_[i] = contact.gap;
    const double rate = gap_rate(contact, state_a_, state_b_) + std::max(0.0, contact.gap) / island.step;
    approaches = approaches || rate < -kSlowApproach * island.fastest;
  }
  if (!approaches) return;
  build_forces(island, y);
  build_rows(island, island.time, y);
  copy_links(rows_);
  choose_blocks(island, island.step);
  std::vector<double> after = velocity_;
  sweep_velocities(island, after);
  const auto n = static_cast<std::size_t>(n_);
  for (std::size_t r = 0; r < rows_.size(); ++r) island.jump.wall_work -= impulse_[r] * rows_[r].wall_rate;
  island.jump.cut_off = island.jump.wall_work;
  for (std::size_t k = 0; k < n; ++k) {
    island.jump.cut_off += 0.5 * mass_[k] * (velocity_[k] * velocity_[k] - after[k] * after[k]);
  }
  write_velocities(after, y);
}

/// A contact that separates when the step begins and would close again within it: a force all through the step would do
/// work while it opens. So it comes back as fast as it went, its force does no work on the whole, and the next step
/// begins with its approach.
void IslandDynamics::let_return(const Island& island) {
  const double* y = island.state.data();
  for (const std::size_t r : blocks_) {
    if (rows_[r].owner < 0) continue;
    const auto owner = static_cast<std::size_t>(rows_[r].owner);
    const ContactPoint contact = follow(island, island.contacts[owner].contact, island.time, y);
    const double rate = gap_rate(contact, state_a_, state_b_);
    if (rate > kSlowApproach * island.fastest) rows_[r].bias = std::max(rows_[r].bias, rows_[r].wall_rate + rate);
  }
}

/// Impulses that contacts allow take energy; those that sweeps have not found well may bring some.
bool IslandDynamics::creates_energy(const Island& island) const {
  double mass = 0.0;
  for (const BodyIndex body : island.bodies) mass += model_->bodies[body].mass;
  return left_over(island, island.after) < -kMostCreated * mass * island.fastest * island.fastest;
}

/// Where places turn out to be other than predicted (a disc that wobbles on its rim) the step is shorter. Forces of
/// redundant contacts, with which sweeps begin, may have grown against each other without doing anything: where they
/// create energy the step begins without them.
void IslandDynamics::take_crowded_step(Island& island, double horizon) {
  const double longest = std::min(kStepPart * time_scale(island), spring_step(island));
  const double wanted = island.next_step > 0.0 ? std::min(island.next_step, longest) : longest;
  const double left = horizon - island.time;
  const double parted = part_overlaps(island);
  const std::vector<double> state = island.state;
  std::vector<ActiveContact> contacts = island.contacts;
  bool with_forces = true;
  for (double h = left <= wanted * 1.01 ? left : std::min(wanted, 0.5 * left);;) {
    island.step = h;
    try_crowded_step(island);
    const bool anew = with_forces && creates_energy(island);
    const double overlap = deepest_overlap(island);
    const bool good = overlap <= kMostOverlap && !anew;
    // Overlaps grow with the square of the step.
    const double fitting = overlap > 0.0 ? kCareful * std::sqrt(kMostOverlap / overlap) : kMostGrowth;
    island.next_step = good ? h * std::min(fitting, kMostGrowth) : h;
    if (good || h < kLeastPart * longest) {
      island.jump.cut_off += parted;
      return;
    }
    ++rejected;
    if (anew) {
      with_forces = false;
      for (ActiveContact& active : contacts) active.force = {};
    } else {
      h *= std::clamp(fitting, kMostShrinking, 0.5);
    }
    island.state = state;
    island.contacts = contacts;
  }
}

void IslandDynamics::try_crowded_step(Island& island) {
  const double h = island.step;
  for (ActiveContact& active : island.contacts) {
    active.begins = active.slides();  // kinetic friction until it has stuck
    active.mode = active.contact.rule.resists_slip() ? ContactMode::stick : ContactMode::smooth;
  }
  end_approach(island);
  // The places in the middle and at the end, predicted with the velocities at hand.
  const double* y = island.state.data();
  const auto build_rows_after = [&](double time) {
    std::vector<double> moves = velocity_;
    for (double& move : moves) move *= time;
    displaced_.assign(y, y + island.size());
    move_bodies(moves, displaced_.data());
    build_rows(island, island.time + time, displaced_.data());
  };
  build_forces(island, y);
  build_rows_after(0.5 * h);
  if (!island.springs.empty()) build_forces(island, displaced_.data());
  saved_rows_ = rows_;
  saved_tangent_ = tangent_;
  build_rows_after(h);
  turn_with(saved_tangent_, saved_rows_);
  copy_links(saved_rows_);
  const std::vector<double> before = velocity_;
  std::vector<double> after = velocity_;
  const auto n = static_cast<std::size_t>(n_);
  for (std::size_t k = 0; k < n; ++k) after[k] += h * force_[k] * inverse_mass_[k];
  choose_blocks(island, h);
  let_return(island);
  begin_with_forces(island, after);
  sweep_velocities(island, after);
  finish_crowded_step(island, before, after);
  if (const double slowing = slowing_of_end(island, after); slowing < 1.0) {
    for (double& velocity : after) velocity *= slowing;
    finish_crowded_step(island, before, after);
  }
}

void IslandDynamics::finish_crowded_step(Island& island, const std::vector<double>& before,
                                         const std::vector<double>& after) {
  const double h = island.step;
  const auto size = static_cast<std::size_t>(island.size());
  std::vector<double>& end = island.after;
  std::vector<double>& dense = island.dense;
  end = island.state;
  dense.assign(static_cast<std::size_t>(DensePolynomial::size(island.size())), 0.0);
  std::copy(island.state.begin(), island.state.end(), dense.begin());
  for (std::size_t slot = 0; slot < island.bodies.size(); ++slot) {
    double* state = end.data() + kPerBody * slot;
    const double* v = before.data() + 6 * slot;
    const double* w = after.data() + 6 * slot;
    const auto rate = [&](const double* velocity, const double* place, double* out) {
      const Quaterniond turning = attitude_of(place) * Quaterniond(0.0, velocity[3], velocity[4], velocity[5]);
      out[0] = 0.5 * turning.w();
      out[1] = 0.5 * turning.x();
      out[2] = 0.5 * turning.y();
      out[3] = 0.5 * turning.z();
    };
    double first[4], last[4];
    rate(v, state, first);
    for (int k = 0; k < 3; ++k) state[k] += 0.5 * h * (v[k] + w[k]);
    const Vector3d turn(0.5 * h * (v[3] + w[3]), 0.5 * h * (v[4] + w[4]), 0.5 * h * (v[5] + w[5]));
    write_attitude(attitude_of(state) * rotation_by(turn), state);
    std::copy(w, w + 6, state + 7);
    rate(w, state, last);
    double* bend = dense.data() + 2 * size + kPerBody * slot;
    for (int k = 0; k < 3; ++k) bend[k] = 0.5 * h * (w[k] - v[k]);
    for (int k = 0; k < 4; ++k) bend[3 + k] = 0.5 * h * (last[k] - first[k]);
  }
  // Works, with the mean velocities of the step.
  double friction = 0.0, walls = 0.0;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const double wall = -impulse_[r] * rows_[r].wall_rate;
    walls += wall;
    if (rows_[r].owner < 0 || rows_[r].normal) continue;
    friction += wall - 0.5 * impulse_[r] * (links_[r].rate(before.data()) + links_[r].rate(after.data()));
  }
  double* integrals = end.data() + size - static_cast<std::size_t>(island.integrals());
  integrals[0] = h * damping_power_;
  integrals[1] = h * torque_power_;
  integrals[2] = walls;
  if (island.dissipates()) integrals[3] = friction;
  for (std::size_t k = 0; k < size; ++k) dense[size + k] = end[k] - island.state[k];
  for (ActiveContact& active : island.contacts) active.force = {};
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (rows_[r].owner < 0 || !rows_[r].normal) continue;
    ActiveContact& active = island.contacts[static_cast<std::size_t>(rows_[r].owner)];
    const bool resists = active.mode != ContactMode::smooth;
    for (std::size_t k = 0; k < (resists ? 3u : 1u); ++k) active.force[k] = impulse_[r + k] / h;
    if (!resists) continue;
    const double slip = std::hypot(links_[r + 1].rate(after.data()) + rows_[r + 1].wall_rate,
                                   links_[r + 2].rate(after.data()) + rows_[r + 2].wall_rate);
    if (slip > kSlowSlip * island.fastest && !active.contact.rule.rough) active.mode = ContactMode::slide;
  }
}

}  // namespace carom::event
