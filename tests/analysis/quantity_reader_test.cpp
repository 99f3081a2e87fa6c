#include "carom/analysis/quantity_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "analysis/scene_run.h"
#include "carom/base/error.h"
#include "carom/simulation/record_scene.h"

namespace carom {
namespace {

using test::ScratchFolder;

/// A ball falls from 1 m onto a paddle that comes up at 0.5 m/s, while a spinning box flies by.
constexpr const char* kScene = R"(
format = 1
[world]
gravity = [0, 0, -10]
[run]
duration = 0.5
output_step = 0.01
[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.1 }
mass = 2
position = [0, 0, 1.1]
[[body]]
name = "box"
shape = { kind = "box", half_sizes = [0.05, 0.1, 0.15] }
mass = 3
position = [5, 0, 9]
velocity = [1, 2, 0]
angular_velocity = [0, 0, 4]
[[plane]]
name = "paddle"
normal = [0, 0, 1]
point = [0, 0, -0.25]
velocity = [0, 0, 0.5]
)";

class QuantityReading : public testing::Test {
 protected:
  QuantityReading()
      : scene_(test::record_scene(kScene, folder_.file("run.h5"))), record_(folder_.file("run.h5")), reader_(record_) {}

  Series read(const std::string& name, const TimeSpan& span = {}) {
    return reader_.read(find_quantities(record_.info(), name), span).at(0);
  }

  ScratchFolder folder_;
  scene::SceneFile scene_;
  RecordReader record_;
  QuantityReader reader_;
};

TEST_F(QuantityReading, FreeFallAsTheClosedFormsSay) {
  const TimeSpan falling{0.0, 0.4};
  const Series z = read("position.ball.z", falling);
  const Series speed = read("velocity.ball.speed", falling);
  const Series acceleration = read("acceleration.ball.z", falling);
  const Series gap = read("gap.ball.paddle", falling);
  const Series kinetic = read("kinetic.ball", falling);
  ASSERT_EQ(z.time.size(), 41u);
  ASSERT_EQ(gap.time.size(), 41u);
  for (std::size_t i = 0; i < z.time.size(); ++i) {
    const double t = z.time[i];
    EXPECT_NEAR(z.value[i], 1.1 - 5.0 * t * t, 1e-14);
    EXPECT_NEAR(speed.value[i], 10.0 * t, 1e-14);
    EXPECT_NEAR(gap.value[i], 1.25 - 5.0 * t * t - 0.5 * t, 1e-14);
    EXPECT_NEAR(kinetic.value[i], 100.0 * t * t, 1e-12);
  }
  // The first sample of the record has none; differences of a linear function are exact.
  ASSERT_EQ(acceleration.time.size(), 40u);
  EXPECT_EQ(acceleration.time.front(), z.time[1]);
  for (const double value : acceleration.value) EXPECT_NEAR(value, -10.0, 1e-11);
}

TEST_F(QuantityReading, MomentaAndEnergyOfAFlyingBox) {
  const Series px = read("momentum.x"), spin = read("angular_momentum.z"), kinetic = read("kinetic.box");
  const double inertia = 3.0 / 12.0 * (0.01 + 0.04);
  for (std::size_t i = 0; i < px.time.size(); ++i) {
    const double t = px.time[i];
    EXPECT_NEAR(px.value[i], 3.0, 1e-14);
    // m (x v_y − y v_x) + J ω, of the box alone: the ball stays on the axis.
    EXPECT_NEAR(spin.value[i], 3.0 * ((5.0 + t) * 2.0 - 2.0 * t * 1.0) + inertia * 4.0, 1e-12);
    EXPECT_NEAR(kinetic.value[i], 1.5 * (5.0 + 100.0 * t * t) + 0.5 * inertia * 16.0, 1e-11);
  }
}

TEST_F(QuantityReading, EnergiesAddUp) {
  const std::vector<Quantity> all = [&] {
    std::vector<Quantity> list;
    for (const std::string_view name : component_names(Measure::energy))
      list.push_back(find_quantities(record_.info(), "energy." + std::string(name)).at(0));
    return list;
  }();
  const std::vector<Series> series = reader_.read(all);
  const auto value = [&](const std::string& name, std::size_t i) {
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].name == "energy." + name) return series[k].value.at(i);
    ADD_FAILURE() << name;
    return 0.0;
  };
  for (std::size_t i = 0; i < record_.sample_count(); ++i) {
    const EnergyBook book = record_.energy(i);
    EXPECT_EQ(value("kinetic", i), book.now.kinetic);
    EXPECT_EQ(value("gravity", i), book.now.gravity);
    EXPECT_EQ(value("springs", i), book.now.springs);
    EXPECT_EQ(value("loads", i), book.now.loads);
    EXPECT_EQ(value("contacts", i), book.now.contacts);
    EXPECT_EQ(value("total", i), book.now.total());
    EXPECT_EQ(value("dissipated", i), book.dissipated());
    EXPECT_EQ(value("impacts", i), book.impacts);
    EXPECT_EQ(value("damping", i), book.damping);
    EXPECT_EQ(value("cut_off", i), book.cut_off);
    EXPECT_EQ(value("contact_damping", i), book.contacts);
    EXPECT_EQ(value("friction", i), book.friction);
    EXPECT_EQ(value("swallowed", i), book.swallowed);
    EXPECT_EQ(value("wall_work", i), book.wall_work);
    EXPECT_EQ(value("torque_work", i), book.torque_work);
    EXPECT_EQ(value("balance_error", i), book.error());
  }
  EXPECT_NE(value("wall_work", record_.sample_count() - 1), 0.0);
}

