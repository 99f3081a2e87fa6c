/// What every pair of the table promises (proximity.h), over thousands of random poses: a pair that is added to the
/// table is tested without anyone remembering.

#include <gtest/gtest.h>

#include <set>

#include "carom/base/error.h"
#include "carom/geometry/support.h"
#include "geometry/random_shapes.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;

constexpr double kClosedForm = 4e-15;  // some roundings of the lengths involved
constexpr double kFlatSearch = 2e-14;  // the general method on polyhedra, and the certificate that it asks for
constexpr double kRoundSearch = 1e-12;
constexpr double kRodSkins = 3e-13;   // rods meet a little before they touch
constexpr double kRimSearch = 1e-11;  // a bore's rim in a round body

bool is_round(ShapeKind kind) {
  return kind == ShapeKind::ellipsoid || kind == ShapeKind::cylinder || kind == ShapeKind::cone ||
         kind == ShapeKind::half_cylinder;
}

bool is_segment(ShapeKind kind) {
  return kind == ShapeKind::capsule || kind == ShapeKind::rod;
}

bool is_hollow(const PairFunction& pair) {
  return !is_solid(pair.kind_a) ? pair.kind_a != ShapeKind::half_space
                                : !is_solid(pair.kind_b) && pair.kind_b != ShapeKind::half_space;
}

/// Whether the general method answers, rather than a function of the pair's own.
bool is_general(const PairFunction& pair) {
  const ShapeKind a = pair.kind_a, b = pair.kind_b;
  const bool with_ball = a == ShapeKind::sphere || b == ShapeKind::sphere;
  const ShapeKind other = a == ShapeKind::sphere ? b : a;
  if (with_ball) return other == ShapeKind::cone || other == ShapeKind::half_cylinder || other == ShapeKind::convex;
  if (a == ShapeKind::half_space || b == ShapeKind::half_space) return false;
  return !(is_segment(a) && is_segment(b)) && !(a == b && (a == ShapeKind::box || a == ShapeKind::ellipsoid));
}

double tolerance_of(const PairFunction& pair, const Case& test) {
  const bool two_ellipsoids = pair.kind_a == ShapeKind::ellipsoid && pair.kind_b == ShapeKind::ellipsoid;
  if (two_ellipsoids) return 1e-13 * test.scale;
  if (pair.kind_a == ShapeKind::rod && pair.kind_b == ShapeKind::rod) return kRodSkins * test.scale;
  if (!is_general(pair)) return kClosedForm * test.scale;
  if (is_hollow(pair)) return kRimSearch * test.scale;
  return (is_round(pair.kind_a) || is_round(pair.kind_b) ? kRoundSearch : kFlatSearch) * test.scale;
}

/// What the general method asks for; where round shapes overlap deeply it may give up before.
double certificate_of(const PairFunction& pair, const Case& test) {
  return std::max(tolerance_of(pair, test), is_round(pair.kind_a) || is_round(pair.kind_b) ? 1e-10 * test.scale : 0.0);
}

std::string describe(const PairFunction& pair, int number) {
  return std::string(shape_name(pair.kind_a)) + "-" + std::string(shape_name(pair.kind_b)) + ", case " +
         std::to_string(number);
}

/// How many of the usual cases a pair runs: the general method is slower, and so are bores with their rims.
int cases_of(const PairFunction& pair, int usual_cases) {
  const int part = !is_general(pair) ? 1 : is_hollow(pair) ? 200 : 50;
  return std::max(2, property_cases(usual_cases) / part);
}

