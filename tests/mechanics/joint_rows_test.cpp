#include "carom/mechanics/joint_rows.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>

#include "mechanics/joint_models.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

std::vector<BodyState> all_moved(const std::vector<BodyState>& bodies, double time) {
  std::vector<BodyState> later;
  for (const BodyState& body : bodies) later.push_back(moved(body, time));
  return later;
}

/// d/dt of a function of the states along constant velocities, by differences of fourth order.
template <class Function>
double rate_along(const std::vector<BodyState>& bodies, const Function& function) {
  const double h = 1e-3;
  return (8.0 * (function(all_moved(bodies, h)) - function(all_moved(bodies, -h))) -
          (function(all_moved(bodies, 2.0 * h)) - function(all_moved(bodies, -2.0 * h)))) /
         (12.0 * h);
}

std::vector<JointRow> rows_at(const JointKinematics& kinematics, JointIndex joint, const std::vector<BodyState>& bodies,
                              const std::vector<JointTurns>& turns = {}) {
  std::vector<JointRow> rows;
  kinematics.append_rows(joint, states_of(kinematics, joint, bodies, turns), rows);
  return rows;
}

TEST(JointRows, AreTheRatesOfResidualsAndTheirBiasesTheRatesOfThese) {
  RandomMotions random(7);
  for (const JointKind kind : kHoldingKinds) {
    const Model model = joined_pair(kind, random);
    const JointKinematics kinematics(model);
    const std::vector<BodyState> bodies{random.state(), random.state()};
    const std::vector<JointRow> rows = rows_at(kinematics, 0, bodies);
    const JointStates states = states_of(kinematics, 0, bodies);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const double rate = rate_along(bodies, [&](const auto& at) { return rows_at(kinematics, 0, at)[r].residual; });
      EXPECT_NEAR(rate_of(rows[r], states), rate, 1e-9) << joint_kind_name(kind) << " row " << r;
      const double bias = rate_along(
          bodies, [&](const auto& at) { return rate_of(rows_at(kinematics, 0, at)[r], states_of(kinematics, 0, at)); });
      EXPECT_NEAR(rows[r].bias, bias, 1e-9) << joint_kind_name(kind) << " row " << r;
    }
  }
}

TEST(JointRows, AreAsManyAsTheKindKeeps) {
  RandomMotions random(8);
  const int expected[] = {3, 5, 4, 5, 4, 6, 1};
  for (std::size_t k = 0; k < std::size(kHoldingKinds); ++k) {
    const Model model = joined_pair(kHoldingKinds[k], random);
    const JointKinematics kinematics(model);
    EXPECT_EQ(rows_at(kinematics, 0, {random.state(), random.state()}).size(), expected[k]);
  }
}

TEST(JointRows, VanishWhereTheBodiesAreAsTheJointAllows) {
  RandomMotions random(9);
  for (const JointKind kind : {JointKind::spherical, JointKind::revolute, JointKind::universal, JointKind::prismatic,
                               JointKind::cylindrical, JointKind::fixed}) {
    const Model model = joined_pair(kind, random);
    const JointKinematics kinematics(model);
    const JointTurns turns = turn_count(kind) > 0 ? JointTurns{2.0, -1.0} : JointTurns{};
    const double shift = has_shift(kind) ? 0.8 : model.joints[0].shift;
    const BodyState second = random.state();
    const std::vector<BodyState> bodies{placed_first(model.joints[0], second, turns, shift), second};
    for (const JointRow& row : rows_at(kinematics, 0, bodies)) EXPECT_NEAR(row.residual, 0.0, 1e-14);
  }
}

TEST(JointCoordinates, AreTurnsAndShiftsOfTheFirstBodyAgainstTheSecond) {
  RandomMotions random(10);
  for (const JointKind kind : {JointKind::revolute, JointKind::universal, JointKind::cylindrical}) {
    const Model model = joined_pair(kind, random);
    const JointKinematics kinematics(model);
    const BodyState second = random.state();
    for (const double angle : {-3.0, 0.4, 3.1}) {
      const std::vector<BodyState> bodies{placed_first(model.joints[0], second, {angle, -0.5 * angle}, 0.3), second};
      const JointStates states = states_of(kinematics, 0, bodies);
      const JointTurns turns = kinematics.turns(0, states);
      EXPECT_NEAR(turns[0], angle, 1e-14);
      if (kind == JointKind::universal) {
        EXPECT_NEAR(turns[1], -0.5 * angle, 1e-14);
      }
      if (has_shift(kind)) {
        EXPECT_NEAR(kinematics.coordinate(0, 0, states), 0.3, 1e-14);
      }
    }
  }
}