TEST_F(QuantityReading, ImpulsesStandAtTheirEvents) {
  const Series impulse = read("impulse.ball.paddle");
  // 1.25 = 5t² + t/2; the ball leaves with 2·0.5 + 10t upwards.
  const double t = (-0.5 + std::sqrt(0.25 + 25.0)) / 10.0;
  ASSERT_EQ(impulse.time.size(), 1u);
  EXPECT_NEAR(impulse.time[0], t, 1e-12);
  EXPECT_NEAR(impulse.value[0], 2.0 * (1.0 + 20.0 * t), 1e-10);
  EXPECT_EQ(read("impulse.paddle").value, impulse.value);
  EXPECT_TRUE(read("impulse.box").value.empty());
  EXPECT_TRUE(read("impulse.ball", {0.0, 0.4}).value.empty());
  EXPECT_EQ(reader_.impact_times({}, 5), std::vector<double>{impulse.time[0]});
  EXPECT_EQ(reader_.impact_times({}, 0), std::nullopt);
  EXPECT_EQ(reader_.impact_times({0.0, 0.4}, 0), std::vector<double>{});
}

TEST_F(QuantityReading, OrientationIsAUnitQuaternion) {
  const std::vector<Series> q = reader_.read(find_quantities(record_.info(), "orientation.box"));
  for (std::size_t i = 0; i < q[0].time.size(); ++i) {
    EXPECT_NEAR(q[0].value[i], std::cos(2.0 * q[0].time[i]), 1e-13);
    EXPECT_NEAR(q[3].value[i], std::sin(2.0 * q[0].time[i]), 1e-13);
  }
  EXPECT_NEAR(read("angular_velocity.box.rate").value.back(), 4.0, 1e-13);
}

TEST(RecordScene, ADifferentSceneIsRefused) {
  RecordInfo record;
  record.version = "9.9";
  record.scene =
      "format = 1\n[run]\nduration = 1\n[[body]]\nname = \"egg\"\nshape = { kind = \"sphere\", radius = 1 }\nmass = "
      "1\n";
  const auto expect = [&record](const std::string& part) {
    try {
      scene_of(record);
      ADD_FAILURE() << part;
    } catch (const InputError& error) {
      EXPECT_EQ(error.kind(), Kind::unsupported);
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  expect("the scene has 1 bodies and 0 obstacles, the record 0 and 0");
  record.objects = {"ball"};
  record.bodies = 1;
  expect("'egg' of the scene is 'ball' in the record");
  record.scene = "format = 7\n";
  expect("which carom 9.9 wrote: ");
  record.scene = "\x01";
  expect("cannot read the scene of this record");
}

TEST(QuantityOfAJoint, IsReadFromTheSamplesOfACompliantRun) {
  // A ball on a hinge beside its centre, which dry friction holds.
  const ScratchFolder folder;
  (void)test::record_scene(R"(
format = 1
[world]
gravity = [0, 0, -10]
[run]
engine = "smooth"
duration = 0.1
output_step = 0.05
[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.1 }
mass = 2
position = [0.05, 0, 0]
[[joint]]
name = "hinge"
kind = "revolute"
bodies = ["ball"]
point = [0, 0, 0]
axis = [0, 1, 0]
start_deg = 0
friction = { kinetic = 2, static = 3 }
)",
                           folder.file("run.h5"));
  RecordReader record(folder.file("run.h5"));
  QuantityReader reader(record);
  const auto last = [&](const std::string& name) {
    return reader.read(find_quantities(record.info(), name), {}).at(0).value.back();
  };
  EXPECT_NEAR(last("joint_force.hinge.z"), 20.0, 1e-9);
  EXPECT_NEAR(last("joint_force.hinge.magnitude"), 20.0, 1e-9);
  EXPECT_NEAR(last("joint_couple.hinge.y"), -1.0, 1e-9);  // against the weight's moment m g · 0.05
  EXPECT_THROW((void)find_quantities(record.info(), "joint_force.elbow.x"), InputError);
}

TEST(QuantityReader, TellsWhatImpactsDoToJoints) {
  // A rod that turns about its end meets a limit: the hinge bears m(L/2)(1 + e)ω across the rod, and no couple.
  const ScratchFolder folder;
  (void)test::record_scene(R"(format = 1
[run]
duration = 1
[[body]]
name = "rod"
shape = { kind = "box", half_sizes = [0.5, 0.01, 0.01] }
mass = 2
inertia = [0.001, 0.2, 0.2]
position = [0.5, 0, 0]
velocity = [0, 0.5, 0]
angular_velocity = [0, 0, 1]
[[joint]]
name = "hinge"
kind = "revolute"
bodies = ["rod"]
point = [0, 0, 0]
axis = [0, 0, 1]
limits_deg = [-90, 90]
start_deg = 45
restitution = 0.5
)",
                           folder.file("run.h5"));
  RecordReader record(folder.file("run.h5"));
  QuantityReader reader(record);
  const auto impulses = [&](const std::string& name) {
    return reader.read(find_quantities(record.info(), name), {}).at(0);
  };
  ASSERT_EQ(impulses("joint_impulse.hinge.magnitude").value.size(), 1u);
  EXPECT_NEAR(impulses("joint_impulse.hinge.magnitude").time[0], 0.7853981633974483, 1e-9);
  EXPECT_NEAR(impulses("joint_impulse.hinge.magnitude").value[0], 1.5, 1e-9);
  EXPECT_NEAR(impulses("joint_impulse.hinge.x").value[0], 1.5 * std::sqrt(0.5), 1e-8);
  EXPECT_NEAR(impulses("joint_couple_impulse.hinge.magnitude").value[0], 0.0, 1e-12);

  // It turns from 45 to 90 degrees and back at half the rate, which jumps there.
  const double struck = 0.7853981633974483;
  const Quantity angle = find_quantities(record.info(), "coordinate.hinge").at(0);
  const Quantity rate = find_quantities(record.info(), "rate.hinge").at(0);
  EXPECT_NEAR(reader.at(angle, 0.123), struck + 0.123, 1e-9);
  EXPECT_NEAR(reader.at(angle, struck), 2.0 * struck, 1e-9);
  EXPECT_NEAR(reader.at(angle, 0.95), 2.0 * struck - 0.5 * (0.95 - struck), 1e-9);
  const Series rates = reader.read(std::span(&rate, 1), {}, ReadAt::own_jumps).at(0);
  const auto jump = std::adjacent_find(rates.time.begin(), rates.time.end());
  ASSERT_NE(jump, rates.time.end());
  EXPECT_NEAR(rates.value[static_cast<std::size_t>(jump - rates.time.begin())], 1.0, 1e-9);
  EXPECT_NEAR(rates.value[static_cast<std::size_t>(jump - rates.time.begin()) + 1], -0.5, 1e-9);
}

