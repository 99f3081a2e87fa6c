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
/// separation that ends does so exactly. Impulses by projected block Gauss–Seidel sweeps over the rows, which know two
/// bodies each, those of forces begun with the step before. What they and the places leave of the energy is booked as
/// cut off.

#include <algorithm>
#include <cmath>

#include "carom/base/activity.h"
#include "carom/engine/event/island.h"
#include "carom/engine/event/island_state.h"
#include "carom/engine/event/world.h"
#include "carom/mechanics/attitude.h"

namespace carom::event {

namespace {

/// Islands with more contacts than this are crowded: with friction, and without. With friction so are those of more
/// bodies than this, and where contacts are rough those of more than one.
constexpr std::size_t kManyContacts = 6, kManySmoothContacts = 12, kFewBodies = 2;
/// Step size, relative to the time that the fastest point takes for the size of the smallest body.
constexpr double kStepPart = 0.005;
/// Sweeps end when velocities change by less than this part of the fastest, positions by less than this of the size.
constexpr double kVelocityTolerance = 1e-8, kPositionTolerance = 1e-12;
constexpr int kConstraintSweeps = 3;
constexpr int kWholeSweeps = 150, kFrictionSweeps = 400, kMostSweeps = 1000;
/// Approach slower than this part of the fastest is taken up by forces: bodies overlap by 2e-7 of their size meanwhile.
constexpr double kSlowApproach = 1e-6;
/// Steps in which bodies overlap by more than this part of their size are taken again, shorter, down to this part.
constexpr double kMostOverlap = 5e-7, kLeastPart = 1e-4;
/// What is faster than this has come together at another place than was expected.
constexpr double kFastApproach = 1e-2;

}  // namespace

bool Island::has_many_contacts() const {
  const auto resists = [](const ActiveContact& active) { return active.contact.rule.resists_slip(); };
  const auto rough = [](const ActiveContact& active) { return active.contact.rule.rough; };
  const bool friction = std::any_of(contacts.begin(), contacts.end(), resists);
  const bool sticks = std::any_of(contacts.begin(), contacts.end(), rough);
  const bool many_bodies = friction && bodies.size() > (sticks ? 1 : kFewBodies);
  if (contacts.size() <= (friction ? kManyContacts : kManySmoothContacts) && !many_bodies) return false;
  // Where none of them moves they go as one body, exactly.
  return std::any_of(contacts.begin(), contacts.end(), [](const ActiveContact& active) { return active.moves; });
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

void IslandDynamics::copy_links(const std::vector<double>& pushing) {
  links_.resize(rows_.size());
  const auto n = static_cast<std::size_t>(n_);
  bool turns = false;  // the contact at hand changes its normal so much within the step that the middle tells nothing
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    Link& link = links_[r];
    link.slot = {row.slot_a, row.slot_b};
    const auto copy = [&](const std::vector<double>& along) {
      link.inertance = 0.0;
      double own = 0.0;
      for (std::size_t side = 0; side < 2; ++side) {
        if (link.slot[side] < 0) continue;
        const std::size_t first = 6 * static_cast<std::size_t>(link.slot[side]);
        for (std::size_t k = 0; k < 6; ++k) {
          const double mass = metric_[(first + k) * (n + 1)];
          double& entry = link.entry[6 * side + k];
          entry = matrix_[r * n + first + k];
          link.change[6 * side + k] = along[r * n + first + k] / mass;
          link.inertance += entry * link.change[6 * side + k];
          own += entry * entry / mass;
        }
      }
      return link.inertance >= 0.5 * own;
    };
    const bool follows = (!turns || row.normal || row.owner < 0) && copy(pushing);
    if (row.normal || row.owner < 0) turns = !follows;
    if (!follows) (void)copy(matrix_);
  }
}

/// Tangent rows that were taken with other tangents, those of an earlier place, as those of the present ones.
void IslandDynamics::turn_with(const std::vector<Vector3d>& tangents, std::vector<double>& matrix) const {
  const auto n = static_cast<std::size_t>(n_);
  for (std::size_t r = 0; r + 2 < rows_.size(); ++r) {
    if (rows_[r].owner < 0 || !rows_[r].normal || rows_[r + 1].normal || rows_[r + 1].owner != rows_[r].owner) continue;
    const std::size_t first = 2 * static_cast<std::size_t>(rows_[r].owner);
    for (std::size_t k = 0; k < n; ++k) {
      double& one = matrix[(r + 1) * n + k];
      double& other = matrix[(r + 2) * n + k];
      const double a = one, b = other;
      one = tangent_[first].dot(tangents[first]) * a + tangent_[first].dot(tangents[first + 1]) * b;
      other = tangent_[first + 1].dot(tangents[first]) * a + tangent_[first + 1].dot(tangents[first + 1]) * b;
    }
  }
}

double IslandDynamics::rate_along(const Link& link, const std::vector<double>& velocity) {
  double sum = 0.0;
  for (std::size_t side = 0; side < 2; ++side) {
    if (link.slot[side] < 0) continue;
    const double* v = velocity.data() + 6 * link.slot[side];
    for (std::size_t k = 0; k < 6; ++k) sum += link.entry[6 * side + k] * v[k];
  }
  return sum;
}

void IslandDynamics::push(const Link& link, double impulse, std::vector<double>& velocity) {
  for (std::size_t side = 0; side < 2; ++side) {
    if (link.slot[side] < 0) continue;
    double* v = velocity.data() + 6 * link.slot[side];
    for (std::size_t k = 0; k < 6; ++k) v[k] += impulse * link.change[6 * side + k];
  }
}

/// A contact's normal, or a bilateral row, is given the impulse that it needs while all others keep theirs. Returns how
/// much its rate changed.
double IslandDynamics::relax_normal(std::size_t r, std::vector<double>& velocity) {
  const Row& row = rows_[r];
  const double rate = rate_along(links_[r], velocity) + row.bias;
  const bool one_sided = row.owner >= 0 && !row.equation;
  const double wanted = impulse_[r] - rate / links_[r].inertance;
  const double change = (one_sided ? std::max(0.0, wanted) : wanted) - impulse_[r];
  impulse_[r] += change;
  if (change != 0.0) push(links_[r], change, velocity);
  return std::abs(change) * links_[r].inertance;
}

/// The same for the friction of a contact, of which a part is taken.
double IslandDynamics::relax_friction(const ActiveContact& active, std::size_t r, double part,
                                      std::vector<double>& velocity) {
  const double normal = impulse_[r];
  const double inertance = std::max(links_[r + 1].inertance, links_[r + 2].inertance);
  double target[2];
  for (const std::size_t k : {0u, 1u})
    target[k] = impulse_[r + 1 + k] - (rate_along(links_[r + 1 + k], velocity) + rows_[r + 1 + k].bias) / inertance;
  const PairRule& rule = active.contact.rule;
  if (rule.rough) {
    if (normal == 0.0) target[0] = target[1] = 0.0;
  } else {
    const double size = std::sqrt(target[0] * target[0] + target[1] * target[1]);
    const bool held = !active.begins && size <= rule.friction.static_friction * normal;
    const double limit = rule.friction.kinetic_friction * normal;
    if (!held && size > limit)
      for (double& each : target) each *= limit / size;
  }
  double largest = 0.0;
  for (const std::size_t k : {0u, 1u}) {
    const double step = part * (target[k] - impulse_[r + 1 + k]);
    if (step == 0.0) continue;
    impulse_[r + 1 + k] += step;
    push(links_[r + 1 + k], step, velocity);
    largest = std::max(largest, std::abs(step) * inertance);
  }
  return largest;
}

/// Friction makes the problem one that sweeps may go round in: where they do, it is taken in parts, and in the end it
/// stays as it is while the normals alone, a convex problem, leave nothing approaching.
void IslandDynamics::sweep(const Island& island, std::vector<double>& velocity, double tolerance) {
  for (int k = 0; k < kMostSweeps && !blocks_.empty(); ++k) {
    Activity::tick();
    const double part = k < kWholeSweeps ? 1.0 : (k < kFrictionSweeps ? 0.5 : 0.0);
    double largest = 0.0;
    // There and back: what a stack bears goes through it in one sweep.
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const std::size_t r = blocks_[k % 2 == 0 ? i : blocks_.size() - 1 - i];
      largest = std::max(largest, relax_normal(r, velocity));
      if (rows_[r].owner < 0 || part == 0.0) continue;
      const ActiveContact& active = island.contacts[static_cast<std::size_t>(rows_[r].owner)];
      if (active.mode != ContactMode::smooth) largest = std::max(largest, relax_friction(active, r, part, velocity));
    }
    if (largest <= tolerance) break;
  }
  // Constraints of single bodies hold to round-off, since impacts are posed on them.
  for (int k = 0; k < kConstraintSweeps; ++k)
    for (std::size_t r = 0; r < rows_.size() && rows_[r].owner < 0; ++r) (void)relax_normal(r, velocity);
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
      push(links_[r + k], impulse_[r + k], velocity);
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
  copy_links(matrix_);
  choose_blocks(island, island.step);
  std::vector<double> after = velocity_;
  sweep(island, after, kVelocityTolerance * island.fastest);
  const auto n = static_cast<std::size_t>(n_);
  for (std::size_t r = 0; r < rows_.size(); ++r) island.jump.wall_work -= impulse_[r] * rows_[r].wall_rate;
  island.jump.cut_off = island.jump.wall_work;
  for (std::size_t k = 0; k < n; ++k) {
    island.jump.cut_off += 0.5 * metric_[k * (n + 1)] * (velocity_[k] * velocity_[k] - after[k] * after[k]);
    y[kPerBody * (k / 6) + 7 + k % 6] = after[k];
  }
}

