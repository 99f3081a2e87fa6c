#pragma once
/// Spectra of a body, for programs and for people.

#include <optional>
#include <string>

#include "carom/analysis/bearing.h"
#include "carom/analysis/picture.h"
#include "carom/analysis/quantity.h"
#include "carom/analysis/spectrum.h"
#include "carom/base/json.h"

namespace carom::app {

/// What `carom spectrum` has computed.
struct SpectrumResult {
  std::string body, component;
  Quantity quantity;
  std::size_t samples = 0;
  double sampling_rate = 0.0;  ///< [Hz]
  Spectrum density;
  std::optional<Band> band;           ///< of the envelope
  std::optional<Spectrum> envelope;   ///< at the frequencies of `density`
  std::optional<BearingLines> lines;  ///< where a bearing was given
};

/// {"body", …, "psd": {"frequency", "level"}, "envelope": {"band", "frequency", "level", "peaks"} or null,
/// "lines": {"FTF", "BPFO", "BPFI", "BSF"} or null, "peaks": [{"frequency", "level", "rms", "name"}]}
Json spectrum_json(const SpectrumResult& result);

/// The strongest lines of each spectrum in a table.
std::string spectrum_text(const SpectrumResult& result);

/// A row per frequency: frequency, level of the density, level of the envelope's where there is one.
std::string spectrum_csv(const SpectrumResult& result);

/// The density over the frequency, below it that of the envelope where there is one, with the lines of the bearing. The
/// envelope is shown as far as its lines reach.
Picture spectrum_picture(const SpectrumResult& result, const std::string& title);

}  // namespace carom::app
