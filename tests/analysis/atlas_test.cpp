#include "carom/analysis/atlas/atlas.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numbers>

#include "carom/base/error.h"
#include "carom/laws/corner/prediction.h"
#include "carom/laws/impact/impact_solver.h"
#include "carom/laws/impact/registry.h"

namespace carom::atlas {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

Request request(std::vector<const ImpactLaw*> laws, Quantity quantity, std::size_t columns = 60,
                std::size_t rows = 60) {
  Request made;
  made.laws = std::move(laws);
  made.quantity = quantity;
  made.columns = columns;
  made.rows = rows;
  return made;
}

/// The centre of a cell, in the units of the map.
std::pair<double, double> centre(const Map& map, std::size_t cell) {
  const auto along = [](double low, double high, std::size_t i, std::size_t count) {
    return low + (static_cast<double>(i) + 0.5) * (high - low) / static_cast<double>(count);
  };
  return {along(map.x_low, map.x_high, cell % map.columns, map.columns),
          along(map.y_low, map.y_high, cell / map.columns, map.rows)};
}

Kind error_kind(const Family& family, const Request& asked) {
  try {
    make_atlas(family, asked);
  } catch (const InputError& error) {
    return error.kind();
  }
  ADD_FAILURE() << "nothing was thrown";
  return Kind::file;
}

/// A ball of mass 1 at a wall, over its speed and its restitution.
Family ball_at_wall() {
  ImpactProblem problem;
  problem.metric = Matrix::Identity(1, 1);
  problem.velocity = Vector::Constant(1, -1.0);
  problem.contacts.push_back({.name = "wall", .normal = Vector::Constant(1, 1.0)});
  return varied_family(problem, {"velocity.0", {-2.0, 1.0}}, {"restitution", {0.0, 1.0}});
}

/// A ball of mass 1 and radius 1 at a floor, in the plane: a = 1, b = 0, C = 7/2.
ImpactProblem ball_at_floor(double restitution) {
  ImpactProblem problem;
  problem.metric = Vector::Map(std::vector<double>{1.0, 1.0, 0.4}.data(), 3).asDiagonal();
  problem.velocity = Vector::Map(std::vector<double>{0.0, -2.0, 0.0}.data(), 3);
  Contact contact{.name = "floor",
                  .normal = Vector::Map(std::vector<double>{0.0, 1.0, 0.0}.data(), 3),
                  .restitution = restitution,
                  .friction = 0.3};
  contact.tangents = Vector::Map(std::vector<double>{1.0, 0.0, 1.0}.data(), 3).transpose();
  problem.contacts.push_back(contact);
  return problem;
}

TEST(Atlas, TheDiskStaysInTheCornerBelowTheExitBoundary) {
  // Along wall 1 into wall 2: −p/a = 0 < r₊, so that the disk never leaves where the roots are real.
  Aim aim;
  aim.share = 1.0;
  Request asked = request({&kGeometricLaw}, Quantity::stop, 150, 150);
  asked.x = {4.0 * kDegree, 60.0 * kDegree};
  const Map map = make_atlas(corner_family(aim), asked).maps.front().map;
  std::size_t inside = 0;
  for (std::size_t cell = 0; cell < map.values.size(); ++cell) {
    const auto [alpha, restitution] = centre(map, cell);
    const double distance = std::sin(2.0 * alpha * kDegree) - (1.0 - restitution) / (1.0 + restitution);
    // Just above the boundary the way out takes so many steps that the disk is at rest first.
    if (std::abs(distance) < 0.02) continue;
    const bool stays = distance < 0.0 && alpha < 45.0;
    EXPECT_EQ(map.values[cell], stays ? 1.0 : 0.0) << "alpha " << alpha << ", restitution " << restitution;
    EXPECT_EQ(stays, !corner::always_exits(alpha * kDegree, restitution));
    if (stays) ++inside;
  }
  EXPECT_GT(inside, map.values.size() / 20);
}

TEST(Atlas, TheBoundaryDrawnOverTheCornerIsTheClosedForm) {
  const Curve curve = exit_boundary();
  ASSERT_EQ(curve.x.size(), curve.y.size());
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    EXPECT_NEAR(std::sin(2.0 * curve.x[i] * kDegree), (1.0 - curve.y[i]) / (1.0 + curve.y[i]), 1e-14);
  }
  EXPECT_EQ(make_atlas(corner_family({}), request({&kGeometricLaw}, Quantity::steps, 2, 2)).maps[0].map.curves.size(),
            1u);
}

