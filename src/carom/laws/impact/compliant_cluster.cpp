#include "carom/laws/impact/compliant_cluster.h"

#include <algorithm>
#include <cmath>

#include "carom/laws/impact/iteration.h"

namespace carom {

namespace {
/// Local error of a step, relative to one unit of speed; the outcome is good to about ten times that.
constexpr double kTolerance = 1e-14;
/// A contact that stores less could only add a speed of 1e-13, and round-off may keep it from ever opening.
constexpr double kNegligibleEnergy = 1e-26;
constexpr double kFirstStep = 1e-2;
/// An event is located when its value is below this: force and slopes are continuous there, so that an error δ of the
/// instant changes the outcome by δ² only. Values as small at the start of a step are at the edge of a phase already;
/// where they go is read off this part of the step ahead.
constexpr double kLocated = 1e-14;
constexpr double kOnTheEdge = 1e-13;
constexpr double kEdgeStep = 1e-3;
constexpr double kSmallestStep = 1e-12;
/// An open contact closes when it is compressed by more than this, so that round-off about zero does not open and close
/// it for ever.
constexpr double kClosing = 1e-16;
}  // namespace

CompliantCluster::CompliantCluster(LawRun& run, std::span<const int> members, double exponent)
    : run_(run),
      members_(members),
      m_(static_cast<int>(members.size())),
      exponent_(exponent),
      speed_(run.space.reference_speed()),
      threshold_(run.problem.options.tolerance),
      step_(kFirstStep) {
  const auto count = members.size();
  phase_ = dense::ensure(run.scratch.mark[0], count);
  cosine_ = dense::ensure(run.scratch.real[0], count * count);
  row_end_ = dense::ensure(run.scratch.index[2], count * (count + 1));
  neighbour_ = row_end_ + count;
  stiffness_ = dense::ensure(run.scratch.real[1], 2 * count);
  rate_before_ = stiffness_ + count;
  state_ = dense::ensure(run.scratch.real[2], 8 * count);
  next_ = state_ + 2 * count;
  trial_ = next_ + 2 * count;
  slope_ = trial_ + 2 * count;
  run.scratch.stepper.resize(2 * m_);

  double stiffest = -1e300;
  int entries = 0;
  for (int i = 0; i < m_; ++i) {
    const int r = members[i];
    // K̂ = K D^((1+η)/2); by logarithms, since only ratios matter and powers may overflow.
    stiffness_[i] = std::log(run.space.stiffness()[r]) + (1.0 + exponent) * std::log(run.space.root_inertance(r));
    stiffest = std::max(stiffest, stiffness_[i]);
    rate_before_[i] = run.rate[r] / speed_;
    // Pure round-off beside an approach would neither open the contact nor let it store anything.
    if (std::abs(rate_before_[i]) <= threshold_) rate_before_[i] = 0.0;
    state_[i] = 0.0;
    state_[m_ + i] = 0.0;
    phase_[i] = rate_before_[i] > threshold_ ? open : compressing;
    for (int j = 0; j < m_; ++j) {
      const double cosine = run.space.cosine_row(r)[members[j]];
      if (std::abs(cosine) <= kUncoupled) continue;
      cosine_[entries] = cosine;
      neighbour_[entries++] = j;
    }
    row_end_[i] = entries;
  }
  for (int i = 0; i < m_; ++i) stiffness_[i] = std::exp(stiffness_[i] - stiffest);
}

double CompliantCluster::rate(int i, const double* state) const {
  const double* impulse = state + m_;
  double sum = rate_before_[i];
  for (int e = i == 0 ? 0 : row_end_[i - 1]; e < row_end_[i]; ++e) sum += cosine_[e] * impulse[neighbour_[e]];
  return sum;
}

double CompliantCluster::force(int i, double x) const {
  if (exponent_ == 1.5) return stiffness_[i] * x * std::sqrt(x);
  if (exponent_ == 1.0) return stiffness_[i] * x;
  return stiffness_[i] * std::pow(x, exponent_);
}

void CompliantCluster::slopes(const double* state, double* slope) const {
  for (int i = 0; i < m_; ++i) {
    const double x = state[i];
    slope[m_ + i] = phase_[i] != open && x > 0.0 ? force(i, x) : 0.0;
    slope[i] = -rate(i, state);
    if (phase_[i] == expanding) {
      const double e = run_.space.restitution()[members_[i]];
      slope[i] /= e * e;
    }
  }
}

bool CompliantCluster::carries_force() const {
  for (int i = 0; i < m_; ++i) {
    if (phase_[i] == open) continue;
    const double x = state_[i];
    if (rate(i, state_) < -threshold_ || (x > 0.0 && force(i, x) * x > kNegligibleEnergy)) return true;
  }
  return false;
}

bool CompliantCluster::fly(Stop& stop) {
  double fastest = 0.0;
  double soonest = -1.0;
  int closing = -1;
  for (int i = 0; i < m_; ++i) {
    phase_[i] = open;
    state_[i] = std::min(state_[i], 0.0);
    const double approach = -rate(i, state_);
    fastest = std::max(fastest, approach);
    if (!(approach > threshold_)) continue;
    const double time = std::max(0.0, -state_[i] / approach);
    if (closing < 0 || time < soonest) {
      closing = i;
      soonest = time;
    }
  }
  if (closing < 0 || fastest <= run_.problem.options.rest) {
    stop = closing < 0 ? Stop::separated : Stop::at_rest;
    return false;
  }
  for (int i = 0; i < m_; ++i) {
    // Taken as closed together: contacts of a symmetric problem that would close at the same instant.
    const double moved = state_[i] - rate(i, state_) * soonest;
    const bool closes = i == closing || (moved > -1e-14 * (1.0 + std::abs(state_[i])) && -rate(i, state_) > threshold_);
    state_[i] = closes ? 0.0 : moved;
    if (closes) phase_[i] = compressing;
  }
  step_ = kFirstStep;
  return true;
}

double CompliantCluster::compression_event(int i, const double* state) const {
  return phase_[i] == open ? kClosing - state[i] : state[i];
}

double CompliantCluster::rate_event(int i, const double* state) const {
  if (phase_[i] == open || run_.space.restitution()[members_[i]] == 1.0) return 1.0;
  return phase_[i] == compressing ? -rate(i, state) : rate(i, state);
}

bool CompliantCluster::touched_in_between(int i) const {
  if (phase_[i] != open) return false;
  const double slope_before = -rate(i, state_);
  const double slope_after = -rate(i, next_);
  if (!(slope_before > 0.0 && slope_after < 0.0)) return false;
  // A bound for the top of the arc: the meeting point of the two end tangents.
  const double time = (next_[i] - state_[i] - slope_after * step_) / (slope_before - slope_after);
  return state_[i] + slope_before * std::clamp(time, 0.0, step_) > kClosing;
}

double CompliantCluster::event_slope(EventValue value_of, int i, const double* state) {
  slopes(state, slope_);
  if (value_of == &CompliantCluster::compression_event) return phase_[i] == open ? -slope_[i] : slope_[i];
  double sum = 0.0;  // of the rate
  for (int e = i == 0 ? 0 : row_end_[i - 1]; e < row_end_[i]; ++e) sum += cosine_[e] * slope_[m_ + neighbour_[e]];
  return phase_[i] == compressing ? -sum : sum;
}

double CompliantCluster::estimate(EventValue value_of, int i, double step) {
  // The cubic through values and slopes at both ends of the step, bisected: it is cheap, the step is not.
  const double v0 = (this->*value_of)(i, state_);
  const double v1 = (this->*value_of)(i, next_);
  const double d0 = step * event_slope(value_of, i, state_);
  const double d1 = step * event_slope(value_of, i, next_);
  double low = 0.0, high = 1.0;
  for (int turn = 0; turn < 40; ++turn) {
    const double t = 0.5 * (low + high);
    const double u = 1.0 - t;
    const double value = u * u * ((1.0 + 2.0 * t) * v0 + t * d0) + t * t * ((1.0 + 2.0 * u) * v1 - u * d1);
    (value < 0.0 ? high : low) = t;
  }
  return high * step;
}

double CompliantCluster::locate(EventValue value_of, int i, double step, double guess) {
  const auto value = [&](double h) {
    run_.scratch.stepper.step([this](const double* y, double* f) { slopes(y, f); }, state_, h, trial_, kTolerance);
    return (this->*value_of)(i, trial_);
  };
  double low = 0.0, high = step;
  const double first_value = (this->*value_of)(i, state_);
  if (first_value < 0.0) return 0.0;
  if (first_value <= kOnTheEdge) {  // at the edge of the phase already: does it end at once, or later in the step?
    const double edge = kEdgeStep * step;
    if (value(edge) > 0.0) {
      low = edge;
    } else if (phase_[i] == open && rate(i, state_) > 0.0) {
      high = edge;  // it still parts, by round-off: closed now it would open again at once, for ever
    } else {
      return 0.0;
    }
  }
  // Newton's method from the guess, kept inside the bracket; each turn takes the step again.
  double middle = guess > low && guess < high ? guess : 0.5 * (low + high);
  for (int turn = 0; turn < 200 && high - low > 4e-16 * step; ++turn) {
    const double middle_value = value(middle);
    if (middle_value == 0.0) return middle;
    (middle_value < 0.0 ? high : low) = middle;
    if (middle_value < 0.0 && middle_value > -kLocated) break;
    const double slope = event_slope(value_of, i, trial_);
    // Aimed a little beyond the root, so that the bracket closes from the far side.
    middle = slope < 0.0 ? middle - (middle_value + 0.5 * kLocated) / slope : high;
    if (!(middle > low && middle < high) || turn % 8 == 7) middle = 0.5 * (low + high);
  }
  return high;
}

void CompliantCluster::change_phase(const Event& event) {
  const int i = event.contact;
  const double e = run_.space.restitution()[members_[i]];
  if (event.by_rate && e > 0.0) {
    phase_[i] = phase_[i] == compressing ? expanding : compressing;
    return;
  }
  // x has come to zero; or the compression has ended with e = 0, which lets go at once
  phase_[i] = phase_[i] == open ? compressing : open;
  state_[i] = 0.0;
}

CompliantCluster::Event CompliantCluster::first_event(double step) {
  Event first{.contact = -1, .by_rate = false, .step = step};
  const auto value_of = [](bool by_rate) {
    return by_rate ? &CompliantCluster::rate_event : &CompliantCluster::compression_event;
  };
  // Estimates tell which event is likely the first; it alone is located, and then those that prove to be before it.
  double sooner = step;
  for (int i = 0; i < m_; ++i)
    for (const bool by_rate : {false, true}) {
      if (!((this->*value_of(by_rate))(i, next_) < 0.0)) continue;
      const double guess = estimate(value_of(by_rate), i, step);
      if (first.contact >= 0 && guess >= sooner) continue;
      sooner = guess;
      first = {.contact = i, .by_rate = by_rate, .step = step};
    }
  if (first.contact < 0) return first;
  first.step = locate(value_of(first.by_rate), first.contact, step, sooner);
  const Event likely = first;
  for (int i = 0; i < m_ && first.step > 0.0; ++i)
    for (const bool by_rate : {false, true}) {
      if (i == likely.contact && by_rate == likely.by_rate) continue;
      if (!((this->*value_of(by_rate))(i, next_) < 0.0)) continue;
      run_.scratch.stepper.step([this](const double* y, double* f) { slopes(y, f); }, state_, first.step, trial_,
                                kTolerance);
      if (!((this->*value_of(by_rate))(i, trial_) < 0.0)) continue;
      const double at = locate(value_of(by_rate), i, first.step, estimate(value_of(by_rate), i, step));
      if (at < first.step) first = {.contact = i, .by_rate = by_rate, .step = at};
      if (at == 0.0) return first;
    }
  return first;
}

bool CompliantCluster::advance() {
  auto& stepper = run_.scratch.stepper;
  const auto f = [this](const double* y, double* slope) { slopes(y, slope); };
  slopes(state_, stepper.first_slope());
  for (;;) {
    if (step_ < kSmallestStep) return false;
    const double error = stepper.step(f, state_, step_, next_, kTolerance);
    if (!(error <= 1.0)) {
      step_ *= std::isfinite(error) ? std::min(0.8, DormandPrince853::step_factor(error)) : 0.2;
      continue;
    }
    bool touched = false;
    for (int i = 0; i < m_ && step_ > 1e-6; ++i) touched = touched || touched_in_between(i);
    if (touched) {
      step_ *= 0.5;
      continue;
    }
    const Event event = first_event(step_);
    if (event.contact < 0) {
      std::copy_n(next_, 2 * m_, state_);
      step_ *= DormandPrince853::step_factor(error);
      return true;
    }
    if (event.step > 0.0) {
      stepper.step(f, state_, event.step, trial_, kTolerance);
      std::copy_n(trial_, 2 * m_, state_);
    }
    change_phase(event);
    step_ = std::max(step_, kFirstStep);
    return true;
  }
}

bool CompliantCluster::may_go_on(Stop& stop) {
  if (has_no_exit(run_, steps_)) {
    stop = Stop::no_exit_direction;
    return false;
  }
  stop = Stop::step_limit;
  return steps_ < run_.problem.options.max_steps;
}

void CompliantCluster::finish() {
  for (int i = 0; i < m_; ++i) push(run_, members_[i], state_[m_ + i] * speed_);
  run_.steps += steps_;
}

Stop CompliantCluster::integrate() {
  Stop stop = Stop::separated;
  while (may_go_on(stop)) {
    if (!carries_force() && !fly(stop)) break;
    ++steps_;
    if (!advance()) {
      stop = Stop::step_limit;
      break;
    }
  }
  finish();
  return stop;
}

}  // namespace carom
