#include "carom/engine/singular_search.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace carom {

namespace {

constexpr int kSingularLooks = 32, kNarrowings = 50;
constexpr double kGoldenPart = 0.3819660112501051;
/// V, relative to the largest of the step, of which less is not looked at: bodies are put on joints to 1e-10.
constexpr double kNothingLeft = 1e-7;
/// Where V comes to zero near a look it is at the least less than this part of what it is at the looks around.
constexpr double kAtLeast = 0.02;
/// V is taken where it is from 16 times what it is at the least, 4 times as far away, to 400 times.
constexpr double kNearPart = 16.0, kFarPart = 400.0;
constexpr std::size_t kPlaces = 5;
/// Where bodies cannot be put on their joints it is taken farther away, so often twice as far.
constexpr int kRetreats = 3;
/// The extrapolated value is nothing where it is below this part of the nearest one that was taken.
constexpr double kNegligible = 1.0 / 64.0;
/// A position so little beyond the end, relative to the stretch, counts as passed: putting bodies on their joints there
/// may take them across.
constexpr double kJustBeyond = 0.01;

/// The slot of a look, or of the nearest one that there is.
std::size_t at_look(int look) {
  return static_cast<std::size_t>(std::clamp(look, 0, kSingularLooks));
}

double place_of(const SingularStretch& stretch, int look) {
  return stretch.from + look * (stretch.to - stretch.from) / kSingularLooks;
}

/// The place between the two at which the function is least, by golden section.
double least_between(const std::function<double(double)>& f, double low, double high) {
  double first = low + kGoldenPart * (high - low), second = high - kGoldenPart * (high - low);
  double at_first = f(first), at_second = f(second);
  for (int k = 0; k < kNarrowings; ++k) {
    if (at_first < at_second) {
      high = second;
      second = first;
      at_second = at_first;
      first = low + kGoldenPart * (high - low);
      at_first = f(first);
    } else {
      low = first;
      first = second;
      at_first = at_second;
      second = high - kGoldenPart * (high - low);
      at_second = f(second);
    }
  }
  return at_first < at_second ? first : second;
}

/// Where the function, which grows from `least` towards `end`, reaches a value; `end` where it does not.
double reaches(const std::function<double(double)>& f, double least, double end, double value) {
  double inside = least, outside = end;
  if (f(outside) <= value) return end;
  for (int k = 0; k < kNarrowings; ++k) {
    const double middle = 0.5 * (inside + outside);
    (f(middle) <= value ? inside : outside) = middle;
  }
  return outside;
}

/// The polynomial through these places.
struct Interpolant {
  std::array<double, kPlaces> places{}, values{};

  [[nodiscard]] double operator()(double time) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < kPlaces; ++k) {
      double part = values[k];
      for (std::size_t j = 0; j < kPlaces; ++j)
        if (j != k) part *= (time - places[j]) / (places[k] - places[j]);
      sum += part;
    }
    return sum;
  }
};

/// What V comes to at the least, and when.
struct Bottom {
  double time;
  double value;
  double nearest;  ///< V at the nearest place that it was extrapolated from
};

/// V relative to the largest that was looked at.
struct RelativeVolume {
  const VolumeOnMotion& volume;
  double log_most;

  [[nodiscard]] double operator()(double time) const { return std::exp(volume.as_integrated(time) - log_most); }
  [[nodiscard]] std::optional<double> on_joints(double time) const {
    const std::optional<double> found = volume.on_joints(time);
    return found ? std::optional(std::exp(*found - log_most)) : std::nullopt;
  }
};

/// From the side of the least place on which `end` lies.
std::optional<Bottom> extrapolated(const RelativeVolume& volume, double least, double end) {
  const double value = std::max(volume(least), kNothingLeft);
  double near = kNearPart, far = kFarPart;
  for (int retreat = 0; retreat < kRetreats; ++retreat, near *= 4.0, far *= 4.0) {
    const double first = reaches(volume, least, end, near * value), last = reaches(volume, least, end, far * value);
    if (!(std::abs(last - least) > 2.0 * std::abs(first - least))) return std::nullopt;
    Interpolant through;
    bool known = true;
    for (std::size_t k = 0; k < kPlaces && known; ++k) {
      const double part = 0.5 - 0.5 * std::cos(std::numbers::pi * static_cast<double>(k) / (kPlaces - 1));
      through.places[k] = first + part * (last - first);
      const std::optional<double> there = volume.on_joints(through.places[k]);
      known = there.has_value();
      through.values[k] = there.value_or(0.0);
    }
    if (!known) continue;
    const double beyond = least - (first - least);
    const double time = least_between(through, std::min(first, beyond), std::max(first, beyond));
    return Bottom{time, through(time), through.values[0]};
  }
  return std::nullopt;
}

/// Between the looks around one at which V is less than at its neighbours.
std::optional<double> instant_near(const RelativeVolume& relative, const SingularStretch& stretch, int look,
                                   double around) {
  const auto& [from, to, farthest] = stretch;
  const double least = least_between(relative, place_of(stretch, std::max(look - 1, 0)),
                                     place_of(stretch, std::min(look + 1, kSingularLooks)));
  if (relative(least) > kAtLeast * around) return std::nullopt;
  std::optional<Bottom> bottom = extrapolated(relative, least, from);
  if (!bottom) bottom = extrapolated(relative, least, to);
  if (!bottom || !(bottom->value <= kNegligible * bottom->nearest) || !(bottom->time >= from)) return std::nullopt;
  // Beyond the end it is the next step's.
  if (bottom->time > to + kJustBeyond * (to - from)) return std::nullopt;
  return std::min(bottom->time, farthest);
}

/// Steps get shorter and shorter towards a singular position, and end a little before it: where √V, about linear there,
/// comes to zero beyond the end, by inverse quadratic interpolation of three places.
double zero_beyond(const RelativeVolume& relative, const SingularStretch& stretch) {
  const auto& [from, to, farthest] = stretch;
  const double part = 0.25 * (to - from);
  const std::array<double, 3> places = {to - part, to - 2.0 * part, to - 3.0 * part};
  std::array<double, 3> left{};
  for (std::size_t k = 0; k < 3; ++k) left[k] = std::sqrt(relative.on_joints(places[k]).value_or(0.0));
  if (!(left[0] > 0.0 && left[1] > left[0] && left[2] > left[1])) return to;
  double zero = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double other = left[(k + 1) % 3], third = left[(k + 2) % 3];
    zero += places[k] * other * third / ((left[k] - other) * (left[k] - third));
  }
  return std::clamp(zero, to, farthest);
}

}  // namespace

std::optional<double> singular_instant(const VolumeOnMotion& volume, const SingularStretch& stretch) {
  std::array<double, kSingularLooks + 1> seen{};
  for (int look = 0; look <= kSingularLooks; ++look)
    seen[at_look(look)] = volume.as_integrated(place_of(stretch, look));
  const RelativeVolume relative{volume, *std::max_element(seen.begin(), seen.end())};
  for (int look = 0; look <= kSingularLooks; ++look) {
    const double here = seen[at_look(look)], before = seen[at_look(look - 1)], after = seen[at_look(look + 1)];
    if (here > before || here > after) continue;
    const double around = std::exp(std::max(before, after) - relative.log_most);
    if (const std::optional<double> found = instant_near(relative, stretch, look, around)) return found;
  }
  return volume.is_blocked(stretch.to) ? std::optional(zero_beyond(relative, stretch)) : std::nullopt;
}

}  // namespace carom
