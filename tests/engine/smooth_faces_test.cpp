/// Faces, edges and lines under the compliant engine: closed forms at rest, energy and momentum, agreement with planes.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/engine/smooth/face_overlap.h"
#include "carom/engine/smooth/facets.h"
#include "carom/laws/normal_force/line_stiffness.h"
#include "engine/smooth_models.h"

namespace carom::test {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kGravity = 9.81;
constexpr double kStiffness = 1e8;

SmoothScene heavy_scene(double rtol = 1e-8) {
  SmoothScene scene;
  scene.model.gravity = {0.0, 0.0, -kGravity};
  scene.set_stiffness(kStiffness);
  scene.options.rtol = rtol;
  return scene;
}

void add_obstacle(SmoothScene& scene, const Shape& shape, const Vector3d& position,
                  const Quaterniond& orientation = Quaterniond::Identity()) {
  Obstacle obstacle;
  obstacle.name = "obstacle" + std::to_string(scene.model.obstacles.size());
  obstacle.material = 1;
  obstacle.parts = one_part(shape);
  obstacle.pose = {position, orientation};
  scene.model.obstacles.push_back(obstacle);
}

/// Depth of a load that so many points bear.
double depth_of(double load, double points) {
  return std::pow(load / (points * kStiffness), 2.0 / 3.0);
}

double energy_error(const RunResult& result, double scale) {
  return std::abs(result.energy.error()) / scale;
}

std::vector<smooth::FaceCorner> corners_of(const Shape& a, const Pose& at_a, const Shape& b, const Pose& at_b) {
  const smooth::Facets of_a = smooth::facets_of(a), of_b = smooth::facets_of(b);
  std::vector<smooth::FaceCorner> corners;
  smooth::find_corners({of_a, at_a}, {of_b, at_b}, Vector3d::UnitZ(), corners);
  return corners;
}

double sum_of_shares(const std::vector<smooth::FaceCorner>& corners) {
  double sum = 0.0;
  for (const smooth::FaceCorner& corner : corners) sum += corner.share;
  return sum;
}

TEST(FaceOverlap, TheSharesOfAFaceDoNotDependOnHowItIsCut) {
  const Box small{{0.1, 0.1, 0.1}}, large{{0.3, 0.2, 0.1}};
  const auto corners = [&](double x, double y, double degrees) {
    const Quaterniond turned(Eigen::AngleAxisd(degrees * std::numbers::pi / 180.0, Vector3d::UnitZ()));
    return corners_of(small, {{x, y, 0.2}, turned}, large, {});
  };
  EXPECT_EQ(corners(0.0, 0.0, 0.0).size(), 4u);    // inside
  EXPECT_EQ(corners(0.25, 0.0, 0.0).size(), 4u);   // over one side
  EXPECT_EQ(corners(0.25, 0.15, 0.0).size(), 4u);  // over two
  EXPECT_EQ(corners(0.0, 0.12, 45.0).size(), 5u);  // one vertex cut off
  EXPECT_EQ(corners(1.0, 0.0, 0.0).size(), 0u);    // beside it
  for (const double x : {0.0, 0.13, 0.25, 0.32})
    for (const double y : {-0.17, 0.0, 0.12})
      for (const double degrees : {0.0, 10.0, 45.0, 80.0})
        EXPECT_NEAR(sum_of_shares(corners(x, y, degrees)), 4.0, 1e-12) << x << ' ' << y << ' ' << degrees;
  // Two equal squares turned by 45 degrees: an octagon.
  const Quaterniond eighth(Eigen::AngleAxisd(0.25 * std::numbers::pi, Vector3d::UnitZ()));
  const auto octagon = corners_of(small, {{0.0, 0.0, 0.2}, eighth}, small, {});
  ASSERT_EQ(octagon.size(), 8u);
  for (const smooth::FaceCorner& corner : octagon) EXPECT_NEAR(corner.share, 0.5, 1e-12);
}

TEST(FaceOverlap, ADiscHasTwoPointsWhereItIsCoveredAndAnOctagonWhereItIsNot) {
  const Cylinder disc{0.1, 0.2};
  const Box box{{0.3, 0.3, 0.1}};
  EXPECT_EQ(corners_of(disc, {{0.0, 0.0, 0.3}, Quaterniond::Identity()}, box, {}).size(), 2u);
  const auto over_the_edge = corners_of(disc, {{0.3, 0.0, 0.3}, Quaterniond::Identity()}, box, {});
  EXPECT_GE(over_the_edge.size(), 5u);
  EXPECT_NEAR(sum_of_shares(over_the_edge), 2.0, 1e-12);
  // Lying: a line, cut at the edge.
  const Quaterniond lying(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vector3d::UnitY()));
  const auto line = corners_of(disc, {{0.2, 0.0, 0.2}, lying}, box, {});
  ASSERT_EQ(line.size(), 2u);
  int crossings = 0;
  for (const smooth::FaceCorner& corner : line)
    if (corner.feature.kind == smooth::Feature::Kind::edge_edge) ++crossings;
  EXPECT_EQ(crossings, 1);
}

