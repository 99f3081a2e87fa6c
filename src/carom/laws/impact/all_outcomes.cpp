#include "carom/laws/impact/all_outcomes.h"

#include <algorithm>
#include <cmath>

#include "carom/laws/impact/coupled_friction.h"

namespace carom {

namespace {

/// Velocities that agree to this part of the reference speed are one outcome.
constexpr double kSameOutcome = 1e-8;
/// Runs of the law at most: an iterating law could meet any number of cone problems.
constexpr int kMostRuns = 2000;

bool same_outcome(const ImpactProblem& problem, const ImpactOutcome& a, const ImpactOutcome& b) {
  const Eigen::Index n = problem.velocity.size();
  const Vector difference =
      Eigen::Map<const Vector>(a.velocity.data(), n) - Eigen::Map<const Vector>(b.velocity.data(), n);
  return std::sqrt(std::max(0.0, difference.dot(problem.metric * difference))) <= kSameOutcome * a.reference_speed;
}

/// The next combination of choices, the last problem first; false where there is none.
bool next_choice(OutcomeChoices& choices) {
  choices.chosen.resize(choices.found.size(), 0);
  while (!choices.chosen.empty()) {
    const std::size_t last = choices.chosen.size() - 1;
    if (++choices.chosen[last] < choices.found[last]) return true;
    choices.chosen.pop_back();
    choices.found.pop_back();
  }
  return false;
}

}  // namespace

void find_outcomes(ImpactSolver& solver, const ImpactProblem& problem, const ImpactLaw& law, OutcomeSearch search,
                   ImpactOutcome& outcome) {
  outcome.outcomes.clear();
  const auto resists = [](const Contact& contact) { return contact.resists_slip(); };
  if (!law.needs.friction || law.needs.one_outcome) return;
  if (std::none_of(problem.contacts.begin(), problem.contacts.end(), resists)) return;
  OutcomeChoices choices{.several_starts = search == OutcomeSearch::several_starts, .chosen = {}, .found = {}};
  std::vector<ImpactOutcome> others;
  int run = 0;
  do {
    choices.found.clear();
    ImpactOutcome other;
    solver.solve(problem, law, other, choices);
    const auto known = [&](const ImpactOutcome& one) { return same_outcome(problem, one, other); };
    if (!finished(other.stop) || known(outcome) || std::any_of(others.begin(), others.end(), known)) continue;
    others.push_back(std::move(other));
  } while (++run < kMostRuns && next_choice(choices));
  if (others.empty()) return;
  outcome.audit.flags.set(Flag::outcome_not_unique);
  for (ImpactOutcome& other : others) other.audit.flags.set(Flag::outcome_not_unique);
  ImpactOutcome first = outcome;
  outcome.outcomes.push_back(std::move(first));
  std::move(others.begin(), others.end(), std::back_inserter(outcome.outcomes));
}

}  // namespace carom
