#include "carom/analysis/record_signal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
  EvenSamples samples = even_samples(time);
  if (quantity.measure == Measure::acceleration) {
    // The samples at the ends would spoil the even step.
    ++samples.first;
    --samples.end;
  }
  Series series = QuantityReader(record).read({&quantity, 1}, {time[samples.first], time[samples.end - 1]})[0];
  if (!std::all_of(series.value.begin(), series.value.end(), [](double value) { return std::isfinite(value); })) {
    refuse_values(record, quantity);
  }
  return {samples.step, std::move(series.value)};
}

}  // namespace carom