TEST(Atlas, StepsAreThoseOfTheCornerAlgorithm) {
  const Map map = make_atlas(corner_family({}), request({&kGeometricLaw}, Quantity::steps)).maps.front().map;
  for (std::size_t cell = 0; cell < map.values.size(); ++cell) {
    const auto [alpha, restitution] = centre(map, cell);
    corner::CornerProblem problem;
    problem.alpha = alpha * kDegree;
    problem.restitution = restitution;
    problem.velocity = {1.0, 2.0 / 3.0 * std::tan(problem.alpha)};
    // The map's α differs in its last digits; so many steps as in narrow corners may change with them.
    if (alpha < 5.0) continue;
    EXPECT_EQ(map.values[cell], static_cast<double>(corner::solve(problem).steps)) << alpha << ' ' << restitution;
  }
}

TEST(Atlas, BatchesAndSingleProblemsGiveTheSameOutcome) {
  const Family batched = approach_family(20.0 * kDegree);
  Family single = batched;
  single.corner = nullptr;
  const Request asked = request({&kGeometricLaw}, Quantity::energy);
  const Map a = make_atlas(batched, asked).maps.front().map;
  const Map b = make_atlas(single, asked).maps.front().map;
  std::size_t compared = 0;
  for (std::size_t cell = 0; cell < a.values.size(); ++cell) {
    EXPECT_EQ(std::isnan(a.values[cell]), std::isnan(b.values[cell]));
    if (std::isnan(a.values[cell])) continue;
    EXPECT_NEAR(a.values[cell], b.values[cell], 1e-11);
    ++compared;
  }
  EXPECT_GT(compared, a.values.size() / 2);
}

TEST(Atlas, ABallAtAWallKeepsTheSquareOfItsRestitutionUnderEveryLaw) {
  std::vector<const ImpactLaw*> laws(impact_laws().begin(), impact_laws().end());
  const Atlas atlas = make_atlas(ball_at_wall(), request(laws, Quantity::energy, 30, 20));
  ASSERT_EQ(atlas.maps.size(), laws.size() + 1);
  for (const LawMap& one : atlas.maps) {
    for (std::size_t cell = 0; cell < one.map.values.size(); ++cell) {
      const auto [speed, restitution] = centre(one.map, cell);
      const double value = one.map.values[cell];
      if (speed > 0.0) {
        EXPECT_TRUE(std::isnan(value)) << one.law;
      } else {
        EXPECT_NEAR(value, one.law.empty() ? 0.0 : restitution * restitution, 1e-7) << one.law;
      }
    }
  }
}

TEST(Atlas, ZonesOfTheApproachLieBetweenTheWalls) {
  const Map map =
      make_atlas(approach_family(30.0 * kDegree), request({&kNewtonLaw}, Quantity::zone, 90, 1)).maps[0].map;
  EXPECT_EQ(map.classes, (std::vector<std::string>{"none", "wall 1", "wall 2", "wall 1 + wall 2"}));
  for (std::size_t cell = 0; cell < map.values.size(); ++cell) {
    const double direction = centre(map, cell).first;
    // Wall 1 is approached for −150° < φ < 30°, wall 2 for −30° < φ < 150°.
    const double expected =
        (direction > -150.0 && direction < 30.0 ? 1.0 : 0.0) + (direction > -30.0 && direction < 150.0 ? 2.0 : 0.0);
    EXPECT_EQ(map.values[cell], expected) << direction;
  }
}

