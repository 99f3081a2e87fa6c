/// Fassino, Pasquero: the chapter, and its first section on the zones of velocities and the forms of the rule.

#include <fmt/format.h>

#include <array>

#include "carom/laws/impact/impact_solver.h"
#include "reproduce/chapters/disk_in_a_corner/sections.h"
#include "reproduce/chapters/papers.h"

namespace carom::reproduce {
namespace disk {
namespace {

using std::numbers::pi;

/// The sector of φ in which section 1 puts a direction.
Zone sector(double alpha, double phi) {
  if (-alpha < phi && phi < alpha) return Zone::z12;
  if (alpha <= phi && phi < pi - alpha) return Zone::z2;
  if (-pi + alpha < phi && phi <= -alpha) return Zone::z1;
  return Zone::z0;
}

Item zones_by_angle() {
  Cases cases(101);
  int wrong = 0;
  for (int i = 0; i < kCases; ++i) {
    const double alpha = cases.alpha(0.01, 1.55);
    const double phi = cases.uniform(-pi, pi);
    wrong += static_cast<int>(zone_of(alpha, direction(phi)) != sector(alpha, phi));
  }
  return statement_item("Section 1 and eq. (1)", "the zone by the signs of kẋ ± ẏ is the sector of φ (wrong zones)",
                        wrong, 0.0, fmt::format("{} random corners and directions", kCases));
}

/// How many of the conditions (5a) to (5d) a direction fulfils, with (5b) as printed or corrected. cot and tan are
/// given by the components, which are exact here: v = (±1, −k).
int zones_claimed(double k, Velocity v, bool printed) {
  const double cot = v.x / v.y;
  const double cot_alpha = 1.0 / k;
  const bool z0 = v.x < 0.0 && std::abs(v.y) <= k * std::abs(v.x);
  const bool z1 = v.y < 0.0 && (printed ? -cot_alpha < cot && cot <= cot_alpha : -cot_alpha <= cot && cot < cot_alpha);
  const bool z2 = v.y > 0.0 && -cot_alpha < cot && cot <= cot_alpha;
  const bool z12 = v.x > 0.0 && std::abs(v.y) < k * std::abs(v.x);
  return static_cast<int>(z0) + static_cast<int>(z1) + static_cast<int>(z2) + static_cast<int>(z12);
}

Item endpoints_of_zone_one() {
  double printed = 0.0;
  double corrected = 0.0;
  for (const double k : {0.0625, 0.25, 0.5, 1.0, 2.0, 8.0}) {
    for (const Velocity v : {Velocity{1.0, -k}, Velocity{-1.0, -k}, Velocity{1.0, k}, Velocity{-1.0, k}}) {
      printed = std::max(printed, std::abs(zones_claimed(k, v, true) - 1.0));
      corrected = std::max(corrected, std::abs(zones_claimed(k, v, false) - 1.0));
    }
  }
  return misprint_item("eq. (5b)",
                       "every direction lies in exactly one zone, also along a wall (zones too many or too few)",
                       {"−cot α < cot φ ≤ cot α", "−cot α ≤ cot φ < cot α", printed, corrected}, 0.0,
                       "With the endpoints as printed the direction φ = −α lies in no zone and φ = −π + α in two. Both "
                       "ends are exchanged; (1), (2b) and the mirror image (5c) agree with the corrected form. The "
                       "range of φ in section 2.2 reads (−π, π].");
}

Item symmetry() {
  Cases cases(102);
  double worst = 0.0;
  for (int i = 0; i < kCases; ++i) {
    const double alpha = cases.alpha(0.01, 1.55);
    const double restitution = i % 2 == 0 ? 1.0 : cases.restitution();
    const Velocity v = cases.any_direction();
    const Velocity a = corner::solve(disk_problem(alpha, restitution, v)).velocity;
    const Velocity b = corner::solve(disk_problem(alpha, restitution, {v.x, -v.y})).velocity;
    worst = std::max(worst, distance(a, {b.x, -b.y}));
  }
  return statement_item("Remarks 3 and 4, eq. (4)", "a mirrored velocity has the mirrored outcome", worst, 0.0,
                        fmt::format("{} random cases, bit by bit", kCases));
}

Item forms_agree(corner::Form form, std::string where, std::string claim) {
  Cases cases(103);
  double worst = 0.0;
  for (int i = 0; i < kCases; ++i) {
    const double restitution = form == corner::Form::phi || i % 4 == 0 ? 1.0 : cases.restitution();
    CornerProblem problem = disk_problem(cases.alpha(0.03, 1.55), restitution, cases.any_direction());
    const CornerOutcome xy = corner::solve(problem);
    problem.form = form;
    worst = std::max(worst, distance(xy.velocity, corner::solve(problem).velocity));
  }
  return statement_item(std::move(where), std::move(claim), worst, 1e-12,
                        fmt::format("{} random cases, whole iterations of NA; round-off grows with the steps", kCases));
}

/// Γ of equation (17) against BᵀΓB = diag(m, m), B the matrix of (6).
Item metric_in_wall_speeds() {
  Cases cases(104);
  double worst = 0.0;
  for (int i = 0; i < kCases; ++i) {
    const double k = std::tan(cases.alpha(0.05, 1.5));
    const double m = cases.uniform(0.1, 10.0);
    const double diagonal = m * (1.0 + k * k) / (4.0 * k * k);
    const double beside = m * (1.0 - k * k) / (4.0 * k * k);
    const Velocity v = cases.any_direction();
    const WallSpeeds s = wall_speeds(k, v);
    const double twice_energy = diagonal * (s.xi * s.xi + s.eta * s.eta) + 2.0 * beside * s.xi * s.eta;
    worst = std::max(worst, std::abs(twice_energy / m - 1.0));
  }
  return statement_item("eq. (17)", "the metric Γ in (ξ̇, η̇) gives the kinetic energy of (ẋ, ẏ)", worst, 1e-12,
                        fmt::format("{} random corners, masses and velocities", kCases));
}

Item projections() {
  Cases cases(105);
  double printed = 0.0;
  double corrected = 0.0;
  for (int i = 0; i < kCases; ++i) {
    const double alpha = cases.alpha(0.05, 1.5);
    const double k = std::tan(alpha);
    const Velocity v = cases.any_direction();
    const double along = v.x * std::cos(alpha) - v.y * std::sin(alpha);         // along wall 2: kx + y = 0
    const double normal_speed = v.x * std::sin(alpha) + v.y * std::cos(alpha);  // across it
    printed = std::max(printed, std::abs(wall_speeds(k, v).xi - along));
    corrected = std::max(corrected, std::abs(wall_speeds(k, v).xi / std::hypot(1.0, k) - normal_speed));
  }
  return misprint_item("Section 2.3", "what ξ̇ and η̇ are",
                       {"projections in the directions of the walls", "√(1+k²) times the speeds normal to the walls",
                        printed, corrected},
                       1e-12, "Only so are the signs of ξ̇ and η̇ those of approach, as (7) uses them.");
}

/// (20): with the impulse −2v⊥ the wall speed turns from η̇ to −η̇, with −(1+ε)v⊥ to −εη̇, which is (15b).
Item impulse_of_one_wall() {
  Cases cases(106);
  double printed = 0.0;
  double corrected = 0.0;
  for (int i = 0; i < kCases; ++i) {
    const double alpha = cases.alpha(0.05, 1.5);
    const double k = std::tan(alpha);
    const double restitution = cases.uniform(0.0, 0.95);
    const Velocity v = cases.in_z1(alpha);
    const double eta = wall_speeds(k, v).eta;
    const Velocity across{k * eta / (1.0 + k * k), -eta / (1.0 + k * k)};  // v₁⊥ of (22)
    const Velocity after = one_step(alpha, restitution, v);
    const double factor = 1.0 + restitution;
    printed = std::max(printed, distance({v.x - 2.0 * across.x, v.y - 2.0 * across.y}, after));
    corrected = std::max(corrected, distance({v.x - factor * across.x, v.y - factor * across.y}, after));
  }
  return misprint_item(
      "eq. (20)", "the impulse of a single wall, with v₁⊥ of (22), gives the step (14b)",
      {"I = −2v⊥", "I = −(1+ε)v⊥", printed, corrected}, 1e-13,
      "The right-hand column of (20), section 1 item 3 and (14b) have −(1+ε)v⊥; −2v⊥ is left over from the ideal law "
      "(19).");
}

/// A disk that stays is at rest below 1e-12 for NA, and for the law where no wall is approached faster than 1e-12,
/// which leaves it 1e-12/sin α at most: a speed v into the corner approaches the walls with v sin α.
Item appendix_rule() {
  Cases cases(107);
  ImpactSolver solver;
  double leaving = 0.0;
  int at_rest = 0;
  int moving = 0;
  for (int i = 0; i < kCases; ++i) {
    const CornerProblem problem = disk_problem(cases.alpha(0.1, 1.5), cases.restitution(), cases.any_direction());
    const ImpactOutcome outcome =
        solver.solve(impact_problem(problem, cases.uniform(0.1, 10.0), cases.uniform(0.1, 10.0), 0.0), kGeometricLaw);
    const Velocity general{outcome.velocity[0], outcome.velocity[1]};
    const CornerOutcome special = corner::solve(problem);
    if (special.stop == corner::Stop::z0) {
      leaving = std::max(leaving, distance(special.velocity, general));
    } else {
      ++at_rest;
      moving += static_cast<int>(norm(general) > 1.1e-12 / std::sin(problem.alpha));
    }
  }
  return statement_item(
      "eqs. (19), (20) with (22)",
      "the law `geometric`, in (ẋ, ẏ, ϑ̇) with any mass and inertia, gives the velocity of NA", leaving + moving, 1e-12,
      fmt::format("{} random cases; in {} of them the disk comes to rest, under both", kCases, at_rest));
}

std::vector<Item> spin_items() {
  constexpr int kSpinCases = 200;
  std::vector<Item> items;
  ImpactSolver solver;
  for (const ImpactLaw* law :
       {&kGeometricLaw, &kNewtonLaw, &kPoissonLaw, &kSequentialLaw, &kSuperpositionLaw, &kCompliantLaw}) {
    Cases cases(108);
    double worst = 0.0;
    for (int i = 0; i < kSpinCases; ++i) {
      const CornerProblem problem = disk_problem(cases.alpha(0.2, 1.5), cases.restitution(), cases.any_direction());
      const double spin = cases.uniform(-100.0, 100.0);
      const ImpactProblem impact = impact_problem(problem, cases.uniform(0.1, 10.0), cases.uniform(0.01, 1.0), spin);
      worst = std::max(worst, std::abs(solver.solve(impact, *law).velocity[2] - spin));
    }
    items.push_back(statement_item("Section 1, item 1; section 7.3, item 1",
                                   fmt::format("the spin of the disk is unchanged under `{}`", law->name), worst, 0.0,
                                   fmt::format("{} spinning disks, bit by bit", kSpinCases)));
  }
  return items;
}

}  // namespace

ImpactProblem impact_problem(const CornerProblem& problem, double mass, double inertia, double spin) {
  const double sine = std::sin(problem.alpha);
  const double cosine = std::cos(problem.alpha);
  ImpactProblem impact;
  impact.metric = Matrix::Zero(3, 3);
  impact.metric.diagonal() << mass, mass, inertia;
  impact.velocity = Vector(3);
  impact.velocity << problem.velocity.x, problem.velocity.y, spin;
  impact.restitution = problem.restitution;
  const auto wall = [&](const char* name, double along_y) {
    Contact contact;
    contact.name = name;
    contact.normal = Vector(3);
    contact.normal << -sine, along_y, 0.0;
    return contact;
  };
  impact.contacts = {wall("wall 1", cosine), wall("wall 2", -cosine)};
  return impact;
}

Item misprint_item(std::string where, std::string claim, Misprint misprint, double tolerance, std::string note) {
  const bool printed_holds = misprint.printed_violation <= tolerance;
  const bool corrected_holds = misprint.corrected_violation <= tolerance;
  Item item;
  item.where = std::move(where);
  item.claim = std::move(claim);
  item.paper = fmt::format("{} (fails by {:.4g})", misprint.printed, misprint.printed_violation);
  item.ours = std::move(misprint.corrected);
  item.difference = misprint.corrected_violation;
  item.tolerance = tolerance;
  item.verdict = printed_holds ? Verdict::reproduced : corrected_holds ? Verdict::corrected : Verdict::differs;
  item.note = std::move(note);
  return item;
}

Section zones_and_rule() {
  Section section;
  section.heading = "Zones of velocities and the rule of impact";
  section.text =
      "The bisector is the x axis and points into the corner, k = tan α, and a velocity approaches wall 1 where η̇ = kẋ "
      "− ẏ > 0 and wall 2 where ξ̇ = kẋ + ẏ > 0. The paper writes one rule in three sets of coordinates; all are "
      "carried out and compared. The same disk is also given to the general impact laws with its spin.";
  section.items = {zones_by_angle(),
                   endpoints_of_zone_one(),
                   symmetry(),
                   forms_agree(corner::Form::phi, "eqs. (2) and (5)", "the rule in φ is the rule in (ẋ, ẏ), ε = 1"),
                   forms_agree(corner::Form::xi_eta, "eqs. (2), (14) and (7), (15)",
                               "the rule in (ξ̇, η̇) is the rule in (ẋ, ẏ), 0 ≤ ε ≤ 1"),
                   projections(),
                   metric_in_wall_speeds(),
                   impulse_of_one_wall(),
                   appendix_rule()};
  append(section.items, spin_items());
  return section;
}

}  // namespace disk

Chapter disk_in_a_corner(const Announce& announce) {
  struct Part {
    const char* words;
    Section (*make)();
  };
  constexpr std::array kParts{Part{"zones and rule", &disk::zones_and_rule},
                              Part{"ideal impact", &disk::ideal_impact},
                              Part{"impact with restitution", &disk::dissipative_impact},
                              Part{"theoretical and numerical algorithm", &disk::theoretical_and_numerical},
                              Part{"the 343 published rows", &disk::published_rows},
                              Part{"steps over restitution and angle", &disk::where_the_disk_leaves}};
  Chapter chapter;
  chapter.id = "disk-in-a-corner";
  chapter.title = "An algorithmic approach to the multiple impact of a disk in a corner";
  chapter.citation = "C. Fassino, S. Pasquero, 2019";
  for (const Part& part : kParts) {
    announce(part.words);
    chapter.sections.push_back(part.make());
  }
  return chapter;
}

}  // namespace carom::reproduce
