/// The key `motion` of planes and obstacles.

#include <gtest/gtest.h>

#include <fstream>
#include <numbers>

#include "carom/scene/scene.h"
#include "carom/scene/scene_file.h"
#include "support/scratch_folder.h"

namespace carom::scene::motion_test {
namespace {

std::string scene_with(const std::string& motion, const std::string& more = "") {
  return R"(format = 1
[run]
duration = 1
[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.1 }
mass = 1
position = [0, 0, 1]
[[plane]]
name = "table"
normal = [0, 0, 1]
)" + more +
         "motion = " + motion + "\n";
}

DrivenMotion motion_of(const std::string& motion) {
  return *Scene::parse(scene_with(motion)).build().model.obstacles[0].motion;
}

/// Kind and message of the first complaint.
std::pair<Kind, std::string> complaint_about(const std::string& motion, const std::string& more = "") {
  try {
    (void)Scene::parse(scene_with(motion, more)).build();
  } catch (const InputError& error) {
    return {error.kind(), error.what()};
  }
  return {Kind::usage, "none"};
}

TEST(MotionKey, ASineHasAxisAmplitudeFrequencyAndPhase) {
  const DrivenMotion motion =
      motion_of("{ kind = \"sine\", axis = [0, 3, 4], amplitude = 0.25, frequency = 8, phase_deg = 90 }");
  EXPECT_LE((motion.axis - Eigen::Vector3d(0, 0.6, 0.8)).norm(), 1e-16);
  const auto& sine = std::get<SineProfile>(motion.position);
  EXPECT_EQ(sine.amplitude, 0.25);
  EXPECT_EQ(sine.frequency, 8.0);
  EXPECT_EQ(sine.phase, 0.5 * std::numbers::pi);
  EXPECT_FALSE(motion.turns());
}

TEST(MotionKey, TurnsByDegreesOrRadiansAboutAPoint) {
  const DrivenMotion degrees =
      motion_of("{ kind = \"sine\", axis = [1, 0, 0], angle_deg = 90, frequency = 1, point = [1, 2, 3] }");
  EXPECT_EQ(std::get<SineProfile>(degrees.angle).amplitude, 0.5 * std::numbers::pi);
  EXPECT_EQ(*degrees.point, Eigen::Vector3d(1, 2, 3));
  const DrivenMotion radians = motion_of("{ kind = \"polynomial\", axis = [1, 0, 0], angle = [0, 2.5] }");
  EXPECT_EQ(std::get<PolynomialProfile>(radians.angle).coefficients, (std::vector<double>{0.0, 2.5}));
  const DrivenMotion both =
      motion_of("{ kind = \"polynomial\", axis = [1, 0, 0], position = [0, 1, -0.5], angle_deg = [180] }");
  EXPECT_EQ(jet_at(both.position, 2.0).value, 0.0);
  EXPECT_EQ(jet_at(both.angle, 2.0).value, std::numbers::pi);
}

TEST(MotionKey, ATableGoesThroughItsRows) {
  const DrivenMotion motion = motion_of(
      "{ kind = \"table\", axis = [0, 0, 1], time = [0, 0.5, 2], position = [0, 0.1, -0.1], angle_deg = [0, 90, 0], "
      "ends = \"rest\" }");
  EXPECT_NEAR(jet_at(motion.position, 0.5).value, 0.1, 1e-15);
  EXPECT_NEAR(jet_at(motion.angle, 0.5).value, 0.5 * std::numbers::pi, 1e-15);
  EXPECT_EQ(motion.still_from(), 2.0);
}

TEST(MotionKey, AWrittenSceneReadsToTheSame) {
  for (const char* motion :
       {"{ kind = \"sine\", axis = [0, 0, 1], amplitude = 0.1, frequency = 8, phase_deg = 30 }",
        "{ kind = \"polynomial\", axis = [0, 0, 1], position = [0, 1, 2], point = [0, 0, 1], angle = [1] }",
        "{ kind = \"table\", axis = [0, 0, 1], time = [0, 1, 3], position = [0, 1, 0], ends = \"periodic\" }"}) {
    const Scene scene = Scene::parse(scene_with(motion));
    const Scene again = Scene::parse(scene.to_toml());
    const DrivenMotion first = *scene.build().model.obstacles[0].motion;
    const DrivenMotion second = *again.build().model.obstacles[0].motion;
    for (const double time : {0.0, 0.3, 2.7}) {
      EXPECT_EQ(jet_at(first.position, time).value, jet_at(second.position, time).value);
      EXPECT_EQ(jet_at(first.angle, time).value, jet_at(second.angle, time).value);
    }
    EXPECT_EQ(scene.to_toml(), again.to_toml());
  }
}

TEST(MotionKey, IsSetByAProgramAndByThePath) {
  Scene scene = Scene::parse(scene_with("{ kind = \"sine\", axis = [0, 0, 1], amplitude = 0.1, frequency = 8 }"));
  scene.set("plane.table.motion.amplitude=0.2");
  EXPECT_EQ(std::get<SineProfile>(scene.build().model.obstacles[0].motion->position).amplitude, 0.2);
  scene.set("plane.table.motion", {{"kind", "polynomial"}, {"axis", {1, 0, 0}}, {"position", {0.0, 1.0, 2.0}}});
  EXPECT_EQ(jet_at(scene.build().model.obstacles[0].motion->position, 1.0).value, 3.0);
}

TEST(MotionKey, SaysWhatIsWrong) {
  using Complaint = std::pair<Kind, std::string>;
  EXPECT_EQ(complaint_about("{ kind = \"sinus\", axis = [0, 0, 1], amplitude = 1, frequency = 1 }"),
            Complaint(Kind::unknown_name,
                      "plane.table.motion.kind: unknown kind 'sinus'; did you mean 'sine'? known: sine, polynomial, "
                      "table"));
  EXPECT_EQ(complaint_about("{ kind = \"sine\", axis = [0, 0, 0], amplitude = 1, frequency = 1 }"),
            Complaint(Kind::zero_normal, "plane.table.motion.axis is all zeros, expected a direction"));
  EXPECT_EQ(complaint_about("{ kind = \"sine\", axis = [0, 0, 1], amplitude = inf, frequency = 1 }").first,
            Kind::not_finite);
  EXPECT_EQ(complaint_about("{ kind = \"sine\", axis = [0, 0, 1], amplitude = 1, frequency = 0 }").first,
            Kind::out_of_range);
  EXPECT_EQ(complaint_about("{ kind = \"sine\", axis = [0, 0, 1], frequency = 1 }"),
            Complaint(Kind::missing_field,
                      "plane.table.motion neither slides nor turns, expected 'amplitude', 'angle_deg' or 'angle'"));
  EXPECT_EQ(
      complaint_about("{ kind = \"sine\", axis = [0, 0, 1], amplitude = 1, frequency = 1 }", "velocity = [0, 0, 1]\n"),
      Complaint(Kind::duplicate_name, "plane.table.motion is given beside 'velocity', expected only one of the two"));
  EXPECT_EQ(
      complaint_about("{ kind = \"table\", axis = [0, 0, 1], time = [0, 2, 1], position = [0, 1, 2] }"),
      Complaint(Kind::out_of_range, "plane.table.motion.time.2 is 1, expected more than 2 before it: times ascend"));
  EXPECT_EQ(complaint_about("{ kind = \"table\", axis = [0, 0, 1], time = [0, 1], position = [0, 1, 2] }"),
            Complaint(Kind::size_mismatch, "plane.table.motion.position has 3 numbers, expected 2 as 'time' has"));
  EXPECT_EQ(complaint_about("{ kind = \"table\", axis = [0, 0, 1], time = [0, 1, 2], position = [0, 1, 2], "
                            "ends = \"periodic\" }")
                .first,
            Kind::out_of_range);
  EXPECT_EQ(
      complaint_about("{ kind = \"sine\", axis = [0, 0, 1], amplitude = 1, frequency = 1, point = [0, 0, 0] }").first,
      Kind::unsupported);
}

class MotionFile : public testing::Test {
 protected:
  /// A scene beside a table with this text.
  Scene scene_beside(const std::string& table) {
    std::ofstream(folder_.file("shaker.csv")) << table;
    std::ofstream(folder_.file("scene.toml"))
        << scene_with("{ kind = \"table\", axis = [0, 0, 1], file = \"shaker.csv\" }");
    return Scene::read(folder_.file("scene.toml"));
  }
  InputError complaint_about_table(const std::string& table) {
    try {
      (void)scene_beside(table).build();
    } catch (const InputError& error) {
      return error;
    }
    return {Kind::usage, "", "none"};
  }

