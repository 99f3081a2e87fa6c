#pragma once
/// The ball of Treschev and Zubelevich: mass m, moment of inertia J about every axis through its centre S, radius r;
/// where it hits it does not slip. The statements of their two papers as functions, to hold beside what the law `rough`
/// and the engines answer.
///
/// Coordinates of a velocity: (v₁, v₂, v₃, ω₁, ω₂, ω₃), world frame, floor below (normal e₃), wall to the left (normal
/// e₁). J' = J + mr², J̃ = J + mr²/2. Sources: [TZ1] On collisions in nonholonomic systems; [TZ2] On weak solutions to
/// the Lagrange–d'Alembert equation, 2013.

#include <optional>
#include <string>
#include <vector>

#include "carom/base/random.h"
#include "carom/mechanics/impact_outcome.h"
#include "carom/mechanics/impact_problem.h"
#include "carom/record/run_result.h"
#include "reproduce/chapters/chapter.h"

namespace carom::reproduce {

struct RoughBall {
  double mass = 1.0;     ///< m [kg]
  double inertia = 0.1;  ///< J [kg m²]
  double radius = 0.5;   ///< r [m]

  [[nodiscard]] double square() const { return mass * radius * radius; }          ///< mr²
  [[nodiscard]] double about_contact() const { return inertia + square(); }       ///< J'
  [[nodiscard]] double about_midway() const { return inertia + 0.5 * square(); }  ///< J̃
  [[nodiscard]] Matrix metric() const;                                            ///< G = diag(m, m, m, J, J, J)
};

inline constexpr int kCases = 1000;  ///< random ones of a statement that holds for all
/// Of statements that hold exactly: round-off of projectors whose rows are far from dependent.
inline constexpr double kRounding = 1e-12;
inline constexpr double kGravity = 9.81;
/// Where an example needs numbers.
inline constexpr RoughBall kBall{.mass = 1.0, .inertia = 0.1, .radius = 0.5};
/// A solid ball whose period 4u/g is one second.
inline constexpr RoughBall kSuperball{.mass = 0.1, .inertia = 1e-4, .radius = 0.05};

/// Mass, radius and velocity of order one, J from 0.05 to 0.6 of mr².
RoughBall random_ball(Random& random);

// --- What the papers state. ---

/// v⁺ of a ball thrown to the floor: [TZ2] §6; at μ = 1 Theorem 3.2 of [TZ1] and Theorem 5.1 of [TZ2].
Vector floor_theorem(const RoughBall& ball, const Vector& velocity, double restitution);
/// v⁺ of a ball that rolls on the floor and meets the wall: at μ = 1 Theorem 3.1 of [TZ1]; for other μ from (6.1) of
/// [TZ2].
Vector wall_theorem(const RoughBall& ball, const Vector& velocity, double restitution);
/// B of the floor, [TZ2] §5: slip along x and y, then the normal.
Matrix floor_rows(const RoughBall& ball);
/// A and B of the wall, [TZ1] §3.1, in its five coordinates (v₁, v₂, ω₁, ω₂, ω₃).
Matrix rolling_rows(const RoughBall& ball);
Matrix wall_rows(const RoughBall& ball);
/// The matrices P as they are printed, and with the misprinted entries mended: (3,3) of the floor is J' inside the
/// bracket, (1,1) and (4,4) of the wall are 2J̃, not 1.
enum class Print { printed, corrected };
Matrix floor_projector(const RoughBall& ball, Print print);
Matrix wall_projector(const RoughBall& ball, Print print);
/// Lemma 1: P = G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹B, for rows of full rank.
Matrix lemma_projector(const Matrix& metric, const Matrix& rows);

// --- What the library answers. ---

/// P of the law `rough` for rows that are all struck at once: (v⁻ − v⁺)/2 of μ = 1, column by column. A law acts on
/// what approaches only, so each velocity has enough of the approach `normal` (an index of rows) added, which is
/// linear.
Matrix law_projector(const Matrix& metric, const Matrix& rows, Eigen::Index normal);
ImpactProblem thrown_to_the_floor(const RoughBall& ball, const Vector& velocity, double restitution);
/// The velocity must roll: v₁ = rω₂, v₂ = −rω₁, v₃ = 0.
ImpactProblem rolling_to_the_wall(const RoughBall& ball, const Vector& velocity, double restitution);
Vector rolling_velocity(const RoughBall& ball, double v1, double v2, double spin);
ImpactOutcome struck(const ImpactProblem& problem);
Vector velocity_after(const ImpactProblem& problem);

/// Angular momentum about the lowest point of the ball: m[CS, v] + Jω.
Eigen::Vector3d angular_momentum_about_floor(const RoughBall& ball, const Vector& velocity);

/// A random system at an impact that is not a ball: G of n = 3…8 speeds, up to two persistent rows, one contact with up
/// to two rows of slip, all far from dependent, approaching.
ImpactProblem random_rough_problem(Random& random);
/// A and the contact's rows, stacked.
Matrix stacked_rows(const ImpactProblem& problem);

/// A bouncing ball among rough planes and a table, run by the event engine.
struct BallScene {
  RoughBall ball;
  double gravity = 9.81;  ///< downwards [m/s²]
  double restitution = 1.0;
  bool floor = true;                ///< z = 0
  bool rolling = false;             ///< on the floor, for ever
  bool wall = false;                ///< x = 0
  std::optional<double> ceiling{};  ///< its height
  std::optional<double> table{};    ///< height of its underside; it begins at x = 0.05 and is 1.6 m long
  BodyState start{};
  double duration = 1.0;
  double output_step = 0.0;
};

struct BallImpact {
  double time = 0.0;
  Eigen::Vector3d point, normal;
  Vector before, after;  ///< (v, ω)
  double energy_change = 0.0;
  Flags flags;
};

struct BallRun {
  std::vector<State> samples;
  std::vector<BallImpact> impacts;
  std::optional<double> rest;  ///< when the bounces have come to an end
  RunResult result;

  [[nodiscard]] const BodyState& last() const { return result.final_state.bodies.at(0); }
};

BallRun run_ball(const BallScene& scene);
/// The path as a curve: world axes `across` and `up` (0, 1, 2).
Curve path(const BallRun& run, int across, int up, std::string label);

/// The start of the nonholonomic pendulum at the top of its flight: it meets the floor with (−v, 0, −u) and the spin
/// rmv/J that turns everything round.
BodyState pendulum_start(const RoughBall& ball, double v, double u, double gravity);

// --- Items. ---

/// A value that agrees once a misprint is mended. `printed` and `ours` are shown as they are; the difference is that of
/// the mended one.
Item corrected_item(std::string where, std::string claim, std::string printed, std::string ours, double difference,
                    double tolerance, std::string note);
/// A picture of one panel, as wide as its curves.
Picture single_panel(std::string title, std::string x_label, Panel panel);
/// Largest entry of the difference, relative to the largest of the second or 1 where that is smaller.
double largest_difference(const Matrix& a, const Matrix& b);

}  // namespace carom::reproduce