/// By how much more than at its start bodies overlap at contacts in the middle and at the end of a step, at most,
/// relative to their size.
double IslandDynamics::deepest_overlap(const Island& island) {
  const DensePolynomial motion{island.dense.data(), island.size(), island.time, island.step};
  std::vector<double>& y = displaced_;
  y.resize(static_cast<std::size_t>(island.size()));
  double deepest = 0.0;
  for (const double theta : {0.5, 1.0}) {
    motion.value(theta, 0, island.size(), y.data());
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
      const ContactPoint& contact = island.contacts[i].contact;
      const double extent = std::min(extent_of(contact.a), extent_of(contact.b));
      const double gap = follow(island, contact, island.time + theta * island.step, y.data()).gap;
      deepest = std::max(deepest, (std::min(gaps_[i], 0.0) - gap) / extent);
    }
  }
  return deepest;
}

/// Where places turn out to be other than predicted (a disc that wobbles on its rim) the step is shorter.
void IslandDynamics::take_crowded_step(Island& island, double horizon) {
  const double longest = kStepPart * time_scale(island);
  const double wanted = island.next_step > 0.0 ? std::min(island.next_step, longest) : longest;
  const double left = horizon - island.time;
  const std::vector<double> state = island.state;
  const std::vector<ActiveContact> contacts = island.contacts;
  for (double h = left <= wanted * 1.01 ? left : std::min(wanted, 0.5 * left);; h *= 0.25) {
    island.step = h;
    try_crowded_step(island);
    const bool good = deepest_overlap(island) <= kMostOverlap;
    island.next_step = good ? 2.0 * h : h;
    if (good || h < kLeastPart * longest) return;
    ++rejected;
    island.state = state;
    island.contacts = contacts;
  }
}

