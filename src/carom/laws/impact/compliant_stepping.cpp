#include "carom/laws/impact/compliant_stepping.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/activity.h"
#include "carom/laws/impact/compliant_disk.h"
#include "carom/numerics/dense.h"

namespace carom {

namespace {

/// The most steps of all.
constexpr long kMostImplicitSteps = 4000;
/// Sweeps of a step, and the change of velocities, in that of the approach, that ends them.
constexpr int kMostSweepsOfStep = 400;
constexpr double kSettledStep = 1e-9;
/// Part of a compression over which the mean force of a spring is that in its middle, to 1e-9.
constexpr double kShortWay = 1e-4;
/// A force this near to its limit, relative, is at it.
constexpr double kOnRim = 1e-6;

}  // namespace

bool CompliantStepping::can_follow(const CompliantSprings& springs) {
  for (int i = 0; i < springs.contacts; ++i) {
    if (springs.tangents[i] == 0) continue;
    if (std::isinf(springs.friction[i]) || std::isfinite(springs.spring[i])) return false;
  }
  return true;
}

bool CompliantStepping::run(const CompliantSprings& springs, CompliantMotion& motion, double part) {
  springs_ = springs;
  motion_ = &motion;
  count_ = springs.contacts;
  part_ = part;
  dense::ensure(end_, 3 * count_);
  dense::ensure(push_, 3 * count_);
  since_.assign(motion.impulse.begin(), motion.impulse.begin() + count_);
  mode_.assign(static_cast<std::size_t>(count_), FrictionMode::none);
  std::fill_n(push_.begin(), 3 * count_, 0.0);
  for (steps_ = 0; !has_ended(); ++steps_) {
    if (steps_ == kMostImplicitSteps) return false;
    Activity::tick();
    const double h = step_size();
    std::copy_n(motion.velocity.begin(), 3 * count_, end_.begin());
    for (int row = 0; row < 3 * count_; ++row)  // as in the step before
      if (push_[row] != 0.0) add(row, push_[row]);
    for (int turn = 0; turn < kMostSweepsOfStep && sweep(h) > kSettledStep; ++turn) continue;
    take(h);
  }
  return true;
}

bool CompliantStepping::has_ended() const {
  for (int i = 0; i < count_; ++i)
    if (motion_->compression[i] > 0.0 || motion_->velocity[i] < -springs_.threshold) return false;
  return true;
}

/// A part of the shortest period of the springs as they are pressed, or as their approach will press them; but no
/// further than to the next closing where one is ahead.
double CompliantStepping::step_size() const {
  const double eta = springs_.exponent;
  double stiffest = 0.0, closing = std::numeric_limits<double>::infinity();
  for (int i = 0; i < count_; ++i) {
    const double x = motion_->compression[i], rate = motion_->velocity[i], k = springs_.stiffness[i];
    if (x < 0.0) {
      if (rate < -springs_.threshold) closing = std::min(closing, -x / -rate);
      continue;
    }
    if (x == 0.0 && rate >= 0.0) continue;
    const double pressed = std::max(x, std::pow(rate * rate / k, 1.0 / (eta + 1.0)));
    double answer = 0.0;
    for (int j = 0; j < count_; ++j)
      if (motion_->compression[j] >= 0.0) answer += std::abs(entry(i, j));
    const double e = springs_.restitution[i];
    const double pace = rate > 0.0 && e > 0.0 ? 1.0 / (e * e) : 1.0;
    stiffest = std::max(stiffest, answer * pace * eta * k * std::pow(pressed, eta - 1.0));
  }
  const double part = stiffest > 0.0 ? part_ / std::sqrt(stiffest) : std::numeric_limits<double>::infinity();
  // To the instant of a closing and a little beyond, so that it has closed there.
  return std::min(part, closing * (1.0 + 1e-12) + 1e-300);
}

double CompliantStepping::spring_energy(int i, double compression) const {
  if (compression <= 0.0) return 0.0;
  return springs_.stiffness[i] * std::pow(compression, springs_.exponent + 1.0) / (springs_.exponent + 1.0);
}

CompliantStepping::Push CompliantStepping::push_of(int i, double mean_rate, double h) const {
  const double x = motion_->compression[i];
  const double e = springs_.restitution[i];
  const auto mean_force = [&](double end) {
    const double way = end - x;
    if (std::abs(way) > kShortWay * x) return (spring_energy(i, end) - spring_energy(i, x)) / way;
    return springs_.stiffness[i] * std::pow(std::max(x + 0.5 * way, 0.0), springs_.exponent);
  };
  if (mean_rate <= 0.0 || x <= 0.0) {
    const double end = x - h * mean_rate;
    return {end > 0.0 ? h * mean_force(end) : 0.0, end};
  }
  if (e == 0.0) return {0.0, -h * mean_rate};
  const double pace = 1.0 / (e * e);
  const double end = x - h * pace * mean_rate;
  if (end >= 0.0) return {h * mean_force(end), end};
  const double until_open = x / (pace * mean_rate);
  return {until_open * mean_force(0.0), -(h - until_open) * mean_rate};
}

void CompliantStepping::add(int row, double impulse) {
  for (int other = 0; other < 3 * count_; ++other) end_[other] += impulse * entry(other, row);
}

/// One sweep over all contacts; returns the largest change of a velocity.
double CompliantStepping::sweep(double h) {
  double moved = 0.0;
  for (int i = 0; i < count_; ++i) {
    const double mean = 0.5 * (motion_->velocity[i] + end_[i]);
    const double change = push_of(i, mean, h).impulse - push_[i];
    if (change != 0.0) {
      push_[i] += change;
      add(i, change);
      moved = std::max(moved, std::abs(change));
    }
    if (springs_.tangents[i] == 0) continue;
    const int r1 = count_ + i, r2 = 2 * count_ + i;
    const TangentBlock block{entry(r1, r1), entry(r1, r2), entry(r2, r2)};
    const double before[2] = {push_[r1], push_[r2]};
    const double rest[2] = {end_[r1] - block.c11 * before[0] - block.c12 * before[1],
                            end_[r2] - block.c12 * before[0] - block.c22 * before[1]};
    double after[2] = {0.0, 0.0};
    if (push_[i] > 0.0) least_over_disk(block, rest, springs_.friction[i] * push_[i], after);
    for (int a = 0; a < springs_.tangents[i]; ++a) {
      const double slip_change = after[a] - before[a];
      if (slip_change == 0.0) continue;
      push_[(a + 1) * count_ + i] = after[a];
      add((a + 1) * count_ + i, slip_change);
      moved = std::max(moved, std::abs(slip_change));
    }
  }
  return moved;
}

FrictionMode CompliantStepping::mode_of(int i, double friction) const {
  if (friction < springs_.friction[i] * push_[i] * (1.0 - kOnRim)) return FrictionMode::stick;
  if (springs_.tangents[i] == 2) return FrictionMode::slip;
  return push_[count_ + i] < 0.0 ? FrictionMode::slip_positive : FrictionMode::slip_negative;
}

/// The step is as it is: books it.
void CompliantStepping::take(double h) {
  CompliantMotion& motion = *motion_;
  for (int i = 0; i < count_; ++i) {
    const double mean = 0.5 * (motion.velocity[i] + end_[i]);
    double length = 0.0;
    for (int a = 1; a <= springs_.tangents[i]; ++a) {
      const int row = a * count_ + i;
      motion.work[i] += 0.5 * push_[row] * (motion.velocity[row] + end_[row]);
      length = std::hypot(length, push_[row]);
    }
    if (push_[i] > 0.0 && springs_.tangents[i] > 0) {
      const FrictionMode mode = mode_of(i, length);
      if (mode != mode_[i]) since_[i] = motion.impulse[i];
      mode_[i] = mode;
    }
    motion.compression[i] = push_of(i, mean, h).compression;
  }
  for (int row = 0; row < 3 * count_; ++row) motion.impulse[row] += push_[row];
  std::copy_n(end_.begin(), 3 * count_, motion.velocity.begin());
}

}  // namespace carom
