/// The ellipsoid among planes: floor, slope, two planes (the worked example of Stănescu and Pandrea, corrected), three,
/// and six.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/geometry/pair_table.h"
#include "scenes/scene_run.h"

namespace carom::test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

TEST(EllipsoidOnAFloor, HitsAtTheKnownInstantAndIsReflectedByItsInertance) {
  const SceneRun run = run_shipped("ellipsoid-on-a-floor");
  expect_sound(run);
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_GE(impacts.size(), 2u);
  EXPECT_NEAR(impacts[0].record.time, 0.9390886119969035, 1e-10);
  // At that instant by the oracle: where the centre and the contact are, and the attitude.
  const Vector3d centre(0.46954430599845176, 0.1878177223993807, 0.6134308110978656);
  const Vector3d contact(0.702468882550266, 0.22138827037738915, 0.0);
  Matrix3d attitude;
  attitude << -0.9325969244028678, -0.34630512261180946, 0.10166483486009924,  //
      0.3546046757834773, -0.9316393260567328, 0.07939578110360566,            //
      0.06721979252278734, 0.11009508707193223, 0.9916453858591876;
  const Vector3d lever = attitude.transpose() * (contact - centre).cross(Vector3d::UnitZ());
  const Vector3d inertia(0.544, 1.044, 1.3);
  const double inertance = 1.0 / 2.0 + lever.dot(lever.cwiseQuotient(inertia));
  const ContactRecord& touching = impacts[0].contacts.at(0);
  EXPECT_LE(difference(touching.point, contact), 1e-9);
  EXPECT_NEAR(touching.rate_after, -0.8 * touching.rate_before, 1e-13);
  EXPECT_NEAR(touching.impulse, -1.8 * touching.rate_before / inertance, 1e-9);
}

TEST(EllipsoidOnAnObliquePlane, IsReflectedAsTheOracleSays) {
  const SceneRun run = run_shipped("ellipsoid-on-an-oblique-plane");
  expect_sound(run);
  ASSERT_FALSE(run.events.empty());
  const KeptEvent& first = run.events.front();
  EXPECT_EQ(first.record.time, 0.0);
  ASSERT_EQ(first.contacts.size(), 1u);
  EXPECT_NEAR(first.contacts[0].impulse, 3.156932214072878, 1e-13);
  EXPECT_NEAR(first.contacts[0].rate_before, -1.5639172762147617, 1e-14);
  EXPECT_NEAR(first.contacts[0].rate_after, 0.938350365728857, 1e-14);
  EXPECT_LE(difference(first.jumps.at(0).velocity_after,
                       Vector3d(0.5914091274528811, -0.18854550327050806, -0.8343634901884758)),
            1e-14);
}

struct TwoPlanes {
  const char* law;
  double side_impulse, front_impulse;  ///< [N s], to six decimals
  double side_rate, front_rate;        ///< after [m/s], to five decimals
  double energy_change;                ///< [J], to two decimals
};

TEST(EllipsoidIntoTwoPlanes, EachLawGivesTheTabulatedAnswer) {
  for (const TwoPlanes& expected : {TwoPlanes{"superposition", 451.660517, 330.909091, 0.51043, -0.09524, -291.77},
                                    TwoPlanes{"newton", 551.283356, 453.705458, 0.8, 0.3, -213.93},
                                    TwoPlanes{"poisson", 580.666518, 424.322295, 0.94281, 0.15885, -195.06},
                                    TwoPlanes{"sequential", 582.447980, 400.295989, 0.97094, 0.06291, -196.02}}) {
    SCOPED_TRACE(expected.law);
    const SceneRun run =
        run_shipped("ellipsoid-into-two-planes", {std::string("run.law=") + expected.law, "run.duration=0.01"});
    expect_sound(run);
    ASSERT_FALSE(run.events.empty());
    const KeptEvent& first = run.events.front();
    ASSERT_EQ(first.contacts.size(), 2u);
    const bool side_first = run.scene.model.name(first.contacts[0].b) == "side";
    const ContactRecord& side = first.contacts[side_first ? 0 : 1];
    const ContactRecord& front = first.contacts[side_first ? 1 : 0];
    // Half a unit of the last digit of the table.
    EXPECT_NEAR(side.impulse, expected.side_impulse, 5.1e-7);
    EXPECT_NEAR(front.impulse, expected.front_impulse, 5.1e-7);
    EXPECT_NEAR(side.rate_after, expected.side_rate, 5.1e-6);
    EXPECT_NEAR(front.rate_after, expected.front_rate, 5.1e-6);
    EXPECT_NEAR(first.record.energy.change, expected.energy_change, 5.1e-3);
    // Superposition leaves the front approaching: it is asked again at the same instant.
    const bool again = run.events.size() > 1 && run.events[1].record.round == 1 && run.events[1].record.time == 0.0;
    EXPECT_EQ(again, expected.front_rate < 0.0);
    EXPECT_EQ(first.record.flags.has(Flag::still_approaching), expected.front_rate < 0.0);
  }
}