void IslandDynamics::try_crowded_step(Island& island) {
  const auto size = static_cast<std::size_t>(island.size());
  const double h = island.step;
  for (ActiveContact& active : island.contacts) {
    active.begins = active.slides();  // kinetic friction until it has stuck
    active.mode = active.contact.rule.resists_slip() ? ContactMode::stick : ContactMode::smooth;
  }
  end_approach(island);
  // The places in the middle and at the end, predicted with the velocities at hand.
  const double* y = island.state.data();
  const auto build_rows_after = [&](double time) {
    std::vector<double>& predicted = displaced_;
    predicted.assign(y, y + size);
    for (std::size_t slot = 0; slot < island.bodies.size(); ++slot) {
      double* state = predicted.data() + kPerBody * static_cast<int>(slot);
      Eigen::Map<Vector3d>(state) += time * velocity_of(state);
      write_attitude(attitude_of(state) * rotation_by(time * spin_of(state)), state);
    }
    build_rows(island, island.time + time, predicted.data());
  };
  build_forces(island, y);
  build_rows_after(0.5 * h);
  saved_matrix_ = matrix_;
  saved_tangent_ = tangent_;
  build_rows_after(h);
  turn_with(saved_tangent_, saved_matrix_);
  copy_links(saved_matrix_);
  const std::vector<double> before = velocity_;
  std::vector<double> after = velocity_;
  const auto n = static_cast<std::size_t>(n_);
  for (std::size_t k = 0; k < n; ++k) after[k] += h * force_[k] / metric_[k * (n + 1)];
  choose_blocks(island, h);
  begin_with_forces(island, after);
  sweep(island, after, kVelocityTolerance * island.fastest);
  finish_crowded_step(island, before, after);
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
    friction += wall - 0.5 * impulse_[r] * (rate_along(links_[r], before) + rate_along(links_[r], after));
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
    const double slip = std::hypot(rate_along(links_[r + 1], after) + rows_[r + 1].wall_rate,
                                   rate_along(links_[r + 2], after) + rows_[r + 2].wall_rate);
    if (slip > kSlowSlip * island.fastest && !active.contact.rule.rough) active.mode = ContactMode::slide;
  }
}

