/// A run that is killed leaves a readable record with all that was flushed, whenever it is killed.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "carom/base/random.h"
#include "record/fake_run.h"
#include "support/property_cases.h"

namespace carom::test {
namespace {

/// Writes without end, and after every flush sends the number of events that are safe.
[[noreturn]] void write_for_ever(const std::string& path, int piece, int report) {
  RecordWriter writer(path, fake_model(), fake_header(), {1e9, std::size_t{1} << 40});
  for (int told = 0;; told += piece) {
    tell(writer, told, told + piece);
    writer.flush();
    const int safe = told + piece;
    if (::write(report, &safe, sizeof safe) != sizeof safe) ::_exit(1);
  }
}

/// The last number that came through a pipe whose writing end is closed; zero where none came.
int last_report(int pipe_end) {
  int last = 0;
  for (int number = 0; ::read(pipe_end, &number, sizeof number) == sizeof number;) last = number;
  ::close(pipe_end);
  return last;
}

/// Kills a writer that flushes after every `piece` events, `delay` after its first flush. Returns the safe events.
int kill_a_writer(const std::string& path, int piece, std::chrono::microseconds delay) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    ::close(ends[0]);
    write_for_ever(path, piece, ends[1]);
  }
  ::close(ends[1]);
  int first = 0;
  EXPECT_EQ(::read(ends[0], &first, sizeof first), static_cast<ssize_t>(sizeof first));
  std::this_thread::sleep_for(delay);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  return std::max(first, last_report(ends[0]));
}

TEST(KilledRun, EverythingFlushedCanBeReadWheneverItIsKilled) {
  const ScratchFolder folder;
  const std::string path = folder.file("run.h5");
  const int rounds = property_cases(60);
  Random random(2024);
  for (int round = 0; round < rounds; ++round) {
    // Small pieces are killed mostly while the file is opened and closed, large ones while rows are written.
    const int piece = round % 3 == 0 ? 3000 : random.integer(1, 300);
    const auto delay = std::chrono::microseconds(random.integer(0, 50'000));
    const int safe = kill_a_writer(path, piece, delay);
    RecordReader record(path);
    EXPECT_FALSE(record.info().complete);
    EXPECT_EQ(record.info().scene, fake_header().scene);
    const int found = expect_beginning_of_fake_run(record);
    EXPECT_GE(found, safe);
    EXPECT_LE(found, safe + piece);
    ASSERT_FALSE(HasFailure()) << "round " << round << ", pieces of " << piece << " events";
  }
}

TEST(KilledRun, WhileTheRunIsBroughtToItsEndTheGrownRecordOrTheFinalOneIsThere) {
  constexpr int kEvents = 3000;
  const ScratchFolder folder;
  const std::string path = folder.file("run.h5");
  Random random(2026);
  for (int round = 0; round < property_cases(40); ++round) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      RecordWriter writer(path, fake_model(), fake_header(), {1e9, std::size_t{1} << 40});
      tell(writer, 0, kEvents);
      writer.flush();
      if (::write(ends[1], "x", 1) != 1) ::_exit(1);
      writer.finish(RunStop::duration, "{}");
      ::pause();
    }
    char token = 0;
    ASSERT_EQ(::read(ends[0], &token, 1), 1);
    std::this_thread::sleep_for(std::chrono::microseconds(random.integer(0, 60'000)));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    for (const int end : ends) ::close(end);
    RecordReader record(path);
    EXPECT_EQ(expect_beginning_of_fake_run(record), kEvents);
    EXPECT_EQ(record.info().summary, record.info().complete ? "{}" : "");
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
}

TEST(KilledRun, WhileTheFileIsMadeTheOldRecordOrTheNewOneIsThere) {
  const ScratchFolder folder;
  const std::string path = folder.file("run.h5");
  RecordHeader old_header = fake_header();
  old_header.seed = 7;
  Random random(2025);
  for (int round = 0; round < property_cases(60); ++round) {
    RecordWriter(path, fake_model(), old_header).finish(RunStop::duration, "{}");
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      while (true) const RecordWriter writer(path, fake_model(), fake_header());
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random.integer(0, 6000)));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const RecordReader record(path);
    EXPECT_EQ(record.info().seed, record.info().complete ? 7 : 42);
    EXPECT_EQ(record.info().objects.size(), 5u);
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
}

}  // namespace
}  // namespace carom::test