TEST(Atlas, AnEllipsoidAlongItsAxesLosesWhatEachPlaneTakes) {
  // No contact has a lever: ẏ and ẋ are reflected with 0.8 and 0.3, T⁺/T⁻ = (0.8² + 0.3²)/2; with the floor (… +
  // 0.5²)/3.
  for (const int planes : {2, 3}) {
    Request asked = request({&kNewtonLaw, &kPoissonLaw, &kSequentialLaw}, Quantity::energy, 1, 1);
    asked.x = asked.y = {-0.1, 0.1};
    const Atlas atlas = make_atlas(ellipsoid_family(planes), asked);
    const double expected = planes == 2 ? 0.365 : 0.98 / 3.0;
    for (std::size_t law = 0; law < 3; ++law) EXPECT_NEAR(atlas.maps[law].map.values[0], expected, 1e-13);
    EXPECT_NEAR(atlas.maps[3].map.values[0], 0.0, 1e-13);
  }
}

TEST(Atlas, TheWorkedExampleOfTheEllipsoidHasItsImpulses) {
  // scenes/ellipsoid-into-two-planes.toml: newton gives 551.283 and 453.705 at ψ = 45°, θ = 30°.
  const Family family = ellipsoid_family(2);
  ImpactProblem problem = family.pattern;
  family.fill(45.0 * kDegree, 30.0 * kDegree, problem);
  const ImpactOutcome outcome = ImpactSolver().solve(problem, kNewtonLaw);
  EXPECT_NEAR(outcome.impulses[0], 551.283, 5e-4);
  EXPECT_NEAR(outcome.impulses[1], 453.705, 5e-4);
}

TEST(Atlas, OneLawTwiceDoesNotDisagree) {
  const Atlas atlas = make_atlas(corner_family({}), request({&kNewtonLaw, &kNewtonLaw}, Quantity::disagreement));
  ASSERT_EQ(atlas.maps.size(), 1u);
  for (const double value : atlas.maps[0].map.values) EXPECT_EQ(value, 0.0);
}

double largest_jump(const ImpactLaw& law, std::size_t columns) {
  Request asked = request({&law}, Quantity::jump, columns, 1);
  asked.x = {-2.0 * kDegree, 2.0 * kDegree};
  asked.y = {0.8, 0.9};
  double largest = 0.0;
  const Atlas atlas = make_atlas(approach_family(20.0 * kDegree), asked);
  for (const double value : atlas.maps[0].map.values) largest = std::max(largest, value);
  return largest;
}

TEST(Atlas, AJumpStaysHoweverFineTheMapAndASlopeDoesNot) {
  // sequential takes the faster wall first, which changes at φ = 0; newton is smooth there: order 1 in the size of a
  // cell.
  EXPECT_GT(largest_jump(kSequentialLaw, 400), 0.3);
  EXPECT_NEAR(largest_jump(kSequentialLaw, 400), largest_jump(kSequentialLaw, 100), 0.05);
  EXPECT_NEAR(largest_jump(kNewtonLaw, 400) / largest_jump(kNewtonLaw, 100), 0.25, 0.01);
}

TEST(Atlas, BitsAreTheSameOnAnyNumberOfThreads) {
  for (const std::string_view name : quantity_names()) {
    const Quantity quantity = quantity_from_name(name);
    const bool friction = quantity == Quantity::mode || quantity == Quantity::solutions;
    const Family family = friction ? friction_family(ball_at_floor(0.5), "") : approach_family(12.0 * kDegree);
    std::vector<const ImpactLaw*> laws{&kGeometricLaw, &kSequentialLaw, &kSuperpositionLaw};
    if (friction) laws = {&kNewtonLaw, &kPoissonLaw};
    Request asked = request(std::move(laws), quantity, 37, 41);
    asked.threads = 1;
    const Atlas one = make_atlas(family, asked);
    for (const int threads : {2, 8}) {
      asked.threads = threads;
      const Atlas many = make_atlas(family, asked);
      ASSERT_EQ(many.maps.size(), one.maps.size());
      for (std::size_t i = 0; i < one.maps.size(); ++i) {
        for (std::size_t cell = 0; cell < one.maps[i].map.values.size(); ++cell) {
          ASSERT_EQ(std::bit_cast<std::uint64_t>(one.maps[i].map.values[cell]),
                    std::bit_cast<std::uint64_t>(many.maps[i].map.values[cell]))
              << name << ' ' << threads << ' ' << cell;
        }
      }
    }
  }
}

