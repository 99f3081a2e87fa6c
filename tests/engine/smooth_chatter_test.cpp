/// Contacts that would begin and open without end, or jump from one place to another, under the compliant engine.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>

#include "engine/smooth_models.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;

/// A pyramid of equal bricks on a floor, their middles so far apart along a row; without it they touch each other's
/// sides.
SmoothScene brick_pyramid(int rows, const Vector3d& half, std::optional<double> apart = {}) {
  SmoothScene scene;
  scene.model.gravity = {0.0, 0.0, -9.81};
  scene.options.rtol = 1e-6;
  scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k < rows - row; ++k)
      scene.add_body(Box{half}, 8000.0 * half.prod(),
                     {0.5 * apart.value_or(2.0 * half.x()) * (2 * k - (rows - row - 1)), 0.0, half.z() * (2 * row + 1)},
                     Vector3d::Zero());
  return scene;
}

/// The time that is reached after at most so many events and steps.
double time_after(const SmoothScene& scene, int events, double until) {
  const auto engine = scene.engine();
  // As Run does: where the book does not close, steps get shorter.
  engine->log().result.energy.initial = engine->energy_at(engine->state_at(engine->now())).now.total();
  engine->start();
  for (int k = 0; k < events; ++k) {
    const std::optional<double> next = engine->next_time();
    if (!next || *next > until) return until;
    engine->handle_next();
  }
  return engine->now();
}

TEST(Chatter, SidesThatTouchByRoundOffDoNotBeginAndOpenWithoutEnd) {
  SmoothScene scene = brick_pyramid(6, {0.039, 0.03729389967607778, 0.029943772190955648});
  scene.set_stiffness(6363460589.858396);
  scene.set_law("tsuji", 0.32);
  EXPECT_EQ(time_after(scene, 600, 0.001), 0.001);  // 300 steps and contacts; 100 000 get to 0.0002 s otherwise
}

TEST(Chatter, CornersWhoseGapAndRateAreRoundOffDoNotBeginWhereTheyOpen) {
  SmoothScene scene = brick_pyramid(6, {0.12, 0.09679901361113391, 0.10347457260578297});
  scene.set_stiffness(53240512359.07379);
  scene.set_law("kuwabara-kono", 0.81, 1.3781134376568742);
  scene.set_friction("tangential-spring", {{"coefficient", 0.21}, {"stiffness", 177739049.5944802}});
  EXPECT_EQ(time_after(scene, 600, 0.0005), 0.0005);  // 10 000 get to 0.00034 s otherwise
}

/// The lowest row has been let down, so that all others fall together and touch by round-off; when they land, some of
/// their corners open at first.
TEST(Chatter, CornersThatTouchByRoundOffAndOpenBeginWhereTheyCloseAgain) {
  SmoothScene scene = brick_pyramid(6, {0.105, 0.08998339893496436, 0.049552620124819174}, 0.26237318903727025);
  scene.set_stiffness(9780582270.194412);
  scene.set_friction("tangential-spring", {{"coefficient", 0.69}, {"stiffness", 41947750.41410766}});
  EXPECT_EQ(time_after(scene, 300, 0.0005), 0.0005);  // 10 000 get to 0.00044218 s otherwise
}

/// A cube falls beside one that rests, with no gap between their sides: the corners are pressed at first, when it
/// lands, and open within the same step.
TEST(Chatter, CornersThatTouchByRoundOffAreNotBegunWhereTheyHaveJustOpened) {
  SmoothScene scene;
  scene.model.gravity = {0.0, 0.0, -41.005926121664544};
  scene.options.rtol = 1e-6;
  scene.options.duration = 0.004340652899947656;
  scene.set_stiffness(2086.066230426344);
  scene.set_law("hunt-crossley-fixed", 0.96, 0.018578395038266648);
  scene.set_friction("coulomb", {{"coefficient", 0.2}, {"vr", 1.857839503826665e-05}});
  scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
  const Vector3d half = Vector3d::Constant(4.2086204951671e-06);
  scene.add_body(Box{half}, 8000.0 * half.prod(), {1.68344819806684e-05, 0.0, 5.185084804363937e-06}, Vector3d::Zero());
  scene.add_body(Box{half}, 8000.0 * half.prod(), {2.5251722971002603e-05, 0.0, half.z()}, Vector3d::Zero());
  EXPECT_EQ(time_after(scene, 200, 0.0005), 0.0005);  // 10 000 get to 0.0002182 s otherwise
}

