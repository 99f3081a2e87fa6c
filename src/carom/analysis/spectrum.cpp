#include "carom/analysis/spectrum.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include "carom/analysis/fourier.h"
#include "carom/base/error.h"

namespace carom {
namespace {

/// Hann's window, and Σw².
struct Window {
  explicit Window(std::size_t length) : weights(length) {
    const double turn = 2.0 * std::numbers::pi / static_cast<double>(length);
    for (std::size_t j = 0; j < length; ++j) {
      weights[j] = 0.5 - 0.5 * std::cos(turn * static_cast<double>(j));
      square_sum += weights[j] * weights[j];
    }
  }
  std::vector<double> weights;
  double square_sum = 0.0;
};

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::size_t segment_length(const Signal& signal, double segment) {
  const double length = std::round(segment / signal.step);
  if (!(length >= static_cast<double>(kLeastSegment) && length <= static_cast<double>(signal.values.size())))
    throw InputError(
        Kind::out_of_range, "segment",
        fmt::format("segment is {} s, expected from {} samples ({:.6g} s) to the whole signal of {} samples ({:.6g} s)",
                    segment, kLeastSegment, static_cast<double>(kLeastSegment) * signal.step, signal.values.size(),
                    signal.duration()));
  return static_cast<std::size_t>(length);
}

constexpr double kRoundOff = 1e-20;  // of the strongest level; amplitudes of 1e-10 of it are no lines

std::vector<Peak> local_maxima(const Spectrum& spectrum) {
  const std::vector<double>& level = spectrum.level;
  const double resolution = spectrum.resolution();
  std::vector<Peak> maxima;
  for (std::size_t k = 1; k + 1 < level.size(); ++k) {
    if (!(level[k] > level[k - 1] && level[k] >= level[k + 1])) continue;
    double shift = 0.0;
    if (level[k - 1] > 0.0 && level[k + 1] > 0.0) {
      const double left = std::log(level[k - 1] / level[k]);
      const double right = std::log(level[k + 1] / level[k]);
      shift = 0.5 * (left - right) / (left + right);
    }
    double power = 0.0;
    for (std::size_t i = k < 2 ? 0 : k - 2; i < std::min(k + 3, level.size()); ++i) power += level[i] * resolution;
    maxima.push_back({resolution * (static_cast<double>(k) + shift), level[k], std::sqrt(power)});
  }
  return maxima;
}

/// The highest level that a sine under Hann's window can leave at a distance in bins beyond its main lobe, where the
/// transform of the window falls like 1/(πm(m² − 1)); twice that amplitude, since a line between two bins is higher
/// than either shows.
double leakage(const Peak& peak, double bins) {
  if (bins < 2.0) return peak.level;
  const double amplitude = 2.0 / (std::numbers::pi * bins * (bins * bins - 1.0));
  return peak.level * amplitude * amplitude;
}

}  // namespace

double default_segment(const Signal& signal) {
  const std::size_t quarter = std::max(signal.values.size() / 8 * 2, kLeastSegment);
  return signal.step * static_cast<double>(quarter);
}

Spectrum welch_spectrum(const Signal& signal, double segment) {
  const std::size_t length = segment_length(signal, segment);
  const std::size_t advance = length - length / 2;
  const Window window(length);
  Spectrum spectrum;
  spectrum.level.assign(length / 2 + 1, 0.0);
  std::vector<double> windowed(length);
  for (std::size_t first = 0; first + length <= signal.values.size(); first += advance) {
    const std::span<const double> part = std::span(signal.values).subspan(first, length);
    const double centre = mean(part);
    for (std::size_t j = 0; j < length; ++j) windowed[j] = window.weights[j] * (part[j] - centre);
    const std::vector<std::complex<double>> coefficients = fourier_transform(windowed);
    for (std::size_t k = 0; k < coefficients.size(); ++k) spectrum.level[k] += std::norm(coefficients[k]);
    ++spectrum.segments;
  }
  const double scale = 2.0 * signal.step / (window.square_sum * static_cast<double>(spectrum.segments));
  for (double& level : spectrum.level) level *= scale;
  spectrum.level.front() *= 0.5;
  if (length % 2 == 0) spectrum.level.back() *= 0.5;
  const double resolution = 1.0 / (signal.step * static_cast<double>(length));
  for (std::size_t k = 0; k < spectrum.level.size(); ++k)
    spectrum.frequency.push_back(resolution * static_cast<double>(k));
  return spectrum;
}

Band strongest_band(const Spectrum& spectrum, double from) {
  std::size_t strongest = spectrum.level.size() - 1;
  for (std::size_t k = spectrum.level.size(); k-- > 1;) {
    if (spectrum.frequency[k] < from) break;
    if (spectrum.level[k] > spectrum.level[strongest]) strongest = k;
  }
  const double centre = spectrum.frequency[strongest];
  return {.low = 0.5 * centre, .high = std::min(1.5 * centre, spectrum.frequency.back())};
}

Signal envelope(const Signal& signal, const Band& band) {
  const double nyquist = signal.nyquist();
  // The frequencies of a spectrum of odd length end a little below Nyquist; rounding must not push a band beyond.
  if (!(band.low >= 0.0 && band.low < band.high && band.high <= nyquist * (1.0 + 1e-12)))
    throw InputError(Kind::out_of_range, "band",
                     fmt::format("band is {:.6g} to {:.6g} Hz, expected 0 ≤ low < high ≤ {:.6g} Hz, half the sampling "
                                 "rate",
                                 band.low, band.high, nyquist));
  const std::size_t length = signal.values.size();
  const double resolution = 1.0 / signal.duration();
  std::vector<std::complex<double>> coefficients = fourier_transform(signal.values);
  bool any = false;
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    const double frequency = resolution * static_cast<double>(k);
    const bool inside = k > 0 && frequency >= band.low && frequency <= band.high * (1.0 + 1e-12);
    const bool its_own_conjugate = 2 * k == length;
    if (!inside) coefficients[k] = 0.0;
    if (inside && !its_own_conjugate) coefficients[k] *= 2.0;
    any = any || inside;
  }
  if (!any)
    throw InputError(Kind::out_of_range, "band",
                     fmt::format("band is {:.6g} to {:.6g} Hz, narrower than the {:.6g} Hz that the signal resolves",
                                 band.low, band.high, resolution));
  coefficients.resize(length);
  Signal result{signal.step, std::vector<double>(length)};
  const std::vector<std::complex<double>> analytic = inverse_fourier_transform(coefficients);
  for (std::size_t j = 0; j < length; ++j) result.values[j] = std::abs(analytic[j]);
  return result;
}

std::vector<Peak> strongest_peaks(const Spectrum& spectrum, std::size_t count) {
  std::vector<Peak> maxima = local_maxima(spectrum);
  std::stable_sort(maxima.begin(), maxima.end(), [](const Peak& a, const Peak& b) { return a.level > b.level; });
  std::vector<Peak> peaks;
  for (const Peak& peak : maxima) {
    if (peaks.size() == count || peak.level < kRoundOff * maxima.front().level) break;
    const bool leaked = std::any_of(peaks.begin(), peaks.end(), [&peak, &spectrum](const Peak& stronger) {
      return peak.level <= leakage(stronger, std::abs(peak.frequency - stronger.frequency) / spectrum.resolution());
    });
    if (!leaked) peaks.push_back(peak);
  }
  return peaks;
}

}  // namespace carom
