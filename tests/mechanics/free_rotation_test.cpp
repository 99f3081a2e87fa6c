#include "carom/mechanics/free_rotation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/error.h"
#include "carom/base/random.h"
#include "mechanics/rotation_reference.h"
#include "support/property_cases.h"

namespace carom {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

TEST(FreeRotation, AgreesWithTightIntegrationOverTenRevolutions) {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const Vector3d J = random_inertia(random);
    const RotationState state = random_state(random);
    EXPECT_LT(distance_from_integration(J, state, 10.0 * revolution(state)), 1e-11) << J.transpose();
  }
}

TEST(FreeRotation, AgreesWithThirtyDigitSolutions) {
  struct Case {
    Vector3d inertia, spin;
    double time;
    Quaterniond attitude;
    Vector3d spin_after;
  };
  // Taylor series integration of q̇ = ½qω and Euler's equations at 40 digits (mpmath), q(0) = 1.
  const Case cases[] = {
      {{1.0, 2.0, 3.0},
       {0.5, 1.0, 0.25},
       12.0,
       {-0.19039288889561895, 0.958213554381927, -0.07372291088714264, 0.20035534549160586},
       {0.28618890052775486, -1.0807848598193421, 0.08042405690108148}},
      {{3.0, 1.0, 2.0},
       {0.25, 0.5, -1.0},
       12.0,
       {-0.5037274576365396, -0.07589023659398046, 0.7081118457146663, -0.4889549410439642},
       {-0.5811322901565491, 1.0371326896727278, -0.41755931795639906}},
      {{1.0, 2.0, 3.0},
       {9.5367431640625e-07, 1.0, 0.0},
       16.0,
       {-0.14549959764406226, 0.000903510898323718, 0.9893552769102112, -0.0022774554643376966},
       {0.00490013522092814, 0.9999879942657942, -0.002829094335288579}},
      {{1.0, 2.0, 3.0},
       {0.0, -1.0, 9.313225746154785e-10},
       16.0,
       {-0.145500033807363, 1.52795599553384e-06, -0.9893582466148833, 3.852976765374806e-06},
       {8.288412064494003e-06, -0.9999999999656511, 4.785317027217561e-06}},
      {{1.0, 1.0000000009313226, 1.5},
       {0.75, 0.5, 0.25},
       12.0,
       {0.5583720095376128, -0.08792069971288716, -0.3708291759498781, -0.7368693044165016},
       {-0.4456945855347022, 0.7834898447101389, 0.249999999096353}},
      {{1.0, 1.5, 1.5000000009313226},
       {1.52587890625e-05, 0.5, 0.25},
       12.0,
       {-0.9775047443603629, -3.366756323835269e-05, -0.1886495825499531, -0.09431759445196372},
       {1.5257392142588441e-05, 0.5000152571593736, 0.24996948335323546}},
  };
  for (const Case& c : cases) {
    const RotationState after = FreeRotation(c.inertia, {Quaterniond::Identity(), c.spin}).at(c.time);
    // Round-off of the initial spin is amplified at most 100 times here.
    EXPECT_LT(distance(after, {c.attitude, c.spin_after}), 2e-14) << c.inertia.transpose();
  }
}

TEST(FreeRotation, KeepsMomentumAndEnergyOverTenThousandRevolutions) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const Vector3d J = random_inertia(random);
    const RotationState initial = random_state(random);
    const FreeRotation motion(J, initial);
    const Vector3d momentum = initial.attitude * J.cwiseProduct(initial.angular_velocity);
    const double energy = 0.5 * initial.angular_velocity.dot(J.cwiseProduct(initial.angular_velocity));
    EXPECT_LT((motion.angular_momentum() - momentum).norm(), 16 * kEpsilon * momentum.norm());
    EXPECT_NEAR(motion.energy(), energy, 4 * kEpsilon * energy);
    for (int k = 0; k <= 200; ++k) {
      const RotationState state = motion.at(1e4 * revolution(initial) * random.uniform());
      const Vector3d L = state.attitude * J.cwiseProduct(state.angular_velocity);
      const double T = 0.5 * state.angular_velocity.dot(J.cwiseProduct(state.angular_velocity));
      EXPECT_LT((L - momentum).norm(), 2e-14 * momentum.norm()) << J.transpose();
      EXPECT_NEAR(T, energy, 2e-14 * energy) << J.transpose();
      EXPECT_NEAR(state.attitude.norm(), 1.0, 8 * kEpsilon);
    }
  }
}

TEST(FreeRotation, StartsAtItsInitialStateAndIsContinuous) {
  Random random(3);
  for (int i = 0; i < property_cases(200); ++i) {
    const Vector3d J = random_inertia(random);
    const RotationState initial = random_state(random);
    const FreeRotation motion(J, initial);
    EXPECT_LT((motion.at(0.0).attitude.coeffs() - initial.attitude.coeffs()).norm(), 1e-14);
    EXPECT_LT(distance(motion.at(0.0), initial), 1e-14);
    const double h = 1e-3 * revolution(initial);
    const double most = 0.51 * motion.max_angular_speed() * h;
    Quaterniond before = initial.attitude;
    for (int k = 1; k < 5000; ++k) {
      const Quaterniond after = motion.at(k * h).attitude;
      ASSERT_LT((after.coeffs() - before.coeffs()).norm(), most) << J.transpose() << ' ' << k;
      before = after;
    }
  }
}

