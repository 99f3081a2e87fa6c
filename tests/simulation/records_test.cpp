/// Records of a simulation.

#include <gtest/gtest.h>

#include "carom/record/record_reader.h"
#include "carom/simulation/simulation.h"
#include "simulation/balls.h"
#include "support/scratch_folder.h"

namespace carom::test {
namespace {

TEST(SimulationRecord, HoldsWhatObserversSaw) {
  const ScratchFolder folder;
  Simulation simulation(falling_ball(0.9, 3.0));
  Witness witness;
  simulation.add(witness);
  simulation.record(folder.file("ball.h5"));
  simulation.run();
  RecordReader record(folder.file("ball.h5"));
  EXPECT_TRUE(record.info().complete);
  EXPECT_EQ(record.info().stop, "duration");
  EXPECT_EQ(record.info().engine, "event");
  EXPECT_NE(record.info().summary.find("\"impacts\""), std::string::npos);
  EXPECT_EQ(record.sample_count(), 25u);
  std::vector<double> states;
  for (std::size_t i = 0; i < record.sample_count(); ++i) append(states, record.state(i));
  std::vector<double> seen;
  for (std::size_t i = 0; i < witness.samples.size(); i += 16)
    seen.insert(seen.end(), &witness.samples[i], &witness.samples[i] + 14);
  EXPECT_EQ(states, seen);
}

TEST(SimulationRecord, RunsAgainFromItself) {
  const ScratchFolder folder;
  Scene scene = shipped("ellipsoid-in-a-box", {"run.duration=2"});
  scene.set("body.0.velocity", {0.1, 0.2, 0.3});  // not a setting of the command line: the record has the whole scene
  Simulation simulation(scene);
  simulation.record(folder.file("run.h5"));
  simulation.run();
  const RecordReader record(folder.file("run.h5"));
  Scene again = Scene::parse(record.info().scene);
  for (const std::string& setting : record.info().settings) again.set(setting);
  Simulation second(again);
  second.run();
  std::vector<double> first_end, second_end;
  append(first_end, simulation.state());
  append(second_end, second.state());
  EXPECT_EQ(first_end, second_end);
}

TEST(SimulationRecord, MayBeginOnTheWay) {
  const ScratchFolder folder;
  Simulation simulation(falling_ball(0.9, 3.0));
  simulation.advance_to(1.0);
  simulation.record(folder.file("rest.h5"));
  simulation.run();
  const RecordReader record(folder.file("rest.h5"));
  EXPECT_EQ(record.state(0).time, 1.0);
  EXPECT_EQ(record.state(record.sample_count() - 1).time, 3.0);
}

TEST(SimulationRecord, OfASimulationThatIsGivenUpIsThatOfAnInterruptedRun) {
  const ScratchFolder folder;
  {
    Simulation simulation(falling_ball(0.9));
    simulation.record(folder.file("part.h5"));
    simulation.advance_to(1.0);
  }
  const RecordReader record(folder.file("part.h5"));
  EXPECT_TRUE(record.info().complete);
  EXPECT_EQ(record.info().stop, "interrupted");
  EXPECT_GE(record.event_count(), 1u);
}

TEST(SimulationRecord, ACopyHasNone) {
  const ScratchFolder folder;
  Simulation simulation(falling_ball(0.9, 3.0));
  simulation.record(folder.file("one.h5"));
  Simulation copy = simulation;
  copy.run();
  EXPECT_FALSE(copy.summary().record);
  EXPECT_FALSE(RecordReader(folder.file("one.h5")).info().complete);
  simulation.run();
  EXPECT_TRUE(RecordReader(folder.file("one.h5")).info().complete);
}

}  // namespace
}  // namespace carom::test
