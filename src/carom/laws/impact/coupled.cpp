#include "carom/laws/impact/coupled.h"

#include <algorithm>

namespace carom {

bool solve_coupled(LawRun& run, const double* q, double* p) {
  const int m = run.contacts();
  const LcpData problem{run.space.cosines(), q, m, run.space.reference_speed()};
  const LcpStatus status = run.scratch.lcp.solve(problem, p);
  run.complementarity_residual = std::max(run.complementarity_residual, run.scratch.lcp.residual());
  if (status != LcpStatus::solved) {
    run.stop = Stop::infeasible;
    return false;
  }
  double* weight = dense::ensure(run.scratch.real[5], static_cast<std::size_t>(m));
  for (int i = 0; i < m; ++i) weight[i] = 1.0 / run.space.stiffness()[i];
  if (run.scratch.least_impulse.choose(problem, weight, p) == LeastImpulse::Uniqueness::not_unique)
    run.flags.set(Flag::impulses_not_unique);
  return true;
}

}  // namespace carom
