/// The chapter's section on the paper's rule for several planes, equation (23), beside the coupled laws of the library.

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "carom/analysis/compare_laws.h"
#include "reproduce/chapters/ellipsoid_and_planes/ellipsoid_formulas.h"
#include "reproduce/chapters/ellipsoid_and_planes/ellipsoid_items.h"
#include "reproduce/chapters/ellipsoid_and_planes/ellipsoid_problem.h"
#include "reproduce/chapters/ellipsoid_and_planes/ellipsoid_sections.h"

namespace carom::reproduce {

using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

constexpr std::array kCoupledLaws{&kNewtonLaw, &kPoissonLaw, &kSequentialLaw, &kCompliantLaw};
constexpr int kLawCases = 300;

/// ‖a − b‖_G / ‖v⁻‖_G.
double distance(const ImpactProblem& problem, const Vector& a, const Vector& b) {
  const Vector difference = a - b;
  return std::sqrt(difference.dot(problem.metric * difference) /
                   problem.velocity.dot(problem.metric * problem.velocity));
}

Vector velocity_of(const ImpactOutcome& outcome) {
  return Eigen::Map<const Vector>(outcome.velocity.data(), static_cast<Eigen::Index>(outcome.velocity.size()));
}

/// The largest distance of the other laws' answers from that of (23), corrected.
double spread(const ImpactProblem& problem) {
  const Vector paper = paper_velocity_after(problem, Reading::corrected);
  double worst = distance(problem, velocity_of(ImpactSolver().solve(problem, kSuperpositionLaw)), paper);
  for (const ImpactOutcome& outcome : compare_laws(problem, kCoupledLaws))
    worst = std::max(worst, distance(problem, velocity_of(outcome), paper));
  return worst;
}

Item single_item() {
  Random random(11);
  double worst = 0.0;
  int cases = 0;
  for (int i = 0; i < kLawCases; ++i) {
    const std::optional<ImpactProblem> impact = impact_of(random_ellipsoid(random, 1));
    if (!impact) continue;
    worst = std::max(worst, spread(*impact));
    ++cases;
  }
  return statement_item("§7, one plane", "Newton's, Poisson's and the energetic coefficient of restitution are equal",
                        worst, 1e-9,
                        fmt::format("{} random ellipsoids on one plane: superposition, newton, poisson, sequential "
                                    "and compliant (energetic) give one velocity; largest distance in the kinetic "
                                    "metric",
                                    cases));
}

Item axis_aligned_item() {
  Random random(12);
  double worst = 0.0;
  for (int i = 0; i < kLawCases; ++i) {
    EllipsoidCase aligned = random_ellipsoid(random, 0);
    aligned.attitude = Quaterniond::Identity();
    aligned.velocity = -aligned.velocity.cwiseAbs();
    for (const int axis : {0, 1, 2}) {
      aligned.planes.push_back({.normal = Vector3d::Unit(axis), .restitution = random.uniform()});
    }
    aligned.planes.resize(static_cast<std::size_t>(random.integer(2, 3)));
    worst = std::max(worst, spread(impact_of(aligned).value()));
  }
  return statement_item(
      "eq. (23), axes along the planes", "every law gives what (23) gives where the planes do not feel each other",
      worst, 1e-9,
      "random ellipsoids without rotation in a right-angled corner: D is diagonal, and only then is (23) exact");
}

std::string outcome_text(const ImpactOutcome& outcome) {
  return fmt::format("P = {:.3f}, {:.3f} N s; v_n = {:.5f}, {:.5f} m/s; ΔT = {:.2f} J", outcome.impulses[0],
                     outcome.impulses[1], outcome.rate_after[0], outcome.rate_after[1], outcome.energy.change);
}

std::string note_on(const ImpactLaw& law) {
  if (&law == &kNewtonLaw)
    return "each plane is left with its own −k v_n: what (23) would give if its planes were alone";
  if (&law == &kPoissonLaw)
    return "the paper says that its formulae use Poisson's coefficient; with the coefficient applied to the "
           "compression impulses of both planes together the answer is this one";
  if (&law == &kSequentialLaw) return "one plane after the other, the faster approach first, until nothing approaches";
  return "both contacts compress and expand as springs with energetic restitution";
}

std::vector<Item> example_items() {
  const ImpactProblem impact = impact_of(worked_example()).value();
  const Vector paper = paper_velocity_after(impact, Reading::corrected);
  const ImpactOutcome superposed = ImpactSolver().solve(impact, kSuperpositionLaw);
  const std::string paper_text = outcome_text(superposed);
  const double own = distance(impact, velocity_of(superposed), paper);
  std::vector<Item> items{
      {.where = "eq. (23), worked example",
       .claim = "law `superposition`",
       .paper = "by (23) with the sign corrected",
       .ours = paper_text,
       .difference = own,
       .tolerance = kRoundOff,
       .verdict = own <= kRoundOff ? Verdict::corrected : Verdict::differs,
       .note = "the plane OYZ is still approached afterwards, and more energy is lost than by any law below"}};
  for (const ImpactLaw* law : kCoupledLaws) {
    const ImpactOutcome outcome = ImpactSolver().solve(impact, *law);
    const double difference = distance(impact, velocity_of(outcome), paper);
    items.push_back({.where = "§7, two planes",
                     .claim = fmt::format("law `{}` gives the velocities of (23)", law->name),
                     .paper = paper_text,
                     .ours = outcome_text(outcome),
                     .difference = difference,
                     .tolerance = kRoundOff,
                     .verdict = difference <= kRoundOff ? Verdict::reproduced : Verdict::differs,
                     .note = note_on(*law)});
  }
  return items;
}

/// The ellipsoid along its axes between two parallel planes, moving towards one of them.
Item parallel_item() {
  EllipsoidCase between;
  between.planes = {{.normal = Vector3d::UnitZ(), .restitution = 0.8},
                    {.normal = -Vector3d::UnitZ(), .restitution = 0.8}};
  between.velocity = {0.5, 0.0, -1.0};
  const ImpactProblem impact = impact_of(between).value();
  std::string answers;
  for (const ImpactLaw* law : {&kSuperpositionLaw, &kNewtonLaw, &kPoissonLaw, &kSequentialLaw}) {
    const ImpactOutcome outcome = ImpactSolver().solve(impact, *law);
    answers += fmt::format("{}{}: {}, v_z {:.3g}", answers.empty() ? "" : "; ", law->name, stop_name(outcome.stop),
                           outcome.velocity[2]);
  }
  return {.where = "§7",
          .claim = "simultaneous collision with two parallel planes",
          .paper = "left out",
          .ours = answers,
          .difference = {},
          .tolerance = 0.0,
          .verdict = Verdict::not_reproducible,
          .note =
              "the paper eliminates this case. An ellipsoid along its axes, held by both planes, cannot leave "
              "either: what a law says of that is reported, not hidden"};
}

}  // namespace

Section ellipsoid_law_section(const Announce& announce) {
  announce("the rule for several planes beside other laws");
  Section section{
      .heading = "The rule for several planes beside coupled laws",
      .text =
          "Equation (23) gives every approached plane the impulse that it would have alone. The paper adds that "
          "Newton's, Poisson's and the energetic coefficient are equal without friction. That holds for one plane "
          "and for planes that do not feel each other (D₁₂ = 0); in the worked example (V = (−1, −1, 0) m/s, no "
          "spin, k = 0.8 at OXZ and 0.3 at OYZ, which are ours) every law has another answer. The differences are "
          "in the kinetic metric, relative to the velocity before.",
      .items = {single_item(), axis_aligned_item()},
      .figures = {},
      .maps = {}};
  for (Item& item : example_items()) section.items.push_back(std::move(item));
  section.items.push_back(parallel_item());
  return section;
}

}  // namespace carom::reproduce
