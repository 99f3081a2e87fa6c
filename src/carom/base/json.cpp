#include "carom/base/json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "carom/base/utf8.h"

namespace carom {
namespace {

void append_number(std::string& text, std::int64_t value) {
  text += std::to_string(value);
}

/// The fewest digits that read back to the same double, as 12.5, 12.0 or 0.00125 while the decimal point stands in or
/// near the digits, and as 1.25e-07 elsewhere.
void append_number(std::string& text, double value) {
  constexpr int kMostZerosAfterPoint = 3;
  constexpr int kMostDigitsBeforePoint = 15;
  if (!std::isfinite(value)) {
    text += "null";
    return;
  }
  if (std::signbit(value)) text += '-';
  if (value == 0.0) {
    text += "0.0";
    return;
  }
  std::array<char, 32> buffer{};
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(value), std::chars_format::scientific);
  const std::string_view scientific(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t mark = scientific.find('e');
  std::string digits(scientific.substr(0, 1));
  if (mark > 1) digits += scientific.substr(2, mark - 2);
  // std::from_chars takes no plus sign.
  const std::size_t exponent_start = mark + (scientific[mark + 1] == '+' ? 2 : 1);
  int exponent = 0;
  std::from_chars(scientific.data() + exponent_start, end, exponent);

  const int count = static_cast<int>(digits.size());
  const int point = exponent + 1;  // digits before the decimal point
  if (point > kMostDigitsBeforePoint || point < -kMostZerosAfterPoint) {
    text += scientific;
  } else if (point <= 0) {
    text += "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  } else if (point < count) {
    text += digits.insert(static_cast<std::size_t>(point), ".");
  } else {
    text += digits + std::string(static_cast<std::size_t>(point - count), '0') + ".0";
  }
}

void append_string(std::string& text, std::string_view string) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  constexpr std::string_view kEscaped = "\b\t\n\f\r\"\\";
  constexpr std::string_view kLetters = "btnfr\"\\";
  constexpr char32_t kReplacement = 0xFFFD;
  text += '"';
  while (!string.empty()) {
    const Utf8Character character = first_character(string);
    const std::size_t escape = kEscaped.find(string.front());
    if (escape != std::string_view::npos) {
      text += '\\';
      text += kLetters[escape];
    } else if (!character.valid) {
      append_utf8(text, kReplacement);
    } else if (character.code < 0x20) {
      text += "\\u00";
      text += kDigits[character.code >> 4];
      text += kDigits[character.code & 0xF];
    } else {
      text += string.substr(0, character.bytes);
    }
    string.remove_prefix(character.bytes);
  }
  text += '"';
}

bool is_pair(const Json& entry) {
  return entry.is_array() && entry.entries().size() == 2 && entry.entries().front().is_string();
}

bool is_plain(const Json& value) {
  return !value.is_array() && !value.is_object();
}

void append_plain_list(std::string& text, const Json::Array& entries) {
  text += '[';
  for (const Json& entry : entries) {
    if (&entry != &entries.front()) text += ", ";
    text += entry.dump();
  }
  text += ']';
}

void append_lines(std::string& text, const Json& value, const std::string& outer_indent) {
  const std::string indent = outer_indent + "  ";
  std::string_view before = "\n";
  const auto next_line = [&] {
    text += before;
    text += indent;
    before = ",\n";
  };
  if (value.is_array() && std::all_of(value.entries().begin(), value.entries().end(), is_plain)) {
    append_plain_list(text, value.entries());
  } else if (value.is_array()) {
    text += '[';
    for (const Json& entry : value.entries()) {
      next_line();
      append_lines(text, entry, indent);
    }
    text += "\n" + outer_indent + "]";
  } else if (value.is_object() && !value.fields().empty()) {
    text += '{';
    for (const Json::Field& field : value.fields()) {
      next_line();
      append_string(text, field.key);
      text += ": ";
      append_lines(text, field.value, indent);
    }
    text += "\n" + outer_indent + "}";
  } else {
    text += value.dump();
  }
}

}  // namespace

