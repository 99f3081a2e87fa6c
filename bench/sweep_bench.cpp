/// What a sweep costs beside what it is made of, one thread, CPU time, the best of several rounds:
///
/// - short event runs: a scene at 10⁵ values through Sweep, beside the engine alone (made from a model that is
///   there and run to its end); the target is 0.8 of the engine's own rate;
/// - a disk in a corner: an impact problem at many values through Sweep, through ImpactBatchSolver alone (all disks in
///   one corner, and each in its own), and through the solver of corners (laws/corner/batch.h); where CAROM_BASELINES
///   names a folder with the built prototype `corner_batch`, its figure for the corners of their own stands beside
///   them.

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/analysis/sweep/run_sweep.h"
#include "carom/analysis/sweep/sweep.h"
#include "carom/base/random.h"
#include "carom/engine/engine_registry.h"
#include "carom/engine/run.h"
#include "carom/laws/corner/batch.h"
#include "carom/laws/impact/impact_batch.h"
#include "carom/scene/scene_contents.h"

#include "report.h"
#include "sweep_scenes.h"

namespace {

using namespace carom;

constexpr int kRounds = 3;
constexpr int kCornerRounds = 20;  ///< as many as the prototype takes

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The least time of several rounds.
template <class Work>
double least_time(const Work& work, int rounds = kRounds) {
  double least = 1e300;
  for (int round = 0; round < bench::rounds(rounds); ++round) {
    const double start = cpu_seconds();
    work();
    least = std::min(least, cpu_seconds() - start);
  }
  return least;
}

const std::vector<std::string> kTwo{"events.impacts", "position.ball.z"};
const std::vector<std::string> kSeven{"events.impacts",
                                      "position.ball.z",
                                      "velocity.ball.z",
                                      "energy.final",
                                      "energy.dissipated",
                                      "height=sqrt(position.ball.z)",
                                      "energy.kinetic/energy.initial"};

struct Varied {
  const char* path;
  double low, high;
};

struct Case {
  const char* name;
  std::string scene;
  std::vector<Varied> varied;  ///< together
  std::vector<std::string> measures = kTwo;
  bool random = false;  ///< instead of evenly spaced
};

void compare_with_engine(const Case& with, std::size_t points) {
  const Scene scene = Scene::parse(with.scene);
  SweepOptions options;
  for (const Varied& one : with.varied)
    options.vary.push_back(fmt::format("{}=lin({},{},{})", one.path, one.low, one.high, points));
  options.zip = !with.random;
  options.random = with.random ? points : 0;
  options.measures = with.measures;
  const Sweep sweep(scene, options);
  const double swept = least_time([&] {
    Sweep::Worker worker = sweep.worker();
    std::string lines;
    for (std::size_t i = 0; i < points; ++i) {
      lines.clear();
      (void)worker.append_lines({&i, 1}, lines);
    }
  });
  // The engine alone: at the first, the middle and the last of the values, each a third of the time.
  std::vector<scene::SceneFile> contents;
  for (const double part : {0.0, 0.5, 1.0}) {
    Scene at = scene;
    for (const Varied& one : with.varied) at.set(one.path, one.low + part * (one.high - one.low));
    contents.push_back(at.build());
  }
  std::vector<std::shared_ptr<const Model>> models;
  for (const scene::SceneFile& one : contents) models.push_back(std::make_shared<const Model>(one.model));
  double impacts = 0.0;
  const double alone = least_time([&] {
    impacts = 0.0;
    for (std::size_t i = 0; i < points; ++i) {
      const std::size_t k = 3 * i / points;
      const EngineKind& kind = engine_kind(contents[k].run.engine);
      impacts += static_cast<double>(run_to_end(kind.make(models[k], contents[k].state, contents[k].run), {}).impacts);
    }
  });
  const double n = static_cast<double>(points);
  fmt::print("{:<34} {:9.2f} {:12.0f} {:12.0f} {:8.2f}\n", with.name, impacts / n, n / alone, n / swept, alone / swept);
  bench::tell({fmt::format("{}, runs through a sweep", with.name), n / swept, "runs/s", bench::Better::more,
               "the engine alone", n / alone});
  bench::tell(fmt::format("{}, sweep over engine", with.name), alone / swept, "", bench::Better::more, 0.8);
}

/// A disk in a corner of half opening α about the x axis: walls through the origin, the disk comes along +x.
ImpactProblem corner_problem(double alpha, double restitution) {
  ImpactProblem problem;
  problem.metric = Matrix::Identity(2, 2);
  problem.velocity = Vector::Zero(2);
  problem.velocity[0] = 1.0;
  for (const double side : {1.0, -1.0}) {
    Contact wall;
    wall.normal = Vector::Zero(2);
    wall.normal << -std::sin(alpha), side * std::cos(alpha);
    problem.contacts.push_back(wall);
  }
  problem.restitution = restitution;
  return problem;
}

/// The best of the prototype's figures for elastic corners, in millions per second; 0 where it cannot be run.
double prototype_rate() {
  const char* const folder = std::getenv("CAROM_BASELINES");
  if (folder == nullptr) return 0.0;
  FILE* const pipe = popen((std::string("'") + folder + "/corner_batch'").c_str(), "r");
  if (pipe == nullptr) return 0.0;
  double best = 0.0;
  std::array<char, 1024> line{};
  while (std::fgets(line.data(), static_cast<int>(line.size()), pipe) != nullptr) {
    const std::string text = line.data();
    if (text.find("cfg0") == std::string::npos) continue;
    for (const char* const figure : {"G1 ", "G2 ", "G4 "}) {
      const std::size_t at = text.find(figure);
      if (at != std::string::npos) best = std::max(best, std::strtod(text.c_str() + at + 3, nullptr));
    }
  }
  pclose(pipe);
  return best;
}

/// Disks in a corner through a sweep that writes rows, seconds for each.
double swept_corner() {
  constexpr std::size_t kPoints = 200000;
  SweepOptions options;
  options.vary = {fmt::format("velocity.1=lin(-0.4,0.4,{})", kPoints)};
  options.measures = {"velocity.0", "velocity.1", "steps"};
  const Sweep sweep(corner_problem(std::numbers::pi / 8, 1.0), "geometric", options);
  const double swept = least_time([&] {
    Sweep::Worker worker = sweep.worker();
    std::vector<std::size_t> some(1000);
    std::string lines;
    for (std::size_t i = 0; i < kPoints; i += some.size()) {
      std::iota(some.begin(), some.end(), i);
      lines.clear();
      (void)worker.append_lines(some, lines);
    }
  });
  return swept / kPoints;
}

/// The prototype's elastic corners: half openings from 5.6° to 45°, all directions that come in.
struct Corners {
  static constexpr std::size_t kSize = 1 << 18;
  std::vector<double> e, slope, velocity, normals;  // x of all, then y of all

