#pragma once
/// A disk in a corner: the velocity with which it leaves two walls that it touches at the same instant.
///
/// Frame. The bisector of the corner is the x axis and points *into* the corner; each wall makes the angle α with it
/// (half the opening), k = tan α. Only the translational velocity (ẋ, ẏ) of the disk takes part: the walls are smooth
/// and the spin is untouched. With
///
///     ξ̇ = kẋ + ẏ     wall 2 is approached where ξ̇ > S
///     η̇ = kẋ − ẏ     wall 1 is approached where η̇ > S
///
/// (√(1+k²) times the normal speeds) a velocity lies in one of the zones Z0 (leaves both walls), Z1, Z2 (runs against
/// one of them) and Z12 (against both). The rule of impact is applied again and again, with ε the restitution:
///
///     Z1 (upper sign), Z2 (lower sign):
///         ẋ' = ((1−εk²)ẋ ± (1+ε)kẏ) / (1+k²)
///         ẏ' = (±(1+ε)kẋ − (ε−k²)ẏ) / (1+k²)
///     Z12, D = k⁴ẋ² + ẏ²:
///         ẋ' = ((1−(1+ε)k²)ẏ² − εk⁴ẋ²)·ẋ / D
///         ẏ' = (k²(k²−(1+ε))ẋ² − εẏ²)·ẏ / D
///
/// until the velocity lies in Z0 (`Stop::z0`), else its norm has come down to S_v (`Stop::rest`), else N_max steps were
/// made (`Stop::step_limit`); the three are asked in this order. Z12 occurs at most once, at the first step.
///
/// Source: Fassino, Pasquero, "Disk in a corner" (2019), algorithms NA (section 6.1) and TA (sections 2 and 4);
/// TA is NA with S = S_v = 0.
///
/// Where we depart from the paper
/// - α may be anything in (0, π/2) and ‖v₀‖ anything that a double can hold. The paper has ‖v₀‖ = 1, its thresholds
///   are absolute; here they are multiplied by ‖v₀‖. That factor is rounded to 24 bits, so that a velocity
///   normalised in double arithmetic meets the paper's thresholds to the last bit.
/// - ‖v‖ > S_v is tested as ẋ² + ẏ² > S_v².
/// - Very large, very small and fading velocities are rescaled by powers of two on the way, which changes no digit.
/// - k below 2⁻⁶⁰ uses the Z12 rule divided by ẏ², since k⁴ẋ² would vanish.
/// The results have the same bits under every compiler and optimisation level (floating-point contraction off).

#include <cstdint>
#include <string_view>
#include <vector>

namespace carom::corner {

enum class Zone : std::uint8_t { z0, z1, z2, z12 };
enum class Stop : std::uint8_t { z0, rest, step_limit };

/// Coordinates in which the rule is carried out. The results agree to about 5e-14 of ‖v₀‖.
enum class Form : std::uint8_t {
  xy,      ///< (ẋ, ẏ), equations (2) and (14): the paper's algorithm, and the one that is fast
  phi,     ///< direction φ of the velocity, equations (5): ε = 1 only, since the speed is taken to stay the same
  xi_eta,  ///< (ξ̇, η̇), equations (7) and (15)
};

std::string_view zone_name(Zone zone);  ///< "Z0", "Z1", "Z2", "Z12"
std::string_view stop_name(Stop stop);  ///< "Z0", "REST", "NMAX"
std::string_view form_name(Form form);  ///< "xy", "phi", "xi-eta"

/// The form of that name; throws InputError (unknown_name) that lists the known ones.
Form form_from_name(std::string_view name);

struct Velocity {
  double x = 0.0;  ///< [m/s] along the bisector, into the corner
  double y = 0.0;  ///< [m/s] towards wall 2

  friend bool operator==(const Velocity&, const Velocity&) = default;
};

/// When to stop. The defaults are the paper's.
struct Thresholds {
  double approach = 0x1p-51;        ///< S, of ‖v₀‖: what is not above it does not approach (2·2⁻⁵²)
  double rest = 1e-12;              ///< S_v, of ‖v₀‖: a disk not faster than this is at rest
  std::int64_t max_steps = 10'000;  ///< N_max

  /// Those of the theoretical algorithm TA: exact signs, no rest.
  static Thresholds theoretical(std::int64_t max_steps = 10'000) { return {0.0, 0.0, max_steps}; }
};

struct CornerProblem {
  double alpha = 0.0;        ///< [rad] half the opening of the corner, in (0, π/2)
  double restitution = 1.0;  ///< ε, in [0, 1]
  Velocity velocity;         ///< v₀, before the impact
  Thresholds thresholds;
  Form form = Form::xy;
  bool trace = false;  ///< keep every velocity on the way
};

/// A velocity on the way, and the zone it lies in.
struct TraceEntry {
  Zone zone;
  Velocity velocity;
};

struct CornerOutcome {
  Velocity velocity;       ///< after the last step
  double norm = 0.0;       ///< its Euclidean norm
  Zone zone = Zone::z0;    ///< of v₀
  std::int64_t steps = 0;  ///< impacts computed
  Stop stop = Stop::z0;
  std::vector<TraceEntry> trace;  ///< v₀, v₁, … v_steps where the problem asked for it, else empty
};

/// Throws InputError: out_of_range (alpha, restitution, thresholds, max_steps), not_finite, unsupported (form `phi`
/// with ε < 1). v₀ = 0 is a valid problem with no step.
CornerOutcome solve(const CornerProblem& problem);

/// What `solve` asks of its input; throws as it does.
void check(const CornerProblem& problem);

}  // namespace carom::corner
