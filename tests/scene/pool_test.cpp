/// Racks, shots, pockets and dents; the ring of a bearing.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/mechanics/initial_gaps.h"
#include "carom/scene/scene_file.h"
#include "scene/expect_error.h"

namespace carom::scene::pool_test {
namespace {

using Eigen::Vector3d;

constexpr double kRadius = 0.028575;
const std::string kHead = "format = 1\n[run]\nengine = 'smooth'\nduration = 1\n";
const std::string kBall = "shape = { kind = 'sphere', radius = 0.028575 }\nmass = 0.17\n";

SceneFile read(const std::string& text) {
  return read_scene_file(parse_document("s", kHead + text));
}
std::string error_of(const std::string& text) {
  return test::error_of([&text] { read(text); });
}

std::string rack(const std::string& keys) {
  return "[[rack]]\nname = 'rack'\n" + kBall + keys + "\n";
}

TEST(Rack, StandsRowByRowAsATriangle) {
  const SceneFile scene = read(rack("apex = [1.905, 0.635, 0]\ngap = 1e-4"));
  ASSERT_EQ(scene.model.body_count(), 15);
  const double d = 2.0 * kRadius + 1e-4;
  std::size_t i = 0;
  for (int row = 0; row < 5; ++row) {
    for (int q = 0; q <= row; ++q, ++i) {
      const Vector3d place(1.905 + row * d * std::sqrt(3.0) / 2.0, 0.635 + (q - row / 2.0) * d, 0.0);
      EXPECT_LE((scene.state.bodies[i].position - place).norm(), 1e-15);
      EXPECT_EQ(scene.model.bodies[i].name, "rack-" + std::to_string(i + 1));
      EXPECT_TRUE(scene.state.bodies[i].velocity.isZero(0.0));
    }
  }
  EXPECT_TRUE(scene.model.constraints.empty());
}

TEST(Rack, NeighboursAreAGapApartInEveryDirection) {
  const SceneFile scene = read(rack("apex = [0, 0, 0]\nrows = 4\ngap = 1e-3\ndirection = [1, 2, 5]\nup = [0, -1, 1]"));
  ASSERT_EQ(scene.model.body_count(), 10);
  const Vector3d up = Vector3d(0.0, -1.0, 1.0).normalized();
  int neighbours = 0;
  for (const InitialGap& gap : initial_gaps(scene.model, scene.state)) {
    EXPECT_GT(gap.nearest.distance, 1e-3 - 1e-15);
    if (gap.nearest.distance < 1.5e-3) ++neighbours;
  }
  EXPECT_EQ(neighbours, 18);  // 3 · 4 · 3/2 sides of the small triangles
  for (const BodyState& ball : scene.state.bodies) EXPECT_NEAR(ball.position.dot(up), 0.0, 1e-15);
}

TEST(Rack, RandomGapsMoveEveryBallWithinItsDiscAndNoneOverlaps) {
  const std::string keys = "apex = [0, 0, 0]\ngap = 1e-3\n";
  const SceneFile fixed = read(rack(keys));
  const SceneFile one = read(rack(keys + "random_gap = 1e-3\nseed = 1"));
  const SceneFile again = read(rack(keys + "random_gap = 1e-3\nseed = 1"));
  const SceneFile other = read(rack(keys + "random_gap = 1e-3\nseed = 2"));
  double farthest = 0.0;
  for (std::size_t i = 0; i < 15; ++i) {
    const Vector3d shift = one.state.bodies[i].position - fixed.state.bodies[i].position;
    farthest = std::max(farthest, shift.norm());
    EXPECT_EQ(shift.z(), 0.0);
    EXPECT_EQ(one.state.bodies[i].position, again.state.bodies[i].position);
    EXPECT_NE(one.state.bodies[i].position, other.state.bodies[i].position);
  }
  EXPECT_LE(farthest, 0.5e-3);
  EXPECT_GT(farthest, 0.25e-3);
  require_no_overlap(one.model, one.state);
}

TEST(Rack, PlanarRacksHaveAConstraintForEachBall) {
  const SceneFile scene = read("[[body]]\nname = 'cue'\n" + kBall + "position = [-1, 0, 0]\n" +
                               rack("apex = [0, 0, 0]\nrows = 2\nplanar = true\nup = [0, 2, 0]") +
                               "[[constraint]]\nkind = 'planar'\nbody = 'cue'\nnormal = [0, 1, 0]\n");
  ASSERT_EQ(scene.model.constraints.size(), 4u);
  for (int i = 0; i < 4; ++i) {
    const auto& planar = std::get<PlanarConstraint>(scene.model.constraints[static_cast<std::size_t>(i)]);
    EXPECT_EQ(planar.body, i);
    EXPECT_EQ(planar.normal, Vector3d::UnitY());
  }
}

TEST(Rack, MistakesHaveTheirPlace) {
  EXPECT_EQ(error_of(rack("gap = 0")), "missing-field 5:1 rack.rack.apex");
  EXPECT_EQ(error_of(rack("apex = [0, 0, 0]\ngap = 1e-4\nrandom_gap = 2e-4")),
            "out-of-range 11:14 rack.rack.random_gap");
  EXPECT_EQ(error_of(rack("apex = [0, 0, 0]\ndirection = [0, 0, 1]")), "out-of-range 10:13 rack.rack.direction");
  EXPECT_EQ(error_of("[[rack]]\nname = 'a'\nshape = { kind = 'box', half_sizes = [1, 1, 1] }\nmass = 1\n"
                     "apex = [0, 0, 0]\n"),
            "unsupported 7:18 rack.a.shape.kind");
  EXPECT_EQ(error_of(rack("apex = [0, 0, 0]") + "[[body]]\nname = 'rack-3'\n" + kBall),
            "duplicate-name 6:8 rack.rack.name");
  const Document document = parse_document("s", kHead + rack("apex = [0, 0, 0]"));
  EXPECT_EQ(with_scene_place(InputError(Kind::overlap, "body.rack-7.position", ""), document).place().line, 5);
}

std::string shot(const std::string& keys, const std::string& ball = "") {
  return "[[body]]\nname = 'cue'\n" + kBall + ball + "[[shot]]\nbody = 'cue'\n" + keys + "\n";
}

TEST(Shot, ALevelCentralShotOnlyMovesTheBall) {
  const BodyState ball = read(shot("speed = 5\ndirection_deg = 30")).state.bodies[0];
  EXPECT_LE((ball.velocity - 5.0 * Vector3d(std::sqrt(0.75), 0.5, 0.0)).norm(), 1e-15);
  EXPECT_LE(ball.angular_velocity.norm(), 1e-15);
}

TEST(Shot, TwoFifthsAboveTheCentreTheBallRollsAtOnce) {
  const std::string offset = "tip_offset = [0, " + std::to_string(0.4 * kRadius) + "]\n";
  const BodyState ball = read(shot("speed = 2\ndirection = [0, 3, 0]\n" + offset)).state.bodies[0];
  const Vector3d contact = ball.velocity + ball.angular_velocity.cross(Vector3d(0.0, 0.0, -kRadius));
  EXPECT_LE(contact.norm(), 1e-3 * 2.0);  // the offset is written to six decimals
}

TEST(Shot, SideSpinTurnsAboutTheUprightAxis) {
  // Struck on its right-hand side the ball turns to the left: right × forward is up.
  const BodyState ball = read(shot("speed = 1\ndirection_deg = 0\ntip_offset = [0.01, 0]")).state.bodies[0];
  EXPECT_NEAR(ball.angular_velocity.z(), 0.01 / (0.4 * kRadius * kRadius), 1e-9);
  EXPECT_NEAR(ball.angular_velocity.head<2>().norm(), 0.0, 1e-12);
}

TEST(Shot, AnElevatedCueLosesTheDownwardPartToTheCloth) {
  const BodyState ball =
      read(shot("speed = 1\ndirection_deg = 0\nelevation_deg = 60\ntip_offset = [0.01, 0]")).state.bodies[0];
  EXPECT_LE((ball.velocity - Vector3d(0.5, 0.0, 0.0)).norm(), 1e-15);
  // (tip − centre) × c with the tip at −0.01 y and c = (1/2, 0, −√3/2).
  const Vector3d spin =
      Vector3d(0.0, -0.01, 0.0).cross(Vector3d(0.5, 0.0, -std::sqrt(0.75))) / (0.4 * kRadius * kRadius);
  EXPECT_LE((ball.angular_velocity - spin).norm(), 1e-9);
}

TEST(Shot, MistakesHaveTheirPlace) {
  EXPECT_EQ(error_of(shot("speed = 1\ndirection_deg = 0\ntip_offset = [0.0142, 0.0142]")),
            "out-of-range 13:14 shot.0.tip_offset");
  EXPECT_EQ(error_of(shot("speed = 1\ndirection_deg = 0\ntip_offset = [0.0141, 0.0141]")), "accepted");
  EXPECT_EQ(error_of(shot("speed = 1")), "missing-field 9:1 shot.0.direction_deg");
  EXPECT_EQ(error_of(shot("speed = 1\ndirection_deg = 0\ndirection = [1, 0, 0]")),
            "duplicate-name 13:13 shot.0.direction");
  EXPECT_EQ(error_of(shot("speed = 1\ndirection = [0, 0, 1]")), "out-of-range 12:13 shot.0.direction");
  EXPECT_EQ(error_of(shot("speed = 1\ndirection_deg = 0\nelevation_deg = 90")),
            "out-of-range 13:17 shot.0.elevation_deg");
  EXPECT_EQ(error_of(shot("speed = 1\ndirection_deg = 0", "velocity = [1, 0, 0]\n")), "unsupported 11:8 shot.0.body");
  EXPECT_EQ(error_of("[[body]]\nname = 'a'\nmass = 1\nshape = { kind = 'box', half_sizes = [1, 1, 1] }\n[[shot]]\n"
                     "body = 'a'\nspeed = 1\ndirection_deg = 0\n"),
            "unsupported 10:8 shot.0.body");
}

TEST(Pocket, IsRead) {
  const SceneFile scene = read(
      "[[pocket]]\nname = 'corner'\nposition = [1, 2, 3]\nradius = 0.06\naxis = [0, 3, 0]\n"
      "[[pocket]]\nname = 'side'\nposition = [0, 0, 0]\nradius = 0.05\n");
  ASSERT_EQ(scene.model.pockets.size(), 2u);
  EXPECT_EQ(scene.model.pockets[0].name, "corner");
  EXPECT_EQ(scene.model.pockets[0].centre, Vector3d(1.0, 2.0, 3.0));
  EXPECT_EQ(scene.model.pockets[0].axis, Vector3d::UnitY());
  EXPECT_EQ(scene.model.pockets[0].radius, 0.06);
  EXPECT_EQ(scene.model.pockets[1].axis, Vector3d::UnitZ());
  EXPECT_TRUE(scene.unused.empty());
  EXPECT_EQ(error_of("[[pocket]]\nname = 'a'\nposition = [0, 0, 0]\n"), "missing-field 5:1 pocket.a.radius");
}

TEST(Dent, IsReadOnRoundSurfacesOnly) {
  const std::string things = "[[body]]\nname = 'ball'\n" + kBall +
                             "[[obstacle]]\nname = 'race'\nshape = { kind = 'cylinder', radius = 1, half_length = 1 }\n"
                             "[[plane]]\nname = 'floor'\nnormal = [0, 0, 1]\n";
  const SceneFile scene = read(things +
                               "[[dent]]\non = 'race'\nangle_deg = 90\nhalf_width_deg = 3\ndepth = 1e-5\n"
                               "[[dent]]\non = 'ball'\ndirection = [0, 0, 2]\nhalf_width_deg = 90\ndepth = 1e-6\n"
                               "[[dent]]\non = 'race'\ndirection = [-2, 0, 5]\nhalf_width_deg = 3\ndepth = 1e-5\n");
  ASSERT_EQ(scene.model.dents.size(), 3u);
  EXPECT_EQ(scene.model.name(scene.model.dents[0].object), "race");
  EXPECT_LE((scene.model.dents[0].direction - Vector3d::UnitY()).norm(), 1e-15);
  EXPECT_NEAR(scene.model.dents[0].half_width, 3.0 * std::numbers::pi / 180.0, 1e-15);
  EXPECT_EQ(scene.model.dents[0].depth, 1e-5);
  EXPECT_EQ(scene.model.name(scene.model.dents[1].object), "ball");
  EXPECT_EQ(scene.model.dents[1].direction, Vector3d::UnitZ());
  EXPECT_EQ(scene.model.dents[2].direction, -Vector3d::UnitX());  // of a cylinder the angle about its axis counts
  const std::string rest = "half_width_deg = 3\ndepth = 1e-5\n";
  EXPECT_EQ(error_of(things + "[[dent]]\non = 'floor'\nangle_deg = 0\n" + rest), "unsupported 16:6 dent.0.on");
  EXPECT_EQ(error_of(things + "[[dent]]\non = 'rce'\nangle_deg = 0\n" + rest), "unknown-name 16:6 dent.0.on");
  EXPECT_EQ(error_of(things + "[[dent]]\non = 'race'\n" + rest), "missing-field 15:1 dent.0.angle_deg");
  EXPECT_EQ(error_of(things + "[[dent]]\non = 'race'\ndirection = [0, 0, 1]\n" + rest),
            "out-of-range 17:13 dent.0.direction");
}

TEST(Ring, IsABodyWhereItsInertiaIsGiven) {
  const std::string ring = "[[body]]\nname = 'race'\nshape = { kind = 'bore', radius = 1, half_length = 0.5 }\n";
  const SceneFile scene = read(ring + "mass = 2\ninertia = [1, 1, 2]\n");
  EXPECT_EQ(scene.model.bodies[0].mass, 2.0);
  EXPECT_EQ(scene.model.bodies[0].inertia, Vector3d(1.0, 1.0, 2.0));
  EXPECT_EQ(error_of(ring + "mass = 2\n"), "missing-field 5:1 body.race.inertia");
  EXPECT_EQ(error_of(ring + "density = 2\ninertia = [1, 1, 2]\n"), "missing-field 5:1 body.race.mass");
}

TEST(CompliantKeys, AreUnusedUnderTheRigidEngine) {
  const std::string text =
      "format = 1\n[run]\nduration = 1\nclusters = false\n[[pocket]]\nname = 'a'\n"
      "position = [0, 0, 0]\nradius = 1\n";
  EXPECT_EQ(read_scene_file(parse_document("s", text)).unused, (std::vector<std::string>{"run.clusters", "pocket"}));
}

TEST(Cradle, BallsHangInARowAndTheFirstAreSwungOut) {
  const SceneFile scene = read("[[cradle]]\nname = 'ball'\n" + kBall +
                               "count = 4\nraised = 2\nangle_deg = 60\nlength = 0.5\npivot = [1, 2, 3]\n"
                               "direction = [0, 2, 1]\ngap = 0.01\n");
  ASSERT_EQ(scene.model.bodies.size(), 4u);
  ASSERT_EQ(scene.model.constraints.size(), 4u);
  const double distance = 2.0 * std::get<Sphere>(scene.model.bodies[0].parts[0].shape).radius + 0.01;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto& rod = std::get<RodConstraint>(scene.model.constraints[i]);
    EXPECT_EQ(rod.body, static_cast<int>(i));
    EXPECT_EQ(rod.length, 0.5);
    EXPECT_LT((rod.pivot - Eigen::Vector3d(1.0, 2.0 + static_cast<double>(i) * distance, 3.0)).norm(), 1e-15);
    const double angle = i < 2 ? std::numbers::pi / 3.0 : 0.0;
    const Eigen::Vector3d arm(0.0, -0.5 * std::sin(angle), -0.5 * std::cos(angle));
    EXPECT_LT((scene.state.bodies[i].position - rod.pivot - arm).norm(), 1e-15);
    EXPECT_EQ(scene.model.bodies[i].name, "ball-" + std::to_string(i + 1));
  }
}

TEST(Cradle, MistakesPointAtTheirLine) {
  const std::string cradle = "[[cradle]]\nname = 'ball'\n" + kBall;
  EXPECT_EQ(error_of(cradle).substr(0, 13), "missing-field");
  EXPECT_EQ(error_of(cradle + "length = 1\ncount = 3\nraised = 4").substr(0, 12), "out-of-range");
  EXPECT_EQ(error_of(cradle + "length = 1\ndirection = [0, 0, 1]").substr(0, 12), "out-of-range");
}

}  // namespace
}  // namespace carom::scene::pool_test
