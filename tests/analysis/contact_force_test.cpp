/// Forces of contacts that last, against closed forms, in both engines.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/scene_run.h"
#include "carom/analysis/quantity_reader.h"
#include "carom/base/error.h"

namespace carom {
namespace {

using test::ScratchFolder;

/// One quantity of a scene's record.
class ForcesOf {
 public:
  explicit ForcesOf(const std::string& scene) {
    test::record_scene(scene, folder_.file("run.h5"));
    record_ = std::make_unique<RecordReader>(folder_.file("run.h5"));
  }

  [[nodiscard]] Series read(const std::string& name, ReadAt where = ReadAt::samples) const {
    const std::vector<Quantity> found = find_quantities(record_->info(), name);
    return QuantityReader(*record_).read(found, {}, where)[0];
  }
  [[nodiscard]] RecordReader& record() const { return *record_; }
  [[nodiscard]] SlipMode mode_at(std::size_t sample) const {
    return record_->contact_loads(sample, 1).of(0).front().mode;
  }

 private:
  ScratchFolder folder_;
  std::unique_ptr<RecordReader> record_;
};

/// A block of 2 kg slides on a floor at 3 m/s and stops after v/(μ g) = 0.6 s.
std::string sliding_block(const std::string& engine) {
  return R"(
format = 1
[world]
gravity = [0, 0, -10]
[run]
duration = 1
output_step = 0.1
engine = ")" +
         engine + R"("
[[material]]
name = "wood"
[[pair]]
materials = ["wood", "wood"]
restitution = 0.5
stiffness = 1e6
normal = "tsuji"
friction = { law = "coulomb", static = 0.5, kinetic = 0.5 }
[[body]]
name = "block"
shape = { kind = "box", half_sizes = [0.1, 0.1, 0.1] }
mass = 2
material = "wood"
position = [0, 0, 0.1]
velocity = [3, 0, 0]
[[plane]]
name = "floor"
normal = [0, 0, 1]
material = "wood"
)";
}

TEST(ForcesOfARigidBlock, AreItsWeightAndCoulombsFrictionUntilItStands) {
  const ForcesOf run(sliding_block("event"));
  const Series normal = run.read("force.block.floor"), friction = run.read("friction.block.floor.x");
  const Series on_floor = run.read("friction.floor.block.x"), alone = run.read("force.block");
  const Series mode = run.read("mode.block.floor");
  ASSERT_EQ(normal.time.size(), 11u);
  for (std::size_t i = 0; i < normal.time.size(); ++i) {
    const bool slides = normal.time[i] < 0.6 - 1e-9;
    EXPECT_NEAR(normal.value[i], 20.0, 1e-9) << normal.time[i];
    EXPECT_NEAR(friction.value[i], slides ? -10.0 : 0.0, 1e-9) << normal.time[i];
    EXPECT_EQ(on_floor.value[i], -friction.value[i]);
    EXPECT_EQ(alone.value[i], normal.value[i]);
    EXPECT_EQ(run.mode_at(i), slides ? SlipMode::slide : SlipMode::stick) << normal.time[i];
    EXPECT_EQ(mode.value[i], slides ? 4.0 : 2.0) << normal.time[i];
  }
  // For a curve: upright where the mode changes, at the first sample that has the new one.
  const Series steps = run.read("mode.floor.block", ReadAt::own_jumps);
  ASSERT_EQ(steps.time.size(), mode.time.size() + 1);
  const auto change = std::adjacent_find(steps.time.begin(), steps.time.end()) - steps.time.begin();
  EXPECT_NEAR(steps.time[change], 0.6, 1e-9);
  EXPECT_EQ(steps.value[change], 4.0);
  EXPECT_EQ(steps.value[change + 1], 2.0);
}

TEST(ForcesOfACompliantBlock, AreOnAverageItsWeight) {
  const ForcesOf run(sliding_block("smooth"));
  const Series normal = run.read("force.block.floor"), friction = run.read("friction.block.floor.x");
  // Four corners, each with 5 N, while it slides with 10 N against it; it sways a little as friction acts below.
  EXPECT_NEAR(normal.value[3], 20.0, 0.5);
  EXPECT_NEAR(friction.value[3], -10.0, 0.5);
  EXPECT_EQ(run.mode_at(3), SlipMode::slide);
}

TEST(ForcesOfARollingBall, AreThoseOfRollingDownWithoutSlip) {
  // On a slope of 30°: N = m g cos 30°, friction = (2/7) m g sin 30° up the slope.
  const ForcesOf run(R"(
format = 1
[world]
gravity = [4.905, 0, -8.495709211125346]
[run]
duration = 0.5
output_step = 0.1
[[material]]
name = "m"
[[pair]]
materials = ["m", "m"]
restitution = 0
friction = { law = "coulomb", static = 0.5, kinetic = 0.5 }
[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.1 }
mass = 1
material = "m"
position = [0, 0, 0.1]
[[plane]]
name = "slope"
normal = [0, 0, 1]
material = "m"
)");
  const Series normal = run.read("force.ball.slope"), friction = run.read("friction.ball.slope.x");
  for (std::size_t i = 1; i < normal.time.size(); ++i) {
    EXPECT_NEAR(normal.value[i], 8.495709211125346, 1e-9);
    EXPECT_NEAR(friction.value[i], -2.0 / 7.0 * 4.905, 1e-9);
    EXPECT_EQ(run.mode_at(i), SlipMode::roll);
  }
}

TEST(ForcesOfAStack, AddUpFromTopToBottom) {
  std::string scene = R"(
format = 1
[world]
gravity = [0, 0, -10]
[run]
duration = 0.1
output_step = 0.05
[[material]]
name = "m"
[[pair]]
materials = ["m", "m"]
restitution = 0
friction = { law = "coulomb", static = 0.5, kinetic = 0.5 }
[[plane]]
name = "floor"
normal = [0, 0, 1]
material = "m"
)";
  for (int k = 0; k < 4; ++k)
    scene += "[[body]]\nname = \"b" + std::to_string(k) +
             "\"\nshape = { kind = \"box\", half_sizes = [0.1, 0.1, 0.1] }\nmass = 1\nmaterial = \"m\"\nposition = "
             "[0, 0, " +
             std::to_string(0.1 + 0.2 * k) + "]\n";
  const ForcesOf run(scene);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(run.read("force.b0.floor").value[i], 40.0, 1e-7);
    EXPECT_NEAR(run.read("force.b2.b1").value[i], 20.0, 1e-7);
    EXPECT_NEAR(run.read("force.b3.b2").value[i], 10.0, 1e-7);
  }
}

