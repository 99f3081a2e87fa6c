/// Contact that lasts in the rigid engine: balls that fall into a box and come to rest, boxes that are dropped on each
/// other, a row of dominoes. Processor time of whole runs, one thread, each beside its bar; a run that does not come to
/// rest is a failure.
///
///   heap_bench [--side N]    balls of one side alone: 3 for 27, 5 for 125
///
/// Without words: 27 and 125 balls (--quick: 27), ten boxes, fifty dominoes.

#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <numbers>
#include <string>
#include <vector>

#include "carom/simulation/simulation.h"

#include "report.h"

namespace {

using namespace carom;

bool missed = false;

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// One line: a figure that is better where it is less, beside its bar.
void print(const std::string& name, double figure, const char* unit, double bar) {
  bench::tell(name, figure, unit, bench::Better::less, bar);
  missed = missed || figure > bar;
  fmt::print("{:<58}{:>10.4g} {:<4}below {:g}: {}\n", name, figure, unit, bar, figure <= bar ? "reached" : "MISSED");
  std::fflush(stdout);
}

void complain(const std::string& name, const std::string& reason) {
  missed = true;
  bench::tell_failure(name, reason);
  fmt::print("{:<58}FAILED: {}\n", name, reason);
  std::fflush(stdout);
}

struct Surface {
  double restitution = 0.0;
  double friction = 0.0;
};

std::string name_of(const char* law, const Surface& surface) {
  return fmt::format("{}, e = {:g}, {}", law, surface.restitution,
                     surface.friction > 0.0 ? fmt::format("friction {:g}", surface.friction) : "smooth");
}

Scene on_a_floor(const char* law, const Surface& surface) {
  Scene scene;
  scene.set("world.gravity", {0, 0, -9.81});
  scene.set("run.engine", "event");
  scene.set("run.law", law);
  scene.set("run.stop_at_rest", true);
  scene.add_material({{"name", "all"}});
  if (surface.friction > 0.0) {
    scene.add_pair({{"materials", {"all", "all"}},
                    {"restitution", surface.restitution},
                    {"friction", {{"law", "coulomb"}, {"coefficient", surface.friction}}}});
  } else {
    scene.add_pair({{"materials", {"all", "all"}}, {"restitution", surface.restitution}});
  }
  scene.add_plane({{"name", "floor"}, {"normal", {0, 0, 1}}, {"material", "all"}});
  return scene;
}

void measure_rest(const std::string& name, const Scene& scene, double bar) {
  const double start = cpu_seconds();
  Simulation simulation(scene);
  const RunResult result = simulation.run();
  const double taken = cpu_seconds() - start;
  if (result.stop == RunStop::at_rest) {
    print(name, taken, "s", bar);
  } else {
    complain(name, result.failure ? result.failure->reason
                                  : fmt::format("not at rest after {} s of model time", result.final_state.time));
  }
}

/// side³ balls of 5 cm at random places of a cube that is 2.5 radii wide for each of them.
void balls(int side) {
  const double width = 0.125 * side;
  const double scale = side > 3 ? 10.0 : 1.0;
  for (const char* const law : {"newton", "poisson", "compliant"})
    for (const double friction : {0.0, 0.3})
      for (const double restitution : {0.0, 0.3, 0.6}) {
        const Surface surface{restitution, friction};
        Scene scene = on_a_floor(law, surface);
        scene.set("run.duration", 20.0);
        for (const double sign : {1.0, -1.0}) {
          const double from = sign > 0.0 ? 0.0 : width;
          const char* const side_name = sign > 0.0 ? "low" : "high";
          scene.add_plane({{"name", fmt::format("{}-x", side_name)},
                           {"normal", {sign, 0, 0}},
                           {"point", {from, 0, 0}},
                           {"material", "all"}});
          scene.add_plane({{"name", fmt::format("{}-y", side_name)},
                           {"normal", {0, sign, 0}},
                           {"point", {0, from, 0}},
                           {"material", "all"}});
        }
        scene.add_fill({{"name", "ball"},
                        {"count", side * side * side},
                        {"shape", {{"kind", "sphere"}, {"radius", 0.05}}},
                        {"density", 1000},
                        {"material", "all"},
                        {"box", {{0, 0, 0}, {width, width, width}}},
                        {"jitter", 1},
                        {"seed", 3}});
        const bool integrated = std::string(law) == "compliant";
        measure_rest(fmt::format("{} balls, {}", side * side * side, name_of(law, surface)), scene,
                     scale * (integrated ? 30.0 : 10.0));
      }
}

/// Ten cubes of 20 cm, 5 cm over each other.
void boxes() {
  for (const char* const law : {"newton", "poisson", "compliant"})
    for (const double friction : {0.0, 0.3}) {
      const Surface surface{0.5, friction};
      Scene scene = on_a_floor(law, surface);
      scene.set("run.duration", 4.0);
      for (int k = 0; k < 10; ++k)
        scene.add_body({{"name", fmt::format("box-{}", k)},
                        {"shape", {{"kind", "box"}, {"half_sizes", {0.1, 0.1, 0.1}}}},
                        {"mass", 1},
                        {"material", "all"},
                        {"position", {0, 0, 0.15 + 0.25 * k}}});
      measure_rest("10 boxes, " + name_of(law, surface), scene, 2.0);
    }
}

/// How far a body has turned from upright [rad].
double tilt(const BodyState& state) {
  return std::acos(std::min(1.0, (state.orientation * Eigen::Vector3d::UnitZ()).z()));
}

/// When dominoes pass 20 degrees, by linear interpolation between samples; the speed of the wave from the 20th to the
/// 45th, and the processor time of the run.
struct Wave {
  double speed = 0.0;
  double seconds = 0.0;
};

Wave wave(const char* engine) {
  Scene scene = Scene::read(CAROM_SCENES "/fifty-dominoes.toml");
  scene.set("run.engine", engine);
  constexpr double kPassed = std::numbers::pi / 9.0;
  double passed_at[2] = {HUGE_VAL, HUGE_VAL}, before[2] = {}, time_before = 0.0;
  const double start = cpu_seconds();
  Simulation simulation(scene);
  const BodyIndex watched[2] = {simulation.body("domino-20"), simulation.body("domino-45")};
  simulation.on_sample([&](const State& state, const EnergyBook&) {
    for (int k = 0; k < 2; ++k) {
      const double now = tilt(state.bodies[watched[k]]);
      if (now >= kPassed && passed_at[k] == HUGE_VAL)
        passed_at[k] = time_before + (state.time - time_before) * (kPassed - before[k]) / (now - before[k]);
      before[k] = now;
    }
    time_before = state.time;
  });
  const RunResult result = simulation.run();
  if (result.stop == RunStop::failed) complain(std::string("fifty dominoes, ") + engine, result.failure->reason);
  return {25 * 0.03 / (passed_at[1] - passed_at[0]), cpu_seconds() - start};
}

void dominoes() {
  const Wave rigid = wave("event");
  print("fifty dominoes to the last, newton", rigid.seconds, "s", 10.0);
  const Wave compliant = wave("smooth");
  print("fifty dominoes, wave against the compliant engine's", std::abs(rigid.speed / compliant.speed - 1.0), "", 0.05);
}

}  // namespace

int main(int count, char** words) {
  bench::begin("heap", count, words);
  fmt::print("Heaps, stacks and dominoes in the rigid engine, one thread; CPU time\n\n");
  if (count == 3 && std::string(words[1]) == "--side") {
    balls(std::stoi(words[2]));
    return bench::exit_code(missed);
  }
  balls(3);
  boxes();
  dominoes();
  if (!bench::quick()) balls(5);
  return bench::exit_code(missed);
}
