/// The laws with friction against friction_oracles.json: closed forms of 40 digits, enumerated modes, and, for single
/// contacts, the path of `compliant`, which is that of the energetic incremental law.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "carom/laws/impact/all_outcomes.h"
#include "carom/laws/impact/impact_solver.h"
#include "support/places.h"

namespace carom {
namespace {

using Json = nlohmann::json;

Vector oracle_vector(const Json& values) {
  const auto numbers = values.get<std::vector<double>>();
  return Eigen::Map<const Vector>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

Matrix oracle_matrix(const Json& rows) {
  Matrix m(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows[0].size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    m.row(static_cast<Eigen::Index>(i)) = oracle_vector(rows[i]).transpose();
  return m;
}

ImpactProblem oracle_problem(const Json& in) {
  ImpactProblem problem;
  problem.velocity = oracle_vector(in["velocity"]);
  problem.metric = in["metric"].is_object() ? Matrix(oracle_vector(in["metric"]["diagonal"]).asDiagonal())
                                            : oracle_matrix(in["metric"]);
  if (in.contains("persistent")) problem.persistent = oracle_matrix(in["persistent"]);
  problem.restitution = in.value("restitution", 1.0);
  for (const Json& one : in["contacts"]) {
    Contact contact;
    contact.normal = oracle_vector(one["normal"]);
    contact.tangents = oracle_matrix(one["tangents"]);
    contact.offset = one.value("offset", 0.0);
    if (one.contains("tangent_offsets")) contact.tangent_offsets = oracle_vector(one["tangent_offsets"]);
    if (one.contains("restitution")) contact.restitution = one["restitution"].get<double>();
    contact.stiffness = one.value("stiffness", 1.0);
    contact.friction = one["friction"];
    problem.contacts.push_back(contact);
  }
  if (in.contains("options") && in["options"].contains("restitution_rule")) {
    const std::string rule = in["options"]["restitution_rule"];
    problem.options.by_law["restitution_rule"] = rule == "energetic" ? 0.0 : rule == "kinetic" ? 1.0 : 2.0;
  }
  return problem;
}

void append_numbers(const Json& value, std::vector<double>& numbers) {
  if (value.is_number()) numbers.push_back(value.get<double>());
  if (value.is_array())
    for (const Json& one : value) append_numbers(one, numbers);
}

/// The largest difference between numbers, possibly in lists of lists, and a flat list of as many.
double distance(const Json& expected, const std::vector<double>& found) {
  std::vector<double> numbers;
  append_numbers(expected, numbers);
  if (numbers.size() != found.size()) return HUGE_VAL;
  double worst = 0.0;
  for (std::size_t i = 0; i < numbers.size(); ++i) worst = std::max(worst, std::abs(numbers[i] - found[i]));
  return worst;
}

std::vector<std::string> names(const Flags& flags) {
  std::vector<std::string> set;
  for (const Flag flag : all_flags())
    if (flags.has(flag)) set.emplace_back(flag_name(flag));
  return set;
}

Json phases_of(const ImpactOutcome& outcome) {
  Json lists = Json::array();
  for (std::size_t i = 0; i < outcome.modes.size(); ++i) lists.push_back(Json::array());
  for (const FrictionPhase& phase : outcome.phases)
    lists[static_cast<std::size_t>(phase.contact)].push_back(friction_mode_name(phase.mode));
  return lists;
}

Json modes_of(const ImpactOutcome& outcome) {
  Json modes = Json::array();
  for (const FrictionMode mode : outcome.modes) modes.push_back(friction_mode_name(mode));
  return modes;
}

void expect_solution(const Json& expected, const ImpactOutcome& outcome, double tolerance) {
  EXPECT_LE(distance(expected["velocity"], outcome.velocity), tolerance);
  if (outcome.stop == Stop::wedged) return;
  EXPECT_LE(distance(expected["impulses"], outcome.impulses), tolerance);
  EXPECT_LE(distance(expected["tangential_impulses"], outcome.tangential_impulses), tolerance);
}

void expect_unique(const Json& expected, const ImpactOutcome& outcome, double tolerance) {
  expect_solution(expected, outcome, tolerance);
  EXPECT_EQ(expected["stop"], stop_name(outcome.stop));
  EXPECT_LE(distance(expected["gap_rates_after"], outcome.rate_after), tolerance);
  EXPECT_LE(distance(expected["slip_after"], outcome.slip_after), tolerance);
  EXPECT_NEAR(expected["energy"]["change"].get<double>(), outcome.energy.change, tolerance);
  EXPECT_NEAR(expected["energy"]["frame_free"].get<double>(), outcome.energy.contact_work, tolerance);
  EXPECT_NEAR(outcome.energy.change, outcome.energy.change_from_impulses, tolerance);
  if (expected.contains("phases")) {
    EXPECT_EQ(expected["phases"], phases_of(outcome));
  }
  if (expected.contains("final_modes")) {
    EXPECT_EQ(expected["final_modes"], modes_of(outcome));
  }
  if (expected.contains("flags")) {
    EXPECT_EQ(expected["flags"].get<std::vector<std::string>>(), names(outcome.audit.flags));
  }
  if (expected.contains("steps")) {
    EXPECT_EQ(expected["steps"].get<long>(), outcome.steps);
  }
}

void expect_all(const Json& expected, const ImpactOutcome& outcome, double tolerance) {
  EXPECT_TRUE(outcome.audit.flags.has(Flag::outcome_not_unique));
  ASSERT_EQ(outcome.outcomes.size(), expected["all_solutions"].size());
  EXPECT_EQ(outcome.outcomes[0].velocity, outcome.velocity);
  for (const Json& solution : expected["all_solutions"]) {
    const auto nearest = std::min_element(
        outcome.outcomes.begin(), outcome.outcomes.end(), [&](const ImpactOutcome& a, const ImpactOutcome& b) {
          return distance(solution["velocity"], a.velocity) < distance(solution["velocity"], b.velocity);
        });
    expect_solution(solution, *nearest, tolerance);
    EXPECT_FALSE(nearest->modes.empty());
  }
}

const Json& friction_oracles() {
  static const Json file = Json::parse(std::ifstream(test::test_data("friction_oracles.json")));
  return file;
}

TEST(FrictionOracles, EveryCaseOfTheLawsWithFriction) {
  int cases = 0;
  ImpactSolver solver;
  for (const Json& oracle : friction_oracles()["cases"]) {
    const std::string name = oracle["problem"]["law"];
    if (name == "compliant") continue;
    SCOPED_TRACE(oracle["id"].get<std::string>());
    const ImpactLaw& law = impact_law(name);
    const ImpactProblem problem = oracle_problem(oracle["problem"]);
    ImpactOutcome outcome = solver.solve(problem, law);
    find_outcomes(solver, problem, law, OutcomeSearch::enumerate, outcome);
    const double tolerance = oracle["tolerance"];
    if (oracle["expected"].contains("all_solutions")) {
      expect_all(oracle["expected"], outcome, tolerance);
    } else {
      EXPECT_TRUE(outcome.outcomes.empty());
      expect_unique(oracle["expected"], outcome, tolerance);
    }
    ++cases;
  }
  EXPECT_EQ(cases, 27);
}

TEST(FrictionOracles, SingleContactsOfCompliantByTheIncrementalPath) {
  int cases = 0;
  ImpactSolver solver;
  for (const Json& oracle : friction_oracles()["cases"]) {
    const Json& in = oracle["problem"];
    if (in["law"] != "compliant" || in["contacts"].size() > 1) continue;
    if (in["contacts"][0].contains("tangential_stiffness_ratio")) continue;
    for (const ImpactLaw* law : {&kIncrementalLaw, &kSequentialLaw}) {
      SCOPED_TRACE(oracle["id"].get<std::string>() + " " + std::string(law->name));
      expect_unique(oracle["expected"], solver.solve(oracle_problem(in), *law), oracle["tolerance"]);
      ++cases;
    }
  }
  EXPECT_EQ(cases, 2 * 14);
}

}  // namespace
}  // namespace carom
