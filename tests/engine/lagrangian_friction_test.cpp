/// Own systems whose contacts slide and stick.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/lagrangian_systems.h"
#include "support/places.h"
#include "woodpecker.h"

namespace carom {
namespace {

using namespace test;
using nlohmann::json;

/// A particle on a slope, seen in its frame: x downwards, y off the slope.
struct Slope : LagrangianSystem {
  double angle = 0.6;
  Coulomb coefficients{0.5, 0.3};

  [[nodiscard]] int coordinate_count() const override { return 2; }
  void metric(const Vector& /*q*/, Matrix& G) const override { G.diagonal().setConstant(2.0); }
  void force(double /*time*/, const Vector& /*q*/, const Vector& /*v*/, Vector& f) const override {
    f << 2.0 * kGravity * std::sin(angle), -2.0 * kGravity * std::cos(angle);
  }
  [[nodiscard]] double potential(const Vector& q) const override {
    return 2.0 * kGravity * (std::cos(angle) * q[1] - std::sin(angle) * q[0]);
  }
  [[nodiscard]] int contact_count() const override { return 1; }
  void gaps(const Vector& q, Vector& g) const override { g[0] = q[1]; }
  void gap_rows(const Vector& /*q*/, Matrix& N) const override { N(0, 1) = 1.0; }
  [[nodiscard]] double restitution(int /*contact*/) const override { return 0.0; }
  [[nodiscard]] int tangent_count(int /*contact*/) const override { return 1; }
  void tangent_rows(const Vector& /*q*/, int /*contact*/, Matrix& T) const override { T(0, 0) = 1.0; }
  [[nodiscard]] Coulomb friction(int /*contact*/) const override { return coefficients; }
};

TEST(LagrangianFriction, AParticleThrownUpASlopeStaysOrReturns) {
  for (const double angle : {0.3, 0.6}) {  // tan: 0.309, 0.684
    Slope slope;
    slope.angle = angle;
    LagrangianState start{0.0, Vector{{0.0, 0.0}}, Vector{{-3.0, 0.0}}};
    LagrangianOptions options;
    options.duration = 2.0;
    options.output_step = 0.1;
    Notes notes;
    const LagrangianResult done = LagrangianEngine(slope, start, options).run(&notes);
    ASSERT_EQ(done.run.stop, RunStop::duration);
    const double up = kGravity * (std::sin(angle) + 0.3 * std::cos(angle)), stop = 3.0 / up;
    const bool stays = std::tan(angle) <= 0.5;
    const std::vector<EventNote> changes = notes.of(stays ? EventKind::stick : EventKind::slip);
    ASSERT_EQ(changes.size(), 1U) << angle;
    EXPECT_NEAR(changes[0].time, stop, 1e-12) << angle;
    const double down = kGravity * (std::sin(angle) - 0.3 * std::cos(angle)), after = 2.0 - stop;
    EXPECT_NEAR(done.state.q[0], -0.5 * 3.0 * stop + (stays ? 0.0 : 0.5 * down * after * after), 1e-11) << angle;
    const double normal = 2.0 * kGravity * std::cos(angle);
    EXPECT_NEAR(done.run.energy.friction,
                0.3 * normal * (0.5 * 3.0 * stop + (stays ? 0.0 : 0.5 * down * after * after)), 1e-11)
        << angle;
    EXPECT_LT(notes.worst, 1e-12);
  }
}

TEST(LagrangianFriction, TheWoodpeckerClimbsDownInNineEvents) {
  std::ifstream file(test::test_data("woodpecker_oracle.json"));
  const json expected = json::parse(file)["cases"][0]["expected"];
  Woodpecker toy;
  LagrangianState start{0.0, Vector(3), Vector(3)};
  for (int k = 0; k < 3; ++k) {
    start.q[k] = expected["start"]["q"][static_cast<std::size_t>(k)];
    start.v[k] = expected["start"]["u"][static_cast<std::size_t>(k)];
  }
  LagrangianOptions options;
  options.law = &impact_law("newton");
  options.duration = expected["period"].get<double>() + 1e-6;
  Notes notes;
  const LagrangianResult done = LagrangianEngine(toy, start, options).run(&notes);
  ASSERT_EQ(done.run.stop, RunStop::duration);
  std::vector<EventNote> strikes;
  for (const EventNote& note : notes.of(EventKind::impact))
    if (note.contacts == std::vector<int>{0}) strikes.push_back(note);
  ASSERT_FALSE(strikes.empty());
  EXPECT_NEAR(strikes.back().time, expected["period"], 1e-9);
  // Contacts of the oracle count from one, events of it at one time are one.
  for (const json& event : expected["events"]) {
    const double time = event["time"];
    EXPECT_TRUE(std::any_of(notes.events.begin(), notes.events.end(),
                            [&](const EventNote& note) { return std::abs(note.time - time) < 1e-8; }))
        << event["kind"] << " at " << time;
  }
  const double speed = done.state.v[0], beyond = 1e-6;
  EXPECT_NEAR(done.state.q[0] - speed * beyond, -expected["descent_per_period"].get<double>(), 1e-9);
}

}  // namespace
}  // namespace carom