  Corners() : e(kSize, 1.0), slope(kSize), velocity(2 * kSize), normals(4 * kSize) {
    Random random(1);
    for (std::size_t i = 0; i < kSize; ++i) {
      const double alpha = random.uniform(std::numbers::pi / 32, std::numbers::pi / 4);
      const double direction = random.uniform(-0.5 * std::numbers::pi, 0.5 * std::numbers::pi);
      slope[i] = std::tan(alpha);
      velocity[i] = std::cos(direction);
      velocity[kSize + i] = std::sin(direction);
      normals[i] = normals[2 * kSize + i] = -std::sin(alpha);
      normals[kSize + i] = std::cos(alpha);
      normals[3 * kSize + i] = -std::cos(alpha);
    }
  }
};

void compare_corners() {
  const Corners corners;
  constexpr std::size_t kSize = Corners::kSize;
  constexpr double kMillions = 1e-6 * kSize;
  std::vector<double> after(2 * kSize);
  std::vector<std::int32_t> steps(kSize);
  std::vector<corner::Stop> corner_stop(kSize);
  const double by_corner = least_time(
      [&] {
        const std::span<const double> v(corners.velocity);
        const std::span<double> out(after);
        corner::solve_batch({corners.e, corners.slope, v.first(kSize), v.last(kSize)},
                            {out.first(kSize), out.last(kSize), steps, corner_stop});
      },
      kCornerRounds);
  std::vector<Stop> stops(kSize);
  ImpactBatch batch{.size = kSize, .problem = corner_problem(std::numbers::pi / 8, 1.0)};
  batch.velocity = {corners.velocity.data(), 1, kSize};
  ImpactBatchResults results;
  results.velocity = {after.data(), 1, kSize};
  results.steps = steps;
  results.stop = stops;
  ImpactBatchSolver solver;
  const double shared = least_time([&] { solver.solve(batch, impact_law("geometric"), results); }, kCornerRounds);
  batch.normals = {corners.normals.data(), 1, kSize};
  const double own = least_time([&] { solver.solve(batch, impact_law("geometric"), results); }, kCornerRounds);
  const double swept = 1e-6 / swept_corner();
  fmt::print("\ndisks in a corner, millions per second\n");
  fmt::print("  sweep, rows of text    {:8.3f}\n  impact batch           {:8.3f}\n", swept, kMillions / shared);
  fmt::print("  the same, own corners  {:8.3f}\n  corner batch           {:8.3f}\n", kMillions / own,
             kMillions / by_corner);
  const double rate = prototype_rate();
  if (rate > 0.0) fmt::print("  prototype              {:8.3f}\n", rate);
  const char* const with = rate > 0.0 ? "prototype" : "";
  const auto tell = [with, rate](const char* name, double figure) {
    bench::tell({name, figure, "million/s", bench::Better::more, with, rate});
  };
  bench::tell("corners, sweep, rows of text", swept, "million/s", bench::Better::more);
  bench::tell("disks in one corner, impact batch", kMillions / shared, "million/s", bench::Better::more);
  tell("disks in corners of their own, impact batch", kMillions / own);
  tell("disks in corners of their own, corner batch", kMillions / by_corner);
}

}  // namespace

