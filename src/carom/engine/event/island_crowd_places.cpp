/// Where the bodies of a crowded island come to: how far a step lets them overlap, back onto contacts and constraints,
/// whether they stand still, and what of the energy that leaves.

#include <algorithm>
#include <cmath>

#include "carom/engine/event/island_dynamics.h"
#include "carom/engine/event/island_state.h"
#include "carom/engine/event/world.h"
#include "carom/geometry/support.h"

namespace carom::event {

namespace {

/// Places are put back to this part of the size.
constexpr double kPositionTolerance = 1e-11;
/// Overlap of bodies, relative to how thin they are, below which it does not matter where they come together.
constexpr double kLittleOverlap = 0.5 * kCrowdDepth;
constexpr IslandDynamics::Sweeps kPlacing = {0.0, 30};
/// Redundant contacts whose gaps do not quite agree would move bodies without bound to close them all: a contact gives
/// way by this part of what it would move alone, and no move is more than 1/2√softness of the gaps.
constexpr double kSoftness = 1e-3;
/// Contacts that press are closed by so much at a time, relative to the size: farther moves might drive bodies into
/// others.
constexpr double kMostPull = kCrowdClosed;
/// Overlaps up to this part of the width are left to the end of a step.
constexpr double kLeftToSteps = 1e-7;
/// What approaches faster than this part of the fastest has come together at another place than was expected.
constexpr double kFastApproach = 1e-2;
/// Points are found as near to the border of a face as bodies are that count as touching; beyond that they have left.
constexpr double kBesideBorder = 2.0 * kCrowdGap;
/// Sweeps that look for balance, and their accuracy, relative to the accelerations at hand.
constexpr IslandDynamics::Sweeps kBalance = {1.0, 3000, 100};
constexpr double kBalanced = 1e-9;
/// The time over which forces are looked at where no step has been taken yet: any does, from a stand [s].
constexpr double kFirstLook = 1.0;

/// How far apart two convex shapes are along a unit vector from b to a; their distance is never less than that.
double apart_along(const contact::PlacedPair& placed, const Vector3d& normal) {
  if (!is_solid(shape_kind(placed.a)) || !is_solid(shape_kind(placed.b))) return -contact::kForever;
  const Vector3d in_a = placed.pose_a.orientation.conjugate() * Vector3d(-normal);
  const Vector3d in_b = placed.pose_b.orientation.conjugate() * normal;
  return normal.dot(placed.pose_a.position - placed.pose_b.position) - support(placed.a, in_a) -
         support(placed.b, in_b);
}

/// The least value of the parabola through these at the start, in the middle and at the end of a stretch: velocities
/// within a step are linear, so gaps go as parabolas. One that approaches at first may dip although it has opened by
/// the middle.
double least_on_the_way(double start, double middle, double end) {
  const double slope = 4.0 * middle - 3.0 * start - end, curvature = 2.0 * (start - 2.0 * middle + end);
  const double at = -0.5 * slope / curvature;
  return curvature > 0.0 && at > 0.0 && at < 1.0 ? start + at * (slope + at * curvature) : std::min(start, end);
}

}  // namespace

/// By how much bodies overlap up to a part of a step, at most and relative to how thin they are, where that is more
/// than when it began: at their contacts, all the way, and wherever else the two come together at its middle and its
/// end. Planes are searched for the latter in their own way (timeline.cpp).
IslandDynamics::Overlaps IslandDynamics::overlaps_until(const Island& island, double part) {
  const DensePolynomial motion{island.dense.data(), island.size(), island.time, island.step};
  std::vector<double>& y = displaced_;
  y.resize(static_cast<std::size_t>(island.size()));
  middle_gaps_.resize(island.contacts.size());
  Overlaps deepest;
  for (const double theta : {0.5 * part, part}) {
    motion.value(theta, 0, island.size(), y.data());
    std::size_t end = 0;
    for (std::size_t first = 0; first < island.contacts.size(); first = end) {
      const ContactPoint& of_pair = island.contacts[first].contact;
      const double width = width_of(of_pair);
      const auto look = [&](double gap, double before, double& most) {
        if (gap < before - kPositionTolerance * width) most = std::max(most, -gap / width);
      };
      read_states(island, of_pair, island.time + theta * island.step, y.data());
      const contact::PlacedPair here = placed(of_pair);
      bool apart =
          is_plane(model_->parts(of_pair.b)) || std::holds_alternative<contact::NearestPoints>(of_pair.feature);
      for (end = first; end < island.contacts.size() && island.contacts[end].contact.same_parts(of_pair); ++end) {
        const ContactPoint now = contact::followed(island.contacts[end].contact, pair(of_pair), here);
        look(now.gap, gaps_[end], deepest.at_contacts);
        if (theta < part) {
          middle_gaps_[end] = now.gap;
        } else {
          look(least_on_the_way(gaps_[end], middle_gaps_[end], now.gap), gaps_[end], deepest.at_contacts);
        }
        apart = apart || apart_along(here, now.normal) > -kLittleOverlap * width;
      }
      if (apart) continue;
      const double distance = distance_of(of_pair);
      if (-distance <= std::max(deepest.at_contacts, deepest.elsewhere) * width) continue;
      read_states(island, of_pair, island.time, island.state.data());
      look(distance, distance_of(of_pair), deepest.elsewhere);
    }
  }
  return deepest;
}

/// The overlap that a step may bring. It ends where points are seen to come together that it did not know, and what
/// comes together after that is none of its own.
double IslandDynamics::deepest_overlap(Island& island) {
  const Overlaps whole = overlaps_until(island, 1.0);
  const double deepest = std::max(whole.at_contacts, whole.elsewhere);
  if (deepest <= kCrowdDepth || whole.at_contacts > kCrowdDepth) return deepest;
  const double part = part_until_opening(island);
  return part < 1.0 ? std::max(whole.at_contacts, overlaps_until(island, part).elsewhere) : deepest;
}

/// The signed distance of the parts of a contact, whose states have been read.
double IslandDynamics::distance_of(const ContactPoint& contact) const {
  const contact::PlacedPair here = placed(contact);
  return pair(contact).proximity(here.a, here.pose_a, here.b, here.pose_b).distance;
}

/// Leaves out of the sweeps what is open: across a gap nothing is borne yet, the next steps close it.
void IslandDynamics::leave_open_contacts(const Island& island, double time, const double* y) {
  std::erase_if(blocks_, [&](std::size_t r) {
    if (rows_[r].owner < 0) return false;
    const ContactPoint& contact = island.contacts[static_cast<std::size_t>(rows_[r].owner)].contact;
    const double extent = std::min(extent_of(contact.a), extent_of(contact.b));
    return follow(island, contact, time, y).gap > kCrowdClosed * extent;
  });
}

double IslandDynamics::unbalanced(const Island& given, double time, const double* y) {
  Island island = given;
  std::vector<double> still(y, y + island.size());
  stop_bodies(still.data(), island.bodies.size());
  for (ActiveContact& active : island.contacts)
    active.mode = active.contact.rule.resists_slip() ? ContactMode::stick : ContactMode::smooth;
  build_forces(island, still.data());
  build_rows(island, time, still.data());
  copy_links(rows_);
  const double h = island.step > 0.0 ? island.step : kFirstLook;
  gaps_.assign(island.contacts.size(), 0.0);
  const auto n = static_cast<std::size_t>(n_);
  std::vector<double> after(n);
  for (std::size_t k = 0; k < n; ++k) after[k] = h * force_[k] * inverse_mass_[k];
  choose_blocks(island, h);
  leave_open_contacts(island, time, still.data());
  begin_with_forces(island, after);
  take_own_rates();
  (void)sweep_until(island, kBalance, after, kBalanced * h * acceleration_scale_);
  double most = 0.0;
  for (std::size_t k = 0; k < n; ++k)
    most = std::max(most, std::abs(after[k]) * (k % 6 < 3 ? 1.0 : extent_of(island.bodies[k / 6])));
  return most / h;
}

std::vector<char> IslandDynamics::pressing_in_balance(std::size_t contacts) const {
  std::vector<char> pressing(contacts, 0);
  for (const std::size_t r : blocks_)
    if (rows_[r].owner >= 0 && impulse_[r] > 0.0) pressing[static_cast<std::size_t>(rows_[r].owner)] = 1;
  return pressing;
}

/// Moves the bodies by sweeps over the gaps of the chosen rows, friction left out, until these are closed to a part of
/// `size`, or open where they are one-sided.
void IslandDynamics::close_gaps(const Island& island, double size, double* y) {
  Island smooth = island;
  for (ActiveContact& active : smooth.contacts) active.mode = ContactMode::smooth;
  std::vector<double> move(static_cast<std::size_t>(n_), 0.0);
  (void)sweep_until(smooth, kPlacing, move, kPositionTolerance * size);
  hold_constraints(move);
  move_bodies(move, y);
}

/// Where a step has ended since points came together that it did not know, its bodies are not put back at its end. They
/// are at the start of the next one, which knows all of them, and only apart. Returns the energy that this takes.
double IslandDynamics::part_overlaps(Island& island) {
  double* y = island.state.data();
  double deepest = 0.0, least = contact::kForever;
  std::vector<char> touches;  // and overlaps by no more than steps let them
  for (const ActiveContact& active : island.contacts) {
    const double extent = std::min(extent_of(active.contact.a), extent_of(active.contact.b));
    const double gap = follow(island, active.contact, island.time, y).gap;
    const bool on = contact::same_feature(active.contact, pair(active.contact), placed(active.contact), kBesideBorder);
    touches.push_back(on && gap > -kCrowdGap * extent ? 1 : 0);
    if (touches.back() != 0) deepest = std::max(deepest, -gap / width_of(active.contact));
    least = std::min(least, extent);
  }
  if (deepest <= kLeftToSteps) return 0.0;
  const std::vector<double> before = island.state;
  build_forces(island, y);
  build_rows(island, island.time, y);
  (void)put_gaps();
  copy_links(rows_);
  impulse_.assign(rows_.size(), 0.0);
  blocks_.clear();
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const int owner = rows_[r].owner;
    if (owner >= 0 && (!rows_[r].normal || touches[static_cast<std::size_t>(owner)] == 0)) continue;
    blocks_.push_back(r);
    if (owner < 0) continue;
    rows_[r].equation = false;
    links_[r].softness = kSoftness * links_[r].inertance;
  }
  close_gaps(island, least, y);
  return -left_over(island, before);
}

