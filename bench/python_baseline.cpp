/// What C++ takes for the impacts that bench/python solves from Python: one problem of six coordinates and two contacts
/// again and again, and a hundred thousand of them by all processors, with all that is known of each outcome and
/// without the audit. Prints three numbers [s].

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <memory>
#include <vector>

#include "carom/analysis/compare_laws.h"
#include "carom/analysis/shared_work.h"
#include "carom/laws/impact/impact_batch.h"
#include "carom/laws/impact/impact_solver.h"

namespace {

using namespace carom;

/// Processor time of all threads: other programs on the machine do not matter.
double now() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// As bench/python makes it.
ImpactProblem problem() {
  ImpactProblem made;
  made.metric = Matrix::Identity(6, 6);
  for (int i = 0; i < 6; ++i) made.metric(i, i) = 1.0 + 0.1 * i;
  made.velocity = Vector::Zero(6);
  made.velocity << 1.0, -0.5, 0.25, 0.1, -0.2, 0.3;
  for (const int k : {0, 1}) {
    Contact contact;
    contact.normal = Vector::Zero(6);
    contact.normal[k] = -1.0;
    contact.normal[k + 1] = 1.0;
    contact.normal[k + 3] = 0.3;
    made.contacts.push_back(contact);
  }
  made.restitution = 0.8;
  return made;
}

constexpr std::size_t kProblems = 100000, kTogether = 512;

/// What a batch gives back, for all problems.
struct Answers {
  std::vector<double> velocity = std::vector<double>(kProblems * 6), impulses = std::vector<double>(kProblems * 2),
                      rates = std::vector<double>(kProblems * 2), before = std::vector<double>(kProblems),
                      after = std::vector<double>(kProblems);
  std::vector<std::int32_t> steps = std::vector<std::int32_t>(kProblems);
  std::vector<Stop> stop = std::vector<Stop>(kProblems);
  std::vector<std::uint32_t> flags = std::vector<std::uint32_t>(kProblems);

  void keep(std::size_t i, const ImpactOutcome& outcome) {
    std::copy(outcome.velocity.begin(), outcome.velocity.end(), velocity.begin() + static_cast<std::ptrdiff_t>(6 * i));
    std::copy(outcome.impulses.begin(), outcome.impulses.end(), impulses.begin() + static_cast<std::ptrdiff_t>(2 * i));
    std::copy(outcome.rate_after.begin(), outcome.rate_after.end(), rates.begin() + static_cast<std::ptrdiff_t>(2 * i));
    before[i] = outcome.energy.before;
    after[i] = outcome.energy.after;
    steps[i] = static_cast<std::int32_t>(outcome.steps);
    stop[i] = outcome.stop;
    flags[i] = outcome.audit.flags.bits();
  }
};

/// All problems by all processors, once.
double batch_time(const ImpactProblem& one, const ImpactLaw& law, bool audited) {
  std::vector<double> velocities;
  for (std::size_t i = 0; i < kProblems; ++i)
    for (const double v : one.velocity) velocities.push_back(v * (1.0 + 1e-6 * static_cast<double>(i)));
  const double start = now();
  Answers answers;  // the memory of the results counts, as it does in Python
  for_each_piece((kProblems + kTogether - 1) / kTogether, {}, [&]() -> PieceWork {
    auto solver = std::make_shared<ImpactBatchSolver>();
    auto batch = std::make_shared<ImpactBatch>(ImpactBatch{.size = kProblems, .problem = one});
    batch->velocity = {velocities.data(), 6};
    return [solver, batch, &answers, &law, audited](std::size_t piece) {
      const std::size_t first = piece * kTogether, count = std::min(kTogether, kProblems - first);
      ImpactBatchResults results;
      if (audited) {
        results.outcome = [&answers, first](std::size_t i, const ImpactOutcome& outcome) {
          answers.keep(first + i, outcome);
        };
      } else {
        results.velocity = {answers.velocity.data() + 6 * first, 6};
        results.impulses = {answers.impulses.data() + 2 * first, 2};
        results.rates_after = {answers.rates.data() + 2 * first, 2};
        results.energy_before = {answers.before.data() + first, count};
        results.energy_after = {answers.after.data() + first, count};
        results.steps = {answers.steps.data() + first, count};
        results.stop = {answers.stop.data() + first, count};
      }
      solver->solve(batch->part(first, count), law, results);
    };
  });
  return now() - start;
}

}  // namespace

int main(int count, char** arguments) {
  const ImpactLaw& law = impact_law(count > 1 ? arguments[1] : "newton");
  const ImpactProblem one = problem();
  ImpactSolver solver;
  double best = 1.0, best_batch = 1e9, best_quick = 1e9;
  for (int round = 0; round < 5; ++round) {
    constexpr int kCalls = 2000;
    const double start = now();
    for (int i = 0; i < kCalls; ++i) (void)solve_audited(solver, one, law);
    best = std::min(best, (now() - start) / kCalls);
  }
  for (int round = 0; round < 2; ++round) best_batch = std::min(best_batch, batch_time(one, law, true));
  for (int round = 0; round < 8; ++round) best_quick = std::min(best_quick, batch_time(one, law, false));
  fmt::print("{} {} {}\n", best, best_batch, best_quick);
}
