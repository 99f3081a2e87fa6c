/// The law `compliant` at the sizes that the project has set itself bars for: CPU time of one impact with a reused
/// solver, whole path with audit, and the largest error of a velocity.
///
/// The error is measured against the same integration at a tolerance of 1e-19, whose steps are half as long: what is
/// left there is round-off. Generic problems are 64 random ones (16 large ones) with a dense metric; balls are equal
/// and touch.

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "carom/base/random.h"
#include "carom/laws/impact/impact_solver.h"

#include "report.h"

namespace {

using namespace carom;

constexpr double kFine = 1e-19;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Vector random_row(Random& random, int n) {
  Vector row(n);
  for (double& entry : row) entry = random.uniform(-1.0, 1.0);
  return row;
}

ImpactProblem generic(Random& random, int n, int m, int tangents) {
  ImpactProblem problem;
  Matrix root(n, n);
  for (int i = 0; i < n; ++i) root.row(i) = random_row(random, n);
  problem.metric = root * root.transpose() + Matrix::Identity(n, n);
  problem.metric = (0.5 * (problem.metric + problem.metric.transpose())).eval();
  problem.velocity = random_row(random, n);
  problem.restitution = random.uniform(0.3, 0.9);
  for (int i = 0; i < m; ++i) {
    Contact contact;
    contact.normal = random_row(random, n);
    const double rate = contact.normal.dot(problem.velocity);
    if (i == 0 ? rate > 0.0 : random.uniform() < 0.7 && rate > 0.0) contact.normal = -contact.normal;
    contact.tangents.resize(tangents, n);
    for (int a = 0; a < tangents; ++a) contact.tangents.row(a) = random_row(random, n);
    if (tangents > 0) contact.friction = random.uniform(0.1, 0.6);
    problem.contacts.push_back(contact);
  }
  return problem;
}

std::vector<ImpactProblem> generic_set(int n, int m, int tangents = 0) {
  Random random(42);
  std::vector<ImpactProblem> problems;
  for (int i = 0; i < (m < 20 ? 64 : 16); ++i) problems.push_back(generic(random, n, m, tangents));
  return problems;
}

/// Equal balls of diameter 1 in a plane; the first strikes along x, all that touch are contacts.
ImpactProblem balls(const std::vector<Eigen::Vector2d>& places, double restitution) {
  const auto n = static_cast<Eigen::Index>(2 * places.size());
  ImpactProblem problem;
  problem.metric = Matrix::Identity(n, n);
  problem.velocity = Vector::Zero(n);
  problem.velocity[0] = 1.0;
  problem.restitution = restitution;
  for (std::size_t a = 0; a < places.size(); ++a)
    for (std::size_t b = a + 1; b < places.size(); ++b) {
      const Eigen::Vector2d direction = places[b] - places[a];
      if (std::abs(direction.norm() - 1.0) > 1e-9) continue;
      Contact contact;
      contact.normal = Vector::Zero(n);
      contact.normal.segment<2>(static_cast<Eigen::Index>(2 * b)) = direction;
      contact.normal.segment<2>(static_cast<Eigen::Index>(2 * a)) = -direction;
      problem.contacts.push_back(contact);
    }
  return problem;
}

ImpactProblem line(int count, double restitution) {
  std::vector<Eigen::Vector2d> places;
  for (int i = 0; i < count; ++i) places.emplace_back(i, 0.0);
  return balls(places, restitution);
}

ImpactProblem touching_break(double restitution) {
  std::vector<Eigen::Vector2d> places{{-1.0, 0.0}};
  for (int row = 0; row < 5; ++row)
    for (int k = 0; k <= row; ++k) places.emplace_back(std::sqrt(0.75) * row, k - 0.5 * row);
  return balls(places, restitution);
}

/// Microseconds of CPU per impact, best of several rounds.
double time_of(ImpactSolver& solver, const std::vector<ImpactProblem>& problems) {
  ImpactOutcome outcome;
  double best = 1e300;
  for (int round = 0; round < bench::rounds(9); ++round) {
    double impacts = 0.0;
    const double start = cpu_seconds();
    double elapsed = 0.0;
    for (; elapsed < 0.02; elapsed = cpu_seconds() - start) {
      for (const ImpactProblem& problem : problems) solver.solve(problem, default_impact_law(), outcome);
      impacts += static_cast<double>(problems.size());
    }
    best = std::min(best, elapsed / impacts);
  }
  return best * 1e6;
}

double error_of(ImpactSolver& solver, std::vector<ImpactProblem> problems) {
  double error = 0.0;
  for (ImpactProblem& problem : problems) {
    const ImpactOutcome usual = solver.solve(problem);
    problem.options.by_law["step_tolerance"] = kFine;
    const ImpactOutcome fine = solver.solve(problem);
    for (std::size_t i = 0; i < usual.velocity.size(); ++i)
      error = std::max(error, std::abs(usual.velocity[i] - fine.velocity[i]) / usual.reference_speed);
  }
  return error;
}

struct Case {
  std::string name;
  std::vector<ImpactProblem> problems;
  double bar;  ///< [µs]; zero where there is none
};

}  // namespace

int main(int count, char** words) {
  bench::begin("compliant", count, words);
  const Case cases[] = {
      {"generic (6, 2)", generic_set(6, 2), 15.0},
      {"generic (6, 3)", generic_set(6, 3), 30.0},
      {"generic (12, 6)", generic_set(12, 6), 0.0},
      {"generic (60, 30)", generic_set(60, 30), 2000.0},
      {"generic (6, 2), planar friction", generic_set(6, 2, 1), 20.0},
      {"generic (6, 3), planar friction", generic_set(6, 3, 1), 45.0},
      {"generic (6, 2), spatial friction", generic_set(6, 2, 2), 60.0},
      {"generic (6, 3), spatial friction", generic_set(6, 3, 2), 135.0},
      {"touching break of 16 balls, e = 0.95", {touching_break(0.95)}, 1000.0},
      {"line of 20 balls, e = 0.95", {line(20, 0.95)}, 0.0},
  };
  fmt::print("{:<40}{:>12}{:>12}   {}\n", "problem", "us/impact", "error", "target");
  bool missed = false;
  ImpactSolver solver;
  for (const Case& c : cases) {
    const double error = error_of(solver, c.problems);
    const double time = time_of(solver, c.problems);
    const bool reached = error <= 1e-13 && (c.bar == 0.0 || time <= c.bar);
    missed = missed || !reached;
    fmt::print("{:<40}{:>12.2f}{:>12.1e}   {}{}\n", c.name, time, error,
               c.bar > 0.0 ? fmt::format("below {:g} us, ", c.bar) : std::string(),
               fmt::format("error below 1e-13: {}", reached ? "reached" : "MISSED"));
    bench::tell(c.name, time, "µs", bench::Better::less, c.bar);
    bench::tell({c.name + ", error of a velocity", error, "", bench::Better::less, "bar", 1e-13});
  }
  return bench::exit_code(missed);
}
