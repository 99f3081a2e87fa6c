#include "carom/laws/impact/impact_solver.h"

#include <algorithm>
#include <vector>

#include "carom/base/activity.h"
#include "carom/laws/impact/audit.h"
#include "carom/laws/impact/law_run.h"

namespace carom {

namespace {

/// What may be left of an approach for the projector to have answered it.
constexpr double kRoughApproach = 1e-10;

/// One contact without slip alone is answered by the projector of `rough`, which can return slip (superballs).
bool is_lone_rough_contact(const ImpactProblem& problem) {
  return problem.contacts.size() == 1 && problem.contacts[0].rough && problem.contacts[0].tangents.rows() > 0;
}

}  // namespace

class ImpactSolver::Memory {
 public:
  void solve(const ImpactProblem& problem, const ImpactLaw& law, ImpactOutcome& outcome, OutcomeChoices* choices);

 private:
  LawRun start(const ImpactProblem& problem);
  void give_friction(LawRun& run);
  LawRun resolve(const ImpactProblem& problem, const ImpactLaw& law, OutcomeChoices* choices, bool& whole_change);
  void write_velocity(const LawRun& run, bool whole_change, ImpactOutcome& outcome);
  void write_friction(const LawRun& run, bool lone_rough_contact, ImpactOutcome& outcome);

  ContactSpace space_;
  FrictionSpace friction_space_;
  LawScratch scratch_;
  std::vector<double> impulse_, rate_, change_, tangential_, work_, local_impulse_, friction_work_;
  std::vector<FrictionMode> modes_;
  std::vector<FrictionPhase> phases_;
};

LawRun ImpactSolver::Memory::start(const ImpactProblem& problem) {
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
  return run;
}

void ImpactSolver::Memory::give_friction(LawRun& run) {
  friction_space_.prepare(run.problem, space_);
  if (!friction_space_.active()) return;
  const auto rows = static_cast<std::size_t>(friction_space_.rows());
  const auto movable = static_cast<std::size_t>(space_.movable());
  run.friction = &friction_space_;
  run.local_impulse = {dense::ensure(local_impulse_, rows), rows};
  run.modes = {dense::ensure(modes_, movable), movable};
  run.friction_work = {dense::ensure(friction_work_, movable), movable};
  run.phases = &phases_;
  std::fill(run.local_impulse.begin(), run.local_impulse.end(), 0.0);
  std::fill(run.modes.begin(), run.modes.end(), FrictionMode::none);
  std::fill(run.friction_work.begin(), run.friction_work.end(), 0.0);
  phases_.clear();
}

LawRun ImpactSolver::Memory::resolve(const ImpactProblem& problem, const ImpactLaw& law, OutcomeChoices* choices,
                                     bool& whole_change) {
  if (law.needs.friction && !law.needs.answers_lone_rough_contact() && is_lone_rough_contact(problem)) {
    LawRun run = start(problem);
    kRoughLaw.resolve(run);
    whole_change = true;
    // Where the projector would have to pull, or leaves an approach (normal and slip are one degree of freedom), the
    // law itself answers: friction without limit, but no pull.
    if (run.impulse.empty()) return run;
    const double after = run.rate[0] + dense::dot(space_.unit_row(0), run.change.data(), space_.dof());
    if (run.impulse[0] >= 0.0 && after >= -kRoughApproach * space_.reference_speed()) return run;
  }
  LawRun run = start(problem);
  if (law.needs.friction) give_friction(run);
  run.choices = choices;
  run.law = &law;
  const Activity activity("an impact law");
  law.resolve(run);
  whole_change = law.needs.tangents;
  return run;
}

void ImpactSolver::Memory::solve(const ImpactProblem& problem, const ImpactLaw& law, ImpactOutcome& outcome,
                                 OutcomeChoices* choices) {
  if (!problem.options.by_law.empty()) validate_law_options(problem.options);
  space_.prepare(problem);
  check_law(problem, law);
  bool whole_change = false;
  const LawRun run = resolve(problem, law, choices, whole_change);

  outcome.law = law.name;
  outcome.reference_speed = space_.reference_speed() * space_.speed_unit();
  outcome.steps = run.steps;
  outcome.stop = run.stop;
  outcome.outcomes.clear();
  write_velocity(run, whole_change, outcome);
  write_friction(run, whole_change && law.needs.friction, outcome);
  audit_outcome(run, space_, outcome, work_.data());
}

void ImpactSolver::Memory::write_velocity(const LawRun& run, bool whole_change, ImpactOutcome& outcome) {
  const int n = space_.dof();
  outcome.tangential_impulses.clear();
  const double unit = space_.speed_unit();
  if (run.friction != nullptr) {
    const FrictionSpace& friction = *run.friction;
    for (int r = 0; r < space_.movable(); ++r) run.impulse[r] = run.local_impulse[friction.first_row(r)];
    for (int k = 0; k < friction.rows(); ++k) {
      const double impulse = run.local_impulse[k];
      if (impulse != 0.0) dense::add_scaled(impulse, friction.row(k), change_.data(), n);
    }
    for (int r = 0; r < space_.movable(); ++r)
      for (int k = friction.first_row(r) + 1; k < friction.first_row(r + 1); ++k)
        run.tangential_impulse[friction.problem_row(k)] = run.local_impulse[k] / space_.root_inertance(r);
  } else if (!whole_change) {
    for (int r = 0; r < space_.movable(); ++r)
      if (run.impulse[r] != 0.0) dense::add_scaled(run.impulse[r], space_.unit_row(r), change_.data(), n);
  }
  outcome.velocity.resize(n);
  space_.move(change_.data(), outcome.velocity.data());
  for (double& component : outcome.velocity) component *= unit;

  outcome.impulses.assign(run.problem.contacts.size(), 0.0);
  for (int r = 0; r < space_.movable(); ++r)
    outcome.impulses[space_.contact(r)] = run.impulse[r] / space_.root_inertance(r) * unit;
  if (whole_change || run.friction != nullptr)
    for (const double impulse : run.tangential_impulse) outcome.tangential_impulses.push_back(impulse * unit);
}

void ImpactSolver::Memory::write_friction(const LawRun& run, bool lone_rough_contact, ImpactOutcome& outcome) {
  outcome.modes.clear();
  outcome.phases.clear();
  outcome.friction_work.clear();
  if (lone_rough_contact) {
    const bool struck = run.steps > 0;
    outcome.modes.push_back(struck ? FrictionMode::stick : FrictionMode::none);
    if (struck) outcome.phases.push_back({0, FrictionMode::stick});
  }
  if (run.friction == nullptr) return;
  const std::size_t contacts = run.problem.contacts.size();
  outcome.modes.assign(contacts, FrictionMode::none);
  for (int r = 0; r < space_.movable(); ++r) outcome.modes[space_.contact(r)] = run.modes[r];
  for (const FrictionPhase& phase : *run.phases) outcome.phases.push_back({space_.contact(phase.contact), phase.mode});
  if (!run.follows_path) return;
  const double unit = space_.speed_unit() * space_.speed_unit();
  outcome.friction_work.assign(contacts, 0.0);
  for (int r = 0; r < space_.movable(); ++r) outcome.friction_work[space_.contact(r)] = run.friction_work[r] * unit;
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
  memory_->solve(problem, law, outcome, nullptr);
}

void ImpactSolver::solve(const ImpactProblem& problem, const ImpactLaw& law, ImpactOutcome& outcome,
                         OutcomeChoices& choices) {
  memory_->solve(problem, law, outcome, &choices);
}

}  // namespace carom
