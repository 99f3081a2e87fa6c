#include "carom/laws/impact/impact_solver.h"

#include <algorithm>
#include <vector>

#include "carom/laws/impact/audit.h"
#include "carom/laws/impact/law_run.h"

namespace carom {

struct ImpactSolver::Memory {
  void solve(const ImpactProblem& problem, const ImpactLaw& law, ImpactOutcome& outcome);
  void write_velocity(const LawRun& run, const ImpactLaw& law, ImpactOutcome& outcome);

  ContactSpace space_;
  LawScratch scratch_;
  std::vector<double> impulse_, rate_, change_, tangential_, work_;
};

void ImpactSolver::Memory::solve(const ImpactProblem& problem, const ImpactLaw& law, ImpactOutcome& outcome) {
  if (!problem.options.by_law.empty()) validate_law_options(problem.options);
  space_.prepare(problem);
  const auto n = static_cast<std::size_t>(space_.dof());
  const auto movable = static_cast<std::size_t>(space_.movable());
  std::size_t tangents = 0;
  for (const Contact& contact : problem.contacts) tangents += static_cast<std::size_t>(contact.tangents.rows());

  LawRun run{.problem = problem, .space = space_, .scratch = scratch_};
  run.impulse = {dense::ensure(impulse_, movable), movable};
  run.rate = {dense::ensure(rate_, movable), movable};
  run.change = {dense::ensure(change_, n), n};
  run.tangential_impulse = {dense::ensure(tangential_, tangents), tangents};
  dense::ensure(work_, 3 * n);
  std::fill(run.impulse.begin(), run.impulse.end(), 0.0);
  std::fill(run.change.begin(), run.change.end(), 0.0);
  std::fill(run.tangential_impulse.begin(), run.tangential_impulse.end(), 0.0);
  std::copy(space_.rate_before().begin(), space_.rate_before().end(), run.rate.begin());

  law.resolve(run);

  outcome.law = law.name;
  outcome.reference_speed = space_.reference_speed() * space_.speed_unit();
  outcome.steps = run.steps;
  outcome.stop = run.stop;
  write_velocity(run, law, outcome);
  audit_outcome(run, space_, outcome, work_.data());
}

void ImpactSolver::Memory::write_velocity(const LawRun& run, const ImpactLaw& law, ImpactOutcome& outcome) {
  const int n = space_.dof();
  if (!law.needs.tangents)
    for (int r = 0; r < space_.movable(); ++r)
      if (run.impulse[r] != 0.0) dense::add_scaled(run.impulse[r], space_.unit_row(r), change_.data(), n);
  outcome.velocity.resize(n);
  space_.move(change_.data(), outcome.velocity.data());
  const double unit = space_.speed_unit();
  for (double& component : outcome.velocity) component *= unit;

  outcome.impulses.assign(run.problem.contacts.size(), 0.0);
  for (int r = 0; r < space_.movable(); ++r)
    outcome.impulses[space_.contact(r)] = run.impulse[r] / space_.root_inertance(r) * unit;
  outcome.tangential_impulses.clear();
  if (law.needs.tangents)
    for (const double impulse : run.tangential_impulse) outcome.tangential_impulses.push_back(impulse * unit);
}

ImpactSolver::ImpactSolver() : memory_(std::make_unique<Memory>()) {}
ImpactSolver::ImpactSolver(const ImpactSolver& /*other*/) : ImpactSolver() {}
ImpactSolver& ImpactSolver::operator=(const ImpactSolver& /*other*/) {
  return *this;
}
ImpactSolver::ImpactSolver(ImpactSolver&&) noexcept = default;
ImpactSolver& ImpactSolver::operator=(ImpactSolver&&) noexcept = default;
ImpactSolver::~ImpactSolver() = default;

void ImpactSolver::solve(const ImpactProblem& problem, const ImpactLaw& law, ImpactOutcome& outcome) {
  memory_->solve(problem, law, outcome);
}

}  // namespace carom
