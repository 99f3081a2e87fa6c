#include "carom/mechanics/attitude.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "carom/base/error.h"
#include "carom/base/random.h"

namespace carom {
namespace {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kPi = std::numbers::pi;

Matrix3d bryan_matrix(const BryanAngles& b) {
  return (AngleAxisd(b.psi, Vector3d::UnitX()) * AngleAxisd(b.theta, Vector3d::UnitY()) *
          AngleAxisd(b.phi, Vector3d::UnitZ()))
      .toRotationMatrix();
}

double difference(const Matrix3d& a, const Matrix3d& b) {
  return (a - b).lpNorm<Eigen::Infinity>();
}

template <class Function>
void expect_error(const Function& function, Kind kind) {
  try {
    function();
    ADD_FAILURE() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), kind);
    EXPECT_EQ(error.place().field, "body.0.orientation");
  }
}

TEST(Attitude, BryanAnglesTurnAboutXThenYThenZ) {
  const double degree = kPi / 180.0;
  const BryanAngles worked_example{45.0 * degree, 30.0 * degree, 90.0 * degree};
  const Matrix3d a = attitude_from_bryan(worked_example).toRotationMatrix();
  EXPECT_LT(difference(a, bryan_matrix(worked_example)), 1e-15);
  // a13 = sin θ, a12 = −cos θ sin φ, a23 = −sin ψ cos θ.
  EXPECT_NEAR(a(0, 2), 0.5, 1e-15);
  EXPECT_NEAR(a(0, 1), -std::sqrt(3.0) / 2.0, 1e-15);
  EXPECT_NEAR(a(1, 2), -std::sqrt(6.0) / 4.0, 1e-15);
}

TEST(Attitude, BryanAnglesReadBackAsTheyWentIn) {
  Random random(1);
  for (int i = 0; i < 5000; ++i) {
    const BryanAngles in{random.uniform(-kPi, kPi), random.uniform(-1.5, 1.5), random.uniform(-kPi, kPi)};
    Quaterniond q = attitude_from_bryan(in);
    if (i % 2 == 1) q.coeffs() *= -1.0;
    const BryanAngles out = bryan_angles(q);
    // Round-off of the angles grows as 1/cos θ ≤ 15.
    EXPECT_NEAR(out.psi, in.psi, 2e-14);
    EXPECT_NEAR(out.theta, in.theta, 2e-14);
    EXPECT_NEAR(out.phi, in.phi, 2e-14);
  }
}

TEST(Attitude, ReadBackAgreesWithTheFormulasOnTheMatrix) {
  Random random(2);
  for (int i = 0; i < 2000; ++i) {
    const Quaterniond q =
        Quaterniond{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}
            .normalized();
    const Matrix3d a = q.toRotationMatrix();
    const BryanAngles out = bryan_angles(q);
    const double cosine = std::hypot(a(0, 0), a(0, 1));
    EXPECT_NEAR(out.theta, std::atan2(a(0, 2), cosine), 1e-14);
    EXPECT_NEAR(std::remainder(out.psi - std::atan2(-a(1, 2), a(2, 2)), 2.0 * kPi), 0.0, 1e-14 / cosine);
    EXPECT_NEAR(std::remainder(out.phi - std::atan2(-a(0, 1), a(0, 0)), 2.0 * kPi), 0.0, 1e-14 / cosine);
    EXPECT_LE(std::abs(out.psi), kPi);
    EXPECT_LE(std::abs(out.phi), kPi);
  }
}

TEST(Attitude, TheMatrixSurvivesTheRoundTripThroughTheLock) {
  Random random(3);
  for (int i = 0; i < 5000; ++i) {
    const double distance = i % 5 == 0 ? 0.0 : std::pow(10.0, random.uniform(-18.0, -1.0));
    const double side = i % 2 == 0 ? 1.0 : -1.0;
    const BryanAngles in{random.uniform(-kPi, kPi), side * (kPi / 2.0 - distance), random.uniform(-kPi, kPi)};
    const Quaterniond q = attitude_from_bryan(in);
    const BryanAngles out = bryan_angles(q);
    EXPECT_LT(difference(bryan_matrix(out), q.toRotationMatrix()), 3e-14) << distance;
  }
}

TEST(Attitude, AtTheLockPhiIsZeroAndPsiTakesAll) {
  for (const double side : {1.0, -1.0}) {
    const Quaterniond q = attitude_from_bryan({0.4, side * kPi / 2.0, 0.3});
    const Matrix3d a = q.toRotationMatrix();
    const BryanAngles out = bryan_angles(q);
    EXPECT_EQ(out.theta, side * kPi / 2.0);
    EXPECT_EQ(out.phi, 0.0);
    EXPECT_NEAR(out.psi, 0.4 + side * 0.3, 1e-15);
    EXPECT_NEAR(out.psi, std::atan2(a(2, 1), a(1, 1)), 1e-15);
  }
}

TEST(Attitude, RateMatrixGivesTheAngularVelocityOfTheBody) {
  const BryanAngles b{0.3, -0.7, 1.9};
  const Vector3d rate(0.5, -0.2, 0.8);
  const double h = 1e-4;
  const auto at = [&](double t) {
    return attitude_from_bryan({b.psi + rate[0] * t, b.theta + rate[1] * t, b.phi + rate[2] * t});
  };
  // 2 q̄ q̇ by a central difference: error h²/6 times a third derivative of order one.
  const Quaterniond before = at(-h);
  const Quaterniond after = at(h);
  const Quaterniond slope(Eigen::Vector4d((after.coeffs() - before.coeffs()) / (2.0 * h)));
  const Vector3d spin = 2.0 * (at(0.0).conjugate() * slope).vec();
  EXPECT_LT((spin - bryan_rate_matrix(b) * rate).norm(), 1e-8);
}

TEST(Attitude, RotationByAVectorTurnsByItsLength) {
  const Vector3d v(0.3, -0.4, 1.2);
  EXPECT_LT(difference(rotation_by(v).toRotationMatrix(), AngleAxisd(1.3, v / 1.3).toRotationMatrix()), 1e-15);
  EXPECT_EQ(rotation_by(Vector3d::Zero()).w(), 1.0);
  EXPECT_NEAR(rotation_by({1e-200, 0.0, 0.0}).x(), 0.5e-200, 1e-215);
}

TEST(Attitude, QuaternionsAreBroughtToUnitLengthOnlyWhenNearlySo) {
  const std::string field = "body.0.orientation";
  const Quaterniond nearly(1.0 + 0.9e-6, 0.0, 0.0, 0.0);
  EXPECT_EQ(checked_attitude(nearly, field).w(), 1.0);
  expect_error([&] { checked_attitude(Quaterniond(1.0 + 1.1e-6, 0.0, 0.0, 0.0), field); }, Kind::out_of_range);
  expect_error([&] { checked_attitude(Quaterniond(0.0, 0.0, 0.0, 0.0), field); }, Kind::out_of_range);
  expect_error([&] { checked_attitude(Quaterniond(1e200, 1e200, 0.0, 0.0), field); }, Kind::out_of_range);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_error([&] { checked_attitude(Quaterniond(1.0, nan, 0.0, 0.0), field); }, Kind::not_finite);
  expect_error([&] { attitude_from_bryan({0.0, nan, 0.0}, field); }, Kind::not_finite);
}

}  // namespace
}  // namespace carom
