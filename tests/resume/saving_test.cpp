/// Simulations that are saved and loaded, records that are resumed and extended, and what is refused.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "carom/base/error.h"
#include "carom/base/random.h"
#include "carom/record/hdf5.h"
#include "carom/record/record_reader.h"
#include "carom/simulation/saved_simulation.h"
#include "carom/simulation/simulation.h"
#include "resume/same_record.h"
#include "simulation/balls.h"
#include "support/property_cases.h"
#include "support/scratch_folder.h"

namespace carom::test {
namespace {

using Bytes = std::vector<std::byte>;

/// Checkpoints as often as they may be.
constexpr RecordRhythm kOftenSaved{.seconds = 0.01, .checkpoint_seconds = 1e-4};

template <class Work>
InputError error_of(const Work& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was refused";
  return InputError(Kind::usage, "", "");
}

Bytes saved_in_flight() {
  Simulation simulation(falling_ball(0.5));
  simulation.advance_to(1.0);
  return simulation.save();
}

TEST(Saving, GoesOnFromBytesAndFromAFile) {
  const ScratchFolder folder;
  Simulation simulation(falling_ball(0.5));
  simulation.advance_to(1.0);
  simulation.save(folder.file("ball.save"));
  Simulation again = Simulation::load(simulation.save());
  Simulation from_file = Simulation::load(folder.file("ball.save"));
  EXPECT_EQ(again.time(), 1.0);
  simulation.run();
  again.run();
  from_file.run();
  EXPECT_EQ(simulation.save(), again.save());
  EXPECT_EQ(simulation.save(), from_file.save());
  EXPECT_FALSE(std::filesystem::exists(folder.file("ball.save.part")));
}

TEST(Saving, EventsThatAreYetToBeHandedOutAreKept) {
  Simulation simulation(shipped("cradle-smooth"));
  simulation.next_event();
  Simulation again = Simulation::load(simulation.save());
  for (int k = 0; k < 10; ++k) {
    const std::optional<Event> one = simulation.next_event(), other = again.next_event();
    ASSERT_EQ(one.has_value(), other.has_value());
    EXPECT_EQ((*one)->time, (*other)->time);
    EXPECT_EQ((*one)->kind, (*other)->kind);
    EXPECT_EQ((*one)->contacts.size(), (*other)->contacts.size());
  }
}

TEST(Saving, AStateThatSomebodySetIsKept) {
  Simulation simulation(falling_ball(0.5));
  simulation.advance_to(0.3);
  State state = simulation.state();
  state.bodies[0].velocity = {1.0, 0.0, 2.0};
  simulation.set_state(state);
  Simulation again = Simulation::load(simulation.save());
  simulation.run();
  again.run();
  EXPECT_EQ(simulation.save(), again.save());
}

TEST(Saving, TimesBeforeItWasSavedCannotBeAskedFor) {
  Simulation again = Simulation::load(saved_in_flight());
  again.advance_to(2.0);
  EXPECT_EQ(again.state_at(1.5).time, 1.5);
  EXPECT_EQ(error_of([&] { (void)again.state_at(0.5); }).kind(), Kind::out_of_range);
}

TEST(Saving, ARunThatIsInterruptedGoesOn) {
  const ScratchFolder folder;
  const Scene scene = falling_ball(0.8);
  Simulation whole(scene);
  whole.record(folder.file("whole.h5"));
  whole.run();
  Simulation stopped(scene);
  stopped.record(folder.file("stopped.h5"));
  stopped.advance_to(1.03);  // between two samples
  stopped.interrupt();
  stopped.run();
  ASSERT_EQ(RecordReader(folder.file("stopped.h5")).info().stop, "interrupted");
  Simulation::resume(folder.file("stopped.h5")).run();
  EXPECT_EQ(record_difference(folder.file("whole.h5"), folder.file("stopped.h5")), "");
}

TEST(Saving, AnExtendedRunIsTheSameWhereverItWasHandedOn) {
  const ScratchFolder folder;
  for (const char* name : {"bouncing-ball", "cradle-smooth", "double-pendulum-against-a-wall"}) {
    SCOPED_TRACE(name);
    const Scene scene = shipped(name, {"run.duration=0.7", "run.output_step=0.05"});
    const std::string one = folder.file("one.h5"), other = folder.file("other.h5");
    Simulation first(scene);
    first.record(one);
    first.run();
    std::filesystem::copy_file(one, other, std::filesystem::copy_options::overwrite_existing);
    Simulation::resume(one).advance_to(1.3);
    {
      Simulation going = Simulation::resume(other, kOftenSaved);
      going.advance_to(1.3);
    }
    EXPECT_EQ(record_difference(one, other), "");
    const RecordReader record(one);
    EXPECT_EQ(record.info().extended, std::vector<double>{1.3});
    // One sample at each multiple of the output step; the end of the first run has none of its own.
    EXPECT_EQ(record.sample_count(), 27u);
    EXPECT_EQ(record.series("/time", 26, 1)[0], 1.3);
  }
}

// ------------------------------------------------------------------------------------------------- what is refused

TEST(Saving, AnotherSceneIsRefusedWithTheDifference) {
  const Scene scene = falling_ball(0.5);
  Simulation simulation(scene);
  EXPECT_EQ(Simulation::load(simulation.save(), scene).time(), 0.0);
  const InputError error = error_of([&] { (void)Simulation::load(simulation.save(), falling_ball(0.6)); });
  EXPECT_EQ(error.kind(), Kind::unsupported);
  EXPECT_NE(std::string(error.what()).find("restitution = 0.5"), std::string::npos) << error.what();
  EXPECT_NE(std::string(error.what()).find("restitution = 0.6"), std::string::npos) << error.what();
  const InputError settings = error_of(
      [&] { (void)Simulation::load(Simulation(shipped("cradle")).save(), shipped("cradle", {"run.law=newton"})); });
  EXPECT_NE(std::string(settings.what()).find("run.law=newton"), std::string::npos) << settings.what();
}

TEST(Saving, AnotherVersionIsRefusedWithBothVersions) {
  SavedSimulation saved = saved_simulation(saved_in_flight());
  saved.version = "0.0.1";
  const InputError error = error_of([&] { (void)Simulation::load(to_bytes(saved)); });
  EXPECT_EQ(error.kind(), Kind::unsupported);
  EXPECT_NE(std::string(error.what()).find("carom 0.0.1"), std::string::npos) << error.what();
}

TEST(Saving, BytesThatAreCutOffOrDamagedAreRefused) {
  const Bytes good = saved_in_flight();
  EXPECT_EQ(error_of([] { (void)Simulation::load(Bytes{}); }).kind(), Kind::file);
  Random random(11);
  for (int k = 0; k < property_cases(400); ++k) {
    Bytes cut(good.begin(), good.begin() + random.integer(0, static_cast<int>(good.size()) - 1));
    const Kind kind = error_of([&] { (void)Simulation::load(cut); }).kind();
    EXPECT_EQ(kind, Kind::file) << cut.size();
    Bytes damaged = good;
    const auto where = static_cast<std::size_t>(random.integer(0, static_cast<int>(good.size()) - 1));
    damaged[where] ^= static_cast<std::byte>(random.integer(1, 255));
    const Kind other = error_of([&] { (void)Simulation::load(damaged); }).kind();
    EXPECT_TRUE(other == Kind::file || other == Kind::unsupported) << "byte " << where;
  }
  Bytes longer = good;
  longer.push_back(std::byte{0});
  EXPECT_EQ(error_of([&] { (void)Simulation::load(longer); }).kind(), Kind::file);
}

TEST(Saving, StatesThatEndTooEarlyOrLateAreRefused) {
  const SavedSimulation good = saved_simulation(saved_in_flight());
  Random random(12);
  for (int k = 0; k < property_cases(200); ++k) {
    SavedSimulation cut = good;
    cut.state.resize(static_cast<std::size_t>(random.integer(0, static_cast<int>(good.state.size()) - 1)));
    EXPECT_EQ(error_of([&] { (void)Simulation::load(to_bytes(cut)); }).kind(), Kind::file);
  }
  SavedSimulation longer = good;
  longer.state.push_back(std::byte{1});
  EXPECT_EQ(error_of([&] { (void)Simulation::load(to_bytes(longer)); }).kind(), Kind::file);
}

class Resuming : public ::testing::Test {
 protected:
  const ScratchFolder folder;
  const std::string path = folder.file("run.h5");

