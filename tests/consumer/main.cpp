// A program outside the project: a ball of 2 kg falls by 1 m with g = 10 m/s² and bounces with restitution ½. It prints
// numbers that tests/consumer/run knows in closed form.
#include <carom/carom.h>

#include <cstdio>
#include <optional>

namespace {

carom::Scene falling_ball() {
  carom::Scene scene;
  scene.set("world.gravity", {0, 0, -10});
  scene.set("run.duration", 3.0);
  scene.set("run.output_step", 0.5);
  scene.add_material({{"name", "rubber"}});
  scene.add_pair({{"materials", {"rubber", "rubber"}}, {"restitution", 0.5}});
  scene.add_body({{"name", "ball"},
                  {"shape", {{"kind", "sphere"}, {"radius", 0.1}}},
                  {"mass", 2.0},
                  {"material", "rubber"},
                  {"position", {0, 0, 1.1}}});
  scene.add_plane({{"name", "floor"}, {"normal", {0, 0, 1}}, {"material", "rubber"}});
  return scene;
}

/// What all impacts together take out of the motion [J].
class Loss : public carom::Observer {
 public:
  void sample(const carom::State& /*state*/, const carom::EnergyBook& /*book*/) override {}
  void event(const carom::EventRecord& event) override {
    if (event.kind == carom::EventKind::impact) joules -= event.energy.change;
  }
  double joules = 0.0;
};

void solve_first_impact() {
  const carom::Simulation simulation(falling_ball());
  const std::optional<carom::ImpactProblem> problem = simulation.first_impact();
  const carom::ImpactOutcome outcome = carom::ImpactSolver{}.solve(*problem, carom::impact_law("newton"));
  std::printf("first impact: rate %.6f to %.6f, impulse %.6f, time still %g\n", outcome.rate_before.at(0),
              outcome.rate_after.at(0), outcome.impulses.at(0), simulation.time());
}

void watch_and_record(const char* record) {
  carom::Simulation simulation(falling_ball());
  int samples = 0;
  double rest = 0.0;
  simulation.on_sample([&samples](const carom::State& /*state*/, const carom::EnergyBook& /*book*/) { ++samples; });
  simulation.on_event([&rest](const carom::EventRecord& event) {
    if (event.kind == carom::EventKind::rest) rest = event.time;
  });
  Loss loss;
  simulation.add(loss);
  simulation.record(record);
  const carom::RunResult result = simulation.run();
  std::printf("run: %d samples, loss %.6f, rest at %.6f, stop %s\n", samples, loss.joules, rest,
              carom::run_stop_name(result.stop).data());
}

void throw_after_third_impact() {
  carom::Simulation simulation(falling_ball());
  for (int impacts = 0; impacts < 3;)
    if (const std::optional<carom::Event> event = simulation.next_event())
      impacts += (*event)->kind == carom::EventKind::impact ? 1 : 0;
  const double third = simulation.time();
  carom::State state = simulation.state();
  state.bodies[simulation.body("ball")].velocity.z() = 5.0;
  simulation.set_state(state);
  const std::optional<carom::Event> fourth = simulation.next_event();
  std::printf("third impact: %.6f, next after %.6f\n", third, (*fourth)->time - third);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::printf("carom %s\n", carom::kVersion);
  carom::Scene wrong = falling_ball();
  wrong.set("pair.0.restitution", 1.2);
  for (const carom::InputError& complaint : wrong.check())
    std::printf("check: %s\n", carom::kind_name(complaint.kind()).data());
  solve_first_impact();
  watch_and_record(argv[1]);
  throw_after_third_impact();
}
