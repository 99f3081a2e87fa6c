/// Stretches of the units: flight in closed form, steps of clusters, and what ends them.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/engine/smooth/smooth_core.h"

namespace carom {

using namespace smooth;

namespace {

/// Steps after which tolerances are looked at again, and the change of the scales that makes them anew.
constexpr int kLookAtScale = 32;
constexpr double kScaleChange = 3.0;
/// Attempts to bring a located instant home.
constexpr int kPolish = 4;
/// A flight ends, to be gone on with, after this many sizes of the body where there are many bodies.
constexpr double kFlightReach = 16.0;
constexpr int kManyBodies = 64;
/// Penetration of the smaller body's size from which the two have passed through each other.
constexpr double kTunnel = 0.9;

}  // namespace

void SmoothEngine::Core::next_stretch(int index) {
  Unit& at = unit(index);
  ++at.version;
  at.start = now_;
  at.at_end = StretchEnd::nothing;
  if (at.integrated) {
    if (!integrate_on(at)) return;
  } else {
    fly_on(at);
  }
  queue_.push({.time = at.end, .order = made_++, .unit = index, .version = at.version});
  look_around(index);
}

// ------------------------------------------------------------------------------------------------- flight

void SmoothEngine::Core::fly_on(Unit& at) {
  const int body = at.cluster.bodies[0];
  const auto i = static_cast<std::size_t>(body);
  const BodyInfo& info = environment_.body(body);
  const BodyState& state = states_[i];
  track(body) = Track::flight(now_, state.position, state.velocity, info.free_acceleration);
  rotations_[i].reset();
  if (!info.round && state.angular_velocity.norm() > 0.0) {
    const Eigen::Quaterniond attitude = state.orientation * info.principal_axes;
    rotations_[i] = std::make_unique<FreeRotation>(
        info.inertia, RotationState{attitude, attitude.conjugate() * state.angular_velocity});
  }
  at.end = end_;
  if (model_.body_count() > kManyBodies) {
    const double speed = state.velocity.norm() + std::sqrt(info.free_acceleration.norm() * info.size);
    if (speed > 0.0) at.end = std::min(at.end, now_ + kFlightReach * info.size / speed);
  }
  track(body).end = at.end;
  note_box(body);
  look_at_obstacles(at);
  if (track(body).end != at.end) {
    track(body).end = at.end;
    note_box(body);
  }
}

// ------------------------------------------------------------------------------------------------- steps

/// One step that the error control accepts, cut where something happens. False: the run has failed.
bool SmoothEngine::Core::integrate_on(Unit& at) {
  Stepper& stepper = *at.stepper;
  const double room = end_ - now_;
  if (at.steps_since_scale >= kLookAtScale && integrator_->adaptive) {
    at.steps_since_scale = 0;
    const double speed = at.cluster.speed_scale(), depth = at.cluster.depth_scale();
    at.cluster.scale(now_, stepper.y().data(), options_.rtol * integrator_->step_share, at.scale);
    const auto changed = [](double a, double b) { return a > kScaleChange * b || b > kScaleChange * a; };
    if (changed(speed, at.cluster.speed_scale()) || changed(depth, at.cluster.depth_scale())) {
      at.y.assign(stepper.y().begin(), stepper.y().end());
      stepper.start(at.cluster, now_, at.y, at.scale);
    }
  }
  double h = at.next_step;
  if (!(h > 0.0)) h = room;
  for (;;) {
    if (options_.max_step > 0.0) h = std::min(h, options_.max_step);
    const bool last = h >= room;
    const double tried = last ? room : h;
    if (!(tried > 0.0)) {
      at.end = now_;
      break;
    }
    const double error = stepper.attempt(tried);
    if (error <= 1.0) {
      at.end = last ? end_ : now_ + tried;
      at.next_step = last ? std::max(h, stepper.proposed_step()) : stepper.proposed_step();
      break;
    }
    ++result_.steps_rejected;
    h = std::min(stepper.proposed_step(), 0.5 * tried);
    const double shortest = 1e-15 * std::max(std::abs(now_), std::min(1e-3 * at.cluster.contact_time(), 1.0));
    if (!(h > shortest) || !std::isfinite(h)) {
      fail_step(at, error);
      return false;
    }
  }
  ++at.steps_since_scale;
  lay_tracks(at);
  if (options_.locate_events) find_end(at);
  return !over_;
}

void SmoothEngine::Core::fail_step(const Unit& at, double error) {
  std::string who;
  std::vector<int> bodies = at.cluster.bodies;
  double deepest = 0.0;
  for (const Contact& contact : at.cluster.contacts) {
    const double depth = at.cluster.standing(contact, now_, at.stepper->y().data()).touch.depth;
    if (!who.empty() && depth <= deepest) continue;
    deepest = depth;
    who = fmt::format(" between '{}' and '{}'", model_.name(contact.geometry.a), model_.name(contact.geometry.b));
    bodies = {contact.geometry.a};
    if (model_.is_body(contact.geometry.b)) bodies.push_back(contact.geometry.b);
  }
  fail(std::isfinite(error)
           ? fmt::format("the tolerance rtol = {} cannot be met{}: steps have become shorter than time can tell",
                         options_.rtol, who)
           : fmt::format("forces are not finite{}", who),
       bodies);
}

void SmoothEngine::Core::lay_tracks(Unit& at) {
  const Stepper& stepper = *at.stepper;
  const double* const y = stepper.y().data();
  const double* const slope = stepper.slope().data();
  const double* const last_y = stepper.trial_y().data();
  const double* const last_slope = stepper.trial_slope().data();
  const std::size_t count = at.cluster.bodies.size();
  const auto vector = [](const double* from) { return Vector3d(from[0], from[1], from[2]); };
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t x = 3 * i, v = 3 * (count + i);
    track(at.cluster.bodies[i]) = Track::step(now_, at.end, {vector(y + x), vector(y + v), vector(slope + v)},
                                              {vector(last_y + x), vector(last_y + v), vector(last_slope + v)});
    note_box(at.cluster.bodies[i]);
  }
}

