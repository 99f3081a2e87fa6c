#include "carom/mechanics/law_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "carom/base/error.h"
#include "carom/base/nearest_name.h"
#include "carom/base/number.h"

namespace carom {

namespace {

std::string text_of(const LawParameters::Value& value) {
  if (const bool* const flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  return format_number(std::get<double>(value));
}

/// "a number > 0", "a number from 0 to 1", "true or false".
std::string expected_value(const LawParameter& parameter) {
  if (parameter.is_flag) return "true or false";
  const std::string unit = parameter.unit.empty() ? "" : fmt::format(" [{}]", parameter.unit);
  const bool bounded = std::isfinite(parameter.high);
  std::string low = format_number(parameter.low);
  if (parameter.low == parameter.high) return low;
  if (!bounded) return fmt::format("a number {} {}{}", parameter.low_excluded ? ">" : "≥", low, unit);
  const std::string high = format_number(parameter.high);
  if (parameter.low_excluded) return fmt::format("a number above {} up to {}{}", low, high, unit);
  return fmt::format("a number from {} to {}{}", low, high, unit);
}

void check_value(const LawPlace& place, const LawParameter& parameter, const LawParameters::Value& value) {
  const std::string field = place.path(parameter.name);
  const auto fail = [&](Kind kind) {
    const bool advise = kind == Kind::out_of_range && !parameter.advice.empty();
    throw InputError{kind, field,
                     fmt::format("{} of the law '{}' is {}, expected {}{}{}", field, place.law, text_of(value),
                                 expected_value(parameter), advise ? "; " : "", advise ? parameter.advice : "")};
  };
  if (parameter.is_flag != std::holds_alternative<bool>(value)) fail(Kind::wrong_type);
  if (parameter.is_flag) return;
  const double number = std::get<double>(value);
  if (!std::isfinite(number)) fail(Kind::not_finite);
  const bool low_enough = parameter.low_excluded ? number > parameter.low : number >= parameter.low;
  if (!low_enough || number > parameter.high) fail(Kind::out_of_range);
}

}  // namespace

std::optional<double> LawParameters::number(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return std::nullopt;
  const double* const value = std::get_if<double>(&found->second);
  return value == nullptr ? std::nullopt : std::optional<double>(*value);
}

double LawParameters::number(const LawParameter& parameter) const {
  return number(parameter.name).value_or(parameter.default_value);
}

bool LawParameters::flag(const LawParameter& parameter) const {
  const auto found = values_.find(parameter.name);
  if (found == values_.end()) return parameter.default_value != 0.0;
  const bool* const value = std::get_if<bool>(&found->second);
  return value != nullptr && *value;
}

void check_parameters(const LawPlace& place, const LawParameters& given,
                      std::initializer_list<std::span<const LawParameter>> known) {
  std::vector<const LawParameter*> parameters;
  std::vector<std::string_view> names;
  for (const std::span<const LawParameter> list : known)
    for (const LawParameter& parameter : list) {
      parameters.push_back(&parameter);
      names.push_back(parameter.name);
    }
  for (const auto& entry : given) {
    const auto found = std::find(names.begin(), names.end(), entry.first);
    if (found == names.end()) {
      throw InputError{Kind::unknown_name, place.path(entry.first),
                       unknown_name_message(fmt::format("{} parameter", place.law), entry.first, names)};
    }
    check_value(place, *parameters[static_cast<std::size_t>(found - names.begin())], entry.second);
  }
  for (const LawParameter* const parameter : parameters) {
    if (!parameter->required || given.has(parameter->name)) continue;
    throw InputError{Kind::missing_field, place.path(parameter->name),
                     fmt::format("{} is missing, the law '{}' needs it: {}, expected {}", place.path(parameter->name),
                                 place.law, parameter->help, expected_value(*parameter))};
  }
}

}  // namespace carom
