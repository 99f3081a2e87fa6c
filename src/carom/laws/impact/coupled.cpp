#include "carom/laws/impact/coupled.h"

#include <algorithm>
#include <numeric>

namespace carom {

bool solve_coupled(LawRun& run, const LcpData& problem, const int* contacts, double* p) {
  const LcpStatus status = run.scratch.lcp.solve(problem, p);
  run.complementarity_residual = std::max(run.complementarity_residual, run.scratch.lcp.residual());
  if (status != LcpStatus::solved) {
    run.stop = Stop::infeasible;
    return false;
  }
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
