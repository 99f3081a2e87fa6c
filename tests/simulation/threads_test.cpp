/// Simulations in several threads do not disturb each other; run under the thread sanitizer by ./test --all.

#include <gtest/gtest.h>

#include <thread>

#include "carom/laws/impact/impact_solver.h"
#include "carom/simulation/simulation.h"
#include "simulation/balls.h"
#include "support/scratch_folder.h"

namespace carom::test {
namespace {

const std::vector<std::pair<std::string, std::string>> kScenes = {
    {"ellipsoid-in-a-box", "1"}, {"cradle-smooth", "0.1"},   {"pool-break", "0.5"},
    {"egg-on-its-side", "0.2"},  {"spring-pendulum", "0.5"}, {"bearing", "0.0002"}};

std::vector<double> run(const std::pair<std::string, std::string>& one, const std::string& record) {
  Simulation simulation(shipped(one.first, {"run.duration=" + one.second}));
  Witness witness;
  simulation.add(witness);
  if (!record.empty()) simulation.record(record);
  simulation.run();
  append(witness.events, simulation.state());
  return witness.events;
}

TEST(Threads, SimulationsSideBySideHaveTheBitsThatTheyHaveAlone) {
  const ScratchFolder folder;
  std::vector<std::vector<double>> alone, together(2 * kScenes.size());
  for (const auto& one : kScenes) alone.push_back(run(one, ""));
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 2; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < kScenes.size(); ++i) {
        const std::size_t k = t == 0 ? i : kScenes.size() - 1 - i;
        const std::string name = "t" + std::to_string(t) + "-" + std::to_string(k) + ".h5";
        together[t * kScenes.size() + k] = run(kScenes[k], folder.file(name));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t k = 0; k < kScenes.size(); ++k) {
    EXPECT_EQ(together[k], alone[k]) << kScenes[k].first;
    EXPECT_EQ(together[kScenes.size() + k], alone[k]) << kScenes[k].first;
  }
}

TEST(Threads, ACopyRunsInAnotherThreadWhileTheOriginalGoesOn) {
  for (const auto& one : kScenes) {
    SCOPED_TRACE(one.first);
    Simulation original(shipped(one.first, {"run.duration=" + one.second}));
    original.advance_to(0.5 * original.end_time());
    Simulation copy = original;
    std::thread thread([&copy] { copy.run(); });
    original.run();
    thread.join();
    std::vector<double> first, second;
    append(first, original.state());
    append(second, copy.state());
    EXPECT_EQ(first, second);
  }
}

TEST(Threads, AnotherThreadMayInterrupt) {
  Scene scene = shipped("ellipsoid-in-a-box", {"run.duration=1e6", "run.output_step=1e6"});
  Simulation simulation(scene);
  std::thread thread([&simulation] { simulation.interrupt(); });
  EXPECT_EQ(simulation.run().stop, RunStop::interrupted);
  thread.join();
}

}  // namespace
}  // namespace carom::test
