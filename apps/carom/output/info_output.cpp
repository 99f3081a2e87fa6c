#include "output/info_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/utf8.h"
#include "carom/scene/document/json_value.h"
#include "carom/simulation/record_scene.h"
#include "common/text_table.h"

namespace carom::app {
namespace {

constexpr std::size_t kMostNames = 6;
constexpr std::size_t kMostSettings = 8;

/// A text of the record that has to be a JSON object; null where it is empty.
Json parsed(const RecordReader& record, const std::string& text, std::string_view what) {
  if (text.empty()) return {};
  if (std::optional<Json> object = scene::parse_json_object(text)) return std::move(*object);
  Place place;
  place.file = record.path();
  throw InputError(Kind::file, place,
                   fmt::format("cannot read the record '{}': its {} is no JSON object", record.path(), what));
}

/// What is missing in the balance: as the run reported it, or by the energies of the last sample.
std::optional<double> balance_error_of(const Json& summary, const std::optional<EnergyBook>& book) {
  const Json* const energy = summary.find("energy");
  const Json* const reported = energy == nullptr ? nullptr : energy->find("balance_error");
  if (reported != nullptr && reported->is_number()) return reported->number();
  if (!book) return std::nullopt;
  const double error = std::abs(book->error());
  return error == 0.0 ? 0.0
                      : error / std::max({std::abs(book->initial), std::abs(book->now.total()), book->now.kinetic});
}

/// The title, and why the scene cannot be run again.
void read_scene_of(const RecordInfo& info, const Json& summary, RecordDescription& description) {
  const Json* const title = summary.find("scene");
  if (title != nullptr && title->is_string()) description.title = title->string();
  try {
    description.title = scene_of(info).title;
  } catch (const InputError& error) {
    description.not_repeated = error.what();
  }
}

std::int64_t total_of(const EventCounts& counts) {
  std::int64_t total = 0;
  for (const std::int64_t count : counts.of_kind) total += count;
  return total;
}

std::string list_of(const std::vector<std::string>& names, std::size_t first, std::size_t end) {
  std::string text;
  for (std::size_t i = first; i < std::min(end, first + kMostNames); ++i) {
    text += (i == first ? "" : ", ") + printable(names[i], kLongestName);
  }
  if (end - first > kMostNames) text += fmt::format(", … ({} more)", end - first - kMostNames);
  return text;
}

std::string objects_text(const RecordInfo& info) {
  const std::size_t obstacles = info.objects.size() - info.bodies;
  std::string text = fmt::format("{} {}", info.bodies, info.bodies == 1 ? "body" : "bodies");
  if (info.bodies > 0) text += ": " + list_of(info.objects, 0, info.bodies);
  text += "; " + counted(static_cast<long>(obstacles), "obstacle");
  if (obstacles > 0) text += ": " + list_of(info.objects, info.bodies, info.objects.size());
  if (!info.joints.empty()) text += "; " + counted(static_cast<long>(info.joints.size()), "joint");
  if (!info.pockets.empty()) text += "; " + counted(static_cast<long>(info.pockets.size()), "pocket");
  return text;
}

std::string events_text(const EventCounts& counts) {
  std::string text = std::to_string(total_of(counts));
  std::string_view before = ": ";
  for (std::size_t i = 0; i < counts.of_kind.size(); ++i) {
    if (counts.of_kind[i] == 0) continue;
    text += fmt::format("{}{} {}", before, counts.of_kind[i], event_kind_name(static_cast<EventKind>(i)));
    before = ", ";
  }
  if (counts.multiple > 0) text += fmt::format("; {} impacts with several contacts", counts.multiple);
  if (counts.flagged > 0) text += fmt::format("; {} with audit flags", counts.flagged);
  return text;
}

std::string method_text(const RecordDescription& description) {
  const RecordInfo& info = description.info;
  std::string text = "engine " + printable(info.engine);
  if (!info.law.empty()) text += ", law " + printable(info.law);
  const Json* const integrator = description.options.find("integrator");
  if (integrator != nullptr && integrator->is_string()) text += ", integrator " + printable(integrator->string());
  return text + fmt::format(", seed {}", info.seed);
}

std::string settings_text(const std::vector<std::string>& settings) {
  if (settings.empty()) return "none";
  std::string text;
  for (std::size_t i = 0; i < std::min(settings.size(), kMostSettings); ++i) {
    text += (i == 0 ? "" : ", ") + printable(settings[i]);
  }
  if (settings.size() > kMostSettings) text += fmt::format(", … ({} more)", settings.size() - kMostSettings);
  return text;
}

std::string state_text(const RecordInfo& info) {
  if (!info.complete) return "not ended or killed";
  return "ended, " + printable(info.stop);
}

Json output_step_json(const Json& options) {
  const Json* const step = options.find("output_step");
  return step == nullptr ? Json() : *step;
}

std::string size_text(const RecordDescription& description) {
  std::string text = fmt::format("{:.4g} MB", static_cast<double>(description.bytes) * 1e-6);
  if (description.samples > 0) {
    text += fmt::format(", {:.0f} bytes per sample",
                        static_cast<double>(description.bytes) / static_cast<double>(description.samples));
  }
  return text;
}

std::string time_text(const RecordDescription& description) {
  if (description.samples == 0) return "no samples yet";
  std::string text = fmt::format("{} to {} s; {}", cell(description.first_time), cell(description.last_time),
                                 counted(static_cast<long>(description.samples), "sample"));
  const Json step = output_step_json(description.options);
  if (step.is_number()) text += fmt::format(", one every {} s", cell(step.number()));
  const bool later = description.last_event && *description.last_event > description.last_time;
  if (later) text += fmt::format("; events up to {} s", cell(*description.last_event));
  return text;
}

std::string energy_text(const RecordDescription& description) {
  const EnergyBook& book = *description.energy;
  const double scale = std::max(std::abs(book.initial), std::abs(book.now.total()));
  return fmt::format("{} J at the start, {} J at the end, {} J dissipated; the balance closes to {} of the energy",
                     rounded_cell(book.initial, scale), rounded_cell(book.now.total(), scale),
                     rounded_cell(book.dissipated(), scale), cell(description.balance_error, 2));
}

}  // namespace

RecordDescription describe(const RecordReader& record) {
  RecordDescription description;
  description.file = record.path();
  description.bytes = record.file_size();
  description.info = record.info();
  description.options = parsed(record, record.info().options, "list of options");
  const Json summary = parsed(record, record.info().summary, "summary");
  read_scene_of(record.info(), summary, description);
  description.samples = record.sample_count();
  description.contacts = record.row_counts()[2];
  description.jumps = record.row_counts()[3];
  if (description.samples > 0) {
    description.first_time = record.series("/time", 0, 1)[0];
    description.last_time = record.series("/time", description.samples - 1, 1)[0];
    description.energy = record.energy(description.samples - 1);
  }
  description.balance_error = balance_error_of(summary, description.energy);
  description.events = record.count_events();
  if (record.event_count() > 0) description.last_event = record.event_time(record.event_count() - 1);
  return description;
}

Json description_json(const RecordDescription& description) {
  const RecordInfo& info = description.info;
  Json events = {{"count", total_of(description.events)}};
  for (std::size_t i = 0; i < description.events.of_kind.size(); ++i) {
    events[std::string(event_kind_name(static_cast<EventKind>(i)))] = description.events.of_kind[i];
  }
  events.update({{"multiple", description.events.multiple},
                 {"flagged", description.events.flagged},
                 {"contacts", description.contacts},
                 {"jumps", description.jumps}});
  const auto& book = description.energy;
  const bool sampled = description.samples > 0;
  return {
      {"file", description.file},
      {"title", description.title},
      {"version", info.version},
      {"complete", info.complete},
      {"stop", info.complete ? Json(info.stop) : Json()},
      {"engine", info.engine},
      {"law", info.law.empty() ? Json() : Json(info.law)},
      {"options", description.options},
      {"settings", info.settings},
      {"seed", info.seed},
      {"time",
       {{"first", sampled ? json_number(description.first_time) : Json()},
        {"last", sampled ? json_number(description.last_time) : Json()},
        {"last_event", json_number(description.last_event)},
        {"output_step", output_step_json(description.options)}}},
      {"samples", description.samples},
      {"bodies", std::vector<std::string>(info.objects.begin(), info.objects.begin() + static_cast<long>(info.bodies))},
      {"obstacles",
       std::vector<std::string>(info.objects.begin() + static_cast<long>(info.bodies), info.objects.end())},
      {"pockets", info.pockets},
      {"joints", info.joints},
      {"events", std::move(events)},
      {"energy",
       {{"initial", book ? json_number(book->initial) : Json()},
        {"final", book ? json_number(book->now.total()) : Json()},
        {"dissipated", book ? json_number(book->dissipated()) : Json()},
        {"balance_error", json_number(description.balance_error)}}},
      {"bytes", description.bytes},
      {"bytes_per_sample",
       sampled ? json_number(static_cast<double>(description.bytes) / static_cast<double>(description.samples))
               : Json()},
      {"can_run_again", !description.not_repeated.has_value()},
      {"reason", description.not_repeated ? Json(*description.not_repeated) : Json()}};
}

std::string description_text(const RecordDescription& description) {
  const RecordInfo& info = description.info;
  std::string text = description.title.empty() ? "" : printable(description.title, kLongestTitle) + "\n";
  text += labelled("record", fmt::format("{}; {}; written by carom {}", printable(description.file, 1000),
                                         size_text(description), printable(info.version)));
  text += labelled("run", state_text(info) + "; " + method_text(description));
  text += labelled("settings", settings_text(info.settings));
  text += labelled("time", time_text(description));
  text += labelled("objects", objects_text(info));
  text += labelled("events", events_text(description.events));
  if (description.energy) text += labelled("energy", energy_text(description));
  text +=
      labelled("run again", description.not_repeated ? "no: " + printable(*description.not_repeated, 500)
                                                     : "yes: carom run --from " + printable(description.file, 1000));
  return text;
}

}  // namespace carom::app
