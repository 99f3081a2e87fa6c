/// Speed of the compliant engine on the shipped scenes, through reader and engine as `carom run` goes, one thread, no
/// observer. CPU time of construction and run, the best of several rounds where a round is short.
///
/// usage: smooth_bench [SCENES]: their folder, that of this source tree where none is named; or --gas for the cost of
/// many bodies alone, --gas COUNT for one run of so many, as profilers want it. Where CAROM_BASELINES names a folder
/// with the built prototype `pool_break`, it runs between our rounds; where CAROM_ANCHORS names a folder with
/// octave/cradle.m and octave-cli is installed, ode45 runs on the cradle, and ours is taken at the tolerance with the
/// same error of energy.

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

#include "carom/base/error.h"
#include "carom/engine/engine_options.h"
#include "carom/engine/run.h"
#include "carom/engine/smooth/smooth_engine.h"
#include "carom/scene/scene_file.h"
#include "carom/scene/settings.h"

#include "report.h"

namespace {

using namespace carom;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Timed {
  RunResult result;
  double seconds = 1e300;
};

/// The scene with these settings, the best of so many rounds; `between` runs after each.
template <class Between>
Timed time_scene(const std::string& path, const std::vector<std::string>& settings, int rounds,
                 const Between& between) {
  scene::Document document = scene::read_document(path);
  scene::apply_settings(document, settings);
  const scene::SceneFile file = scene::read_scene_file(document);
  Timed best;
  for (int i = 0; i < bench::rounds(rounds); ++i) {
    const double start = cpu_seconds();
    best.result = run_to_end(
        std::make_unique<SmoothEngine>(std::make_shared<const Model>(file.model), file.state, smooth_options(file.run)),
        {.stop_at_rest = file.run.stop_at_rest});
    best.seconds = std::min(best.seconds, cpu_seconds() - start);
    between();
  }
  return best;
}

Timed time_scene(const std::string& path, const std::vector<std::string>& settings, int rounds) {
  return time_scene(path, settings, rounds, [] {});
}

/// What a command prints.
std::string output_of(const std::string& command) {
  std::string text;
  if (FILE* const pipe = popen(command.c_str(), "r")) {
    char buffer[4096];
    while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, got);
    pclose(pipe);
  }
  return text;
}

double relative_error(const RunResult& result) {
  return std::abs(result.energy.error()) / std::abs(result.energy.initial);
}

/// The bar is one of CPU seconds; zero where there is none.
void print(const std::string& name, const Timed& run, double bar = 0.0) {
  bench::tell(name, 1e3 * run.seconds, "ms", bench::Better::less, 1e3 * bar);
  const std::string what = bar > 0.0 ? fmt::format("{} (bar {:g} s)", name, bar) : name;
  const RunResult& r = run.result;
  fmt::print("{:<34} {:>10.3f} ms  {:>8} steps {:>9} evaluations {:>6} contacts  energy {:.1e}  stop {} at {:.3g} s\n",
             what, 1e3 * run.seconds, r.steps_accepted, r.evaluations, r.compliant->contacts_started, relative_error(r),
             run_stop_name(r.stop), r.final_state.time);
}

void planar_break(const std::string& scenes) {
  const char* const folder = std::getenv("CAROM_BASELINES");
  double prototype = 1e300;
  const auto between = [&] {
    if (folder == nullptr) return;
    const std::string text = output_of(fmt::format("'{}/pool_break' 1e-4 1e-6 2 1", folder));
    std::smatch found;
    if (std::regex_search(text, found, std::regex("wall ([0-9.]+) ms")))
      prototype = std::min(prototype, std::stod(found[1]) * 1e-3);
  };
  // The laws of the prototype.
  const auto lossy = [](const std::string& rtol, const std::string& gap) {
    return std::vector<std::string>{"pair.0.normal=lankarani-nikravesh",
                                    "pair.0.restitution=0.93",
                                    "pair.1.normal=lankarani-nikravesh",
                                    "pair.1.restitution=0.85",
                                    "run.duration=2",
                                    "run.rtol=" + rtol,
                                    "rack.rack.gap=" + gap};
  };
  const Timed ours = time_scene(scenes + "/pool-break-2d.toml", lossy("1e-6", "1e-4"), 40, between);
  print("planar break, 2 s, rtol 1e-6", ours);
  if (prototype < 1e300) {
    fmt::print("  prototype {:.3f} ms, ratio {:.2f} (bar 1.5)\n", 1e3 * prototype, ours.seconds / prototype);
    bench::tell({"planar break beside the prototype", 1e3 * ours.seconds, "ms", bench::Better::less, "prototype",
                 1e3 * prototype});
  }
  print("the same at 1e-8", time_scene(scenes + "/pool-break-2d.toml", lossy("1e-8", "1e-4"), 20));
  print("the same with a gap of 1e-6", time_scene(scenes + "/pool-break-2d.toml", lossy("1e-6", "1e-6"), 20));
}

