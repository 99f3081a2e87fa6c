/// A scene built in a program: a ball above a floor, first with a mistake, then without. Prints what the check has to
/// say and the scene as the file it could have come from, and runs it.

#include <carom/carom.h>

#include <cstdio>

int main() {
  carom::Scene scene;
  scene.set("world.gravity", {0, 0, -9.81});
  scene.set("run.duration", 10.0);
  scene.add_material({{"name", "rubber"}});
  scene.add_pair({{"materials", {"rubber", "rubber"}}, {"restitution", 0.9}});
  scene.add_body({{"name", "ball"},
                  {"shape", {{"kind", "sphere"}, {"radius", 0.1}}},
                  {"mass", 1.0},
                  {"material", "ruber"},
                  {"position", {0, 0, 1.1}}});
  scene.add_plane({{"name", "floor"}, {"normal", {0, 0, 1}}, {"material", "rubber"}});
  for (const carom::InputError& complaint : scene.check()) {
    std::fputs(carom::format_diagnostic(complaint).c_str(), stdout);
  }

  scene.set("body.ball.material", "rubber");
  std::fputs(scene.to_toml().c_str(), stdout);
  const carom::RunResult result = carom::Simulation(scene).run();
  std::printf("energy: %.3f J at the start, %.3f J at the end\n", result.energy.initial, result.energy.now.total());
}
