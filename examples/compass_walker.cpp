/// Lets the walker of compass_walker.h walk, from a start that is a little off its gait, and prints its steps. Ends
/// with 1 where it does not find the gait.   Usage: compass_walker [steps]

#include "compass_walker.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

class Steps : public carom::Observer {
 public:
  void sample(const carom::State& /*state*/, const carom::EnergyBook& /*book*/) override {}
  void event(const carom::EventRecord& event) override {
    if (event.kind == carom::EventKind::impact) times.push_back(event.time);
  }
  void progress(double /*time*/, long /*events*/) override {}

  std::vector<double> times;
};

}  // namespace

int main(int argc, char** argv) {
  const CompassWalker walker;
  carom::LagrangianOptions options;
  options.law = &carom::impact_law("rough");
  options.duration = 1e3;
  options.max_events = argc > 1 ? std::atol(argv[1]) : 100;
  Steps steps;
  const carom::LagrangianResult result =
      carom::LagrangianEngine(walker, walker.stride(0.271, 1.1, 0.38), options).run(&steps);

  double last = 0.0, period = 0.0;
  for (const double time : steps.times) {
    period = time - last;
    last = time;
    std::printf("%12.8f s  a step of %.10f s\n", time, period);
  }
  std::printf("stop: %s, energy lost at heel strikes: %.6f J\n", carom::run_stop_name(result.run.stop).data(),
              result.run.energy.impacts);
  const bool found = std::abs(period - 0.7343463911587197) < 1e-8;
  return result.run.stop == carom::RunStop::event_limit && found ? 0 : 1;
}