void cradle(const std::string& scenes) {
  std::vector<Timed> ours;
  for (const double rtol : {1e-2, 1e-3, 1e-4, 1e-6, 1e-8, 1e-10}) {
    ours.push_back(time_scene(scenes + "/cradle-smooth.toml", {fmt::format("run.rtol={}", rtol), "run.duration=5"}, 5));
    print(fmt::format("cradle, 5 s, rtol {:.0e}", rtol), ours.back());
  }
  const char* const folder = std::getenv("CAROM_ANCHORS");
  if (folder == nullptr) return;
  const std::string text = output_of(fmt::format("octave-cli --norc '{}/octave/cradle.m' 2>/dev/null", folder));
  const std::regex row("rtol ([^ ]+) .* wall ([^ ]+) s Eend/E0-1 ([^ ]+)");
  for (std::sregex_iterator it(text.begin(), text.end(), row), end; it != end; ++it) {
    const double seconds = std::stod((*it)[2]), error = std::abs(std::stod((*it)[3]));
    const auto fair = std::find_if(ours.begin(), ours.end(),
                                   [error](const Timed& run) { return relative_error(run.result) <= error; });
    fmt::print("  ode45 at {}: {} s, energy {:.1e}", std::string((*it)[1]), seconds, error);
    if (fair != ours.end()) {
      fmt::print("; ours with a smaller error {:.0f} times faster (bar 1000)", seconds / fair->seconds);
      bench::tell({fmt::format("cradle, 5 s, as exact as ode45 at {}", std::string((*it)[1])), 1e3 * fair->seconds,
                   "ms", bench::Better::less, "Octave", 1e3 * seconds});
    }
    fmt::print("\n");
  }
}

/// One body that falls on an obstacle of another shape and comes to rest there, 1 s.
Timed time_fall(const Shape& body, const Shape& obstacle, int bodies) {
  auto model = std::make_shared<Model>();
  State state;
  model->gravity = {0.0, 0.0, -9.81};
  model->materials = {{"steel", {}, {}}};
  model->rules.resize(1);
  model->rules[0].restitution = 0.3;
  model->rules[0].stiffness = 1e8;
  model->forces.resize(1);
  model->forces[0].normal = "hunt-crossley-fixed";
  model->forces[0].normal_parameters.set("reference_speed", 1.0);
  for (int k = 0; k < bodies; ++k) {
    model->bodies.push_back(homogeneous_body(fmt::format("body{}", k), body, 1.0));
    model->bodies.back().material = 0;
    state.bodies.emplace_back();
    state.bodies.back().position = {0.01 * k, 0.0, 0.11 + 0.21 * k};
  }
  Obstacle table;
  table.name = "table";
  table.material = 0;
  table.parts = one_part(obstacle);
  table.pose.position = {0.0, 0.0, -0.1};
  model->obstacles.push_back(table);
  SmoothOptions options;
  options.rtol = 1e-6;
  Timed timed;
  const double start = cpu_seconds();
  timed.result = run_to_end(std::make_unique<SmoothEngine>(model, state, options), {});
  timed.seconds = cpu_seconds() - start;
  return timed;
}

void faces() {
  const Box table{{0.3, 0.3, 0.1}}, box{{0.1, 0.1, 0.1}};
  print("box on box, 1 s", time_fall(box, table, 1));
  print("three boxes on a box, 1 s", time_fall(box, table, 3));
  print("cylinder on box, 1 s", time_fall(Cylinder{0.1, 0.1}, table, 1));
}

const std::vector<int> kManyBalls = {500, 1000, 2000, 5000, 10000};
/// The least and the greatest number between which the exponent of the cost is asked for, and what it may be.
constexpr int kFewBalls = 1000, kMostBalls = 10000;
constexpr double kMostExponent = 1.1;

