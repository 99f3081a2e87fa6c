/// Watches a bouncing ball: by two callbacks, and by an observer that keeps something in mind from event to event.

#include <carom/carom.h>

#include <algorithm>
#include <cstdio>

/// The longest time between two impacts.
class LongestFlight : public carom::Observer {
 public:
  void sample(const carom::State& /*state*/, const carom::EnergyBook& /*book*/) override {}
  void event(const carom::EventRecord& event) override {
    if (event.kind != carom::EventKind::impact) return;
    if (impacts > 0) seconds = std::max(seconds, event.time - last_impact_);
    last_impact_ = event.time;
    ++impacts;
  }

  int impacts = 0;
  double seconds = 0.0;

 private:
  double last_impact_ = 0.0;
};

int main() {
  carom::Simulation simulation(carom::Scene::read("scenes/bouncing-ball.toml"));

  simulation.on_event([](const carom::EventRecord& event) {
    if (event.kind == carom::EventKind::rest) std::printf("rests from %.6f s on\n", event.time);
  });
  double fastest = 0.0;
  simulation.on_sample([&fastest](const carom::State& state, const carom::EnergyBook& /*book*/) {
    fastest = std::max(fastest, state.bodies.front().velocity.norm());
  });
  LongestFlight flight;
  simulation.add(flight);

  simulation.run();
  std::printf("longest flight %.6f s, fastest sample %.3f m/s\n", flight.seconds, fastest);
  return flight.impacts > 100 ? 0 : 1;
}