/// The first thing that happens within the step: a contact opens, two bodies touch, a body falls into a pocket. The
/// step is taken again up to it.
void SmoothEngine::Core::find_end(Unit& at) {
  const Stepper& stepper = *at.stepper;
  const double whole = at.end;
  double first = whole;
  for (std::size_t k = 0; k < at.cluster.contacts.size(); ++k) {
    Contact& contact = at.cluster.contacts[k];
    const Cluster::Gap last = at.cluster.gap(contact, whole, stepper.trial_y().data());
    if (last.gap <= 0.0 || last.rate <= 0.0) continue;
    // A held ball has left only when it rises beyond round-off.
    if (contact.held && last.gap < 1e-10 * contact.geometry.radius_a) continue;
    if (!contact.pressed && last.gap < 1e-12 * environment_.body(contact.geometry.a).size) continue;
    const double time = find_opening(at, contact, whole);
    if (time >= first && at.at_end != StretchEnd::nothing) continue;
    first = time;
    at.at_end = StretchEnd::release;
    at.contact = static_cast<int>(k);
  }
  at.end = first;
  look_inside(at);
  look_at_obstacles(at);
  if (at.at_end == StretchEnd::nothing) return;
  settle_end(at);
  lay_tracks(at);
}

/// Takes the step again to the instant found on the interpolation, and brings the gap home by Newton's method.
void SmoothEngine::Core::settle_end(Unit& at) {
  Stepper& stepper = *at.stepper;
  const double room = std::min(at.end + (at.end - now_), end_);
  double time = at.end;
  const double fine = 1e-3 * options_.rtol * at.cluster.depth_scale();
  Contact probe;
  const Contact* watched = nullptr;
  if (at.at_end == StretchEnd::release) {
    watched = &at.cluster.contacts[static_cast<std::size_t>(at.contact)];
  } else if (at.at_end == StretchEnd::encounter) {
    const auto [a, b] = environment_.ordered(at.a, at.b);
    probe.geometry = environment_.geometry(a, b, at.feature);
    for (std::size_t i = 0; i < at.cluster.bodies.size(); ++i) {
      if (at.cluster.bodies[i] == a) probe.slot_a = static_cast<int>(i);
      if (at.cluster.bodies[i] == b) probe.slot_b = static_cast<int>(i);
    }
    watched = &probe;
  }
  for (int k = 0;; ++k) {
    time = std::clamp(time, now_, room);
    if (time > now_) {
      stepper.attempt(time - now_);
      at.end = time;
    } else {
      at.end = now_;
      return;
    }
    if (watched == nullptr || k == kPolish) return;
    const Cluster::Gap reached = at.cluster.gap(*watched, time, stepper.trial_y().data());
    // A contact that opens does so on the far side, one that begins on the near one.
    const double target = at.at_end == StretchEnd::release ? 0.5 * fine : 0.0;
    const double off = reached.gap - target;
    if (std::abs(off) <= 0.5 * fine || reached.rate == 0.0) return;
    const double move = -off / reached.rate;
    if (!(std::abs(move) < 0.5 * (time - now_))) return;
    time += move;
  }
}