/// Back onto the contacts that press, and out of those that overlap, by sweeps over the gaps.
void IslandDynamics::put_crowd_back(Island& island) {
  double* y = island.after.data();
  build_forces(island, y);
  build_rows(island, island.end(), y);
  (void)put_gaps();
  copy_links(rows_);
  impulse_.assign(rows_.size(), 0.0);
  blocks_.clear();
  double least = contact::kForever;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    Row& row = rows_[r];
    if (row.owner >= 0 && !row.normal) continue;
    blocks_.push_back(r);
    if (row.owner < 0) continue;
    links_[r].softness = kSoftness * links_[r].inertance;
    const ActiveContact& active = island.contacts[static_cast<std::size_t>(row.owner)];
    read_states(island, active.contact, island.end(), y);
    // Beyond the end of an edge or the border of a face there is no gap to be closed.
    if (!contact::same_feature(active.contact, pair(active.contact), placed(active.contact), kBesideBorder)) {
      island.opens = true;
      blocks_.pop_back();
      continue;
    }
    const double extent = std::min(extent_of(active.contact.a), extent_of(active.contact.b));
    least = std::min(least, extent);
    row.equation = active.force[0] > 0.0;
    if (!row.equation && row.bias > kCrowdGap * extent && row.rate > 0.0) island.opens = true;
    if (row.bias < 0.0 && row.rate < -kFastApproach * island.fastest) island.opens = true;  // an impact of its own
    row.bias = std::min(row.bias, kMostPull * extent);
  }
  // Where new points have come together the next step looks after all of them; here they would be driven in.
  if (island.opening == 1.0) {
    close_gaps(island, least, y);
  }
  if (!island.constraints.empty()) put_on_constraints(island);
  take_created_energy(island);
  island.correction = {left_over(island, island.after), 0.0};
}

