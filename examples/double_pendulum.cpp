/// Runs the double pendulum of double_pendulum.h for a while and prints its impacts. Ends with 1 where the energy is
/// not kept.   Usage: double_pendulum [duration]

#include "double_pendulum.h"

#include <carom/carom.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

/// Prints every impact: when, which contacts, with what impulse.
class Printer : public carom::Observer {
 public:
  void sample(const carom::State& /*state*/, const carom::EnergyBook& /*book*/) override {}
  void event(const carom::EventRecord& event) override {
    for (const carom::ContactRecord& contact : event.contacts)
      std::printf("%12.6f s  contact %d  impulse %.6f\n", event.time, int{contact.b}, contact.impulse);
  }
  void progress(double /*time*/, long /*events*/) override {}
};

}  // namespace

int main(int argc, char** argv) {
  DoublePendulum pendulum;
  carom::LagrangianState start;
  start.q = carom::Vector::Zero(2);
  start.v = carom::Vector::Zero(2);
  start.q << 0.3, 0.4;
  start.v << 5.0, -3.0;
  carom::Matrix G(2, 2);
  pendulum.metric(start.q, G);
  pendulum.total_energy = 0.5 * start.v.dot(G * start.v) + pendulum.potential(start.q);

  carom::LagrangianOptions options;
  options.duration = argc > 1 ? std::atof(argv[1]) : 20.0;
  carom::LagrangianEngine engine(pendulum, start, options);
  Printer printer;
  const carom::LagrangianResult result = engine.run(&printer);

  const carom::EnergyBook& book = result.run.energy;
  std::printf("stop: %s, guarantee: %s, impacts: %lld, energy: %.12g to %.12g\n",
              carom::run_stop_name(result.run.stop).data(), carom::guarantee_name(result.run.guarantee).data(),
              static_cast<long long>(result.run.impacts), book.initial, book.now.total());
  const bool kept = result.run.impacts > 0 && std::abs(book.error()) < 1e-11 * std::abs(book.initial) &&
                    std::abs(book.dissipated()) < 1e-11;
  return result.run.stop == carom::RunStop::duration && kept ? 0 : 1;
}
