/// Who is integrated with whom: contacts that close and open, units that merge and part.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/base/assert.h"
#include "carom/base/error.h"
#include "carom/engine/smooth/smooth_core.h"
#include "carom/geometry/mass_properties.h"

namespace carom {

using namespace smooth;

namespace {

/// Gap at the start, relative to the smaller body, at which two objects touch.
constexpr double kTouching = 1e-9;
/// Approach at the start, relative to the speeds at hand, below which there is none.
constexpr double kNoApproach = 1e-9;
/// v₀ that a law is given where two bodies come together without any speed, relative to √(g size) or so [m/s].
constexpr double kLeastApproach = 1e-12;

}  // namespace

int SmoothEngine::Core::new_unit() {
  if (!free_units_.empty()) {
    const int index = free_units_.back();
    free_units_.pop_back();
    return index;
  }
  units_.push_back(std::make_unique<Unit>(environment_));
  return static_cast<int>(units_.size()) - 1;
}

/// Its bodies and contacts have gone elsewhere; what dampers, obstacles and torques did is booked.
void SmoothEngine::Core::dissolve(int index) {
  Unit& at = unit(index);
  if (at.integrated) {
    const double* const works = at.cluster.works(at.stepper->y().data());
    result_.energy.damping += works[0];
    result_.energy.wall_work += works[1];
    result_.energy.torque_work += works[2];
  }
  at.alive = false;
  ++at.version;
  at.cluster.bodies.clear();
  at.cluster.contacts.clear();
  free_units_.push_back(index);
}

/// Gap rate of a pair at the states of now.
double SmoothEngine::Core::contact_rate(const PairGeometry& g, Touch& touch) const {
  const BodyState& a = states_[static_cast<std::size_t>(g.a)];
  const Vector3d velocity_a = a.velocity;
  if (model_.is_body(g.b)) {
    const BodyState& b = states_[static_cast<std::size_t>(g.b)];
    touch = dented_touch(model_, g, a.pose(), b.pose());
    return touch.normal.dot(velocity_a + a.angular_velocity.cross(touch.point - a.position) - b.velocity -
                            b.angular_velocity.cross(touch.point - b.position));
  }
  const Driven b = environment_.obstacle(g.b, now_);
  touch = dented_touch(model_, g, a.pose(), b.place);
  return touch.normal.dot(velocity_a + a.angular_velocity.cross(touch.point - a.position) - b.velocity_of(touch.point));
}

Contact SmoothEngine::Core::make_contact(int a, int b, int feature, bool at_start) {
  Contact contact;
  contact.geometry = environment_.geometry(a, b, feature);
  contact.began = now_;
  Touch touch;
  const double rate = contact_rate(contact.geometry, touch);
  const PairLaws& laws = laws_.laws(laws_.index_of(a, b));
  const BodyState& state_a = states_[static_cast<std::size_t>(a)];
  const double speeds =
      state_a.velocity.norm() + (model_.is_body(b) ? states_[static_cast<std::size_t>(b)].velocity.norm() : 0.0);
  double approach = -rate;
  if (approach <= kNoApproach * speeds) {
    if (at_start)
      check_touching_start(*laws.normal, fmt::format("'{}' and '{}'", model_.name(a), model_.name(b)),
                           laws.path + ".normal");
    approach = std::max(approach, 0.0);
  }
  if (laws.quasi_static) {
    land(a, touch.normal, rate);
  } else if (laws.normal->needs_approach_speed) {
    approach = std::max(approach, kLeastApproach);
    if (!report_.least_approach || approach < *report_.least_approach) report_.least_approach = approach;
  }
  const Pose at_b =
      model_.is_body(b) ? states_[static_cast<std::size_t>(b)].pose() : environment_.obstacle(b, now_).place;
  laws_.prepare(contact, {touch, state_a.pose(), at_b, approach});
  if (laws.normal->low_speed_only) check_validity(contact, laws);
  contact.first_rate = rate;
  contact.pressed = touch.depth > 0.0 || contact.held;
  contact.energy_before = kinetic_energy(a) + (model_.is_body(b) ? kinetic_energy(b) : 0.0);
  return contact;
}

/// A ball that a plane holds quasi-statically has no speed along the normal; what it had is lost.
void SmoothEngine::Core::land(int body, const Vector3d& normal, double rate) {
  states_[static_cast<std::size_t>(body)].velocity -= rate * normal;
  result_.energy.contacts += 0.5 * environment_.body(body).mass * rate * rate;
}

double SmoothEngine::Core::kinetic_energy(int body) const {
  const BodyInfo& info = environment_.body(body);
  const BodyState& state = states_[static_cast<std::size_t>(body)];
  const Vector3d spin = (state.orientation * info.principal_axes).conjugate() * state.angular_velocity;
  return 0.5 * info.mass * state.velocity.squaredNorm() + 0.5 * spin.dot(info.inertia.cwiseProduct(spin));
}

void SmoothEngine::Core::check_validity(const Contact& contact, const PairLaws& laws) {
  if (!laws.top_speed) return;
  const Body& body = model_.bodies[static_cast<std::size_t>(contact.geometry.a)];
  if (!is_solid(shape_kind(body.shape))) return;
  const double density = body.mass / mass_properties(body.shape).volume;
  const double limit = *laws.top_speed / std::sqrt(density);
  if (contact.approach <= limit) return;
  warn(fmt::format(
      "the law '{}' is meant for impact speeds below {:.2g} m/s (10⁻⁵√(E/ρ)) between {}; they meet at {:.2g} "
      "m/s and more, where real bodies yield",
      laws.normal->name, limit, laws.who, contact.approach));
}

// ------------------------------------------------------------------------------------------------- at the start

/// A body that rests on one obstacle sinks in until its weight is borne.
void SmoothEngine::Core::settle_resting_bodies() {
  if (!options_.settle) return;
  for (int a = 0; a < model_.body_count(); ++a) {
    const BodyInfo& info = environment_.body(a);
    if (!info.constraints.empty()) continue;
    const Vector3d pull = info.free_acceleration;
    int obstacle = kNone, points = 0, touched = 0;
    Touch touch;
    for (int b = model_.body_count(); b < model_.object_count(); ++b) {
      if (!environment_.can_meet(a, b)) continue;
      int here = 0;
      for (int feature = 0; feature < environment_.features(a, b); ++feature) {
        Touch found;
        const double rate = contact_rate(environment_.geometry(a, b, feature), found);
        if (std::abs(found.depth) > kTouching * info.size) continue;
        if (std::abs(rate) > kNoApproach * std::sqrt(pull.norm() * info.size)) continue;
        touch = found;
        ++here;
      }
      if (here == 0) continue;
      ++touched;
      obstacle = b;
      points = here;
    }
    if (touched != 1 || !(pull.dot(touch.normal) < 0.0)) continue;
    const PairLaws& laws = laws_.laws(laws_.index_of(a, obstacle));
    if (laws.normal->needs_approach_speed || laws.quasi_static) continue;  // refused below; keeps its height
    const Contact contact = make_contact(a, obstacle, 0, false);
    const double load = -info.mass * pull.dot(touch.normal) / points;
    states_[static_cast<std::size_t>(a)].position -= (contact.normal.static_depth(load) - touch.depth) * touch.normal;
    ++report_.settled;
  }
  report_.least_approach.reset();
}

void SmoothEngine::Core::make_first_units() {
  std::vector<Contact> contacts;
  std::vector<int> bodies(static_cast<std::size_t>(model_.body_count()));
  std::iota(bodies.begin(), bodies.end(), 0);
  for (const int body : bodies) {
    const double reach = environment_.body(body).size;
    const Vector3d& x = states_[static_cast<std::size_t>(body)].position;
    box_low_[static_cast<std::size_t>(body)] = x.array() - reach;
    box_high_[static_cast<std::size_t>(body)] = x.array() + reach;
  }
  for (int first = 0; first < model_.body_count(); ++first) {
    for (int second = first + 1; second < model_.object_count(); ++second) {
      if (!environment_.can_meet(first, second)) continue;
      if (model_.is_body(second) && options_.locate_events && apart(first, second)) continue;
      const auto [a, b] = environment_.ordered(first, second);
      double size = environment_.body(a).size;
      if (model_.is_body(b)) size = std::min(size, environment_.body(b).size);
      for (int feature = 0; feature < environment_.features(a, b); ++feature) {
        Touch touch;
        (void)contact_rate(environment_.geometry(a, b, feature), touch);
        if (touch.depth < -kTouching * size && options_.locate_events) continue;
        contacts.push_back(make_contact(a, b, feature, touch.depth >= -kTouching * size));
      }
    }
  }
  first_contacts_ = options_.locate_events ? contacts : std::vector<Contact>{};
  open_contacts_ = static_cast<std::int64_t>(first_contacts_.size());
  report_.contacts_started = open_contacts_;
  regroup(bodies, contacts, 0.0);
}

// ------------------------------------------------------------------------------------------------- merging, parting

void SmoothEngine::Core::regroup(const std::vector<int>& bodies, std::vector<Contact>& contacts, double step) {
  // Union–find over the bodies at hand.
  std::vector<int>& parent = parent_;
  parent.resize(static_cast<std::size_t>(model_.body_count()));
  for (const int body : bodies) parent[static_cast<std::size_t>(body)] = body;
  const auto root = [&parent](int body) {
    while (parent[static_cast<std::size_t>(body)] != body) {
      int& up = parent[static_cast<std::size_t>(body)];
      up = parent[static_cast<std::size_t>(up)];
      body = up;
    }
    return body;
  };
  const auto join = [&](int a, int b) {
    const int first = root(a), second = root(b);
    parent[static_cast<std::size_t>(std::max(first, second))] = std::min(first, second);
  };
  for (const Contact& contact : contacts)
    if (model_.is_body(contact.geometry.b)) join(contact.geometry.a, contact.geometry.b);
  for (const int body : bodies) {
    for (const int index : environment_.body(body).springs) {
      const Spring& spring = model_.springs[static_cast<std::size_t>(index)];
      if (spring.body_b != kNone && in_play(spring.body_a) && in_play(spring.body_b))
        join(spring.body_a, spring.body_b);
    }
  }
  if (!options_.clusters || !options_.locate_events)
    for (const int body : bodies) join(bodies[0], body);
  std::vector<int>& fresh = fresh_;
  fresh.clear();
  for (const int body : bodies) {
    if (root(body) != body) continue;
    const int index = new_unit();
    fresh.push_back(index);
    Unit& at = unit(index);
    at.alive = true;
    for (const int other : bodies) {
      if (root(other) != body) continue;
      at.cluster.bodies.push_back(other);
      unit_of(other) = index;
    }
  }
  for (Contact& contact : contacts) unit(unit_of(contact.geometry.a)).cluster.contacts.push_back(std::move(contact));
  contacts.clear();
  // Starting a unit makes others look at it, so all of them are there before the first starts.
  const std::vector<int> starting = fresh;
  for (const int index : starting) begin_unit(index, step);
  if (started_)
    for (const int index : starting)
      if (!over_) next_stretch(index);
}

void SmoothEngine::Core::begin_unit(int index, double step) {
  Unit& at = unit(index);
  at.start = at.end = now_;
  ++at.version;
  const bool alone = at.cluster.bodies.size() == 1;
  at.integrated = !alone || !at.cluster.contacts.empty() || !options_.locate_events || !options_.clusters ||
                  environment_.body(at.cluster.bodies[0]).needs_steps;
  if (!at.integrated) return;
  if (!at.stepper) at.stepper = make_stepper(options_.integrator, {.step = options_.step});
  at.cluster.begin(now_, states_, at.y);
  at.cluster.scale(now_, at.y.data(), options_.rtol * integrator_->step_share, at.scale);
  at.stepper->start(at.cluster, now_, at.y, at.scale);
  at.steps_since_scale = 0;
  const double proposed = at.stepper->proposed_step();
  at.next_step = proposed;
  if (!integrator_->adaptive) return;
  if (step > 0.0) at.next_step = std::min(step, at.next_step);
  if (!at.cluster.contacts.empty()) {
    double first = at.next_step;
    for (const Contact& contact : at.cluster.contacts)
      if (contact.began == now_) first = std::min(first, first_part_ * at.cluster.contact_time());
    at.next_step = std::min({first, at.next_step, 0.25 * at.cluster.contact_time()});
  }
}

void SmoothEngine::Core::close_contact(int first, int second, int feature) {
  const auto [a, b] = environment_.ordered(first, second);
  if (touching(unit(unit_of(a)), a, b, feature)) {  // found from both sides
    next_stretch(unit_of(a));
    return;
  }
  std::vector<Contact> contacts;
  std::vector<int> bodies;
  double step = 0.0;
  const int units[] = {unit_of(a), model_.is_body(b) ? unit_of(b) : kNone};
  for (const bool other : {false, true}) {
    const int index = units[other ? 1 : 0];
    if (index == kNone || (other && index == units[0])) continue;
    Unit& at = unit(index);
    bodies.insert(bodies.end(), at.cluster.bodies.begin(), at.cluster.bodies.end());
    for (Contact& contact : at.cluster.contacts) contacts.push_back(contact);
    if (at.integrated) step = step == 0.0 ? at.next_step : std::min(step, at.next_step);
    dissolve(index);
  }
  std::sort(bodies.begin(), bodies.end());
  Contact contact = make_contact(a, b, feature, false);
  ++report_.contacts_started;
  ++result_.impacts;
  if (!contacts.empty()) ++result_.multiple;
  ++open_contacts_;
  tell_start(contact);
  contacts.push_back(std::move(contact));
  regroup(bodies, contacts, step);
}

void SmoothEngine::Core::open_contact(int index, int which) {
  Unit& at = unit(index);
  const std::vector<int> bodies = at.cluster.bodies;
  std::vector<Contact> contacts = at.cluster.contacts;
  const double step = at.next_step;
  tell_end(contacts[static_cast<std::size_t>(which)]);
  book(contacts[static_cast<std::size_t>(which)]);
  contacts.erase(contacts.begin() + which);
  ++result_.contacts_opened;
  --open_contacts_;
  dissolve(index);
  regroup(bodies, contacts, step);
}

/// What a contact that is over has taken.
void SmoothEngine::Core::book(const Contact& contact) {
  result_.energy.contacts += contact.damping_work;
  result_.energy.friction += contact.friction_work;
  law_work_[2 * static_cast<std::size_t>(contact.law_pair)] += contact.damping_work;
  law_work_[2 * static_cast<std::size_t>(contact.law_pair) + 1] += contact.friction_work;
  report_.deepest = std::max(report_.deepest, contact.deepest);
  if (contact.ever_clamped) ++report_.attractions_clamped;
}

void SmoothEngine::Core::swallow(int body, int pocket) {
  const int index = unit_of(body);
  Unit& at = unit(index);
  std::vector<int> bodies;
  std::vector<Contact> contacts;
  const double step = at.next_step;
  for (const int other : at.cluster.bodies)
    if (other != body) bodies.push_back(other);
  double taken = kinetic_energy(body);
  for (Contact& contact : at.cluster.contacts) {
    if (contact.geometry.a != body && contact.geometry.b != body) {
      contacts.push_back(contact);
      continue;
    }
    const Cluster::Stored stored = at.cluster.stored(contact, now_, at.stepper->y().data());
    contact.friction_work -= stored.tangential;
    taken += stored.normal + stored.tangential;
    book(contact);
    --open_contacts_;
  }
  dissolve(index);
  tell_swallowed(body, pocket);
  BodyState& state = states_[static_cast<std::size_t>(body)];
  state.velocity.setZero();
  state.angular_velocity.setZero();
  result_.energy.swallowed += taken;
  in_play_[static_cast<std::size_t>(body)] = 0;
  unit_of(body) = kNone;
  report_.swallowed.push_back({body, pocket});
  if (!bodies.empty()) regroup(bodies, contacts, step);
}

}  // namespace carom
