#pragma once
/// Frequencies of a ball bearing whose balls roll without sliding, and the names of the lines in its spectrum.
///
/// With n balls of diameter d on a pitch circle of diameter D, contact angle α, γ = (d/D) cos α, the inner race turning
/// at f_i and the outer at f_o (revolutions per second, the same sense positive):
///
///     FTF  = ½|f_i(1 − γ) + f_o(1 + γ)|     the cage (fundamental train)
///     BPFO = (n/2)|f_i − f_o|(1 − γ)        balls passing a point of the outer race
///     BPFI = (n/2)|f_i − f_o|(1 + γ)        balls passing a point of the inner race
///     BSF  = (D/2d)|f_i − f_o|(1 − γ²)      the spin of a ball
///
/// Source: Harris & Kotzalas, Rolling Bearing Analysis, chapter 25; Randall & Antoni, Mech. Syst. Signal Process. 25
/// (2011) 485.

#include <string>

namespace carom {

struct BearingGeometry {
  int balls = 0;                ///< n ≥ 1
  double ball_diameter = 0.0;   ///< d > 0 [m]
  double pitch_diameter = 0.0;  ///< D > d [m]
  double contact_angle = 0.0;   ///< α, below π/2 in magnitude [rad]
};

struct BearingSpeeds {
  double inner = 0.0;  ///< f_i [1/s]
  double outer = 0.0;  ///< f_o [1/s]
};

struct BearingLines {
  double cage = 0.0;        ///< FTF [Hz]
  double outer_race = 0.0;  ///< BPFO [Hz]
  double inner_race = 0.0;  ///< BPFI [Hz]
  double ball_spin = 0.0;   ///< BSF [Hz]
  BearingSpeeds speeds;
};

/// Throws InputError (out_of_range, not_finite) where the geometry is none.
BearingLines bearing_lines(const BearingGeometry& geometry, const BearingSpeeds& speeds);

/// The line at a frequency, within a tolerance [Hz]: `BPFO`, `2×BPFO`, `3×BPFI+fo`, `BSF−FTF`; empty where there is
/// none. Harmonics up to the tenth; side bands at once and twice the turning speeds `fo` and `fi` beside BPFO and BPFI,
/// and at the cage's beside BSF. A harmonic goes before a side band, then the nearest, then the lowest
/// harmonic.
std::string bearing_line_name(const BearingLines& lines, double frequency, double tolerance);

}  // namespace carom
