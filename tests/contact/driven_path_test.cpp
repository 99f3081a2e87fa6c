#include "carom/contact/driven_path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "contact/heavy_cases.h"
#include "contact/moving_pair.h"

namespace carom::contact::driven_path_test {
namespace {

using namespace test;

constexpr double kHorizon = 2.0;

Profile random_profile(double size, Random& random) {
  const double which = random.uniform();
  if (which < 0.5)
    return SineProfile{random.uniform(0.05, 1.0) * size, random.uniform(0.2, 8.0), random.uniform(-3.0, 3.0)};
  if (which < 0.75)
    return PolynomialProfile{{random.uniform(-0.2, 0.2) * size, random.uniform(-1.0, 1.0) * size,
                              random.uniform(-1.0, 1.0) * size, random.uniform(-1.0, 1.0) * size}};
  std::vector<double> times, values;
  for (double time = 0.0; time < kHorizon; time += random.uniform(0.1, 0.4)) {
    times.push_back(time);
    values.push_back(random.uniform(-0.5, 0.5) * size);
  }
  return CubicSpline(times, values, SplineEnds::rest);
}

/// A pair of which b is driven; keeps the obstacle that the motion refers to.
struct DrivenPair {
  std::unique_ptr<Obstacle> obstacle = std::make_unique<Obstacle>();
  MovingPair pair;

