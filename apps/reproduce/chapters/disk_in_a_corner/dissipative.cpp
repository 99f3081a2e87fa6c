/// Fassino, Pasquero, section 5: what is proved about the impact with restitution ε < 1.

#include <fmt/format.h>

#include "carom/laws/corner/prediction.h"
#include "reproduce/chapters/disk_in_a_corner/sections.h"

namespace carom::reproduce::disk {
namespace {

using std::numbers::pi;

/// A 2×2 matrix [a b; c d].
struct Matrix2 {
  double a, b, c, d;

  [[nodiscard]] Velocity times(Velocity v) const { return {a * v.x + b * v.y, c * v.x + d * v.y}; }
  [[nodiscard]] double trace() const { return a + d; }
  [[nodiscard]] double determinant() const { return a * d - b * c; }
};

/// H₁ and H₂ as printed in the proof of Theorem 5.3: two single impacts in (ξ̇, η̇), from Z1 and from Z2.
Matrix2 printed_h1(double beta, double e) {
  const double c = beta * (1.0 + e);
  return {-e, -e * c, c, c * c - e};
}
Matrix2 printed_h2(double beta, double e) {
  const double c = beta * (1.0 + e);
  return {c * c - e, c, -e * c, -e};
}

/// K₁ and K₂ as printed in Remark 8: the same in (ẋ, ẏ); `sign` is 1 for K₁ and −1 for K₂.
Matrix2 printed_k(double k, double e, double sign) {
  const double k2 = k * k;
  const double w = (1.0 + k2) * (1.0 + k2);
  const double beside = sign * k * (1.0 - k2) * (1.0 + e) * (1.0 + e) / w;
  const double common = k2 * (1.0 + e) * (1.0 + e);
  return {((1.0 - e * k2) * (1.0 - e * k2) - common) / w, beside, -beside, ((e - k2) * (e - k2) - common) / w};
}

/// The larger root modulus of λ² − (β²(1+ε)² − 2ε)λ + ε², the printed characteristic polynomial of H₁.
double printed_spectral_radius(double beta, double e) {
  const double c = beta * (1.0 + e);
  const double discriminant = c * c - 4.0 * e;
  if (discriminant <= 0.0) return e;
  return 0.5 * (c * c - 2.0 * e + c * std::sqrt(discriminant));
}

double beta_of(double alpha) {
  const double k = std::tan(alpha);
  return (1.0 - k * k) / (1.0 + k * k);
}

/// Two single impacts by the library, from a velocity in Z1 or Z2 whose first impact leads to the other wall.
Velocity two_steps(double alpha, double e, Velocity v) {
  return corner::solve(disk_problem(alpha, e, v, {0x1p-51, 0.0, 2})).velocity;
}

Item norm_by_wall_speeds() {
  Cases cases(301);
  double worst = 0.0;
  for (int i = 0; i < kCases; ++i) {
    const double k = std::tan(cases.alpha(0.05, 1.5));
    const Velocity v = cases.any_direction();
    const WallSpeeds s = wall_speeds(k, v);
    const double squared =
        (1.0 + k * k) / (4.0 * k * k) * (s.xi * s.xi + s.eta * s.eta) + (1.0 - k * k) / (2.0 * k * k) * s.xi * s.eta;
    worst = std::max(worst, std::abs(squared - 1.0));
  }
  return statement_item("Remark 5", "‖v‖² in (ξ̇, η̇)", worst, 1e-12,
                        fmt::format("{} random corners and unit velocities", kCases));
}

/// Zone after one step of NA (ε = 0 puts wall speeds to zero up to round-off, which S takes for zero).
Zone zone_after(double alpha, double e, Velocity v) {
  CornerProblem problem = disk_problem(alpha, e, v);
  problem.thresholds.max_steps = 1;
  problem.trace = true;
  return corner::solve(problem).trace.back().zone;
}

std::vector<Item> results_that_carry_over() {
  Cases cases(302);
  int alternate = 0;
  int wide = 0;
  int multiple = 0;
  double bisector = 0.0;
  for (int i = 0; i < kCases; ++i) {
    const double alpha = cases.alpha(0.01, 1.55);
    const double obtuse = cases.uniform(pi / 4, 1.55);
    const double e = cases.restitution();
    const Zone from_first = zone_after(alpha, e, cases.in_z1(alpha));
    const Zone from_second = zone_after(alpha, e, cases.in_z2(alpha));
    alternate += static_cast<int>(from_first != Zone::z2 && from_first != Zone::z0);
    alternate += static_cast<int>(from_second != Zone::z1 && from_second != Zone::z0);
    wide += static_cast<int>(zone_after(obtuse, e, cases.in_z1(obtuse)) != Zone::z0);
    multiple += static_cast<int>(zone_after(alpha, e, cases.in_z12(alpha)) == Zone::z12);
    const Velocity back = one_step(alpha, e, {1.0, 0.0});
    bisector = std::max(bisector, distance(back, {-e, 0.0}));
  }
  const std::string how = fmt::format("{} random corners and restitutions", kCases);
  Item citations = statement_item(
      "Theorem 5.3, proof", "the walls alternate, and corners with k ≥ 1 are left at once", alternate + wide, 0.0,
      "The proof quotes Results 5 and 6 for this, which count multiple impacts; it uses Results 1 and 2, which hold "
      "for ε < 1 too.");
  citations.paper = "by Results 5 and 6";
  citations.ours = "by Results 1 and 2";
  if (citations.verdict == Verdict::reproduced) citations.verdict = Verdict::corrected;
  return {statement_item("Section 5, Result 1", "the walls alternate also for ε < 1 (exceptions)", alternate, 0.0, how),
          statement_item("Section 5, Result 2",
                         "right and obtuse corners are left after one single impact (exceptions)", wide, 0.0, how),
          statement_item("Section 5, Result 4", "along the bisector v becomes −εv", bisector, 1e-15, how),
          statement_item("Theorem 5.1", "a multiple impact is not followed by another one (exceptions)", multiple, 0.0,
                         how),
          std::move(citations)};
}

/// Whole runs: how many multiple impacts they have, and whether a disk that does not leave comes to rest.
std::vector<Item> whole_runs() {
  constexpr int kRuns = 1000;
  Cases cases(303);
  int wrong_count = 0;
  int endless = 0;
  int at_rest = 0;
  double growth = 0.0;
  for (int i = 0; i < kRuns; ++i) {
    const double alpha = cases.alpha(0.03, 1.5);
    const Velocity v = i % 2 == 0 ? cases.in_z12(alpha) : cases.any_direction();
    CornerProblem problem = disk_problem(alpha, cases.restitution(), v, {0x1p-51, 1e-12, 1'000'000});
    problem.trace = true;
    const CornerOutcome outcome = corner::solve(problem);
    std::ptrdiff_t multiple = 0;
    for (std::size_t n = 0; n < outcome.trace.size(); ++n) {
      multiple += static_cast<std::ptrdiff_t>(outcome.trace[n].zone == Zone::z12);
      if (n > 0) growth = std::max(growth, norm(outcome.trace[n].velocity) / norm(outcome.trace[n - 1].velocity) - 1.0);
    }
    wrong_count += static_cast<int>(multiple != (outcome.zone == Zone::z12 ? 1 : 0));
    endless += static_cast<int>(outcome.stop == corner::Stop::step_limit);
    at_rest += static_cast<int>(outcome.stop == corner::Stop::rest);
  }
  const std::string how = fmt::format("{} random runs of NA", kRuns);
  return {statement_item("Result 6", "one multiple impact where v₀ is in Z12, none where it is not (exceptions)",
                         wrong_count, 0.0, how),
          statement_item("Theorem 5.3", "a disk that does not leave the corner comes to rest (runs that do neither)",
                         endless, 0.0, fmt::format("{}; {} of them came to rest, the others left", how, at_rest)),
          statement_item("Remark 7", "‖vₙ‖ falls at every step (largest relative growth)", growth, 1e-15, how)};
}

Item energy_of_multiple_impact() {
  Cases cases(304);
  double worst = 0.0;
  for (int i = 0; i < kCases; ++i) {
    const double alpha = cases.alpha(0.01, 1.55);
    const double k2 = std::tan(alpha) * std::tan(alpha);
    const double e = cases.restitution();
    const Velocity v = cases.in_z12(alpha);
    const Velocity after = one_step(alpha, e, v);
    const double numerator = k2 * v.x * v.x + v.y * v.y;
    const double change = (e * e - 1.0) * numerator * numerator / (k2 * k2 * v.x * v.x + v.y * v.y);
    worst = std::max(worst, std::abs(after.x * after.x + after.y * after.y - 1.0 - change));
  }
  return statement_item("Remark 7", "‖v₁‖² − ‖v₀‖² = (ε²−1)(k²ẋ₀²+ẏ₀²)²/(k⁴ẋ₀²+ẏ₀²)", worst, 1e-13,
                        fmt::format("{} random multiple impacts", kCases));
}

std::vector<Item> matrices() {
  Cases cases(305);
  double h = 0.0;
  double similar = 0.0;
  double radius = 0.0;
  double bounds = 0.0;
  for (int i = 0; i < kCases; ++i) {
    const double alpha = cases.alpha(0.05, 0.78);
    const double k = std::tan(alpha);
    const double beta = beta_of(alpha);
    const double e = cases.uniform(0.01, 1.0);
    // From Z1 with −ξ̇ < (1+ε)βη̇ the first impact leads to Z2, so that both impacts are single; mirrored from Z2.
    const double parting = -cases.uniform(0.01, 0.99) * (1.0 + e) * beta;
    const Velocity first = velocity_of(k, {parting, 1.0});
    const Velocity second = velocity_of(k, {1.0, parting});
    const Velocity after_first = two_steps(alpha, e, first);
    const Velocity after_second = two_steps(alpha, e, second);
    const Matrix2 h1 = printed_h1(beta, e);
    const Matrix2 h2 = printed_h2(beta, e);
    const Velocity by_h1 = h1.times({parting, 1.0});
    const Velocity by_h2 = h2.times({1.0, parting});
    h = std::max({h, distance(velocity_of(k, {by_h1.x, by_h1.y}), after_first) * k,
                  distance(velocity_of(k, {by_h2.x, by_h2.y}), after_second) * k});
    const Matrix2 k1 = printed_k(k, e, 1.0);
    const Matrix2 k2 = printed_k(k, e, -1.0);
    similar =
        std::max({similar, distance(k1.times(first), after_first) * k, distance(k2.times(second), after_second) * k,
                  std::abs(k1.trace() - h1.trace()), std::abs(k1.determinant() - h1.determinant()),
                  std::abs(k2.trace() - h2.trace()), std::abs(k2.determinant() - h2.determinant())});
    const double rho = corner::spectral_radius(alpha, e);
    radius = std::max(radius, std::abs(rho - printed_spectral_radius(beta, e)));
    bounds = std::max({bounds, e - rho, e < 1.0 && rho >= 1.0 ? 1.0 : 0.0});
  }
  const std::string how = fmt::format("{} random acute corners and restitutions", kCases);
  return {statement_item("Theorem 5.3, proof", "H₁ and H₂ are two successive single impacts in (ξ̇, η̇)", h, 1e-13, how),
          statement_item("Theorem 5.3, proof", "ρ(H₁) from the printed eigenvalues", radius, 1e-7,
                         how + "; the square root leaves half the digits where the eigenvalues meet"),
          statement_item("Theorem 5.3, proof", "ρ(H₁) lies in [ε, 1)", bounds, 1e-15, how),
          statement_item("Remark 8", "K₁ and K₂ are the same in (ẋ, ẏ), with the trace and determinant of H₁ and H₂",
                         similar, 1e-13, how)};
}

constexpr double kNoRate = -1.0;

/// ‖vₙ₊₂‖/‖vₙ‖ at the end of a run from (1, k/3) that comes to rest; kNoRate where the disk leaves.
double observed_rate(double alpha, double e) {
  CornerProblem problem = disk_problem(alpha, e, {1.0, std::tan(alpha) / 3.0}, {0x1p-51, 1e-12, 1'000'000});
  problem.trace = true;
  const CornerOutcome outcome = corner::solve(problem);
  const std::size_t n = outcome.trace.size();
  if (outcome.stop != corner::Stop::rest || n < 10) return kNoRate;
  return norm(outcome.trace[n - 1].velocity) / norm(outcome.trace[n - 3].velocity);
}

std::vector<Item> rates() {
  std::vector<Item> items;
  struct Corner {
    double e;
    int denominator;
  };
  for (const Corner& corner : {Corner{0.75, 64}, Corner{0.5, 32}, Corner{0.25, 16}, Corner{0.05, 8}, Corner{0.0, 64}}) {
    const double e = corner.e;
    const int denominator = corner.denominator;
    const double alpha = pi / denominator;
    Item item = number_item(
        "Theorem 5.3 and Remark 9",
        fmt::format("ρ(H₁) as printed against the observed rate ‖vₙ₊₂‖/‖vₙ‖, ε = {}, α = π/{}", e, denominator),
        printed_spectral_radius(beta_of(alpha), e), observed_rate(alpha, e), 1e-9);
    items.push_back(std::move(item));
  }
  return items;
}

std::vector<Item> remark_nine() {
  double wrong = 0.0;
  for (int i = 0; i <= 100; ++i) {
    const double e = i / 100.0;
    double before = 0.0;
    for (int j = 1; j <= 100; ++j) {  // β = cos 2α rises as α falls
      const double rho = corner::spectral_radius(pi / 4 * (1.0 - j / 101.0), e);
      wrong = std::max(wrong, before - rho);
      before = rho;
    }
  }
  const double alpha = pi / 64;
  const double inelastic = corner::spectral_radius(alpha, 0.0);
  const double lively = corner::spectral_radius(alpha, 0.75);
  Item restitution;
  restitution.where = "Remark 9";
  restitution.claim = "the bigger ε is, the slower ‖vₙ‖ falls (ρ for ε = 0 and ε = 0.75 at α = π/64)";
  restitution.paper = "ρ rises with ε";
  restitution.ours = fmt::format("{:.5f} and {:.5f}: it falls", inelastic, lively);
  restitution.verdict = lively < inelastic ? Verdict::differs : Verdict::reproduced;
  restitution.note =
      "The remark is wrong about ε. Where the eigenvalues are real, and only there a velocity can stay in the corner, "
      "ρ falls as ε rises: ∂r₊/∂ε < 0 for r₊ = (c + √(c²−4ε))/2, c = (1+ε)cos 2α. Where they are complex ρ = ε does "
      "rise, but there every disk leaves. The paper's own rows say the same: 7.7.2, 6.7.2, 5.7.2, 4.7.2, 3.7.2 (ε from "
      "0 to 0.75) come to rest after 5720, 5172, 3417, 1869, 712 steps.";
  return {statement_item("Remark 9", "the bigger β is (the smaller α), the slower ‖vₙ‖ falls (largest fall of ρ)",
                         wrong, 1e-15, "100 angles for each of 101 restitutions"),
          std::move(restitution)};
}

Figure rate_figure() {
  Figure figure;
  figure.name = "corner-spectral-radius";
  figure.caption =
      "Spectral radius ρ(H₁) of two impacts over the restitution, and the rate ‖vₙ₊₂‖/‖vₙ‖ observed in runs from (1, "
      "k/3) that come to rest. Below, their relative difference: near the end of each curve the eigenvalues meet and "
      "the run settles slowly.";
  figure.picture.title = "How fast a disk that stays comes to rest";
  figure.picture.x_label = "restitution ε";
  figure.picture.x_range = {0.0, 1.0};
  Panel rates;
  rates.y_label = "factor of two impacts";
  Panel differences;
  differences.y_label = "relative difference";
  differences.logarithmic = true;
  differences.legend = false;
  int colour = 0;
  for (const int denominator : {8, 16, 32, 64}) {
    const double alpha = pi / denominator;
    Curve radius;
    radius.label = fmt::format("ρ, α = π/{}", denominator);
    radius.colour = colour;
    radius.dash = 0;
    Curve seen;
    seen.label = fmt::format("observed, α = π/{}", denominator);
    seen.colour = colour;
    seen.dash = 1;
    seen.width = 3.0;
    Curve difference;
    difference.label = radius.label;
    difference.colour = colour++;
    for (int i = 0; i <= 100; ++i) {
      const double e = i / 100.0;
      const double rho = corner::spectral_radius(alpha, e);
      radius.x.push_back(e);
      radius.y.push_back(rho);
      const double rate = observed_rate(alpha, e);
      if (rate == kNoRate) continue;
      seen.x.push_back(e);
      seen.y.push_back(rate);
      difference.x.push_back(e);
      difference.y.push_back(std::max(std::abs(rate / rho - 1.0), 1e-16));
    }
    rates.curves.push_back(std::move(radius));
    rates.curves.push_back(std::move(seen));
    differences.curves.push_back(std::move(difference));
  }
  figure.picture.panels = {std::move(rates), std::move(differences)};
  return figure;
}

}  // namespace

Section dissipative_impact() {
  Section section;
  section.heading = "Impact with restitution";
  section.text =
      "Section 5 of the paper. Single impacts alternate between the walls, so that two of them are a linear map H₁; "
      "its spectral radius is compared with the rate at which the speed is seen to fall.";
  section.items = {norm_by_wall_speeds()};
  append(section.items, results_that_carry_over());
  append(section.items, whole_runs());
  append(section.items, matrices());
  append(section.items, rates());
  section.items.push_back(energy_of_multiple_impact());
  append(section.items, remark_nine());
  section.figures = {rate_figure()};
  return section;
}

}  // namespace carom::reproduce::disk