TEST(SmoothFaces, ABoxOnABoxRestsAtTheDepthOfFourPoints) {
  SmoothScene scene = heavy_scene();
  scene.set_law("hunt-crossley-fixed", 0.3, 1.0);
  scene.add_body(Box{{0.1, 0.1, 0.1}}, 2.0, {0.03, 0.02, 0.3}, Vector3d::Zero());
  add_obstacle(scene, Box{{0.3, 0.2, 0.1}}, {0.0, 0.0, 0.1});
  scene.options.duration = 0.1;
  const RunResult result = scene.run();
  EXPECT_EQ(result.compliant->settled, 1);
  const double depth = depth_of(2.0 * kGravity, 4.0);
  EXPECT_NEAR(result.final_state.bodies[0].position.z(), 0.3 - depth, 1e-6 * depth);
  // Over the edge it has four points as well, two of them crossings of edges; these bear more, and it tilts a little.
  scene.state.bodies[0].position.x() = 0.25;
  EXPECT_NEAR(scene.run().final_state.bodies[0].position.z(), 0.3 - depth, 0.05 * depth);
}

TEST(SmoothFaces, AStackOfThreeComesToRestUnderItsWeight) {
  SmoothScene scene = heavy_scene(1e-6);
  scene.set_law("hunt-crossley-fixed", 0.1, 0.1);
  scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
  for (int k = 0; k < 3; ++k)
    scene.add_body(Box{{0.1, 0.1, 0.1}}, 1.0, {0.01 * k, 0.0, 0.1 + 0.2 * k}, Vector3d::Zero());
  scene.options.duration = 1.0;
  const RunResult result = scene.run();
  EXPECT_EQ(result.stop, RunStop::duration);
  double height = 0.1;
  for (int k = 0; k < 3; ++k) {
    height -= depth_of((3 - k) * kGravity, 4.0);
    // The offset makes the lower corners bear unequally, which changes the mean depth in second order.
    EXPECT_NEAR(result.final_state.bodies[BodyIndex(k)].position.z(), height, 0.05 * depth_of(kGravity, 4.0)) << k;
    height += 0.2;
  }
  EXPECT_LT(energy_error(result, result.energy.initial), 20.0 * scene.options.rtol);
}

/// A box that falls on something flat with a corner first.
RunResult fall(bool on_plane, double duration) {
  SmoothScene scene = heavy_scene(1e-9);
  const int body = scene.add_body(Box{{0.1, 0.07, 0.05}}, 1.0, {0.02, 0.01, 0.12}, {0.3, 0.0, -0.5});
  scene.state.bodies[BodyIndex(body)].orientation =
      Quaterniond(Eigen::AngleAxisd(0.4, Vector3d(1.0, 2.0, 0.5).normalized()));
  scene.state.bodies[BodyIndex(body)].angular_velocity = {0.5, -1.0, 2.0};
  if (on_plane)
    scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
  else
    add_obstacle(scene, Box{{50.0, 50.0, 5.0}}, {0.0, 0.0, -5.0});
  scene.options.duration = duration;
  return scene.run();
}

