#include "output/json.h"

#include <algorithm>
#include <cmath>

namespace carom::app {
namespace {

constexpr int kIndent = 2;

std::string compact(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool is_plain_list(const Json& value) {
  return value.is_array() &&
         std::none_of(value.begin(), value.end(), [](const Json& entry) { return entry.is_structured(); });
}

void append(std::string& text, const Json& value, int depth);

void append_plain_list(std::string& text, const Json& list) {
  text += "[";
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) text += ", ";
    text += compact(list[i]);
  }
  text += "]";
}

void append_lines(std::string& text, const Json& value, int depth) {
  const std::string indent(static_cast<std::size_t>(kIndent * (depth + 1)), ' ');
  text += value.is_object() ? "{" : "[";
  bool first = true;
  for (const auto& item : value.items()) {
    text += first ? "\n" : ",\n";
    first = false;
    text += indent;
    if (value.is_object()) text += compact(Json(item.key())) + ": ";
    append(text, item.value(), depth + 1);
  }
  text += "\n" + indent.substr(kIndent) + (value.is_object() ? "}" : "]");
}

void append(std::string& text, const Json& value, int depth) {
  if (is_plain_list(value)) {
    append_plain_list(text, value);
  } else if (value.is_structured() && !value.empty()) {
    append_lines(text, value, depth);
  } else {
    text += compact(value);
  }
}

Json text_or_null(std::string_view text) {
  return text.empty() ? Json() : Json(text);
}

Json count_or_null(int count) {
  return count == 0 ? Json() : Json(count);
}

template <class Values>
Json list_of(const Values& values) {
  Json list = Json::array();
  for (const auto& value : values) list.push_back(json_number(value));
  return list;
}

}  // namespace

Json json_number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json json_number(std::optional<double> value) {
  return value ? json_number(*value) : Json();
}

Json json_numbers(std::span<const double> values) {
  return list_of(values);
}

Json json_numbers(std::span<const std::optional<double>> values) {
  return list_of(values);
}

std::string json_text(const Json& object) {
  std::string text;
  append(text, object, 0);
  return text + "\n";
}

Json error_json(const InputError& error) {
  return error_json(kind_name(error.kind()), error.what(), error.place());
}

Json error_json(std::string_view kind, std::string_view message, const Place& place) {
  return {{"error",
           {{"kind", kind},
            {"message", message},
            {"where",
             {{"file", text_or_null(place.file)},
              {"line", count_or_null(place.line)},
              {"column", count_or_null(place.column)},
              {"field", text_or_null(place.field)}}}}}};
}

}  // namespace carom::app
