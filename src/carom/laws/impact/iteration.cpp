#include "carom/laws/impact/iteration.h"

#include <algorithm>

#include "carom/base/activity.h"

namespace carom {

namespace {
/// A direction counts as interior when all unit gap rates are above this part of the reference speed; the proof that
/// there is none needs more than the tolerance of the complementarity problem.
constexpr double kInterior = 1e-6;
/// More energy than this is not taken for an error of arithmetic.
constexpr double kTrifle = 1e-11;
/// Impulses that balance each other may be as large as they like: rates that are good to a residual r leave Σ p r of
/// their work open, in compression and in expansion.
constexpr double kBothPhases = 2.0;
}  // namespace

double fastest_approach(const LawRun& run) {
  double fastest = 0.0;
  for (const double rate : run.rate) fastest = std::max(fastest, -rate);
  return fastest;
}

bool exit_exists(LawRun& run, double margin) {
  // Rates reachable by pushes are γ̂⁻ + ρp. For positive semidefinite ρ, some p (of any sign) reaches rates ≥ margin iff
  // LCP(ρ, γ̂⁻ − margin) has a solution: both fail by the same certificate u ≥ 0, ρu = 0, (γ̂⁻ − margin)·u < 0.
  const int m = run.contacts();
  double* q = dense::ensure(run.scratch.real[6], 2 * m);
  for (int i = 0; i < m; ++i) q[i] = run.space.rate_before()[i] - margin;
  return run.scratch.lcp.solve({run.space.cosines(), q, m, run.space.reference_speed()}, q + m) !=
         LcpStatus::infeasible;
}

bool has_no_interior(LawRun& run) {
  return !exit_exists(run, kInterior * run.space.reference_speed());
}

bool has_no_exit(LawRun& run, long steps) {
  if (steps == 0 || steps != std::min(kSuspiciousSteps, run.problem.options.max_steps)) return false;
  const auto e = run.space.restitution();
  const bool elastic = std::all_of(e.begin(), e.end(), [](double value) { return value == 1.0; });
  return elastic ? has_no_interior(run) : !exit_exists(run, 0.0);
}

void remove_spurious_energy(LawRun& run) {
  const int m = run.contacts();
  double linear = 0.0;
  double quadratic = 0.0;
  double sum = 0.0;
  for (int i = 0; i < m; ++i) {
    if (run.impulse[i] == 0.0) continue;
    sum += run.impulse[i];
    linear += run.impulse[i] * run.space.rate_before()[i];
    quadratic += run.impulse[i] * dense::dot(run.space.cosine_row(i), run.impulse.data(), m);
  }
  const double work = linear + 0.5 * quadratic;
  const double speed = run.space.reference_speed();
  const double trifle = std::max(kTrifle * speed * speed, kBothPhases * run.complementarity_residual * sum);
  if (!(work > 0.0 && work < trifle && quadratic > 0.0)) return;
  const double factor = -2.0 * linear / quadratic;
  for (double& impulse : run.impulse) impulse *= factor;
}

bool goes_on(LawRun& run) {
  Activity::tick();
  const double speed = run.space.reference_speed();
  const double fastest = fastest_approach(run);
  if (!(fastest > run.approach_threshold())) {
    run.stop = Stop::separated;
    return false;
  }
  if (fastest <= std::max(run.problem.options.rest, run.problem.options.accuracy) * speed) {
    run.stop = Stop::at_rest;
    return false;
  }
  if (has_no_exit(run, run.steps)) {
    run.stop = Stop::no_exit_direction;
    return false;
  }
  if (run.steps >= run.problem.options.max_steps) {
    run.stop = Stop::step_limit;
    return false;
  }
  return true;
}

}  // namespace carom
