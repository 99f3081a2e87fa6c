#include "carom/engine/lagrangian/lagrangian_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace carom::lagrangian {

namespace {

/// Gaps are computed from coordinates to about this, relative to the size.
constexpr double kGapNoise = 1e-14;
/// Positions and rates off the constraints by more than this are put back.
constexpr double kDrift = 1e-14;
/// Steps below this part of the time scale of the run mean that the integration has failed.
constexpr double kSmallestStep = 1e-13;
/// Places within a step at which the forces of persistent contacts are looked at.
constexpr int kForceSamples = 4;
/// Where gaps are sampled, no coordinate moves by more than this part of the size from one look to the next; and it
/// does not pay to step further than so many sizes at once, since an event may be near.
constexpr double kLook = 0.25;
constexpr double kReach = 2.0;

}  // namespace

LagrangianRun::LagrangianRun(const LagrangianSystem& system, const LagrangianState& initial,
                             const LagrangianOptions& options)
    : system_(system), options_(options), dynamics_(system), state_(initial) {
  const int n = dynamics_.coordinates() + dynamics_.speeds() + 1;
  collocation_.resize(n);
  collocation_.set_tolerance(options.tolerance);
  std::vector<double> scale(static_cast<std::size_t>(n), system.size());
  scale.back() = std::max({std::abs(dynamics_.kinetic_energy(initial.q, initial.v)),
                           std::abs(system.potential(initial.q)), std::numeric_limits<double>::min()});
  if (!(scale.back() > std::numeric_limits<double>::min())) scale.back() = 1.0;
  collocation_.set_scale(scale.data());
  y_.assign(static_cast<std::size_t>(n), 0.0);
  y_new_ = y_;
  pack();
  gap_closed_ = options.contact_tolerance * system.size();
  gap_noise_ = kGapNoise * system.size();
  problem_.options = options.impact;
  start_ = initial.time;
  end_ = initial.time + options.duration;
  step_ = 0.01 * options.duration;
}

LagrangianResult LagrangianRun::run(Observer* observer, const std::atomic<bool>* interrupt) {
  observer_ = observer;
  result_.run.guarantee = Guarantee::bounded;
  result_.run.energy.initial = total_energy();
  sample(state_, 0.0);
  instant();
  long steps = 0;
  while (running_) {
    if (state_.time >= end_) {
      stop(RunStop::duration);
    } else if (interrupt != nullptr && interrupt->load()) {
      stop(RunStop::interrupted);
    } else if (options_.stop_at_rest && at_rest()) {
      stop(RunStop::at_rest);
    } else {
      advance();
      if (observer_ != nullptr && ++steps % 1000 == 0) observer_->progress(state_.time, result_.run.impacts);
    }
  }
  sample(state_, y_.back());
  result_.run.evaluations = collocation_.evaluations();
  result_.run.final_state.time = state_.time;
  result_.state = state_;
  return std::move(result_);
}

void LagrangianRun::stop(RunStop why) {
  result_.run.stop = why;
  running_ = false;
}

void LagrangianRun::fail(std::string reason) {
  stop(RunStop::failed);
  result_.run.failure = Failure{std::move(reason), state_.time, {}};
}

void LagrangianRun::unpack(const double* y, Vector& q, Vector& v) const {
  const int nq = dynamics_.coordinates();
  q = Eigen::Map<const Vector>(y, nq);
  v = Eigen::Map<const Vector>(y + nq, dynamics_.speeds());
}

void LagrangianRun::pack() {
  std::copy(state_.q.begin(), state_.q.end(), y_.begin());
  std::copy(state_.v.begin(), state_.v.end(), y_.begin() + dynamics_.coordinates());
}