/// A gas of balls at one density, some collisions each: what a body costs should not depend on how many there are.
void many_balls(const std::vector<int>& counts, int rounds) {
  double before = 0.0, few = 0.0;
  int count_before = 0;
  for (const int count : counts) {
    if (bench::quick() && count > 2500) break;
    const double side = std::cbrt(count) * 0.03;
    std::string text =
        "format = 1\n[run]\nengine = \"smooth\"\nrtol = 1e-4\nduration = 0.1\n[[material]]\nname = \"m\"\n"
        "[[pair]]\nmaterials = [\"m\", \"m\"]\nnormal = \"tsuji\"\nrestitution = 0.3\nstiffness = 1e6\n";
    text += fmt::format(
        "[[fill]]\nname = \"gas\"\ncount = {}\nmaterial = \"m\"\ndensity = 1000\nspeed = 0.5\njitter = 1\n"
        "shape = {{ kind = \"sphere\", radius = 0.01 }}\nbox = [[0, 0, 0], [{}, {}, {}]]\n",
        count, side, side, side);
    for (int wall = 0; wall < 6; ++wall) {
      const double sign = wall % 2 == 0 ? 1.0 : -1.0, at = wall % 2 == 0 ? 0.0 : side;
      text +=
          fmt::format("[[plane]]\nname = \"wall{}\"\nmaterial = \"m\"\nnormal = [{}, {}, {}]\npoint = [{}, {}, {}]\n",
                      wall, wall / 2 == 0 ? sign : 0.0, wall / 2 == 1 ? sign : 0.0, wall / 2 == 2 ? sign : 0.0,
                      wall / 2 == 0 ? at : 0.0, wall / 2 == 1 ? at : 0.0, wall / 2 == 2 ? at : 0.0);
    }
    const scene::SceneFile file = scene::read_scene_file(scene::parse_document("gas", text));
    const auto model = std::make_shared<const Model>(file.model);
    double seconds = 1e300;
    for (int round = 0; round < bench::rounds(rounds); ++round) {
      const double start = cpu_seconds();
      (void)run_to_end(std::make_unique<SmoothEngine>(model, file.state, smooth_options(file.run)), {});
      seconds = std::min(seconds, cpu_seconds() - start);
    }
    fmt::print("gas of {} balls, 0.1 s: {:.3f} s, {:.1f} µs a ball", count, seconds, 1e6 * seconds / count);
    bench::tell(fmt::format("gas of {} balls, 0.1 s, a ball", count), 1e6 * seconds / count, "µs", bench::Better::less);
    if (before > 0.0)
      fmt::print("; exponent {:.2f}", std::log(seconds / before) / std::log(1.0 * count / count_before));
    fmt::print("\n");
    before = seconds;
    count_before = count;
    if (count == kFewBalls) few = seconds;
    if (count != kMostBalls || few == 0.0) continue;
    const double exponent = std::log(seconds / few) / std::log(1.0 * kMostBalls / kFewBalls);
    fmt::print("exponent from {} to {} balls: {:.3f} (bar {})\n", kFewBalls, kMostBalls, exponent, kMostExponent);
    bench::tell("exponent of the cost of a gas, 1000 to 10 000 balls", exponent, "", bench::Better::less,
                kMostExponent);
  }
}

}  // namespace

int main(int count, char** words) {
  bench::begin("smooth", count, words);
  const bool gas_alone = count > 1 && std::string(words[1]) == "--gas";
  const std::string scenes = count > 1 ? words[1] : CAROM_SCENES;
  try {
    if (gas_alone) {
      if (count > 2) {
        many_balls({std::atoi(words[2])}, 1);
      } else {
        many_balls(kManyBalls, 3);
      }
      return 0;
    }
    faces();
    many_balls(kManyBalls, 3);
    planar_break(scenes);
    cradle(scenes);
    print("pool shot to rest", time_scene(scenes + "/pool-table.toml", {"run.stop_at_rest=true", "run.duration=60"}, 1),
          2.0);
    for (const char* const name : {"bearing", "bearing-free-race", "bearing-outer-dent"})
      print(fmt::format("{}, 1 s", name),
            time_scene(fmt::format("{}/{}.toml", scenes, name), {"run.duration=1", "run.rtol=1e-6"}, 1), 2.0);
  } catch (const InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
