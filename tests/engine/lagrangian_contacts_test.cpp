/// Contacts that persist: sliding off, rolling, clattering to rest; and constraints that always do.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "carom/base/random.h"
#include "carom/engine/lagrangian/lagrangian_engine.h"
#include "engine/lagrangian_systems.h"
#include "support/property_cases.h"

namespace carom {
namespace {

using namespace test;

/// A bead on top of a smooth circle of radius 1, free in the plane: gap |q| − 1.
struct Bead : LagrangianSystem {
  bool exact_bias = false;
  [[nodiscard]] int coordinate_count() const override { return 2; }
  void metric(const Vector&, Matrix& G) const override { G.setIdentity(); }
  void force(double, const Vector&, const Vector&, Vector& f) const override { f[1] = -kGravity; }
  [[nodiscard]] double potential(const Vector& q) const override { return kGravity * q[1]; }
  [[nodiscard]] int contact_count() const override { return 1; }
  void gaps(const Vector& q, Vector& g) const override { g[0] = q.norm() - 1.0; }
  void gap_rows(const Vector& q, Matrix& N) const override { N.row(0) = q.transpose() / q.norm(); }
  void gap_bias(const Vector& q, const Vector& v, Vector& bias) const override {
    if (!exact_bias) return LagrangianSystem::gap_bias(q, v, bias);
    const double r = q.norm();
    bias[0] = (v.squaredNorm() - std::pow(q.dot(v) / r, 2)) / r;
  }
};

TEST(LagrangianEngine, ABeadSlidesOffACircleAtTwoThirds) {
  const double start = 0.01;
  for (const bool exact : {true, false}) {
    Bead bead;
    bead.exact_bias = exact;
    Notes notes;
    std::vector<LagrangianState> states;
    LagrangianOptions options{.duration = 3.0, .output_step = 0.01};
    options.on_sample = [&](const LagrangianState& s, const EnergyBook&) { states.push_back(s); };
    const LagrangianResult result =
        simulate(bead, state({std::sin(start), std::cos(start)}, {0.0, 0.0}), notes, options);
    ASSERT_EQ(notes.events.size(), 2u);
    EXPECT_EQ(notes.events[0].kind, EventKind::contact_start);
    EXPECT_EQ(notes.events[1].kind, EventKind::release);
    EXPECT_LT(notes.worst, 1e-12);
    EXPECT_EQ(result.run.contacts_opened, 1);
    // Afterwards it falls: the parabola, followed back to |q| = 1, touches the circle at cos θ = ⅔ cos θ₀.
    const double t = notes.events[1].time - result.state.time;
    const double x = result.state.q[0] + result.state.v[0] * t;
    const double y = result.state.q[1] + result.state.v[1] * t - 0.5 * kGravity * t * t;
    EXPECT_NEAR(y, 2.0 / 3.0 * std::cos(start), 1e-9);
    EXPECT_NEAR(std::hypot(x, y), 1.0, 1e-12);
    for (const LagrangianState& s : states)
      if (s.time < notes.events[1].time) {
        EXPECT_NEAR(s.q.norm(), 1.0, 1e-12);
      }
  }
}

/// A rolling disk (x, y, φ) of radius ½ and mass 1 on a rough incline along −x: y is the height above the slope.
struct Disk : LagrangianSystem {
  double slope = 0.3;
  double e = 0.0;
  [[nodiscard]] int coordinate_count() const override { return 3; }
  void metric(const Vector&, Matrix& G) const override { G.diagonal() << 1.0, 1.0, 0.5 * 0.25; }
  void force(double, const Vector&, const Vector&, Vector& f) const override {
    f[0] = kGravity * std::sin(slope);
    f[1] = -kGravity * std::cos(slope);
  }
  [[nodiscard]] double potential(const Vector& q) const override {
    return -kGravity * std::sin(slope) * q[0] + kGravity * std::cos(slope) * q[1];
  }
  [[nodiscard]] int contact_count() const override { return 1; }
  void gaps(const Vector& q, Vector& g) const override { g[0] = q[1] - 0.5; }
  void gap_rows(const Vector&, Matrix& N) const override { N(0, 1) = 1.0; }
  [[nodiscard]] int tangent_count(int) const override { return 1; }
  void tangent_rows(const Vector&, int, Matrix& T) const override { T.row(0) << 1.0, 0.0, -0.5; }
  [[nodiscard]] double restitution(int) const override { return e; }
};

TEST(LagrangianEngine, ARoughDiskThatLandsRollsOn) {
  Disk disk;
  Notes notes;
  const LagrangianResult result = simulate(disk, state({0.0, 0.5, 0.0}, {1.0, -1.0, 0.0}), notes, {.duration = 2.0});
  // The plastic rough impact keeps the angular momentum about the point of contact: v⁺ = 2/3 of v⁻; then ⅔ g sin α.
  EXPECT_NEAR(result.state.v[0], 2.0 / 3.0 + 2.0 / 3.0 * kGravity * std::sin(0.3) * 2.0, 1e-12);
  EXPECT_NEAR(result.state.v[2], 2.0 * result.state.v[0], 1e-12);
  EXPECT_LT(std::abs(result.run.energy.error()), 1e-12);
}

TEST(LagrangianEngine, AConstrainedPendulumIsTheSameAsOneInItsAngle) {
  Notes notes;
  const LagrangianResult result = simulate(HeldRod(), state({-0.8, -0.6}, {0.0, 0.0}), notes, {.duration = 200.0});
  Pendulum pendulum;
  pendulum.wall = -std::numbers::pi / 6.0;  // mirrored
  Notes other_notes;
  const LagrangianResult other =
      simulate(pendulum, state({std::atan2(0.8, 0.6)}, {0.0}), other_notes, {.duration = 200.0});
  ASSERT_GT(notes.events.size(), 30u);
  ASSERT_EQ(notes.events.size(), other_notes.events.size());
  for (std::size_t k = 0; k < notes.events.size(); ++k)
    EXPECT_NEAR(notes.events[k].time, other_notes.events[k].time, 1e-10) << k;
  EXPECT_NEAR(result.state.q.norm(), 1.0, 1e-13);
  EXPECT_NEAR(-result.state.q[0], std::sin(other.state.q[0]), 1e-9);
  EXPECT_LT(std::abs(result.run.energy.error()), 1e-12);
  EXPECT_LT(std::abs(result.run.energy.cut_off), 1e-12);
}

TEST(LagrangianEngine, BlocksThatFallAnyhowComeToRestOnAFace) {
  const int cases = test::property_cases(60);
  for (int seed = 0; seed < cases; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Block block;
    block.e = 0.2 * (seed % 4);
    block.rough = seed % 8 >= 4;
    const LagrangianState start =
        state({0.0, 1.0, random.uniform(-3.0, 3.0)},
              {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-3.0, 3.0)});
    double deepest = 1.0;
    Notes notes;
    LagrangianOptions options{.law = &impact_law("newton"), .duration = 10.0, .output_step = 0.01};
    options.on_sample = [&](const LagrangianState& s, const EnergyBook&) {
      Vector g(4);
      block.gaps(s.q, g);
      deepest = std::min(deepest, g.minCoeff());
    };
    const LagrangianResult result = simulate(block, start, notes, options);
    ASSERT_EQ(result.run.stop, RunStop::duration) << seed << ' ' << result.run.failure->reason;
    EXPECT_GT(deepest, -1e-10) << seed;
    EXPECT_LT(notes.worst, 1e-11) << seed;
    EXPECT_LT(std::abs(result.state.v[1]) + std::abs(result.state.v[2]), 1e-10) << seed;
    if (block.rough) {
      EXPECT_LT(std::abs(result.state.v[0]), 1e-10) << seed;
    }
    Vector g(4);
    block.gaps(result.state.q, g);
    EXPECT_EQ((g.array() < 1e-10).count(), 2) << seed;
    // The foreseen end of bounces takes its place among the other events.
    for (std::size_t k = 1; k < notes.events.size(); ++k)
      EXPECT_GE(notes.events[k].time, notes.events[k - 1].time) << seed;
  }
}

/// The same circle twice: the shares of the two contacts in the force are not unique.
struct TwiceTheCircle : Bead {
  [[nodiscard]] int contact_count() const override { return 2; }
  void gaps(const Vector& q, Vector& g) const override { g.setConstant(q.norm() - 1.0); }
  void gap_rows(const Vector& q, Matrix& N) const override {
    N.row(0) = q.transpose() / q.norm();
    N.row(1) = N.row(0);
  }
  void gap_bias(const Vector& q, const Vector& v, Vector& bias) const override {
    LagrangianSystem::gap_bias(q, v, bias);
  }
};

TEST(LagrangianEngine, ContactsThatShareAForceAreLetGoTogether) {
  Notes notes;
  const LagrangianResult result =
      simulate(TwiceTheCircle(), state({std::sin(0.01), std::cos(0.01)}, {0.0, 0.0}), notes, {.duration = 3.0});
  ASSERT_EQ(notes.events.size(), 2u);
  EXPECT_EQ(notes.events[1].kind, EventKind::release);
  EXPECT_EQ(notes.events[1].contacts, (std::vector<int>{0, 1}));
  Notes single_notes;
  simulate(Bead(), state({std::sin(0.01), std::cos(0.01)}, {0.0, 0.0}), single_notes, {.duration = 3.0});
  EXPECT_NEAR(notes.events[1].time, single_notes.events[1].time, 1e-9);
  EXPECT_LT(std::abs(result.run.energy.error()), 1e-12);
}

}  // namespace
}  // namespace carom
