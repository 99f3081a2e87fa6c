#include "carom/analysis/bearing.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string_view>
#include <vector>

#include "carom/base/error.h"

namespace carom {
namespace {

constexpr int kHarmonics = 10;
constexpr int kSideBands = 2;

void check(bool good, std::string_view field, double value, std::string_view expected) {
  if (good) return;
  const Kind kind = std::isfinite(value) ? Kind::out_of_range : Kind::not_finite;
  throw InputError(kind, std::string(field), fmt::format("{} is {}, expected {}", field, value, expected));
}

/// The nearest line so far.
struct Match {
  double distance;
  std::string name;

  void offer(double frequency, double line, const std::string& line_name) {
    const double offered = std::abs(frequency - line);
    if (offered > distance || (offered == distance && !name.empty())) return;
    distance = offered;
    name = line_name;
  }
};

std::string harmonic_name(int harmonic, std::string_view line) {
  return harmonic == 1 ? std::string(line) : fmt::format("{}×{}", harmonic, line);
}

struct Line {
  std::string_view name;
  double frequency;
};

void offer_side_bands(Match& match, double frequency, const Line& line, const Line& modulation) {
  if (!(modulation.frequency > 0.0)) return;
  for (int harmonic = 1; harmonic <= kHarmonics; ++harmonic)
    for (int order = 1; order <= kSideBands; ++order) {
      const std::string beside = harmonic_name(order, modulation.name);
      const std::string name = harmonic_name(harmonic, line.name);
      match.offer(frequency, harmonic * line.frequency - order * modulation.frequency,
                  fmt::format("{}−{}", name, beside));
      match.offer(frequency, harmonic * line.frequency + order * modulation.frequency,
                  fmt::format("{}+{}", name, beside));
    }
}

}  // namespace

BearingLines bearing_lines(const BearingGeometry& geometry, const BearingSpeeds& speeds) {
  const double d = geometry.ball_diameter;
  const double pitch = geometry.pitch_diameter;
  check(geometry.balls >= 1, "balls", geometry.balls, "a whole number from 1");
  check(std::isfinite(d) && d > 0.0, "ball", d, "a diameter > 0");
  check(std::isfinite(pitch) && pitch > d, "pitch", pitch, "a diameter greater than that of a ball");
  check(std::abs(geometry.contact_angle) < 0.5 * std::numbers::pi, "angle", geometry.contact_angle,
        "a contact angle below 90 degrees");
  check(std::isfinite(speeds.inner), "inner", speeds.inner, "revolutions per second");
  check(std::isfinite(speeds.outer), "outer", speeds.outer, "revolutions per second");
  const double gamma = d / pitch * std::cos(geometry.contact_angle);
  const double relative = std::abs(speeds.inner - speeds.outer);
  return {.cage = 0.5 * std::abs(speeds.inner * (1.0 - gamma) + speeds.outer * (1.0 + gamma)),
          .outer_race = 0.5 * geometry.balls * relative * (1.0 - gamma),
          .inner_race = 0.5 * geometry.balls * relative * (1.0 + gamma),
          .ball_spin = 0.5 * pitch / d * relative * (1.0 - gamma * gamma),
          .speeds = speeds};
}

std::string bearing_line_name(const BearingLines& lines, double frequency, double tolerance) {
  const Line outer_race{"BPFO", lines.outer_race}, inner_race{"BPFI", lines.inner_race};
  const Line ball_spin{"BSF", lines.ball_spin}, cage{"FTF", lines.cage};
  const Line outer{"fo", std::abs(lines.speeds.outer)}, inner{"fi", std::abs(lines.speeds.inner)};

  Match match{tolerance, {}};
  for (int harmonic = 1; harmonic <= kHarmonics; ++harmonic)
    for (const Line& line : {outer, inner, cage, ball_spin, outer_race, inner_race})
      if (line.frequency > 0.0) match.offer(frequency, harmonic * line.frequency, harmonic_name(harmonic, line.name));
  if (!match.name.empty()) return match.name;
  for (const Line& line : {outer_race, inner_race})
    for (const Line& modulation : {outer, inner}) offer_side_bands(match, frequency, line, modulation);
  offer_side_bands(match, frequency, ball_spin, cage);
  return match.name;
}

}  // namespace carom
