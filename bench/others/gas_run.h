#pragma once
/// The gas through an engine that goes in steps: its speed and its error of energy, as event_bench tells them of ours.

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gas.h"
#include "report.h"

namespace carom::bench {

inline constexpr double kStep = 1e-3;  ///< [s]

/// `World` is made from the gas and has step(dt) and ball(i, position, velocity), and kLongest where the whole duration
/// would take too long.
template <class World>
void run_gas(const char* name, int count, char** words) {
  begin(name, count, words);
  Gas gas;
  if (quick()) gas.duration = 0.2;
  if constexpr (requires { World::kLongest; }) gas.duration = std::min(gas.duration, World::kLongest);
  std::vector<GasBall> balls = gas_balls(gas);
  const auto energy = [&] {
    double sum = 0.0;
    for (const GasBall& ball : balls) sum += energy_of(ball, gas.gravity);
    return sum;
  };
  const auto cpu_seconds = [] {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  };
  World world(balls, gas.gravity);
  const double before = energy(), start = cpu_seconds();
  for (int i = 0; i < std::lround(gas.duration / kStep); ++i) world.step(kStep);
  const double rate = gas.duration / (cpu_seconds() - start);
  for (std::size_t i = 0; i < balls.size(); ++i) world.ball(i, balls[i].position, balls[i].velocity);
  const double change = std::abs(energy() - before) / before;
  tell(kGasName, rate, "model s/CPU s", Better::more);
  tell(std::string(kGasName) + ": " + kGasEnergyName, change, "", Better::less);
  fmt::print("{}, steps of {} s: {:.3g} model s/CPU s; {} {:.2e}\n", kGasName, kStep, rate, kGasEnergyName, change);
}

}  // namespace carom::bench