  void take_motion() { pair.b.motion = motion_of(*obstacle); }
};

bool is_hollow_kind(ShapeKind kind) {
  return kind == ShapeKind::shell || kind == ShapeKind::bore;
}

DrivenPair random_driven_pair(const PairFunction& kinds, Random& random) {
  for (;;) {
    DrivenPair driven;
    MovingPair& pair = driven.pair;
    pair.a.shape = random_shape(kinds.kind_a, random);
    pair.b.shape = random_shape(kinds.kind_b, random);
    if (is_hollow_kind(kinds.kind_b)) pair.a.shape = Sphere{random.uniform(0.1, 0.9) * size_of(pair.b.shape)};
    const double reach = size_of(pair.a.shape) + size_of(pair.b.shape);
    Obstacle& obstacle = *driven.obstacle;
    obstacle.pose = {.position = random_direction(random), .orientation = random_rotation(random)};
    obstacle.motion.emplace();
    obstacle.motion->axis = random_direction(random);
    const double what = random.uniform();
    if (what < 0.7) obstacle.motion->position = random_profile(reach, random);
    if (what > 0.5) obstacle.motion->angle = random_profile(1.0, random);
    if (random.uniform() < 0.3) obstacle.motion->point = obstacle.pose.position + reach * random_direction(random);
    driven.take_motion();
    Motion& a = pair.a.motion;
    const double away = is_hollow_kind(kinds.kind_b) ? 0.3 : 2.0;
    a.position = obstacle.pose.position + random.uniform(0.1, away) * reach * random_direction(random);
    a.attitude = random_rotation(random);
    const Vector3d towards = (obstacle.pose.position - a.position).normalized();
    a.velocity = reach * random.uniform(0.2, 3.0) * (towards + random.uniform(0.0, 1.0) * random_direction(random));
    if (random.uniform() < 0.6) a.acceleration = reach * random.uniform(0.0, 5.0) * random_direction(random);
    if (random.uniform() < 0.8) tumble(a, random.uniform(0.1, 8.0) * random_direction(random), random);
    if (pair.gap(0.0) > 1e-3 * pair.size()) return driven;
  }
}

class EveryDrivenPair : public testing::TestWithParam<PairFunction> {};

TEST_P(EveryDrivenPair, NoContactIsSteppedOverNorLate) {
  Random random(77);
  int hits = 0;
  const int cases = heavy_cases(12);
  for (int k = 0; k < cases; ++k) {
    SCOPED_TRACE(k);
    const DrivenPair driven = random_driven_pair(GetParam(), random);
    const MovingPair& pair = driven.pair;
    const Advance found = pair.first_contact(0.0, kHorizon);
    expect_apart(pair, found.time);
    if (HasFatalFailure()) return;
    if (!found.hit) {
      EXPECT_EQ(found.time, kHorizon);
      continue;
    }
    ++hits;
    EXPECT_LE(std::abs(pair.gap(found.time, found.carry)), 20.0 * pair.roundoff(found.time));
    EXPECT_LT(pair.rate(found.time, found.carry), 0.0);
  }
  if (cases > 5) {
    EXPECT_GT(hits, 0);
  }
}

std::string kinds_of(const testing::TestParamInfo<PairFunction>& info) {
  return std::string(shape_name(info.param.kind_a)) + "_and_" + std::string(shape_name(info.param.kind_b));
}

std::vector<PairFunction> pairs_of_bodies() {
  std::vector<PairFunction> pairs;
  // Two thin rods pass through each other without a gap below zero: there is no side to be on.
  const auto thin = [](ShapeKind kind) { return kind == ShapeKind::rod; };
  for (const PairFunction& pair : all_pairs())
    if (is_solid(pair.kind_a) && !(thin(pair.kind_a) && thin(pair.kind_b))) pairs.push_back(pair);
  return pairs;
}

INSTANTIATE_TEST_SUITE_P(DrivenPath, EveryDrivenPair, testing::ValuesIn(pairs_of_bodies()), kinds_of);

TEST(DrivenPath, CornersComeDownOnADrivenPlaneWhenTheyDo) {
  Random random(21);
  int hits = 0;
  const PairFunction& kinds = *find_pair(ShapeKind::box, ShapeKind::half_space);
  const int cases = heavy_cases(100);
  for (int k = 0; k < cases; ++k) {
    SCOPED_TRACE(k);
    const DrivenPair driven = random_driven_pair(kinds, random);
    const MovingPair& pair = driven.pair;
    const double size = pair.size();
    for (const Vector3d& corner : shape_vertices(pair.a.shape)) {
      const auto gap = [&](double time, double carry = 0.0) {
        return pair.b.motion.at(time, carry).pose().to_local(pair.a.motion.at(time, carry).pose().to_world(corner)).z();
      };
      Advance found{0.0, 0.0, false};
      for (int round = 0; round < 100 && !found.hit && found.time < kHorizon; ++round)
        found = first_contact_of_part(pair.a.mover(), {corner}, pair.b.mover(), {found.time, found.carry, kHorizon});
      for (int i = 0; i < 200; ++i) ASSERT_GT(gap(found.time * i / 200), -1e-12 * size - 1e-13);
      if (!found.hit) continue;
      ++hits;
      EXPECT_NEAR(gap(found.time, found.carry), 0.0, 1e-12 * size + 1e-13);
      EXPECT_LT(gap(found.time + 1e-7), 1e-12 * size + 1e-13);
    }
  }
  EXPECT_GT(hits, cases);
}

/// The first sign change of a function, by brute force.
double first_root(const std::function<double(double)>& f, double until) {
  constexpr int kSamples = 200000;
  for (int k = 1; k <= kSamples; ++k) {
    double low = until * (k - 1) / kSamples, high = until * k / kSamples;
    if (f(high) > 0.0) continue;
    for (int turn = 0; turn < 100; ++turn) {
      const double middle = 0.5 * (low + high);
      (f(middle) > 0.0 ? low : high) = middle;
    }
    return low;
  }
  return until;
}

TEST(DrivenPath, ABallMeetsAnOscillatingPlaneWhereTheFormulasMeet) {
  Random random(5);
  for (int k = 0; k < 30; ++k) {
    const double amplitude = random.uniform(0.01, 0.3), frequency = random.uniform(0.5, 20.0);
    const double phase = random.uniform(-3.0, 3.0), height = random.uniform(0.35, 2.0), up = random.uniform(-2.0, 3.0);
    DrivenPair driven;
    driven.obstacle->motion.emplace();
    driven.obstacle->motion->position = SineProfile{amplitude, frequency, phase};
    driven.take_motion();
    driven.pair.a.shape = Sphere{0.1};
    driven.pair.b.shape = HalfSpace{};
    driven.pair.a.motion.position = Vector3d(0, 0, height + 0.1);
    driven.pair.a.motion.velocity = Vector3d(0.3, 0, up);
    driven.pair.a.motion.acceleration = Vector3d(0, 0, -9.81);
    const Advance found = driven.pair.first_contact(0.0, 3.0);
    ASSERT_TRUE(found.hit);
    const double expected = first_root(
        [&](double t) {
          return height + up * t - 0.5 * 9.81 * t * t -
                 amplitude * std::sin(2.0 * std::numbers::pi * frequency * t + phase);
        },
        3.0);
    EXPECT_NEAR(found.time, expected, 1e-13);
  }
}

TEST(DrivenPath, ABallMeetsAPlaneThatAcceleratesAtTheRootOfTheQuadratic) {
  // The plane rises by ½·3t² against a ball that falls by ½·9t² from 0.75 m: t² = 1.5/12.
  DrivenPair driven;
  driven.obstacle->motion.emplace();
  driven.obstacle->motion->position = PolynomialProfile{{0.0, 0.0, 1.5}};
  driven.take_motion();
  driven.pair.a.shape = Sphere{0.25};
  driven.pair.b.shape = HalfSpace{};
  driven.pair.a.motion.position = Vector3d(0, 0, 1.0);
  driven.pair.a.motion.acceleration = Vector3d(0, 0, -9.0);
  const Advance found = driven.pair.first_contact(0.0, 1.0);
  ASSERT_TRUE(found.hit);
  EXPECT_NEAR(found.time + found.carry, std::sqrt(0.125), 1e-15);
}

TEST(DrivenPath, AfterHoursAContactIsAsExact) {
  // Time resolves 1.8e-12 s here, in which the table moves by as many metres: the carry tells more.
  DrivenPair driven;
  driven.obstacle->motion.emplace();
  driven.obstacle->motion->position = SineProfile{0.01, 16.0, 0.0};
  driven.take_motion();
  driven.pair.a.shape = Sphere{0.01};
  driven.pair.b.shape = HalfSpace{};
  driven.pair.a.motion.start = 1e4;
  driven.pair.a.motion.position = Vector3d(0, 0, 0.03);
  driven.pair.a.motion.acceleration = Vector3d(0, 0, -9.81);
  const Advance found = driven.pair.first_contact(1e4, 1e4 + 1.0);
  ASSERT_TRUE(found.hit);
  // 16 Hz times 10⁴ s are whole turns.
  const double tau = (found.time - 1e4) + found.carry;
  const double gap = 0.02 - 0.5 * 9.81 * tau * tau - 0.01 * std::sin(2.0 * std::numbers::pi * 16.0 * tau);
  EXPECT_NEAR(gap, 0.0, 1e-15);
}

TEST(DrivenPath, ASearchTakesFewSteps) {
  // A ball 5 m above a table that shakes 200 times a second: far away the reach of the table is enough to know.
  DrivenPair driven;
  driven.obstacle->motion.emplace();
  driven.obstacle->motion->position = SineProfile{1e-3, 200.0, 0.0};
  driven.take_motion();
  driven.pair.a.shape = Sphere{0.1};
  driven.pair.b.shape = HalfSpace{};
  driven.pair.a.motion.position = Vector3d(0, 0, 5.1);
  driven.pair.a.motion.acceleration = Vector3d(0, 0, -9.81);
  const Advance once = first_contact(driven.pair.function(), driven.pair.a.mover(), driven.pair.b.mover(), {0, 0, 2.0});
  EXPECT_TRUE(once.hit);
  EXPECT_NEAR(once.time, std::sqrt(2.0 * 5.0 / 9.81), 1e-3);
}

}  // namespace
}  // namespace carom::contact::driven_path_test
