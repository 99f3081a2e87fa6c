/// What rests: which closed contacts persist after velocities changed, and when infinitely many bounces end.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/contact/accumulation.h"
#include "carom/engine/event/event_core.h"

namespace carom {

using namespace event;

namespace {

/// Slip faster than this part of the cluster's speed is caught by an impulse that is told; slower slip is round-off.
constexpr double kSlip = 1e-9;
/// So is slip that bounces leave which have come to rest, this many times their rest speed at most.
constexpr double kSlipAtRest = 100.0;
/// A contact presses when it keeps up with more than this part of the accelerations at hand.
constexpr double kPressing = 1e-10;

}  // namespace

/// Speed below which a contact that its acceleration presses together has come to rest: the bounces to come would be
/// lower than the gap's round-off, ½γ²/|g̈| ≤ ε_d.
double EventEngine::Core::rest_speed(const ContactPoint& contact) {
  const Object& a = object(contact.a);
  const Object& b = object(contact.b);
  // Where other contacts hold the bodies up, their weight may press this one together in any direction.
  const double free = closed_.size() > 1 ? std::max(a.free_acceleration.norm(), b.free_acceleration.norm())
                                         : std::abs(contact.normal.dot(a.free_acceleration - b.free_acceleration));
  const double moving = std::abs(contact.normal.dot(a.motion.acceleration - b.motion.acceleration));
  const double size = std::min(a.size, b.size);
  // Curved ways press too: |v|²/size and |ω|² size stand for what that can be.
  const BodyState& first = now(contact.a);
  const BodyState& second = now(contact.b);
  const double curved = (first.velocity - second.velocity).squaredNorm() / size +
                        (first.angular_velocity - second.angular_velocity).squaredNorm() * size;
  return rest_rate(std::max(free, moving) + curved, kGapRoundoff * size) + kApproach * speed_;
}

void EventEngine::Core::book(const Taken& taken) {
  result_.energy.cut_off += taken.cut_off;
  result_.energy.wall_work += taken.wall_work;
}

void EventEngine::Core::leave_islands() {
  for (const int body : cluster_) {
    Object& o = object(body);
    if (o.wall_power != 0.0) result_.energy.wall_work += o.wall_power * (now_ - o.motion.start);
    o.wall_power = 0.0;
    if (!o.island) continue;
    const std::shared_ptr<Island> island = o.island;
    for (const int member : island->bodies) object(member).island.reset();
    if (now_ >= island->end()) continue;  // booked at the end of the step
    const DensePolynomial motion{island->dense.data(), island->size(), island->time, island->step};
    double integrals[Island::kIntegrals];
    motion.value(motion.position(now_), island->size() - Island::kIntegrals, Island::kIntegrals, integrals);
    result_.energy.damping += integrals[0];
    result_.energy.torque_work += integrals[1];
    result_.energy.wall_work += integrals[2];
  }
}

/// Bodies that the given contacts or springs connect belong together; a component for each such group.
std::vector<Island> EventEngine::Core::components(const std::vector<int>& bodies,
                                                  const std::vector<ActiveContact>& contacts) const {
  std::vector<int> root(bodies.size());
  std::iota(root.begin(), root.end(), 0);
  const auto slot = [&](int body) {
    return static_cast<int>(std::lower_bound(bodies.begin(), bodies.end(), body) - bodies.begin());
  };
  const auto find = [&](int i) {
    while (root[static_cast<std::size_t>(i)] != i) i = root[static_cast<std::size_t>(i)];
    return i;
  };
  const auto join = [&](int body, int other) {
    const int x = find(slot(body));
    const int y = find(slot(other));
    root[static_cast<std::size_t>(std::max(x, y))] = std::min(x, y);
  };
  for (const ActiveContact& active : contacts)
    if (is_body(active.contact.b)) join(active.contact.a, active.contact.b);
  for (const int body : bodies)
    for (const int index : object(body).springs) {
      const Spring& spring = model_.springs[static_cast<std::size_t>(index)];
      if (spring.body_b != kNone) join(spring.body_a, spring.body_b);
    }
  std::vector<Island> found;
  std::vector<int> component(bodies.size(), -1);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto head = static_cast<std::size_t>(find(static_cast<int>(i)));
    if (component[head] < 0) {
      component[head] = static_cast<int>(found.size());
      found.emplace_back();
    }
    Island& island = found[static_cast<std::size_t>(component[head])];
    const Object& o = object(bodies[i]);
    island.bodies.push_back(bodies[i]);
    island.constraints.insert(island.constraints.end(), o.constraints.begin(), o.constraints.end());
    island.loads.insert(island.loads.end(), o.loads.begin(), o.loads.end());
    island.springs.insert(island.springs.end(), o.springs.begin(), o.springs.end());
  }
  for (const ActiveContact& active : contacts) {
    const auto head = static_cast<std::size_t>(find(slot(active.contact.a)));
    found[static_cast<std::size_t>(component[head])].contacts.push_back(active);
  }
  for (Island& island : found) {
    std::sort(island.springs.begin(), island.springs.end());
    island.springs.erase(std::unique(island.springs.begin(), island.springs.end()), island.springs.end());
  }
  return found;
}