double IslandDynamics::kinetic_energy(const Island& island, const std::vector<double>& state) const {
  double sum = 0.0;
  for (std::size_t slot = 0; slot < island.bodies.size(); ++slot) {
    const Body& body = model_->bodies[island.bodies[slot]];
    const double* part = state.data() + kPerBody * slot;
    sum += 0.5 * body.mass * velocity_of(part).squaredNorm() +
           0.5 * spin_of(part).dot(body.inertia.cwiseProduct(spin_of(part)));
  }
  return sum;
}

/// Friction takes more energy than steps create. Where there is none, bodies on obstacles at rest are slowed down
/// together, which leaves all contacts as they are.
bool IslandDynamics::may_be_slowed(const Island& island) const {
  const bool stands = std::any_of(island.contacts.begin(), island.contacts.end(),
                                  [&](const ActiveContact& active) { return !model_->is_body(active.contact.b); });
  return stands && !island.dissipates() && drives(island).empty();
}

/// A step of second order may end with a little more energy than it began with. And where forces begin from nothing
/// sweeps that have not come to their end leave speeds that are little beside those which bodies could have, but not
/// beside those that they have: a stack that hardly moves would have many times the energy of its motion. By what the
/// velocities w of the end are multiplied so that there is no more: with s the change of energy is K s² + b s + c, K
/// the kinetic energy of w, b = −½ h f·w what forces do meanwhile, and c what is left of the change that there was.
double IslandDynamics::slowing_of_end(const Island& island, const std::vector<double>& after) const {
  if (!may_be_slowed(island)) return 1.0;
  const double created = -left_over(island, island.after);
  if (!(created > 0.0)) return 1.0;
  const double kinetic = kinetic_energy(island, island.after);
  double work = 0.0;
  for (std::size_t k = 0; k < after.size(); ++k) work -= 0.5 * island.step * force_[k] * after[k];
  const double root = work * work - 4.0 * kinetic * (created - kinetic - work);
  return root > 0.0 ? std::clamp((std::sqrt(root) - work) / (2.0 * kinetic), 0.0, 1.0) : 0.0;
}