/// Two balls of 1 kg with the speeds ±1 m/s and a spring of 10⁶ N/m between them: with the reduced mass m/2 the force
/// is 2v √(km/2) sin ωt, ω² = 2k/m, for half a period.
TEST(CourseOfACompliantContact, HasThePeakAndTheDurationOfASpring) {
  const ForcesOf run(R"(
format = 1
[run]
duration = 0.01
output_step = 0.003
engine = "smooth"
[[material]]
name = "m"
[[pair]]
materials = ["m", "m"]
normal = "kelvin-voigt"
stiffness = 1e6
restitution = 1
[[body]]
name = "left"
shape = { kind = "sphere", radius = 0.1 }
mass = 1
material = "m"
position = [-0.101, 0, 0]
velocity = [1, 0, 0]
[[body]]
name = "right"
shape = { kind = "sphere", radius = 0.1 }
mass = 1
material = "m"
position = [0.101, 0, 0]
velocity = [-1, 0, 0]
)");
  const double frequency = std::sqrt(2e6), began = 0.001, lasted = std::numbers::pi / frequency;
  const double peak = 2.0 * std::sqrt(1e6 / 2.0);
  const EventBlock block = run.record().events(0, 10);
  ASSERT_EQ(block.events.size(), 2u);
  const EventRecord& end = block.events[1];
  ASSERT_TRUE(end.contacts[0].course.has_value());
  const ContactCourse& course = *end.contacts[0].course;
  EXPECT_NEAR(course.began, began, 1e-12);
  EXPECT_NEAR(end.time - course.began, lasted, 1e-9);
  // The motion between the ends of steps is that of a cubic: some 1e-7 of the force here.
  EXPECT_NEAR(course.peak_force, peak, 1e-6 * peak);
  EXPECT_NEAR(course.peak_time, began + 0.5 * lasted, 1e-3 * lasted);
  EXPECT_NEAR(end.contacts[0].impulse, 2.0, 1e-8);
  const Series force = run.read("force.left.right", ReadAt::own_jumps);
  EXPECT_NEAR(*std::max_element(force.value.begin(), force.value.end()), peak, 1e-6 * peak);
  ASSERT_EQ(force.time.size(), 5u + 3u);
  EXPECT_EQ(force.time[1], course.began);
  EXPECT_EQ(force.value[1], 0.0);
  const std::size_t sample = force.time[2] == 0.003 ? 2 : 3;
  EXPECT_EQ(force.time[sample], 0.003);
  EXPECT_NEAR(force.value[sample], peak * std::sin(frequency * 0.002), 1e-6 * peak);
}

TEST(ForcesOfARecordWithoutThem, AreRefusedWithTheReason) {
  const ScratchFolder folder;
  RecordWriter writer(folder.file("run.h5"), test::fake_model(), test::fake_header(), {}, {.contact_forces = false});
  test::tell(writer, 0, 30);
  writer.finish(RunStop::duration, "{}");
  RecordReader record(folder.file("run.h5"));
  const std::vector<Quantity> force = find_quantities(record.info(), "force.egg.floor");
  try {
    (void)QuantityReader(record).read(force);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), Kind::unsupported);
    EXPECT_NE(std::string(error.what()).find("--no-forces"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace carom
