/// A bearing with play under both engines, and the joint that it comes to with less and less of it.

#include <gtest/gtest.h>

#include <cmath>

#include "scenes/mechanism_text.h"

namespace carom::test {
namespace {

constexpr double kJournal = 0.02, kPlay = 0.0005;  // radius; that of the bore is larger by the play [m]
constexpr std::size_t kCrank = 0, kSlider = 2;

/// How far the middle of the journal comes from that of the bore.
double farthest(const SceneRun& run) {
  double most = 0.0;
  for (const State& sample : run.samples) most = std::max(most, sample.bodies[kCrank].position.norm());
  return most;
}

TEST(Clearance, AJournalRattlesLiesOnTheWallAndLiftsOff) {
  const SceneRun run = run_shipped("slider-crank-with-clearance");
  expect_held(run);
  EXPECT_EQ(run.result.guarantee, Guarantee::bounded);
  EXPECT_GT(run.impacts().size(), 50u);
  EXPECT_EQ(run.of_kind(EventKind::rest).size(), 3u);
  EXPECT_EQ(run.of_kind(EventKind::release).size(), 2u);
  EXPECT_NEAR(farthest(run), kPlay, 1e-11);
  // The lines of action of all impacts go through the middle of the journal, and every joint bears its part.
  for (const KeptEvent& impact : run.impacts()) {
    ASSERT_EQ(impact.contacts.size(), 1u);
    EXPECT_NEAR(impact.contacts[0].point.norm(), kJournal + kPlay, 1e-11);
    EXPECT_LT(impact.contacts[0].point.normalized().dot(impact.contacts[0].normal), -1.0 + 1e-12);
    EXPECT_EQ(impact.joints.size(), 3u);
  }
  const EnergyBook& book = run.result.energy;
  EXPECT_NEAR(book.initial - book.now.total(), book.impacts + book.friction + book.cut_off, 1e-12);
  EXPECT_GT(book.impacts, 0.01);
  EXPECT_GT(book.friction, 0.01);
}

/// Both ends of a journal lie on the wall, where one would do: when it lifts off neither holds the other back.
TEST(Clearance, AJournalWithTwoEndsLiftsOffAsABallDoes) {
  for (const char* const restitution : {"pair.0.restitution=0.6", "pair.0.restitution=0.7"}) {
    const SceneRun ball = run_shipped("slider-crank-with-clearance", {"run.duration=0.7", restitution});
    const SceneRun cylinder = run_shipped("slider-crank-with-clearance",
                                          {"run.duration=0.7", restitution,
                                           "body.crank.shape.parts.0={ kind = 'cylinder', radius = 0.02, half_length = "
                                           "0.009, mass = 0.5, orientation = { bryan_deg = [90, 0, 0] } }"});
    expect_held(cylinder);
    EXPECT_EQ(cylinder.impacts().size(), ball.impacts().size());
    EXPECT_NEAR(cylinder.body("slider").position.x(), ball.body("slider").position.x(), 1e-6);
  }
}

TEST(Clearance, TheCompliantEngineRattlesAlike) {
  const SceneRun run = run_shipped("slider-crank-with-clearance", {"run.engine=smooth"});
  expect_ended(run);
  EXPECT_GT(run.of_kind(EventKind::contact_start).size(), 20u);
  // Deeper by what the contact gives way, (5mv²/4K)^(2/5) with 2 kg at 0.06 m/s.
  EXPECT_NEAR(farthest(run), kPlay, 1.5e-5);
  const SceneRun rigid = run_shipped("slider-crank-with-clearance");
  const double lost = rigid.result.energy.initial - rigid.result.energy.now.total();
  EXPECT_NEAR(run.result.energy.initial - run.result.energy.now.total(), lost, 0.1 * lost);
  EXPECT_NEAR(run.body("slider").position.x(), rigid.body("slider").position.x(), 10.0 * kPlay);
}

/// The largest distance of the slider from where a joint would have it, without friction.
double off_the_joint(double play, const std::string& engine) {
  static const SceneRun ideal =
      run_shipped("slider-crank-with-a-stop", {"joint.guide.limits=[0, 0.5]", "body.rod.mass=0.1", "run.duration=0.6",
                                               "body.rod.inertia=[0.00075, 0.00075, 7.5e-06]"});
  const SceneRun run = run_shipped("slider-crank-with-clearance",
                                   {setting("obstacle.bearing.shape.radius", kJournal + play), "run.duration=0.6",
                                    "pair.0.friction.coefficient=0", "run.engine=" + engine});
  expect_ended(run);
  EXPECT_EQ(run.samples.size(), ideal.samples.size());
  double most = 0.0;
  for (std::size_t k = 0; k < run.samples.size(); ++k)
    most = std::max(
        most, std::abs(run.samples[k].bodies[kSlider].position.x() - ideal.samples[k].bodies[kSlider].position.x()));
  return most;
}

TEST(Clearance, WithLessPlayTheSliderMovesAsWithAJoint) {
  for (const char* engine : {"event", "smooth"}) {
    const double wide = off_the_joint(4e-4, engine), narrow = off_the_joint(1e-4, engine);
    EXPECT_NEAR(std::log(wide / narrow) / std::log(4.0), 1.0, 0.1) << engine;
    EXPECT_LT(narrow, 4e-4) << engine;
  }
}

}  // namespace
}  // namespace carom::test
