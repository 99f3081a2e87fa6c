/// The law `compliant` with friction: the reference values of tests/data/friction_oracles.json, closed forms, and what
/// must hold for every problem.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "carom/laws/impact/impact_solver.h"

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
  const Json file = Json::parse(std::ifstream(CAROM_TEST_DATA_DIR "/friction_oracles.json"));
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

}  // namespace
}  // namespace carom
