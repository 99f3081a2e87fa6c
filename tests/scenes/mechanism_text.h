#pragma once
/// Texts of scenes with joints, put together for tests: thin uniform bars in the plane z = 0, hinges about z, and how
/// far joints are off during a run.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "carom/mechanics/joint_rows.h"
#include "scenes/scene_run.h"

namespace carom::test {

using Eigen::Vector2d;

inline constexpr double kGravity = 9.81;
inline constexpr const char* kLaws[] = {"newton", "poisson", "geometric", "compliant", "sequential"};

/// The head of a scene with gravity −y.
inline std::string mechanism(double gravity, double duration, const std::string& law = "newton") {
  return fmt::format("format = 1\n[world]\ngravity = [0, {}, 0]\n[run]\nduration = {}\noutput_step = {}\nlaw = '{}'\n",
                     -gravity, duration, duration / 50.0, law);
}

/// A thin uniform bar between two points, turning at a rate, its centre moving.
struct Bar {
  std::string name;
  Vector2d from, to;
  double mass = 1.0;
  double rate = 0.0;
  Vector2d velocity = Vector2d::Zero();
  double inertia = -1.0;  ///< about z through the centre; negative: that of a thin bar
};

inline std::string text_of(const Bar& bar) {
  const Vector2d along = bar.to - bar.from, centre = 0.5 * (bar.from + bar.to);
  const double length = along.norm(), angle = std::atan2(along.y(), along.x());
  const double across = bar.inertia < 0.0 ? bar.mass * length * length / 12.0 : bar.inertia;
  // The capsule's axis z lies along the bar, its y axis along the world's z.
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()) *
                                Eigen::AngleAxisd(0.5 * M_PI, Eigen::Vector3d::UnitY()) *
                                Eigen::AngleAxisd(0.5 * M_PI, Eigen::Vector3d::UnitZ()));
  return fmt::format(
      "[[body]]\nname = '{}'\nshape = {{ kind = 'capsule', radius = {}, half_length = {} }}\nmass = {}\n"
      "inertia = [{}, {}, {}]\nposition = [{}, {}, 0]\norientation = {{ quaternion = [{}, {}, {}, {}] }}\n"
      "velocity = [{}, {}, 0]\nangular_velocity = [0, 0, {}]\n",
      bar.name, 0.01 * length, 0.5 * length, bar.mass, across, across, 0.01 * across, centre.x(), centre.y(), turn.w(),
      turn.x(), turn.y(), turn.z(), bar.velocity.x(), bar.velocity.y(), bar.rate);
}

/// `bodies` as in the file: 'one', or 'one', 'two'.
inline std::string hinge(const std::string& name, const std::string& bodies, const Vector2d& at) {
  return fmt::format(
      "[[joint]]\nname = '{}'\nkind = 'revolute'\nbodies = [{}]\npoint = [{}, {}, 0]\naxis = [0, 0, 1]\n", name, bodies,
      at.x(), at.y());
}

/// Angle of a body about z since the start, within half a turn.
inline double turned(const SceneRun& run, const std::string& name) {
  std::size_t body = 0;
  while (run.scene.model.bodies[body].name != name) ++body;
  const Eigen::Quaterniond turn = run.body(name).orientation * run.scene.state.bodies[body].orientation.conjugate();
  return std::remainder(2.0 * std::atan2(turn.z(), turn.w()), 2.0 * M_PI);
}

/// Ends the text of a body that meets no other one.
inline const std::string kAlone = "groups = ['apart']\navoid = ['apart']\n";

inline double turn_at_end(const SceneRun& run, int joint) {
  return run.result.final_state.turns[JointIndex(joint)][0];
}

/// The largest residual of a joint over all samples, relative to its size.
inline double largest_joint_error(const SceneRun& run) {
  const JointKinematics kinematics(run.scene.model);
  double largest = 0.0;
  std::vector<JointRow> rows;
  for (const State& sample : run.samples) {
    for (const JointIndex joint : run.scene.model.joints.indices()) {
      rows.clear();
      kinematics.append_rows(
          joint,
          kinematics.states(
              joint, sample.time, [&](BodyIndex body) -> const BodyState& { return sample.bodies[body]; },
              [&](JointIndex other) -> const JointTurns& { return sample.turns[other]; }),
          rows);
      for (const JointRow& row : rows) largest = std::max(largest, std::abs(row.residual) / kinematics.size(joint));
    }
  }
  return largest;
}

/// That it ended, that its energy balance closes, and that joints hold.
inline void expect_held(const SceneRun& run) {
  expect_ended(run);
  EXPECT_LE(largest_joint_error(run), 1e-10);
}

}  // namespace carom::test
