/// How a record of a million events behaves: seconds and size while it is written, at its end, and when it is read.
///
///   record_bench [EVENTS [SECONDS]]
///
/// Every event has two contacts and two jumps; there is a sample of twenty bodies after every tenth. Numbers are
/// random, so that compression finds little but zeros and repeated words. Where SECONDS is given the events are told
/// evenly over that time, as an engine would; otherwise at once.

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "carom/base/random.h"
#include "carom/record/record_reader.h"
#include "carom/record/record_writer.h"

#include "report.h"

namespace {

using namespace carom;

constexpr int kBodies = 20;
constexpr int kEventsPerSample = 10;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Model bodies() {
  Model model;
  for (int i = 0; i < kBodies; ++i) {
    Body body;
    body.name = "ball-" + std::to_string(i);
    model.bodies.push_back(body);
  }
  return model;
}

/// Tells made-up events and samples.
class Teller {
 public:
  explicit Teller(Observer& observer) : observer_(observer) { state_.bodies.resize(kBodies); }

  void tell(long event) {
    if (event % kEventsPerSample == 0) tell_sample(event);
    for (int i = 0; i < 2; ++i) {
      const int body = random_.integer(0, kBodies - 2);
      contacts_[i] = {body, body + 1, vector(), vector(), number(), Eigen::Vector3d::Zero(), -number(), number()};
      jumps_[i] = {body, vector(), vector(), vector(), vector()};
    }
    EventRecord record;
    record.time = 1e-3 * static_cast<double>(event);
    record.law = "compliant";
    record.contacts = contacts_;
    record.jumps = jumps_;
    record.energy = {number(), number(), number(), number(), number(), 0.0};
    record.min_impulse = number();
    record.steps = 3;
    observer_.event(record);
  }

 private:
  double number() { return random_.uniform(0.0, 1.0); }
  Eigen::Vector3d vector() { return {number(), number(), number()}; }
  void tell_sample(long event) {
    state_.time = 1e-3 * static_cast<double>(event);
    for (BodyState& body : state_.bodies) {
      body = {vector(), Eigen::Quaterniond(number(), number(), number(), number()), vector(), vector()};
    }
    EnergyBook book;
    book.now.kinetic = number();
    observer_.sample(state_, book);
  }

  Observer& observer_;
  Random random_{1};
  State state_;
  std::array<ContactRecord, 2> contacts_;
  std::array<JumpRecord, 2> jumps_;
};

double megabytes(const std::string& path) {
  return 1e-6 * static_cast<double>(std::filesystem::file_size(path));
}

void write(const std::string& path, long events, double seconds) {
  RecordWriter writer(path, bodies(), RecordHeader{});
  Teller teller(writer);
  const auto start = std::chrono::steady_clock::now();
  double told = 0.0;     // seconds inside the writer
  double longest = 0.0;  // time without rows that reach the file is at most this and the rhythm
  for (long i = 0; i < events; ++i) {
    const auto due = std::chrono::duration<double>(seconds * static_cast<double>(i) / static_cast<double>(events));
    if (i % 100 == 0 && seconds > 0.0) std::this_thread::sleep_until(start + due);
    const auto before = std::chrono::steady_clock::now();
    teller.tell(i);
    const double one = seconds_since(before);
    told += one;
    longest = std::max(longest, one);
  }
  const double all = seconds_since(start);
  writer.flush();
  const double grown = megabytes(path);
  fmt::print("growing   {:8.1f} MB in {:.2f} s; {:.2f} s of them in the writer, {:.2f} s at most at once\n", grown, all,
             told, longest);
  const double millions = 1e-6 * static_cast<double>(events);
  bench::tell("written while a run goes on", told / millions, "µs of wall time an event", bench::Better::less);
  bench::tell("size while it grows", grown / millions, "bytes an event", bench::Better::less);
  const auto end = std::chrono::steady_clock::now();
  writer.finish(RunStop::duration, "{}");
  const double last = seconds_since(end);
  fmt::print("ended     {:8.1f} MB after {:.2f} s more ({:.0f} MB/s)\n", megabytes(path), last, grown / last);
  bench::tell("size at its end", megabytes(path) / millions, "bytes an event", bench::Better::less);
  bench::tell("closed at its end", last / millions, "µs of wall time an event", bench::Better::less);
}

void read(const std::string& path) {
  auto start = std::chrono::steady_clock::now();
  RecordReader record(path);
  const double time = record.events(record.event_count() - 1, 1).events[0].time;
  fmt::print("opened and read the last event at {} s in {:.4f} s\n", time, seconds_since(start));
  bench::tell("opened, and its last event read", 1e3 * seconds_since(start), "ms of wall time", bench::Better::less);
  start = std::chrono::steady_clock::now();
  const std::size_t found = record.first_event_from(0.9 * time);
  fmt::print("found event {} by its time in {:.4f} s\n", found, seconds_since(start));
  start = std::chrono::steady_clock::now();
  const EventCounts counts = record.count_events();
  fmt::print("counted {} impacts in {:.3f} s\n", counts.of(EventKind::impact), seconds_since(start));
  start = std::chrono::steady_clock::now();
  std::size_t contacts = 0;
  for (std::size_t first = 0; first < record.event_count(); first += 4096) {
    contacts += record.events(first, 4096).contacts.size();
  }
  fmt::print("read all events with {} contacts in {:.2f} s\n", contacts, seconds_since(start));
  bench::tell("all events read", 1e6 * seconds_since(start) / static_cast<double>(record.event_count()),
              "µs of wall time an event", bench::Better::less);
  start = std::chrono::steady_clock::now();
  const std::size_t values = record.series("/position", 0, record.sample_count()).size();
  fmt::print("read {} coordinates in {:.2f} s\n", values, seconds_since(start));
}

}  // namespace

int main(int argc, char** argv) {
  bench::begin("record", argc, argv);
  const long events = argc > 1 ? std::atol(argv[1]) : bench::quick() ? 100'000 : 1'000'000;
  const double seconds = argc > 2 ? std::atof(argv[2]) : 0.0;
  const std::string path = (std::filesystem::temp_directory_path() / "record_bench.h5").string();
  std::filesystem::remove(path);
  write(path, events, seconds);
  read(path);
  std::filesystem::remove(path);
  return 0;
}