/// What there is too much in the middle of a step, where velocities are linear while normals turn, and what putting
/// bodies back has brought.
void IslandDynamics::take_created_energy(Island& island) {
  if (!may_be_slowed(island)) return;
  const DensePolynomial motion{island.dense.data(), island.size(), island.time, island.step};
  std::vector<double>& state = displaced_;
  state.resize(static_cast<std::size_t>(island.size()));
  for (const int half : {0, 1, 2}) {
    motion.value(0.5 * half, 0, island.size(), state.data());
    island.excess.kinetic[half] = kinetic_energy(island, state);
    island.excess.created[half] = half == 0 ? 0.0 : -left_over(island, state);
  }
  const double created = -left_over(island, island.after);
  if (!(created > 0.0)) return;
  const double kinetic = kinetic_energy(island, island.after);
  const double part = created < kinetic ? std::sqrt(1.0 - created / kinetic) : 0.0;
  for (std::size_t slot = 0; slot < island.bodies.size(); ++slot)
    for (std::size_t k = 7; k < kPerBody; ++k) island.after[kPerBody * slot + k] *= part;
}

/// Velocities as the constraints of bodies have it where these have come to.
void IslandDynamics::put_on_constraints(Island& island) {
  double* y = island.after.data();
  build_forces(island, y);
  build_rows(island, island.end(), y);
  copy_links(rows_);
  impulse_.assign(rows_.size(), 0.0);
  for (Row& row : rows_) row.bias = row.wall_rate;
  std::vector<double> velocity = velocity_;
  hold_constraints(velocity);
  write_velocities(velocity, y);
}

double IslandDynamics::left_over(const Island& island, const std::vector<double>& later) const {
  const auto energy_of = [&](const std::vector<double>& state) {
    double sum = kinetic_energy(island, state);
    for (std::size_t slot = 0; slot < island.bodies.size(); ++slot)
      sum -=
          model_->bodies[island.bodies[slot]].mass * model_->gravity.dot(position_of(state.data() + kPerBody * slot));
    for (const LoadIndex index : island.loads) {
      const Load& load = model_->loads[index];
      sum -= load.force.dot(position_of(state.data() + kPerBody * island.slot(load.body)));
    }
    for (const SpringIndex index : island.springs) {
      const Spring& spring = model_->springs[index];
      const auto end = [&](BodyIndex body, const Vector3d& point) {
        return object_state(island, body, 0.0, state.data()).pose().to_world(point);
      };
      const Vector3d other = spring.body_b == kNone ? spring.point_b : end(spring.body_b, spring.point_b);
      const double longer = (end(spring.body_a, spring.point_a) - other).norm() - spring.rest_length;
      sum += 0.5 * spring.stiffness * longer * longer;
    }
    return sum;
  };
  const double* integrals = later.data() + later.size() - static_cast<std::size_t>(island.integrals());
  return energy_of(island.state) - energy_of(later) - integrals[0] + integrals[1] + integrals[2] -
         (island.dissipates() ? integrals[3] : 0.0);
}

}  // namespace carom::event
