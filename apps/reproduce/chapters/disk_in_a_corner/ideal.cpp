/// Fassino, Pasquero, section 3: what is proved about the ideal impact, ε = 1.

#include <fmt/format.h>

#include "reproduce/chapters/disk_in_a_corner/sections.h"

namespace carom::reproduce::disk {
namespace {

using std::numbers::pi;

/// A whole run of the theoretical algorithm with all velocities on the way.
CornerOutcome traced(double alpha, Velocity velocity) {
  CornerProblem problem = disk_problem(alpha, 1.0, velocity, Thresholds::theoretical(1'000'000));
  problem.trace = true;
  return corner::solve(problem);
}

std::string random_cases(std::string_view of) {
  return fmt::format("{} random {}", kCases, of);
}

Item speed_is_kept() {
  Cases cases(201);
  double worst = 0.0;
  for (int i = 0; i < kCases; ++i) {
    const double alpha = cases.alpha(0.01, 1.55);
    const Velocity v = i % 3 == 0 ? cases.in_z12(alpha) : cases.any_direction();
    const double ratio = norm(one_step(alpha, 1.0, v)) / norm(v);
    worst = std::max(worst, std::abs(ratio * ratio - 1.0));
  }
  return statement_item("Remark 2, eq. (3)", "‖v‖² is the same after a step, in every zone", worst, 1e-14,
                        random_cases("corners and velocities, one step each"));
}

Item walls_alternate() {
  Cases cases(202);
  int wrong = 0;
  for (int i = 0; i < kCases; ++i) {
    const double alpha = cases.alpha(0.01, 1.55);
    const Zone from_first = zone_of(alpha, one_step(alpha, 1.0, cases.in_z1(alpha)));
    const Zone from_second = zone_of(alpha, one_step(alpha, 1.0, cases.in_z2(alpha)));
    wrong += static_cast<int>(from_first != Zone::z2 && from_first != Zone::z0);
    wrong += static_cast<int>(from_second != Zone::z1 && from_second != Zone::z0);
  }
  return statement_item("Result 1", "from Z1 the step leads to Z2 or Z0, from Z2 to Z1 or Z0 (exceptions)", wrong, 0.0,
                        random_cases("corners, one velocity in each zone"));
}

Item wide_corners() {
  Cases cases(203);
  int wrong = 0;
  for (int i = 0; i < kCases; ++i) {
    const double alpha = cases.uniform(pi / 4, 1.55);
    wrong += static_cast<int>(zone_of(alpha, one_step(alpha, 1.0, cases.in_z1(alpha))) != Zone::z0);
    wrong += static_cast<int>(zone_of(alpha, one_step(alpha, 1.0, cases.in_z2(alpha))) != Zone::z0);
  }
  return statement_item("Result 2", "right and obtuse corners are left after one single impact (exceptions)", wrong,
                        0.0, random_cases("corners with k ≥ 1, one velocity in each zone"));
}

/// χ of Result 3 from the angles φₙ₊₂ᵣ = φ − 4rα, φₙ₊₂ᵣ₊₁ = −φ + 2(2r+1)α brought to (−π, π]: the first of them in
/// (−π, −π+α] ∪ [π−α, π]. As printed, the last interval is [π, π−α] for the odd ones, in which nothing lies.
int steps_by_angle(double alpha, double phi, bool printed) {
  const int limit = static_cast<int>(std::ceil(2.0 * pi / alpha));
  for (int n = 0; n < limit; ++n) {
    const bool odd = n % 2 == 1;
    const double angle = std::remainder(odd ? -phi + 2.0 * n * alpha : phi - 2.0 * n * alpha, 2.0 * pi);
    const bool upper = angle >= pi - alpha;
    if (angle <= -pi + alpha || (upper && !(odd && printed))) return n;
  }
  return limit;
}

Item exit_angles() {
  Cases cases(204);
  double printed = 0.0;
  double corrected = 0.0;
  for (int i = 0; i < kCases; ++i) {
    const double alpha = cases.alpha(0.01, pi / 4);
    const Velocity v = cases.in_z1(alpha);
    const double phi = std::atan2(v.y, v.x);
    const double steps = (pi - alpha - std::abs(phi)) / (2.0 * alpha);
    if (std::abs(steps - std::round(steps)) < 1e-9) continue;  // decided by round-off
    const auto found = static_cast<int>(traced(alpha, v).steps);
    printed += static_cast<double>(steps_by_angle(alpha, phi, true) != found);
    corrected += static_cast<double>(steps_by_angle(alpha, phi, false) != found);
  }
  return misprint_item("Result 3", "the number χ of single impacts from the angles φ (cases in which it is wrong)",
                       {"…∪ [π, π−α]", "…∪ [π−α, π], φ brought to (−π, π]", printed, corrected}, 0.0,
                       fmt::format("The endpoints of the last interval are exchanged; [π, π−α] is empty. {}, in Z1.",
                                   random_cases("acute corners")));
}

Item exit_in_closed_form() {
  Cases cases(205);
  double worst = 0.0;
  for (int i = 0; i < kCases; ++i) {
    const double alpha = cases.alpha(0.003, pi / 4);
    const Velocity v = i % 2 == 0 ? cases.in_z1(alpha) : cases.in_z2(alpha);
    const double steps = (pi - alpha - std::abs(std::atan2(v.y, v.x))) / (2.0 * alpha);
    if (std::abs(steps - std::round(steps)) < 1e-9) continue;
    worst = std::max(worst, std::abs(static_cast<double>(traced(alpha, v).steps) - std::ceil(steps)));
  }
  return statement_item("Result 3",
                        "single impacts end after χ = ⌈(π−α−|φ|)/2α⌉ steps, which the angles of its proof give", worst,
                        0.0, random_cases("acute corners, in Z1 and Z2"));
}

Item along_the_bisector() {
  Cases cases(206);
  double worst = 0.0;
  for (int i = 0; i < kCases; ++i) {
    const Velocity v{cases.uniform(0.1, 10.0), 0.0};
    worst = std::max(worst, distance(one_step(cases.alpha(0.001, 1.57), 1.0, v), {-v.x, -v.y}) / v.x);
  }
  return statement_item("Result 4", "a velocity along the bisector is turned round", worst, 1e-15,
                        random_cases("corners and speeds"));
}

Item one_multiple_impact() {
  Cases cases(207);
  int wrong = 0;
  for (int i = 0; i < kCases; ++i) {
    const double alpha = cases.alpha(0.01, 1.55);
    wrong += static_cast<int>(zone_of(alpha, one_step(alpha, 1.0, cases.in_z12(alpha))) == Zone::z12);
  }
  return statement_item("Theorem 3.1", "a multiple impact is not followed by another one (exceptions)", wrong, 0.0,
                        random_cases("corners, velocities in Z12"));
}

/// (12) must have no solution z = η̇/ξ̇ > 0; it follows from (11) with (1+k²)/(2(1−k²)) > ½.
Item necessary_condition() {
  double printed = 0.0;
  double corrected = 0.0;
  double against_eleven = 0.0;
  for (int i = 1; i < 4000; ++i) {
    const double z = std::pow(10.0, -2.0 + i * 4.0 / 4000.0);
    const double first = z * z * z / (1.0 + z * z);
    const double second = 1.0 / (z * (1.0 + z * z));
    printed += static_cast<double>(z * (1.0 + z * z) > 0.5 && (1.0 + z * z) / z > 0.5);
    corrected += static_cast<double>(first > 0.5 && second > 0.5);
    const double rho = 2.0 * z / (1.0 + z * z);  // (10), 2η̇/ξ̇ − ρ, is twice the corrected left-hand side
    against_eleven = std::max(against_eleven, std::abs((2.0 * z - rho) / (2.0 * first) - 1.0));
  }
  Item item = misprint_item(
      "eq. (12)", "the condition necessary for a second multiple impact has no solution z = η̇/ξ̇ (solutions on a grid)",
      {"(η̇/ξ̇)·1/(ξ̇²/(ξ̇²+η̇²)) > ½ and its companion", "η̇³/(ξ̇(ξ̇²+η̇²)) > ½ and its mirror image", printed, corrected}, 0.0,
      fmt::format(
          "z = 1 fulfils (12) as printed, so that it proves nothing; the corrected form follows from (10) and (11) (to "
          "{:.1g}) and is the one that (13) goes on with. \"(13) can be rewritten as\" (8) means (7d).",
          against_eleven));
  if (against_eleven > 1e-9) item.verdict = Verdict::differs;
  return item;
}

Item always_terminates() {
  Cases cases(208);
  int wrong = 0;
  std::int64_t most = 0;
  for (int i = 0; i < kCases; ++i) {
    const double alpha = cases.alpha(0.003, 1.55);
    const CornerOutcome outcome = traced(alpha, i % 2 == 0 ? cases.in_z12(alpha) : cases.any_direction());
    wrong += static_cast<int>(outcome.stop != corner::Stop::z0);
    most = std::max(most, outcome.steps);
  }
  return statement_item("Corollary 3.1", "the ideal algorithm ends in Z0 after finitely many steps (exceptions)", wrong,
                        0.0,
                        fmt::format("{}; the longest run had {} steps", random_cases("corners and velocities"), most));
}

Item as_many_as_one_likes() {
  double worst = 0.0;
  for (const int wanted : {1, 10, 1000, 100000}) {
    const double alpha = pi / (2.0 * wanted + 2.0);
    const auto found = static_cast<double>(traced(alpha, direction(1.5 * alpha)).steps);
    worst = std::max(worst, std::abs(found - wanted));
  }
  return statement_item("Introduction", "a corner can be chosen for any number of iterations", worst, 0.0,
                        "1, 10, 1000 and 100000 steps asked for and found, with α = π/(2N+2) and φ = 3α/2");
}

Item multiple_impacts_in_all() {
  Cases cases(209);
  int wrong = 0;
  for (int i = 0; i < kCases; ++i) {
    const double alpha = cases.alpha(0.01, 1.55);
    const CornerOutcome outcome = traced(alpha, i % 2 == 0 ? cases.in_z12(alpha) : cases.any_direction());
    const auto multiple = std::count_if(outcome.trace.begin(), outcome.trace.end(),
                                        [](const corner::TraceEntry& entry) { return entry.zone == Zone::z12; });
    wrong += static_cast<int>(multiple != (outcome.zone == Zone::z12 ? 1 : 0));
  }
  return statement_item("Result 5", "one multiple impact where v₀ is in Z12, none where it is not (exceptions)", wrong,
                        0.0, random_cases("whole runs"));
}

}  // namespace

Section ideal_impact() {
  Section section;
  section.heading = "Ideal impact";
  section.text =
      "Section 3 of the paper. Theorems are checked on random corners and velocities, the theoretical algorithm TA "
      "(exact signs) carried out by the library; the number given is the largest violation, or the number of "
      "exceptions.";
  section.items = {speed_is_kept(),     walls_alternate(),      wide_corners(),           exit_in_closed_form(),
                   exit_angles(),       along_the_bisector(),   one_multiple_impact(),    necessary_condition(),
                   always_terminates(), as_many_as_one_likes(), multiple_impacts_in_all()};
  return section;
}

}  // namespace carom::reproduce::disk
