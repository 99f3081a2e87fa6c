#include "carom/analysis/record_signal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "carom/analysis/quantity_value.h"
#include "carom/base/error.h"
#include "carom/base/utf8.h"

namespace carom {
namespace {

constexpr std::size_t kLeastSamples = 2 * kLeastSegment;
constexpr double kUneven = 1e-6;  // of a step; times of samples are multiples of it but for round-off

/// Samples [first, end) at even steps.
struct EvenSamples {
  std::size_t first = 0;
  std::size_t end = 0;
  double step = 0.0;
};

/// None where the samples are not at even steps.
std::optional<EvenSamples> even_samples(const std::vector<double>& time) {
  if (time.size() < kLeastSamples)
    throw InputError(Kind::out_of_range, "samples",
                     fmt::format("the record has {} samples, and a spectrum needs at least {}; a smaller output_step "
                                 "gives more",
                                 time.size(), kLeastSamples));
  const std::size_t last = time.size() - 1;
  const double step = (time[last - 1] - time[1]) / static_cast<double>(last - 2);
  const auto even = [&time, step](std::size_t i) { return std::abs(time[i + 1] - time[i] - step) <= kUneven * step; };
  for (std::size_t i = 1; i + 2 <= last; ++i) {
    if (!(step > 0.0 && even(i))) return std::nullopt;
  }
  return EvenSamples{even(0) ? 0u : 1u, even(last - 1) ? last + 1 : last, step};
}

/// As many values as there are samples, at even steps over the same time, by the motion between the samples.
Signal resampled(RecordReader& record, const Quantity& quantity, const std::vector<double>& time) {
  const bool grows = std::is_sorted(time.begin(), time.end()) && time.back() > time.front();
  if (!grows || !is_known_between(quantity)) {
    throw InputError(
        Kind::unsupported, "samples",
        fmt::format("the samples are not evenly spaced, and {} is known at these alone", printable(quantity.name)));
  }
  QuantityReader reader(record);
  Signal signal{(time.back() - time.front()) / static_cast<double>(time.size() - 1), {}};
  for (std::size_t i = 0; i < time.size(); ++i) {
    const double at = std::min(time.front() + static_cast<double>(i) * signal.step, time.back());
    signal.values.push_back(reader.at(quantity, at));
  }
  return signal;
}

[[noreturn]] void refuse_values(RecordReader& record, const Quantity& quantity) {
  if (quantity.name.ends_with(".radial")) {
    const std::string& body = record.info().objects[quantity.a];
    const Quantity distance = body_quantity(record.info(), Measure::position, body, "radial");
    const Series series = QuantityReader(record).read({&distance, 1})[0];
    if (std::find(series.value.begin(), series.value.end(), 0.0) != series.value.end())
      throw InputError(Kind::unsupported, "axis",
                       "axis is radial, but the body is at the origin, where this means nothing");
  }
  throw InputError(Kind::not_finite, "samples", printable(quantity.name) + " is not finite everywhere");
}

}  // namespace

Signal record_signal(RecordReader& record, const Quantity& quantity) {
  if (quantity.at_events()) {
    throw InputError(Kind::unsupported, "quantity",
                     fmt::format("{} is known at events only and has no spectrum", printable(quantity.name)));
  }
  const std::vector<double> time = record.series("/time", 0, record.sample_count());
  Signal signal;
  if (std::optional<EvenSamples> samples = even_samples(time)) {
    if (quantity.measure == Measure::acceleration) {
      // The samples at the ends would spoil the even step.
      ++samples->first;
      --samples->end;
    }
    Series series = QuantityReader(record).read({&quantity, 1}, {time[samples->first], time[samples->end - 1]})[0];
    signal = {samples->step, std::move(series.value)};
  } else {
    signal = resampled(record, quantity, time);
  }
  if (!std::all_of(signal.values.begin(), signal.values.end(), [](double value) { return std::isfinite(value); })) {
    refuse_values(record, quantity);
  }
  return signal;
}

}  // namespace carom
