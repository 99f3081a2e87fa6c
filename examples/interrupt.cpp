/// A run that another thread stops, and that goes on afterwards.

#include <carom/carom.h>

#include <chrono>
#include <cstdio>
#include <thread>

int main() {
  carom::Scene scene = carom::Scene::read("scenes/ellipsoid-in-a-box.toml");
  scene.set("run.duration", 1e9);
  scene.set("run.output_step", 1e6);
  carom::Simulation simulation(scene);

  std::thread patience([&simulation] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    simulation.interrupt();
  });
  const carom::RunResult result = simulation.run();
  patience.join();
  std::printf("stop: %s\n", carom::run_stop_name(result.stop).data());

  const double reached = simulation.time();
  simulation.advance_to(reached + 1.0);
  std::printf("went on for %g s\n", simulation.time() - reached);
}
