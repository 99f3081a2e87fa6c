/// The shortest program: runs a scene and prints how fast its bodies are then.

#include <carom/carom.h>

#include <cstdio>

int main() {
  carom::Simulation simulation(carom::Scene::read("scenes/cradle.toml"));
  const carom::RunResult result = simulation.run();
  for (const carom::BodyIndex body : simulation.model().bodies.indices())
    std::printf("%-7s %8.5f m/s\n", simulation.model().bodies[body].name.c_str(),
                result.final_state.bodies[body].velocity.x());
}
