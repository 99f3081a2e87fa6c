/// Quantities at jumps and between samples, against closed forms.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/scene_run.h"
#include "carom/analysis/quantity_reader.h"
#include "carom/analysis/refinement.h"
#include "carom/base/error.h"

namespace carom {
namespace {

using test::ScratchFolder;

/// A ball of 1 kg falls 1 m onto a floor and comes back with 0.9 of its speed.
constexpr const char* kDrop = R"(
format = 1
[world]
gravity = [0, 0, -9.81]
[run]
duration = 1
output_step = 0.02
[[material]]
name = "rubber"
[[pair]]
materials = ["rubber", "rubber"]
restitution = 0.9
[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.1 }
mass = 1
material = "rubber"
position = [0, 0, 1.1]
angular_velocity = [0, 0, 3]
[[plane]]
name = "floor"
normal = [0, 0, 1]
material = "rubber"
)";
constexpr double kGravity = 9.81;
const double kImpact = std::sqrt(2.0 / kGravity);  // 0.451523641 s
const double kSpeed = std::sqrt(2.0 * kGravity);   // just before
constexpr double kRoundOff = 1e-12;

class Between : public testing::Test {
 protected:
  explicit Between(const char* scene = kDrop)
      : scene_(test::record_scene(scene, folder_.file("run.h5"))), record_(folder_.file("run.h5")), reader_(record_) {}

  Quantity quantity(const std::string& name) { return find_quantities(record_.info(), name).at(0); }
  Series read(const std::string& name, ReadAt where = ReadAt::own_jumps) {
    const Quantity asked = quantity(name);
    return reader_.read({&asked, 1}, {}, where)[0];
  }
  double at(const std::string& name, double time, Side side = Side::after) {
    return reader_.at(quantity(name), time, side);
  }
  /// Values at the impact, which has to stand there twice.
  std::pair<double, double> at_impact(const std::string& name) {
    const Series series = read(name);
    std::vector<double> values;
    for (std::size_t i = 0; i < series.time.size(); ++i)
      if (std::abs(series.time[i] - kImpact) < kRoundOff) values.push_back(series.value[i]);
    EXPECT_EQ(values.size(), 2u) << name;
    values.resize(2);
    return {values[0], values[1]};
  }

