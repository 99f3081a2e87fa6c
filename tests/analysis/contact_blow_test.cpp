/// Compliant contacts between two samples, against closed forms and against the same run with many samples.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "analysis/scene_run.h"
#include "carom/analysis/quantity_reader.h"
#include "carom/analysis/refinement.h"

namespace carom {
namespace {

using test::ScratchFolder;

/// A ball of 1 kg falls 1 m onto a floor; the pair is to be put in.
std::string drop(const std::string& pair, double step) {
  return "format = 1\n[world]\ngravity = [0, 0, -9.81]\n[run]\nengine = \"smooth\"\nduration = 1\noutput_step = " +
         std::to_string(step) + R"(
[[material]]
name = "rubber"
young = 1e7
poisson = 0.45
[[pair]]
materials = ["rubber", "rubber"]
)" + pair +
         R"(
[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.1 }
mass = 1
material = "rubber"
position = [0, 0, 1.1]
[[plane]]
name = "floor"
normal = [0, 0, 1]
material = "rubber"
)";
}

/// A ball with spin is thrown against two others that touch, with friction.
constexpr const char* kThree = R"(
format = 1
[run]
engine = "smooth"
duration = 0.4
[[material]]
name = "ivory"
young = 1e8
poisson = 0.3
[[pair]]
materials = ["ivory", "ivory"]
normal = "hertz"
friction = { law = "ambrosio", coefficient = 0.2 }
[[body]]
name = "cue"
shape = { kind = "sphere", radius = 0.03 }
mass = 0.17
material = "ivory"
position = [-0.3, 0.005, 0]
velocity = [1.5, 0, 0]
angular_velocity = [0, 0, 20]
[[body]]
name = "one"
shape = { kind = "sphere", radius = 0.03 }
mass = 0.17
material = "ivory"
position = [0, 0, 0]
[[body]]
name = "two"
shape = { kind = "sphere", radius = 0.03 }
mass = 0.17
material = "ivory"
position = [0.06, 0, 0]
)";

class Recorded {
 public:
  explicit Recorded(const std::string& scene)
      : scene_(test::record_scene(scene, folder_.file("run.h5"))), record_(folder_.file("run.h5")), reader_(record_) {}

  double at(const std::string& name, double time) { return reader_.at(quantity(name), time); }
  std::pair<double, double> range(const std::string& name) {
    const Quantity asked = quantity(name);
    Series curve = reader_.read({&asked, 1}, {}, ReadAt::own_jumps)[0];
    refine(reader_, {&asked, 1}, {}, {&curve, 1});
    EXPECT_TRUE(std::is_sorted(curve.time.begin(), curve.time.end())) << name;
    const auto [low, high] = std::minmax_element(curve.value.begin(), curve.value.end());
    return {*low, *high};
  }
  /// The first contact that has ended: [begin, end].
  std::pair<double, double> first_contact() {
    const EventBlock block = record_.events(0, record_.event_count());
    for (const EventRecord& event : block.events)
      if (!event.contacts.empty() && event.contacts[0].course) return {event.contacts[0].course->began, event.time};
    return {};
  }

 private:
  Quantity quantity(const std::string& name) { return find_quantities(record_.info(), name).at(0); }

  ScratchFolder folder_;
  scene::SceneFile scene_;
  RecordReader record_;
  QuantityReader reader_;
};

/// The greatest overlap of a Hertz contact with this approach, without gravity: ½mv² = ⅖ K δ^{5/2}, K = 4/3 E* √R.
double hertz_depth(double speed) {
  const double modulus = 1e7 / (2.0 * (1.0 - 0.45 * 0.45));
  return std::pow(1.25 * speed * speed / (4.0 / 3.0 * modulus * std::sqrt(0.1)), 0.4);
}

constexpr const char* kHertz = "normal = \"hertz\"";
const double kBegin = std::sqrt(2.0 / 9.81);

TEST(ContactBlow, AForceLikeASineIsKnownToAHundredth) {
  ContactBlow blow;
  blow.peak = 0.5;
  blow.ended = 1.0;
  blow.mean_rising = blow.mean_falling = 2.0 / std::numbers::pi;
  double worst_share = 0.0, worst_lag = 0.0;
  for (double t = 0.0; t <= 1.0; t += 1.0 / 64.0) {
    worst_share = std::max(worst_share, std::abs(blow.share(t) - 0.5 * (1.0 - std::cos(std::numbers::pi * t))));
    const double lag = 0.5 * (t - std::sin(std::numbers::pi * t) / std::numbers::pi);
    worst_lag = std::max(worst_lag, std::abs(blow.lag(t) - lag));
  }
  EXPECT_LT(worst_share, 0.01);
  EXPECT_LT(worst_lag, 1e-3);
  EXPECT_DOUBLE_EQ(blow.share(1.0), 1.0);
  EXPECT_NEAR(blow.lag(1.0), 0.5, 1e-15);
  EXPECT_NEAR(blow.lag(3.0), 2.5, 1e-15);
}