/// When the gap of a contact that is open at the end of the step opened.
double SmoothEngine::Core::find_opening(const Unit& at, const Contact& contact, double whole) const {
  const PairGeometry& g = contact.geometry;
  const auto gap = [&](double time) {
    if (contact.plain) {
      const Vector3d x = track(g.a).position(time - track(g.a).start);
      if (contact.slot_b == kNone) return g.plane_normal.dot(x - g.plane_point) - g.radius_a;
      const Vector3d d = x - track(g.b).position(time - track(g.b).start);
      const double reach = g.radius_a + g.radius_b;
      return (d.squaredNorm() - reach * reach) / (d.norm() + reach);
    }
    interpolate(at, time, scratch_);
    return at.cluster.gap(contact, time, scratch_.data()).gap;
  };
  double low = now_, high = whole;
  double gap_low = gap(low), gap_high = gap(high);
  if (gap_low >= 0.0) return low;
  int side = 0;
  for (int k = 0; k < 60 && high - low > 1e-9 * (whole - now_); ++k) {
    double middle = low + (high - low) * (gap_low / (gap_low - gap_high));
    if (!(middle > low && middle < high)) middle = 0.5 * (low + high);
    const double value = gap(middle);
    if (value == 0.0) return middle;
    if (value < 0.0) {
      low = middle;
      gap_low = value;
      if (side == -1) gap_high *= 0.5;
      side = -1;
    } else {
      high = middle;
      gap_high = value;
      if (side == 1) gap_low *= 0.5;
      side = 1;
    }
  }
  return high;
}

// ------------------------------------------------------------------------------------------------- making it final

/// The motion up to `time` is final: the unit stands there.
void SmoothEngine::Core::advance_to(int index, double time) {
  Unit& at = unit(index);
  if (!at.integrated) {
    const int body = at.cluster.bodies[0];
    states_[static_cast<std::size_t>(body)] = state_of(body, time);
    at.start = time;
    return;
  }
  Stepper& stepper = *at.stepper;
  if (time > at.start) {
    if (time != at.end || stepper.trial_time() != time) stepper.attempt(time - at.start);
    if (at.cluster.constrained()) {
      if (options_.constraints == ConstraintMethod::projection) {
        at.y.assign(stepper.trial_y().begin(), stepper.trial_y().end());
        at.cluster.project(time, at.y.data());
        stepper.replace_trial(at.y);
      }
      report_.constraint_drift = std::max(report_.constraint_drift, at.cluster.drift(time, stepper.trial_y().data()));
    }
    stepper.accept();
    ++result_.steps_accepted;
  }
  at.start = time;
  const double* const y = stepper.y().data();
  for (std::size_t slot = 0; slot < at.cluster.bodies.size(); ++slot)
    states_[static_cast<std::size_t>(at.cluster.bodies[slot])] = at.cluster.body_state(static_cast<int>(slot), time, y);
  at.cluster.read_contacts(y);
  look_at_contacts(at, time, y);
}

