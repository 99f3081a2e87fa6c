/// What checkpoints cost: size and processor time of Simulation::save and load, and a whole run with and without them.
///
///   checkpoint_bench [SCENE.toml ...]
///
/// Without scenes: balls that bounce on a floor, 10 to 1000 of them, in both engines. The last columns are processor
/// seconds of one run with a record, without checkpoints on the way and with one every hundredth of a second (no more
/// than a twentieth of the time, as always).

#include <fmt/format.h>

#include <unistd.h>
#include <ctime>
#include <filesystem>
#include <string>

#include "carom/simulation/simulation.h"
#include "report.h"

namespace {

using namespace carom;

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

Scene bouncing(int bodies, const std::string& engine) {
  Scene scene;
  scene.set("world.gravity", {0, 0, -10});
  scene.set("run.engine", engine);
  scene.set("run.duration", 4.0);
  scene.set("run.output_step", 0.02);
  scene.add_material({{"name", "rubber"}, {"young", 1e6}, {"poisson", 0.3}});
  scene.add_pair({{"materials", {"rubber", "rubber"}}, {"restitution", 1.0}});
  const int side = static_cast<int>(std::ceil(std::sqrt(bodies)));
  for (int i = 0; i < bodies; ++i)
    scene.add_body({{"name", fmt::format("ball-{}", i)},
                    {"shape", {{"kind", "sphere"}, {"radius", 0.1}}},
                    {"mass", 1.0},
                    {"material", "rubber"},
                    {"position", {0.3 * (i % side), 0.3 * (i / side), 0.5 + 0.001 * i}},
                    {"velocity", {0.01 * (i % 7 - 3), 0.01 * (i % 5 - 2), 0}}});
  scene.add_plane({{"name", "floor"}, {"normal", {0, 0, 1}}, {"material", "rubber"}});
  return scene;
}

double run_cost(const Scene& scene, double checkpoint_seconds) {
  const std::string path = (std::filesystem::temp_directory_path() / fmt::format("bench-{}.h5", ::getpid())).string();
  const double start = cpu_seconds();
  Simulation simulation(scene);
  simulation.record(path, {.checkpoint_seconds = checkpoint_seconds});
  simulation.run();
  const double cost = cpu_seconds() - start;
  std::filesystem::remove(path);
  return cost;
}

void measure(const std::string& name, const Scene& scene) {
  Simulation simulation(scene);
  simulation.advance_to(0.5 * simulation.end_time());
  constexpr int kTimes = 20;
  std::vector<std::byte> bytes;
  double start = cpu_seconds();
  for (int k = 0; k < kTimes; ++k) bytes = simulation.save();
  const double save = (cpu_seconds() - start) / kTimes;
  start = cpu_seconds();
  const Simulation loaded = Simulation::load(bytes);
  const double load = cpu_seconds() - start;
  const double without = run_cost(scene, 0.0), with = run_cost(scene, 0.01);
  fmt::print("{:>28} {:>6} bodies {:>9} bytes  save {:8.3f} ms  load {:8.3f} ms  run {:7.3f} s  with {:7.3f} s\n", name,
             loaded.model().body_count(), bytes.size(), 1e3 * save, 1e3 * load, without, with);
  const std::string what = fmt::format("{}, {} bodies", name, loaded.model().body_count());
  bench::tell(what + ": save", save, "s", bench::Better::less);
  bench::tell({what + ": run with checkpoints", with, "s", bench::Better::less, "the run without", without});
}

}  // namespace

int main(int count, char** arguments) {
  bench::begin("checkpoint", count, arguments);
  for (int k = 1; k < count; ++k)
    measure(std::filesystem::path(arguments[k]).stem().string(), Scene::read(arguments[k]));
  if (count > 1) return 0;
  for (const char* const engine : {"event", "smooth"})
    for (const int bodies : {10, 100, 1000})
      measure(fmt::format("bouncing balls, {}", engine), bouncing(bodies, engine));
  return 0;
}
