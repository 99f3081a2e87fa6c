#include "carom/analysis/record_signal.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "carom/base/error.h"
#include "carom/base/nearest_name.h"

namespace carom {
namespace {

using Eigen::Vector3d;

constexpr std::size_t kLeastSamples = 2 * kLeastSegment;
constexpr double kUneven = 1e-6;  // of a step; times of samples are multiples of it but for round-off

std::size_t find_body(const RecordInfo& info, std::string_view name) {
  const auto end = info.objects.begin() + static_cast<std::ptrdiff_t>(info.bodies);
  const auto found = std::find(info.objects.begin(), end, name);
  if (found != end) return static_cast<std::size_t>(found - info.objects.begin());
  const std::vector<std::string_view> known(info.objects.begin(), end);
  throw InputError(Kind::unknown_name, "body", unknown_name_message("body", name, known));
}

/// Samples [first, end) at even steps.
struct EvenSamples {
  std::size_t first = 0;
  std::size_t end = 0;
  double step = 0.0;
};

EvenSamples even_samples(const std::vector<double>& time) {
  if (time.size() < kLeastSamples)
    throw InputError(Kind::out_of_range, "samples",
                     fmt::format("the record has {} samples, and a spectrum needs at least {}; a smaller output_step "
                                 "gives more",
                                 time.size(), kLeastSamples));
  const std::size_t last = time.size() - 1;
  const double step = (time[last - 1] - time[1]) / static_cast<double>(last - 2);
  const auto even = [&time, step](std::size_t i) { return std::abs(time[i + 1] - time[i] - step) <= kUneven * step; };
  for (std::size_t i = 1; i + 2 <= last; ++i) {
    if (step > 0.0 && even(i)) continue;
    throw InputError(Kind::unsupported, "samples",
                     fmt::format("the samples are not evenly spaced: {:.9g} s between those at {:.9g} s and {:.9g} s, "
                                 "{:.9g} s on average",
                                 time[i + 1] - time[i], time[i], time[i + 1], step));
  }
  return {even(0) ? 0u : 1u, even(last - 1) ? last + 1 : last, step};
}

/// A column of one body, read in pieces: a record holds all bodies in one row.
std::vector<Vector3d> read_vectors(const RecordReader& record, const char* path, std::size_t body,
                                   const EvenSamples& samples) {
  constexpr std::size_t kBlock = 4096;
  const std::size_t row = 3 * record.info().bodies;
  std::vector<Vector3d> vectors;
  vectors.reserve(samples.end - samples.first);
  for (std::size_t first = samples.first; first < samples.end; first += kBlock) {
    const std::size_t count = std::min(kBlock, samples.end - first);
    const std::vector<double> values = record.series(path, first, count);
    for (std::size_t i = 0; i < count; ++i) vectors.emplace_back(values.data() + i * row + 3 * body);
  }
  return vectors;
}

/// Drops the ends.
std::vector<Vector3d> central_differences(const std::vector<Vector3d>& values, double step) {
  std::vector<Vector3d> slopes;
  slopes.reserve(values.size());
  for (std::size_t i = 1; i + 1 < values.size(); ++i) slopes.push_back((values[i + 1] - values[i - 1]) / (2.0 * step));
  return slopes;
}

void project_onto_radius(std::vector<Vector3d>& vectors, const std::vector<Vector3d>& positions, std::size_t skipped) {
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const Vector3d& position = positions[i + skipped];
    const double radius = position.norm();
    if (!(radius > 0.0))
      throw InputError(Kind::unsupported, "axis",
                       "axis is radial, but the body is at the origin, where this means nothing");
    vectors[i].x() = vectors[i].dot(position) / radius;
  }
}

}  // namespace

std::vector<std::string_view> quantity_names() {
  return {"acceleration", "velocity", "position"};
}

std::vector<std::string_view> component_names() {
  return {"x", "y", "z", "radial"};
}

std::string_view unit_name(Quantity quantity) {
  constexpr std::string_view kUnits[] = {"m/s²", "m/s", "m"};
  return kUnits[static_cast<int>(quantity)];
}

Signal record_signal(const RecordReader& record, std::string_view body, Quantity quantity, Component component) {
  const std::size_t index = find_body(record.info(), body);
  const EvenSamples samples = even_samples(record.series("/time", 0, record.sample_count()));
  const char* const path = quantity == Quantity::position ? "/position" : "/velocity";
  std::vector<Vector3d> vectors = read_vectors(record, path, index, samples);
  const std::size_t skipped = quantity == Quantity::acceleration ? 1 : 0;
  if (quantity == Quantity::acceleration) vectors = central_differences(vectors, samples.step);
  int coordinate = static_cast<int>(component);
  if (component == Component::radial) {
    project_onto_radius(vectors, read_vectors(record, "/position", index, samples), skipped);
    coordinate = 0;
  }
  Signal signal{samples.step, std::vector<double>(vectors.size())};
  for (std::size_t i = 0; i < vectors.size(); ++i) signal.values[i] = vectors[i][coordinate];
  if (!std::all_of(signal.values.begin(), signal.values.end(), [](double value) { return std::isfinite(value); }))
    throw InputError(Kind::not_finite, "samples",
                     fmt::format("the {} of '{}' is not finite everywhere", path + 1, body));
  return signal;
}

}  // namespace carom