TEST(SmoothFaces, AHugeBoxIsAPlane) {
  const RunResult plane = fall(true, 0.2), box = fall(false, 0.2);
  const BodyState &x = plane.final_state.bodies[0], &y = box.final_state.bodies[0];
  EXPECT_GT(plane.compliant->contacts_started, 2);
  EXPECT_EQ(plane.compliant->contacts_started, box.compliant->contacts_started);
  // Both follow the same motion to their tolerance, which impacts with a corner multiply.
  EXPECT_LT((x.position - y.position).norm(), 1e-5);
  EXPECT_LT((x.velocity - y.velocity).norm(), 1e-3);
}

TEST(SmoothFaces, TheSameRunTwiceHasTheSameBits) {
  const RunResult first = fall(false, 0.3), second = fall(false, 0.3);
  EXPECT_EQ(first.final_state.bodies[0].position, second.final_state.bodies[0].position);
  EXPECT_EQ(first.final_state.bodies[0].angular_velocity, second.final_state.bodies[0].angular_velocity);
}

TEST(SmoothFaces, ABoxRocksOnABoxAtTheFrequencyOfItsCorners) {
  // Linear springs at the four corners: I ω² = 4k a², two of each sign, for small turns about y.
  SmoothScene scene = heavy_scene(1e-9);
  scene.model.gravity.setZero();
  for (ForceRule& force : scene.model.forces) {
    force.normal = "hertz";
    force.normal_parameters.set("exponent", 1.0);
  }
  constexpr double kMass = 1.0, kHalf = 0.1, kLinear = 1e6, kLoad = 2000.0;
  scene.set_stiffness(kLinear);
  const int body = scene.add_body(Box{{kHalf, kHalf, 1e-3}}, kMass, {0.0, 0.0, 0.051}, Vector3d::Zero());
  add_obstacle(scene, Box{{0.3, 0.3, 0.05}}, Vector3d::Zero());
  scene.model.loads.push_back({.body = body, .force = {0.0, 0.0, -kLoad}});
  scene.options.settle = false;
  const double depth = kLoad / (4.0 * kLinear);
  scene.state.bodies[BodyIndex(body)].position.z() -= depth;
  const double inertia = scene.model.bodies[BodyIndex(body)].inertia.y();
  const double omega = std::sqrt(4.0 * kLinear * kHalf * kHalf / inertia);
  const double tilt = 1e-4 * depth / kHalf;
  scene.state.bodies[BodyIndex(body)].angular_velocity = {0.0, tilt * omega, 0.0};
  scene.options.duration = 0.5 * std::numbers::pi / omega;  // a quarter
  const RunResult result = scene.run();
  const BodyState& state = result.final_state.bodies[BodyIndex(body)];
  EXPECT_NEAR(2.0 * state.orientation.y() / tilt, 1.0, 1e-3);
  EXPECT_NEAR(state.angular_velocity.y() / (tilt * omega), 0.0, 1e-3);
}

