#include "carom/contact/time_of_impact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "contact/heavy_cases.h"
#include "contact/moving_pair.h"

namespace carom::contact {
namespace {

using namespace test;

constexpr double kHorizon = 2.0;
constexpr int kCases = 100;

bool is_hollow(ShapeKind kind) {
  return kind == ShapeKind::shell || kind == ShapeKind::bore;
}

/// a comes near b, apart at the start, with everything that motions have: tumbling, unequal accelerations, driven and
/// spinning obstacles.
MovingPair random_pair(const PairFunction& kinds, Random& random) {
  for (;;) {
    MovingPair pair;
    pair.a.shape = random_shape(kinds.kind_a, random);
    pair.b.shape = random_shape(kinds.kind_b, random);
    if (is_hollow(kinds.kind_b)) pair.a.shape = Sphere{random.uniform(0.1, 0.9) * size_of(pair.b.shape)};
    const double reach = size_of(pair.a.shape) + size_of(pair.b.shape);
    Motion& a = pair.a.motion;
    Motion& b = pair.b.motion;
    b.position = random_direction(random);
    b.attitude = random_rotation(random);
    const double away = is_hollow(kinds.kind_b) ? 0.3 : 2.0;
    a.position = b.position + random.uniform(0.1, away) * reach * random_direction(random);
    a.attitude = random_rotation(random);
    const double speed = reach * random.uniform(0.2, 3.0);
    const Vector3d towards = (b.position - a.position).normalized();
    a.velocity = speed * (towards + random.uniform(0.0, 1.0) * random_direction(random));
    if (random.uniform() < 0.6) a.acceleration = reach * random.uniform(0.0, 5.0) * random_direction(random);
    if (random.uniform() < 0.8) tumble(a, random.uniform(0.1, 8.0) * random_direction(random), random);
    const bool obstacle = !is_solid(kinds.kind_b) || random.uniform() < 0.4;
    if (random.uniform() < 0.6) b.velocity = 0.3 * reach * random_direction(random);
    if (obstacle) {
      if (random.uniform() < 0.5) spin_steadily(b, random.uniform(0.1, 3.0) * random_direction(random));
    } else {
      b.acceleration = a.acceleration;
      if (random.uniform() < 0.5) b.acceleration += reach * random_direction(random);
      if (random.uniform() < 0.8) tumble(b, random.uniform(0.1, 8.0) * random_direction(random), random);
    }
    if (pair.gap(0.0) > 1e-3 * pair.size()) return pair;
  }
}

class EveryPair : public testing::TestWithParam<PairFunction> {};

TEST_P(EveryPair, NoContactIsSteppedOver) {
  const PairFunction& kinds = GetParam();
  Random random(31);
  int hits = 0;
  for (int k = 0; k < heavy_cases(kCases); ++k) {
    SCOPED_TRACE(k);
    const MovingPair pair = random_pair(kinds, random);
    const Advance found = pair.first_contact(0.0, kHorizon);
    expect_apart(pair, found.time);
    if (HasFatalFailure()) return;
    if (!found.hit) {
      EXPECT_EQ(found.time, kHorizon);
      continue;
    }
    ++hits;
    EXPECT_NEAR(pair.gap(found.time, found.carry), 0.0, 1e-12 * pair.size() + 4.0 * pair.roundoff(found.time));
    EXPECT_LT(pair.rate(found.time, found.carry), 0.0);
  }
  if (heavy_cases(kCases) >= kCases) {
    EXPECT_GT(hits, 5);
  }
}

std::vector<PairFunction> pairs_of_a_body() {
  std::vector<PairFunction> chosen;
  for (const PairFunction& pair : all_pairs())
    if (is_solid(pair.kind_a)) chosen.push_back(pair);
  return chosen;
}

INSTANTIATE_TEST_SUITE_P(TimeOfImpact, EveryPair, testing::ValuesIn(pairs_of_a_body()), [](const auto& kinds) {
  return std::string(shape_name(kinds.param.kind_a)) + "_" + std::string(shape_name(kinds.param.kind_b));
});

/// A spheroid with its short axis across, turning about a horizontal axis at a fixed height over the floor.
MovingPair turning_over_floor(double height, double spin) {
  MovingPair pair;
  pair.a.shape = Ellipsoid{{0.5, 0.5, 1.0}};
  pair.a.motion.position = {0.3, -0.2, height};
  pair.a.motion.attitude = Quaterniond(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vector3d::UnitY()));
  spin_steadily(pair.a.motion, {0.0, spin, 0.0});
  pair.b.shape = HalfSpace{};
  return pair;
}

TEST(TimeOfImpact, ATurningSpheroidTouchesWhenItsSupportIsItsHeight) {
  // h² = c² sin² φ + a² cos² φ at the angle φ of the long axis above the horizontal.
  for (const double height : {0.6, 0.9, 0.999, 1.0 - 1e-8, 1.0 - 1e-11}) {
    const MovingPair pair = turning_over_floor(height, 2.0);
    const double sine = std::sqrt((height * height - 0.25) / 0.75);
    const Advance found = pair.first_contact(0.0, 10.0);
    ASSERT_TRUE(found.hit) << height;
    // φ is known to ε/(dh/dφ): less and less towards the top.
    const double slope = 0.75 * sine * std::sqrt(1.0 - sine * sine) / height;
    EXPECT_NEAR(found.time, std::asin(sine) / 2.0, 1e-12 / slope) << height;
  }
}

TEST(TimeOfImpact, ATurningSpheroidThatIsTooHighNeverTouches) {
  for (const double height : {1.0 + 1e-11, 1.0 + 1e-8, 1.1, 5.0}) {
    const MovingPair pair = turning_over_floor(height, 2.0);
    const Advance found = pair.first_contact(0.0, 10.0);
    EXPECT_FALSE(found.hit) << height;
    EXPECT_EQ(found.time, 10.0);
  }
}

/// A ball thrown so that it dips to a depth below the floor (or passes above it) at time 1.
MovingPair thrown(double depth) {
  MovingPair pair;
  pair.a.shape = Sphere{0.5};
  pair.a.motion.position = {0.0, 0.0, 0.5 + 4.0 - depth};
  pair.a.motion.velocity = {1.0, 0.0, -8.0};
  pair.a.motion.acceleration = {0.0, 0.0, 8.0};  // upwards: the way is a parabola open to the top
  pair.b.shape = HalfSpace{};
  return pair;
}

TEST(TimeOfImpact, AGrazingBallTouchesOrNot) {
  for (const double depth : {1e-12, 1e-9, 1e-4, 0.1}) {
    const Advance found = thrown(depth).first_contact(0.0, 5.0);
    ASSERT_TRUE(found.hit) << depth;
    const double before = std::sqrt(depth / 4.0);  // 4(t − 1)² = depth
    EXPECT_NEAR(found.time, 1.0 - before, 1e-15 / before);
    EXPECT_FALSE(thrown(-depth).first_contact(0.0, 5.0).hit) << depth;
  }
}

TEST(TimeOfImpact, TwoBallsThatPassTouchOrNot) {
  for (const double offset : {-1e-9, -1e-5, 1e-9, 1e-5}) {
    for (const bool tumbling : {false, true}) {
      MovingPair pair;
      pair.a.shape = Sphere{0.3};
      pair.a.motion.position = {-2.0, 0.8 + offset, 0.0};
      pair.a.motion.velocity = {1.0, 0.0, 0.0};
      pair.b.shape = Sphere{0.5};
      if (tumbling) {  // unequal accelerations: the search that is not in closed form
        pair.a.motion.acceleration = {0.1, 0.0, 0.0};
      }
      const Advance found = pair.first_contact(0.0, 5.0);
      EXPECT_EQ(found.hit, offset < 0.0) << offset;
      if (!found.hit) continue;
      const double along = std::sqrt(0.64 - (0.8 + offset) * (0.8 + offset));
      const double way = 2.0 - along;
      const double time = tumbling ? (-1.0 + std::sqrt(1.0 + 0.2 * way)) / 0.1 : way;
      EXPECT_NEAR(found.time, time, 1e-13 / along);
    }
  }
}

TEST(TimeOfImpact, ABallInsideAShellCrossesItStraight) {
  MovingPair pair;
  pair.a.shape = Sphere{0.25};
  pair.a.motion.position = {0.1, 0.2, -0.3};
  pair.a.motion.velocity = {1.0, -2.0, 0.5};
  pair.b.shape = Shell{1.0};
  const Vector3d& x = pair.a.motion.position;
  const Vector3d& v = pair.a.motion.velocity;
  const double b = x.dot(v) / v.squaredNorm();
  const double time = -b + std::sqrt(b * b + (0.5625 - x.squaredNorm()) / v.squaredNorm());
  const Advance found = pair.first_contact(0.0, 5.0);
  ASSERT_TRUE(found.hit);
  EXPECT_NEAR(found.time, time, 1e-14);
}

TEST(TimeOfImpact, ABallThatLeavesTheWallOfAHollowByRoundOffComesBackWhereItHasTo) {
  // On the wall, along it and slowly inwards: |(r − uτ, wτ)| = r again at τ = 2ru/(u² + w²). One search finds it.
  for (const Shape& hollow : {Shape(Shell{1.0}), Shape(Bore{1.0, 5.0})}) {
    for (const double inwards : {1e-1, 1e-3, 1e-5}) {
      MovingPair pair;
      pair.a.shape = Sphere{0.3};
      pair.a.motion.position = {0.7, 0.0, 0.0};
      pair.a.motion.velocity = {-inwards, 1.0, 0.0};
      pair.b.shape = hollow;
      const double time = 2.0 * 0.7 * inwards / (inwards * inwards + 1.0);
      const Advance found = first_contact(pair.function(), pair.a.mover(), pair.b.mover(), {0.0, 0.0, 5.0});
      ASSERT_TRUE(found.hit);
      EXPECT_NEAR(found.time, time, 1e-6 * time + 1e-14 / inwards);
    }
  }
}

TEST(TimeOfImpact, AnEllipsoidThatGrazesTheWallOfAHollowIsFollowedInOneSearch) {
  for (const Shape& hollow : {Shape(Shell{1.0}), Shape(Bore{1.0, 5.0})}) {
    for (const double gap : {1e-3, 1e-5, 1e-7}) {
      MovingPair pair;
      pair.a.shape = Ellipsoid{{0.1, 0.2, 0.25}};
      pair.a.motion.position = {0.9 - gap, 0.0, 0.0};
      pair.a.motion.velocity = {-0.01, 1.0, 0.0};
      spin_steadily(pair.a.motion, {0.0, 0.0, 0.5});
      pair.b.shape = hollow;
      ASSERT_NEAR(pair.gap(0.0), gap, 1e-12);
      const Advance found = first_contact(pair.function(), pair.a.mover(), pair.b.mover(), {0.0, 0.0, 5.0});
      ASSERT_TRUE(found.hit);
      EXPECT_NEAR(pair.gap(found.time, found.carry), 0.0, 4.0 * pair.roundoff(found.time));
      EXPECT_LT(pair.rate(found.time, found.carry), 0.0);
      for (int k = 0; k < 200; ++k) EXPECT_GT(pair.gap(found.time * k / 200.0), 0.0) << k;
    }
  }
}

TEST(TimeOfImpact, ATurningBoxMeetsTheFloorWithItsCorner) {
  // The corner (1, 0.5) of the section at angle φ₀ below the horizontal is deepest at √1.25.
  MovingPair pair;
  pair.a.shape = Box{{1.0, 0.7, 0.5}};
  const double reach = std::sqrt(1.25);
  for (const double part : {0.6, 0.9, 0.9999, 1.0 - 1e-9}) {
    pair.a.motion = Motion{};
    pair.a.motion.position = {0.0, 0.0, part * reach};
    spin_steadily(pair.a.motion, {0.0, 1.5, 0.0});  // the corner at +x goes down
    pair.b.shape = HalfSpace{};
    const double start = std::atan2(0.5, 1.0);
    const double time = (std::asin(part) - start) / 1.5;
    const Advance found = pair.first_contact(0.0, 5.0);
    ASSERT_TRUE(found.hit);
    EXPECT_NEAR(found.time, time, 1e-12 / std::sqrt(1.0 - part * part));
  }
}

TEST(TimeOfImpact, WhatTouchesAndSeparatesIsMetWhenItComesBack) {
  MovingPair pair;
  pair.a.shape = Ellipsoid{{0.5, 0.4, 0.3}};
  pair.a.motion.position = {0.0, 0.0, 0.3};
  pair.a.motion.velocity = {1.0, 0.0, 2.0};
  pair.a.motion.acceleration = {0.0, 0.0, -10.0};
  pair.b.shape = HalfSpace{};
  const Advance found = pair.first_contact(0.0, 5.0);
  ASSERT_TRUE(found.hit);
  EXPECT_NEAR(found.time, 0.4, 1e-12 * 0.5 / 2.0);  // a gap of 1e-12 of the size at 2 m/s
}

TEST(TimeOfImpact, LowBouncesReturnToTheLevelThatTheyLeave) {
  // From a gap at round-off level, up or down, with speeds down to what such a gap can tell.
  Random random(32);
  for (int k = 0; k < heavy_cases(400); ++k) {
    SCOPED_TRACE(k);
    MovingPair pair;
    const ShapeKind kinds[] = {ShapeKind::ellipsoid, ShapeKind::box, ShapeKind::cylinder, ShapeKind::prism};
    pair.a.shape = random_shape(kinds[k % 4], random);
    pair.b.shape = HalfSpace{};
    const double size = bounding_radius(pair.a.shape);
    pair.a.motion.attitude = random_rotation(random);
    pair.a.motion.position.z() = 5.0;
    pair.a.motion.position.z() -= pair.gap(0.0) + random.uniform(-2e-13, 2e-13) * size;
    pair.a.motion.acceleration = {0.0, 0.0, -10.0 * size};
    tumble(pair.a.motion, random.uniform(0.0, 2.0) * random_direction(random), random);
    // The nearest point leaves slowly.
    pair.a.motion.velocity.z() = size * std::pow(10.0, random.uniform(-6.5, -2.0)) - pair.rate(0.0);
    const Advance found = pair.first_contact(0.0, 1.0);
    ASSERT_TRUE(found.hit);
    const double lowest = std::min(pair.gap(0.0), 0.0) - 1e-12 * size;
    for (int j = 0; j < 100; ++j) ASSERT_GT(pair.gap(found.time * j / 100), lowest);
    EXPECT_GT(pair.gap(found.time, found.carry), lowest);
    EXPECT_LT(pair.rate(found.time, found.carry), 0.0);
  }
}

TEST(TimeOfImpact, BodiesThatPartFromContactAreFollowedInFewProvenSteps) {
  // Edges or a corner and a face that touch and open, slowly or fast, while both bodies tumble: no gap is too small to
  // tell how long it lasts.
  Random random(33);
  for (const auto& [first, second] :
       {std::pair(ShapeKind::box, ShapeKind::box), std::pair(ShapeKind::prism, ShapeKind::convex),
        std::pair(ShapeKind::cylinder, ShapeKind::box)})
    for (int k = 0; k < heavy_cases(100); ++k) {
      SCOPED_TRACE(k);
      MovingPair pair;
      pair.a.shape = random_shape(first, random);
      pair.b.shape = random_shape(second, random);
      const double size = pair.size();
      pair.a.motion.attitude = random_rotation(random);
      pair.b.motion.attitude = random_rotation(random);
      pair.a.motion.position = 20.0 * size * random_direction(random);
      for (int turn = 0; turn < 3; ++turn) {
        const Proximity near = pair.near(0.0);
        pair.a.motion.position -= near.distance * near.normal;
      }
      tumble(pair.a.motion, random.uniform(0.0, 5.0) * random_direction(random), random);
      tumble(pair.b.motion, random.uniform(0.0, 5.0) * random_direction(random), random);
      const double opening = size * std::pow(10.0, random.uniform(-4.0, 0.0));
      pair.a.motion.velocity += (opening - pair.rate(0.0)) * pair.near(0.0).normal;
      const double horizon = 1e-2 * opening / size;  // tumbling brings them back later
      const Advance found =
          contact::first_contact(pair.function(), pair.a.mover(), pair.b.mover(), {0.0, 0.0, horizon});
      EXPECT_FALSE(found.sampled);
      EXPECT_FALSE(found.hit);
      EXPECT_EQ(found.time, horizon);
    }
}

TEST(TimeOfImpact, WhatSpinsAboutItsAxisIsSeenAsItTurnsOfItsAxis) {
  Random random(35);
  int hits = 0;
  for (const ShapeKind kind : {ShapeKind::cylinder, ShapeKind::cone, ShapeKind::capsule})
    for (int k = 0; k < heavy_cases(100); ++k) {
      SCOPED_TRACE(k);
      MovingPair pair;
      pair.a.shape = random_shape(kind, random);
      pair.b.shape = random_shape(ShapeKind::cylinder, random);
      const double reach = size_of(pair.a.shape) + size_of(pair.b.shape);
      for (MovingObject* object : {&pair.a, &pair.b}) {
        Motion& motion = object->motion;
        motion.attitude = random_rotation(random);
        const Vector3d axis = motion.attitude * Vector3d::UnitZ();
        spin_steadily(motion, 20.0 * axis + std::pow(10.0, random.uniform(-8.0, 1.0)) * random_direction(random));
      }
      pair.a.motion.position = 2.0 * reach * random_direction(random);
      pair.a.motion.velocity = -2.0 * pair.a.motion.position + 0.5 * reach * random_direction(random);
      const Advance found = pair.first_contact(0.0, 1.0);
      expect_apart(pair, found.time);
      hits += found.hit;
    }
  EXPECT_GT(hits, 0);
}

TEST(TimeOfImpact, CylindersThatSpinBesideEachOtherAreFollowedInFewProvenSteps) {
  MovingPair pair;
  pair.a.shape = pair.b.shape = Cylinder{0.077, 0.154};
  for (MovingObject* object : {&pair.a, &pair.b})
    object->motion.attitude = Quaterniond(Eigen::AngleAxisd(std::numbers::pi / 2.0, Vector3d::UnitX()));
  pair.a.motion.position.x() = 2.0 * 0.077 + 5e-14;
  pair.a.motion.velocity.y() = pair.b.motion.velocity.y() = 0.3;
  spin_steadily(pair.a.motion, 23.0 * Vector3d::UnitY());
  const Advance found = contact::first_contact(pair.function(), pair.a.mover(), pair.b.mover(), {0.0, 0.0, kHorizon});
  EXPECT_FALSE(found.sampled);
  EXPECT_FALSE(found.hit);
  EXPECT_EQ(found.time, kHorizon);
}

TEST(TimeOfImpact, ADirectionThatIsKeptSparesLooksAndChangesNoAnswer) {
  // Stretch after stretch, as the steps of an island follow each other.
  Random random(34);
  int hits = 0, known = 0;
  for (const auto& [first, second] :
       {std::pair(ShapeKind::box, ShapeKind::box), std::pair(ShapeKind::cylinder, ShapeKind::ellipsoid),
        std::pair(ShapeKind::sphere, ShapeKind::box), std::pair(ShapeKind::convex, ShapeKind::capsule)})
    for (int k = 0; k < heavy_cases(40); ++k) {
      SCOPED_TRACE(k);
      const MovingPair pair = random_pair(*find_pair(first, second), random);
      SeparatingDirection apart = SeparatingDirection::Zero();
      for (double from = 0.0; from < kHorizon; from += 0.01) {
        const Stretch stretch{from, 0.0, from + 0.01};
        const Advance plain = first_contact(pair.function(), pair.a.mover(), pair.b.mover(), stretch);
        const Advance with = first_contact(pair.function(), pair.a.mover(), pair.b.mover(), stretch, &apart);
        ASSERT_EQ(with.hit, plain.hit);
        ASSERT_EQ(with.time, plain.time);
        ASSERT_EQ(with.carry, plain.carry);
        if (!plain.hit) continue;
        ++hits;
        break;
      }
      known += apart.isZero(0.0) ? 0 : 1;  // balls around them that never meet need none
    }
  if (heavy_cases(40) >= 40) {
    EXPECT_GT(hits, 20);
    EXPECT_GT(known, 100);
  }
}

TEST(TimeOfImpact, AnApproachAtContactIsMetAtOnceAndRestIsNot) {
  for (const Shape& shape : {Shape(Sphere{0.3}), Shape(Ellipsoid{{0.5, 0.4, 0.3}}), Shape(Box{{0.5, 0.4, 0.3}})}) {
    MovingPair pair;
    pair.a.shape = shape;
    pair.a.motion.position = {0.0, 0.0, 0.3};
    pair.a.motion.velocity = {1.0, 0.0, -1e-6};
    pair.b.shape = HalfSpace{};
    const Advance found = pair.first_contact(7.0, 8.0);
    EXPECT_FALSE(found.hit && found.time > 7.0);
    pair.a.motion.velocity = {1.0, 0.0, -1.0};
    const Advance now = pair.first_contact(0.0, 1.0);
    EXPECT_TRUE(now.hit);
    EXPECT_EQ(now.time, 0.0);
    pair.a.motion.velocity = {1.0, 0.0, 0.0};
    EXPECT_FALSE(pair.first_contact(0.0, 1.0).hit);
    pair.a.motion.velocity = {1.0, 0.0, 1.0};
    EXPECT_FALSE(pair.first_contact(0.0, 1.0).hit);
  }
}

}  // namespace
}  // namespace carom::contact
