/// Time per step and per evaluation of each integrator, on chains of n/2 masses between springs, and of a
/// Dormand–Prince step written out by hand around the same right-hand side, which is the measure. CPU times, the best
/// of several turns.

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "carom/numerics/stepper/integrators.h"

#include "report.h"

namespace {

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Unit masses between unit springs, the ends fixed.
void chain_slope(int masses, const double* y, double* slope) {
  const double* v = y + masses;
  for (int i = 0; i < masses; ++i) slope[i] = v[i];
  for (int i = 0; i < masses; ++i) {
    const double left = i > 0 ? y[i - 1] : 0.0;
    const double right = i + 1 < masses ? y[i + 1] : 0.0;
    slope[masses + i] = left + right - 2.0 * y[i];
  }
}

class Chain final : public carom::OdeSystem {
 public:
  explicit Chain(int masses) : masses_(masses) {}
  [[nodiscard]] int size() const override { return 2 * masses_; }
  [[nodiscard]] int position_count() const override { return masses_; }
  void slope(double, const double* y, double* slope) override { chain_slope(masses_, y, slope); }

 private:
  int masses_;
};

/// One step of Dormand–Prince 5(4) with everything in sight of the compiler; k holds seven slopes and a stage.
double step_by_hand(int masses, double h, const double* y, double* next, double* k, const double* weight) {
  static constexpr double a[7][6] = {{},
                                     {1.0 / 5},
                                     {3.0 / 40, 9.0 / 40},
                                     {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                     {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                     {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                     {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
  static constexpr double e[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                  -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
  const int n = 2 * masses;
  double* const stage = k + 7 * n;
  for (int s = 1; s < 7; ++s) {
    double* const target = s < 6 ? stage : next;
    for (int i = 0; i < n; ++i) {
      double sum = 0.0;
      for (int r = 0; r < s; ++r) sum += a[s][r] * k[r * n + i];
      target[i] = y[i] + h * sum;
    }
    chain_slope(masses, target, k + s * n);
  }
  double error = 0.0;
  for (int i = 0; i < n; ++i) {
    double sum = 0.0;
    for (int r = 0; r < 7; ++r) sum += e[r] * k[r * n + i];
    error = std::max(error, std::abs(h * sum * weight[i]));
  }
  return error;
}

std::vector<double> chain_start(int masses) {
  std::vector<double> y(2 * static_cast<std::size_t>(masses), 0.0);
  for (int i = 0; i < masses; ++i) y[i] = std::sin(0.3 * i + 1.0);
  return y;
}

struct Figure {
  double per_step = 1e30;
  double evaluations = 0.0;
};

constexpr double kStep = 0.05;

Figure time_by_hand(int masses, int steps) {
  const std::vector<double> scale(2 * static_cast<std::size_t>(masses), 1e6);
  std::vector<double> weight(scale.size(), 1e-6), k(8 * scale.size()), next(scale.size());
  Figure figure{.evaluations = 6.0};
  for (int turn = 0; turn < carom::bench::rounds(5); ++turn) {
    std::vector<double> y = chain_start(masses);
    chain_slope(masses, y.data(), k.data());
    const double begin = cpu_seconds();
    for (int i = 0; i < steps; ++i) {
      if (step_by_hand(masses, kStep, y.data(), next.data(), k.data(), weight.data()) > 1.0) return figure;
      y.swap(next);
      std::copy_n(k.data() + 6 * scale.size(), scale.size(), k.data());
    }
    figure.per_step = std::min(figure.per_step, (cpu_seconds() - begin) / steps);
  }
  return figure;
}

Figure time_stepper(const carom::Integrator& integrator, int masses, int steps) {
  Chain chain(masses);
  const std::unique_ptr<carom::Stepper> stepper = integrator.make({.step = kStep});
  const std::vector<double> scale(2 * static_cast<std::size_t>(masses), 1e-3);
  Figure figure;
  for (int turn = 0; turn < carom::bench::rounds(5); ++turn) {
    stepper->start(chain, 0.0, chain_start(masses), scale);
    const long before = stepper->evaluations();
    const double begin = cpu_seconds();
    for (int i = 0; i < steps; ++i) {
      stepper->attempt(kStep);
      stepper->accept();
    }
    figure.per_step = std::min(figure.per_step, (cpu_seconds() - begin) / steps);
    figure.evaluations = static_cast<double>(stepper->evaluations() - before) / steps;
  }
  return figure;
}

}  // namespace

int main(int count, char** words) {
  carom::bench::begin("stepper", count, words);
  fmt::print("{:>6}  {:<22}{:>14}{:>18}\n", "size", "integrator", "ns per step", "ns per evaluation");
  for (const int masses : {3, 12, 48, 100}) {
    const int steps = 2000000 / (masses + 10);
    const Figure by_hand = time_by_hand(masses, steps);
    const auto print = [masses, &by_hand](std::string_view name, const Figure& figure) {
      fmt::print("{:>6}  {:<22}{:>14.0f}{:>18.1f}\n", 2 * masses, name, 1e9 * figure.per_step,
                 1e9 * figure.per_step / figure.evaluations);
      carom::bench::tell({fmt::format("{}, size {}, an evaluation", name, 2 * masses),
                          1e9 * figure.per_step / figure.evaluations, "ns", carom::bench::Better::less,
                          &figure == &by_hand ? "" : "Dormand–Prince by hand",
                          1e9 * by_hand.per_step / by_hand.evaluations});
    };
    print("by hand", by_hand);
    for (const carom::Integrator& integrator : carom::integrators())
      print(integrator.name, time_stepper(integrator, masses, steps));
  }
}
