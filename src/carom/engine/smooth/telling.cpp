/// What the engine tells: samples, the book of energy, contacts that begin and end.

#include <algorithm>
#include <cmath>

#include "carom/engine/smooth/smooth_core.h"

namespace carom {

using namespace smooth;

/// The state of a cluster within its step: positions on their tracks, everything else by cubics from values and slopes
/// at both ends.
void SmoothEngine::Core::interpolate(const Unit& at, double time, std::vector<double>& y) const {
  const Stepper& stepper = *at.stepper;
  const std::size_t size = stepper.y().size();
  y.resize(size);
  const double h = stepper.trial_time() - stepper.time();
  const double tau = time - stepper.time();
  if (!(h > 0.0) || tau <= 0.0) {
    std::copy(stepper.y().begin(), stepper.y().end(), y.begin());
    return;
  }
  const double s = tau / h;
  const double a0 = (1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s), a1 = s * s * (3.0 - 2.0 * s);
  const double b0 = h * s * (1.0 - s) * (1.0 - s), b1 = h * s * s * (s - 1.0);
  const double* const first = stepper.y().data();
  const double* const last = stepper.trial_y().data();
  const double* const slope = stepper.slope().data();
  const double* const last_slope = stepper.trial_slope().data();
  for (std::size_t i = 0; i < size; ++i) y[i] = a0 * first[i] + a1 * last[i] + b0 * slope[i] + b1 * last_slope[i];
  const auto& bodies = at.cluster.bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Track& on = track(bodies[i]);
    const Vector3d x = on.position(time - on.start), v = on.velocity(time - on.start);
    for (std::size_t k = 0; k < 3; ++k) {
      y[3 * i + k] = x[static_cast<Eigen::Index>(k)];
      y[3 * (bodies.size() + i) + k] = v[static_cast<Eigen::Index>(k)];
    }
  }
}

State SmoothEngine::Core::state_at(double time) const {
  State state;
  state.time = time;
  state.bodies = states_;
  std::vector<double> y;
  for (const auto& at : units_) {
    if (!at->alive || time <= at->start) continue;  // known: states_
    if (!at->integrated) {
      const int body = at->cluster.bodies[0];
      state.bodies[static_cast<std::size_t>(body)] = state_of(body, time);
      continue;
    }
    interpolate(*at, time, y);
    for (std::size_t slot = 0; slot < at->cluster.bodies.size(); ++slot)
      state.bodies[static_cast<std::size_t>(at->cluster.bodies[slot])] =
          at->cluster.body_state(static_cast<int>(slot), time, y.data());
  }
  return state;
}

EnergyBook SmoothEngine::Core::book_at(const State& state) const {
  EnergyBook book = result_.energy;
  book.now = energy(model_, state);
  std::vector<double> y;
  for (const auto& at : units_) {
    if (!at->alive || !at->integrated) continue;
    interpolate(*at, state.time, y);
    const double* const works = at->cluster.works(y.data());
    book.damping += works[0];
    book.wall_work += works[1];
    book.torque_work += works[2];
    for (const Contact& contact : at->cluster.contacts) {
      const Cluster::Stored stored = at->cluster.stored(contact, state.time, y.data());
      const double* const extra = y.data() + contact.extra;
      book.now.contacts += stored.normal + stored.tangential;
      book.contacts += extra[1];
      if (contact.has_friction) book.friction += extra[2] - stored.tangential;
    }
  }
  return book;
}

void SmoothEngine::Core::take_samples(double until) {
  if (observer_ == nullptr || !(options_.output_step > 0.0)) return;
  for (;;) {
    const double time = start_ + static_cast<double>(samples_taken_) * options_.output_step;
    // The end has a sample of its own.
    if (time > until || time >= end_ - 1e-9 * options_.output_step) return;
    const State state = state_at(time);
    observer_->sample(state, book_at(state));
    ++samples_taken_;
  }
}

void SmoothEngine::Core::tell(EventKind kind, const ContactRecord& record, const Contact& contact) {
  if (observer_ == nullptr) return;
  EventRecord event;
  event.time = now_;
  event.kind = kind;
  event.law = laws_.laws(contact.law_pair).normal->name;
  event.contacts = {&record, 1};
  event.min_gap_rate_after = record.rate_after;
  event.min_impulse = record.impulse;
  const int b = contact.geometry.b;
  event.energy.before = contact.energy_before;
  event.energy.after = kinetic_energy(contact.geometry.a) + (model_.is_body(b) ? kinetic_energy(b) : 0.0);
  event.energy.change = event.energy.after - event.energy.before;
  // The kinetic energy changes by what flows through other contacts too; this one took:
  event.energy.contact_work = event.energy.change_from_impulses = -contact.damping_work - contact.friction_work;
  observer_->event(event);
}