/// Whether a body of the contact moves under constraints, springs or resistance.
bool EventEngine::Core::is_guided(const ContactPoint& contact) const {
  const auto guided = [&](int index) {
    return is_body(index) && (object(index).integrated || !object(index).constraints.empty());
  };
  return guided(contact.a) || guided(contact.b);
}

void EventEngine::Core::choose_persistent(Island& island) {
  std::vector<double>& y = island.state;
  for (ActiveContact& active : island.contacts) active.sticks = false;
  book(dynamics_->project_velocities(island, now_, y.data(), false));
  for (ActiveContact& active : island.contacts) active.sticks = active.contact.rule.rough;
  AccelerationStatus status = dynamics_->solve_unilateral(island, now_, y.data());
  if (status == AccelerationStatus::infeasible || status == AccelerationStatus::failed) {
    // Contacts that cannot all stick slide.
    for (ActiveContact& active : island.contacts) active.sticks = false;
    status = dynamics_->solve_unilateral(island, now_, y.data());
  }
  if (status == AccelerationStatus::infeasible || status == AccelerationStatus::failed) {
    fail("no contact forces hold the bodies that rest on each other (the contacts contradict each other)",
         island.bodies);
    return;
  }
  std::vector<ActiveContact> kept;
  for (std::size_t i = 0; i < island.contacts.size(); ++i) {
    const int index = static_cast<int>(i);
    island.contacts[i].pressing = dynamics_->answer().normal_force()[i] * dynamics_->inertance(index);
    const double size = object(island.contacts[i].contact.a).size;
    const double noise = kPressing * (dynamics_->acceleration_scale() + speed_ * speed_ / size);
    const bool presses = dynamics_->answer().presses(index) && island.contacts[i].pressing > noise;
    // Bodies that are integrated keep what neither presses nor opens, since closed forms do not tell it apart for them.
    const bool keeps = !dynamics_->answer().opens(index) && dynamics_->answer().gap_acceleration()[i] <= noise &&
                       is_guided(island.contacts[i].contact);
    if (!presses && !keeps) continue;
    if (dynamics_->answer().slides(index)) island.contacts[i].sticks = false;
    kept.push_back(island.contacts[i]);
  }
  island.contacts.swap(kept);
}

/// A rough contact that persists does not slip: slip that is there is caught by an impulse of its own (restitution 0),
/// told as an impact. Returns whether there was one.
bool EventEngine::Core::capture_slip(Island& island) {
  bool slips = false;
  for (const ActiveContact& active : island.contacts)
    slips =
        slips || (active.sticks && slip_of(active.contact) > kSlip * speed_ + kSlipAtRest * rest_speed(active.contact));
  if (island.contacts.empty()) return false;
  const double before = kinetic_energy(island.bodies);
  if (slips) note_velocities_before(island.bodies);
  const Taken taken = dynamics_->project_velocities(island, now_, island.state.data(), true);
  if (!slips) {
    book(taken);
    read_island_state(island, island.state.data());
    return false;
  }
  contact_records_.clear();
  std::size_t row = 0;
  // Rows of the bilateral answer: constraints first, then normal and tangents contact by contact.
  std::size_t constraint_rows = 0;
  for (const int index : island.constraints)
    constraint_rows +=
        std::holds_alternative<RodConstraint>(model_.constraints[static_cast<std::size_t>(index)]) ? 1 : 3;
  row = constraint_rows;
  double work = 0.0, wall = 0.0;
  const std::span<const double> impulse = dynamics_->answer().constraint_force();
  for (const ActiveContact& active : island.contacts) {
    const ContactPoint& contact = active.contact;
    ContactRecord record{.a = contact.a,
                         .b = contact.b,
                         .point = contact.point(),
                         .normal = contact.normal,
                         .impulse = impulse[row],
                         .tangential_impulse = Vector3d::Zero(),
                         .rate_before = rate_of(contact),
                         .rate_after = 0.0};
    ++row;
    if (active.sticks)
      for (const Vector3d& across : tangents_of(contact.normal)) record.tangential_impulse += impulse[row++] * across;
    const Vector3d total = record.impulse * record.normal + record.tangential_impulse;
    const Vector3d slip =
        point_velocity(now(contact.a), contact.point_a) - point_velocity(now(contact.b), contact.point_b);
    work += 0.5 * total.dot(slip);  // to rest: the mean of the relative velocity before and zero
    if (!is_body(contact.b)) wall += total.dot(point_velocity(now(contact.b), contact.point_b));
    contact_records_.push_back(record);
  }
  read_island_state(island, island.state.data());
  result_.energy.impacts -= work;
  result_.energy.wall_work += wall;
  count_impact(contact_records_.size());
  if (observer_ == nullptr) return true;
  note_velocities_after();
  EventRecord record;
  record.time = now_;
  record.law = kRoughLaw.name;
  record.contacts = contact_records_;
  record.jumps = jumps_;
  record.steps = 1;
  record.energy.before = before;
  record.energy.after = kinetic_energy(island.bodies);
  record.energy.change = record.energy.after - before;
  record.energy.change_from_impulses = work + wall;
  record.energy.contact_work = work;
  record.energy.wall_work = wall;
  observer_->event(record);
  return true;
}

