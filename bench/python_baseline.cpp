/// What C++ takes for the impacts that bench/python/bench.py solves from Python: one problem of six coordinates and two
/// contacts again and again, and a hundred thousand of them by all processors. Prints two numbers [s].

#include <fmt/format.h>

#include <ctime>
#include <memory>
#include <vector>

#include "carom/analysis/compare_laws.h"
#include "carom/analysis/shared_work.h"
#include "carom/laws/impact/impact_solver.h"

namespace {

using namespace carom;

/// Processor time of all threads: other programs on the machine do not matter.
double now() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// As bench.py makes it.
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

}  // namespace

int main(int count, char** arguments) {
  const ImpactLaw& law = impact_law(count > 1 ? arguments[1] : "newton");
  const ImpactProblem one = problem();
  ImpactSolver solver;
  double best = 1.0;
  for (int round = 0; round < 20; ++round) {
    constexpr int kCalls = 2000;
    const double start = now();
    for (int i = 0; i < kCalls; ++i) (void)solve_audited(solver, one, law);
    best = std::min(best, (now() - start) / kCalls);
  }

  static constexpr std::size_t kProblems = 100000, kTogether = 256;
  std::vector<double> velocity(kProblems * 6);
  double best_batch = 1e9;
  for (int round = 0; round < 5; ++round) {
    const double start = now();
    for_each_piece((kProblems + kTogether - 1) / kTogether, {}, [&]() -> PieceWork {
      struct Memory {
        ImpactSolver solver;
        ImpactProblem problem;
        ImpactOutcome outcome;
      };
      auto memory = std::make_shared<Memory>();
      memory->problem = one;
      return [&velocity, &one, &law, memory](std::size_t piece) {
        for (std::size_t i = piece * kTogether; i < std::min(kProblems, (piece + 1) * kTogether); ++i) {
          memory->problem.velocity = one.velocity * (1.0 + 1e-6 * static_cast<double>(i));
          memory->solver.solve(memory->problem, law, memory->outcome);
          std::copy(memory->outcome.velocity.begin(), memory->outcome.velocity.end(),
                    velocity.begin() + static_cast<std::ptrdiff_t>(i) * 6);
        }
      };
    });
    best_batch = std::min(best_batch, now() - start);
  }
  fmt::print("{} {}\n", best, best_batch);
}
