#include "carom/laws/impact/coupled.h"

#include <algorithm>
#include <numeric>

namespace carom {

namespace {
/// Where an accuracy is asked for, a residual that is accepted if none smaller is found, relative to the speeds at
/// hand: an engine asks again for what is left of an approach.
constexpr double kUsefulSlack = 1e-2;
}  // namespace

bool solve_coupled(LawRun& run, const LcpData& problem, const int* contacts, double* p) {
  const double accuracy = run.problem.options.accuracy;
  LcpData question = problem;
  question.accuracy = accuracy;
  const LcpStatus status = run.scratch.lcp.solve(question, p);
  const double residual = run.scratch.lcp.residual();
  run.complementarity_residual = std::max(run.complementarity_residual, residual);
  const bool useful =
      accuracy > 0.0 && status == LcpStatus::failed && residual <= kUsefulSlack * run.space.reference_speed();
  if (status != LcpStatus::solved && !useful) {
    run.stop = Stop::infeasible;
    return false;
  }
  if (accuracy > 0.0) return true;
  double* weight = dense::ensure(run.scratch.real[5], problem.m);
  for (int i = 0; i < problem.m; ++i) weight[i] = 1.0 / run.space.stiffness()[contacts[i]];
  if (run.scratch.least_impulse.choose(problem, weight, p) == LeastImpulse::Uniqueness::not_unique)
    run.flags.set(Flag::impulses_not_unique);
  return true;
}

bool solve_coupled(LawRun& run, const double* q, double* p) {
  const int m = run.contacts();
  int* all = dense::ensure(run.scratch.index[2], m);
  std::iota(all, all + m, 0);
  return solve_coupled(run, {run.space.cosines(), q, m, run.space.reference_speed()}, all, p);
}

}  // namespace carom
