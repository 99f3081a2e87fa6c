#pragma once
/// Many disks in many corners at once: the algorithm of disk_in_corner.h in (ẋ, ẏ), several problems side by side in
/// the vector registers of the processor.
///
/// The corner is given by its slope k = tan α. Velocity, number of steps and stop of every problem have the bits that
/// `iterate` (iteration.h), and so `solve`, gives for it, whatever the processor, the number of problems and their
/// order; batch_kernel.h says why. The instruction set is chosen when the program runs.
///
/// Output must not overlap the input.

#include <cstdint>
#include <span>
#include <string_view>

#include "carom/laws/corner/disk_in_corner.h"

namespace carom::corner {

struct BatchInput {
  std::span<const double> restitution;  ///< ε, in [0, 1]
  std::span<const double> slope;        ///< k = tan α, in (0, 2⁵⁴]
  std::span<const double> x;            ///< [m/s] v₀ along the bisector, into the corner
  std::span<const double> y;            ///< [m/s] v₀ towards wall 2
};

struct BatchOutput {
  std::span<double> x;  ///< [m/s]
  std::span<double> y;  ///< [m/s]
  std::span<std::int32_t> steps;
  std::span<Stop> stop;
};

/// Instruction sets there is code for.
enum class Path : std::uint8_t { automatic, portable, avx2, avx512 };

std::string_view path_name(Path path);  ///< "automatic", "portable", "avx2", "avx512"

/// Whether this build and this processor have it. `automatic` and `portable` always are.
bool available(Path path);

/// Solves problem i for all i. Throws InputError: size_mismatch (spans of different lengths), out_of_range and
/// not_finite as `solve`, naming the first bad problem as in `slope.17`; the output is then incomplete. max_steps is
/// at most 2³¹ − 1. `unsupported` where the path is not available.
void solve_batch(const BatchInput& input, const BatchOutput& output, const Thresholds& thresholds = {},
                 Path path = Path::automatic);

}  // namespace carom::corner