TEST(SmoothFaces, TwoBoxesKeepMomentumAndEnergyThroughContactsOfAllKinds) {
  for (const double degrees : {0.0, 20.0, 45.0}) {
    SmoothScene scene = heavy_scene(1e-8);
    scene.model.gravity.setZero();
    scene.add_body(Box{{0.1, 0.12, 0.08}}, 1.0, {0.0, 0.0, 0.0}, Vector3d::Zero());
    scene.add_body(Box{{0.1, 0.1, 0.1}}, 2.0, {0.03, 0.02, 0.3}, {0.1, 0.0, -1.0});
    const double angle = degrees * std::numbers::pi / 180.0;
    scene.state.bodies[1].orientation =
        Quaterniond(Eigen::AngleAxisd(angle, Vector3d::UnitX()) * Eigen::AngleAxisd(0.5 * angle, Vector3d::UnitZ()));
    scene.options.duration = 0.3;
    const RunResult result = scene.run();
    EXPECT_GE(result.compliant->contacts_started, 1);
    EXPECT_LT((result.compliant->momentum_after - result.compliant->momentum_before).norm(), 1e-10);
    EXPECT_LT(energy_error(result, result.energy.initial), 20.0 * scene.options.rtol) << degrees;
  }
}

TEST(SmoothFaces, ABoxSlidesOffAnEdgeWithItsEnergyAccountedFor) {
  SmoothScene scene = heavy_scene(1e-7);
  scene.set_law("hunt-crossley-fixed", 0.3, 1.0);
  scene.set_friction("coulomb", {{"coefficient", 0.1}, {"vr", 1e-3}});
  add_obstacle(scene, Box{{0.3, 0.3, 0.1}}, {0.0, 0.0, 0.1});
  scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
  const int body = scene.add_body(Box{{0.1, 0.1, 0.1}}, 1.0, {0.1, 0.02, 0.3}, {1.5, 0.2, 0.0});
  scene.state.bodies[BodyIndex(body)].orientation = Quaterniond(Eigen::AngleAxisd(0.35, Vector3d::UnitZ()));
  scene.options.duration = 0.8;
  const RunResult result = scene.run();
  EXPECT_EQ(result.stop, RunStop::duration);
  EXPECT_GT(result.final_state.bodies[BodyIndex(body)].position.x(), 0.4);
  EXPECT_LT(result.final_state.bodies[BodyIndex(body)].position.z(), 0.2);
  EXPECT_LT(energy_error(result, result.energy.initial), 50.0 * scene.options.rtol);
}

TEST(SmoothLines, TheStiffnessIsThatOfJohnsonsFormula) {
  // Steel on steel, R = 10 mm, 10⁵ N/m: δ = P/(πE*)(ln(4πE*R/P) − 1) = 3.0556 µm.
  constexpr double kYoung = 2.06e11, kPoisson = 0.3;
  const double star = kYoung / (2.0 * (1.0 - kPoisson * kPoisson));
  const ContactLine line{.curvature = 100.0, .length = 0.02};
  const double per_length = 1e5;
  const double depth =
      per_length / (std::numbers::pi * star) * (std::log(4.0 * std::numbers::pi * star * 0.01 / per_length) - 1.0);
  EXPECT_NEAR(depth, 3.0555780594622358e-06, 1e-15);
  EXPECT_NEAR(line_force(line, 2.0 * star, depth), per_length * line.length, 1e-9 * per_length);
  const LineStiffness law = line_stiffness(line, 2.0 * star);
  EXPECT_NEAR(law.exponent, 1.090180071682964, 1e-12);
  for (const double part : {1e-5, 1e-4, 1e-3}) {
    const double at = part * 0.01;
    EXPECT_NEAR(law.stiffness * std::pow(at, law.exponent) / line_force(line, 2.0 * star, at), 1.0, 0.03) << part;
  }
  for (const double part : {1e-7, 1e-2}) {
    const double at = part * 0.01;
    EXPECT_NEAR(law.stiffness * std::pow(at, law.exponent) / line_force(line, 2.0 * star, at), 1.0, 0.16) << part;
  }
}