TEST(Atlas, LawsShareOneScaleOfColours) {
  const Atlas atlas =
      make_atlas(ellipsoid_family(3), request({&kNewtonLaw, &kSequentialLaw}, Quantity::energy, 20, 20));
  EXPECT_EQ(atlas.maps[0].map.value_range.low, atlas.maps[1].map.value_range.low);
  EXPECT_EQ(atlas.maps[0].map.value_range.high, atlas.maps[1].map.value_range.high);
  EXPECT_TRUE(atlas.maps[2].map.value_range.empty());
}

TEST(Atlas, AnInterruptedMapIsNone) {
  const std::atomic<bool> interrupted{true};
  const Atlas atlas = make_atlas(corner_family({}), request({&kNewtonLaw}, Quantity::steps), {{}, &interrupted});
  EXPECT_FALSE(atlas.complete);
  EXPECT_TRUE(atlas.maps.empty());
}

TEST(Atlas, ProgressEndsWithAllRows) {
  double last = 0.0;
  Request asked = request({&kNewtonLaw}, Quantity::steps, 3, 17);
  asked.threads = 1;
  make_atlas(corner_family({}), asked,
             {[&last](double done, double all) {
                EXPECT_EQ(all, 17.0);
                EXPECT_GT(done, last);
                last = done;
              },
              nullptr});
  EXPECT_EQ(last, 17.0);
}

TEST(Atlas, BadRequestsAreRefused) {
  const Family corner = corner_family({});
  EXPECT_EQ(error_kind(corner, request({}, Quantity::steps)), Kind::usage);
  EXPECT_EQ(error_kind(corner, request({&kNewtonLaw}, Quantity::disagreement)), Kind::usage);
  EXPECT_EQ(error_kind(corner, request({&kNewtonLaw}, Quantity::steps, 0, 5)), Kind::out_of_range);
  EXPECT_EQ(error_kind(corner, request({&kNewtonLaw}, Quantity::steps, 20000, 20000)), Kind::out_of_range);
  EXPECT_EQ(error_kind(ellipsoid_family(2), request({&kNewtonLaw}, Quantity::direction)), Kind::usage);
  Request outside = request({&kNewtonLaw}, Quantity::steps);
  outside.y = {0.5, 1.5};
  EXPECT_EQ(error_kind(corner, outside), Kind::out_of_range);
  EXPECT_THROW(approach_family(0.0), InputError);
  EXPECT_THROW(ellipsoid_family(4), InputError);
  EXPECT_THROW(quantity_from_name("energie"), InputError);
}

TEST(Atlas, ABadProblemInACellComesOutOfItsThread) {
  ImpactProblem problem = ball_at_wall().pattern;
  const Family family = varied_family(problem, {"metric.0.0", {-1.0, 1.0}}, {"contacts.wall.restitution", {0.0, 1.0}});
  Request asked = request({&kNewtonLaw}, Quantity::energy, 10, 10);
  asked.threads = 4;
  EXPECT_EQ(error_kind(family, asked), Kind::metric_not_positive_definite);
}

TEST(Atlas, OnlyNumbersOfAProblemCanBeVaried) {
  const ImpactProblem problem = ball_at_wall().pattern;
  const Variation good{"restitution", {0.0, 1.0}};
  for (const char* const path : {"", "speed", "velocity", "velocity.1", "velocity.-1", "velocity.0.0", "metric.0",
                                 "contacts.1.restitution", "contacts.0", "contacts.0.name", "contacts.0.normal.1"}) {
    EXPECT_THROW(varied_family(problem, good, {path, {0.0, 1.0}}), InputError) << path;
  }
  for (const char* const path : {"velocity.0", "metric.0.0", "contacts.0.offset", "contacts.wall.stiffness",
                                 "contacts.0.normal.0", "contacts.0.tangential_restitution"}) {
    EXPECT_NO_THROW(varied_family(problem, good, {path, {0.0, 1.0}})) << path;
  }
}