TEST(JointCoordinates, CountWholeTurns) {
  RandomMotions random(11);
  const Model model = joined_pair(JointKind::revolute, random);
  const JointKinematics kinematics(model);
  const BodyState second = random.state();
  double near = 0.0;
  for (double angle = 0.0; angle > -50.0; angle -= 2.9) {
    const std::vector<BodyState> bodies{placed_first(model.joints[0], second, {angle, 0.0}, 0.1), second};
    near = kinematics.turns(0, states_of(kinematics, 0, bodies, {{near, 0.0}}))[0];
    EXPECT_NEAR(near, angle, 1e-12);
  }
}

/// A motion that the joint allows: any of the second body, and the first turning and shifting against it.
std::vector<BodyState> allowed_motion(const Joint& joint, const BodyState& second, RandomMotions& random) {
  const JointTurns turns = turn_count(joint.kind) > 0 ? JointTurns{0.7, -1.1} : JointTurns{};
  const double shift = has_shift(joint.kind) ? 0.4 : joint.shift;
  std::vector<BodyState> bodies{placed_first(joint, second, turns, shift), second};
  const Eigen::Quaterniond base = second.orientation * joint.ends[1].frame;
  const Vector3d axis = base * Vector3d::UnitZ();
  Vector3d spin = random.number() * axis;
  if (joint.kind == JointKind::universal)
    spin += random.number() * (bodies[0].orientation * joint.ends[0].frame * Vector3d::UnitX());
  bodies[0].angular_velocity = second.angular_velocity + (turn_count(joint.kind) > 0 ? spin : Vector3d::Zero());
  const Vector3d anchor = bodies[0].position + bodies[0].orientation * joint.ends[0].point;
  const Vector3d velocity = second.velocity + second.angular_velocity.cross(anchor - second.position) +
                            (has_shift(joint.kind) ? random.number() : 0.0) * axis;
  bodies[0].velocity = velocity - bodies[0].angular_velocity.cross(anchor - bodies[0].position);
  return bodies;
}

TEST(JointCoordinates, HaveTheRatesOfTheirRows) {
  RandomMotions random(12);
  for (const JointKind kind :
       {JointKind::revolute, JointKind::universal, JointKind::cylindrical, JointKind::prismatic}) {
    const Model model = joined_pair(kind, random);
    const JointKinematics kinematics(model);
    const std::vector<BodyState> bodies = allowed_motion(model.joints[0], random.state(), random);
    const JointStates states = states_of(kinematics, 0, bodies);
    for (const JointRow& row : rows_at(kinematics, 0, bodies)) EXPECT_NEAR(rate_of(row, states), 0.0, 1e-14);
    for (int k = 0; k < coordinate_count(kind); ++k) {
      const double rate = rate_along(bodies, [&](const auto& at) {
        return kinematics.coordinate(0, k, states_of(kinematics, 0, at, {{0.7, -1.1}}));
      });
      EXPECT_NEAR(rate_of(kinematics.coordinate_row(0, k, states), states), rate, 1e-9);
      const double bias = rate_along(bodies, [&](const auto& at) {
        const JointStates there = states_of(kinematics, 0, at);
        return rate_of(kinematics.coordinate_row(0, k, there), there);
      });
      EXPECT_NEAR(kinematics.coordinate_row(0, k, states).bias, bias, 1e-9);
    }
  }
}

TEST(JointRows, AMotorAsksForItsMotion) {
  RandomMotions random(14);
  for (const JointKind kind : {JointKind::revolute, JointKind::prismatic}) {
    Model model = joined_pair(kind, random);
    model.joints[0].drives[0].motor.position = PolynomialProfile{{0.2, 0.3, 0.5}};  // 0.2 + 0.3 t + 0.5 t²
    const JointKinematics kinematics(model);
    const std::vector<BodyState> bodies = allowed_motion(model.joints[0], random.state(), random);
    JointStates states = states_of(kinematics, 0, bodies, {{0.7, 0.0}});
    states.time = 2.0;
    std::vector<JointRow> rows;
    kinematics.append_rows(0, states, rows);
    ASSERT_EQ(rows.size(), 6u);
    const double unit = kind == JointKind::prismatic ? 1.0 : kinematics.size(0);
    const JointRow plain = kinematics.coordinate_row(0, 0, states);
    EXPECT_TRUE(rows[5].motor);
    EXPECT_NEAR(rows[5].residual, unit * (kinematics.coordinate(0, 0, states) - 2.8), 1e-14);
    EXPECT_NEAR(rate_of(rows[5], states), unit * (rate_of(plain, states) - 2.3), 1e-14);
    EXPECT_NEAR(rows[5].bias, unit * (plain.bias - 1.0), 1e-14);
  }
}

