#include "carom/analysis/spectrum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

#include "carom/analysis/fourier.h"
#include "carom/base/error.h"
#include "carom/base/random.h"

namespace carom {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

Signal sampled(double rate, std::size_t samples, const std::function<double(double)>& function) {
  Signal signal{1.0 / rate, std::vector<double>(samples)};
  for (std::size_t j = 0; j < samples; ++j) signal.values[j] = function(static_cast<double>(j) / rate);
  return signal;
}

/// Uniform noise of variance one.
Signal noise(double rate, std::size_t samples, std::uint64_t seed) {
  Random random(seed);
  return sampled(rate, samples, [&random](double) { return random.uniform(-std::sqrt(3.0), std::sqrt(3.0)); });
}

double integral(const Spectrum& spectrum) {
  double sum = 0.0;
  for (const double level : spectrum.level) sum += level * spectrum.resolution();
  return sum;
}

TEST(Fourier, AgreesWithItsDefinition) {
  Random random(1);
  for (const std::size_t length : {1u, 2u, 7u, 12u, 31u}) {
    std::vector<double> values(length);
    for (double& value : values) value = random.uniform(-1.0, 1.0);
    const auto coefficients = fourier_transform(values);
    ASSERT_EQ(coefficients.size(), length / 2 + 1);
    for (std::size_t k = 0; k < coefficients.size(); ++k) {
      std::complex<double> sum = 0.0;
      for (std::size_t j = 0; j < length; ++j)
        sum += values[j] * std::polar(1.0, -kTurn * static_cast<double>(j * k) / static_cast<double>(length));
      EXPECT_LT(std::abs(coefficients[k] - sum), 1e-13) << length << " " << k;
    }
  }
}

TEST(Fourier, TheInverseUndoesIt) {
  const Signal signal = noise(1.0, 101, 2);
  const auto half = fourier_transform(signal.values);
  std::vector<std::complex<double>> all(101);
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = k < half.size() ? half[k] : std::conj(half[101 - k]);
  const auto back = inverse_fourier_transform(all);
  for (std::size_t j = 0; j < back.size(); ++j) EXPECT_LT(std::abs(back[j] - signal.values[j]), 1e-14);
}

TEST(Welch, KeepsParsevalsTheoremExactly) {
  for (const std::size_t length : {64u, 75u}) {
    const Signal signal = noise(50.0, 300, 3);
    const Spectrum spectrum = welch_spectrum(signal, static_cast<double>(length) / 50.0);
    const std::size_t advance = length - length / 2;
    double expected = 0.0;
    std::size_t segments = 0;
    for (std::size_t first = 0; first + length <= 300; first += advance, ++segments) {
      double mean = 0.0, weighted = 0.0, weights = 0.0;
      for (std::size_t j = 0; j < length; ++j) mean += signal.values[first + j] / static_cast<double>(length);
      for (std::size_t j = 0; j < length; ++j) {
        const double w = std::pow(std::sin(0.5 * kTurn * static_cast<double>(j) / static_cast<double>(length)), 2);
        weighted += std::pow(w * (signal.values[first + j] - mean), 2);
        weights += w * w;
      }
      expected += weighted / weights;
    }
    EXPECT_EQ(spectrum.segments, segments);
    EXPECT_NEAR(integral(spectrum), expected / static_cast<double>(segments), 1e-13);
    EXPECT_NEAR(spectrum.frequency.back(), length % 2 == 0 ? 25.0 : 25.0 - 25.0 / 75.0, 1e-12);
  }
}

TEST(Welch, WhiteNoiseIsFlatAtTwiceItsVarianceOverTheRate) {
  // 2·σ²/f_s over [0, f_s/2]. With K segments averaged a level scatters by about 1/√K = 4.5 %, their mean by far less.
  const Signal signal = noise(200.0, 64000, 4);
  const Spectrum spectrum = welch_spectrum(signal, 128 / 200.0);
  EXPECT_NEAR(integral(spectrum), 1.0, 0.02);
  for (std::size_t k = 2; k + 1 < spectrum.level.size(); ++k) EXPECT_NEAR(spectrum.level[k], 0.01, 0.01 * 6 * 0.045);
}

TEST(Welch, ASineInNoiseShowsItsFrequencyAndItsPower) {
  // Frequencies on a bin, between bins, and anywhere. The noise adds up to 4 bins · 2σ²/f_s · Δf to the line's power.
  for (const double frequency : {40.0, 40.25, 40.1234, 155.37}) {
    const double amplitude = 3.0;
    Signal signal = noise(500.0, 20000, 5);
    for (std::size_t j = 0; j < signal.values.size(); ++j)
      signal.values[j] =
          0.1 * signal.values[j] + amplitude * std::sin(kTurn * frequency * static_cast<double>(j) / 500.0);
    const Spectrum spectrum = welch_spectrum(signal, 2.0);
    const std::vector<Peak> peaks = strongest_peaks(spectrum, 3);
    ASSERT_FALSE(peaks.empty());
    EXPECT_NEAR(peaks[0].frequency, frequency, 0.05 * spectrum.resolution()) << frequency;
    EXPECT_NEAR(peaks[0].rms, amplitude / std::numbers::sqrt2, 0.003 * amplitude) << frequency;
    EXPECT_NEAR(integral(spectrum), 0.5 * amplitude * amplitude + 0.01, 0.05);
    if (peaks.size() > 1) {
      EXPECT_LT(peaks[1].level, 1e-3 * peaks[0].level) << frequency;
    }
  }
}

TEST(Welch, AConstantHasNoSpectrum) {
  const Signal signal = sampled(10.0, 100, [](double) { return 1e6; });
  for (const double level : welch_spectrum(signal, 2.5).level) EXPECT_NEAR(level, 0.0, 1e-6);
}

TEST(Welch, TheDefaultIsSevenSegments) {
  for (std::size_t samples = 4000; samples < 4008; ++samples) {
    const Signal signal = noise(100.0, samples, 6);
    const Spectrum spectrum = welch_spectrum(signal, default_segment(signal));
    EXPECT_EQ(spectrum.segments, 7u);
    EXPECT_NEAR(spectrum.resolution(), 0.1, 1e-14);
  }
}

TEST(Welch, SegmentsThatCannotBeAreRefused) {
  const Signal signal = noise(100.0, 400, 7);
  for (const double segment : {0.0, -1.0, 0.05, 4.01, 1e300, HUGE_VAL, std::nan("")}) {
    try {
      welch_spectrum(signal, segment);
      ADD_FAILURE() << segment;
    } catch (const InputError& error) {
      EXPECT_EQ(error.kind(), Kind::out_of_range);
      EXPECT_EQ(error.place().field, "segment");
    }
  }
  EXPECT_EQ(welch_spectrum(signal, 4.0).segments, 1u);
  EXPECT_EQ(welch_spectrum(signal, 0.08).level.size(), 5u);
}

TEST(Peaks, AreNotTheLeakageOfStrongerOnes) {
  // Two clean sines, one a ten-thousandth of the other: two peaks and nothing else.
  const Signal signal =
      sampled(1000.0, 8000, [](double t) { return std::sin(kTurn * 100.3 * t) + 1e-4 * std::sin(kTurn * 300.7 * t); });
  const std::vector<Peak> peaks = strongest_peaks(welch_spectrum(signal, 1.0), 12);
  ASSERT_EQ(peaks.size(), 2u);
  EXPECT_NEAR(peaks[0].frequency, 100.3, 0.05);
  EXPECT_NEAR(peaks[1].frequency, 300.7, 0.05);
  EXPECT_NEAR(peaks[1].rms, 1e-4 / std::numbers::sqrt2, 1e-6);
}

/// A carrier of 200 Hz with amplitude 1 + ½ cos(2π·7t).
double modulated(double t) {
  return (1.0 + 0.5 * std::cos(kTurn * 7.0 * t)) * std::sin(kTurn * 200.0 * t);
}

TEST(Envelope, IsTheAmplitudeOfAModulatedCarrier) {
  const Signal signal = sampled(2000.0, 8000, modulated);
  const Signal result = envelope(signal, {150.0, 250.0});
  for (std::size_t j = 0; j < result.values.size(); ++j)
    EXPECT_NEAR(result.values[j], 1.0 + 0.5 * std::cos(kTurn * 7.0 * static_cast<double>(j) / 2000.0), 1e-10);
}

TEST(Envelope, ItsSpectrumShowsTheModulation) {
  // Among noise and a stronger line far below the carrier.
  Signal signal = sampled(2000.0, 20000, [](double t) { return modulated(t) + 5.0 * std::sin(kTurn * 13.0 * t); });
  const Signal disturbance = noise(2000.0, 20000, 8);
  for (std::size_t j = 0; j < signal.values.size(); ++j) signal.values[j] += 0.2 * disturbance.values[j];
  const Spectrum density = welch_spectrum(signal, 2.0);
  EXPECT_NEAR(strongest_peaks(density, 1)[0].frequency, 13.0, 0.05);
  const Band band = strongest_band(density, 50.0);
  EXPECT_NEAR(band.low, 100.0, 0.3);
  EXPECT_NEAR(band.high, 300.0, 0.8);
  const Peak peak = strongest_peaks(welch_spectrum(envelope(signal, band), 2.0), 1)[0];
  EXPECT_NEAR(peak.frequency, 7.0, 0.03);
  EXPECT_NEAR(peak.rms, 0.5 / std::numbers::sqrt2, 0.01);
}

TEST(Envelope, ABandUpToHalfTheRateKeepsTheWholeSignal) {
  // The real part of the analytic signal is the signal, so the envelope is nowhere below it.
  for (const std::size_t samples : {400u, 401u}) {
    const Signal signal = noise(100.0, samples, 9);
    double mean = 0.0;
    for (const double value : signal.values) mean += value / static_cast<double>(samples);
    const Signal result = envelope(signal, {0.0, 50.0});
    for (std::size_t j = 0; j < samples; ++j) EXPECT_GE(result.values[j], std::abs(signal.values[j] - mean) - 1e-12);
  }
}

TEST(Envelope, TheStrongestBandEndsAtHalfTheRate) {
  const Signal signal = sampled(100.0, 1000, [](double t) { return std::sin(kTurn * 45.0 * t); });
  const Band band = strongest_band(welch_spectrum(signal, 2.0), 5.0);
  EXPECT_NEAR(band.low, 22.5, 1e-12);
  EXPECT_NEAR(band.high, 50.0, 1e-12);
  EXPECT_EQ(envelope(signal, band).values.size(), 1000u);
}

TEST(Envelope, BandsThatCannotBeAreRefused) {
  const Signal signal = noise(100.0, 400, 10);
  for (const Band& band : {Band{10.0, 50.1}, Band{20.0, 10.0}, Band{-1.0, 10.0}, Band{10.0, 10.0}, Band{10.05, 10.1},
                           Band{std::nan(""), 10.0}, Band{10.0, INFINITY}}) {
    try {
      envelope(signal, band);
      ADD_FAILURE() << band.low << " " << band.high;
    } catch (const InputError& error) {
      EXPECT_EQ(error.kind(), Kind::out_of_range);
      EXPECT_EQ(error.place().field, "band");
    }
  }
}

}  // namespace
}  // namespace carom
