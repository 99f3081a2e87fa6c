/// `carom events`: what happened in a recorded run.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "carom/base/error.h"
#include "carom/base/nearest_name.h"
#include "carom/base/number.h"
#include "carom/record/record_reader.h"
#include "commands/table.h"
#include "common/text_table.h"
#include "output/collisions.h"
#include "output/event_output.h"

namespace carom::app {
namespace events_command {

/// Not a kind of event but two of them: a compliant contact from its beginning to its end.
constexpr std::string_view kCollision = "collision";

std::vector<std::string_view> kind_names() {
  std::vector<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(kLastEventKind); ++i) {
    names.push_back(event_kind_name(static_cast<EventKind>(i)));
  }
  names.push_back(kCollision);
  return names;
}

constexpr Option kOptions[] = {
    {"--from", {Value::Kind::text, "TIME"}, "leave out what happened before this time [s]"},
    {"--to", {Value::Kind::text, "TIME"}, "leave out what happened after this time [s]"},
    {"--kind",
     {Value::Kind::choice, "KIND", "kind of event", &kind_names},
     "this kind of event only; collision: compliant contacts from their beginning to their end"},
    {"--body", {Value::Kind::object, "NAME"}, "only events in which this body (or plane, or obstacle) takes part"},
    kJsonOption,
};

constexpr std::string_view kNotes[] = {
    "One line per contact: the gap rates before and after, the normal impulse, and for the whole event the change of "
    "kinetic energy, the law and its audit flags. The one that pushes stands first, before an arrow, with what of it "
    "touches: block, corner +x-y+z → floor. A compliant contact that has ended is one line, a collision, in the place "
    "of its beginning: the work that it did, how long it took and its greatest force. A record that is still being "
    "written, or whose run was killed, is "
    "read as far as it goes.",
};

constexpr std::string_view kExamples[] = {
    "f=$(mktemp); carom run scenes/bouncing-ball.toml --out $f; carom events $f --from 0.5",
};

struct Filter {
  double from = -std::numeric_limits<double>::infinity();
  double to = std::numeric_limits<double>::infinity();
  std::optional<std::string> kind;
  std::optional<int> object;

  [[nodiscard]] bool passes(const EventRecord& event) const {
    if (event.time < from || event.time > to) return false;
    if (kind && *kind == kCollision) {
      if (event.kind != EventKind::contact_start && event.kind != EventKind::contact_end) return false;
    } else if (kind && event_kind_name(event.kind) != *kind) {
      return false;
    }
    if (!object) return true;
    const auto touches = [this](const ContactRecord& contact) { return contact.a == *object || contact.b == *object; };
    const auto jumps = [this](const JumpRecord& jump) { return jump.body == *object; };
    return std::any_of(event.contacts.begin(), event.contacts.end(), touches) ||
           std::any_of(event.jumps.begin(), event.jumps.end(), jumps);
  }
};

int find_object(const RecordInfo& info, const std::string& name) {
  const auto found = std::find(info.objects.begin(), info.objects.end(), name);
  if (found != info.objects.end()) return static_cast<int>(found - info.objects.begin());
  const std::vector<std::string_view> known(info.objects.begin(), info.objects.end());
  throw InputError(Kind::unknown_name, "--body", unknown_name_message("body or obstacle", name, known));
}

Filter read_filter(const Arguments& arguments, const RecordInfo& info) {
  Filter filter;
  if (const auto text = arguments.value("--from")) filter.from = parse_number(*text, "--from");
  if (const auto text = arguments.value("--to")) filter.to = parse_number(*text, "--to");
  filter.kind = arguments.value("--kind");
  if (const auto name = arguments.value("--body")) filter.object = find_object(info, *name);
  return filter;
}

/// The list piece by piece, so that a record of any length can be printed.
class Listing {
 public:
  Listing(std::unique_ptr<RecordReader> record, const Arguments& arguments)
      : record_(std::move(record)),
        filter_(read_filter(arguments, record_->info())),
        json_(arguments.has("--json")),
        teller_(*record_),
        table_(record_->info(), teller_),
        next_event_(record_->first_event_from(filter_.from)),
        end_event_(record_->first_event_from(std::nextafter(filter_.to, std::numeric_limits<double>::infinity()))) {
    if (!json_ && (!filter_.kind || *filter_.kind == kCollision)) collisions_.emplace(*record_, next_event_);
  }

