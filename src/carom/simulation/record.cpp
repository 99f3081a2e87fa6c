#include "carom/simulation/record.h"

#include <fmt/format.h>

#include <algorithm>

#include "carom/base/nearest_name.h"
#include "carom/record/record_reader.h"
#include "carom/simulation/record_scene.h"

namespace carom {

namespace {

/// Events that are read at once, since the next ones are likely to be asked for.
constexpr std::size_t kEventsAtOnce = 256;

void require_row(const char* what, std::size_t index, std::size_t count) {
  if (index < count) return;
  throw InputError(Kind::out_of_range, what,
                   fmt::format("{} {} was asked for, but the record has {}, counted from 0", what, index, count));
}

}  // namespace

struct Record::Content {
  RecordReader reader;
  EventBlock block;
  std::size_t first_of_block = 0;
};

Record::Record(const std::string& path) : content_(new Content{RecordReader(path), {}, 0}) {}
Record::Record(Record&&) noexcept = default;
Record& Record::operator=(Record&&) noexcept = default;
Record::~Record() = default;

const RecordInfo& Record::info() const {
  return content_->reader.info();
}

Scene Record::scene() const {
  return recorded_scene(info());
}

BodyIndex Record::body(std::string_view name) const {
  const auto end = info().objects.begin() + static_cast<std::ptrdiff_t>(info().bodies);
  const auto found = std::find(info().objects.begin(), end, name);
  if (found != end) return static_cast<int>(found - info().objects.begin());
  const std::vector<std::string_view> known(info().objects.begin(), end);
  throw InputError(Kind::unknown_name, "body", unknown_name_message("body", name, known));
}

std::size_t Record::sample_count() const {
  return content_->reader.sample_count();
}

State Record::state(std::size_t sample) const {
  require_row("sample", sample, sample_count());
  return content_->reader.state(sample);
}

EnergyBook Record::energy(std::size_t sample) const {
  require_row("sample", sample, sample_count());
  return content_->reader.energy(sample);
}

std::vector<double> Record::times() const {
  return content_->reader.series("/time", 0, sample_count());
}

std::size_t Record::event_count() const {
  return content_->reader.event_count();
}

Event Record::event(std::size_t index) const {
  require_row("event", index, event_count());
  Content& content = *content_;
  const bool is_read = index >= content.first_of_block && index - content.first_of_block < content.block.events.size();
  if (!is_read) {
    content.block = content.reader.events(index, kEventsAtOnce);
    content.first_of_block = index;
  }
  return Event(content.block.events[index - content.first_of_block]);
}

std::size_t Record::first_event_from(double time) const {
  return content_->reader.first_event_from(time);
}

EventCounts Record::count_events() const {
  return content_->reader.count_events();
}

}  // namespace carom