Json::Json() noexcept = default;
Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(const Json& other) = default;
Json& Json::operator=(Json&& other) noexcept = default;
Json::~Json() = default;

Json::Json(std::nullptr_t) noexcept {}
Json::Json(double value) : value_(value) {}
Json::Json(std::string text) : value_(std::move(text)) {}
Json::Json(std::string_view text) : value_(std::string(text)) {}
Json::Json(const char* text) : value_(std::string(text)) {}

Json::Json(std::initializer_list<Json> entries) {
  if (!std::all_of(entries.begin(), entries.end(), is_pair)) {
    value_ = Array(entries);
    return;
  }
  value_ = Object();
  for (const Json& entry : entries) (*this)[entry.entries()[0].string()] = entry.entries()[1];
}

Json Json::array(std::initializer_list<Json> entries) {
  Json json;
  json.value_ = Array(entries);
  return json;
}

Json Json::object() {
  Json json;
  json.value_ = Object();
  return json;
}

double Json::number() const {
  const auto* const integer = std::get_if<std::int64_t>(&value_);
  return integer != nullptr ? static_cast<double>(*integer) : std::get<double>(value_);
}

const std::string& Json::string() const {
  return std::get<std::string>(value_);
}

const Json::Array& Json::entries() const {
  return std::get<Array>(value_);
}

const Json::Object& Json::fields() const {
  return std::get<Object>(value_);
}

const Json* Json::find(std::string_view key) const {
  if (!is_object()) return nullptr;
  const auto field =
      std::find_if(fields().begin(), fields().end(), [key](const Field& candidate) { return candidate.key == key; });
  return field == fields().end() ? nullptr : &field->value;
}

Json& Json::operator[](std::string_view key) {
  if (is_null()) value_ = Object();
  auto& fields = std::get<Object>(value_);
  const auto field =
      std::find_if(fields.begin(), fields.end(), [key](const Field& candidate) { return candidate.key == key; });
  if (field != fields.end()) return field->value;
  fields.push_back({std::string(key), {}});
  return fields.back().value;
}

void Json::update(Json other) {
  for (Field& field : std::get<Object>(other.value_)) (*this)[field.key] = std::move(field.value);
}

void Json::push_back(Json entry) {
  if (is_null()) value_ = Array();
  std::get<Array>(value_).push_back(std::move(entry));
}

void Json::append_to(std::string& text) const {
  if (is_null()) {
    text += "null";
  } else if (const auto* const boolean = std::get_if<bool>(&value_)) {
    text += *boolean ? "true" : "false";
  } else if (const auto* const integer = std::get_if<std::int64_t>(&value_)) {
    append_number(text, *integer);
  } else if (const auto* const real = std::get_if<double>(&value_)) {
    append_number(text, *real);
  } else if (is_string()) {
    append_string(text, string());
  } else if (is_array()) {
    text += '[';
    for (const Json& entry : entries()) {
      if (&entry != &entries().front()) text += ',';
      entry.append_to(text);
    }
    text += ']';
  } else {
    text += '{';
    for (const Field& field : fields()) {
      if (&field != &fields().front()) text += ',';
      append_string(text, field.key);
      text += ':';
      field.value.append_to(text);
    }
    text += '}';
  }
}

std::string Json::dump() const {
  std::string text;
  append_to(text);
  return text;
}

Json json_number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json json_number(std::optional<double> value) {
  return value ? json_number(*value) : Json();
}

namespace {

template <class Values>
Json list_of(const Values& values) {
  Json list = Json::array();
  for (const auto& value : values) list.push_back(json_number(value));
  return list;
}

}  // namespace

Json json_numbers(std::span<const double> values) {
  return list_of(values);
}

Json json_numbers(std::span<const std::optional<double>> values) {
  return list_of(values);
}

std::string json_text(const Json& value) {
  std::string text;
  append_lines(text, value, "");
  return text + "\n";
}

}  // namespace carom
