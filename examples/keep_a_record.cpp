/// Runs a ball that bounces and keeps a record of it, with a sample every tenth of a second.

#include <carom/carom.h>

#include <cstdio>

int main() {
  carom::Scene scene = carom::Scene::read("scenes/bouncing-ball.toml");
  scene.set("run.output_step", 0.1);
  carom::Simulation simulation(scene);
  simulation.record("ball.h5");
  const carom::RunResult result = simulation.run();
  std::printf("stop: %s at %g s\n", carom::run_stop_name(result.stop).data(), result.final_state.time);
}
