#include "carom/contact/driven_path.h"

#include <algorithm>
#include <cmath>

namespace carom::contact {

namespace {

/// A window is this many times the last step.
constexpr double kLonger = 4.0;
/// Shortest window, relative to the first.
constexpr double kShortest = 1e-12;
/// Windows are bounded for a little longer than they are, for the round-off of their ends.
constexpr double kBeyondEnd = 1e-9;

}  // namespace

BodyState DrivenPath::after(double tau) const {
  const double time = start_ + tau;
  // What rounding took from the sum (Knuth).
  const double back = time - start_;
  const double lost = (start_ - (time - back)) + (tau - back);
  const FrameMotion now = obstacle_.motion_at(time, lost + carry_);
  return {now.pose.position, now.pose.orientation, now.velocity, now.angular_velocity};
}

Motion motion_of(const Obstacle& obstacle) {
  Motion motion;
  motion.position = obstacle.pose.position;
  motion.attitude = obstacle.pose.orientation;
  if (obstacle.motion) {
    motion.turning = Turning::driven;
    motion.integrated = std::make_shared<DrivenPath>(obstacle);
    motion.acceleration_spread = kForever;
    if (obstacle.turns()) motion.max_spin = motion.max_spin_rate = kForever;
    return motion;
  }
  motion.velocity = obstacle.velocity;
  motion.spin = obstacle.angular_velocity;
  motion.max_spin = obstacle.angular_velocity.norm();
  motion.turning = motion.max_spin > 0.0 ? Turning::uniform : Turning::fixed;
  return motion;
}

DrivenWindow::DrivenWindow(const Mover& mover, const Stretch& whole)
    : given_(mover),
      whole_(whole),
      path_(mover.motion->turning == Turning::driven ? static_cast<const DrivenPath*>(mover.motion->integrated.get())
                                                     : nullptr),
      bounded_(mover) {
  if (path_ == nullptr) return;
  // From the instant at hand on, so that its carry is not lost beside the time.
  motion_ = *mover.motion;
  motion_.start = whole.time;
  motion_.start_carry = whole.carry;
  motion_.integrated = std::make_shared<DrivenPath>(path_->obstacle(), whole.time, whole.carry);
  bounded_.motion = &motion_;
}

Stretch DrivenWindow::open(double tau) {
  if (path_ == nullptr) return whole_;
  const DrivenMotion& driven = *path_->obstacle().motion;
  const double from = whole_.time + tau;
  const double remaining = std::max(whole_.horizon - whole_.time - tau, 0.0);
  if (length_ == 0.0) {
    length_ = std::min(driven.quiet_window(from), remaining);
    least_ = kShortest * length_;
  }
  length_ = std::min({length_, remaining, (1.0 - kBeyondEnd) * driven.longest_window(from)});
  bounds_ = driven.over(path_->obstacle().pose, from, (1.0 + kBeyondEnd) * length_);
  motion_.acceleration = bounds_.acceleration;
  motion_.acceleration_spread = bounds_.acceleration_spread;
  motion_.max_spin = bounds_.max_spin;
  motion_.max_spin_rate = bounds_.max_spin_rate;
  Stretch window = whole_;
  window.horizon = std::min(whole_.horizon, whole_.time + tau + length_);
  return window;
}

void DrivenWindow::close(double step) {
  length_ = std::max(kLonger * std::min(step, length_), least_);
}

double DrivenWindow::advance_along(const Vector3d* direction) const {
  if (bounds_.max_spin > 0.0) return kForever;
  if (direction == nullptr) return std::max(-bounds_.shift.low, bounds_.shift.high);
  const double share = direction->dot(bounds_.axis);
  return std::max({share * bounds_.shift.low, share * bounds_.shift.high, 0.0});
}

}  // namespace carom::contact
