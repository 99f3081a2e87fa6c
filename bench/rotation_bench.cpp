/// Nanoseconds for the free rotation of one body: to prepare it after an impact, and to evaluate attitude and spin at
/// one time, for each closed form and both series of the asymmetric top. Beside them, the time in which an eighth-order
/// integrator at tolerance 1e-13 goes through ten revolutions of the same motion. CPU times, the best of several
/// repeats.

#include <fmt/format.h>
#include <time.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>

#include "carom/mechanics/free_rotation.h"
#include "carom/numerics/dormand_prince_853.h"

#include "report.h"

namespace {

using carom::FreeRotation;
using carom::RotationState;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr int kRepeats = 7;
constexpr int kEvaluations = 200'000;
constexpr int kPreparations = 20'000;

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// The least CPU time of `work()`, per item, in nanoseconds.
template <class Work>
double nanoseconds(int items, const Work& work) {
  double best = 1e300;
  for (int i = 0; i < carom::bench::rounds(kRepeats); ++i) {
    const double start = cpu_seconds();
    work();
    best = std::min(best, cpu_seconds() - start);
  }
  return 1e9 * best / items;
}

volatile double sink = 0.0;

double integrate(const Vector3d& J, const RotationState& initial, double duration) {
  const auto slope = [&J](const double* y, double* dy) {
    const double w1 = y[4];
    const double w2 = y[5];
    const double w3 = y[6];
    dy[0] = 0.5 * (-y[1] * w1 - y[2] * w2 - y[3] * w3);
    dy[1] = 0.5 * (y[0] * w1 + y[2] * w3 - y[3] * w2);
    dy[2] = 0.5 * (y[0] * w2 + y[3] * w1 - y[1] * w3);
    dy[3] = 0.5 * (y[0] * w3 + y[1] * w2 - y[2] * w1);
    dy[4] = (J[1] - J[2]) / J[0] * w2 * w3;
    dy[5] = (J[2] - J[0]) / J[1] * w3 * w1;
    dy[6] = (J[0] - J[1]) / J[2] * w1 * w2;
  };
  static carom::DormandPrince853 stepper;
  stepper.resize(7);
  const Vector3d& w = initial.angular_velocity;
  double y[7] = {1.0, 0.0, 0.0, 0.0, w[0], w[1], w[2]};
  double next[7];
  double t = 0.0;
  double h = 0.1 / w.norm();
  while (t < duration) {
    h = std::min(h, duration - t);
    slope(y, stepper.first_slope());
    const double error = stepper.step(slope, y, h, next, 1e-13);
    if (error <= 1.0) {
      t += h;
      std::copy(next, next + 7, y);
    }
    h *= carom::DormandPrince853::step_factor(error);
  }
  return y[0];
}

void measure(const char* name, const Vector3d& inertia, const Vector3d& spin) {
  RotationState initial;
  initial.angular_velocity = spin;
  const double prepare = nanoseconds(kPreparations, [&] {
    RotationState state = initial;
    for (int i = 0; i < kPreparations; ++i) {
      state.angular_velocity[2] = spin[2] * (1.0 + 1e-9 * i);
      sink = FreeRotation(inertia, state).max_angular_speed();
    }
  });
  const FreeRotation motion(inertia, initial);
  const double step = 0.01 / spin.norm();
  const double evaluate = nanoseconds(kEvaluations, [&] {
    double sum = 0.0;
    for (int i = 0; i < kEvaluations; ++i) sum += motion.at(step * i).attitude.w();
    sink = sum;
  });
  const double duration = 20.0 * std::numbers::pi / spin.norm();
  const double integration = nanoseconds(1, [&] { sink = integrate(inertia, initial, duration); });
  fmt::print("{:<34} {:>9.0f} {:>9.0f} {:>12.0f}\n", name, prepare, evaluate, integration);
  carom::bench::tell(fmt::format("{}, prepare", name), prepare, "ns", carom::bench::Better::less);
  carom::bench::tell({fmt::format("{}, evaluate", name), evaluate, "ns", carom::bench::Better::less,
                      "integrating ten turns", integration});
}

}  // namespace

int main(int count, char** words) {
  carom::bench::begin("rotation", count, words);
  fmt::print("{:<34} {:>9} {:>9} {:>12}\n", "nanoseconds", "prepare", "evaluate", "integrate 10");
  measure("sphere", {2.0, 2.0, 2.0}, {0.3, 0.7, 1.1});
  measure("spheroid", {5.0, 5.0, 2.0}, {0.3, 0.7, 1.1});
  measure("asymmetric, m < 1/2", {5.0, 4.0, 2.0}, {0.3, 0.7, 1.1});
  measure("asymmetric, m > 1/2", {1.0, 2.0, 3.0}, {0.01, 1.0, 0.02});
  return 0;
}