TEST(FreeRotation, GoingOnFromAnIntermediateStateIsTheSameMotionForwardsAndBack) {
  Random random(4);
  for (int i = 0; i < 500; ++i) {
    const Vector3d J = random_inertia(random);
    const RotationState initial = random_state(random);
    const FreeRotation motion(J, initial);
    const double first = random.uniform(-20.0, 20.0) * revolution(initial);
    const double second = random.uniform(-20.0, 20.0) * revolution(initial);
    const FreeRotation continued(J, motion.at(first));
    EXPECT_EQ(continued.kind(), motion.kind());
    // Round-off of the state in between, amplified by the difference of frequencies times the time.
    EXPECT_LT(distance(continued.at(second), motion.at(first + second)), 1e-11) << J.transpose();
    EXPECT_LT(distance(continued.at(-first), initial), 1e-11) << J.transpose();
  }
}

TEST(FreeRotation, AttitudeMovesWithTheAngularVelocity) {
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const Vector3d J = random_inertia(random);
    const RotationState initial = random_state(random);
    const FreeRotation motion(J, initial);
    const double t = random.uniform(-1e3, 1e3) * revolution(initial);
    const double h = 1e-3 / motion.max_angular_speed();
    const Eigen::Vector4d slope = (motion.at(t - 2 * h).attitude.coeffs() - 8.0 * motion.at(t - h).attitude.coeffs() +
                                   8.0 * motion.at(t + h).attitude.coeffs() - motion.at(t + 2 * h).attitude.coeffs()) /
                                  (12.0 * h);
    const RotationState now = motion.at(t);
    const Vector3d spin = 2.0 * (now.attitude.conjugate() * Quaterniond(slope)).vec();
    // Round-off of t, ε·2π·1e3, over h.
    EXPECT_LT((spin - now.angular_velocity).norm(), 1e-8 * motion.max_angular_speed()) << J.transpose();
  }
}

TEST(FreeRotation, SphereAndSpheroidFollowTheirFormulas) {
  const RotationState initial{Quaterniond(0.5, 0.5, -0.5, 0.5), {0.3, -0.7, 1.1}};
  const double t = 17.0;
  const FreeRotation sphere({2.0, 2.0, 2.0}, initial);
  EXPECT_EQ(sphere.kind(), FreeRotation::Kind::uniform);
  const double rate = initial.angular_velocity.norm();
  const RotationState turned{initial.attitude * Quaterniond(AngleAxisd(rate * t, initial.angular_velocity / rate)),
                             initial.angular_velocity};
  EXPECT_LT(distance(sphere.at(t), turned), 1e-14);

  for (int s = 0; s < 3; ++s) {
    Vector3d J(500.0, 500.0, 500.0);
    J[s] = 200.0;
    const FreeRotation spheroid(J, initial);
    EXPECT_EQ(spheroid.kind(), FreeRotation::Kind::spheroid);
    const Vector3d L = initial.attitude * J.cwiseProduct(initial.angular_velocity);
    const double spin = initial.angular_velocity[s] * (1.0 - 200.0 / 500.0);
    const Quaterniond attitude = Quaterniond(AngleAxisd(L.norm() * t / 500.0, L.normalized())) * initial.attitude *
                                 Quaterniond(AngleAxisd(spin * t, Vector3d::Unit(s)));
    const Vector3d w = (attitude.conjugate() * L).cwiseQuotient(J);
    EXPECT_LT(distance(spheroid.at(t), {attitude, w}), 2e-14) << s;
  }
}

TEST(FreeRotation, BoundsAreTheMaximaOfSpeedAndAcceleration) {
  Random random(6);
  for (int i = 0; i < 300; ++i) {
    const Vector3d J = random_inertia(random);
    const RotationState initial = random_state(random);
    const FreeRotation motion(J, initial);
    double speed = 0.0;
    double acceleration = 0.0;
    for (int k = 0; k < 2000; ++k) {
      const Vector3d w = motion.at(0.05 * k * revolution(initial)).angular_velocity;
      speed = std::max(speed, w.norm());
      acceleration = std::max(acceleration, euler(J, w).norm());
    }
    EXPECT_LE(speed, motion.max_angular_speed()) << J.transpose();
    EXPECT_LE(acceleration, motion.max_angular_acceleration()) << J.transpose();
    EXPECT_GT(speed, 0.99 * motion.max_angular_speed()) << J.transpose();
    EXPECT_GE(acceleration, 0.99 * motion.max_angular_acceleration()) << J.transpose();
    const double kappa =
        std::max({std::abs(J[1] - J[2]) / J[0], std::abs(J[2] - J[0]) / J[1], std::abs(J[0] - J[1]) / J[2]});
    const double fastest2 = 2.0 * motion.energy() / J.minCoeff();
    EXPECT_LE(motion.max_angular_speed(), 1.0000001 * std::sqrt(fastest2));
    EXPECT_LE(motion.max_angular_acceleration(), 1.0000001 * kappa * fastest2 / std::sqrt(3.0));
  }
}

TEST(FreeRotation, RefusesImpossibleInertias) {
  const auto kind_of = [](const Vector3d& J, const RotationState& state) {
    try {
      const FreeRotation motion(J, state);
    } catch (const InputError& error) {
      return error.kind();
    }
    return Kind::usage;
  };
  EXPECT_EQ(kind_of({1.0, 0.0, 1.0}, {}), Kind::out_of_range);
  EXPECT_EQ(kind_of({1.0, 1.0, -1.0}, {}), Kind::out_of_range);
  EXPECT_EQ(kind_of({1.0, 1.0, std::numeric_limits<double>::infinity()}, {}), Kind::not_finite);
  EXPECT_EQ(kind_of({1.0, 1.0, 1.0}, {Quaterniond::Identity(), {0.0, std::nan(""), 0.0}}), Kind::not_finite);
}

}  // namespace
}  // namespace carom
