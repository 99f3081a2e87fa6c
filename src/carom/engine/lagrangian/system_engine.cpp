#include "carom/engine/lagrangian/system_engine.h"

#include <algorithm>
#include <cmath>

namespace carom::lagrangian {

namespace {

/// Positions and rates off the constraints by more than this are put back.
constexpr double kDrift = 1e-14;
/// Steps below this part of the time scale of the run mean that the integration has failed.
constexpr double kSmallestStep = 1e-13;
/// It does not pay to step further than so many sizes at once, since an event may be near.
constexpr double kReach = 2.0;
/// Nothing moves: speeds below this part of the size per second, accelerations below this part of the largest at hand.
constexpr double kRest = 1e-10;
/// Times that a step is taken again to end where the gap is zero to round-off.
constexpr int kCorrections = 3;
/// The first step, as a part of the time in which the fastest coordinate covers the size of the system, and of a
/// second; the error control finds the right one from there.
constexpr double kFirstPart = 0.01;

double first_step(double size, const Vector& speeds) {
  const double fastest = speeds.size() > 0 ? speeds.cwiseAbs().maxCoeff() : 0.0;
  return kFirstPart * (fastest > size ? size / fastest : 1.0);
}

}  // namespace

SystemEngine::SystemEngine(const LagrangianSystem& system, const LagrangianState& initial,
                           const LagrangianOptions& options)
    : Engine(RunLog(options.max_events)),
      options_(options),
      dynamics_(system),
      motion_(dynamics_, initial, options.tolerance),
      state_{initial},
      now_(initial.time),
      end_(initial.time + options.duration),
      first_step_(first_step(system.size(), initial.v)),
      step_size_(first_step_) {
  log_.result.guarantee = Guarantee::bounded;
}

double SystemEngine::shortest_time() const {
  return kSmallestStep * std::max(first_step_, std::abs(state_.time));
}

// ------------------------------------------------------------------------------------------------ what comes next

std::optional<double> SystemEngine::next_time() {
  if (instant_) return now_;
  if (!step_) plan_step();
  if (!step_) return std::nullopt;
  const double next = rest_comes_first() ? state_.rests.front().time : step_->end;
  return next > end_ ? std::nullopt : std::optional(next);
}

bool SystemEngine::rest_comes_first() const {
  return !state_.rests.empty() && state_.rests.front().time <= step_->end;
}

void SystemEngine::plan_step() {
  while (true) {
    const double length = step_size_;
    const LagrangianMotion::Attempt attempt = motion_.try_step(dynamics_, state_, length);
    if (!attempt.accepted) {
      ++log_.result.steps_rejected;
      step_size_ = length * attempt.factor;
      if (step_size_ < shortest_time())
        return log_.fail("the integration needs steps that are too small", state_.time, {});
      continue;
    }
    const double travel = dynamics_.contacts() > 0 ? motion_.farthest_travel() / dynamics_.system().size() : 0.0;
    if (travel > kReach) {
      ++log_.result.steps_rejected;
      step_size_ = 0.5 * length * kReach / travel;
      continue;
    }
    NextEvent event =
        EventSearch(dynamics_, state_, motion_, options_.contact_tolerance * dynamics_.system().size()).first();
    if (!event.proven) log_.result.guarantee = Guarantee::sampled;
    step_ = event.after <= length ? plan_to(std::move(event)) : PlannedStep{state_.time + length, std::nullopt};
    step_size_ = length * attempt.factor;
    return;
  }
}

SystemEngine::PlannedStep SystemEngine::plan_to(NextEvent event) {
  // The step is taken again up to the event, and its length corrected until the gap is zero to round-off. Where that
  // does not converge the dense output stands.
  double length = event.after;
  const double size = dynamics_.system().size();
  Vector q;
  Vector v;
  for (int i = 0; i < kCorrections && event.after > 0.0; ++i) {
    if (!motion_.end_at(dynamics_, state_, length)) {
      length = event.after;
      motion_.end_on_dense_output(length);
      break;
    }
    if (event.closing == kNone) break;
    motion_.read_end(q, v);
    const double gap = dynamics_.gaps(q)[event.closing];
    const double rate = dynamics_.gap_rates(q, v)[event.closing];
    const double corrected = length - gap / rate;
    // A graze has no rate to divide by; what the dense output said stands then.
    if (std::abs(gap) < 2e-16 * size || !(rate < 0.0)) break;
    if (!(std::abs(corrected - length) < 1e-3 * length) || corrected == length) break;
    length = corrected;
  }
  return {event.after > 0.0 ? state_.time + length : state_.time, std::move(event)};
}

// ------------------------------------------------------------------------------------------------ doing it

void SystemEngine::handle_next() {
  if (instant_) return handle_instant();
  if (rest_comes_first()) return report_rest();
  take_step();
}

void SystemEngine::take_step() {
  const PlannedStep step = std::move(*step_);
  step_.reset();
  if (!step.event || step.event->after > 0.0) {
    motion_.read_end(state_.q, state_.v);
    state_.work = motion_.work_at_end();
    state_.friction = motion_.friction_at_end();
  }
  state_.time = step.end;
  now_ = step.end;
  ++log_.result.steps_accepted;
  if (step.event)
    handle_event(*step.event);
  else
    keep_on_constraints();
}

void SystemEngine::handle_event(const NextEvent& event) {
  if (state_.time > idle_since_ + shortest_time()) {
    idle_since_ = state_.time;
    idle_events_ = 0;
  }
  if (++idle_events_ > options_.max_rounds)
    return log_.fail("time does not move on: events follow at one instant", state_.time, {});
  for (const ContactIndex i : event.ending) {
    LagrangianDynamics::Slip slip = dynamics_.slip(i);
    slip.lets_go = !slip.slides;
    slip.ended = slip.slides;
    dynamics_.set_slip(i, slip);
  }
  if (event.closing != kNone || !event.ending.empty()) return handle_instant();
  std::erase_if(state_.held, [&](ContactIndex i) { return contains(event.opening, i); });
  log_.result.contacts_opened += static_cast<std::int64_t>(event.opening.size());
  report({EventKind::release, state_.time, event.opening}, scratch_.draft, log_);
}

void SystemEngine::handle_instant() {
  if (!instant_) {
    const double closed_gap = options_.contact_tolerance * dynamics_.system().size();
    instant_ = InstantProgress{LagrangianInstant::closed_contacts(dynamics_, state_, closed_gap)};
    for (const ContactIndex i : state_.held) instant_->slides_before[i] = dynamics_.slip(i);
  }
  if (LagrangianInstant({dynamics_, options_, log_, scratch_}, state_, *instant_).handle()) instant_.reset();
}

void SystemEngine::report_rest() {
  PendingRest rest = std::move(state_.rests.front());
  state_.rests.erase(state_.rests.begin());
  now_ = rest.time;
  std::erase_if(rest.contacts, [&](ContactIndex i) { return !contains(state_.held, i); });
  report({EventKind::rest, rest.time, rest.contacts}, scratch_.draft, log_);
}

void SystemEngine::keep_on_constraints() {
  if (state_.held.empty() && dynamics_.constraints() == 0) return;
  const auto drift = dynamics_.drift(state_.q, state_.v, state_.held);
  if (drift.position > kDrift || drift.rate > kDrift)
    log_.result.energy.cut_off += put_on_constraints(dynamics_, state_.held, state_);
}

// ------------------------------------------------------------------------------------------------ answers

bool SystemEngine::at_rest(double /*next*/) {
  if (instant_ || !state_.rests.empty() || now_ > state_.time) return false;
  const LagrangianSystem& system = dynamics_.system();
  if (state_.v.size() > 0 && state_.v.cwiseAbs().maxCoeff() > kRest * system.size()) return false;
  if (dynamics_.accelerate(state_.time, state_.q, state_.v, state_.held, {}) != AccelerationStatus::solved)
    return false;
  const Vector acceleration = Eigen::Map<const Vector>(dynamics_.answer().acceleration().data(), dynamics_.speeds());
  const double measure = std::sqrt(2.0 * dynamics_.kinetic_energy(state_.q, acceleration));
  return measure <= kRest * dynamics_.answer().scale();
}

LagrangianState SystemEngine::lagrangian_state_at(double time) const {
  if (!within_step(time)) return state_;
  LagrangianState state;
  state.time = time;
  motion_.read_after(time - state_.time, state.q, state.v);
  return state;
}

State SystemEngine::state_at(double time) const {
  State state;
  state.time = time;
  return state;
}

EnergyBook SystemEngine::energy_at(const State& state) const {
  const LagrangianState at = lagrangian_state_at(state.time);
  EnergyBook book = log_.result.energy;
  book.damping = -(within_step(state.time) ? motion_.work_at(state.time) : state_.work);
  book.friction = within_step(state.time) ? motion_.friction_at(state.time) : state_.friction;
  book.now.kinetic = dynamics_.kinetic_energy(at.q, at.v);
  book.now.gravity = dynamics_.system().potential(at.q);
  return book;
}

RunResult SystemEngine::result(const State& /*reached*/) const {
  RunResult result = log_.result;
  result.evaluations = motion_.evaluations();
  return result;
}

}  // namespace carom::lagrangian
