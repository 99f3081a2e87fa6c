/// Speed of mechanisms in both engines, through reader and engine as `carom run` goes, one thread, no observer: model
/// seconds per CPU second, what of the cost the projection onto joints takes, and how the cost of a chain grows with
/// its links. The best of several rounds.
///
/// usage: mechanism_bench [LINKS [ENGINE]]: the longest chain (1000), and chains alone with this engine or integrator.

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>

#include "carom/engine/engine_options.h"
#include "carom/engine/engine_registry.h"
#include "carom/engine/run.h"
#include "carom/engine/smooth/group_dynamics.h"
#include "carom/scene/scene_file.h"

#include "report.h"

namespace {

using namespace carom;
using Eigen::Vector3d;
using std::numbers::pi;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A bar from one point to another, at rest, which meets no other one. `slender`: its inertia about its own axis, of
/// that across.
std::string bar(const std::string& name, const Vector3d& from, const Vector3d& to, double mass, double slender = 0.01) {
  const Vector3d centre = 0.5 * (from + to);
  const double length = (to - from).norm(), across = mass * length * length / 12.0;
  const Eigen::Quaterniond turn = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), to - from);
  return fmt::format(
      "[[body]]\nname = '{}'\nshape = {{ kind = 'capsule', radius = {}, half_length = {} }}\nmass = {}\n"
      "inertia = [{}, {}, {}]\nposition = [{}, {}, {}]\norientation = {{ quaternion = [{}, {}, {}, {}] }}\n"
      "groups = ['bars']\navoid = ['bars']\n",
      name, 0.01 * length, 0.5 * length, mass, across, across, slender * across, centre.x(), centre.y(), centre.z(),
      turn.w(), turn.x(), turn.y(), turn.z());
}

std::string hinge(const std::string& bodies, const Vector3d& at, const Vector3d& axis, int number) {
  return fmt::format(
      "[[joint]]\nname = 'hinge-{}'\nkind = 'revolute'\nbodies = [{}]\npoint = [{}, {}, {}]\naxis = [{}, {}, {}]\n",
      number, bodies, at.x(), at.y(), at.z(), axis.x(), axis.y(), axis.z());
}

/// Bars end to end, the first on the ground, joined by hinges about the given axes in turn.
std::string row_of_bars(const std::vector<Vector3d>& nodes, const std::vector<Vector3d>& axes,
                        const std::vector<double>& masses) {
  std::string bodies, joints;
  for (std::size_t k = 0; k + 1 < nodes.size(); ++k) {
    bodies += bar(fmt::format("bar-{}", k), nodes[k], nodes[k + 1], masses[k % masses.size()]);
    const std::string held = k == 0 ? std::string("'bar-0'") : fmt::format("'bar-{}', 'bar-{}'", k - 1, k);
    joints += hinge(held, nodes[k], axes[k % axes.size()], static_cast<int>(k));
  }
  return bodies + joints;
}

std::string head(const std::string& engine, double duration, double rtol) {
  std::string text = fmt::format(
      "format = 1\n[world]\ngravity = [0, -9.81, 0]\n[run]\nduration = {}\noutput_step = {}\n", duration, duration);
  if (engine == "event") return text + fmt::format("law = 'newton'\nintegration_tolerance = {}\n", rtol);
  return text + fmt::format("engine = 'smooth'\nintegrator = '{}'\nrtol = {}\n", engine, rtol);
}

struct Timed {
  RunResult result;
  double seconds = 1e300;
};

Timed time_text(const std::string& text, int rounds) {
  const scene::SceneFile file = scene::read_scene_file(scene::parse_document("bench", text));
  const auto model = std::make_shared<const Model>(file.model);
  Timed best;
  for (int i = 0; i < bench::rounds(rounds); ++i) {
    const double start = cpu_seconds();
    best.result = run_to_end(engine_kind(file.run.engine).make(model, file.state, file.run), {});
    best.seconds = std::min(best.seconds, cpu_seconds() - start);
  }
  return best;
}

/// The bar is one of model seconds per CPU second.
void print(const std::string& name, const Timed& run, double bar) {
  const std::string what = fmt::format("{} (bar {:g})", name, bar);
  const RunResult& r = run.result;
  const double times = r.final_state.time / run.seconds;
  fmt::print("{:<44} {:>9.2f} x real time  {:>7} steps {:>8} evaluations  {:>9.3f} ms  energy {:.1e} J of {:.3g}  {}\n",
             what, times, r.steps_accepted, r.evaluations, 1e3 * run.seconds, r.energy.error(), r.energy.now.kinetic,
             run_stop_name(r.stop));
  std::fflush(stdout);
  bench::tell(name, times, "model s/CPU s", bench::Better::more, bar);
}

std::string double_pendulum() {
  const Vector3d elbow(1.0, 0.0, 0.0), tip = elbow + 0.8 * Vector3d(std::cos(pi / 6.0), 0.5, 0.0);
  return row_of_bars({Vector3d::Zero(), elbow, tip}, {Vector3d::UnitZ()}, {1.0, 0.6});
}