void SmoothEngine::Core::tell_start(const Contact& contact) {
  if (observer_ == nullptr) return;
  Touch touch;
  const double rate = contact_rate(contact.geometry, touch);
  ContactRecord record;
  record.a = contact.geometry.a;
  record.b = contact.geometry.b;
  record.point = touch.point;
  record.normal = touch.normal;
  record.rate_before = record.rate_after = rate;
  tell(EventKind::contact_start, record, contact);
}

void SmoothEngine::Core::tell_end(const Contact& contact) {
  if (observer_ == nullptr) return;
  Touch touch;
  const double rate = contact_rate(contact.geometry, touch);
  ContactRecord record;
  record.a = contact.geometry.a;
  record.b = contact.geometry.b;
  record.point = touch.point;
  record.normal = touch.normal;
  record.impulse = contact.impulse;
  record.tangential_impulse = contact.tangential_impulse;
  record.rate_before = contact.first_rate;
  record.rate_after = rate;
  tell(EventKind::contact_end, record, contact);
}

void SmoothEngine::Core::tell_swallowed(int body, int pocket) {
  if (observer_ == nullptr) return;
  const BodyState& state = states_[static_cast<std::size_t>(body)];
  JumpRecord jump;
  jump.body = body;
  jump.velocity_before = state.velocity;
  jump.angular_velocity_before = state.angular_velocity;
  EventRecord event;
  event.time = now_;
  event.kind = EventKind::swallowed;
  event.pocket = pocket;
  event.jumps = {&jump, 1};
  event.energy.before = kinetic_energy(body);
  event.energy.change = event.energy.change_from_impulses = -event.energy.before;
  observer_->event(event);
}

void SmoothEngine::Core::announce_first_contacts() {
  for (const Contact& contact : first_contacts_) tell_start(contact);
  first_contacts_.clear();
}

void SmoothEngine::Core::warn(const std::string& text) {
  // One warning for each pair of laws: the text differs in the speed only.
  const std::string key = text.substr(0, text.find(';'));
  for (const std::string& known : report_.warnings)
    if (known.compare(0, key.size(), key) == 0) return;
  report_.warnings.push_back(text);
}

Eigen::Vector3d SmoothEngine::Core::momentum(const State& state) const {
  Vector3d sum = Vector3d::Zero();
  for (std::size_t i = 0; i < state.bodies.size(); ++i) sum += model_.bodies[i].mass * state.bodies[i].velocity;
  return sum;
}

void SmoothEngine::Core::finish_report() {
  report_.momentum_after = momentum(result_.final_state);
  for (const auto& at : units_) {
    if (!at->alive) {
      if (at->stepper) result_.evaluations += at->stepper->evaluations();
      continue;
    }
    if (!at->integrated) {
      if (at->stepper) result_.evaluations += at->stepper->evaluations();
      continue;
    }
    result_.evaluations += at->stepper->evaluations();
    for (const Contact& contact : at->cluster.contacts) {
      law_work_[2 * static_cast<std::size_t>(contact.law_pair)] += contact.damping_work;
      law_work_[2 * static_cast<std::size_t>(contact.law_pair) + 1] += contact.friction_work;
      report_.deepest = std::max(report_.deepest, contact.deepest);
      if (contact.ever_clamped) ++report_.attractions_clamped;
    }
  }
  for (int i = 0; i < laws_.count(); ++i) {
    const PairLaws& laws = laws_.laws(i);
    const auto add = [this](std::string_view law, double work) {
      if (work == 0.0) return;
      for (CompliantReport::LawWork& known : report_.works) {
        if (known.law != law) continue;
        known.dissipated += work;
        return;
      }
      report_.works.push_back({std::string(law), work});
    };
    add(laws.normal->name, law_work_[2 * static_cast<std::size_t>(i)]);
    if (laws.friction != nullptr) add(laws.friction->name, law_work_[2 * static_cast<std::size_t>(i) + 1]);
  }
  result_.guarantee = options_.locate_events ? Guarantee::bounded : Guarantee::sampled;
  result_.compliant = report_;
}

}  // namespace carom