TEST(FrictionAtlas, ABallSlidesWhereItsApproachIsFlatterThanFrictionCanStop) {
  // tan φ ≥ (7/2) μ (1 + e), in which φ is that of the slip: least kinetic energy turns the ball along with it.
  const double e = 0.6;
  const Family family = friction_family(ball_at_floor(e), "floor");
  for (const ImpactLaw* law : {&kIncrementalLaw, &kNewtonLaw, &kCompliantLaw}) {
    const Map map = make_atlas(family, request({law}, Quantity::mode, 24, 24)).maps[0].map;
    for (std::size_t cell = 0; cell < map.values.size(); ++cell) {
      const auto [direction, friction] = centre(map, cell);
      const double margin = std::abs(std::tan(direction * kDegree)) - 3.5 * friction * (1.0 + e);
      if (std::abs(margin) < 0.05) continue;
      EXPECT_EQ(map.values[cell], margin > 0.0 ? 0.0 : 1.0) << law->name << ' ' << direction << ' ' << friction;
    }
  }
}

TEST(FrictionAtlas, OnePlanarContactHasOneOutcomeAndTwoMayHaveThree) {
  const Map one =
      make_atlas(friction_family(ball_at_floor(0.5), ""), request({&kNewtonLaw}, Quantity::solutions, 12, 12))
          .maps[0]
          .map;
  for (const double value : one.values) EXPECT_EQ(value, 1.0);
}

TEST(FrictionAtlas, ARodJamsWhereFrictionDrivesItsEndIn) {
  // A thin rod of length 2 at 60°, lower left end: a = 1 + 3 cos², b = −3 sin cos, jams iff μ σ b > a.
  const double c = std::cos(60.0 * kDegree), s = std::sin(60.0 * kDegree);
  ImpactProblem problem = ball_at_floor(0.5);
  problem.metric(2, 2) = 1.0 / 3.0;
  problem.contacts[0].normal[2] = -c;
  problem.contacts[0].tangents(0, 2) = s;
  const double a = 1.0 + 3.0 * c * c, b = -3.0 * s * c;
  Request asked = request({&kIncrementalLaw}, Quantity::mode, 20, 20);
  asked.y = {0.0, 4.0};
  const Map map = make_atlas(friction_family(problem, "0"), asked).maps[0].map;
  int jams = 0;
  for (std::size_t cell = 0; cell < map.values.size(); ++cell) {
    const auto [direction, friction] = centre(map, cell);
    const bool jam = friction * b * (direction > 0.0 ? 1.0 : -1.0) > a;
    EXPECT_EQ(map.values[cell] == 3.0, jam) << direction << ' ' << friction;
    jams += jam ? 1 : 0;
  }
  EXPECT_GT(jams, 20);
}

TEST(FrictionAtlas, TurningOneContactLeavesTheOthersAsTheyAre) {
  ImpactProblem problem = ball_at_floor(0.5);
  Contact wall{.name = "wall", .normal = Vector::Map(std::vector<double>{1.0, 0.0, 0.0}.data(), 3)};
  problem.contacts.push_back(wall);
  problem.velocity[0] = -0.25;
  const Family family = friction_family(problem, "floor");
  ImpactProblem cell = family.pattern;
  family.fill(0.5, 0.7, cell);
  EXPECT_NEAR(cell.velocity[0], -0.25, 1e-14);
  const double length = std::hypot(2.0, 0.25);
  EXPECT_NEAR(cell.velocity[1], -length * std::cos(0.5), 1e-14);
  EXPECT_NEAR(cell.velocity[0] + cell.velocity[2], length * std::sin(0.5), 1e-14);
  EXPECT_EQ(cell.contacts[0].friction, 0.7);
  EXPECT_THROW(friction_family(problem, "wall"), InputError);
  EXPECT_THROW(friction_family(problem, "ceiling"), InputError);
  EXPECT_EQ(error_kind(ball_at_wall(), request({&kNewtonLaw}, Quantity::mode)), Kind::usage);
}

}  // namespace
}  // namespace carom::atlas