int main(int argc, char** argv) {
  bench::begin("sweep", argc, argv);
  const std::size_t points = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : bench::quick() ? 10000 : 100000;
  const char* const sphere = R"({ kind = "sphere", radius = 0.1 })";
  const char* const box = R"({ kind = "box", half_sizes = [0.1, 0.07, 0.05] })";
  const Case cases[] = {
      {"a ball, 1 s, its height", bench::ball_scene(1, sphere), {{"body.ball.position.2", 1.1, 1.2}}},
      {"a ball, 4 s, its height", bench::ball_scene(4, sphere), {{"body.ball.position.2", 1.1, 1.2}}},
      {"a box, 1 s, its height", bench::ball_scene(1, box), {{"body.ball.position.2", 1.1, 1.2}}},
      {"a ball, 1 s, restitution", bench::ball_scene(1, sphere), {{"pair.0.restitution", 0.8, 1.0}}},
      {"a ball, 1 s, friction", bench::ball_scene(1, sphere), {{"pair.0.friction.coefficient", 0.1, 0.3}}},
      {"a ball, 1 s, mass", bench::ball_scene(1, sphere), {{"body.ball.mass", 1.0, 2.0}}},
      {"a ball, 1 s, radius", bench::ball_scene(1, sphere), {{"body.ball.shape.radius", 0.1, 0.2}}},
      {"a ball, 1 s, gravity", bench::ball_scene(1, sphere), {{"world.gravity.2", -9.81, -8.0}}},
      {"a box, 1 s, mass", bench::ball_scene(1, box), {{"body.ball.mass", 1.0, 2.0}}},
      {"a ball, 1 s, height of the floor", bench::ball_scene(1, sphere), {{"plane.floor.point.2", 0.0, 0.1}}},
      {"a ball, 1 s, a slope", bench::ball_scene(1, sphere), {{"plane.floor.normal.0", 0.0, 0.1}}},
      {"a ball, 1 s, rest of impacts", bench::ball_scene(1, sphere), {{"run.contact_tolerance", 1e-10, 1e-9}}},
      {"a smooth ball, 1 s, its height", bench::smooth_ball_scene(), {{"body.ball.position.2", 1.1, 1.2}}},
      {"a smooth ball, 1 s, its speed", bench::smooth_ball_scene(), {{"body.ball.velocity.0", 0.0, 1.0}}},
      {"a smooth ball, 1 s, mass", bench::smooth_ball_scene(), {{"body.ball.mass", 1.0, 2.0}}},
      {"a smooth ball, 1 s, radius", bench::smooth_ball_scene(), {{"body.ball.shape.radius", 0.1, 0.2}}},
      {"a smooth ball, 1 s, restitution", bench::smooth_ball_scene(), {{"pair.0.restitution", 0.8, 1.0}}},
      {"a smooth ball, 1 s, gravity", bench::smooth_ball_scene(), {{"world.gravity.2", -9.81, -8.0}}},
      {"a smooth ball, 1 s, duration", bench::smooth_ball_scene(), {{"run.duration", 0.9, 1.0}}},
      {"a smooth ball, 1 s, height of floor", bench::smooth_ball_scene(), {{"plane.floor.point.2", 0.0, 0.1}}},
      {"a smooth ball, two paths",
       bench::smooth_ball_scene(),
       {{"body.ball.position.2", 1.1, 1.2}, {"pair.0.restitution", 0.8, 1.0}}},
      {"a smooth ball, two at random",
       bench::smooth_ball_scene(),
       {{"body.ball.position.2", 1.1, 1.2}, {"body.ball.velocity.0", 0.0, 1.0}},
       kTwo,
       true},
      {"a smooth ball, seven measures", bench::smooth_ball_scene(), {{"body.ball.position.2", 1.1, 1.2}}, kSeven},
      {"a smooth ball, 1 s, a slope", bench::smooth_ball_scene(), {{"plane.floor.normal.0", 0.0, 0.1}}},
      {"a ball on a spring, its stiffness",
       bench::ball_scene(1, sphere) + bench::kSpring,
       {{"spring.0.stiffness", 10.0, 20.0}}},
      {"a ball on a rod, its mass", bench::ball_scene(1, sphere) + bench::kRod, {{"body.ball.mass", 1.0, 2.0}}},
  };
  fmt::print("{:<34} {:>9} {:>12} {:>12} {:>8}\n", "event runs per second of CPU", "impacts", "engine", "sweep",
             "ratio");
  const std::string wanted = argc > 2 ? argv[2] : "";
  for (const Case& one : cases)
    if (std::string_view(one.name).find(wanted) != std::string_view::npos) compare_with_engine(one, points);
  if (wanted.empty() || wanted == "corners") compare_corners();
}
