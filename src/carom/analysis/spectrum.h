#pragma once
/// Spectra of evenly sampled signals: power density by Welch's method, the spectrum of the envelope, and the lines that
/// stand out.
///
/// Sources: Welch, IEEE Trans. Audio Electroacoust. 15 (1967) 70; Randall & Antoni, Mech. Syst. Signal Process. 25
/// (2011) 485 (envelope analysis of bearings).

#include <cstddef>
#include <span>
#include <vector>

namespace carom {

/// x_j = values[j] at times j·step apart.
struct Signal {
  double step = 0.0;  ///< [s], > 0
  std::vector<double> values;

  [[nodiscard]] double duration() const { return step * static_cast<double>(values.size()); }
  [[nodiscard]] double nyquist() const { return 0.5 / step; }
};

/// One-sided power density. Its integral over the frequencies is the mean square of the signal about its mean.
struct Spectrum {
  std::vector<double> frequency;  ///< [Hz], evenly spaced from 0 to the Nyquist frequency
  std::vector<double> level;      ///< [unit²/Hz]
  std::size_t segments = 0;       ///< how many segments were averaged

  [[nodiscard]] double resolution() const { return frequency.size() < 2 ? 0.0 : frequency[1]; }  ///< [Hz]
};

/// Shortest segment of which a spectrum is made [samples].
inline constexpr std::size_t kLeastSegment = 8;

/// Welch's estimate: segments of `segment` seconds, half overlapping, each less its own mean and under Hann's window
/// w_j = ½(1 − cos(2πj/N)):
///
///     level_k = (2/(f_s Σw²)) · mean over the segments of |Σ_j w_j x_j e^{−2πi jk/N}|²     (once at 0 and at Nyquist)
///
/// so that Σ_k level_k Δf = mean of Σ(w x)²/Σw² exactly (Parseval). A sine of amplitude A between the lines shows as a
/// line four bins wide with Σ level Δf = A²/2. Samples behind the last whole segment are not used.
/// Throws InputError: out_of_range where the segment is shorter than kLeastSegment samples or longer than the signal.
Spectrum welch_spectrum(const Signal& signal, double segment);

/// A quarter of the signal, in an even number of samples: seven segments that overlap by just their halves.
double default_segment(const Signal& signal);

struct Band {
  double low = 0.0;   ///< [Hz]
  double high = 0.0;  ///< [Hz]
};

/// About the strongest level at or above `from`: half its frequency to one and a half times, at most the Nyquist
/// frequency. A resonance that a fault excites stands there, and the lines of the fault beside it.
Band strongest_band(const Spectrum& spectrum, double from);

/// |z| of the analytic signal z in a band: the Fourier coefficients of positive frequencies within it, doubled, all
/// others zero. The signal counts as periodic, so the first and last few periods of the band's width are disturbed.
/// Throws InputError (out_of_range) for a band that is empty, holds no line or ends beyond the Nyquist frequency.
Signal envelope(const Signal& signal, const Band& band);

struct Peak {
  double frequency = 0.0;  ///< [Hz], by a parabola through the logarithms of the highest level and its neighbours
  double level = 0.0;      ///< highest level [unit²/Hz]
  double rms = 0.0;        ///< of the line, √(Σ level Δf) over the two bins on either side [unit]
};

/// At most the `count` strongest local maxima above frequency 0, the strongest first; without those that are explained
/// by the leakage of a stronger one through the window, or by round-off.
std::vector<Peak> strongest_peaks(const Spectrum& spectrum, std::size_t count);

}  // namespace carom
