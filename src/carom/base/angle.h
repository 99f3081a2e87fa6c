#pragma once
/// Angles as people write them: `30deg`, `pi/6`, `2*pi/7`, `2pi/7`, `-pi/4`, `0.5236`, `0.5236rad`.
///
/// A whole number p and a whole denominator q give p·π/q in lowest terms, so that `pi/6`, `2*pi/12` and `30deg` are
/// the same double, M_PI/6. Everything else is evaluated from left to right.

#include <string_view>

namespace carom {

/// The angle in radians. Throws InputError that names `field`: `syntax` for what is no angle, `out_of_range` for a
/// zero denominator, `not_finite`.
double parse_angle(std::string_view text, std::string_view field = "angle");

}  // namespace carom
