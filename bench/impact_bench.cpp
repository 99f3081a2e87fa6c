/// Impacts per second of every law in the registry, one thread, whole path: validation, factorisation, law, audit.
///
/// Each size is run over 64 different random problems (dense metric, generic contacts, at least one approaching), so
/// that neither branches nor caches learn a single one. Figures are CPU time, best of several rounds. The targets that
/// the project has set itself stand beside the figures.

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "carom/base/random.h"
#include "carom/laws/impact/impact_solver.h"

#include "report.h"

namespace {

using namespace carom;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Size {
  int dof;
  int contacts;
  int tangents = 0;  ///< of each contact, with friction
};

ImpactProblem random_problem(Random& random, const Size& size) {
  const int n = size.dof;
  ImpactProblem problem;
  Matrix root(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) root(i, j) = random.uniform(-1.0, 1.0);
  problem.metric = root * root.transpose() + Matrix::Identity(n, n);
  problem.metric = (0.5 * (problem.metric + problem.metric.transpose())).eval();
  problem.velocity.resize(n);
  for (double& v : problem.velocity) v = random.uniform(-1.0, 1.0);
  problem.restitution = random.uniform(0.3, 0.9);
  for (int i = 0; i < size.contacts; ++i) {
    Contact contact;
    contact.normal.resize(n);
    for (double& entry : contact.normal) entry = random.uniform(-1.0, 1.0);
    const double rate = contact.normal.dot(problem.velocity);
    if (i == 0 ? rate > 0.0 : random.uniform() < 0.7 && rate > 0.0) contact.normal = -contact.normal;
    if (size.tangents > 0) {
      contact.tangents.resize(size.tangents, n);
      for (int t = 0; t < size.tangents; ++t)
        for (int j = 0; j < n; ++j) contact.tangents(t, j) = random.uniform(-1.0, 1.0);
      contact.friction = random.uniform(0.1, 0.8);
    }
    problem.contacts.push_back(contact);
  }
  return problem;
}

/// Nanoseconds of CPU per impact.
double time_law(const ImpactLaw& law, const std::vector<ImpactProblem>& problems) {
  ImpactSolver solver;
  ImpactOutcome outcome;
  for (const ImpactProblem& problem : problems) solver.solve(problem, law, outcome);
  double best = 1e300;
  for (int round = 0; round < bench::rounds(15); ++round) {
    long count = 0;
    const double start = cpu_seconds();
    double elapsed = 0.0;
    while (elapsed < 0.01) {
      for (const ImpactProblem& problem : problems) solver.solve(problem, law, outcome);
      count += static_cast<long>(problems.size());
      elapsed = cpu_seconds() - start;
    }
    best = std::min(best, elapsed / static_cast<double>(count));
  }
  return best * 1e9;
}

/// The project's own bars, in nanoseconds; zero where there is none.
double target(const ImpactLaw& law, const Size& size) {
  if (size.tangents > 0) {
    if (law.name == "incremental") return size.tangents == 1 ? 1000.0 : 20000.0;
    if ((law.name == "newton" || law.name == "poisson") && size.dof == 6 && size.contacts == 3) return 15000.0;
    return 0.0;
  }
  if (law.name == "geometric" && size.dof == 6 && size.contacts == 2) return 1000.0;
  if ((law.name == "newton" || law.name == "poisson") && size.dof == 6 && size.contacts == 3) return 3000.0;
  return 0.0;
}

constexpr Size kFrictionSizes[] = {{3, 1}, {6, 1}, {6, 2}, {6, 3}, {12, 6}};

}  // namespace

int main(int count, char** words) {
  bench::begin("impact", count, words);
  const Size sizes[] = {{3, 2}, {6, 2}, {6, 3}, {12, 6}, {60, 30}};
  fmt::print("CPU time of one impact with a reused solver, whole path with audit (64 random problems each)\n\n");
  fmt::print("{:<15}{:>8}{:>14}{:>16}   {}\n", "law", "(n, m)", "ns/impact", "impacts/s", "target");
  bool missed = false;
  const auto measure = [&](const ImpactLaw& law, const Size& size) {
    Random random(42);
    std::vector<ImpactProblem> problems;
    for (int i = 0; i < 64; ++i) problems.push_back(random_problem(random, size));
    const double ns = time_law(law, problems);
    const double bar = target(law, size);
    missed = missed || (bar > 0.0 && ns > bar);
    fmt::print("{:<15}{:>8}{:>14.0f}{:>16.0f}   {}\n", law.name, fmt::format("({}, {})", size.dof, size.contacts), ns,
               1e9 / ns,
               bar > 0.0 ? fmt::format("below {:.0f} ns: {}", bar, ns <= bar ? "reached" : "MISSED") : std::string());
    const std::string tangents = size.tangents > 0 ? fmt::format(", {} tangents", size.tangents) : std::string();
    bench::tell(fmt::format("{} ({}, {}){}", law.name, size.dof, size.contacts, tangents), ns, "ns",
                bench::Better::less, bar);
  };
  for (const ImpactLaw* law : impact_laws())
    for (const Size& size : sizes)
      if (!law->needs.single_contact || size.contacts == 1) measure(*law, size);
  for (const int tangents : {1, 2}) {
    fmt::print("\nwith friction, {} tangent{} at each contact\n\n", tangents, tangents == 1 ? "" : "s");
    for (const ImpactLaw* law : impact_laws())
      for (const Size& size : kFrictionSizes)
        if (law->needs.friction && (!law->needs.single_contact || size.contacts == 1))
          measure(*law, {size.dof, size.contacts, tangents});
  }
  return bench::exit_code(missed);
}
