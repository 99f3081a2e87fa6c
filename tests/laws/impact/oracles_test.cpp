/// The reference values of tests/data/impact_oracles.json (60-digit arithmetic).
/// Its rows count approach positive: b = −n.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "carom/base/error.h"
#include "carom/laws/impact/impact_solver.h"
#include "support/places.h"

namespace carom {
namespace {

using Json = nlohmann::json;

const Json& oracles() {
  static const Json file = Json::parse(std::ifstream(test::test_data("impact_oracles.json")));
  return file;
}

double number(const Json& value) {
  return value.is_string() ? std::strtod(value.get<std::string>().c_str(), nullptr) : value.get<double>();
}

Vector vector_of(const Json& values) {
  Vector v(static_cast<Eigen::Index>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) v[static_cast<Eigen::Index>(i)] = number(values[i]);
  return v;
}

Matrix matrix_of(const Json& rows) {
  Matrix m(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows[0].size()));
  for (std::size_t i = 0; i < rows.size(); ++i) m.row(static_cast<Eigen::Index>(i)) = vector_of(rows[i]).transpose();
  return m;
}

TEST(Oracles, GeneralMultiImpactByTheGeometricLaw) {
  int cases = 0;
  for (const Json& oracle : oracles()["cases"]) {
    if (oracle["kind"] != "general_multi_impact") continue;
    const Json& in = oracle["inputs"];
    ImpactProblem problem;
    problem.metric = matrix_of(in["G"]);
    problem.velocity = vector_of(in["v"]);
    problem.restitution = in["eps"];
    for (const Json& row : in["B"]) problem.contacts.push_back({.name = {}, .normal = -vector_of(row)});
    const ImpactOutcome outcome = ImpactSolver().solve(problem, kGeometricLaw);
    const Json& expected = oracle["expected"];
    const std::string id = oracle["id"];
    EXPECT_EQ(outcome.steps, expected["steps"].get<long>()) << id;
    EXPECT_EQ(outcome.stop, expected["stop"] == "REST" ? Stop::at_rest : Stop::separated) << id;
    const Vector v = vector_of(expected["v"]);
    for (Eigen::Index i = 0; i < v.size(); ++i) EXPECT_NEAR(outcome.velocity[i], v[i], 1e-12 * v.norm()) << id;
    EXPECT_NEAR(outcome.energy.before, number(expected["T_before"]), 1e-13 * outcome.energy.before) << id;
    EXPECT_NEAR(outcome.energy.after, number(expected["T_after"]), 1e-12 * outcome.energy.before) << id;
    EXPECT_TRUE(outcome.audit.flags.empty()) << id;
    ++cases;
  }
  EXPECT_EQ(cases, 7);
}

/// One rough contact: the first row its normal (turned so that it approaches), the others its tangents.
ImpactProblem rough_problem(const Json& in) {
  ImpactProblem problem;
  problem.metric = matrix_of(in["G"]);
  problem.velocity = vector_of(in["v"]);
  problem.restitution = in["mu"];
  if (in.contains("A")) problem.persistent = matrix_of(in["A"]);
  const Matrix rows = matrix_of(in["B"]);
  Contact contact;
  contact.normal = rows.row(0).transpose();
  if (contact.normal.dot(problem.velocity) > 0.0) contact.normal = -contact.normal;
  contact.tangents = rows.bottomRows(rows.rows() - 1);
  problem.contacts.push_back(contact);
  return problem;
}

TEST(Oracles, NonholonomicCollisionsByTheRoughLaw) {
  int cases = 0;
  for (const Json& oracle : oracles()["cases"]) {
    if (oracle["kind"] != "nonholonomic") continue;
    const ImpactProblem problem = rough_problem(oracle["inputs"]);
    const ImpactOutcome outcome = ImpactSolver().solve(problem, kRoughLaw);
    const Json& expected = oracle["expected"];
    const std::string id = oracle["id"];
    const Vector v = vector_of(expected["v_plus"]);
    for (Eigen::Index i = 0; i < v.size(); ++i) EXPECT_NEAR(outcome.velocity[i], v[i], 1e-12 * (1.0 + v.norm())) << id;
    EXPECT_NEAR(-outcome.energy.change, number(expected["loss"]), 1e-12 * outcome.energy.before) << id;
    EXPECT_NEAR(outcome.energy.change_from_impulses, outcome.energy.change, 1e-12 * outcome.energy.before) << id;
    ++cases;
  }
  EXPECT_EQ(cases, 9);
}

TEST(Oracles, SuperballUnderTheTable) {
  // Floor, underside of a table, floor; the sphere of the oracle has J = 2/5 m r² and no spin.
  const double j = 0.4;
  ImpactProblem problem;
  problem.metric = Vector{{1.0, 1.0, j}}.asDiagonal();  // v_x, v_z, rω_y
  problem.velocity = Vector{{1.0, -1.0, 0.0}};
  const Contact floor{.name = "floor", .normal = Vector{{0, 1, 0}}, .tangents = Matrix{{1.0, 0.0, -1.0}}};
  const Contact table{.name = "table", .normal = Vector{{0, -1, 0}}, .tangents = Matrix{{1.0, 0.0, 1.0}}};
  const double expected_v[] = {3.0 / 7.0, -31.0 / 49.0, -333.0 / 343.0};
  const double expected_spin[] = {10.0 / 7.0, -60.0 / 49.0, -130.0 / 343.0};
  ImpactSolver solver;
  for (int bounce = 0; bounce < 3; ++bounce) {
    problem.contacts = {bounce == 1 ? table : floor};
    const ImpactOutcome outcome = solver.solve(problem, kRoughLaw);
    EXPECT_NEAR(outcome.velocity[0], expected_v[bounce], 1e-15 * 4);
    EXPECT_NEAR(outcome.velocity[2], expected_spin[bounce], 1e-15 * 8);
    problem.velocity = Eigen::Map<const Vector>(outcome.velocity.data(), 3);
    // between the walls the vertical velocity comes back with the other sign under gravity, or is kept
    problem.velocity[1] = bounce == 0 ? 1.0 : -1.0;
  }
}

TEST(Oracles, RefusedInputs) {
  const std::pair<const char*, Kind> kinds[] = {{"err_G_indefinite", Kind::metric_not_positive_definite},
                                                {"err_G_asym", Kind::metric_not_symmetric},
                                                {"err_mu", Kind::out_of_range}};
  int found = 0;
  for (const Json& oracle : oracles()["cases"])
    for (const auto& [id, kind] : kinds) {
      if (oracle["id"] != id) continue;
      ++found;
      const Json& in = oracle["inputs"];
      ImpactProblem problem;
      problem.metric = matrix_of(in["G"]);
      problem.velocity = vector_of(in["v"]);
      problem.restitution = in["mu"];
      problem.contacts.push_back({.name = {}, .normal = -vector_of(in["B"][0])});
      try {
        (void)ImpactSolver().solve(problem, kRoughLaw);
        ADD_FAILURE() << id << " was accepted";
      } catch (const InputError& error) {
        EXPECT_EQ(error.kind(), kind) << id;
      }
    }
  EXPECT_EQ(found, 3);
}

}  // namespace
}  // namespace carom
