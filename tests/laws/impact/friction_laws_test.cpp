/// Friction at impacts: closed forms, limits, refusals, and contacts that do not slip but only push.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/base/error.h"
#include "carom/base/random.h"
#include "carom/laws/impact/all_outcomes.h"
#include "carom/laws/impact/impact_solver.h"
#include "support/property_cases.h"

namespace carom {
namespace {

const ImpactLaw* const kCoupledLaws[] = {&kNewtonLaw, &kPoissonLaw, &kSequentialLaw};

/// A homogeneous sphere of radius and mass 1 above the floor z = 0, as (v, ω).
ImpactProblem sphere_on_floor(const Vector& velocity, double restitution, double friction) {
  ImpactProblem problem;
  problem.metric = Vector{{1, 1, 1, 0.4, 0.4, 0.4}}.asDiagonal();
  problem.velocity = velocity;
  problem.restitution = restitution;
  Contact floor;
  floor.normal = Vector{{0, 0, 1, 0, 0, 0}};
  floor.tangents = Matrix{{1.0, 0.0, 0.0, 0.0, -1.0, 0.0}, {0.0, 1.0, 0.0, 1.0, 0.0, 0.0}};
  floor.friction = friction;
  problem.contacts = {floor};
  return problem;
}

/// A box of half width b and half height h that stands on two corners, as (v_x, v_z, ω), mass 1.
ImpactProblem standing_box(double b, double h, const Vector& velocity) {
  ImpactProblem problem;
  problem.metric = Vector{{1.0, 1.0, (b * b + h * h) / 3.0}}.asDiagonal();
  problem.velocity = velocity;
  for (const double side : {-b, b}) {
    Contact corner;  // at (side, −h); ω turns x to z
    corner.normal = Vector{{0.0, 1.0, side}};
    corner.tangents = Matrix{{1.0, 0.0, h}};
    problem.contacts.push_back(corner);
  }
  return problem;
}

TEST(Friction, ASphereSlidesThroughoutAboveTheAngleOfTheClosedForm) {
  const double e = 0.8;
  const double mu = 0.2;
  const double border = std::atan(3.5 * mu * (1.0 + e));
  EXPECT_NEAR(border * 180.0 / std::numbers::pi, 51.562699, 1e-6);
  for (const double angle : {border - 0.3, border - 1e-6, border + 1e-6, border + 0.3}) {
    const double v = std::sin(angle);
    const double rate = -std::cos(angle);
    for (const ImpactLaw* law : {&kIncrementalLaw, &kNewtonLaw, &kPoissonLaw, &kSequentialLaw}) {
      SCOPED_TRACE(std::string(law->name) + " " + std::to_string(angle));
      const ImpactOutcome outcome = ImpactSolver().solve(sphere_on_floor(Vector{{v, 0, rate, 0, 0, 0}}, e, mu), *law);
      const bool slides = angle > border;
      EXPECT_NEAR(outcome.velocity[0], slides ? v + mu * (1.0 + e) * rate : 5.0 / 7.0 * v, 1e-13);
      EXPECT_NEAR(outcome.velocity[2], -e * rate, 1e-13);
      EXPECT_EQ(outcome.modes[0], slides ? FrictionMode::slip : FrictionMode::stick);
      EXPECT_FALSE(outcome.audit.flags.has(Flag::energy_created));
    }
  }
}

TEST(Friction, SlipThatDiesWhereItCannotStickPassesThrough) {
  // b − μCd = λd with −μd⊥·Cd⊥ < λ < 0 for d = (1, 0): an open set of slips dies and starts again.
  ImpactProblem problem;
  Matrix inertance{{1.0, -0.964, 0.0}, {-0.964, 1.351, 0.0}, {0.0, 0.0, 4.0}};
  problem.metric = inertance.inverse();
  problem.metric = (0.5 * (problem.metric + problem.metric.transpose())).eval();
  problem.velocity = Vector{{-1.5, 0.6, 0.2}};
  problem.restitution = 0.5;
  Contact contact;
  contact.normal = Vector{{1.0, 0.0, 0.0}};
  contact.tangents = Matrix{{0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  contact.friction = 0.5;
  problem.contacts = {contact};
  const ImpactOutcome outcome = ImpactSolver().solve(problem, kIncrementalLaw);
  EXPECT_EQ(outcome.phases, (std::vector<FrictionPhase>{{0, FrictionMode::slip}, {0, FrictionMode::slip}}));
  EXPECT_LT(outcome.slip_after[0], 0.0);
  EXPECT_NEAR(outcome.slip_after[1], 0.0, 1e-12);
  EXPECT_LT(outcome.friction_work[0], 0.0);
}

TEST(Friction, LargeFrictionKillsSlipFirst) {
  // γ_s = γ⁻ − bᵀC⁻¹s⁻, then γ⁺ = −eγ_s and s⁺ = 0; here as the limit of the law and for a contact without slip.
  ImpactProblem problem;
  const Matrix inertance{{1.0, 0.3}, {0.3, 2.0}};
  problem.metric = inertance.inverse();
  problem.velocity = Vector{{-1.0, 0.8}};
  problem.restitution = 0.6;
  Contact contact;
  contact.normal = Vector{{1.0, 0.0}};
  contact.tangents = Matrix{{0.0, 1.0}};
  contact.friction = 1e7;
  problem.contacts = {contact};
  const double stuck = -1.0 - 0.3 / 2.0 * 0.8;
  const ImpactOutcome outcome = ImpactSolver().solve(problem, kIncrementalLaw);
  EXPECT_NEAR(outcome.velocity[0], -0.6 * stuck, 1e-6);
  EXPECT_NEAR(outcome.velocity[1], 0.0, 1e-12);

  // Beside a second contact that is far from it the same contact does not slip: the limit itself.
  problem.metric = Matrix::Identity(3, 3);
  problem.metric.topLeftCorner(2, 2) = inertance.inverse();
  problem.velocity = Vector{{-1.0, 0.8, -0.1}};
  problem.contacts[0].normal = Vector{{1.0, 0.0, 0.0}};
  problem.contacts[0].tangents = Matrix{{0.0, 1.0, 0.0}};
  problem.contacts[0].friction = 0.0;
  problem.contacts[0].rough = true;
  problem.contacts.push_back({.name = {}, .normal = Vector{{0.0, 0.0, 1.0}}});
  const ImpactOutcome rough = ImpactSolver().solve(problem, kSequentialLaw);
  EXPECT_NEAR(rough.velocity[0], -0.6 * stuck, 1e-13);
  EXPECT_NEAR(rough.velocity[1], 0.0, 1e-13);
  EXPECT_NEAR(rough.velocity[2], 0.06, 1e-14);
}

TEST(Friction, SlipThatTurnsInSpaceEndsAsItDoesUnderLargeFriction) {
  // Of large friction μ the path is a series, whose outcome is that of the limit but for parts of 1/μ. A second contact
  // far away, so that the first one is not alone, which would be the law rough.
  Random random(3);
  for (int k = 0; k < test::property_cases(200); ++k) {
    const Matrix root =
        Matrix::NullaryExpr(3, 3, [&](Eigen::Index, Eigen::Index) { return random.uniform(-1.0, 1.0); });
    ImpactProblem problem;
    problem.metric = Matrix::Identity(4, 4);
    problem.metric.topLeftCorner(3, 3) = (root * root.transpose() + 0.1 * Matrix::Identity(3, 3)).inverse();
    problem.velocity = Vector{{-1.0, random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), -0.1}};
    problem.restitution = random.uniform(0.0, 1.0);
    problem.contacts.resize(2);
    problem.contacts[0].normal = Vector::Unit(4, 0);
    problem.contacts[0].tangents = Matrix::Identity(4, 4).middleRows(1, 2);
    problem.contacts[0].friction = 1e8;
    problem.contacts[1].normal = Vector::Unit(4, 3);
    const ImpactOutcome expected = ImpactSolver().solve(problem, kSequentialLaw);
    problem.contacts[0].friction = 0.0;
    problem.contacts[0].rough = true;
    const ImpactOutcome rough = ImpactSolver().solve(problem, kSequentialLaw);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(rough.velocity[i], expected.velocity[i], 1e-6) << k;
    EXPECT_NEAR(rough.energy.change, expected.energy.change, 1e-6) << k;
  }
}

TEST(Friction, WhereStickWouldPullTheLimitOfLargeFrictionHolds) {
  // Planar, γ_s ≥ 0: p → 0, γ⁺ = min(−eγ⁻, γ_s), π = (γ⁺ − γ⁻)/b.
  ImpactProblem problem;
  const Matrix inertance{{1.0, 0.9}, {0.9, 1.0}};
  problem.metric = inertance.inverse();
  problem.restitution = 0.5;
  Contact contact;
  contact.normal = Vector{{1.0, 0.0}};
  contact.tangents = Matrix{{0.0, 1.0}};
  contact.rough = true;
  problem.contacts = {contact};
  for (const double slip : {-1.0, -4.0}) {
    problem.velocity = Vector{{-0.5, slip}};
    const double stuck = -0.5 - 0.9 * slip;
    ASSERT_GT(stuck, 0.0);
    const ImpactOutcome outcome = ImpactSolver().solve(problem, kSequentialLaw);
    EXPECT_NEAR(outcome.rate_after[0], std::min(0.25, stuck), 1e-14);
    EXPECT_EQ(outcome.impulses[0], 0.0);
    EXPECT_NEAR(outcome.tangential_impulses[0], (outcome.rate_after[0] + 0.5) / 0.9, 1e-14);
    EXPECT_FALSE(outcome.audit.flags.has(Flag::energy_created));
    for (const ImpactLaw* law : {&kNewtonLaw, &kPoissonLaw}) {
      const ImpactOutcome coupled = ImpactSolver().solve(problem, *law);
      EXPECT_TRUE(finished(coupled.stop)) << law->name;
      EXPECT_GE(coupled.audit.min_impulse, 0.0) << law->name;
    }
  }
}

TEST(NoSlip, ACubeCaughtAtItsEdgeTurnsAboutIt) {
  const double a = 0.5;
  const double v = 2.0;
  ImpactProblem problem = standing_box(a, a, Vector{{v, -1e-3, 0.0}});
  problem.restitution = 0.0;
  for (Contact& corner : problem.contacts) {
    corner.rough = true;
    corner.tangential_restitution = 0.0;
  }
  for (const ImpactLaw* law : kCoupledLaws) {
    SCOPED_TRACE(law->name);
    const ImpactOutcome outcome = ImpactSolver().solve(problem, *law);
    EXPECT_NEAR(outcome.velocity[2], -3.0 * v / (8.0 * a), 1e-2);  // ω turns x to z; it tips forward
    EXPECT_GE(outcome.audit.min_impulse, 0.0);
    EXPECT_EQ(outcome.modes[0], FrictionMode::open);
    EXPECT_EQ(outcome.modes[1], FrictionMode::stick);
    EXPECT_FALSE(outcome.audit.flags.has(Flag::energy_created));
  }
}

TEST(NoSlip, ABlockThatLandsFlatWhileTurningIsNotHeldDown) {
  for (const double turning : {-0.7, 0.4, 1.9}) {
    ImpactProblem problem = standing_box(1.0, 0.4, Vector{{0.8, -1.0, turning}});
    problem.restitution = 0.3;
    for (Contact& corner : problem.contacts) corner.rough = true;
    for (const ImpactLaw* law : kCoupledLaws) {
      const ImpactOutcome outcome = ImpactSolver().solve(problem, *law);
      EXPECT_TRUE(finished(outcome.stop)) << law->name;
      EXPECT_GE(outcome.audit.min_impulse, 0.0) << law->name;
      EXPECT_GE(outcome.audit.min_gap_rate_after, -1e-12) << law->name;
    }
  }
}

TEST(NoSlip, EqualsSmoothWhereNothingSlips) {
  // Two balls fall on a floor, straight down, each with its own speed.
  for (const double e : {1.0, 0.4}) {
    ImpactProblem problem;
    problem.metric = Vector{{1, 1, 0.4, 2, 2, 0.8}}.asDiagonal();
    problem.velocity = Vector{{0, -1, 0, 0, -2, 0}};
    problem.restitution = e;
    for (const int ball : {0, 3}) {
      Contact contact;
      contact.normal = Vector::Unit(6, ball + 1);
      contact.tangents = Matrix::Zero(1, 6);
      contact.tangents(0, ball) = 1.0;
      contact.tangents(0, ball + 2) = -1.0;
      problem.contacts.push_back(contact);
    }
    ImpactProblem rough = problem;
    for (Contact& contact : rough.contacts) contact.rough = true;
    for (const ImpactLaw* law : kCoupledLaws) {
      const ImpactOutcome smooth = ImpactSolver().solve(problem, *law);
      const ImpactOutcome stuck = ImpactSolver().solve(rough, *law);
      for (int i = 0; i < 6; ++i) EXPECT_NEAR(stuck.velocity[i], smooth.velocity[i], 1e-14) << law->name;
      EXPECT_NEAR(stuck.energy.change, (e * e - 1.0) * 4.5, 1e-12);
    }
  }
}

TEST(NoSlip, OneContactAloneIsTheProjectorOfRough) {
  ImpactProblem problem = sphere_on_floor(Vector{{1.0, 0.3, -1.0, 0.0, 2.0, 1.0}}, 1.0, 0.0);
  problem.contacts[0].rough = true;
  const ImpactOutcome expected = ImpactSolver().solve(problem, kRoughLaw);
  for (const ImpactLaw* law : kCoupledLaws) {
    const ImpactOutcome outcome = ImpactSolver().solve(problem, *law);
    EXPECT_EQ(outcome.velocity, expected.velocity) << law->name;
    EXPECT_EQ(outcome.modes, std::vector{FrictionMode::stick}) << law->name;
  }
  EXPECT_NEAR(expected.energy.change, 0.0, 1e-14);
}

TEST(Poisson, UnequalRestitutionsCanCreateEnergyAndSayso) {
  Matrix s{{16, -1, 4, -14}, {-1, 2, -2, 1}, {4, -2, 9, -6}, {-14, 1, -6, 15}};
  ImpactProblem problem;
  problem.metric = s.inverse();
  problem.metric = (0.5 * (problem.metric + problem.metric.transpose())).eval();
  problem.velocity = Vector{{-0.5, -0.5, -0.8, -0.6}};
  const double friction[] = {1.4, 1.0};
  for (int i = 0; i < 2; ++i) {
    Contact contact;
    contact.normal = Vector::Unit(4, i);
    contact.tangents = Vector::Unit(4, 2 + i).transpose();
    contact.friction = friction[i];
    contact.restitution = 1.0 - i;
    problem.contacts.push_back(contact);
  }
  const ImpactOutcome outcome = ImpactSolver().solve(problem, kPoissonLaw);
  EXPECT_NEAR(outcome.energy.before, 0.737981, 1e-6);
  EXPECT_NEAR(outcome.energy.after, 1.497349, 1e-6);
  EXPECT_TRUE(outcome.audit.flags.has(Flag::energy_created));
}

TEST(Friction, ABoxThatLandsSpinningOnAFaceHasAContinuumOfOutcomes) {
  ImpactProblem problem;
  problem.metric = Vector{{1, 1, 1, 0.2, 0.3, 0.4}}.asDiagonal();
  problem.velocity = Vector{{1.0, 0.0, -1.0, 0.0, 0.0, 2.0}};
  problem.restitution = 0.2;
  for (const double x : {-1.0, 1.0})
    for (const double y : {-0.6, 0.6}) {
      Contact corner;  // at (x, y, −0.5)
      corner.normal = Vector{{0, 0, 1, y, -x, 0}};
      corner.tangents = Matrix{{1, 0, 0, 0, -0.5, -y}, {0, 1, 0, 0.5, 0, x}};
      corner.friction = 0.15;
      problem.contacts.push_back(corner);
    }
  const ImpactOutcome outcome = ImpactSolver().solve(problem, kNewtonLaw);
  EXPECT_EQ(outcome.stop, Stop::separated);
  EXPECT_TRUE(outcome.audit.flags.has(Flag::impulses_not_unique));
  EXPECT_TRUE(outcome.audit.flags.has(Flag::outcome_not_unique));
  EXPECT_LE(*outcome.audit.complementarity_residual, 1e-12);
}

TEST(Friction, AContactThatIsDrivenInByFrictionIsNamedAndLeftAlone) {
  // Slip with μσb > a and γ⁻ = 0: Painlevé's jam. Nothing approaches, so nothing happens.
  ImpactProblem problem;
  const Matrix inertance{{1.0, 0.9}, {0.9, 1.0}};
  problem.metric = inertance.inverse();
  problem.velocity = Vector{{0.0, 1.0}};
  Contact contact;
  contact.normal = Vector{{1.0, 0.0}};
  contact.tangents = Matrix{{0.0, 1.0}};
  contact.friction = 1.5;
  problem.contacts = {contact};
  const ImpactOutcome outcome = ImpactSolver().solve(problem, kIncrementalLaw);
  EXPECT_EQ(outcome.steps, 0);
  EXPECT_TRUE(outcome.audit.flags.has(Flag::painleve_jam));
  problem.velocity = Vector{{0.0, -1.0}};  // the opposite slip is harmless
  EXPECT_FALSE(ImpactSolver().solve(problem, kIncrementalLaw).audit.flags.has(Flag::painleve_jam));
}

TEST(Friction, TangentsThatAreNotOrthonormalAreRemarked) {
  ImpactProblem problem = sphere_on_floor(Vector{{1, 0, -1, 0, 0, 0}}, 0.5, 0.3);
  EXPECT_FALSE(ImpactSolver().solve(problem, kNewtonLaw).audit.flags.has(Flag::tangent_rows_not_orthogonal));
  problem.contacts[0].tangents.row(1) *= 2.0;
  EXPECT_TRUE(ImpactSolver().solve(problem, kNewtonLaw).audit.flags.has(Flag::tangent_rows_not_orthogonal));
}

Kind kind_of(const ImpactProblem& problem, const ImpactLaw& law) {
  try {
    (void)ImpactSolver().solve(problem, law);
  } catch (const InputError& error) {
    return error.kind();
  }
  return Kind::file;  // accepted
}

TEST(Friction, RefusesWhatHasNoMeaning) {
  const ImpactProblem good = sphere_on_floor(Vector{{1, 0, -1, 0, 0, 0}}, 0.5, 0.3);
  const auto changed = [&](const auto& change) {
    ImpactProblem problem = good;
    change(problem.contacts[0]);
    return kind_of(problem, kNewtonLaw);
  };
  EXPECT_EQ(changed([](Contact&) {}), Kind::file);
  EXPECT_EQ(changed([](Contact& c) { c.friction = -0.1; }), Kind::out_of_range);
  EXPECT_EQ(changed([](Contact& c) { c.friction = std::nan(""); }), Kind::not_finite);
  EXPECT_EQ(changed([](Contact& c) { c.friction = HUGE_VAL; }), Kind::not_finite);
  EXPECT_EQ(changed([](Contact& c) { c.tangents = Matrix(); }), Kind::missing_field);
  EXPECT_EQ(changed([](Contact& c) { c.tangents = Matrix::Ones(3, 6); }), Kind::size_mismatch);
  EXPECT_EQ(changed([](Contact& c) { c.tangent_offsets = Vector::Zero(1); }), Kind::size_mismatch);
  EXPECT_EQ(changed([](Contact& c) { c.tangents.row(1).setZero(); }), Kind::zero_normal);
  EXPECT_EQ(changed([](Contact& c) { c.tangential_stiffness_ratio = 0.0; }), Kind::out_of_range);
  EXPECT_EQ(changed([](Contact& c) { c.tangential_restitution = 1.5; }), Kind::out_of_range);
  for (const ImpactLaw* law : impact_laws())
    EXPECT_EQ(kind_of(good, *law) == Kind::unsupported, !law->needs.friction) << law->name;
  ImpactProblem two = good;
  two.contacts.push_back(two.contacts[0]);
  EXPECT_EQ(kind_of(two, kIncrementalLaw), Kind::unsupported);
  ImpactProblem rule = good;
  rule.options.by_law["restitution_rule"] = 3.0;
  EXPECT_EQ(kind_of(rule, kIncrementalLaw), Kind::out_of_range);
}

}  // namespace
}  // namespace carom