  void record_run() const {
    Simulation simulation(falling_ball(0.5, 2.0));
    simulation.record(path);
    simulation.run();
  }
  void expect_refused(Kind kind, const std::string& part) const {
    const auto before = std::filesystem::file_size(path);
    const InputError error = error_of([this] { (void)Simulation::resume(path); });
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    EXPECT_EQ(std::filesystem::file_size(path), before);
    EXPECT_FALSE(std::filesystem::exists(path + ".part"));
  }
};

TEST_F(Resuming, ARecordThatIsBeingWrittenIsRefused) {
  Simulation simulation(falling_ball(0.5, 2.0));
  simulation.record(path, kOftenSaved);
  simulation.advance_to(1.9);
  if (!RecordReader(path).checkpoint()) GTEST_SKIP() << "no checkpoint came into being";
  expect_refused(Kind::file, "being written by another process");
  simulation.run();
  EXPECT_NO_THROW((void)Simulation::resume(path));
}

TEST_F(Resuming, ARecordWithoutACheckpointSaysHowToGetOne) {
  Simulation simulation(falling_ball(0.5, 2.0));
  simulation.record(folder.file("going.h5"));
  std::filesystem::copy_file(folder.file("going.h5"), path);  // as a run that was killed leaves it
  expect_refused(Kind::file, "--checkpoint SECONDS");
}

TEST_F(Resuming, ADamagedCheckpointIsRefused) {
  record_run();
  Bytes bytes = RecordReader(path).checkpoint()->bytes;
  bytes[bytes.size() / 2] ^= std::byte{0x10};
  hdf5::File file = hdf5::File::append(path);
  file.write_bytes(kCheckpoint, bytes, true);
  file.close();
  expect_refused(Kind::file, "damaged");
}

TEST_F(Resuming, ACheckpointOfAnotherSceneIsRefused) {
  record_run();
  hdf5::File file = hdf5::File::append(path);
  file.write_bytes(kCheckpoint, Simulation(falling_ball(0.7, 2.0)).save(), true);
  file.close();
  expect_refused(Kind::unsupported, "restitution");
}

TEST_F(Resuming, ACheckpointOfAnotherVersionIsRefused) {
  record_run();
  SavedSimulation saved = saved_simulation(RecordReader(path).checkpoint()->bytes);
  saved.version = "0.0.1";
  hdf5::File file = hdf5::File::append(path);
  file.write_bytes(kCheckpoint, to_bytes(saved), true);
  file.close();
  expect_refused(Kind::unsupported, "0.0.1");
}

}  // namespace
}  // namespace carom::test