double IslandDynamics::unbalanced(const Island& island, double time, const double* y) {
  std::vector<double> still(y, y + island.size());
  for (std::size_t slot = 0; slot < island.bodies.size(); ++slot)
    std::fill_n(still.begin() + static_cast<std::ptrdiff_t>(kPerBody * slot + 7), 6, 0.0);
  build_forces(island, still.data());
  build_rows(island, time, still.data());
  copy_links(matrix_);
  const double h = island.step;
  gaps_.assign(island.contacts.size(), 0.0);
  const auto n = static_cast<std::size_t>(n_);
  std::vector<double> after(n);
  for (std::size_t k = 0; k < n; ++k) after[k] = h * force_[k] / metric_[k * (n + 1)];
  choose_blocks(island, h);
  begin_with_forces(island, after);
  sweep(island, after, kVelocityTolerance * island.fastest);
  double most = 0.0;
  for (std::size_t k = 0; k < n; ++k)
    most = std::max(most, std::abs(after[k]) * (k % 6 < 3 ? 1.0 : extent_of(island.bodies[k / 6])));
  return most / h;
}

/// Back onto the contacts that press, and out of those that overlap, by sweeps over the gaps.
void IslandDynamics::put_crowd_back(Island& island) {
  double* y = island.after.data();
  build_forces(island, y);
  build_rows(island, island.end(), y);
  (void)put_gaps(island, island.end(), y);
  copy_links(matrix_);
  impulse_.assign(rows_.size(), 0.0);
  blocks_.clear();
  double least = contact::kForever;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    Row& row = rows_[r];
    if (row.owner >= 0 && !row.normal) continue;
    blocks_.push_back(r);
    if (row.owner < 0) continue;
    const ActiveContact& active = island.contacts[static_cast<std::size_t>(row.owner)];
    row.equation = active.force[0] > 0.0;
    read_states(island, active.contact, island.end(), y);
    if (!contact::same_feature(active.contact, pair(active.contact), placed(active.contact))) island.opens = true;
    const double extent = std::min(extent_of(active.contact.a), extent_of(active.contact.b));
    least = std::min(least, extent);
    if (!row.equation && row.bias > kCrowdGap * extent && row.rate > 0.0) island.opens = true;
    if (row.bias < 0.0 && row.rate < -kFastApproach * island.fastest) island.opens = true;  // an impact of its own
  }
  // Where new points have come together the next step looks after all of them; here they would be driven in.
  if (island.opening == 1.0) {
    Island smooth = island;
    for (ActiveContact& active : smooth.contacts) active.mode = ContactMode::smooth;
    std::vector<double> move(static_cast<std::size_t>(n_), 0.0);
    sweep(smooth, move, kPositionTolerance * least);
    for (std::size_t slot = 0; slot < island.bodies.size(); ++slot) {
      double* state = y + kPerBody * slot;
      const double* m = move.data() + 6 * slot;
      Eigen::Map<Vector3d>(state) += Eigen::Map<const Vector3d>(m);
      write_attitude(attitude_of(state) * rotation_by(Vector3d(m[3], m[4], m[5])), state);
    }
  }
  if (!island.constraints.empty()) put_on_constraints(island);
  island.correction = {left_over(island, island.after), 0.0};
}

/// Velocities as the constraints of bodies have it where these have come to.
void IslandDynamics::put_on_constraints(Island& island) {
  double* y = island.after.data();
  build_forces(island, y);
  build_rows(island, island.end(), y);
  copy_links(matrix_);
  impulse_.assign(rows_.size(), 0.0);
  blocks_.clear();
  for (Row& row : rows_) row.bias = row.wall_rate;
  std::vector<double> velocity = velocity_;
  sweep(island, velocity, 0.0);
  for (std::size_t k = 0; k < velocity.size(); ++k) y[kPerBody * (k / 6) + 7 + k % 6] = velocity[k];
}

double IslandDynamics::left_over(const Island& island, const std::vector<double>& later) const {
  const auto energy_of = [&](const std::vector<double>& state) {
    double sum = 0.0;
    for (std::size_t slot = 0; slot < island.bodies.size(); ++slot) {
      const Body& body = model_->bodies[island.bodies[slot]];
      const double* part = state.data() + kPerBody * slot;
      sum += 0.5 * body.mass * velocity_of(part).squaredNorm() +
             0.5 * spin_of(part).dot(body.inertia.cwiseProduct(spin_of(part))) -
             body.mass * model_->gravity.dot(position_of(part));
    }
    for (const LoadIndex index : island.loads) {
      const Load& load = model_->loads[index];
      sum -= load.force.dot(position_of(state.data() + kPerBody * island.slot(load.body)));
    }
    return sum;
  };
  const double* integrals = later.data() + later.size() - static_cast<std::size_t>(island.integrals());
  return energy_of(island.state) - energy_of(later) - integrals[0] + integrals[1] + integrals[2] -
         (island.dissipates() ? integrals[3] : 0.0);
}

}  // namespace carom::event