TEST(QuantityReader, CountsTheTurnsOfJoints) {
  // A wheel at 100 rad/s, of which a sample sees every fifth radian; it shifts along its axle, and the second is
  // driven.
  const ScratchFolder folder;
  (void)test::record_scene(R"(format = 1
[run]
duration = 2
output_step = 0.05
[[body]]
name = "wheel"
shape = { kind = "sphere", radius = 0.1 }
mass = 1
position = [0, 0, 0]
velocity = [0, 0.25, 0]
angular_velocity = [0, 100, 0]
[[joint]]
name = "axle"
kind = "cylindrical"
bodies = ["wheel"]
point = [0, 0, 0]
axis = [0, 1, 0]
start = 1.5
start_deg = 90
[[joint]]
name = "rod"
kind = "rod"
bodies = ["weight"]
anchors = [[0, 0, 0], [5, 0, 0]]
[[body]]
name = "weight"
shape = { kind = "sphere", radius = 0.1 }
mass = 1
position = [5, 0, -1]
)",
                           folder.file("run.h5"));
  RecordReader record(folder.file("run.h5"));
  QuantityReader reader(record);
  const std::vector<Quantity> both = find_quantities(record.info(), "coordinate.axle");
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[0].unit, "m");
  EXPECT_EQ(both[1].unit, "rad");
  EXPECT_EQ(find_quantities(record.info(), "rate.axle.1").at(0).unit, "rad/s");
  const std::vector<Series> series = reader.read(both, {});
  for (std::size_t i = 0; i < series[0].time.size(); ++i) {
    EXPECT_NEAR(series[0].value[i], 1.5 + 0.25 * series[0].time[i], 1e-12);
    EXPECT_NEAR(series[1].value[i], std::numbers::pi / 2.0 + 100.0 * series[1].time[i], 1e-9);
  }
  EXPECT_NEAR(reader.at(both[1], 1.2345), std::numbers::pi / 2.0 + 123.45, 1e-9);
  EXPECT_THROW((void)find_quantities(record.info(), "coordinate.rod"), InputError);
  EXPECT_THROW((void)find_quantities(record.info(), "coordinate.axle.2"), InputError);
  const std::vector<std::string> names = quantity_names(record.info());
  EXPECT_NE(std::find(names.begin(), names.end(), "coordinate.axle.1"), names.end());
  EXPECT_EQ(std::find(names.begin(), names.end(), "coordinate.rod"), names.end());
}

}  // namespace
}  // namespace carom