TEST(SmoothLines, ALyingCylinderSinksInAsItsLineSays) {
  SmoothScene scene;
  scene.model.gravity = {0.0, 0.0, -kGravity};
  scene.set_law("hunt-crossley-fixed", 0.5, 1.0);
  const double modulus = 5.84e9 / (1.0 - 0.34 * 0.34);  // E′ of two equal ones
  const LineStiffness line = line_stiffness({.curvature = 1.0 / 0.05, .length = 0.2}, modulus);
  const double depth = std::pow(3.0 * kGravity / line.stiffness, 1.0 / line.exponent);
  const int body = scene.add_body(Cylinder{0.05, 0.1}, 3.0, {0.0, 0.0, 0.05}, Vector3d::Zero());
  scene.state.bodies[BodyIndex(body)].orientation =
      Quaterniond(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vector3d::UnitY()));
  scene.options.duration = 0.05;
  SmoothScene on_box = scene;
  scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
  EXPECT_NEAR(scene.run().final_state.bodies[0].position.z(), 0.05 - depth, 1e-3 * depth);
  add_obstacle(on_box, Box{{0.3, 0.3, 0.1}}, {0.0, 0.0, -0.1});
  EXPECT_NEAR(on_box.run().final_state.bodies[0].position.z(), 0.05 - depth, 1e-3 * depth);
}

TEST(SmoothLines, ACylinderRollsDownABoxAsOnAnIncline) {
  // Homogeneous and rolling: a = (2/3) g sin θ.
  constexpr double kSlope = 0.1;
  SmoothScene scene = heavy_scene(1e-7);
  scene.model.gravity = kGravity * Vector3d(std::sin(kSlope), 0.0, -std::cos(kSlope));
  scene.set_law("hunt-crossley-fixed", 0.3, 1.0);
  scene.set_friction("coulomb", {{"coefficient", 0.5}, {"vr", 1e-4}});
  const int body = scene.add_body(Cylinder{0.05, 0.1}, 1.0, {-0.2, 0.0, 0.05}, Vector3d::Zero());
  scene.state.bodies[BodyIndex(body)].orientation =
      Quaterniond(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vector3d::UnitX()));
  add_obstacle(scene, Box{{0.5, 0.3, 0.1}}, {0.0, 0.0, -0.1});
  scene.options.duration = 0.3;
  const RunResult result = scene.run();
  EXPECT_EQ(result.stop, RunStop::duration);
  EXPECT_NEAR(result.final_state.bodies[BodyIndex(body)].velocity.x(), 2.0 / 3.0 * kGravity * std::sin(kSlope) * 0.3,
              1e-3);
}

TEST(SmoothLines, ACylinderStandsOnABoxAsOnAPlane) {
  SmoothScene scene = heavy_scene(1e-7);
  scene.set_law("hunt-crossley-fixed", 0.3, 1.0);
  scene.add_body(Cylinder{0.1, 0.1}, 1.0, {0.02, 0.01, 0.31}, Vector3d::Zero());
  add_obstacle(scene, Box{{0.3, 0.3, 0.1}}, {0.0, 0.0, 0.1});
  scene.options.duration = 0.5;
  const RunResult result = scene.run();
  EXPECT_EQ(result.stop, RunStop::duration);
  EXPECT_NEAR(result.final_state.bodies[0].position.z(), 0.3 - depth_of(kGravity, 2.0), 0.1 * depth_of(kGravity, 2.0));
  EXPECT_LT(energy_error(result, result.energy.initial), 20.0 * scene.options.rtol);
}

TEST(SmoothParts, ADumbbellLandsOnItsTwoBalls) {
  SmoothScene scene = heavy_scene(1e-7);
  scene.set_law("hunt-crossley-fixed", 0.3, 1.0);
  scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
  const int index = scene.add_body(Sphere{0.05}, 2.0, {0.0, 0.0, 0.05}, Vector3d::Zero());
  Body& body = scene.model.bodies[BodyIndex(index)];
  body.parts = {{Sphere{0.05}, {{-0.2, 0.0, 0.0}, Quaterniond::Identity()}},
                {Sphere{0.05}, {{0.2, 0.0, 0.0}, Quaterniond::Identity()}}};
  body.inertia = {0.002, 0.082, 0.082};
  scene.options.duration = 0.1;
  const RunResult result = scene.run();
  EXPECT_EQ(result.compliant->contacts_started, 2);
  EXPECT_NEAR(result.final_state.bodies[0].position.z(), 0.05 - depth_of(2.0 * kGravity, 2.0), 1e-10);
}