TEST(EllipsoidIntoThreePlanes, NewtonsLawGivesEachPlaneItsOwnRestitution) {
  const SceneRun run = run_shipped("ellipsoid-into-three-planes");
  expect_sound(run);
  ASSERT_FALSE(run.events.empty());
  const KeptEvent& first = run.events.front();
  EXPECT_EQ(first.record.time, 0.0);
  ASSERT_EQ(first.contacts.size(), 3u);
  for (const ContactRecord& contact : first.contacts) {
    const std::string& plane = run.scene.model.name(contact.b);
    const double restitution = plane == "back" ? 0.9 : plane == "side" ? 0.5 : 0.2;
    EXPECT_NEAR(contact.rate_after, -restitution * contact.rate_before, 1e-14) << plane;
    EXPECT_GT(contact.impulse, 0.0) << plane;
  }
}

/// The least gap between the body and the obstacles.
double least_gap(const Model& model, const BodyState& body) {
  double least = 1e300;
  for (const Obstacle& wall : model.obstacles) {
    least = std::min(least, proximity(model.bodies[0].parts, body.pose(), wall.parts, wall.pose).distance);
  }
  return least;
}

TEST(EllipsoidInABox, KeepsItsEnergyAndNeverEntersAWallInTenThousandImpacts) {
  const int impacts = quick() ? 300 : 10000;
  const SceneRun run = run_shipped("ellipsoid-in-a-box", {"run.duration=100000", "run.output_step=0.05",
                                                          "run.max_events=" + std::to_string(impacts)});
  EXPECT_EQ(run.result.stop, RunStop::event_limit);
  EXPECT_EQ(run.result.impacts, impacts);
  EXPECT_EQ(run.result.guarantee, Guarantee::proven);
  EXPECT_LE(std::abs(run.result.energy.now.total() / run.result.energy.initial - 1.0), 1e-10);
  const double size = 0.5;
  double least = 1.0;
  for (const State& sample : run.samples) least = std::min(least, least_gap(run.scene.model, sample.bodies[0]));
  EXPECT_GE(least, -1e-12 * size);
  // The walls stand at ±1: where an impact takes place, the touching point lies on one.
  for (const KeptEvent& event : run.events) {
    ASSERT_NEAR(event.contacts.at(0).point.lpNorm<Eigen::Infinity>(), 1.0, 1e-12 * size) << event.record.time;
  }
}

TEST(EllipsoidInABox, NoGapIsNegativeAtTheInstantOfAnImpact) {
  for (int count = 1; count <= (quick() ? 20 : 200); ++count) {
    const SceneRun run = run_shipped(
        "ellipsoid-in-a-box", {"run.output_step=100", "run.duration=1000", "run.max_events=" + std::to_string(count)});
    ASSERT_EQ(run.result.impacts, count);
    EXPECT_EQ(run.result.final_state.time, run.events.back().record.time);
    const double gap = least_gap(run.scene.model, run.result.final_state.bodies[0]);
    EXPECT_NEAR(gap, 0.0, 1e-12 * 0.5) << count;
  }
}

}  // namespace
}  // namespace carom::test