void EventEngine::Core::settle_component(Island& island) {
  write_island_state(island);
  if (island.contacts.empty()) return;
  Island resting = island;
  choose_persistent(island);
  if (over_) return;
  read_island_state(island, island.state.data());
  capture_slip(island);
  // What the contacts that persist were given may have brought others of the resting ones back by round-off.
  resting.state = island.state;
  book(dynamics_->project_velocities(resting, now_, resting.state.data(), false));
  read_island_state(resting, resting.state.data());
}

/// Nothing rests, nothing is coupled: all bodies of the cluster fly on.
bool EventEngine::Core::all_fly() {
  for (const int body : cluster_) {
    const Object& o = object(body);
    if (o.integrated || o.island || !o.held_by.empty() || !o.constraints.empty() || o.wall_power != 0.0) return false;
  }
  for (const ContactPoint& contact : closed_)
    if (rate_of(contact) <= rest_speed(contact)) return false;
  for (const int body : cluster_) fly(body);
  for (const int body : cluster_) predict(body);
  return true;
}

void EventEngine::Core::settle(const std::vector<int>& seeds) {
  if (seeds == cluster_ && all_fly()) return;
  std::vector<int> bodies = seeds;
  const auto approaching = [&] {
    return std::any_of(closed_.begin(), closed_.end(),
                       [&](const ContactPoint& contact) { return rate_of(contact) < -2.0 * rest_speed(contact); });
  };
  for (int attempt = 0;; ++attempt) {
    gather(bodies, true);
    bodies = cluster_;
    if (!approaching()) {
      std::vector<ActiveContact> resting, persisting;
      for (const ContactPoint& contact : closed_) {
        const double rate = rate_of(contact);
        if (rate <= rest_speed(contact)) resting.push_back({contact, false, rate, 0.0});
      }
      for (Island& island : components(cluster_, resting)) {
        settle_component(island);
        if (over_) return;
        persisting.insert(persisting.end(), island.contacts.begin(), island.contacts.end());
      }
      components_ = components(cluster_, persisting);
      if (!approaching()) break;  // one body set down may drive another
    }
    if (attempt >= options_.max_rounds) {
      fail("contacts at rest and impacts do not come to terms at one instant", bodies);
      return;
    }
    resolve(bodies);
    if (over_) return;
  }
  leave_islands();
  before_.clear();
  for (const int body : cluster_) {
    for (const int index : object(body).held_by)
      if (std::find(before_.begin(), before_.end(), index) == before_.end()) before_.push_back(index);
    object(body).held_by.clear();
  }
  std::vector<std::vector<ContactPoint>> started;
  for (Island& island : components_) {
    stand_on_rims(island);
    started.push_back(hold(island));
  }
  std::vector<ContactPoint> opened;
  for (const int index : before_) {
    PersistentContact& persistent = persistent_[static_cast<std::size_t>(index)];
    persistent.alive = false;
    ++persistent.version;
    if (persistent.announced) opened.push_back(follow_now(persistent.contact));
    unused_persistent_.push_back(index);
  }
  result_.contacts_opened += static_cast<std::int64_t>(opened.size());
  tell_contacts(EventKind::release, opened);
  for (std::size_t i = 0; i < components_.size(); ++i) {
    Island& island = components_[i];
    write_island_state(island);
    move_on(island);
    if (over_) return;
    // Bodies that were struck and now stand still have come to rest; others have got a contact that goes on.
    const bool rests = object(island.bodies[0]).at_rest && !struck_pairs_.empty();
    tell_contacts(rests ? EventKind::rest : EventKind::contact_start, started[i]);
  }
  bodies = cluster_;
  for (const int body : bodies) predict(body);
}

}  // namespace carom
