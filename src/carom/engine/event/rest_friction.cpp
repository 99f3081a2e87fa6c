/// Which contacts of a group persist, and what each of them does: one question about all of them at once.

#include <algorithm>
#include <cmath>
#include <span>

#include "carom/engine/event/rest.h"

namespace carom::event {

namespace {

/// A contact presses when it keeps up with more than this part of the accelerations at hand.
constexpr double kPressing = 1e-10;
/// Slip accelerations below this part of the accelerations at hand have no direction.
constexpr double kNoDirection = 1e-9;
/// Approach that stands for the weight on contacts whose slip is caught, relative to the slip: contacts that are
/// pressed together hold, and no others.
constexpr double kPress = 1e-6;
/// Approach, relative to the slip, with which an impact without collision begins.
constexpr double kStiff = 1e-11;
/// How far it is looked ahead first, relative to the time that the fastest point takes for the size of the bodies.
constexpr double kMoment = 1e-6;
/// Points of a body that are closer than this, relative to its size, are one.
constexpr double kSamePlace = 1e-6;

/// Whether a body of the contact moves under constraints, springs or resistance.
bool is_guided(const World& world, const ContactPoint& contact) {
  return world.object(contact.a).is_guided() || (world.is_body(contact.b) && world.object(contact.b).is_guided());
}

Vector3d slip_of(World& world, const ContactPoint& contact) {
  const Vector3d relative = world.relative_velocity(contact);
  return relative - contact.normal * contact.normal.dot(relative);
}

bool has_no_answer(AccelerationStatus status) {
  return status == AccelerationStatus::infeasible || status == AccelerationStatus::failed;
}

}  // namespace

bool Rest::slips(const Instant& at, const Island& island, const ContactPoint& contact) {
  return slip_of(at.world, contact).norm() > kSlowSlip * at.dynamics.speed_scale(island, island.state.data());
}

void Rest::forget_pulls() {
  at_limit_.clear();
  pulling_.clear();
}

void Rest::let_go(const Island& island, double time) {
  at_limit_.clear();
  if (time != pulled_at_) pulling_.clear();
  pulled_at_ = time;
  for (const ActiveContact& active : island.contacts) {
    if (active.lets_go) at_limit_.push_back(active);
    if (active.pulls) pulling_.push_back(active.contact);
  }
}

/// Whether the contact would have had to pull at the end of the step: then it opens, though with no acceleration yet.
bool Rest::has_pulled(const Instant& at, const ContactPoint& contact) const {
  const double same = kSamePlace * at.world.object(contact.a).size;
  return std::any_of(pulling_.begin(), pulling_.end(), [&](const ContactPoint& other) {
    return other.same_parts(contact) && other.feature.index() == contact.feature.index() &&
           same_place(other.feature, contact.feature, same);
  });
}

/// What a contact may do: one that slips slides on, all others may stick, slide or open.
void Rest::set_mode(const Instant& at, const Island& island, ActiveContact& active) const {
  active.mode = ContactMode::smooth;
  active.begins = active.straight = active.lets_go = false;
  if (!active.contact.rule.resists_slip()) return;
  if (slips(at, island, active.contact)) {
    active.mode = ContactMode::slide;
    active.direction = slip_of(at.world, active.contact).normalized();
    return;
  }
  active.mode = ContactMode::stick;
  const double same = kSamePlace * at.world.object(active.contact.a).size;
  const auto old = std::find_if(at_limit_.begin(), at_limit_.end(), [&](const ActiveContact& other) {
    return other.contact.same_parts(active.contact) && (other.contact.point_a - active.contact.point_a).norm() <= same;
  });
  active.lets_go = old != at_limit_.end();
  if (active.lets_go) active.direction = old->direction;
}

/// Contacts that press, or that bodies with integrated motion keep because closed forms do not tell for them.
void Rest::keep_pressing(const Instant& at, Island& island, const Settling& settling) {
  const ContactDynamics& answer = at.dynamics.answer();
  std::vector<ActiveContact> kept;
  for (std::size_t i = 0; i < island.contacts.size(); ++i) {
    const int index = static_cast<int>(i);
    ActiveContact& active = island.contacts[i];
    active.pressing = answer.normal_force()[i] * at.dynamics.inertance(index);
    const double size = at.world.object(active.contact.a).size;
    const double noise = kPressing * (at.dynamics.acceleration_scale() + at.closed.speed() * at.closed.speed() / size);
    const double rate = at.world.rate_of(active.contact), at_rest = rest_speed(at, active.contact);
    const bool presses = answer.presses(index) && active.pressing > noise &&
                         rate <= std::max(at_rest, settling.leaving_speed_of(at, active.contact, active.pressing));
    const bool stays = !answer.opens(index) && answer.gap_acceleration()[i] <= noise && rate <= at_rest &&
                       is_guided(at.world, active.contact) && !has_pulled(at, active.contact) &&
                       !(active.contact.is_limit() && at.dynamics.friction_holds(island, active.contact.limit,
                                                                                 at.world.time(), island.state.data()));
    if (!presses && !stays) continue;
    if (!presses) active.pressing = 0.0;  // round-off, which tells nothing of how bounces end
    kept.push_back(active);
  }
  island.contacts.swap(kept);
}

/// Contacts without slip that slide from here on, by the answer. Returns whether one still sticks, at its limit.
bool Rest::begin_slips(const Instant& at, Island& island) {
  const ContactDynamics& answer = at.dynamics.answer();
  const double scale = at.dynamics.acceleration_scale();
  bool at_limit = false;
  int tangent = 0;
  for (std::size_t i = 0; i < island.contacts.size(); ++i) {
    ActiveContact& active = island.contacts[i];
    if (active.mode == ContactMode::smooth) continue;
    const int first = tangent;
    tangent += 2;
    if (!active.sticks()) continue;
    const std::span<const Vector3d, 2> across = at.dynamics.tangents(i);
    const Vector3d friction = answer.tangential_force()[static_cast<std::size_t>(first)] * across[0] +
                              answer.tangential_force()[static_cast<std::size_t>(first) + 1] * across[1];
    const Vector3d rate = answer.slip_acceleration(first) * across[0] + answer.slip_acceleration(first + 1) * across[1];
    const double limit = active.contact.rule.friction.kinetic_friction * answer.normal_force()[i];
    if (answer.slides(static_cast<int>(i)) && answer.presses(static_cast<int>(i))) {
      active.mode = active.contact.rule.rough ? ContactMode::smooth : ContactMode::slide;
      active.begins = active.slides();
      active.direction = (rate.norm() > kNoDirection * scale ? rate : Vector3d(-friction)).normalized();
    } else {
      at_limit = at_limit || (active.lets_go && limit > 0.0 && friction.norm() >= limit * (1.0 - kAtLimit));
    }
  }
  return at_limit;
}

/// Where friction has just reached its limit and μ_s = μ_k, slip has no acceleration yet: which contacts let go, and
/// where to, is seen a moment later. Where that was too early to tell, and the same instant comes again, it is later.
void Rest::look_ahead(const Instant& at, Island& island) {
  const double time = at.world.time();
  moment_ = time == last_look_ ? std::min(10.0 * moment_, 1e-2) : kMoment;
  last_look_ = time;
  double size = 0.0;
  for (const BodyIndex body : island.bodies) size = std::max(size, at.world.object(body).size);
  const double moment = moment_ * size / at.dynamics.speed_scale(island, island.state.data());
  const std::vector<double> later = at.dynamics.moved_on(island, island.state.data(), moment);
  if (!has_no_answer(at.dynamics.solve_unilateral(island, time + moment, later.data()))) begin_slips(at, island);
}

bool Rest::choose_persistent(const Instant& at, Island& island, const Settling& settling) {
  double* y = island.state.data();
  const double time = at.world.time();
  for (ActiveContact& active : island.contacts) active.mode = ContactMode::smooth;
  project(at, island, 0);
  for (ActiveContact& active : island.contacts) {
    set_mode(at, island, active);
    // Slip at a rough contact is caught where it presses.
    if (active.slides() && active.contact.rule.rough) active.mode = ContactMode::smooth;
  }
  at.dynamics.choose_dry_modes(island, time, y);
  open_indeterminate(at, island);
  AccelerationStatus status = at.dynamics.solve_unilateral(island, time, y);
  if (has_no_answer(status)) {  // contacts that cannot all stick slide
    for (ActiveContact& active : island.contacts)
      if (active.contact.rule.rough) active.mode = ContactMode::smooth;
    status = at.dynamics.solve_unilateral(island, time, y);
  }
  if (has_no_answer(status)) return false;
  if (!at.dynamics.answer().acceleration_unique()) flags_.set(Flag::acceleration_not_unique);
  if (begin_slips(at, island)) look_ahead(at, island);
  keep_pressing(at, island, settling);
  if (!island.joints.empty()) measure_pressing(at, island);
  return true;
}

/// Through joints the force of a contact moves its gap less than that of free bodies. What presses then is how the gap
/// would close without the contact, all others being there.
void Rest::measure_pressing(const Instant& at, Island& island) {
  Island others = island;
  for (std::size_t i = 0; i < island.contacts.size(); ++i) {
    ActiveContact& active = island.contacts[i];
    if (!(active.arrival_rate > 0.0)) continue;  // it does not come from bounces
    others.contacts = island.contacts;
    others.contacts.erase(others.contacts.begin() + static_cast<std::ptrdiff_t>(i));
    if (has_no_answer(at.dynamics.solve_unilateral(others, at.world.time(), island.state.data()))) continue;
    active.pressing = std::max(0.0, -at.dynamics.gap_acceleration(island, active, at.world.time()));
  }
}

/// Sliding contacts with p < 0 that would open without their force: a force that grows as they come together would do
/// as well, but not for long, since any compliance takes it away. They open.
void Rest::open_indeterminate(const Instant& at, Island& island) {
  if (std::none_of(island.contacts.begin(), island.contacts.end(),
                   [](const ActiveContact& active) { return active.slides(); }))
    return;
  const std::vector<bool> jammed = at.dynamics.jammed(island, at.world.time(), island.state.data());
  if (std::none_of(jammed.begin(), jammed.end(), [](bool is) { return is; })) return;
  Island others = island;
  std::vector<ActiveContact> kept;
  for (std::size_t i = 0; i < island.contacts.size(); ++i) {
    const ActiveContact& active = island.contacts[i];
    if (jammed[i]) {
      // Without it: the others as they may, and its own gap's acceleration under that.
      others.contacts = island.contacts;
      others.contacts[i].mode = ContactMode::smooth;
      others.contacts.erase(others.contacts.begin() + static_cast<std::ptrdiff_t>(i));
      const AccelerationStatus status = at.dynamics.solve_unilateral(others, at.world.time(), island.state.data());
      if (!has_no_answer(status) && at.dynamics.gap_acceleration(island, active, at.world.time()) > 0.0) {
        flags_.set(Flag::painleve_indeterminate);
        let_open_.push_back(active.contact);
        continue;
      }
    }
    kept.push_back(active);
  }
  island.contacts.swap(kept);
}

/// No forces keep the contacts closed: friction drives sliding ones together (Painlevé). An impact without collision
/// ends that. Returns whether there was one.
bool Rest::jump_out(const Instant& at, Island& island, Impacts& impacts) {
  double fastest = 0.0;
  std::vector<ContactPoint> contacts;
  for (const ActiveContact& active : island.contacts) {
    contacts.push_back(active.contact);
    if (active.slides()) fastest = std::max(fastest, slip_of(at.world, active.contact).norm());
  }
  return fastest > 0.0 && impacts.jump_without_collision(at.world, contacts, kStiff * fastest, at.log);
}

/// A rough contact that persists does not slip: slip that is there is caught by an impulse (restitution 0), reported as
/// an impact. Contacts only push while that happens, Coulomb's without friction: those that would have to pull open, or
/// slide.
/// Returns whether slip was caught.
bool Rest::catch_slip(const Instant& at, Island& island, const std::vector<ActiveContact>& resting, Impacts& impacts) {
  double fastest = 0.0;
  for (const ActiveContact& active : island.contacts)
    if (active.contact.rule.rough && slips(at, island, active.contact))
      fastest = std::max(fastest, slip_of(at.world, active.contact).norm());
  if (fastest == 0.0) return false;
  const double time = at.world.time();
  Island caught = island;
  caught.contacts = resting;
  for (ActiveContact& active : caught.contacts)
    active.mode = active.contact.rule.rough ? ContactMode::stick : ContactMode::smooth;
  if (!at.dynamics.press_together(caught, time, island.state.data(), kPress * fastest)) {
    at.log.fail("no impulses catch the slip of rough contacts (the contacts contradict each other)", time,
                island.bodies);
    return true;
  }
  const ContactDynamics& answer = at.dynamics.answer();
  std::vector<ActiveContact> holding;
  bool catches = false;
  for (std::size_t i = 0; i < caught.contacts.size(); ++i) {
    const ContactPoint& contact = caught.contacts[i].contact;
    if (!answer.presses(static_cast<int>(i))) continue;
    holding.push_back(caught.contacts[i]);
    if (answer.slides(static_cast<int>(i)))
      holding.back().mode = ContactMode::smooth;  // to stick it would have to pull
    catches = catches || (holding.back().sticks() && slips(at, island, contact));
  }
  if (!catches) return false;  // to catch them would open them: they slide on
  caught.contacts.swap(holding);
  if (!at.dynamics.project_velocities(caught, time, caught.state.data(), caught.contacts.size())) return false;
  if (caught.state == island.state) return false;
  report_caught_slip(at, caught, impacts.rough_law());
  return true;
}

/// The island's state vector has the velocities after, the world those before.
void Rest::report_caught_slip(const Instant& at, const Island& island, const ImpactLaw& rough_law) {
  World& world = at.world;
  const double before = world.kinetic_energy(island.bodies);
  draft_.begin(EventKind::impact, world.time());
  for (const BodyIndex body : island.bodies) draft_.add_jump(body, world.now(body));
  // Rows of the bilateral answer: constraints first, then normal and tangents contact by contact.
  std::size_t row = at.dynamics.persistent_row_count();
  const std::span<const double> impulse = at.dynamics.row_forces();
  double work = 0.0, wall = 0.0, least = 0.0, largest = 0.0;
  std::vector<double> normals;
  for (std::size_t i = 0; i < island.contacts.size(); ++i) {
    const ActiveContact& active = island.contacts[i];
    const ContactPoint& contact = active.contact;
    ContactRecord& record = draft_.add_contact(contact.a, contact.b);
    record.point = contact.point();
    record.normal = contact.normal;
    record.impulse = impulse[row++];
    normals.push_back(record.impulse);
    record.rate_before = world.rate_of(contact);
    if (active.sticks())
      for (const Vector3d& across : at.dynamics.tangents(i)) record.tangential_impulse += impulse[row++] * across;
    const Vector3d total = record.impulse * record.normal + record.tangential_impulse;
    work += 0.5 * total.dot(world.relative_velocity(contact));  // to rest: the mean of the velocity before and zero
    if (!world.is_body(contact.b)) wall += total.dot(contact::point_velocity(world.now(contact.b), contact.point_b));
    least = std::min(least, record.impulse);
    largest = std::max(largest, total.norm());
  }
  read_state(world, island, island.state.data());
  at.log.result.energy.impacts -= work;
  at.log.result.energy.wall_work += wall;
  at.log.count_impact(island.contacts.size(), pressed_count(normals));
  if (!at.log.observed()) return;
  draft_.finish_jumps([&](BodyIndex body) -> const BodyState& { return world.now(body); });
  draft_.record.law = rough_law.name;
  draft_.record.steps = 1;
  draft_.record.energy = energy_of_impact(before, world.kinetic_energy(island.bodies), work, wall);
  draft_.record.min_impulse = least;
  if (least < -kPressing * largest) draft_.record.flags.set(Flag::negative_impulse);
  draft_.report(at.log);
}

}  // namespace carom::event
