#include "carom/mechanics/restitution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/error.h"
#include "carom/base/number.h"
#include "carom/mechanics/check_finite.h"

namespace carom {

namespace {

double value_at(const PowerRestitution& law, double speed) {
  return speed > law.v0 ? law.e0 * std::pow(speed / law.v0, -law.exponent) : law.e0;
}

double value_at(const RestitutionTable& law, double speed) {
  const auto above = std::upper_bound(law.speeds.begin(), law.speeds.end(), speed);
  if (above == law.speeds.begin()) return law.values.front();
  if (above == law.speeds.end()) return law.values.back();
  const auto high = above - law.speeds.begin();
  const auto low = high - 1;
  const double share = (speed - law.speeds[low]) / (law.speeds[high] - law.speeds[low]);
  return law.values[low] + share * (law.values[high] - law.values[low]);
}

/// A table that is not filled has no value; validate() says so.
double slowest_value(const Restitution::Law& law) {
  if (const auto* power = std::get_if<PowerRestitution>(&law)) return power->e0;
  const RestitutionTable& table = std::get<RestitutionTable>(law);
  return table.values.empty() ? 1.0 : table.values.front();
}

[[noreturn]] void refuse_restitution(const std::string& field, double value, const std::string& expected) {
  throw InputError{Kind::out_of_range, field, fmt::format("{} is {}, expected {}", field, value, expected)};
}

void check_unit_interval(double value, const std::string& field) {
  check_finite(value, field);
  if (value < 0.0 || value > 1.0) refuse_restitution(field, value, "a number from 0 to 1");
}

void check_law(const PowerRestitution& law, const std::string& path) {
  check_unit_interval(law.e0, path + ".e0");
  check_finite(law.v0, path + ".v0");
  if (law.v0 <= 0.0) refuse_restitution(path + ".v0", law.v0, "a number > 0");
  check_finite(law.exponent, path + ".exponent");
  if (law.exponent < 0.0) refuse_restitution(path + ".exponent", law.exponent, "a number >= 0");
}

void check_law(const RestitutionTable& law, const std::string& path) {
  if (law.speeds.empty() || law.values.size() != law.speeds.size()) {
    throw InputError{Kind::size_mismatch, path + ".values",
                     fmt::format("{}.values has {} entries, expected {}, one for each of the speeds", path,
                                 law.values.size(), std::max<std::size_t>(law.speeds.size(), 1))};
  }
  for (std::size_t i = 0; i < law.speeds.size(); ++i) {
    const std::string speed = fmt::format("{}.speeds.{}", path, i);
    check_finite(law.speeds[i], speed);
    if (law.speeds[i] < 0.0) refuse_restitution(speed, law.speeds[i], "a number >= 0");
    if (i > 0 && !(law.speeds[i] > law.speeds[i - 1])) {
      refuse_restitution(speed, law.speeds[i], "a speed above the one before, " + format_number(law.speeds[i - 1]));
    }
    check_unit_interval(law.values[i], fmt::format("{}.values.{}", path, i));
  }
}

}  // namespace

Restitution::Restitution(Law law) : at_rest_(slowest_value(law)), law_(std::make_shared<const Law>(std::move(law))) {}

double Restitution::of_law(double speed) const {
  return std::visit([speed](const auto& law) { return value_at(law, speed); }, *law_);
}

double Restitution::constant_up_to() const {
  if (law_ == nullptr) return std::numeric_limits<double>::infinity();
  if (const auto* power = std::get_if<PowerRestitution>(law_.get())) return power->v0;
  return std::get<RestitutionTable>(*law_).speeds.front();
}

bool Restitution::is_elastic() const {
  if (law_ == nullptr) return at_rest_ == 1.0;
  if (const auto* power = std::get_if<PowerRestitution>(law_.get())) return power->e0 == 1.0 && power->exponent == 0.0;
  const std::vector<double>& values = std::get<RestitutionTable>(*law_).values;
  return std::all_of(values.begin(), values.end(), [](double value) { return value == 1.0; });
}

std::string Restitution::text() const {
  if (law_ == nullptr) return format_number(at_rest_);
  if (const auto* power = std::get_if<PowerRestitution>(law_.get())) {
    return fmt::format("{}·max(v/{}, 1)^-{}", format_number(power->e0), format_number(power->v0),
                       format_number(power->exponent));
  }
  const std::vector<double>& values = std::get<RestitutionTable>(*law_).values;
  return fmt::format("a table from {} to {}", format_number(values.front()), format_number(values.back()));
}

void validate(const Restitution& restitution, const std::string& path) {
  if (restitution.is_constant()) {
    check_unit_interval(restitution.at_rest(), path);
  } else {
    std::visit([&path](const auto& law) { check_law(law, path); }, *restitution.law());
  }
}

}  // namespace carom
