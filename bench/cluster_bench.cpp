/// Time and accuracy of the coupled impact laws in large clusters: heaps of balls in a box and stacks of boxes.
///
/// A heap is a jittered cubic packing of k³ balls between a floor and four walls; of the pairs of neighbours a part
/// touches, so that there are about three contacts a ball, as a heap has that has settled. One ball strikes the others
/// at rest, or all balls fall, each with a little motion of its own, which is much harder. A stack has ten boxes with
/// four corner contacts each: redundant, and with friction not unique. Smooth, with friction 0.3 and rough. One row for
/// each cluster and law: contacts, CPU time of one impact (with an accuracy of 1e-9 for its cone problems, as the rigid
/// engine asks for it, and exactly), steps, how it stopped, and what the audit says of it. An argument says how many
/// balls the largest heap has along its side.

#include <fmt/format.h>
#include <time.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "carom/base/random.h"
#include "carom/laws/impact/impact_solver.h"
#include "carom/laws/impact/registry.h"

#include "report.h"

namespace {

using namespace carom;
using Eigen::Vector3d;

/// Clusters with more contacts are not solved exactly: that takes seconds.
constexpr std::size_t kMostExact = 100;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Free bodies of mass 1, six coordinates each (three where nothing can turn them), and what touches.
class Cluster {
 public:
  /// An infinite friction makes rough contacts.
  Cluster(int bodies, const Vector3d& inertia, double friction) : friction_(friction) {
    const int n = dof_ * bodies;
    problem_.metric = Matrix::Zero(n, n);
    problem_.velocity = Vector::Zero(n);
    for (int b = 0; b < bodies; ++b)
      for (int i = 0; i < 3; ++i) {
        problem_.metric(dof_ * b + i, dof_ * b + i) = 1.0;
        problem_.metric(dof_ * b + 3 + i, dof_ * b + 3 + i) = inertia[i];
      }
  }

  void set_velocity(int body, const Vector3d& velocity, const Vector3d& spin) {
    problem_.velocity.segment<3>(dof_ * body) = velocity;
    problem_.velocity.segment<3>(dof_ * body + 3) = spin;
  }

  /// A contact of body a, at `arm_a` from its centre, with body b (below zero: a wall); the normal points to a.
  void touch(int a, const Vector3d& arm_a, int b, const Vector3d& arm_b, const Vector3d& normal) {
    const auto row = [&](const Vector3d& direction) {
      Vector entries = Vector::Zero(problem_.velocity.size());
      entries.segment<3>(dof_ * a) = direction;
      entries.segment<3>(dof_ * a + 3) = arm_a.cross(direction);
      if (b >= 0) {
        entries.segment<3>(dof_ * b) = -direction;
        entries.segment<3>(dof_ * b + 3) = -arm_b.cross(direction);
      }
      return entries;
    };
    Contact contact;
    contact.normal = row(normal);
    contact.rough = std::isinf(friction_);
    contact.friction = contact.rough ? 0.0 : friction_;
    if (friction_ > 0.0) {
      const Vector3d first = normal.unitOrthogonal();
      contact.tangents.resize(2, problem_.velocity.size());
      contact.tangents.row(0) = row(first).transpose();
      contact.tangents.row(1) = row(normal.cross(first)).transpose();
    }
    problem_.contacts.push_back(contact);
  }

  ImpactProblem& problem() { return problem_; }

 private:
  double friction_;
  static constexpr int dof_ = 6;
  ImpactProblem problem_;
};

/// `falls`: all balls move; else only the last one, which strikes the others at rest.
ImpactProblem heap_of_balls(int side, double friction, bool falls, std::uint64_t seed) {
  Random random(seed);
  const int count = side * side * side;
  Cluster cluster(count, Vector3d::Constant(0.4), friction);
  std::vector<Vector3d> centre;
  for (int z = 0; z < side; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) {
        const Vector3d jitter(random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), random.uniform(-0.2, 0.2));
        centre.push_back(2.0 * Vector3d(x, y, z) + jitter);
      }
  for (int a = 0; a < count; ++a) {
    for (int b = 0; b < a; ++b) {
      const Vector3d across = centre[a] - centre[b];
      if (across.norm() > 2.3 || random.uniform() > 0.9) continue;
      const Vector3d normal = across.normalized();
      cluster.touch(a, -normal, b, normal, normal);
    }
    const Vector3d& c = centre[a];
    const double end = 2.0 * (side - 1);
    if (c.z() < 0.5) cluster.touch(a, -Vector3d::UnitZ(), -1, Vector3d::Zero(), Vector3d::UnitZ());
    for (int axis = 0; axis < 2; ++axis) {
      if (c[axis] < 0.0) cluster.touch(a, -Vector3d::Unit(axis), -1, Vector3d::Zero(), Vector3d::Unit(axis));
      if (c[axis] > end) cluster.touch(a, Vector3d::Unit(axis), -1, Vector3d::Zero(), -Vector3d::Unit(axis));
    }
    const auto small = [&] { return Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)); };
    const Vector3d velocity = 0.1 * small() - Vector3d::UnitZ();
    const Vector3d spin = friction > 0.0 ? Vector3d(0.1 * small()) : Vector3d(Vector3d::Zero());
    if (falls || a + 1 == count) cluster.set_velocity(a, velocity, spin);
  }
  return cluster.problem();
}

