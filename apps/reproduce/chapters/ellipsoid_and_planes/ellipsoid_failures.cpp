/// The chapter's section on where the paper's rule for several planes, equation (23), fails, and by how much.
///
/// With γ̂_i = γ_i/√D_ii, two approached planes, cosine ρ = D₁₂/√(D₁₁D₂₂):
///   ΔT = −½(1−k₁²)γ̂₁² − ½(1−k₂²)γ̂₂² + (1+k₁)(1+k₂)ρ γ̂₁γ̂₂.
/// ρ > 0: some approach gains energy iff ρ² > (1−k₁)(1−k₂)/((1+k₁)(1+k₂)); with k₁ = k₂ = k iff k > (1−ρ)/(1+ρ), and
/// the greatest gain is T⁺/T⁻ = (k + (1+k)ρ)². ρ < 0: a plane may still be approached afterwards.

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>

#include "carom/laws/impact/impact_solver.h"
#include "reproduce/chapters/ellipsoid_and_planes/ellipsoid_problem.h"
#include "reproduce/chapters/ellipsoid_and_planes/ellipsoid_sections.h"
#include "reproduce/decompositions.h"

namespace carom::reproduce {

namespace {

constexpr int kFailureCases = 2000;

// --------------------------------------------------------------------------------------------------- random two planes

struct Study {
  int cases = 0, created = 0, left = 0, either = 0;  ///< with both approached
  double greatest_gain = 0.0;                        ///< T⁺/T⁻
  double formula = 0.0;                              ///< deviation of ΔT from its closed form, relative to T⁻
  int others = 0;                                    ///< energy created by newton, poisson, sequential
  int single_cases = 0, single_left = 0;             ///< with one approached: the paper's case c.2
};

/// ΔT of (23) in closed form.
double superposed_change(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  const Matrix d = inertance_matrix(problem);
  const double k1 = *problem.contacts[0].restitution, k2 = *problem.contacts[1].restitution;
  const double g1 = outcome.rate_before[0], g2 = outcome.rate_before[1];
  return -0.5 * (1.0 - k1 * k1) * g1 * g1 / d(0, 0) - 0.5 * (1.0 - k2 * k2) * g2 * g2 / d(1, 1) +
         (1.0 + k1) * (1.0 + k2) * g1 * g2 * d(0, 1) / (d(0, 0) * d(1, 1));
}

void study_both(const ImpactProblem& problem, const ImpactOutcome& outcome, ImpactSolver& solver, Study& study) {
  const Flags& flags = outcome.audit.flags;
  ++study.cases;
  study.created += flags.has(Flag::energy_created) ? 1 : 0;
  study.left += flags.has(Flag::still_approaching) ? 1 : 0;
  study.either += flags.has(Flag::energy_created) || flags.has(Flag::still_approaching) ? 1 : 0;
  study.greatest_gain = std::max(study.greatest_gain, outcome.energy.after / outcome.energy.before);
  const double before = outcome.energy.before;
  study.formula =
      std::max(study.formula, std::abs(superposed_change(problem, outcome) - outcome.energy.change) / before);
  for (const ImpactLaw* law : {&kNewtonLaw, &kPoissonLaw, &kSequentialLaw})
    study.others += solver.solve(problem, *law).audit.flags.has(Flag::energy_created) ? 1 : 0;
}

Study study_two_planes() {
  Random random(21);
  ImpactSolver solver;
  Study study;
  while (study.cases < kFailureCases) {
    const std::optional<ImpactProblem> impact = impact_of(random_ellipsoid(random, 2));
    if (!impact) continue;
    const ImpactOutcome outcome = solver.solve(*impact, kSuperpositionLaw);
    if (outcome.rate_before[0] < 0.0 && outcome.rate_before[1] < 0.0) {
      study_both(*impact, outcome, solver, study);
    } else {
      ++study.single_cases;
      study.single_left += outcome.audit.flags.has(Flag::still_approaching) ? 1 : 0;
    }
  }
  return study;
}

// ------------------------------------------------------------ when, and how much at worst

/// The velocity with the given γ̂₁, γ̂₂ and the least energy.
void approach_with(ImpactProblem& problem, const Eigen::Vector2d& rates) {
  const Matrix d = inertance_matrix(problem);
  const Eigen::Vector2d roots = Eigen::Vector2d(d.diagonal()).cwiseSqrt();
  const Eigen::Vector2d impulses = solve_regular(d, rates.cwiseProduct(roots));
  problem.velocity.setZero();
  for (Eigen::Index i = 0; i < 2; ++i) {
    problem.velocity += impulses[i] * problem.metric.diagonal().cwiseInverse().cwiseProduct(problem.contacts[i].normal);
  }
}

/// The threshold and the greatest gain against the law, at the approach that is worst by the formula.
struct WorstCase {
  int cases = 0, disagreements = 0;
  double gain = 0.0;  ///< largest deviation from (k + (1+k)ρ)²
};

WorstCase worst_cases() {
  Random random(22);
  ImpactSolver solver;
  WorstCase found;
  while (found.cases < kFailureCases) {
    std::optional<ImpactProblem> impact = impact_of(random_ellipsoid(random, 2));
    if (!impact) continue;
    const double cosine = kinetic_cosine(*impact);
    const double k1 = *impact->contacts[0].restitution, k2 = *impact->contacts[1].restitution;
    const double margin = (1.0 - k1) * (1.0 - k2) / ((1.0 + k1) * (1.0 + k2)) - cosine * cosine;
    if (cosine <= 0.0 || std::abs(margin) < 1e-6) continue;
    ++found.cases;
    const double ratio = std::pow((1.0 - k2 * k2) / (1.0 - k1 * k1), 0.25);
    approach_with(*impact, {-ratio, -1.0 / ratio});
    const bool created = solver.solve(*impact, kSuperpositionLaw).audit.flags.has(Flag::energy_created);
    if (created != (margin < 0.0)) ++found.disagreements;

    impact->contacts[1].restitution = k1;
    approach_with(*impact, {-1.0, -1.0});
    const ImpactOutcome outcome = solver.solve(*impact, kSuperpositionLaw);
    const double root = k1 + (1.0 + k1) * cosine;
    found.gain = std::max(found.gain, std::abs(outcome.energy.after / outcome.energy.before - root * root));
  }
  return found;
}

/// A statement of the paper that fails in `count` of so many cases.
Item failing(std::string where, std::string claim, int count, std::string ours, std::string note) {
  return {.where = std::move(where),
          .claim = std::move(claim),
          .paper = "holds",
          .ours = std::move(ours),
          .difference = {},
          .tolerance = 0.0,
          .verdict = count > 0 ? Verdict::differs : Verdict::reproduced,
          .note = std::move(note)};
}

std::vector<Item> study_items(const Study& study, const WorstCase& worst) {
  return {
      failing("§7", "no restriction on the coefficients of restitution is needed", study.created,
              fmt::format("energy created in {} of {} cases, up to T⁺ = {:.3g} T⁻", study.created, study.cases,
                          study.greatest_gain),
              fmt::format("random ellipsoids that approach two random planes, k₁ and k₂ from 0 to 1. No approach "
                          "gains energy iff (1−k₁)(1−k₂)/((1+k₁)(1+k₂)) ≥ ρ² or ρ ≤ 0: {} disagreements in {} "
                          "pairs of planes at their worst approach. The greatest gain for equal k is T⁺/T⁻ = (k + "
                          "(1+k)ρ)², up to 9: found to {:.0e}. newton, poisson and sequential create energy in "
                          "{} of the cases",
                          worst.disagreements, worst.cases, worst.gain, study.others)),
      failing("eq. (23)", "after the collision no plane is approached", study.left,
              fmt::format("a plane still approached in {} of {} cases", study.left, study.cases),
              fmt::format("the impulse of one plane drives the body at the other where ρ < 0. In {} of the cases "
                          "one or the other fails. ΔT agrees with its closed form to {:.0e} of T⁻",
                          study.either, study.formula)),
      failing("§5, case c.2", "with v_n < 0 at one plane and v_n ≥ 0 at the other there is one collision only",
              study.single_left,
              fmt::format("the other plane is run into in {} of {} cases", study.single_left, study.single_cases),
              "the impulse at the first plane turns the body into the second one; a collision there has to follow")};
}

}  // namespace

Section ellipsoid_failure_section(const Announce& announce) {
  announce("where the rule for several planes fails");
  Section section{
      .heading = "Where the rule for several planes fails, and by how much",
      .text =
          "Equation (23) neglects that the impulse of one plane changes the approach to the other. With the "
          "kinetic cosine ρ = D₁₂/√(D₁₁D₂₂): for ρ > 0 the planes share work that (23) counts twice, and energy is "
          "created; for ρ < 0 each plane drives the body at the other, and one may still be approached afterwards. "
          "The audit of the law `superposition` flags both. The paper says nothing of either.",
      .items = study_items(study_two_planes(), worst_cases()),
      .figures = {},
      .maps = {}};
  announce("figures and maps of the rule for several planes");
  section.figures = ellipsoid_law_figures();
  section.maps = ellipsoid_law_maps();
  return section;
}

}  // namespace carom::reproduce