/// All rows of a joint as a matrix over the velocities of body 0 and body 1.
Eigen::MatrixXd matrix_of(const JointKinematics& kinematics, const std::vector<BodyState>& bodies) {
  const std::vector<JointRow> rows = rows_at(kinematics, 0, bodies);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.size()), 12);
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t side = 0; side < 2; ++side) {
      const int body = kinematics.bodies(0)[side];
      matrix.row(static_cast<Eigen::Index>(r)).segment<3>(6 * body) = rows[r].sides[side].linear;
      matrix.row(static_cast<Eigen::Index>(r)).segment<3>(6 * body + 3) = rows[r].sides[side].angular;
    }
  return matrix;
}

TEST(JointRows, KeepTheSameWhicheverBodyIsNamedFirst) {
  RandomMotions random(13);
  for (const JointKind kind :
       {JointKind::spherical, JointKind::revolute, JointKind::prismatic, JointKind::cylindrical, JointKind::fixed}) {
    const Model model = joined_pair(kind, random);
    Model exchanged = model;
    std::swap(exchanged.joints[0].ends[0], exchanged.joints[0].ends[1]);
    exchanged.joints[0].shift = -model.joints[0].shift;
    const JointKinematics kinematics(model), other(exchanged);
    const std::vector<BodyState> bodies = allowed_motion(model.joints[0], random.state(), random);
    const Eigen::MatrixXd one = matrix_of(kinematics, bodies), two = matrix_of(other, bodies);
    Eigen::MatrixXd both(one.rows() + two.rows(), 12);
    both << one, two;
    Eigen::FullPivLU<Eigen::MatrixXd> factors(both);
    factors.setThreshold(1e-12);
    EXPECT_EQ(factors.rank(), one.rows()) << joint_kind_name(kind);
    const JointStates states = states_of(kinematics, 0, bodies), swapped = states_of(other, 0, bodies);
    EXPECT_NEAR(kinematics.turns(0, states)[0], -other.turns(0, swapped)[0], 1e-14);
    if (has_shift(kind)) {
      EXPECT_NEAR(kinematics.coordinate(0, 0, states), -other.coordinate(0, 0, swapped), 1e-14);
    }
  }
}

/// A wheel on the ground and one on a carrier that turns on the ground, geared.
struct Gears {
  Model model;
  std::vector<BodyState> bodies;
  std::vector<JointTurns> turns;
};

Gears planetary(double ratio, double first, double second) {
  Gears gears;
  for (const char* name : {"sun", "carrier", "planet"})
    gears.model.bodies.push_back(homogeneous_body(name, Cylinder{0.2, 0.05}, 1.0));
  const auto hinge = [&](const char* name, BodyIndex body, BodyIndex base, const Vector3d& point) {
    Joint joint;
    joint.name = name;
    joint.kind = JointKind::revolute;
    joint.ends = {JointEnd{body, Vector3d::Zero()}, JointEnd{base, point}};
    gears.model.joints.push_back(joint);
  };
  hinge("sun", 0, kNone, Vector3d::Zero());
  hinge("planet", 2, 1, {0.5, 0.0, 0.0});
  hinge("carrier", 1, kNone, Vector3d::Zero());
  Joint gear;
  gear.name = "teeth";
  gear.kind = JointKind::gear;
  gear.geared = {0, 1};
  gear.ratio = ratio;
  gears.model.joints.push_back(gear);
  gears.bodies.resize(3);
  const auto spin = [&](std::size_t body, double angle, double rate) {
    gears.bodies[body].orientation = rotation_by(angle * Vector3d::UnitZ());
    gears.bodies[body].angular_velocity = rate * Vector3d::UnitZ();
  };
  spin(0, first, 3.0);
  spin(1, 0.3, -1.5);
  spin(2, 0.3 + second, -1.5 + 3.0 / ratio);
  gears.bodies[2].position = gears.bodies[1].orientation * Vector3d(0.5, 0.0, 0.0);
  gears.turns = {{first - 0.1, 0.0}, {second + 0.1, 0.0}, {0.3, 0.0}, {}};
  return gears;
}

TEST(Gear, KeepsTheRatioOfTwoTurnsOverWholeOnes) {
  const Gears gears = planetary(-2.5, -25.0, 10.0);
  const JointKinematics kinematics(gears.model);
  ASSERT_EQ(kinematics.bodies(3).size(), 4u);
  const JointRow row = rows_at(kinematics, 3, gears.bodies, gears.turns)[0];
  EXPECT_NEAR(row.residual, 0.0, 1e-14);
  EXPECT_NEAR(rate_of(row, states_of(kinematics, 3, gears.bodies, gears.turns)), 0.0, 1e-14);
  const Gears off = planetary(-2.5, -25.0 + 0.01, 10.0);
  EXPECT_NEAR(rows_at(kinematics, 3, off.bodies, off.turns)[0].residual, 0.01 * kinematics.size(3), 1e-14);
}

}  // namespace
}  // namespace carom::test
