/// Stops a bouncing ball at its third impact, throws it up with 5 m/s, and lets it go on.

#include <carom/carom.h>

#include <cmath>
#include <cstdio>
#include <optional>

int main() {
  carom::Simulation simulation(carom::Scene::read("scenes/bouncing-ball.toml"));
  int impacts = 0;
  while (impacts < 3) {
    const std::optional<carom::Event> event = simulation.next_event();
    if (!event) return 1;  // it ended before that
    if ((*event)->kind == carom::EventKind::impact) ++impacts;
  }
  const double third = simulation.time();
  std::printf("third impact at %.6f s\n", third);

  carom::State state = simulation.state();
  state.bodies[simulation.body("ball")].velocity.z() = 5.0;
  simulation.set_state(state);

  const std::optional<carom::Event> fourth = simulation.next_event();
  std::printf("the next one %.6f s later\n", (*fourth)->time - third);
  const carom::RunResult result = simulation.run();
  std::printf("stop: %s, energy balance %s\n", carom::run_stop_name(result.stop).data(),
              std::abs(result.energy.error()) < 1e-12 * result.energy.initial ? "closed" : "open");
}
