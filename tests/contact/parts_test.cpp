/// Parts that are placed in the frame of their body: bounds, times of impact and rates with their offsets.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/contact/contact_point.h"
#include "carom/mechanics/attitude.h"
#include "contact/heavy_cases.h"
#include "contact/moving_pair.h"

namespace carom::contact {
namespace {

using namespace test;

Pose random_placement(double size, Random& random) {
  return {.position = size * random.uniform(0.0, 1.5) * random_direction(random),
          .orientation = random_rotation(random)};
}

TEST(Parts, APartWithoutPlacementStandsWhereItsBodyDoesBitForBit) {
  Random random(3);
  for (int k = 0; k < 100; ++k) {
    const Pose body{.position = random_direction(random), .orientation = random_rotation(random)};
    const Pose part = placed_in(body, Pose{});
    EXPECT_EQ(part.position, body.position);
    EXPECT_EQ(part.orientation.coeffs(), body.orientation.coeffs());
  }
  EXPECT_EQ(only_shape<Sphere>(one_part(Sphere{2.0}))->radius, 2.0);
  EXPECT_EQ(only_shape(Parts{{Sphere{1.0}, {.position = {0.1, 0.0, 0.0}}}}), nullptr);
}

TEST(Parts, TheBoundingBallHoldsAllParts) {
  // An edge of a cube of half size 1 that is pushed along x by 1 ends at (2, 1, 1).
  EXPECT_NEAR(bounding_radius(Part{Box{{1.0, 1.0, 1.0}}, {.position = {1.0, 0.0, 0.0}}}), std::sqrt(6.0), 1e-15);
  EXPECT_NEAR(bounding_radius(Part{Sphere{0.5}, {.position = {0.0, 3.0, 4.0}}}), 5.5, 1e-15);
  // A disc about z, pushed along x: its farthest point is (3, 0, ±1).
  EXPECT_NEAR(bounding_radius(Part{Cylinder{2.0, 1.0}, {.position = {1.0, 0.0, 0.0}}}), std::sqrt(10.0), 1e-15);
  EXPECT_NEAR(bounding_radius(Parts{{Sphere{0.5}, {.position = {0.0, 0.0, 2.0}}}, {Sphere{1.0}}}), 2.5, 1e-15);
  Random random(5);
  for (int k = 0; k < 200; ++k) {
    const ShapeKind kind = all_pairs()[static_cast<std::size_t>(k) % all_pairs().size()].kind_a;
    if (!is_solid(kind)) continue;
    const Part part{random_shape(kind, random), random_placement(1.0, random)};
    const double radius = bounding_radius(part);
    const Vector3d u = random_direction(random);
    EXPECT_LE(support(part.shape, part.placement.orientation.conjugate() * u) + u.dot(part.placement.position),
              radius * (1.0 + 1e-14));
  }
}

TEST(Parts, TheSupportOfAPlacedPartStaysBelowItsBound) {
  Random random(7);
  for (int k = 0; k < heavy_cases(2000); ++k) {
    const ShapeKind kind = all_pairs()[static_cast<std::size_t>(k) % all_pairs().size()].kind_a;
    if (!is_solid(kind)) continue;
    const Shape shape = random_shape(kind, random);
    const Pose placement = random_placement(size_of(shape), random);
    Motion motion;
    tumble(motion, random.uniform(0.1, 5.0) * random_direction(random), random);
    const Vector3d w = random_direction(random);
    const BodyState now = motion.at(0.0);
    const Eigen::Quaterniond inverse = now.orientation.conjugate();
    const SupportBound bound(
        shape, {inverse * w, inverse * w.cross(now.angular_velocity), motion.max_spin, motion.max_spin_rate},
        &placement);
    const double size = size_of(shape) + placement.position.norm();
    for (const double tau : {0.0, 1e-3, 1e-2, 0.1, 0.3}) {
      const Vector3d u = motion.at(tau).orientation.conjugate() * w;
      const double h = support(shape, placement.orientation.conjugate() * u) + u.dot(placement.position);
      ASSERT_GE(bound.value() + bound.growth(tau), h - 1e-13 * size) << shape_name(kind) << " " << tau;
      if (tau > 1e-3) continue;
      const double room = 100.0 * tau * tau * (1.0 + motion.max_spin * motion.max_spin) + 1e-13;
      ASSERT_LE(bound.value() + bound.growth(tau), h + room * size) << shape_name(kind) << " " << tau;
    }
  }
}

/// A ball at the end of an arm that turns steadily while its body falls: the gap over the floor in closed form.
TEST(Parts, ABallOnATurningArmComesDownWhenTheClosedFormSays) {
  Random random(11);
  int hits = 0;
  for (int k = 0; k < heavy_cases(200); ++k) {
    MovingPair pair;
    const double radius = random.uniform(0.1, 0.4);
    pair.a.shape = Sphere{radius};
    pair.a.placement.position = random.uniform(0.2, 1.0) * random_direction(random);
    Motion& body = pair.a.motion;
    body.position = {0.0, 0.0, 2.0};
    body.velocity = {0.3, -0.2, random.uniform(-1.0, 3.0)};
    body.acceleration = {0.0, 0.0, -9.81};
    body.attitude = random_rotation(random);
    spin_steadily(body, random.uniform(0.5, 20.0) * random_direction(random));
    pair.b.shape = HalfSpace{};
    const auto gap = [&](double t) {
      const Vector3d arm = rotation_by(t * body.spin) * (body.attitude * pair.a.placement.position);
      return body.position.z() + t * (body.velocity.z() - 0.5 * 9.81 * t) + arm.z() - radius;
    };
    double low = 0.0, high = 0.0;
    for (double t = 0.0; t < 2.0 && high == 0.0; t += 1e-4) {
      if (gap(t) >= 0.0) {
        low = t;
      } else {
        high = t;
      }
    }
    const Advance found = pair.first_contact(0.0, 2.0);
    ASSERT_EQ(found.hit, high > 0.0) << k;
    if (!found.hit) continue;
    ++hits;
    for (int turn = 0; turn < 60; ++turn) {
      const double middle = 0.5 * (low + high);
      (gap(middle) > 0.0 ? low : high) = middle;
    }
    EXPECT_NEAR(found.time, low, 1e-11) << k;
    EXPECT_FALSE(found.sampled);
  }
  EXPECT_GT(hits, 0);
}

bool is_hollow_one(ShapeKind kind) {
  return kind == ShapeKind::shell || kind == ShapeKind::bore;
}

MovingPair random_placed_pair(const PairFunction& kinds, Random& random) {
  for (;;) {
    MovingPair pair;
    const bool hollow = is_hollow_one(kinds.kind_b);
    pair.a.shape = random_shape(kinds.kind_a, random);
    pair.b.shape = random_shape(kinds.kind_b, random);
    if (hollow) pair.a.shape = Sphere{random.uniform(0.05, 0.5) * size_of(pair.b.shape)};
    pair.a.placement = random_placement((hollow ? 0.3 : 1.0) * size_of(pair.a.shape), random);
    if (is_solid(kinds.kind_b)) pair.b.placement = random_placement(size_of(pair.b.shape), random);
    const double reach = pair.a.radius() + size_of(pair.b.shape) + pair.b.placement.position.norm();
    Motion& a = pair.a.motion;
    Motion& b = pair.b.motion;
    b.position = random_direction(random);
    b.attitude = random_rotation(random);
    a.position = b.position + random.uniform(0.1, hollow ? 0.2 : 1.5) * reach * random_direction(random);
    a.attitude = random_rotation(random);
    a.velocity = reach * random.uniform(0.2, 3.0) *
                 ((b.position - a.position).normalized() + random.uniform(0.0, 1.0) * random_direction(random));
    if (random.uniform() < 0.6) a.acceleration = reach * random.uniform(0.0, 5.0) * random_direction(random);
    tumble(a, random.uniform(0.1, 8.0) * random_direction(random), random);
    if (random.uniform() < 0.5) spin_steadily(b, random.uniform(0.1, 3.0) * random_direction(random));
    if (pair.gap(0.0) > 1e-3 * pair.size()) return pair;
  }
}

class EveryPlacedPair : public testing::TestWithParam<PairFunction> {};

TEST_P(EveryPlacedPair, NoContactIsSteppedOver) {
  Random random(37);
  for (int k = 0; k < heavy_cases(100); ++k) {
    SCOPED_TRACE(k);
    const MovingPair pair = random_placed_pair(GetParam(), random);
    const Advance found = pair.first_contact(0.0, 2.0);
    expect_apart(pair, found.time);
    if (HasFatalFailure()) return;
    if (!found.hit) {
      EXPECT_EQ(found.time, 2.0);
      continue;
    }
    EXPECT_NEAR(pair.gap(found.time, found.carry), 0.0, 1e-12 * pair.size() + 4.0 * pair.roundoff(found.time));
    EXPECT_LT(pair.rate(found.time, found.carry), 0.0);
  }
}

/// Two rods have no sides: where they touch, both directions across them are normals.
std::vector<PairFunction> pairs_of_a_placed_body() {
  std::vector<PairFunction> chosen;
  for (const PairFunction& pair : all_pairs())
    if (is_solid(pair.kind_a) && !(pair.kind_a == ShapeKind::rod && pair.kind_b == ShapeKind::rod))
      chosen.push_back(pair);
  return chosen;
}

INSTANTIATE_TEST_SUITE_P(Parts, EveryPlacedPair, testing::ValuesIn(pairs_of_a_placed_body()), [](const auto& kinds) {
  return std::string(shape_name(kinds.param.kind_a)) + "_" + std::string(shape_name(kinds.param.kind_b));
});

/// The same contact moved by a small time along its motion.
TEST(Parts, RatesOfContactsKnowTheOffsetsOfTheirParts) {
  Random random(41);
  int known = 0;
  for (int k = 0; k < heavy_cases(300); ++k) {
    const Part ball{Sphere{random.uniform(0.2, 0.5)}, random_placement(0.5, random)};
    const Part other = k % 2 == 0 ? Part{Sphere{0.4}, random_placement(0.5, random)} : Part{Box{{5.0, 5.0, 0.5}}, {}};
    BodyState a, b;
    a.orientation = random_rotation(random);
    a.velocity = random_direction(random);
    a.angular_velocity = random_direction(random);
    if (k % 2 == 0) b.angular_velocity = random_direction(random);
    a.position = Vector3d(0.1, -0.2, 2.0);
    const auto moved = [](BodyState state, double h) {
      state.position += h * state.velocity;
      state.orientation = rotation_by(h * state.angular_velocity) * state.orientation;
      return state;
    };
    const PairFunction& pair = *find_pair(shape_kind(ball.shape), shape_kind(other.shape));
    const auto placed = [&](double h) {
      return PlacedPair{ball.shape, placed_in(moved(a, h).pose(), ball.placement), other.shape,
                        placed_in(moved(b, h).pose(), other.placement)};
    };
    const double gap = proximity(ball.shape, placed(0.0).pose_a, other.shape, placed(0.0).pose_b).distance;
    if (gap < 0.0) continue;
    std::vector<ContactPoint> closed;
    append_closed_contacts(pair, placed(0.0), gap + 1e-9, closed);
    ASSERT_EQ(closed.size(), 1u);
    const std::optional<ContactRates> rates = contact_rates(closed[0], ball, a, other, b);
    if (!rates) continue;
    ++known;
    const double h = 1e-4;
    const auto at = [&](double t) { return followed(closed[0], pair, placed(t)); };
    const auto velocity = [&](double t) -> Vector3d {
      const ContactPoint point = at(t);
      return point_velocity(moved(a, t), point.point_a) - point_velocity(moved(b, t), point.point_b);
    };
    // Spheres apart have their points apart; the closed form is for a gap of zero.
    const double room = 1e-6 + 20.0 * gap;
    EXPECT_LT((rates->normal_rate - (at(h).normal - at(-h).normal) / (2.0 * h)).norm(), room);
    EXPECT_LT((rates->velocity_rate - (velocity(h) - velocity(-h)) / (2.0 * h)).norm(), room);
  }
  EXPECT_GT(known, 0);
}

}  // namespace
}  // namespace carom::contact
