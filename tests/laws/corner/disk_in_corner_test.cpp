#include "carom/laws/corner/disk_in_corner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>

#include "carom/base/error.h"
#include "laws/corner/corner_cases.h"
#include "support/places.h"

namespace carom::corner {
namespace {

nlohmann::json oracle_cases() {
  std::ifstream in(test::test_data("impact_oracles.json"));
  return nlohmann::json::parse(in).at("cases");
}

CornerProblem problem_of(const nlohmann::json& inputs) {
  CornerProblem problem;
  problem.restitution = inputs.at("eps");
  problem.alpha = inputs.at("alpha");
  problem.velocity = {inputs.at("v0").at(0), inputs.at("v0").at(1)};
  problem.thresholds.approach = inputs.value("S", problem.thresholds.approach);
  problem.thresholds.rest = inputs.value("S_v", problem.thresholds.rest);
  problem.thresholds.max_steps = inputs.value("N_max", problem.thresholds.max_steps);
  return problem;
}

template <class Change>
void expect_refused(Kind kind, const std::string& field, Change change) {
  CornerProblem problem;
  problem.alpha = 0.5;
  problem.velocity = {1.0, 0.25};
  change(problem);
  try {
    solve(problem);
    ADD_FAILURE() << field << " was accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_EQ(error.place().field, field);
  }
}

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(DiskInCorner, AgreesWithSixtyDigitArithmetic) {
  int cases = 0;
  for (const auto& oracle : oracle_cases()) {
    if (oracle.at("kind") != "corner") continue;
    ++cases;
    const std::string id = oracle.at("id");
    CornerProblem problem = problem_of(oracle.at("inputs"));
    problem.trace = true;
    const CornerOutcome outcome = solve(problem);
    const auto& expected = oracle.at("expected");
    EXPECT_EQ(outcome.steps, expected.at("steps").get<std::int64_t>()) << id;
    EXPECT_EQ(stop_name(outcome.stop), expected.at("stop").get<std::string>()) << id;
    const Velocity v{std::stod(expected.at("xf").get<std::string>()), std::stod(expected.at("yf").get<std::string>())};
    const double norm = std::stod(expected.at("norm").get<std::string>());
    const double speed = std::hypot(problem.velocity.x, problem.velocity.y);
    const double tolerance = outcome.stop == Stop::rest
                                 ? 1e-9 * norm
                                 : 1e-14 * speed * static_cast<double>(std::max<std::int64_t>(1, outcome.steps));
    EXPECT_LE(distance(outcome.velocity, v), tolerance) << id;
    EXPECT_NEAR(outcome.norm, norm, tolerance) << id;
    std::size_t n = 0;
    for (const int zone : expected.at("zones_first")) {
      ASSERT_LT(n, outcome.trace.size()) << id;
      EXPECT_EQ(zone_name(outcome.trace[n++].zone), "Z" + std::to_string(zone)) << id;
    }
  }
  EXPECT_EQ(cases, 8);
}

TEST(DiskInCorner, RefusesWhatTheOraclesRefuse) {
  int cases = 0;
  for (const auto& oracle : oracle_cases()) {
    if (oracle.at("kind") != "error" || !oracle.at("inputs").contains("alpha")) continue;
    ++cases;
    EXPECT_THROW(solve(problem_of(oracle.at("inputs"))), InputError) << oracle.at("id");
  }
  EXPECT_GE(cases, 1);
}

TEST(DiskInCorner, NamesTheBadField) {
  for (const double alpha : {0.0, -0.1, std::numbers::pi / 2, 3.0}) {
    expect_refused(Kind::out_of_range, "alpha", [&](CornerProblem& p) { p.alpha = alpha; });
  }
  expect_refused(Kind::not_finite, "alpha", [](CornerProblem& p) { p.alpha = kNaN; });
  expect_refused(Kind::out_of_range, "restitution", [](CornerProblem& p) { p.restitution = 1.0000001; });
  expect_refused(Kind::out_of_range, "restitution", [](CornerProblem& p) { p.restitution = -1e-300; });
  expect_refused(Kind::not_finite, "restitution", [](CornerProblem& p) { p.restitution = kNaN; });
  expect_refused(Kind::not_finite, "velocity.0", [](CornerProblem& p) { p.velocity.x = kInfinity; });
  expect_refused(Kind::not_finite, "velocity.1", [](CornerProblem& p) { p.velocity.y = kNaN; });
  expect_refused(Kind::not_finite, "velocity", [](CornerProblem& p) { p.velocity = {1.7e308, 1.7e308}; });
  expect_refused(Kind::out_of_range, "s", [](CornerProblem& p) { p.thresholds.approach = -1e-20; });
  expect_refused(Kind::out_of_range, "sv", [](CornerProblem& p) { p.thresholds.rest = -1e-20; });
  expect_refused(Kind::not_finite, "sv", [](CornerProblem& p) { p.thresholds.rest = kInfinity; });
  expect_refused(Kind::out_of_range, "max_steps", [](CornerProblem& p) { p.thresholds.max_steps = -1; });
  expect_refused(Kind::unsupported, "form", [](CornerProblem& p) {
    p.form = Form::phi;
    p.restitution = 0.5;
  });
}

TEST(DiskInCorner, ADiskAtRestStaysSo) {
  CornerProblem problem;
  problem.alpha = 0.5;
  const CornerOutcome outcome = solve(problem);
  EXPECT_EQ(outcome.steps, 0);
  EXPECT_EQ(outcome.stop, Stop::z0);
  EXPECT_EQ(outcome.velocity, Velocity{});
}

TEST(DiskInCorner, AnElasticDiskLeavesAfterAsManyStepsAsTheAngleSays) {
  CornerCases random(1);
  for (int i = 0; i < 20000; ++i) {
    CornerProblem p = random.problem();
    p.restitution = 1.0;
    const double phi = std::abs(std::atan2(p.velocity.y, p.velocity.x));
    if (phi < p.alpha) continue;  // the first impact is on both walls
    const double steps = (std::numbers::pi - p.alpha - phi) / (2.0 * p.alpha);
    if (std::abs(steps - std::round(steps)) < 1e-10) continue;
    EXPECT_EQ(solve(p).steps, std::max(0L, std::lround(std::ceil(steps))));
  }
}

TEST(DiskInCorner, ARightCornerTurnsTheVelocityRound) {
  CornerCases random(2);
  for (int i = 0; i < 1000; ++i) {
    CornerProblem p = random.problem();
    p.alpha = std::numbers::pi / 4;
    const double phi = random.uniform(-0.78, 0.78);
    p.velocity = {std::cos(phi), std::sin(phi)};
    const CornerOutcome outcome = solve(p);
    EXPECT_EQ(outcome.steps, 1);
    EXPECT_LE(distance(outcome.velocity, {-p.restitution * p.velocity.x, -p.restitution * p.velocity.y}), 1e-15);
  }
}

TEST(DiskInCorner, SpeedNeverGrowsAndTheTraceLeadsToTheOutcome) {
  CornerCases random(3);
  for (int i = 0; i < 2000; ++i) {
    CornerProblem p = random.problem();
    p.trace = true;
    p.thresholds.max_steps = 500;
    const CornerOutcome outcome = solve(p);
    ASSERT_EQ(outcome.trace.size(), static_cast<std::size_t>(outcome.steps) + 1);
    EXPECT_EQ(outcome.trace.front().velocity, p.velocity);
    EXPECT_EQ(outcome.trace.front().zone, outcome.zone);
    EXPECT_EQ(outcome.trace.back().velocity, outcome.velocity);
    for (std::size_t n = 1; n < outcome.trace.size(); ++n) {
      const Velocity a = outcome.trace[n - 1].velocity;
      const Velocity b = outcome.trace[n].velocity;
      EXPECT_LE(std::hypot(b.x, b.y), std::hypot(a.x, a.y) * (1.0 + 1e-15));
      EXPECT_NE(outcome.trace[n].zone, Zone::z12);
    }
  }
}

TEST(DiskInCorner, TheTheoreticalAlgorithmGivesNearlyTheSameVelocity) {
  CornerCases random(4);
  for (int i = 0; i < 5000; ++i) {
    CornerProblem p = random.problem();
    p.alpha = random.uniform(0.1, 1.5);
    if (p.restitution == 0.0) continue;
    const CornerOutcome numerical = solve(p);
    p.thresholds = Thresholds::theoretical(5000);
    EXPECT_LE(distance(solve(p).velocity, numerical.velocity), 2e-12);
  }
}

TEST(DiskInCorner, ScalesWithTheSpeed) {
  CornerCases random(5);
  for (int i = 0; i < 2000; ++i) {
    CornerProblem p = random.problem();
    const CornerOutcome unit = solve(p);
    for (const int exponent : {-1000, -660, -30, 30, 660, 1000}) {
      CornerProblem scaled = p;
      scaled.velocity = {std::ldexp(p.velocity.x, exponent), std::ldexp(p.velocity.y, exponent)};
      const CornerOutcome outcome = solve(scaled);
      EXPECT_EQ(outcome.steps, unit.steps);
      EXPECT_EQ(outcome.stop, unit.stop);
      if (exponent == -1000 || unit.stop != Stop::z0) continue;  // the last bits may be lost to underflow
      EXPECT_EQ(outcome.velocity.x, std::ldexp(unit.velocity.x, exponent));
    }
  }
}

TEST(DiskInCorner, ExtremeInputGivesFiniteVelocities) {
  for (const double alpha : {5e-324, 1e-300, 1e-160, 1e-18, 1e-8, 1.5707963267948963}) {
    for (const double restitution : {0.0, 0.5, 1.0}) {
      for (const double speed : {5e-324, 1e-310, 1e-200, 1.0, 1e200, 1.2e308}) {
        for (const double slope : {0.0, 1e-5, alpha / 2, alpha * alpha / 3, -2 * alpha * alpha}) {
          for (const Form form : {Form::xy, Form::phi, Form::xi_eta}) {
            for (const double threshold : {0.0, 1e-12}) {
              if (form == Form::phi && restitution != 1.0) continue;
              CornerProblem p;
              p.alpha = alpha;
              p.restitution = restitution;
              p.velocity = {speed, speed * slope};
              p.form = form;
              p.thresholds = {threshold * 1e-4, threshold, 300};
              if (!std::isfinite(std::hypot(p.velocity.x, p.velocity.y))) continue;
              const CornerOutcome outcome = solve(p);
              EXPECT_TRUE(std::isfinite(outcome.velocity.x) && std::isfinite(outcome.velocity.y));
              EXPECT_LE(outcome.norm, std::hypot(p.velocity.x, p.velocity.y) * (1.0 + 1e-10) + 1e-323)
                  << alpha << " " << restitution << " " << speed << " " << slope << " " << form_name(form);
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace carom::corner