// ------------------------------------------------------------------------------------------------- hollow walls

/// A bore along y with this radius, and a box in it that lies with its four lower vertices on the wall.
SmoothScene box_in_bore(double radius, const Vector3d& half_sizes, double mass) {
  SmoothScene scene = heavy_scene();
  add_obstacle(scene, Bore{radius, 1.0}, Vector3d::Zero(),
               Quaterniond(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vector3d::UnitX())));
  scene.add_body(Box{half_sizes}, mass, Vector3d::Zero(), Vector3d::Zero());
  return scene;
}

/// Each vertex bears N = mg/(4 cos θ) along the radius, cos θ = √(r² − a²)/r at r = R + δ.
TEST(HollowWall, ABoxInABoreStandsOnFourVertices) {
  const double radius = 0.3, mass = 2.0;
  const Vector3d half(0.1, 0.08, 0.05);
  SmoothScene scene = box_in_bore(radius, half, mass);
  double depth = 0.0, below = 0.0;
  for (int k = 0; k < 20; ++k) {
    const double r = radius + depth;
    below = std::sqrt(r * r - half.x() * half.x());
    depth = depth_of(mass * kGravity * r / below, 4.0);
  }
  scene.state.bodies[0].position = {0.0, 0.0, half.z() - below};
  scene.options.settle = false;
  scene.options.duration = 0.05;
  const RunResult result = scene.run();
  EXPECT_EQ(result.stop, RunStop::duration);
  EXPECT_EQ(result.compliant->contacts_started, 4);
  EXPECT_NEAR(result.final_state.bodies[0].position.z(), half.z() - below, 1e-6 * depth);
}

/// Its deepest point goes from vertex to vertex, its forces do not: steps stay as long as those of a bounce.
TEST(HollowWall, ABoxThatTumblesInABoreKeepsItsEnergyInFewSteps) {
  SmoothScene scene = box_in_bore(0.3, {0.1, 0.08, 0.05}, 2.0);
  scene.options.rtol = 1e-6;
  scene.options.duration = 1.0;
  scene.state.bodies[0].position = {0.05, 0.0, 0.0};
  scene.state.bodies[0].angular_velocity = {1.0, 2.0, 3.0};
  const RunResult result = scene.run();
  EXPECT_EQ(result.stop, RunStop::duration);
  EXPECT_GT(result.compliant->contacts_started, 5);
  EXPECT_LT(energy_error(result, 2.0 * kGravity * 0.3), 100.0 * scene.options.rtol);
  EXPECT_LT(result.steps_accepted + result.steps_rejected, 200 * result.compliant->contacts_started);
}

/// A box that sticks out falls level, an edge first: its inner end meets the wall with a vertex, and the edge meets the
/// rim, both at the instant of the fall through R less the edge's distance from the middle.
TEST(HollowWall, ABoxThatSticksOutOfABoreMeetsItsRimToo) {
  const double radius = 0.3, half = 0.02;
  SmoothScene scene = box_in_bore(radius, {half, 0.3, half}, 1.0);
  const double fall = std::sqrt(2.0 * (radius - half * std::numbers::sqrt2) / kGravity);
  scene.state.bodies[0].position = {0.0, 0.95, 0.0};
  scene.state.bodies[0].orientation = Eigen::AngleAxisd(0.25 * std::numbers::pi, Vector3d::UnitY());
  scene.options.duration = fall - 1e-6;
  EXPECT_EQ(scene.run().compliant->contacts_started, 0);
  scene.options.duration = fall + 1e-6;
  EXPECT_EQ(scene.run().compliant->contacts_started, 2);
}

}  // namespace
}  // namespace carom::test