/// An arm of six joints with dampers, let go.
std::string arm() {
  const Vector3d ways[] = {{0.0, 0.3, 0.0}, {0.4, 0.1, 0.0},  {0.3, -0.2, 0.1},
                           {0.1, 0.0, 0.1}, {0.1, 0.05, 0.0}, {0.08, 0.0, 0.0}};
  const Vector3d axes[] = {Vector3d::UnitY(), Vector3d::UnitZ(), Vector3d::UnitZ(),
                           Vector3d::UnitX(), Vector3d::UnitZ(), Vector3d::UnitX()};
  const double masses[] = {4.0, 3.0, 2.0, 1.0, 0.5, 0.3}, dampers[] = {0.5, 0.5, 0.2, 0.02, 0.002, 0.0002};
  std::string bodies, joints;
  Vector3d from = Vector3d::Zero();
  for (int k = 0; k < 6; ++k) {
    bodies += bar(fmt::format("bar-{}", k), from, from + ways[k], masses[k], 0.2);
    joints += hinge(k == 0 ? std::string("'bar-0'") : fmt::format("'bar-{}', 'bar-{}'", k, k - 1), from, axes[k], k) +
              fmt::format("spring = {{ stiffness = 0, damping = {} }}\n", dampers[k]);
    from += ways[k];
  }
  return bodies + joints;
}

/// Links of 0.1 m that hang in a line, 30° off the vertical.
std::string chain(int links) {
  std::vector<Vector3d> nodes;
  for (int k = 0; k <= links; ++k) nodes.emplace_back(0.1 * k * Vector3d(0.5, -std::sqrt(0.75), 0.0));
  return row_of_bars(nodes, {Vector3d::UnitZ()}, {0.1});
}

/// Time of one right-hand side and of one projection of a state that is off by so much, for the group of all bodies. A
/// step whose last evaluation is that of its end leaves something for the projection.
void projection(const std::string& name, const std::string& text, int evaluations, bool evaluates_end) {
  const scene::SceneFile file = scene::read_scene_file(scene::parse_document("bench", text));
  const auto model = std::make_shared<const Model>(file.model);
  const smooth::Environment environment(model, smooth_options(file.run));
  smooth::GroupDynamics dynamics(environment);
  Indexed<JointIndex, JointTurns> turns;
  for (const Joint& joint : model->joints) turns.push_back(joint.start);
  for (const BodyIndex body : model->bodies.indices()) dynamics.bodies.push_back(body);
  std::vector<double> y;
  dynamics.begin(0.0, file.state.bodies, turns, y);
  std::vector<double> slope(y.size()), moved;
  double right = 1e300, put_back = 1e300;
  const int calls = 1 + 20000 / static_cast<int>(model->bodies.size());
  for (int round = 0; round < 5; ++round) {
    double start = cpu_seconds();
    for (int i = 0; i < calls; ++i) dynamics.slope(0.0, y.data(), slope.data());
    right = std::min(right, (cpu_seconds() - start) / calls);
    moved = y;
    for (std::size_t i = 0; i < 6 * model->bodies.size(); ++i) moved[i] += 1e-9 * std::sin(static_cast<double>(i));
    start = cpu_seconds();
    for (int i = 0; i < calls; ++i) {
      std::vector<double> state = moved;
      if (evaluates_end) dynamics.slope(0.0, state.data(), slope.data());
      (void)dynamics.project(0.0, state.data());
    }
    put_back = std::min(put_back, (cpu_seconds() - start) / calls - (evaluates_end ? right : 0.0));
  }
  fmt::print("{:<44} right-hand side {:.3f} us, projection {:.3f} us: {:.0f} % of a step of {} evaluations\n", name,
             1e6 * right, 1e6 * put_back, 100.0 * put_back / (put_back + evaluations * right), evaluations);
  bench::tell(fmt::format("{}, projection", name), 1e6 * put_back, "µs", bench::Better::less);
}

}  // namespace

int main(int argc, char** argv) {
  bench::begin("mechanism", argc, argv);
  const int longest = argc > 1 ? std::atoi(argv[1]) : bench::quick() ? 100 : 1000;
  const auto both = [](const std::string& what, const std::string& scene, double duration, double rtol, double bar) {
    for (const std::string engine : {"event", "dormand-prince-853", "adams", "dormand-prince"})
      print(fmt::format("{}, {}", what, engine), time_text(head(engine, duration, rtol) + scene, 3), bar);
  };
  const bool all = argc < 3;
  if (all) both("double pendulum at 1e-10", double_pendulum(), 20.0, 1e-10, 200.0);
  if (all) both("arm of 6 joints at 1e-8", arm(), 10.0, 1e-8, 50.0);
  projection("double pendulum, order 8", head("dormand-prince-853", 1.0, 1e-10) + double_pendulum(), 12, false);
  projection("double pendulum, order 5", head("dormand-prince", 1.0, 1e-10) + double_pendulum(), 6, true);
  for (const std::string engine : {"dormand-prince-853", "dormand-prince", "adams", "event"}) {
    double before = 0.0;
    if (!all && engine != argv[2]) continue;
    for (int links = 10; links <= longest; links *= 10) {
      const double duration = links > 100 ? 0.2 : 1.0;
      const Timed run = time_text(head(engine, duration, 1e-6) + chain(links), 1);
      print(fmt::format("chain of {} links at 1e-6, {}", links, engine), run, 0.5);
      const double cost = run.seconds / static_cast<double>(std::max<std::int64_t>(run.result.evaluations, 1));
      if (before > 0.0) fmt::print("  slope of the cost of an evaluation: {:.2f}\n", std::log10(cost / before));
      before = cost;
    }
  }
  projection(fmt::format("chain of {} links, order 5", longest), head("dormand-prince", 1.0, 1e-6) + chain(longest), 6,
             true);
  return 0;
}
