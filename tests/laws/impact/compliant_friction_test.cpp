/// The law `compliant` with friction: the reference values of tests/data/friction_oracles.json, closed forms, and what
/// must hold for every problem.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "carom/base/random.h"
#include "carom/laws/impact/impact_solver.h"
#include "support/places.h"
#include "support/property_cases.h"
#include "support/random_problem.h"

namespace carom {
namespace {

using Json = nlohmann::json;

Vector vector_of(const Json& values) {
  Vector v(static_cast<Eigen::Index>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) v[static_cast<Eigen::Index>(i)] = values[i].get<double>();
  return v;
}

Matrix matrix_of(const Json& rows) {
  Matrix m(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows[0].size()));
  for (std::size_t i = 0; i < rows.size(); ++i) m.row(static_cast<Eigen::Index>(i)) = vector_of(rows[i]).transpose();
  return m;
}

ImpactProblem problem_of(const Json& in) {
  ImpactProblem problem;
  problem.velocity = vector_of(in["velocity"]);
  const Json& metric = in["metric"];
  if (metric.is_object()) {
    problem.metric = vector_of(metric["diagonal"]).asDiagonal();
  } else {
    problem.metric = matrix_of(metric);
  }
  if (in.contains("persistent") && !in["persistent"].empty()) problem.persistent = matrix_of(in["persistent"]);
  if (in.contains("restitution")) problem.restitution = in["restitution"];
  for (const auto& [name, value] : in["options"].items())
    if (value.is_number()) problem.options.by_law[name] = value.get<double>();
  for (const Json& row : in["contacts"]) {
    Contact contact;
    contact.normal = vector_of(row["normal"]);
    contact.tangents = matrix_of(row["tangents"]);
    if (row.contains("tangent_offsets")) contact.tangent_offsets = vector_of(row["tangent_offsets"]);
    if (row.contains("offset")) contact.offset = row["offset"];
    if (row.contains("restitution")) contact.restitution = row["restitution"].get<double>();
    if (row.contains("stiffness")) contact.stiffness = row["stiffness"];
    contact.friction = row.value("friction", 0.0);
    if (row.contains("tangential_stiffness_ratio"))
      contact.tangential_stiffness_ratio = row["tangential_stiffness_ratio"].get<double>();
    problem.contacts.push_back(contact);
  }
  return problem;
}

Json phases_of(const ImpactOutcome& outcome) {
  Json phases = Json::array();
  for (std::size_t i = 0; i < outcome.impulses.size(); ++i) {
    phases.push_back(Json::array());
    for (const FrictionPhase& phase : outcome.phases)
      if (phase.contact == static_cast<int>(i)) phases.back().push_back(friction_mode_name(phase.mode));
  }
  return phases;
}

class CompliantOracle : public testing::TestWithParam<Json> {};

TEST_P(CompliantOracle, IsReachedThroughTheGeneralPath) {
  const Json& oracle = GetParam();
  const Json& expected = oracle["expected"];
  const double tolerance = oracle["tolerance"];
  const ImpactProblem problem = problem_of(oracle["problem"]);
  const ImpactOutcome outcome = ImpactSolver().solve(problem);
  EXPECT_EQ(stop_name(outcome.stop), expected["stop"].get<std::string>());
  for (std::size_t i = 0; i < outcome.velocity.size(); ++i)
    EXPECT_NEAR(outcome.velocity[i], expected["velocity"][i].get<double>(), tolerance) << "velocity " << i;
  if (outcome.stop == Stop::wedged) return;  // impulses are not determined
  EXPECT_EQ(phases_of(outcome), expected["phases"]);
  for (std::size_t i = 0; i < outcome.impulses.size(); ++i)
    EXPECT_NEAR(outcome.impulses[i], expected["impulses"][i].get<double>(), tolerance) << "impulse " << i;
  EXPECT_NEAR(outcome.energy.change, expected["energy"]["change"].get<double>(), tolerance);
  const bool unique = expected.value("tangential_impulses_unique", true);
  EXPECT_EQ(outcome.audit.flags.has(Flag::impulses_not_unique), !unique);
  std::size_t row = 0;
  for (std::size_t i = 0; i < outcome.impulses.size(); ++i)
    for (const Json& impulse : expected["tangential_impulses"][i]) {
      if (unique) {
        EXPECT_NEAR(outcome.tangential_impulses[row], impulse.get<double>(), tolerance) << "contact " << i;
      }
      ++row;
    }
}

std::vector<Json> compliant_oracles() {
  const Json file = Json::parse(std::ifstream(test::test_data("friction_oracles.json")));
  std::vector<Json> cases;
  for (const Json& oracle : file["cases"])
    if (oracle["problem"]["law"] == "compliant") cases.push_back(oracle);
  return cases;
}

std::string oracle_name(const testing::TestParamInfo<Json>& info) {
  std::string name = info.param["id"];
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(Friction, CompliantOracle, testing::ValuesIn(compliant_oracles()), oracle_name);

/// A random problem in which every contact has friction along `tangents` rows.
ImpactProblem random_friction(std::uint64_t seed, int dof, int contacts, int tangents) {
  Random random(seed);
  ImpactProblem problem;
  const Matrix root = test::random_matrix(random, dof, dof);
  problem.metric = root * root.transpose() + Matrix::Identity(dof, dof);
  problem.metric = (0.5 * (problem.metric + problem.metric.transpose())).eval();
  problem.velocity = test::random_vector(random, dof);
  for (int i = 0; i < contacts; ++i) {
    Contact contact;
    contact.normal = test::random_vector(random, dof);
    const bool turned = i == 0 || random.uniform() < 0.7;
    if (turned && contact.normal.dot(problem.velocity) > 0.0) contact.normal = -contact.normal;
    contact.tangents = test::random_matrix(random, tangents, dof);
    contact.friction = random.uniform(0.0, 1.5);
    contact.restitution = random.uniform(0.2, 1.0);
    contact.stiffness = std::exp(random.uniform(-1.0, 1.0));
    problem.contacts.push_back(contact);
  }
  return problem;
}

/// A planar body with velocity (v_x, v_z, ω) and a contact of the floor at (x, z) from its centre of mass.
Contact floor_contact(double x, double z) {
  Contact contact;
  contact.normal = Vector{{0.0, 1.0, -x}};
  contact.tangents = Matrix{{1.0, 0.0, z}};
  return contact;
}

double largest_difference(const ImpactOutcome& a, const ImpactOutcome& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.velocity.size(); ++i)
    largest = std::max(largest, std::abs(a.velocity[i] - b.velocity[i]) / a.reference_speed);
  return largest;
}

TEST(CompliantFriction, OfOneContactIsTheEnergeticIncrementalImpactForEveryExponent) {
  ImpactSolver solver;
  for (int seed = 0; seed < test::property_cases(200); ++seed)
    for (const int tangents : {1, 2}) {
      ImpactProblem problem = random_friction(static_cast<std::uint64_t>(seed), 5, 1, tangents);
      const ImpactOutcome path = solver.solve(problem, impact_law("incremental"));
      for (const double exponent : {1.0, 1.5, 2.0}) {
        problem.options.by_law["exponent"] = exponent;
        // A power that is not smooth at zero and has no clock of its own costs digits.
        EXPECT_LT(largest_difference(solver.solve(problem), path), exponent == 2.0 ? 1e-9 : 2e-11)
            << seed << ' ' << tangents << ' ' << exponent;
      }
    }
}

TEST(CompliantFriction, NeverCreatesEnergyAndEnds) {
  ImpactSolver solver;
  for (int seed = 0; seed < test::property_cases(1000); ++seed) {
    const int contacts = 1 + seed % 4;
    const ImpactProblem problem =
        random_friction(static_cast<std::uint64_t>(seed), 2 * contacts + seed % 5, contacts, 1 + seed % 2);
    const ImpactOutcome outcome = solver.solve(problem);
    const double scale = outcome.reference_speed * outcome.reference_speed;
    EXPECT_TRUE(finished(outcome.stop)) << seed;
    EXPECT_LT(outcome.energy.contact_work, 1e-13 * scale) << seed;
    EXPECT_NEAR(outcome.energy.change, outcome.energy.change_from_impulses, 1e-11 * scale) << seed;
    EXPECT_GE(outcome.audit.min_impulse, 0.0) << seed;
    for (const double work : outcome.friction_work) EXPECT_LE(work, 1e-13 * scale) << seed;
  }
}

TEST(CompliantFriction, DoesNotDependOnTheStepTolerance) {
  ImpactSolver solver;
  for (int seed = 0; seed < test::property_cases(200); ++seed) {
    ImpactProblem problem = random_friction(static_cast<std::uint64_t>(seed), 8, 3, 1 + seed % 2);
    const ImpactOutcome usual = solver.solve(problem);
    if (usual.stop == Stop::wedged) continue;
    problem.options.by_law["step_tolerance"] = 1e-17;
    EXPECT_LT(largest_difference(usual, solver.solve(problem)), 1e-10) << seed;
  }
}

TEST(CompliantFriction, InAPlaneOfTwoTangentsIsPlanarWhereNothingMovesAcross) {
  // A third direction of its own inertia that nothing excites: slip stays in one line, and may pass through zero.
  ImpactSolver solver;
  for (int seed = 0; seed < test::property_cases(200); ++seed) {
    const ImpactProblem planar = random_friction(static_cast<std::uint64_t>(seed), 6, 3, 1);
    ImpactProblem spatial = planar;
    const auto n = planar.metric.rows();
    spatial.metric = Matrix::Identity(n + 1, n + 1);
    spatial.metric.topLeftCorner(n, n) = planar.metric;
    spatial.velocity = Vector::Zero(n + 1);
    spatial.velocity.head(n) = planar.velocity;
    for (std::size_t i = 0; i < planar.contacts.size(); ++i) {
      Contact& contact = spatial.contacts[i];
      contact.normal = Vector::Zero(n + 1);
      contact.normal.head(n) = planar.contacts[i].normal;
      contact.tangents = Matrix::Zero(2, n + 1);
      contact.tangents.row(0).head(n) = planar.contacts[i].tangents.row(0);
      contact.tangents(1, n) = 1.0;
    }
    const ImpactOutcome expected = solver.solve(planar);
    const ImpactOutcome outcome = solver.solve(spatial);
    EXPECT_EQ(outcome.stop, expected.stop) << seed;
    if (expected.stop == Stop::wedged) continue;  // rings down over thousands of steps
    for (Eigen::Index i = 0; i < n; ++i)
      EXPECT_NEAR(outcome.velocity[static_cast<std::size_t>(i)], expected.velocity[static_cast<std::size_t>(i)], 1e-9)
          << seed;
  }
}

TEST(CompliantFriction, OfZeroGivesTheBitsOfSmoothContacts) {
  ImpactSolver solver;
  for (int seed = 0; seed < 50; ++seed) {
    ImpactProblem problem = random_friction(static_cast<std::uint64_t>(seed), 6, 3, 2);
    for (Contact& contact : problem.contacts) contact.friction = 0.0;
    const ImpactOutcome with_tangents = solver.solve(problem);
    for (Contact& contact : problem.contacts) contact.tangents.resize(0, 6);
    EXPECT_EQ(with_tangents.velocity, solver.solve(problem).velocity) << seed;
  }
}

TEST(CompliantFriction, APinnedBodyReturnsByTheClosedFormOrStaysWedged) {
  // One degree of freedom: γ = v, s = cv.
  for (const double c : {0.3, -0.8, 1.5})
    for (const double mu : {0.1, 0.6, 0.9, 2.0}) {
      ImpactProblem problem;
      problem.metric = Matrix{{2.0}};
      problem.velocity = Vector{{-1.5}};
      Contact contact{.name = {}, .normal = Vector{{1.0}}, .tangents = Matrix{{c}}};
      contact.friction = mu;
      contact.restitution = 0.7;
      problem.contacts = {contact};
      const ImpactOutcome outcome = ImpactSolver().solve(problem);
      const double use = mu * std::abs(c);
      if (use < 1.0) {
        EXPECT_EQ(outcome.stop, Stop::separated);
        EXPECT_NEAR(outcome.velocity[0], 0.7 * 1.5 * std::sqrt((1.0 - use) / (1.0 + use)), 1e-12) << c << ' ' << mu;
      } else {
        EXPECT_EQ(outcome.stop, Stop::wedged);
        EXPECT_TRUE(outcome.audit.flags.has(Flag::wedged));
        EXPECT_NEAR(outcome.velocity[0], 0.0, 1e-12);
      }
    }
}

TEST(CompliantFriction, ADiskStaysInASymmetricGrooveFromTheTangentOfItsHalfOpeningOn) {
  const double half_opening = 0.4;
  for (const double mu : {0.9 * std::tan(half_opening), 1.1 * std::tan(half_opening)}) {
    ImpactProblem problem;
    problem.metric = Vector{{1.0, 1.0, 0.5}}.asDiagonal();
    problem.velocity = Vector{{0.0, -1.0, 0.0}};
    problem.restitution = 0.6;
    for (const double side : {-1.0, 1.0}) {
      Contact contact;
      contact.normal = Vector{{side * std::cos(half_opening), std::sin(half_opening), 0.0}};
      contact.tangents = Matrix{{std::sin(half_opening), -side * std::cos(half_opening), 1.0}};
      contact.friction = mu;
      problem.contacts.push_back(contact);
    }
    const ImpactOutcome outcome = ImpactSolver().solve(problem);
    EXPECT_EQ(outcome.stop, mu > std::tan(half_opening) ? Stop::wedged : Stop::separated) << mu;
    EXPECT_EQ(outcome.velocity[1] > 1e-9, mu < std::tan(half_opening));
  }
}

TEST(CompliantFriction, ATangentialSpringReturnsSlipByTheRatioOfTheTwoFrequencies) {
  // A sphere without limit of friction: s⁺ = s⁻ cos(πΩ/ω), Ω/ω = √(κC/a); κ = 2/7 reverses the slip.
  for (const double ratio : {2.0 / 7.0, 0.1, 0.5}) {
    ImpactProblem problem;
    problem.metric = Vector{{1.0, 1.0, 0.4}}.asDiagonal();
    problem.velocity = Vector{{0.05, -1.0, 0.0}};
    Contact contact = floor_contact(0.0, 1.0);
    contact.friction = 1e3;
    contact.restitution = 1.0;
    contact.tangential_stiffness_ratio = ratio;
    problem.contacts = {contact};
    problem.options.by_law["exponent"] = 1.0;
    const ImpactOutcome outcome = ImpactSolver().solve(problem);
    EXPECT_NEAR(outcome.slip_after[0], 0.05 * std::cos(std::acos(-1.0) * std::sqrt(ratio * 3.5)), 1e-5) << ratio;
    EXPECT_LE(outcome.energy.change, 1e-14);
  }
}

TEST(CompliantNoSlip, ACubeCaughtAtItsEdgeTurnsAndItsOtherEdgeLifts) {
  // Half edge 1: ω = 3v/8, by the front edge alone; nothing pulls.
  ImpactProblem problem;
  problem.metric = Vector{{1.0, 1.0, 2.0 / 3.0}}.asDiagonal();
  problem.velocity = Vector{{1.0, 0.0, 0.0}};
  problem.restitution = 0.0;
  problem.contacts = {floor_contact(1.0, -1.0), floor_contact(-1.0, -1.0)};
  for (Contact& contact : problem.contacts) contact.rough = true;
  const ImpactOutcome outcome = ImpactSolver().solve(problem);
  EXPECT_NEAR(outcome.velocity[2], 0.375, 1e-13);
  EXPECT_NEAR(outcome.impulses[0], 0.375, 1e-13);
  EXPECT_EQ(outcome.impulses[1], 0.0);
}

TEST(CompliantNoSlip, EqualsSmoothWhereNothingSlips) {
  ImpactProblem problem;
  problem.metric = Vector{{1.0, 1.0, 0.4}}.asDiagonal();
  problem.velocity = Vector{{0.0, -1.0, 0.0}};
  problem.restitution = 1.0;
  problem.contacts = {floor_contact(0.5, -1.0), floor_contact(-0.5, -1.0)};
  const ImpactOutcome smooth = ImpactSolver().solve(problem);
  for (Contact& contact : problem.contacts) contact.rough = true;
  const ImpactOutcome rough = ImpactSolver().solve(problem);
  EXPECT_LT(largest_difference(rough, smooth), 1e-13);
  EXPECT_NEAR(rough.energy.change, 0.0, 1e-12);
}

TEST(CompliantNoSlip, IsTheLimitOfLargeFriction) {
  ImpactProblem problem;
  problem.metric = Vector{{1.0, 1.0, 0.1}}.asDiagonal();
  problem.velocity = Vector{{0.3, -1.0, 0.5}};
  problem.restitution = 0.5;
  problem.contacts = {floor_contact(0.1, -0.5), floor_contact(-0.1, -0.5)};
  for (Contact& contact : problem.contacts) contact.friction = 1e7;
  const ImpactOutcome limit = ImpactSolver().solve(problem);
  for (Contact& contact : problem.contacts) contact.rough = true;
  EXPECT_LT(largest_difference(ImpactSolver().solve(problem), limit), 1e-5);
}

TEST(CompliantFriction, RedundantContactsMoveTheBodyAsFewerDo) {
  // A box whose edges rest at two points each: the same motion as with one point at each edge, of twice the stiffness.
  ImpactProblem few;
  few.metric = Vector{{1.0, 1.0, 0.3}}.asDiagonal();
  few.velocity = Vector{{0.4, -1.0, 0.3}};
  few.restitution = 0.6;
  few.contacts = {floor_contact(0.6, -0.4), floor_contact(-0.6, -0.4)};
  for (Contact& contact : few.contacts) contact.friction = 0.7;
  ImpactProblem many = few;
  many.contacts.insert(many.contacts.end(), few.contacts.begin(), few.contacts.end());
  for (Contact& contact : few.contacts) contact.stiffness = 2.0;
  const ImpactOutcome expected = ImpactSolver().solve(few);
  const ImpactOutcome outcome = ImpactSolver().solve(many);
  EXPECT_LT(largest_difference(outcome, expected), 1e-10);
  EXPECT_TRUE(outcome.audit.flags.has(Flag::impulses_not_unique));
}

}  // namespace
}  // namespace carom