/// A cylinder that comes to stand on the side of another, with its end all but flat: its nearest point is on one side
/// of its rim, then on the other.
TEST(Chatter, ANearestPointThatComesToLieFlatIsHandedOverToTheCorners) {
  SmoothScene scene;
  scene.model.gravity = {0.0, 0.0, -9.81};
  scene.options.rtol = 1e-6;
  scene.options.duration = 0.02;
  scene.set_stiffness(150295655.31680894);
  scene.set_law("kuwabara-kono", 0.05, 0.4365179195136098);
  scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
  const auto add_cylinder = [&](double radius, double half_length, const Vector3d& at, const Vector3d& velocity) {
    scene.add_body(Cylinder{radius, half_length}, 2000.0 * std::numbers::pi * radius * radius * half_length, at,
                   velocity);
  };
  add_cylinder(0.012847397341960476, 0.01847253920596526,
               {0.0006963499323994495, -0.00027768861902595956, 0.012845872156586391},
               {0.027535397504773573, -0.010451128869906458, 0.0026794492732942943});
  add_cylinder(0.014502028512074371, 0.013757397492143981,
               {-0.0007338218722188457, 0.00029263158194808836, 0.039737299586302274},
               {-0.029017130625141205, 0.011013524375149674, 0.03445475284490221});
  BodyState& lying = scene.state.bodies[BodyIndex(0)];
  lying.orientation = {-0.2892117890200145, 0.5205221891199655, 0.4786042464992632, 0.645252793065225};
  lying.angular_velocity = {0.02225010826946105, -0.009566030159962796, -0.1817070858755926};
  BodyState& standing = scene.state.bodies[BodyIndex(1)];
  standing.orientation = {0.5416354330442317, 0.04912640865069272, 0.008278090082671935, 0.8391359406369483};
  standing.angular_velocity = {2.1897035270927083, 4.62670080382703, 0.2762220441233805};
  ASSERT_EQ(time_after(scene, 300, 0.02), 0.02);  // a hundred steps; 1200 get to 0.004 s otherwise
  const RunResult result = scene.run();
  EXPECT_LT(std::abs(result.energy.error()), 1e-6 * result.energy.initial);
}

/// The edge of a brick on the end of a cylinder, near its rim: half way through the collision the nearest points on the
/// end are none any more, and the rim is nearest to a side of the brick, at a smaller depth.
TEST(Chatter, EnergyIsKeptWhereNearestPointsJumpToAnotherPlace) {
  SmoothScene scene;
  scene.options.rtol = 1e-6;
  scene.options.duration = 2e-4;
  scene.set_stiffness(18618751129.753475);
  const Vector3d half(0.029976007439386977, 0.021765167963197454, 0.03383715913115613);
  const double radius = 0.03283425585339195, half_length = 0.031062530600463194;
  scene.add_body(Box{half}, 8000.0 * half.prod(), {-0.015537129875530482, 0.011963844548230875, 0.13355297849735864},
                 {-0.19869432311434226, 0.7711565608212625, -0.7276639995506373});
  scene.add_body(Cylinder{radius, half_length}, 2000.0 * std::numbers::pi * radius * radius * half_length,
                 {0.0021118406944561105, -0.003544857424121316, 0.20978570512816727},
                 {-0.09741208388539747, -0.46918309984010587, -0.4130839636612786});
  BodyState& brick = scene.state.bodies[BodyIndex(0)];
  brick.orientation = {-0.003125331265700044, -0.5873761930763377, 0.8090479949735379, -0.020512970065950813};
  brick.angular_velocity = {-54.48258452324146, 46.33227925917769, 22.962380070748345};
  BodyState& cylinder = scene.state.bodies[BodyIndex(1)];
  cylinder.orientation = {-0.09238007040360662, 0.6720511689020493, 0.7170860616462841, 0.16000227861576172};
  cylinder.angular_velocity = {6.326731706756943, -2.6636093050975207, -0.45029639972756486};
  const RunResult result = scene.run();
  EXPECT_EQ(result.compliant->contacts_started, 1);
  EXPECT_EQ(result.contacts_opened, 1);
  EXPECT_LT(std::abs(result.energy.error()), 1e-5 * result.energy.initial);
  EXPECT_NEAR(result.energy.contacts, 0.0, 1e-5 * result.energy.initial);
}

}  // namespace
}  // namespace carom::test
