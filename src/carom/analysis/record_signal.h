#pragma once
/// One number of one body over the samples of a record, as a signal.

#include <string>
#include <string_view>
#include <vector>

#include "carom/analysis/spectrum.h"
#include "carom/record/record_reader.h"

namespace carom {

enum class Quantity { acceleration, velocity, position };
enum class Component {
  x,
  y,
  z,
  radial,  ///< along the body's position as seen from the origin
};

/// `acceleration`, `velocity`, `position`; `x`, `y`, `z`, `radial`: in the order of the enumerators.
std::vector<std::string_view> quantity_names();
std::vector<std::string_view> component_names();

/// `m/s²`, `m/s`, `m`.
std::string_view unit_name(Quantity quantity);

/// Samples are taken at even steps; the first and the last one, which stand where the run began and ended, are left out
/// where they do not fall onto these.
///
/// Accelerations are central differences of the recorded velocities, (v_{j+1} − v_{j−1})/(2Δt), which are of second
/// order: an oscillation of frequency f appears with sin(2πfΔt)/(2πfΔt) of its amplitude, 97 % at a fifteenth of the
/// sampling rate, 64 % at a quarter of it. The first and the last sample have none.
///
/// Throws InputError: unknown_name with the nearest body; out_of_range where there are too few samples; unsupported
/// where they are uneven, or for `radial` where the body is at the origin; not_finite.
Signal record_signal(const RecordReader& record, std::string_view body, Quantity quantity, Component component);

}  // namespace carom