  ScratchFolder folder_;
  scene::SceneFile scene_;
  RecordReader record_;
  QuantityReader reader_;
};

TEST_F(Between, TheHeightIsLeastAtTheImpact) {
  const Series z = read("position.ball.z");
  const auto least = std::min_element(z.value.begin(), z.value.end());
  EXPECT_NEAR(*least, 0.1, kRoundOff);
  EXPECT_NEAR(z.time[static_cast<std::size_t>(least - z.value.begin())], 0.451523641, 5e-10);
  EXPECT_TRUE(std::is_sorted(z.time.begin(), z.time.end()));
  EXPECT_EQ(z.time.size(), record_.sample_count() + 2);
  EXPECT_EQ(read("position.ball.z", ReadAt::samples).time.size(), record_.sample_count());
}

TEST_F(Between, VelocitiesAndEnergiesJumpAtTheImpact) {
  const auto expect = [this](const std::string& name, double before, double after) {
    const auto values = at_impact(name);
    EXPECT_NEAR(values.first, before, 10.0 * kRoundOff) << name;
    EXPECT_NEAR(values.second, after, 10.0 * kRoundOff) << name;
  };
  const double spin = 0.5 * 0.4 * 0.01 * 9.0;  // ½ J ω², which nothing changes
  expect("velocity.ball.z", -kSpeed, 0.9 * kSpeed);
  expect("energy.kinetic", kGravity + spin, 0.81 * kGravity + spin);
  expect("kinetic.ball", kGravity + spin, 0.81 * kGravity + spin);
  expect("energy.gravity", 0.1 * kGravity, 0.1 * kGravity);
  expect("energy.total", 1.1 * kGravity + spin, 0.91 * kGravity + spin);
  expect("energy.impacts", 0.0, 0.19 * kGravity);
  expect("momentum.z", -kSpeed, 0.9 * kSpeed);
  expect("gap.ball.floor", 0.0, 0.0);
  expect("orientation.ball.w", std::cos(1.5 * kImpact), std::cos(1.5 * kImpact));
}

TEST_F(Between, FreeFlightIsExactAtAnyTime) {
  for (const double t : {0.0, 0.0137, 0.02, 0.4507, 0.4519, 0.777, 1.0}) {
    const double since = t - kImpact;
    const bool falls = since < 0.0;
    const double z = falls ? 1.1 - 0.5 * kGravity * t * t : 0.1 + 0.9 * kSpeed * since - 0.5 * kGravity * since * since;
    const double v = falls ? -kGravity * t : 0.9 * kSpeed - kGravity * since;
    EXPECT_NEAR(at("position.ball.z", t), z, kRoundOff) << t;
    EXPECT_NEAR(at("velocity.ball.z", t), v, 10.0 * kRoundOff) << t;
    EXPECT_NEAR(at("energy.gravity", t), kGravity * z, 10.0 * kRoundOff) << t;
    EXPECT_NEAR(at("orientation.ball.z", t), std::sin(1.5 * t), kRoundOff) << t;
  }
  const double impact = reader_.impact_times({}, 1)->front();
  EXPECT_NEAR(at("velocity.ball.z", impact, Side::before), -kSpeed, kRoundOff);
  EXPECT_NEAR(at("velocity.ball.z", impact, Side::after), 0.9 * kSpeed, kRoundOff);
}

/// Height before and after the bounce.
double height(double t) {
  const double since = t - kImpact;
  return since < 0.0 ? 1.1 - 0.5 * kGravity * t * t : 0.1 + 0.9 * kSpeed * since - 0.5 * kGravity * since * since;
}

TEST_F(Between, CurvesFollowTheMotionWhereSamplesAreFew) {
  const Quantity z = quantity("position.ball.z");
  Series curve;
  const Series all = read("position.ball.z");
  for (std::size_t i = 0; i < all.time.size(); ++i) {
    const bool is_end = i == 0 || i + 1 == all.time.size();
    if (is_end || std::abs(all.time[i] - kImpact) < kRoundOff) curve.add(all.time[i], all.value[i]);
  }
  ASSERT_EQ(curve.time.size(), 4u);
  refine(reader_, {&z, 1}, {}, {&curve, 1});
  double worst = 0.0;
  for (std::size_t i = 0; i < curve.time.size(); ++i) {
    EXPECT_NEAR(curve.value[i], height(curve.time[i]), kRoundOff) << curve.time[i];
    if (i == 0 || curve.time[i] == curve.time[i - 1]) continue;
    const double middle = 0.5 * (curve.time[i] + curve.time[i - 1]);
    worst = std::max(worst, std::abs(0.5 * (curve.value[i] + curve.value[i - 1]) - height(middle)));
  }
  EXPECT_LT(worst, 1e-3);
  EXPECT_LT(curve.time.size(), 200u);
}

TEST_F(Between, WhereSamplesDoNotResolveAContactLinesStayStraight) {
  const std::string path = folder_.file("smooth.h5");
  std::string text = kDrop;
  const auto add_behind = [&text](const std::string& line, const std::string& more) {
    text.insert(text.find(line) + line.size(), "\n" + more);
  };
  add_behind("duration = 1", "engine = \"smooth\"");
  add_behind("name = \"rubber\"", "young = 1e8\npoisson = 0.45");
  add_behind("restitution = 0.9", "normal = \"hunt-crossley-fixed\"\nreference_speed = 1");
  // What a blow does to a body in a joint is not told by its mass.
  text +=
      "[[joint]]\nname = \"rail\"\nkind = \"cylindrical\"\nbodies = [\"ball\"]\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n";
  test::record_scene(text.c_str(), path);
  RecordReader record(path);
  QuantityReader reader(record);
  for (const char* const name : {"energy.total", "velocity.ball.z"}) {
    const Quantity asked = find_quantities(record.info(), name).at(0);
    Series curve = reader.read({&asked, 1}, {}, ReadAt::own_jumps)[0];
    const auto [low, high] = std::minmax_element(curve.value.begin(), curve.value.end());
    const double lowest = *low, highest = *high;
    refine(reader, {&asked, 1}, {}, {&curve, 1});
    for (const double value : curve.value) {
      EXPECT_GE(value, lowest - 1e-9) << name;
      EXPECT_LE(value, highest + 1e-9) << name;
    }
  }
}

TEST_F(Between, ACurveBeginsAndEndsWithItsSpanAndHasItsTurningPoint) {
  const Quantity z = quantity("position.ball.z");
  const TimeSpan span{0.507, 0.993};  // no samples there
  Series curve = reader_.read({&z, 1}, span, ReadAt::own_jumps)[0];
  refine(reader_, {&z, 1}, span, {&curve, 1});
  EXPECT_EQ(curve.time.front(), span.from);
  EXPECT_EQ(curve.time.back(), span.to);
  const auto top = std::max_element(curve.value.begin(), curve.value.end());
  EXPECT_NEAR(*top, 0.1 + 0.81, kRoundOff);
  EXPECT_NEAR(curve.time[static_cast<std::size_t>(top - curve.value.begin())], kImpact + 0.9 * kSpeed / kGravity, 1e-6);
  EXPECT_TRUE(std::is_sorted(curve.time.begin(), curve.time.end()));
}

TEST_F(Between, WhatIsNotKnownThereIsRefused) {
  EXPECT_THROW(at("position.ball.z", 1.5), InputError);
  EXPECT_THROW(at("position.ball.z", -0.1), InputError);
  EXPECT_THROW(at("acceleration.ball.z", 0.5), InputError);
  EXPECT_THROW(at("energy.balance_error", 0.5), InputError);
  EXPECT_EQ(read("energy.balance_error").time.size(), record_.sample_count());
}

/// A ball on a spring, x = 1 − cos ωt from its rest at −1, until a wall at x = 0.3 throws it back: integrated motion.
std::string spring_and_wall(double step) {
  return "format = 1\n[run]\nduration = 0.5\noutput_step = " + std::to_string(step) + R"(
[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.1 }
mass = 1
position = [-1, 0, 0]
[[spring]]
bodies = ["ball"]
points = [[0, 0, 0], [-10, 0, 0]]
stiffness = 25
rest_length = 10
[[plane]]
name = "wall"
normal = [-1, 0, 0]
point = [0.3, 0, 0]
)";
}