  test::ScratchFolder folder_;
};

TEST_F(MotionFile, HasItsColumnsByName) {
  const SceneFile scene =
      scene_beside("# shaker\nangle_deg, time, position\n0, 0, 0.5\r\n90, 1, 0.25\n\n0,3,0\n").build();
  const DrivenMotion& motion = *scene.model.obstacles[0].motion;
  EXPECT_NEAR(jet_at(motion.position, 1.0).value, 0.25, 1e-15);
  EXPECT_NEAR(jet_at(motion.angle, 1.0).value, 0.5 * std::numbers::pi, 1e-15);
}

TEST_F(MotionFile, WithoutNamesHasTimeAndPosition) {
  const SceneFile scene = scene_beside("0,0\n1,0.5\n2,0").build();
  EXPECT_NEAR(jet_at(scene.model.obstacles[0].motion->position, 1.0).value, 0.5, 1e-15);
  EXPECT_FALSE(scene.model.obstacles[0].motion->turns());
}

TEST_F(MotionFile, IsPartOfWhatARecordKeeps) {
  const Scene scene = scene_beside("time,angle_deg\n0,0\n1,45\n2,0\n");
  const Scene kept = Scene::parse(scene.text(), "elsewhere");
  EXPECT_TRUE(scene.settings().empty());
  for (const double time : {0.2, 1.0, 1.7})
    EXPECT_EQ(jet_at(kept.build().model.obstacles[0].motion->angle, time).value,
              jet_at(scene.build().model.obstacles[0].motion->angle, time).value);
}

TEST_F(MotionFile, ErrorsPointAtItsLine) {
  const InputError back = complaint_about_table("time,position\n0,0\n1,0.5\n0.5,0\n");
  EXPECT_EQ(back.kind(), Kind::out_of_range);
  EXPECT_EQ(back.place().line, 4);
  EXPECT_TRUE(back.place().file.ends_with("shaker.csv"));
  EXPECT_EQ(std::string(back.what()), "the time is 0.5, expected more than 1 of the row before: times ascend");
  EXPECT_EQ(complaint_about_table("time,positon\n0,0\n").kind(), Kind::unknown_name);
  EXPECT_EQ(complaint_about_table("position\n0\n").kind(), Kind::missing_field);
  EXPECT_EQ(complaint_about_table("0,0\n1,x\n").kind(), Kind::syntax);
  EXPECT_EQ(complaint_about_table("0,0\n1,1e999\n").kind(), Kind::not_finite);
  EXPECT_EQ(complaint_about_table("0,0\n1\n").kind(), Kind::size_mismatch);
  EXPECT_EQ(complaint_about_table("0,0\n").kind(), Kind::size_mismatch);
  EXPECT_EQ(complaint_about_table("").kind(), Kind::size_mismatch);
}

TEST_F(MotionFile, ThatIsNotThereIsNamed) {
  std::ofstream(folder_.file("scene.toml"))
      << scene_with("{ kind = \"table\", axis = [0, 0, 1], file = \"none.csv\" }");
  try {
    (void)Scene::read(folder_.file("scene.toml")).build();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), Kind::file);
    EXPECT_NE(std::string(error.what()).find("none.csv"), std::string::npos);
    EXPECT_EQ(error.place().line, 12);
  }
}

}  // namespace
}  // namespace carom::scene::motion_test