ImpactProblem stack_of_boxes(int count, double friction, std::uint64_t seed) {
  Random random(seed);
  Cluster cluster(count, Vector3d::Constant(2.0 / 3.0), friction);
  for (int b = 0; b < count; ++b) {
    for (const double x : {-1.0, 1.0})
      for (const double y : {-1.0, 1.0}) cluster.touch(b, {x, y, -1.0}, b - 1, {x, y, 1.0}, Vector3d::UnitZ());
    const auto small = [&] { return Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)); };
    cluster.set_velocity(b, 0.01 * small() - Vector3d::UnitZ(), 0.01 * small());
  }
  return cluster.problem();
}

/// Milliseconds of CPU time of one impact with a reused solver.
double time_of(ImpactSolver& solver, const ImpactProblem& problem, const ImpactLaw& law, ImpactOutcome& outcome) {
  solver.solve(problem, law, outcome);
  const double start = cpu_seconds();
  solver.solve(problem, law, outcome);
  return 1e3 * (cpu_seconds() - start);
}

void report(const std::string& name, const ImpactProblem& given, bool friction) {
  ImpactSolver solver;
  for (const char* wanted : {"newton", "poisson", "sequential", "compliant"}) {
    const ImpactLaw& law = impact_law(wanted);
    ImpactProblem problem = given;
    problem.restitution = 0.5;
    ImpactOutcome outcome;
    std::string exact = "-";
    if (friction && problem.contacts.size() <= kMostExact && !bench::quick())
      exact = fmt::format("{:.3f}", time_of(solver, problem, law, outcome));
    problem.options.accuracy = 1e-9;
    problem.options.closing_energy = 1e-2;
    const double elapsed = time_of(solver, problem, law, outcome);
    std::string flags;
    for (const Flag flag : all_flags())
      if (outcome.audit.flags.has(flag)) flags += fmt::format(" {}", flag_name(flag));
    fmt::print(
        "{:<24} {:>4} contacts  {:<10} {:>10.3f} ms  exact {:>9} ms {:>6} steps  {:<12} energy {:+.3f}  approach "
        "{:8.1e}{}\n",
        name, problem.contacts.size(), law.name, elapsed, exact, outcome.steps, stop_name(outcome.stop),
        outcome.energy.contact_work / outcome.energy.before, outcome.audit.min_gap_rate_after, flags);
    std::fflush(stdout);
    bench::tell(fmt::format("{}, {}", name, law.name), elapsed, "ms", bench::Better::less);
  }
}

}  // namespace

int main(int argc, char** argv) {
  bench::begin("cluster", argc, argv);
  const int largest = argc > 1 ? std::atoi(argv[1]) : bench::quick() ? 3 : 5;
  for (const double friction : {0.0, 0.3, std::numeric_limits<double>::infinity()}) {
    const std::string kind = friction == 0.0 ? "smooth" : std::isinf(friction) ? "rough" : "friction 0.3";
    for (int count = 2; count <= 10; count += 4)
      report(fmt::format("{} boxes, {}", count, kind), stack_of_boxes(count, friction, 7), friction > 0.0);
    for (const bool falls : {false, true})
      for (int side = 2; side <= largest; ++side)
        report(fmt::format("{} balls{}, {}", side * side * side, falls ? " fall" : "", kind),
               heap_of_balls(side, friction, falls, 11), friction > 0.0);
  }
}