/// Runs `check(pair, case)` over the random cases of every pair.
template <class Check>
void for_every_pair(int usual_cases, const Check& check) {
  for (const PairFunction& pair : all_pairs()) {
    Random random(static_cast<std::uint64_t>(pair.kind_a) * 100 + static_cast<std::uint64_t>(pair.kind_b));
    for (int number = 0; number < cases_of(pair, usual_cases); ++number) {
      const Case test = random_case(pair, random);
      SCOPED_TRACE(describe(pair, number));
      check(pair, test, random);
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(PairTable, HoldsEveryBoundedShapeWithEveryOther) {
  std::set<std::pair<int, int>> present;
  for (const PairFunction& pair : all_pairs()) {
    EXPECT_TRUE(present.insert({static_cast<int>(pair.kind_a), static_cast<int>(pair.kind_b)}).second);
    EXPECT_EQ(find_pair(pair.kind_a, pair.kind_b), &pair);
  }
  for (int a = 0; a < kShapeKinds; ++a)
    for (int b = 0; b < kShapeKinds; ++b)
      EXPECT_EQ(present.contains({a, b}), is_solid(static_cast<ShapeKind>(a)) || is_solid(static_cast<ShapeKind>(b)))
          << a << ' ' << b;
}

TEST(PairTable, AnswersUnsupportedAndNamesBothShapes) {
  EXPECT_EQ(find_pair(ShapeKind::half_space, ShapeKind::half_space), nullptr);
  try {
    carom::proximity(Bore{1, 1}, Pose{}, Shell{1}, Pose{});
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), Kind::unsupported);
    EXPECT_NE(std::string(error.what()).find("bore"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("shell"), std::string::npos);
  }
  EXPECT_THROW(touching_points(HalfSpace{}, Pose{}, Shell{1}, Pose{}, 0.0), InputError);
}

/// −h_A(−n) − h_B(n) of two bounded convex shapes, from the support functions in their own frames.
double lower_bound(const Case& test, const Vector3d& n) {
  const double h_a = support(test.a, test.pose_a.orientation.conjugate() * Vector3d(-n));
  const double h_b = support(test.b, test.pose_b.orientation.conjugate() * n);
  return n.dot(test.pose_a.position - test.pose_b.position) - h_a - h_b;
}

TEST(EveryPair, DistanceIsTheLargestLowerBound) {
  for_every_pair(2000, [](const PairFunction& pair, const Case& test, Random& random) {
    if (!is_solid(pair.kind_a) || !is_solid(pair.kind_b)) return;
    const Proximity nearest = proximity(test);
    const double tolerance = tolerance_of(pair, test);
    EXPECT_NEAR(lower_bound(test, nearest.normal), nearest.distance, tolerance);
    for (int i = 0; i < 50; ++i) EXPECT_LE(lower_bound(test, random_direction(random)), nearest.distance + tolerance);
    // Near the normal it is flat, so that a wrong maximum shows best there.
    for (int i = 0; i < 10; ++i) {
      const double step = std::pow(10.0, random.uniform(-5.0, -0.5));
      const Vector3d n = (nearest.normal + step * random_direction(random)).normalized();
      EXPECT_LE(lower_bound(test, n), nearest.distance + tolerance);
    }
  });
}

TEST(EveryPair, StandsApartWhenMovedOutByItsDepth) {
  for_every_pair(1000, [](const PairFunction& pair, const Case& test, Random&) {
    if (!is_solid(pair.kind_a) || !is_solid(pair.kind_b)) return;
    const Proximity nearest = proximity(test);
    for (const double gap : {0.0, 1e-9, -1e-9, 1e-3}) {
      Case moved = test;
      moved.pose_a.position += (gap - nearest.distance) * nearest.normal;
      const Proximity after = proximity(moved);
      // Sharp ones moved too far may have a shorter way out than back along their normal, or pass each other.
      EXPECT_GE(after.distance, gap - tolerance_of(pair, test)) << "gap " << gap;
      EXPECT_LE(after.distance, std::abs(gap) + tolerance_of(pair, test)) << "gap " << gap;
      EXPECT_LE(after.residual, certificate_of(pair, test));
    }
  });
}

TEST(EveryPair, HintsChangeNothingButTheTime) {
  for_every_pair(1000, [](const PairFunction& pair, const Case& test, Random& random) {
    ProximityHint hint;
    Case moved = test;
    for (int step = 0; step < 4; ++step) {
      const Proximity plain = pair.proximity(moved.a, moved.pose_a, moved.b, moved.pose_b);
      const Proximity hinted = pair.proximity_from(moved.a, moved.pose_a, moved.b, moved.pose_b, hint);
      EXPECT_NEAR(plain.distance, hinted.distance, tolerance_of(pair, test));
      EXPECT_NEAR((plain.normal - hinted.normal).norm(), 0.0, 1e-9);
      moved.pose_a.position += 1e-3 * random_direction(random);
      moved.pose_a.orientation =
          (Eigen::Quaterniond(1.0, 1e-3, random.uniform(-1e-3, 1e-3), 0.0) * moved.pose_a.orientation).normalized();
    }
  });
}

TEST(EveryPair, NearestPointsNearTheNormalOfAMomentAgoAreTheNearest) {
  Random random(19);
  for (const PairFunction& pair : all_pairs()) {
    if (!is_solid(pair.kind_a) || !is_solid(pair.kind_b)) continue;
    for (int number = 0; number < property_cases(20); ++number) {
      Case test = random_case(pair, random);
      test.pose_a.position += 10.0 * test.scale * random_direction(random);
      for (int turn = 0; turn < 3; ++turn) {
        const Proximity near = proximity(test);
        test.pose_a.position -= near.distance * near.normal;
      }
      const Vector3d before = proximity(test).normal;
      // A little later, a little apart or, where one is round everywhere, overlapping: two sharp ones have several ways
      // out.
      const bool round = pair.kind_a == ShapeKind::ellipsoid || pair.kind_b == ShapeKind::ellipsoid;
      const Vector3d turn = 0.03 * random.uniform() * random_direction(random);
      test.pose_a.orientation =
          Quaterniond(Eigen::AngleAxisd(turn.norm(), turn.normalized())) * test.pose_a.orientation;
      const double aim = test.scale * random.uniform(round ? -1e-7 : 1e-12, 1e-9);
      for (int k = 0; k < 3; ++k) {
        const Proximity near = proximity(test);
        test.pose_a.position -= (near.distance - aim) * near.normal;
      }
      const Proximity whole = proximity(test);
      const Proximity near = pair.proximity_near(test.a, test.pose_a, test.b, test.pose_b, {before});
      ASSERT_NEAR(near.distance, whole.distance, 1e-12 * test.scale + whole.residual)
          << shape_name(pair.kind_a) << ' ' << shape_name(pair.kind_b) << ' ' << number;
      ASSERT_LT((near.point_a - near.point_b - near.distance * near.normal).norm(), 1e-12 * test.scale);
    }
  }
}

TEST(EveryPair, PressedBodiesAreFollowedFromTheNormalOfAMomentAgo) {
  // An ellipsoid that presses on anything by a thousandth of the sizes has one nearest place near where it was.
  Random random(23);
  for (const PairFunction& pair : all_pairs()) {
    if (!is_solid(pair.kind_a) || !is_solid(pair.kind_b)) continue;
    if (pair.kind_a != ShapeKind::ellipsoid && pair.kind_b != ShapeKind::ellipsoid) continue;
    for (int number = 0; number < property_cases(20); ++number) {
      Case test = random_case(pair, random);
      test.pose_a.position += 10.0 * test.scale * random_direction(random);
      const double depth = 1e-3 * std::min(size_of(test.a), size_of(test.b)) * random.uniform(0.1, 1.0);
      for (int turn = 0; turn < 6; ++turn) {
        const Proximity near = proximity(test);
        test.pose_a.position -= (near.distance + depth) * near.normal;
      }
      const Vector3d before = proximity(test).normal;
      const Vector3d turn = 1e-4 * random.uniform() * random_direction(random);
      test.pose_a.orientation =
          Quaterniond(Eigen::AngleAxisd(turn.norm(), turn.normalized())) * test.pose_a.orientation;
      const Proximity whole = proximity(test);
      const Proximity near = pair.proximity_near(test.a, test.pose_a, test.b, test.pose_b, {before, 10.0 * depth});
      ASSERT_LT((near.point_a - near.point_b - near.distance * near.normal).norm(), 1e-12 * test.scale);
      // Where two places are all but equally deep the body stays with the one that it knows.
      ASSERT_LE(near.distance, whole.distance + 1e-12 * test.scale + whole.residual);
      ASSERT_GT(near.distance, whole.distance - 0.1 * depth)
          << shape_name(pair.kind_a) << ' ' << shape_name(pair.kind_b) << ' ' << number;
    }
  }
}

TEST(EveryPair, WitnessPointsLieOnBothSurfacesAndDifferByDistanceTimesNormal) {
  for_every_pair(4000, [](const PairFunction& pair, const Case& test, Random&) {
    const Proximity nearest = proximity(test);
    const double tolerance = tolerance_of(pair, test);
    EXPECT_NEAR(nearest.normal.norm(), 1.0, 4e-15);
    EXPECT_NEAR((nearest.point_a - nearest.point_b - nearest.distance * nearest.normal).norm(), 0.0, tolerance);
    EXPECT_NEAR(surface_residual(test.a, test.pose_a.to_local(nearest.point_a)), 0.0, tolerance);
    EXPECT_NEAR(surface_residual(test.b, test.pose_b.to_local(nearest.point_b)), 0.0, tolerance);
    const bool deep = nearest.distance < -1e-3 * std::min(size_of(test.a), size_of(test.b));
    if (!deep) {
      EXPECT_LE(nearest.residual, certificate_of(pair, test));
    }
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
    const int cases = cases_of(pair, 2000);
    int kinks = 0;
    for (int number = 0; number < cases; ++number) {
      const Case test = random_case(pair, random);
      const Proximity here = proximity(test);
      // Where the rim of a bore is inside the body, the least of the largest bounds has no one normal.
      if (is_hollow(pair) && is_general(pair) && here.distance < 0.0) continue;
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
    EXPECT_LE(all.size(), TouchingPoints::kCapacity);
    for (const TouchingPoint& point : all) {
      EXPECT_LE(point.distance, nearest.distance + room + tolerance_of(pair, test));
      EXPECT_GE(point.distance, nearest.distance - tolerance_of(pair, test));
      EXPECT_NEAR((point.point_a - point.point_b - point.distance * point.normal).norm(), 0.0,
                  tolerance_of(pair, test));
      EXPECT_NEAR(surface_residual(test.a, test.pose_a.to_local(point.point_a)), 0.0, 2.0 * room);
      EXPECT_NEAR(surface_residual(test.b, test.pose_b.to_local(point.point_b)), 0.0, 2.0 * room);
    }
  });
}

}  // namespace
}  // namespace carom::test
