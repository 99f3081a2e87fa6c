#include "carom/film/replay.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "carom/analysis/sample_block.h"
#include "carom/film/film_arrays.h"

namespace carom {
namespace {

constexpr std::size_t kEventsPerBlock = 4096;

/// The samples of a record one after the other, read in blocks.
class SampleStream {
 public:
  SampleStream(const RecordReader& record, FilmRows rows) : record_(record), next_(rows.first), end_(rows.end) {}

  [[nodiscard]] bool ended() const { return next_ == end_; }
  [[nodiscard]] std::size_t index() const { return next_; }
  [[nodiscard]] double time() { return block().time(next_ - block_begin_); }
  void report(Observer& observer) {
    SampleBlock& samples = block();
    observer.sample(samples.state(next_ - block_begin_), samples.energy(next_ - block_begin_));
  }
  void advance() { ++next_; }

 private:
  /// The block that holds the current sample.
  SampleBlock& block() {
    if (!block_ || next_ == block_begin_ + block_->size()) {
      block_begin_ = next_;
      block_.emplace(record_, next_, std::min(end_, next_ + SampleBlock::usual_size(record_.info().bodies)));
    }
    return *block_;
  }

  const RecordReader& record_;
  std::size_t next_, end_;
  std::size_t block_begin_ = 0;
  std::optional<SampleBlock> block_;
};

/// The events of a record, likewise.
class EventStream {
 public:
  EventStream(RecordReader& record, std::size_t first) : record_(record), next_(first), block_begin_(first) {}

  /// None at the end.
  const EventRecord* current() {
    if (next_ == record_.event_count()) return nullptr;
    if (next_ == block_begin_ + block_.events.size()) {
      block_begin_ = next_;
      block_ = record_.events(next_, kEventsPerBlock);
    }
    return &block_.events[next_ - block_begin_];
  }

  void advance() { ++next_; }

 private:
  RecordReader& record_;
  std::size_t next_;
  std::size_t block_begin_;
  EventBlock block_;
};

/// The samples whose times lie within the span, as a range of indices.
FilmRows rows_within(const RecordReader& record, const TimeSpan& span, std::size_t first) {
  first = std::min(first, record.sample_count());
  const std::vector<double> times = record.series("/time", first, record.sample_count() - first);
  const auto begin = std::lower_bound(times.begin(), times.end(), span.from);
  const auto end = std::upper_bound(begin, times.end(), span.to);
  return {first + static_cast<std::size_t>(begin - times.begin()),
          first + static_cast<std::size_t>(end - times.begin())};
}

}  // namespace

ReplayPosition replay(RecordReader& record, Observer& observer, const SampleChoice& choice, ReplayPosition from) {
  const FilmRows rows = rows_within(record, choice.span, from.sample);
  SampleStream samples(record, rows);
  EventStream events(record, std::max(from.event, record.first_event_from(choice.span.from)));
  const auto tell_events_until = [&](double time) {
    for (const EventRecord* event = events.current(); event != nullptr && event->time <= time;
         event = events.current()) {
      observer.event(*event);
      events.advance();
    }
  };
  for (; !samples.ended(); samples.advance()) {
    const std::size_t index = samples.index();
    if (index > 0) tell_events_until(samples.time());
    if ((index - rows.first) % choice.every == 0 || index + 1 == rows.end) samples.report(observer);
  }
  tell_events_until(choice.span.to);
  return {record.sample_count(), record.event_count()};
}

}  // namespace carom
