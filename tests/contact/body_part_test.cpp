/// Parts of polytopes and cylinders over planes: what comes down beside what is held already.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "contact/heavy_cases.h"
#include "contact/moving_pair.h"

namespace carom::contact::body_part_test {
namespace {

using namespace test;

constexpr double kHorizon = 2.0;

/// The gap of a part from its definition: a point, or the lowest (near) or highest (far) point of a disc.
double part_gap(const MovingPair& pair, const BodyPart& part, double time, double carry = 0.0) {
  const Pose a = pair.a.motion.at(time, carry).pose();
  const Pose b = pair.b.motion.at(time, carry).pose();
  const Vector3d normal = b.orientation * Vector3d::UnitZ();
  const double centre = normal.dot(a.to_world(part.centre) - b.position);
  const double axis = (a.orientation * Vector3d::UnitZ()).dot(normal);
  const double tilt = part.disc_radius * std::sqrt(std::max((1.0 - axis) * (1.0 + axis), 0.0));
  return part.side == BodyPart::Side::near ? centre - tilt : centre + tilt;
}

Advance first_contact_of(const MovingPair& pair, const BodyPart& part, double horizon) {
  Advance found{0.0, 0.0, false};
  for (int k = 0; k < 100 && !found.hit && found.time < horizon; ++k)
    found = first_contact_of_part(pair.a.mover(), part, pair.b.mover(), {found.time, found.carry, horizon});
  return found;
}

MovingPair random_pair(ShapeKind kind, Random& random) {
  MovingPair pair;
  pair.a.shape = random_shape(kind, random);
  pair.b.shape = HalfSpace{};
  const double size = bounding_radius(pair.a.shape);
  pair.b.motion.position = random_direction(random);
  pair.b.motion.attitude = random_rotation(random);
  const Vector3d up = pair.b.motion.attitude * Vector3d::UnitZ();
  pair.a.motion.position = pair.b.motion.position + 1.2 * size * up + size * random_direction(random);
  pair.a.motion.attitude = random_rotation(random);
  pair.a.motion.velocity = size * random.uniform(0.0, 3.0) * random_direction(random);
  pair.a.motion.acceleration = -size * random.uniform(0.0, 10.0) * up;
  tumble(pair.a.motion, random.uniform(0.1, 8.0) * random_direction(random), random);
  if (random.uniform() < 0.3) spin_steadily(pair.b.motion, random.uniform(0.1, 2.0) * random_direction(random));
  if (random.uniform() < 0.3) pair.b.motion.velocity = size * random_direction(random);
  return pair;
}

void expect_first(const MovingPair& pair, const BodyPart& part, int& hits) {
  const double size = bounding_radius(pair.a.shape);
  if (part_gap(pair, part, 0.0) < 1e-3 * size) return;
  const Advance found = first_contact_of(pair, part, kHorizon);
  for (int k = 0; k < 200; ++k) {
    const double time = found.time * k / 200;
    ASSERT_GT(part_gap(pair, part, time), -1e-12 * size - 1e-14) << "at " << time << " of " << found.time;
  }
  if (!found.hit) {
    EXPECT_EQ(found.time, kHorizon);
    return;
  }
  ++hits;
  const double there = part_gap(pair, part, found.time, found.carry);
  EXPECT_NEAR(there, 0.0, 1e-12 * size + 1e-13);
  const double step = 1e-7;
  EXPECT_LT(part_gap(pair, part, found.time + step, found.carry), there + 1e-12 * size);
}

TEST(BodyPart, VerticesOfBoxesAndPrismsComeDownWhenTheyDo) {
  Random random(41);
  int hits = 0;
  for (const ShapeKind kind : {ShapeKind::box, ShapeKind::prism})
    for (int k = 0; k < heavy_cases(100); ++k) {
      SCOPED_TRACE(k);
      const MovingPair pair = random_pair(kind, random);
      for (const Vector3d& vertex : shape_vertices(pair.a.shape)) expect_first(pair, {vertex}, hits);
      if (HasFatalFailure()) return;
    }
  EXPECT_GT(hits, 0);
}

TEST(BodyPart, RimsOfCylindersComeDownWhenTheyDoOnBothSides) {
  Random random(42);
  int hits = 0;
  for (int k = 0; k < heavy_cases(300); ++k) {
    SCOPED_TRACE(k);
    const MovingPair pair = random_pair(ShapeKind::cylinder, random);
    const Cylinder& cylinder = std::get<Cylinder>(pair.a.shape);
    for (const double end : {-1.0, 1.0})
      for (const BodyPart::Side side : {BodyPart::Side::near, BodyPart::Side::far})
        expect_first(pair, {{0.0, 0.0, end * cylinder.half_length}, cylinder.radius, side}, hits);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(hits, 0);
}

TEST(BodyPart, ATiltedDiscLiesFlatWhenItsFarSideArrives) {
  // A cylinder that stands on its rim turns upright while the floor rises: gap of the far side = z − t − L cos φ + r
  // |sin φ|, φ = tilt − spin t.
  const double radius = 0.4, half = 0.3, tilt = 0.2, spin = 1.5;
  MovingPair pair;
  pair.a.shape = Cylinder{radius, half};
  pair.b.shape = HalfSpace{};
  pair.a.motion.attitude = Quaterniond(Eigen::AngleAxisd(-tilt, Vector3d::UnitY()));
  pair.a.motion.position = {0.0, 0.0, half * std::cos(tilt) + radius * std::sin(tilt)};
  spin_steadily(pair.a.motion, {0.0, spin, 0.0});
  const BodyPart far{{0.0, 0.0, -half}, radius, BodyPart::Side::far};
  const double start = part_gap(pair, far, 0.0);
  EXPECT_NEAR(start, 2.0 * radius * std::sin(tilt), 1e-15);
  pair.b.motion.velocity = {0.0, 0.0, 1.0};
  const Advance found = first_contact_of(pair, far, 3.0);
  ASSERT_TRUE(found.hit);
  double low = 0.0, high = 1.0;
  const auto gap = [&](double t) {
    const double phi = std::abs(tilt - spin * t);
    return pair.a.motion.position.z() - t - half * std::cos(phi) + radius * std::sin(phi);
  };
  while (high - low > 1e-15) {
    const double middle = 0.5 * (low + high);
    (gap(middle) > 0.0 ? low : high) = middle;
  }
  EXPECT_NEAR(found.time, low, 1e-12);
}

TEST(BodyPart, ARimThatLeavesThePlaneSlowlyWhileItTurnsIsLeftToGo) {
  // The rim is below the plane by more than round-off and rises by less than the body's turning could take back, so the
  // search begins from less than round-off of the disc's radius.
  const double radius = 0.0222, half = 0.037, rise = 2e-7, depth = 1.8e-11;
  const Vector3d spin(15.0, 9.0, 13.0);
  const BodyPart near{{0.0, 0.0, -half}, radius, BodyPart::Side::near};
  Random random(7);
  for (int k = 0; k < 20; ++k) {
    SCOPED_TRACE(k);
    MovingPair pair;
    pair.a.shape = Cylinder{radius, half};
    pair.b.shape = HalfSpace{};
    pair.a.motion.attitude = random_rotation(random);
    spin_steadily(pair.a.motion, spin);
    pair.a.motion.position.z() = -depth - part_gap(pair, near, 0.0);
    const Vector3d axis = pair.a.motion.attitude * Vector3d::UnitZ();
    const Vector3d down = (axis.z() * axis - Vector3d::UnitZ()).normalized();
    pair.a.motion.velocity.z() = rise - spin.cross(radius * down - half * axis).z();
    const Advance found = first_contact_of_part(pair.a.mover(), near, pair.b.mover(), {0.0, 0.0, kHorizon});
    EXPECT_GT(found.time, 1e-8);
  }
}

}  // namespace
}  // namespace carom::contact::body_part_test
