/// What the check of records calls a fault, on records written by hand.

#include "soak/record/findings.h"

#include <gtest/gtest.h>

namespace carom::test {
namespace {

/// A ball that stands on a floor at two samples, a millimetre farther at the second.
soak::RecordedRun ball_at_rest_in_two_places() {
  soak::RecordedRun run;
  run.scene = R"(
format = 1
[world]
gravity = [0, 0, -9.81]
[[material]]
name = "stuff"
[[plane]]
name = "floor"
normal = [0, 0, 1]
point = [0, 0, 0]
material = "stuff"
[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.1 }
mass = 1
material = "stuff"
position = [0, 0, 0.1]
)";
  run.engine = "event";
  run.law = "newton";
  run.stop = "duration";
  run.objects = {"ball", "floor"};
  run.bodies = 1;
  run.time = {0.0, 0.01};
  for (const double x : {0.0, 1e-3})
    run.samples.push_back({{.position = Eigen::Vector3d(x, 0.0, 0.1),
                            .velocity = Eigen::Vector3d::Zero(),
                            .angular_velocity = Eigen::Vector3d::Zero(),
                            .orientation = Eigen::Quaterniond::Identity()}});
  for (const char* column :
       {"kinetic", "gravity", "springs", "loads", "contacts", "initial", "impacts", "damping", "cut_off",
        "contact_damping", "friction", "swallowed", "wall_work", "torque_work", "motor_work"})
    run.energy[column] = {0.0, 0.0};
  run.last_jump = {-1.0};
  return run;
}

TEST(SoakCheck, ABodyAtRestThatIsSomewhereElseAtTheNextSampleIsAFault) {
  const soak::Findings found = soak::find_faults(ball_at_rest_in_two_places());
  ASSERT_EQ(found.complaints.size(), 1u);
  EXPECT_EQ(found.complaints[0], "ball rests and moves, by 1.0e-02 of its size");
}

TEST(SoakCheck, ABodyThatWasStruckBetweenTwoSamplesMayRestAtBothInDifferentPlaces) {
  soak::RecordedRun run = ball_at_rest_in_two_places();
  run.last_jump = {0.005};
  EXPECT_TRUE(soak::find_faults(run).complaints.empty());
}

}  // namespace
}  // namespace carom::test