void LagrangianRun::slopes(double time, const double* y, double* slope) {
  unpack(y, work_q_, work_v_);
  const int nq = dynamics_.coordinates();
  const int nv = dynamics_.speeds();
  const AccelerationStatus status = dynamics_.accelerate(time, work_q_, work_v_, held_, {});
  if (status != AccelerationStatus::solved) {  // the step fails, and a shorter one is tried
    std::fill_n(slope, nq + nv + 1, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  Eigen::Map<Vector>(slope, nq) = dynamics_.coordinate_rates(work_q_, work_v_);
  const auto acceleration = dynamics_.answer().acceleration();
  std::copy(acceleration.begin(), acceleration.end(), slope + nq);
  slope[nq + nv] = system_.power(time, work_q_, work_v_);
}

void LagrangianRun::state_within(double after, Vector& q, Vector& v) const {
  const DensePolynomial motion = collocation_.dense();
  const double theta = after / motion.step;
  q.resize(dynamics_.coordinates());
  v.resize(dynamics_.speeds());
  motion.value(theta, 0, dynamics_.coordinates(), q.data());
  motion.value(theta, dynamics_.coordinates(), dynamics_.speeds(), v.data());
}

GapSample LagrangianRun::gap_within(int contact, double after) {
  state_within(after, work_q_, work_v_);
  return {dynamics_.gaps(work_q_)[contact], dynamics_.gap_rates(work_q_, work_v_)[contact]};
}

void LagrangianRun::advance() {
  const double step = std::min(step_, end_ - state_.time);
  const auto f = [this](double time, const double* y, double* slope) { slopes(time, y, slope); };
  const CollocationResult taken = collocation_.step(f, state_.time, y_.data(), step, y_new_.data());
  const double factor = GaussCollocation::step_factor(taken);
  if (!taken.converged || taken.error > 1.0) {
    ++result_.run.steps_rejected;
    step_ = step * factor;
    if (step_ < kSmallestStep * std::max(options_.duration, std::abs(state_.time)))
      fail("the integration needs steps that are too small");
    return;
  }
  const double travel = dynamics_.contacts() > 0 ? farthest_travel() / system_.size() : 0.0;
  if (travel > kReach) {
    ++result_.run.steps_rejected;
    step_ = 0.5 * step * kReach / travel;
    return;
  }
  const NextEvent next = first_event(step);
  const bool happens = next.after <= step;
  take_samples(state_.time + std::min(next.after, step));
  if (happens) {
    go_to(next);
  } else {
    y_.swap(y_new_);
    // The end of the run is met to the bit.
    state_.time = step < step_ ? end_ : state_.time + step;
  }
  ++result_.run.steps_accepted;
  // A step that the end of the run cut short says nothing about the next one.
  if (step >= step_) step_ = step * factor;
  unpack(y_.data(), state_.q, state_.v);
  emit_rests(state_.time);
  if (happens) {
    if (state_.time > idle_since_ + kSmallestStep * std::max(options_.duration, std::abs(state_.time))) {
      idle_since_ = state_.time;
      idle_instants_ = 0;
    }
    if (++idle_instants_ > options_.max_rounds) return fail("time does not move on: events follow at one instant");
    if (next.contact == kNone)
      release();
    else
      instant();
  } else {
    keep_on_constraints();
  }
}

double LagrangianRun::farthest_travel() const {
  const DensePolynomial motion = collocation_.dense();
  double fastest = 0.0;
  for (int c = 0; c < dynamics_.coordinates(); ++c) fastest = std::max(fastest, motion.slope_bound(c, 1));
  return fastest * motion.step;
}

LagrangianRun::NextEvent LagrangianRun::first_event(double step) {
  NextEvent next;
  find_closings(step, next);
  if (!held_.empty()) find_release(std::min(step, next.after), next);
  return next;
}

void LagrangianRun::find_closings(double step, NextEvent& next) {
  GapSearch search;
  search.end = step;
  search.noise = gap_noise_;
  search.closed = gap_closed_;
  search.pieces = std::max(search.pieces, static_cast<int>(std::ceil(farthest_travel() / (kLook * system_.size()))));
  for (int i = 0; i < dynamics_.contacts(); ++i) {
    if (std::binary_search(held_.begin(), held_.end(), i)) continue;
    search.bound = system_.gap_acceleration_bound(i, state_.time, state_.q, state_.v, step);
    const GapCrossing crossing = first_closing([this, i](double after) { return gap_within(i, after); }, search);
    if (!crossing.proven) result_.run.guarantee = Guarantee::sampled;
    if (!crossing.time) continue;
    // Later contacts need to be followed up to here only; one at the same time belongs to the same instant anyway.
    if (*crossing.time < next.after) next = {*crossing.time, i};
    search.end = std::min(search.end, next.after);
  }
}

void LagrangianRun::find_release(double step, NextEvent& next) {
  double before = 0.0;
  for (int k = 1; k <= kForceSamples; ++k) {
    double after = step * k / kForceSamples;
    if (!wants_release(after)) {
      before = after;
      continue;
    }
    while (true) {
      const double middle = 0.5 * (before + after);
      if (!(middle > before && middle < after) || after - before < 1e-15 * step) break;
      (wants_release(middle) ? after : before) = middle;
    }
    if (after < next.after) next = {after, kNone};
    return;
  }
}

void LagrangianRun::go_to(const NextEvent& next) {
  // The ends of a collocation step are far better than its dense output: take the step again, up to the event, and
  // correct its length until the gap is zero to round-off. Where that does not converge the dense output stands.
  const auto f = [this](double time, const double* y, double* slope) { slopes(time, y, slope); };
  double length = next.after;
  if (!(length > 0.0)) return;
  const DensePolynomial motion = collocation_.dense().copied_to(dense_);
  for (int i = 0; i < 3; ++i) {
    if (!collocation_.step(f, state_.time, y_.data(), length, y_new_.data()).converged) {
      length = next.after;
      motion.value(length / motion.step, 0, motion.n, y_new_.data());
      break;
    }
    if (next.contact == kNone) break;
    unpack(y_new_.data(), work_q_, work_v_);
    const double gap = dynamics_.gaps(work_q_)[next.contact];
    const double rate = dynamics_.gap_rates(work_q_, work_v_)[next.contact];
    const double corrected = length - gap / rate;
    // A graze has no rate to divide by; what the dense output said stands then.
    if (std::abs(gap) < 2e-16 * system_.size() || !(rate < 0.0)) break;
    if (!(std::abs(corrected - length) < 1e-3 * length) || corrected == length) break;
    length = corrected;
  }
  y_.swap(y_new_);
  state_.time += length;
}

void LagrangianRun::take_samples(double until) {
  if (!(options_.output_step > 0.0)) return;
  LagrangianState within;
  while (true) {
    const double time = start_ + static_cast<double>(next_sample_) * options_.output_step;
    if (!(time <= until) || !(time < end_)) return;
    const DensePolynomial motion = collocation_.dense();
    within.time = time;
    state_within(time - motion.start, within.q, within.v);
    double work = 0.0;
    motion.value(motion.position(time), motion.n - 1, 1, &work);
    sample(within, work);
    ++next_sample_;
  }
}

void LagrangianRun::sample(const LagrangianState& state, double work) {
  EnergyBook& book = result_.run.energy;
  book.damping = -work;
  book.now.kinetic = dynamics_.kinetic_energy(state.q, state.v);
  book.now.gravity = system_.potential(state.q);
  if (options_.on_sample) options_.on_sample(state, book);
  if (observer_ == nullptr) return;
  State bodiless;
  bodiless.time = state.time;
  observer_->sample(bodiless, book);
}

void LagrangianRun::keep_on_constraints() {
  if (held_.empty() && dynamics_.constraints() == 0) return;
  const auto drift = dynamics_.drift(state_.q, state_.v, held_);
  if (drift.position > kDrift || drift.rate > kDrift) put_on_constraints(held_);
}

bool LagrangianRun::at_rest() {
  if (!pending_rests_.empty()) return false;
  // Nothing moves: speeds below 1e-10 of size per second, and no acceleration but round-off.
  if (state_.v.size() > 0 && state_.v.cwiseAbs().maxCoeff() > 1e-10 * system_.size()) return false;
  if (dynamics_.accelerate(state_.time, state_.q, state_.v, held_, {}) != AccelerationStatus::solved) return false;
  const Eigen::Map<const Vector> acceleration(dynamics_.answer().acceleration().data(), dynamics_.speeds());
  const double measure = std::sqrt(2.0 * dynamics_.kinetic_energy(state_.q, acceleration));
  return measure <= 1e-10 * dynamics_.answer().scale();
}

}  // namespace carom::lagrangian
