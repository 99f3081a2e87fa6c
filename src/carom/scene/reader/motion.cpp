/// Driven motion of planes and obstacles.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "carom/scene/format/sections.h"
#include "carom/scene/reader/motion_table.h"
#include "carom/scene/reader/reading.h"

namespace carom::scene {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

/// The angle, which is given in degrees or in radians: its key, and what a unit of it is in radians.
struct GivenAngle {
  std::optional<Entry> entry;
  double unit = 1.0;
};

GivenAngle angle_of(const Fields& fields) {
  return {one_of(fields, {"angle_deg", "angle"}, false), fields.find("angle_deg") ? kDegree : 1.0};
}

[[noreturn]] void fail_still(const Fields& fields, std::string_view position) {
  const Entry& table = fields.entry();
  throw InputError(
      Kind::missing_field, table.place(),
      fmt::format("{} neither slides nor turns, expected '{}', 'angle_deg' or 'angle'", table.name(), position));
}

/// Keys that say how it turns make no sense where it does not.
void require_turning(const Fields& fields, const DrivenMotion& motion) {
  const std::optional<Entry> point = fields.find("point");
  if (!point || motion.turns()) return;
  throw InputError(Kind::unsupported, point->place(),
                   point->name() + " is given, but nothing turns: expected 'angle_deg' or 'angle' beside it");
}

void read_sine(const Fields& fields, DrivenMotion& motion) {
  const SineProfile wave{0.0, fields.number("frequency"), fields.number("phase_deg", 0.0) * kDegree};
  const auto with_amplitude = [&wave](double amplitude) {
    SineProfile sine = wave;
    sine.amplitude = amplitude;
    return sine;
  };
  if (const auto amplitude = fields.find("amplitude")) motion.position = with_amplitude(as_number(*amplitude));
  if (const auto [angle, unit] = angle_of(fields); angle) motion.angle = with_amplitude(as_number(*angle) * unit);
  if (is_still(motion.position) && !motion.turns()) fail_still(fields, "amplitude");
}

std::vector<double> numbers_of(const Entry& entry, double unit) {
  const Vector numbers = as_vector(entry);
  std::vector<double> values(numbers.begin(), numbers.end());
  for (double& value : values) value *= unit;
  return values;
}

void read_polynomial(const Fields& fields, DrivenMotion& motion) {
  if (const auto position = fields.find("position")) motion.position = PolynomialProfile{numbers_of(*position, 1.0)};
  if (const auto [angle, unit] = angle_of(fields); angle) motion.angle = PolynomialProfile{numbers_of(*angle, unit)};
  if (is_still(motion.position) && !motion.turns()) fail_still(fields, "position");
}

/// The table as the scene itself has it.
MotionTable inline_table(const Fields& fields) {
  MotionTable table;
  const Entry time = fields.at("time");
  table.time = numbers_of(time, 1.0);
  const std::vector<Entry> entries = as_entries(time);
  for (std::size_t i = 1; i < entries.size(); ++i) {
    if (table.time[i] > table.time[i - 1]) continue;
    throw InputError(Kind::out_of_range, entries[i].place(),
                     fmt::format("{} is {}, expected more than {} before it: times ascend", entries[i].name(),
                                 table.time[i], table.time[i - 1]));
  }
  const auto column = [&table](const Entry& entry, double unit) {
    std::vector<double> values = numbers_of(entry, unit);
    if (values.size() == table.time.size()) return values;
    throw InputError(
        Kind::size_mismatch, entry.place(),
        fmt::format("{} has {} numbers, expected {} as 'time' has", entry.name(), values.size(), table.time.size()));
  };
  if (const auto position = fields.find("position")) table.position = column(*position, 1.0);
  if (const auto [angle, unit] = angle_of(fields); angle) table.angle = column(*angle, unit);
  return table;
}

MotionTable table_of(const Fields& fields) {
  const Entry given = *one_of(fields, {"time", "file"}, true);
  if (fields.find("time")) return inline_table(fields);
  for (const std::string_view key : {"position", "angle_deg", "angle"}) {
    if (const auto beside = fields.find(key))
      throw InputError(Kind::duplicate_name, beside->place(),
                       beside->name() + " is given beside 'file', expected it as a column of the file");
  }
  return read_motion_table(given);
}

void read_table(const Fields& fields, DrivenMotion& motion) {
  const MotionTable table = table_of(fields);
  const Entry& entry = fields.entry();
  const std::string ends = fields.string("ends", "natural");
  const SplineEnds how = ends == "rest"       ? SplineEnds::rest
                         : ends == "periodic" ? SplineEnds::periodic
                                              : SplineEnds::natural;
  const std::size_t least = how == SplineEnds::periodic ? 3 : 2;
  if (table.time.size() < least) {
    throw InputError(Kind::size_mismatch, entry.place(),
                     fmt::format("{} has {} times, expected at least {}", entry.name(), table.time.size(), least));
  }
  const auto spline = [&](const std::vector<double>& values) {
    if (how == SplineEnds::periodic && values.front() != values.back()) {
      throw InputError(Kind::out_of_range, entry.place(),
                       fmt::format("{} repeats, but begins with {} and ends with {}, expected the same", entry.name(),
                                   values.front(), values.back()));
    }
    return CubicSpline(table.time, values, how);
  };
  if (!table.position.empty()) motion.position = spline(table.position);
  if (!table.angle.empty()) motion.angle = spline(table.angle);
  if (is_still(motion.position) && !motion.turns()) fail_still(fields, "position");
}

}  // namespace

std::optional<DrivenMotion> read_driven_motion(const Fields& object) {
  (void)one_of(object, {"velocity", "motion"}, false);
  (void)one_of(object, {"angular_velocity", "motion"}, false);
  const std::optional<Entry> entry = object.find("motion");
  if (!entry) return std::nullopt;
  const auto [kind, fields] = fields_of(*entry, motion_kinds());
  DrivenMotion motion;
  motion.axis = unit_vector(fields, "axis");
  if (fields.find("point")) motion.point = vector3(fields, "point");
  if (kind == "sine") {
    read_sine(fields, motion);
  } else if (kind == "polynomial") {
    read_polynomial(fields, motion);
  } else {
    read_table(fields, motion);
  }
  require_turning(fields, motion);
  return motion;
}

}  // namespace carom::scene
