#include "reproduce/chapters/smooth_contact/latch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/numerics/stepper/integrators.h"

namespace carom::reproduce::smooth {
namespace {

constexpr double kGravity = 9.81;
constexpr double kLatchRadius = 0.01;        // [m]
constexpr double kBoreStiffness = 1.605e10;  // in the bore [N/m^1.5]
constexpr double kMass = 7800.0 * 4.0 / 3.0 * std::numbers::pi * kLatchRadius * kLatchRadius * kLatchRadius;  // [kg]
constexpr double kDamping = 0.75 * (1.0 - 0.7 * 0.7);                                                         // λ

/// Departs from what OdeSystem asks for: the slope depends on what was evaluated before.
class LatchingBall final : public OdeSystem {
 public:
  explicit LatchingBall(double least_approach) : least_approach_(least_approach) {}

  [[nodiscard]] int size() const override { return 2; }
  [[nodiscard]] int position_count() const override { return 1; }
  void slope(double, const double* y, double* slope) override {
    const double depth = -y[0];
    const double rate = -y[1];
    slope[0] = y[1];
    slope[1] = -kGravity;
    const bool first = depth > 0.0 && !pressed_;
    pressed_ = depth > 0.0;
    if (!pressed_) return;
    if (first) approach_ = least_approach_ > 0.0 ? std::max(rate, least_approach_) : rate;
    slope[1] += kBoreStiffness * depth * std::sqrt(depth) * (1.0 + kDamping * rate / approach_) / kMass;
  }

 private:
  double least_approach_;
  double approach_ = 0.0;
  bool pressed_ = false;
};

/// Adds points of an accepted step that starts at `from`, a millisecond or less apart: the cubic through heights and
/// velocities, which is the motion itself in free flight.
void keep_points(LatchedDrop& drop, const std::array<double, 3>& from, const Stepper& to) {
  constexpr double kSpacing = 1e-3;  // [s]
  const auto [start, height, velocity] = from;
  const double h = to.time() - start;
  if (!drop.time.empty() && to.time() - drop.time.back() < kSpacing) return;
  const int count = std::max(1, static_cast<int>(std::ceil(h / kSpacing)));
  for (int i = 1; i <= count; ++i) {
    const double s = static_cast<double>(i) / count;
    const double r = 1.0 - s;
    drop.time.push_back(start + s * h);
    drop.height.push_back(r * r * ((1.0 + 2.0 * s) * height + s * h * velocity) +
                          s * s * ((1.0 + 2.0 * r) * to.y()[0] - r * h * to.y()[1]));
  }
}

}  // namespace

LatchedDrop latched_drop(const LatchedInput& input, std::string_view integrator) {
  constexpr long kMostSteps = 100000;
  constexpr double kShortest = 1e-14;  // [s]: time can no longer tell the steps apart
  LatchingBall ball(input.least_approach);
  const auto stepper = make_stepper(integrator);
  const std::array<double, 2> start{input.drop, 0.0};
  const std::array<double, 2> scale{input.tolerance * input.drop,
                                    input.tolerance * std::sqrt(2.0 * kGravity * input.drop)};
  stepper->start(ball, 0.0, start, scale);
  LatchedDrop result;
  double h = std::min(0.01 * input.duration, stepper->proposed_step());
  for (long step = 0; step < kMostSteps; ++step) {
    const double left = input.duration - stepper->time();
    if (left <= kShortest) return result;
    // A tenth of the time is the longest step of the programs in question.
    if (stepper->attempt(std::min({h, 0.1 * input.duration, left})) <= 1.0) {
      const std::array<double, 3> from{stepper->time(), stepper->y()[0], stepper->y()[1]};
      stepper->accept();
      keep_points(result, from, *stepper);
      result.collapsed = stepper->y()[0] < -2.0 * kLatchRadius;
    }
    h = stepper->proposed_step();
    result.collapsed = result.collapsed || !(h > kShortest);
    if (result.collapsed) return result;
  }
  result.collapsed = true;
  return result;
}

}  // namespace carom::reproduce::smooth