/// What the contacts are like at the end of a step: how deep, whether cut off; without location, whether they began.
void SmoothEngine::Core::look_at_contacts(Unit& at, double time, const double* y) {
  bool changed = false;
  for (Contact& contact : at.cluster.contacts) {
    if (contact.held) continue;
    const auto [gap, rate] = at.cluster.gap(contact, time, y);
    const double depth = -gap;
    if (!(depth > 0.0)) {
      if (!options_.locate_events) contact.pressed = false;
      continue;
    }
    if (!contact.pressed && !options_.locate_events) {
      renew(contact, at.cluster.standing(contact, time, y));
      changed = true;
    }
    contact.pressed = true;
    if (contact.normal.evaluate(depth, -rate).clamped) contact.ever_clamped = true;
    double size = environment_.body(contact.geometry.a).size;
    if (model_.is_body(contact.geometry.b)) size = std::min(size, environment_.body(contact.geometry.b).size);
    contact.deepest = std::max(contact.deepest, depth / size);
    if (depth > kTunnel * size) {
      fail(fmt::format("'{}' has gone through '{}' ({} m deep): the contact is too soft, or the steps are too long",
                       model_.name(contact.geometry.a), model_.name(contact.geometry.b), depth),
           {contact.geometry.a});
      return;
    }
  }
  if (!changed) return;
  at.cluster.scale(time, y, options_.rtol * integrator_->step_share, at.scale);
}

/// Without location of events: a contact is noticed after the fact, with the speed that it then has.
void SmoothEngine::Core::renew(Contact& contact, const Cluster::Standing& s) {
  const auto& a = states_[static_cast<std::size_t>(contact.geometry.a)];
  Pose at_b;
  if (model_.is_body(contact.geometry.b)) {
    const auto& b = states_[static_cast<std::size_t>(contact.geometry.b)];
    at_b = {b.position, b.orientation};
  } else {
    at_b = environment_.obstacle(contact.geometry.b, now_).place;
  }
  laws_.prepare(contact, {s.touch, {a.position, a.orientation}, at_b, std::max(-s.rate, 1e-12)});
  ++report_.contacts_started;
  ++result_.impacts;
}

BodyState SmoothEngine::Core::state_of(int body, double time) const {
  const auto i = static_cast<std::size_t>(body);
  if (!in_play(body)) return states_[i];
  const Unit& at = unit(unit_of(body));
  if (at.integrated) {
    if (time <= at.start) return states_[i];
    interpolate(at, time, scratch_);
    const auto& bodies = at.cluster.bodies;
    const auto slot = std::find(bodies.begin(), bodies.end(), body) - bodies.begin();
    return at.cluster.body_state(static_cast<int>(slot), time, scratch_.data());
  }
  const double tau = time - track(body).start;
  BodyState state = states_[i];
  if (tau == 0.0) return state;
  state.position = track(body).position(tau);
  state.velocity = track(body).velocity(tau);
  const BodyInfo& info = environment_.body(body);
  if (rotations_[i]) {
    const RotationState turned = rotations_[i]->at(tau);
    state.orientation = turned.attitude * info.principal_axes.conjugate();
    state.angular_velocity = turned.attitude * turned.angular_velocity;
  } else if (const double speed = state.angular_velocity.norm(); speed > 0.0) {
    state.orientation = Eigen::AngleAxisd(speed * tau, state.angular_velocity / speed) * state.orientation;
    state.orientation.normalize();
  }
  return state;
}

}  // namespace carom