/// The closure of the interval with the impact, which bounds the error there.
double closure_at_wall(double step) {
  const ScratchFolder folder;
  (void)test::record_scene(spring_and_wall(step), folder.file("run.h5"));
  RecordReader record(folder.file("run.h5"));
  QuantityReader reader(record);
  const Quantity x = find_quantities(record.info(), "position.ball.x").at(0);
  const double impact = reader.impact_times({}, 5)->front();
  // −cos 5t = 0.2
  EXPECT_NEAR(impact, std::acos(-0.2) / 5.0, 1e-9);
  const std::vector<double> time = record.series("/time", 0, record.sample_count());
  const auto i = static_cast<std::size_t>(std::upper_bound(time.begin(), time.end(), impact) - time.begin()) - 1;
  SampleBlock block(record, i, i + 2);
  InstantReader instants(record, time[i]);
  const SampleInterval interval(block, 0, take_instants(instants, block, 0, false), nullptr);
  const double error = std::abs(reader.at(x, impact) - 0.2);
  EXPECT_LE(error, interval.closure(0)) << step;
  return interval.closure(0);
}

TEST(BetweenOfIntegratedMotion, TheErrorAtAJumpIsBelowTheClosureAndOfThirdOrder) {
  // Σh³|x⃛|/12 with |x⃛| ≤ ω³, ω = 5/s
  for (const double step : {0.05, 0.0125}) EXPECT_LT(closure_at_wall(step), 125.0 / 12.0 * step * step * step);
}

}  // namespace
}  // namespace carom
