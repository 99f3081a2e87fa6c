/// What is written comes back, bit by bit: in one piece, in many pieces, and while the file grows.

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <vector>

#include "carom/base/activity.h"
#include "record/fake_run.h"

namespace carom::test {
namespace {

constexpr RecordRhythm kNeverByItself{1e9, std::size_t{1} << 40};
constexpr RecordRhythm kAtEveryOccasion{1e9, 0};

TEST(Record, ARunWrittenInOnePieceComesBack) {
  const ScratchFolder folder;
  RecordWriter writer(folder.file("run.h5"), fake_model(), fake_header(), kNeverByItself);
  tell(writer, 0, 257);
  writer.finish(RunStop::at_rest, R"({"stop": "at-rest"})");
  RecordReader record(folder.file("run.h5"));
  EXPECT_EQ(expect_beginning_of_fake_run(record), 257);
  EXPECT_EQ(record.sample_count(), 26u);
  EXPECT_TRUE(record.info().complete);
  EXPECT_EQ(record.info().stop, "at-rest");
  EXPECT_EQ(record.info().summary, R"({"stop": "at-rest"})");
}

TEST(Record, TheHeaderComesBack) {
  const ScratchFolder folder;
  RecordWriter writer(folder.file("run.h5"), fake_model(), fake_header());
  const RecordReader record(folder.file("run.h5"));
  const RecordHeader expected = fake_header();
  EXPECT_EQ(record.info().scene, expected.scene);
  EXPECT_EQ(record.info().settings, expected.settings);
  EXPECT_EQ(record.info().engine, expected.engine);
  EXPECT_EQ(record.info().law, expected.law);
  EXPECT_EQ(record.info().options, expected.options);
  EXPECT_EQ(record.info().seed, expected.seed);
  EXPECT_EQ(record.info().bodies, 3u);
  EXPECT_EQ(record.info().objects, (std::vector<std::string>{"egg", "ball", "große Kugel", "floor", "wall"}));
  EXPECT_EQ(record.info().pockets, (std::vector<std::string>{"corner pocket", "middle pocket"}));
  EXPECT_FALSE(record.info().complete);
  EXPECT_EQ(record.info().stop, "");
  EXPECT_EQ(record.event_count(), 0u);
  EXPECT_EQ(record.sample_count(), 0u);
}

TEST(Record, ForcesOfContactsCanBeLeftOut) {
  const ScratchFolder folder;
  RecordWriter writer(folder.file("run.h5"), fake_model(), fake_header(), kNeverByItself, {.contact_forces = false});
  EXPECT_FALSE(writer.wants_contact_loads());
  tell(writer, 0, 257);
  writer.finish(RunStop::at_rest, "{}");
  const RecordReader record(folder.file("run.h5"));
  EXPECT_EQ(record.sample_count(), 26u);
  EXPECT_FALSE(record.has_contact_loads());
  EXPECT_TRUE(record.contact_loads(3, 4).of(3).empty());
}

TEST(Record, ALongSceneTextFits) {
  const ScratchFolder folder;
  RecordHeader header = fake_header();
  header.scene = std::string(3'000'000, '#');
  const RecordWriter writer(folder.file("run.h5"), fake_model(), header);
  EXPECT_EQ(RecordReader(folder.file("run.h5")).info().scene, header.scene);
}

TEST(Record, AppendedPiecesComeBackAndEachIsReadableAtOnce) {
  const ScratchFolder folder;
  RecordWriter writer(folder.file("run.h5"), fake_model(), fake_header(), kNeverByItself);
  int told = 0;
  // Pieces of all sizes, across the ends of chunks of 4096 rows.
  for (const int piece : {1, 2, 10, 1000, 3083, 1, 4095, 4096, 4097, 1}) {
    tell(writer, told, told + piece);
    told += piece;
    writer.flush();
    RecordReader record(folder.file("run.h5"));
    EXPECT_EQ(expect_beginning_of_fake_run(record), told);
    EXPECT_FALSE(record.info().complete);
  }
  writer.finish(RunStop::duration, "{}");
  RecordReader record(folder.file("run.h5"));
  EXPECT_EQ(expect_beginning_of_fake_run(record), told);
  EXPECT_EQ(record.info().stop, "duration");
}

TEST(Record, ManyFlushesDoNotBloatTheFileAndTheEndCompressesIt) {
  const ScratchFolder folder;
  struct Sizes {
    double growing, ended;
  };
  const auto sizes = [&folder](const std::string& name, bool often) {
    const auto size = [&] { return static_cast<double>(std::filesystem::file_size(folder.file(name))); };
    RecordWriter writer(folder.file(name), fake_model(), fake_header(), kNeverByItself);
    for (int i = 0; i < 10'000; ++i) {
      tell(writer, i, i + 1);
      if (i == 0 || (often && i % 100 == 0)) writer.flush();  // both grow by appending
    }
    writer.flush();
    const double growing = size();
    writer.finish(RunStop::duration, "{}");
    return Sizes{growing, size()};
  };
  const Sizes seldom = sizes("seldom.h5", false);
  const Sizes often = sizes("often.h5", true);
  EXPECT_LT(often.growing, 1.05 * seldom.growing);
  EXPECT_LT(often.ended, 0.6 * often.growing);
  EXPECT_EQ(often.ended, seldom.ended);
}

TEST(Record, AnInterruptedRunIsAppendedToAndNotWrittenAgain) {
  const ScratchFolder folder;
  const std::string path = folder.file("run.h5");
  const std::string summary(200'000, 's');
  for (const bool flushed : {true, false}) {
    RecordWriter writer(path, fake_model(), fake_header(), kNeverByItself);
    tell(writer, 0, 10'000);
    if (flushed) writer.flush();
    tell(writer, 10'000, 10'010);
    const auto growing = std::filesystem::file_size(path);
    writer.finish(RunStop::interrupted, summary);
    RecordReader record(path);
    EXPECT_EQ(expect_beginning_of_fake_run(record), 10'010);
    EXPECT_EQ(record.info().stop, "interrupted");
    EXPECT_EQ(record.info().summary, summary);
    EXPECT_GT(std::filesystem::file_size(path), growing);  // compressed it would be smaller
  }
}

/// Runs in a process of its own, since within one process the library shares what it knows of a file.
[[noreturn]] void read_in_two_halves(const std::string& path, int from_writer, int to_writer) {
  char token = 'x';
  RecordReader record(path);
  const bool told = ::write(to_writer, &token, 1) == 1 && ::read(from_writer, &token, 1) == 1;
  ::_exit(told && expect_beginning_of_fake_run(record) == 50 && !testing::Test::HasFailure() ? 0 : 1);
}

TEST(Record, AReaderOfAGrowingFileDoesNotDisturbItsWriter) {
  const ScratchFolder folder;
  const std::string path = folder.file("run.h5");
  RecordWriter writer(path, fake_model(), fake_header(), kAtEveryOccasion);
  tell(writer, 0, 50);
  int to_reader[2];
  int to_writer[2];
  ASSERT_EQ(::pipe(to_reader), 0);
  ASSERT_EQ(::pipe(to_writer), 0);
  const pid_t reader = ::fork();
  if (reader == 0) read_in_two_halves(path, to_reader[0], to_writer[1]);
  char token = 0;
  ASSERT_EQ(::read(to_writer[0], &token, 1), 1);
  tell(writer, 50, 100);
  ASSERT_EQ(::write(to_reader[1], &token, 1), 1);
  int status = -1;
  ::waitpid(reader, &status, 0);
  EXPECT_EQ(status, 0);
  for (const int end : {to_reader[0], to_reader[1], to_writer[0], to_writer[1]}) ::close(end);
  RecordReader late(path);
  EXPECT_EQ(expect_beginning_of_fake_run(late), 100);
}

TEST(Record, ARunWithoutBodiesAndEventsIsARecord) {
  const ScratchFolder folder;
  RecordWriter writer(folder.file("run.h5"), Model{}, fake_header(), kAtEveryOccasion);
  writer.sample(State{.time = 1.5, .bodies = {}}, EnergyBook{});
  writer.finish(RunStop::duration, "{}");
  const RecordReader record(folder.file("run.h5"));
  EXPECT_EQ(record.sample_count(), 1u);
  EXPECT_EQ(record.state(0).time, 1.5);
  EXPECT_EQ(record.event_count(), 0u);
}

TEST(Record, TwoHundredThousandEventsAreReadInBlocks) {
  constexpr int kEvents = 200'000;
  const ScratchFolder folder;
  RecordWriter writer(folder.file("run.h5"), fake_model(), fake_header());
  tell(writer, 0, kEvents);
  writer.finish(RunStop::event_limit, "{}");
  RecordReader record(folder.file("run.h5"));
  ASSERT_EQ(record.event_count(), static_cast<std::size_t>(kEvents));
  for (const int first : {0, 4095, 65'536, kEvents - 3}) {
    const EventBlock block = record.events(static_cast<std::size_t>(first), 3);
    for (int i = 0; i < 3; ++i) expect_same(block.events[static_cast<std::size_t>(i)], FakeEvent(first + i).event);
  }
  EXPECT_TRUE(record.events(kEvents, 10).events.empty());
  EXPECT_EQ(record.events(kEvents - 1, 10).events.size(), 1u);
  const std::vector<double> times = record.series("/time", 0, record.sample_count());
  EXPECT_EQ(times.size(), static_cast<std::size_t>(kEvents) / 10);
  EXPECT_EQ(times.back(), fake_state(kEvents / 10 - 1).time);
}

TEST(Record, ThatIsNotCompressedForWantOfTimeIsWhole) {
  const ScratchFolder folder;
  const auto write = [&](const std::string& name, bool hurry) {
    RecordWriter writer(folder.file(name), fake_model(), fake_header(), {1e9, std::size_t{1} << 40});
    tell(writer, 0, 2000);
    writer.flush();
    const std::atomic<bool> flag{hurry};
    const std::vector<const std::atomic<bool>*> flags{&flag};
    const InterruptWatch watch(flags);
    writer.finish(RunStop::duration, "{}");
  };
  write("whole.h5", false);
  write("hurried.h5", true);
  RecordReader record(folder.file("hurried.h5"));
  EXPECT_TRUE(record.info().complete);
  EXPECT_EQ(record.info().stop, "duration");
  EXPECT_EQ(expect_beginning_of_fake_run(record), 2000);
  EXPECT_GT(std::filesystem::file_size(folder.file("hurried.h5")),
            2 * std::filesystem::file_size(folder.file("whole.h5")));
}

}  // namespace
}  // namespace carom::test
