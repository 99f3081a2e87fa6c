/// A scene at several values: every point of a sweep, one after the other.

#include <carom/carom.h>

#include <cstdio>

int main() {
  using namespace carom;
  SweepOptions options;
  options.vary = {"body.ball.position.2=lin(1.1,2.1,3)", "pair.0.restitution=0.5,0.9"};
  options.measures = {"events.impacts", "velocity.ball.z"};
  const Sweep sweep(Scene::read("scenes/bouncing-ball.toml"), options);
  Sweep::Worker worker = sweep.worker();
  for (std::size_t point = 0; point < sweep.size(); ++point) {
    for (const Sweep::Row& row : worker.run(point)) {
      std::printf("%g m, e = %g: %g impacts\n", row[0].number(), row[1].number(), row[2].number());
    }
  }
}
