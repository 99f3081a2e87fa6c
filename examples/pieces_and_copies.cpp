/// Advances a ball frame by frame, looks back, and lets a copy go another way.

#include <carom/carom.h>

#include <cstdio>

int main() {
  carom::Simulation simulation(carom::Scene::read("scenes/bouncing-ball.toml"));
  const carom::BodyIndex ball = simulation.body("ball");
  for (int frame = 1; frame <= 50; ++frame) simulation.advance_to(0.04 * frame);
  std::printf("at %g s; at 0.2 s its height was %.6f m\n", simulation.time(),
              simulation.state_at(0.2).bodies[ball].position.z());

  carom::Simulation other = simulation;
  carom::State pushed = other.state();
  pushed.bodies[ball].velocity.x() += 1.5;
  other.set_state(pushed);
  for (carom::Simulation* each : {&simulation, &other}) each->advance_to(4.0);
  std::printf("at 4 s they are %.6f m apart\n",
              (other.state().bodies[ball].position - simulation.state().bodies[ball].position).norm());
}
