#pragma once
/// Systems with known motions, and a driver that integrates them as an engine would.

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "carom/numerics/stepper/integrators.h"

namespace carom::test {

class FunctionSystem final : public OdeSystem {
 public:
  using Function = std::function<void(double, const double*, double*)>;

  FunctionSystem(int size, int positions, Function function)
      : size_(size), positions_(positions), function_(std::move(function)) {}

  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] int position_count() const override { return positions_; }
  void slope(double time, const double* y, double* slope) override { function_(time, y, slope); }

 private:
  int size_;
  int positions_;
  Function function_;
};

/// x = cos ωt, v = −ω sin ωt from y = (1, 0).
inline FunctionSystem oscillator(double frequency = 1.0) {
  return {2, 1, [frequency](double, const double* y, double* slope) {
            slope[0] = y[1];
            slope[1] = -frequency * frequency * y[0];
          }};
}

/// Two positions, two velocities and a rest of two, coupled, damped, driven by time; nothing in it is special.
inline FunctionSystem general() {
  return {6, 2, [](double t, const double* y, double* slope) {
            slope[0] = y[2];
            slope[1] = y[3];
            slope[2] = -y[0] - 0.25 * y[0] * y[0] * y[0] + 0.5 * y[1] - 0.3 * y[2] + std::cos(2.0 * t);
            slope[3] = -2.0 * y[1] + 0.5 * y[0] - 0.2 * y[3] * std::abs(y[5]) + y[4] * y[2];
            slope[4] = y[0] * y[3] - 0.4 * y[4] + std::sin(t);
            slope[5] = 0.5 * y[2] * y[3];
          }};
}
inline const std::vector<double> kGeneralStart{1.0, -0.5, 0.5, 0.8, 0.3, 2.0};

/// Kepler's problem with unit attraction, y = (x, y, ẋ, ẏ).
inline FunctionSystem kepler() {
  return {4, 2, [](double, const double* y, double* slope) {
            const double square = y[0] * y[0] + y[1] * y[1];
            const double factor = -1.0 / (square * std::sqrt(square));
            slope[0] = y[2];
            slope[1] = y[3];
            slope[2] = factor * y[0];
            slope[3] = factor * y[1];
          }};
}

struct Result {
  std::vector<double> y;
  long evaluations = 0;
  long steps = 0;
  long rejected = 0;
  int highest_order = 0;
  double smallest_step = 0.0;
  double largest_step = 0.0;
};

/// From time 0 to `end`, at most `tolerance` of error a step in every component. The last step ends there exactly.
inline Result integrate(Stepper& stepper, OdeSystem& system, const std::vector<double>& y, double end,
                        double tolerance) {
  const std::vector<double> scale(y.size(), tolerance);
  const long before = stepper.evaluations();
  stepper.start(system, 0.0, y, scale);
  Result result;
  result.smallest_step = end;
  double h = std::min(stepper.proposed_step(), end);
  while (stepper.time() < end) {
    const bool last = stepper.time() + 1.0000001 * h >= end;
    if (last) h = end - stepper.time();
    if (stepper.attempt(h) <= 1.0) {
      if (!last) {
        result.smallest_step = std::min(result.smallest_step, h);
        result.largest_step = std::max(result.largest_step, h);
      }
      result.highest_order = std::max(result.highest_order, stepper.order());
      stepper.accept();
      ++result.steps;
      if (last) break;
    } else {
      ++result.rejected;
    }
    h = stepper.proposed_step();
  }
  result.y.assign(stepper.y().begin(), stepper.y().end());
  result.evaluations = stepper.evaluations() - before;
  return result;
}

/// In `steps` equal steps without control of the error.
inline std::vector<double> integrate_equal_steps(Stepper& stepper, OdeSystem& system, const std::vector<double>& y,
                                                 double end, int steps) {
  const std::vector<double> scale(y.size(), INFINITY);
  stepper.start(system, 0.0, y, scale);
  for (int i = 0; i < steps; ++i) {
    stepper.attempt(end / steps);
    stepper.accept();
  }
  return {stepper.y().begin(), stepper.y().end()};
}

inline double largest_difference(std::span<const double> a, std::span<const double> b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace carom::test