TEST(BlowBetweenSamples, AHertzContactSinksInAsTheClosedFormSays) {
  Recorded run(drop(kHertz, 0.02));
  const double speed = std::sqrt(2.0 * 9.81), depth = hertz_depth(speed);
  // Gravity on the way in adds m g δ to ½mv²: ⅖ of that share more.
  const double more = 0.4 * 9.81 * depth / (0.5 * speed * speed);
  EXPECT_NEAR(run.range("position.ball.z").first, 0.1 - depth * (1.0 + more), 0.004 * depth);
  EXPECT_NEAR(run.range("energy.contacts").second, 9.81 * (1.0 + depth * (1.0 + more)), 0.01 * 9.81);
  // It was nowhere faster, and total energy stays what it was.
  EXPECT_NEAR(run.range("velocity.ball.z").first, -speed, 2e-3 * speed);
  const auto [least, most] = run.range("energy.total");
  EXPECT_NEAR(least, 1.1 * 9.81, 1e-5);
  EXPECT_NEAR(most, 1.1 * 9.81, 1e-5);
}

TEST(BlowBetweenSamples, ASampleMayCutIt) {
  // At 0.4515 + 0.0065 s the contact is over: 0.4535 and 0.456 lie within it.
  for (const double step : {0.4535 / 20.0, 0.456 / 20.0}) {
    Recorded run(drop(kHertz, step)), fine(drop(kHertz, 2e-4));
    const auto [began, ended] = run.first_contact();
    for (double time = began - 0.005; time < ended + 0.01; time += 3.1e-4) {
      EXPECT_NEAR(run.at("position.ball.z", time), fine.at("position.ball.z", time), 0.02 * hertz_depth(4.43)) << time;
    }
    EXPECT_NEAR(run.range("energy.contacts").second, fine.range("energy.contacts").second, 0.15) << step;
  }
}

TEST(BlowBetweenSamples, WithTheDampingOfHuntAndCrossleyItIsKnownToATwentiethOfTheOverlap) {
  const std::string pair = "normal = \"hunt-crossley-fixed\"\nrestitution = 0.5\nreference_speed = 4";
  Recorded run(drop(pair, 0.02)), fine(drop(pair, 2e-4));
  const auto [began, ended] = run.first_contact();
  for (double time = began - 0.01; time < ended + 0.01; time += 3.1e-4) {
    EXPECT_NEAR(run.at("position.ball.z", time), fine.at("position.ball.z", time), 0.05 * hertz_depth(4.43)) << time;
    // Of the loss, (1 − e²) of 9.81 J, a quarter.
    EXPECT_NEAR(run.at("energy.contact_damping", time), fine.at("energy.contact_damping", time), 1.85) << time;
  }
  EXPECT_NEAR(run.at("energy.contact_damping", ended), fine.at("energy.contact_damping", ended), 1e-3);
}

TEST(BlowBetweenSamples, ThreeBallsWithFrictionKeepTheirMomentumAndFollowTheirMotion) {
  const std::string text = kThree;
  const auto with_step = [&text](const char* step) {
    std::string scene = text;
    return scene.insert(scene.find("duration"), std::string("output_step = ") + step + "\n");
  };
  Recorded run(with_step("0.03")), fine(with_step("1e-5"));
  const auto [began, ended] = fine.first_contact();
  ASSERT_LT(began, ended);
  for (double time = began - 1e-3; time < ended + 1e-3; time += 2.3e-5) {
    // Exact at the knots of all bodies; between them velocities are straight.
    EXPECT_NEAR(run.at("momentum.x", time), 0.17 * 1.5, 5e-3 * 0.17 * 1.5) << time;
    for (const std::string body : {"cue", "one", "two"}) {
      EXPECT_NEAR(run.at("position." + body + ".x", time), fine.at("position." + body + ".x", time), 3e-5) << time;
      EXPECT_NEAR(run.at("velocity." + body + ".x", time), fine.at("velocity." + body + ".x", time), 0.15) << time;
      const std::string spin = "angular_velocity." + body + ".z";
      // Friction slides first and then holds: of the 10.4 rad/s that it changes, half may come sooner.
      EXPECT_NEAR(run.at(spin, time), fine.at(spin, time), 6.0) << time;
    }
  }
}

}  // namespace
}  // namespace carom
