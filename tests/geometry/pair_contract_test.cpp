/// What every pair of the table promises (proximity.h), over thousands of random poses: a pair that is added to the
/// table is tested without anyone remembering.

#include <gtest/gtest.h>

#include <set>

#include "carom/base/error.h"
#include "geometry/random_shapes.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;

constexpr double kClosedForm = 4e-15;  // some roundings of the lengths involved
constexpr double kIteration = 1e-13;

double tolerance_of(const PairFunction& pair, const Case& test) {
  const bool iterates = pair.kind_a == ShapeKind::ellipsoid && pair.kind_b == ShapeKind::ellipsoid;
  return (iterates ? kIteration : kClosedForm) * test.scale;
}

std::string describe(const PairFunction& pair, int number) {
  return std::string(shape_name(pair.kind_a)) + "-" + std::string(shape_name(pair.kind_b)) + ", case " +
         std::to_string(number);
}

/// Runs `check(pair, case)` over the random cases of every pair.
template <class Check>
void for_every_pair(int usual_cases, const Check& check) {
  for (const PairFunction& pair : all_pairs()) {
    Random random(static_cast<std::uint64_t>(pair.kind_a) * 100 + static_cast<std::uint64_t>(pair.kind_b));
    for (int number = 0; number < property_cases(usual_cases); ++number) {
      const Case test = random_case(pair, random);
      SCOPED_TRACE(describe(pair, number));
      check(pair, test, random);
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(PairTable, HoldsEveryPairThatTheEnginesNeed) {
  const std::set<std::pair<int, int>> wanted = [] {
    std::set<std::pair<int, int>> pairs;
    const auto add = [&](ShapeKind a, ShapeKind b) {
      pairs.insert({static_cast<int>(a), static_cast<int>(b)});
      pairs.insert({static_cast<int>(b), static_cast<int>(a)});
    };
    for (int kind = 0; kind < kShapeKinds; ++kind) add(ShapeKind::sphere, static_cast<ShapeKind>(kind));
    for (ShapeKind kind : {ShapeKind::ellipsoid, ShapeKind::box, ShapeKind::cylinder, ShapeKind::prism}) {
      add(kind, ShapeKind::half_space);
    }
    add(ShapeKind::ellipsoid, ShapeKind::ellipsoid);
    add(ShapeKind::box, ShapeKind::box);
    return pairs;
  }();
  std::set<std::pair<int, int>> present;
  for (const PairFunction& pair : all_pairs()) {
    EXPECT_TRUE(present.insert({static_cast<int>(pair.kind_a), static_cast<int>(pair.kind_b)}).second);
    EXPECT_EQ(find_pair(pair.kind_a, pair.kind_b), &pair);
  }
  for (const auto& pair : wanted) EXPECT_TRUE(present.contains(pair)) << pair.first << ' ' << pair.second;
}

TEST(PairTable, AnswersUnsupportedAndNamesBothShapes) {
  EXPECT_EQ(find_pair(ShapeKind::half_space, ShapeKind::half_space), nullptr);
  EXPECT_EQ(find_pair(ShapeKind::box, ShapeKind::cylinder), nullptr);
  try {
    carom::proximity(Box{{1, 1, 1}}, Pose{}, Cylinder{1, 1}, Pose{});
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), Kind::unsupported);
    EXPECT_NE(std::string(error.what()).find("box"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("cylinder"), std::string::npos);
  }
  EXPECT_THROW(touching_points(HalfSpace{}, Pose{}, Shell{1}, Pose{}, 0.0), InputError);
}

TEST(EveryPair, WitnessPointsLieOnBothSurfacesAndDifferByDistanceTimesNormal) {
  for_every_pair(4000, [](const PairFunction& pair, const Case& test, Random&) {
    const Proximity nearest = proximity(test);
    const double tolerance = tolerance_of(pair, test);
    EXPECT_NEAR(nearest.normal.norm(), 1.0, 4e-15);
    EXPECT_NEAR((nearest.point_a - nearest.point_b - nearest.distance * nearest.normal).norm(), 0.0, tolerance);
    EXPECT_NEAR(surface_residual(test.a, test.pose_a.to_local(nearest.point_a)), 0.0, tolerance);
    EXPECT_NEAR(surface_residual(test.b, test.pose_b.to_local(nearest.point_b)), 0.0, tolerance);
    EXPECT_LE(nearest.residual, tolerance);
  });
}

TEST(EveryPair, ExchangesItsArguments) {
  for_every_pair(2000, [](const PairFunction& pair, const Case& test, Random&) {
    const Proximity nearest = proximity(test);
    const Proximity other = carom::proximity(test.b, test.pose_b, test.a, test.pose_a);
    EXPECT_NEAR(nearest.distance, other.distance, tolerance_of(pair, test));
    EXPECT_NEAR((nearest.normal + other.normal).norm(), 0.0, 1e-9);
  });
}

TEST(EveryPair, MovesWithTheBodies) {
  for_every_pair(2000, [](const PairFunction& pair, const Case& test, Random& random) {
    const Pose motion{5.0 * random_direction(random), random_rotation(random)};
    Case moved = test;
    for (Pose* pose : {&moved.pose_a, &moved.pose_b}) {
      *pose = {motion.to_world(pose->position), (motion.orientation * pose->orientation).normalized()};
    }
    const Proximity nearest = proximity(test);
    const Proximity after = proximity(moved);
    EXPECT_NEAR(nearest.distance, after.distance, tolerance_of(pair, test));
    EXPECT_NEAR((motion.orientation * nearest.normal - after.normal).norm(), 0.0, 1e-9);
  });
}

TEST(EveryPair, DistanceIsOneLipschitzInTranslation) {
  for_every_pair(2000, [](const PairFunction& pair, const Case& test, Random& random) {
    Case moved = test;
    const double step = std::pow(10.0, random.uniform(-6.0, 0.5));
    moved.pose_a.position += step * random_direction(random);
    EXPECT_LE(std::abs(proximity(test).distance - proximity(moved).distance), step + tolerance_of(pair, test));
  });
}

TEST(EveryPair, GradientOfTheDistanceIsTheNormal) {
  for (const PairFunction& pair : all_pairs()) {
    Random random(static_cast<std::uint64_t>(pair.kind_a) * 1000 + static_cast<std::uint64_t>(pair.kind_b));
    const int cases = property_cases(2000);
    int kinks = 0;
    for (int number = 0; number < cases; ++number) {
      const Case test = random_case(pair, random);
      const Proximity here = proximity(test);
      // Central differences: error h²/6 · third derivative, and round-off over h.
      const double h = 1e-5 * std::min(size_of(test.a), size_of(test.b));
      Vector3d gradient;
      bool kink = false;
      for (int i = 0; i < 3; ++i) {
        Case moved = test;
        moved.pose_a.position[i] = test.pose_a.position[i] + h;
        const Proximity ahead = proximity(moved);
        moved.pose_a.position[i] = test.pose_a.position[i] - h;
        const Proximity behind = proximity(moved);
        gradient[i] = (ahead.distance - behind.distance) / (2.0 * h);
        // The nearest feature changes within the step, or the curvature is too strong for it.
        kink = kink || (ahead.normal - here.normal).norm() > 1e-2 || (behind.normal - here.normal).norm() > 1e-2;
        kink = kink || std::abs((ahead.normal + behind.normal - 2.0 * here.normal)[i]) > 1e-6;
      }
      kinks += kink ? 1 : 0;
      if (!kink) {
        ASSERT_NEAR((gradient - here.normal).norm(), 0.0, 1e-6) << describe(pair, number);
      }
    }
    EXPECT_LE(kinks, 2 + cases / 20) << describe(pair, -1);
  }
}

TEST(EveryPair, IsDeterministic) {
  for_every_pair(200, [](const PairFunction&, const Case& test, Random&) {
    const Proximity first = proximity(test);
    const Proximity second = proximity(test);
    EXPECT_EQ(first.distance, second.distance);
    EXPECT_EQ(first.normal, second.normal);
    EXPECT_EQ(first.point_a, second.point_a);
  });
}

TEST(EveryPair, TouchingPointsAreWithinTheToleranceAndLieOnBothSurfaces) {
  for_every_pair(1000, [](const PairFunction& pair, const Case& test, Random&) {
    const Proximity nearest = proximity(test);
    const double room = 1e-9;
    const TouchingPoints all = touching_points(test.a, test.pose_a, test.b, test.pose_b, room);
    ASSERT_GE(all.size(), 1);
    EXPECT_NEAR((all.normal() - nearest.normal).norm(), 0.0, 1e-12);
    for (const TouchingPoint& point : all) {
      EXPECT_LE(point.distance, nearest.distance + room + tolerance_of(pair, test));
      EXPECT_GE(point.distance, nearest.distance - tolerance_of(pair, test));
      EXPECT_NEAR((point.point_a - point.point_b - point.distance * all.normal()).norm(), 0.0,
                  tolerance_of(pair, test));
      EXPECT_NEAR(surface_residual(test.a, test.pose_a.to_local(point.point_a)), 0.0, 2.0 * room);
      EXPECT_NEAR(surface_residual(test.b, test.pose_b.to_local(point.point_b)), 0.0, 2.0 * room);
    }
  });
}

}  // namespace
}  // namespace carom::test