  /// Empty at the end.
  std::string next_piece() {
    constexpr std::size_t kBlock = 4096;
    if (ended_) return {};
    std::string text;
    if (!begun_) {
      begun_ = true;
      text += beginning();
    }
    while (next_event_ < end_event_ && text.size() < kBlock) {
      const EventBlock block = record_->events(next_event_, std::min(kBlock, end_event_ - next_event_));
      for (std::size_t i = 0; i < block.events.size(); ++i) {
        if (filter_.passes(block.events[i])) text += entry(block.events[i], next_event_ + i);
      }
      next_event_ += block.events.size();
    }
    if (next_event_ >= end_event_) {
      ended_ = true;
      text += end();
    }
    return text;
  }

 private:
  [[nodiscard]] std::string beginning() const {
    const RecordInfo& info = record_->info();
    if (!json_) return table_.title();
    return fmt::format("{{\"complete\": {}, \"stop\": {}, \"events\": [", info.complete,
                       info.complete ? Json(info.stop).dump() : "null");
  }

  std::string entry(const EventRecord& event, std::size_t index) {
    const bool only_collisions = filter_.kind && *filter_.kind == kCollision;
    const bool has_course = !event.contacts.empty() && event.contacts[0].course.has_value();
    if (only_collisions && json_ && !has_course) return {};
    if (!json_ && collisions_) return line_of_collisions(event, index, only_collisions);
    const bool first = count_++ == 0;
    if (!json_) return table_.lines(event);
    const Json json = event_json(event, record_->info(), teller_);
    return (first ? "\n  " : ",\n  ") + json.dump();
  }

  /// Beginnings tell of their ends; ends that were told are left out.
  std::string line_of_collisions(const EventRecord& event, std::size_t index, bool only_collisions) {
    if (collisions_->told(index)) {
      ++folded_;
      return {};
    }
    const bool has_course = !event.contacts.empty() && event.contacts[0].course.has_value();
    if (const EventRecord* const end = collisions_->end_of(event)) {
      ++count_;
      return table_.collision_line(*end);
    }
    if (has_course) {
      ++count_;
      return table_.collision_line(event);
    }
    if (only_collisions) return {};
    ++count_;
    return table_.lines(event);
  }

  [[nodiscard]] std::string end() const {
    if (json_) return "\n]}\n";
    std::string text = "\n" + counted(static_cast<long>(count_ + folded_), "event");
    if (count_ + folded_ != record_->event_count()) text += fmt::format(" of {}", record_->event_count());
    if (folded_ > 0) text += " in " + counted(static_cast<long>(count_), "line");
    return text + "\n";
  }

  std::unique_ptr<RecordReader> record_;
  Filter filter_;
  bool json_;
  ContactTeller teller_;
  EventTable table_;
  std::optional<Collisions> collisions_;  ///< where they are one line
  std::size_t next_event_, end_event_;    ///< those within the span of time, as events are in order of time
  std::size_t count_ = 0;
  std::size_t folded_ = 0;  ///< ends that were told with their beginnings
  bool begun_ = false;
  bool ended_ = false;
};

Report run(const Arguments& arguments) {
  auto record = std::make_unique<RecordReader>(*arguments.argument());
  Report report;
  if (!record->info().complete && !arguments.has("--json")) {
    report.notes.emplace_back("the run has not ended or was killed; these are the events that it has written so far");
  }
  const auto listing = std::make_shared<Listing>(std::move(record), arguments);
  report.more = [listing] { return listing->next_piece(); };
  return report;
}

}  // namespace events_command

const Command kEventsCommand{
    .name = "events",
    .summary = "list the events of a recorded run",
    .argument = {Value::Kind::file, "RUN.h5"},
    .argument_help = "record of carom run --out",
    .options = events_command::kOptions,
    .notes = events_command::kNotes,
    .examples = events_command::kExamples,
    .run = &events_command::run,
};

}  // namespace carom::app
