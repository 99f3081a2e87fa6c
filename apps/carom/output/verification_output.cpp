#include "output/verification_output.h"

#include <fmt/format.h>

#include <bit>

#include "carom/base/number.h"
#include "carom/base/utf8.h"
#include "carom/base/version.h"
#include "common/text_table.h"

namespace carom::app {
namespace {

using Value = RecordDifference::Value;

std::string bits_of(double value) {
  return fmt::format("0x{:016x}", std::bit_cast<std::uint64_t>(value));
}

/// Numbers as such; what JSON has no number for as its bits.
Json value_json(const Value& value) {
  if (const auto* const real = std::get_if<double>(&value)) {
    const Json number = json_number(*real);
    return number.is_null() ? Json(bits_of(*real)) : number;
  }
  if (const auto* const integer = std::get_if<std::int64_t>(&value)) return *integer;
  if (const auto* const text = std::get_if<std::string>(&value)) return *text;
  return {};
}

std::string value_text(const Value& value) {
  if (const auto* const real = std::get_if<double>(&value)) {
    return format_number(*real) + (*real == *real ? "" : " " + bits_of(*real));
  }
  if (const auto* const integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* const text = std::get_if<std::string>(&value)) return "'" + printable(*text) + "'";
  return "nothing";
}

Json difference_json(const RecordDifference& difference) {
  return {{"time", json_number(difference.time)},
          {"table", difference.table},
          {"column", difference.column},
          {"row", difference.row},
          {"component", difference.component},
          {"objects", difference.objects},
          {"recorded", value_json(difference.recorded)},
          {"now", value_json(difference.now)}};
}

std::string difference_text(const RecordDifference& difference) {
  if (difference.table == "run") {
    return fmt::format("the run ended with {}, the recorded one with {}", value_text(difference.now),
                       value_text(difference.recorded));
  }
  std::string objects;
  for (const std::string& name : difference.objects) objects += (objects.empty() ? " of " : " and ") + printable(name);
  return fmt::format("first at {} s, in {}{}, row {} of the {}, component {}: {} is recorded, {} came out now",
                     format_number(difference.time), difference.column, objects, difference.row, difference.table,
                     difference.component, value_text(difference.recorded), value_text(difference.now));
}

std::string compared_text(const RecordCheck& check) {
  return fmt::format("{} and {}", counted(static_cast<long>(check.samples()), "sample"),
                     counted(static_cast<long>(check.events()), "event"));
}

}  // namespace

Json verification_json(const RecordCheck& check, const RecordInfo& info) {
  const auto& difference = check.first_difference();
  return {{"identical", !difference.has_value()},
          {"samples", check.samples()},
          {"events", check.events()},
          {"whole", check.whole()},
          {"versions", {{"recorded", info.version}, {"now", kVersion}}},
          {"first_difference", difference ? difference_json(*difference) : Json()}};
}

std::string verification_text(const RecordCheck& check, const RecordInfo& info) {
  std::string text;
  if (check.first_difference()) {
    text += labelled("different", difference_text(*check.first_difference()));
    text += labelled("", fmt::format("{} were compared", compared_text(check)));
  } else {
    text += labelled("identical", fmt::format("{}, every bit", compared_text(check)));
  }
  if (check.partial()) {
    text += labelled("", info.complete
                             ? "the recorded run was interrupted; what it did before that is compared"
                             : "the recorded run has not ended or was killed; it is compared as far as it is written");
  } else if (!check.whole() && !check.first_difference()) {
    text += labelled("", "this run was interrupted; the rest of the record is not compared");
  }
  if (info.version != kVersion) {
    text += labelled("versions", fmt::format("recorded by carom {}, now carom {}", printable(info.version), kVersion));
  }
  return text;
}

}  // namespace carom::app
