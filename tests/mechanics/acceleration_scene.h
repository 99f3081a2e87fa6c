#pragma once
/// Acceleration problems that own their numbers, and the check of any answer.

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <span>
#include <vector>

#include "carom/mechanics/contact_dynamics.h"
#include "carom/mechanics/impact_problem.h"

namespace carom::test {

using Eigen::Vector3d;

inline constexpr double kGravity = 9.81;

/// A problem that owns its numbers. For one rigid body v is the velocity of its centre and the angular velocity.
struct Scene {
  Matrix metric, constraints, normals, tangents;
  Vector force, constraint_bias, normal_bias, tangent_bias;
  std::vector<int> tangent_contact;

  explicit Scene(int n) : constraints(0, n), normals(0, n), tangents(0, n) {
    metric = Matrix::Identity(n, n);
    force = Vector::Zero(n);
  }
  static Scene rigid_body(double mass, const Vector3d& inertia) {
    Scene scene(6);
    scene.metric.diagonal() << mass, mass, mass, inertia[0], inertia[1], inertia[2];
    scene.force[2] = -mass * kGravity;
    return scene;
  }
  static void append(Matrix& rows, Vector& biases, const Vector& row, double bias) {
    rows.conservativeResize(rows.rows() + 1, row.size());
    rows.row(rows.rows() - 1) = row;
    biases.conservativeResize(rows.rows());
    biases[rows.rows() - 1] = bias;
  }
  /// The velocity, along `direction`, of the point at `arm` from the centre.
  static Vector point_row(const Vector3d& arm, const Vector3d& direction) {
    Vector row(6);
    row << direction, arm.cross(direction);
    return row;
  }
  int contact(const Vector& row, double bias = 0.0) {
    append(normals, normal_bias, row, bias);
    return static_cast<int>(normals.rows()) - 1;
  }
  void stick(int contact_index, const Vector& row, double bias = 0.0) {
    append(tangents, tangent_bias, row, bias);
    tangent_contact.push_back(contact_index);
  }
  void constrain(const Vector& row, double bias = 0.0) { append(constraints, constraint_bias, row, bias); }
  /// A contact of a rigid body, rough or smooth.
  int touch(const Vector3d& arm, const Vector3d& normal, bool rough) {
    const int index = contact(point_row(arm, normal));
    if (rough) {
      const Vector3d first = normal.unitOrthogonal();
      stick(index, point_row(arm, first));
      stick(index, point_row(arm, normal.cross(first)));
    }
    return index;
  }
  [[nodiscard]] AccelerationProblem problem() const {
    AccelerationProblem p;
    p.n = static_cast<int>(metric.rows());
    p.metric = metric.data();
    p.force = force.data();
    p.constraints = static_cast<int>(constraints.rows());
    p.constraint_rows = constraints.data();
    p.constraint_bias = constraint_bias.data();
    p.contacts = static_cast<int>(normals.rows());
    p.normal_rows = normals.data();
    p.normal_bias = normal_bias.data();
    p.tangents = static_cast<int>(tangents.rows());
    p.tangent_rows = tangents.data();
    p.tangent_bias = tangent_bias.data();
    p.tangent_contact = tangent_contact.data();
    return p;
  }
};

inline Eigen::Map<const Vector> as_vector(std::span<const double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

/// Newton's law with the forces returned, and the conditions of every contact.
inline void expect_balanced(const Scene& scene, const ContactDynamics& dynamics, double tolerance) {
  const auto v = as_vector(dynamics.acceleration());
  Vector missing = scene.metric * v - scene.force;
  missing -= scene.constraints.transpose() * as_vector(dynamics.constraint_force());
  missing -= scene.normals.transpose() * as_vector(dynamics.normal_force());
  missing -= scene.tangents.transpose() * as_vector(dynamics.tangential_force());
  EXPECT_LT(missing.cwiseAbs().maxCoeff(), tolerance * std::max(1.0, scene.force.norm()));
  for (int k = 0; k < scene.constraints.rows(); ++k)
    EXPECT_NEAR(scene.constraints.row(k).dot(v) + scene.constraint_bias[k], 0.0, tolerance);
  for (int i = 0; i < scene.normals.rows(); ++i) {
    const double opening = scene.normals.row(i).dot(v) + scene.normal_bias[i];
    EXPECT_NEAR(dynamics.gap_acceleration()[i], opening, tolerance);
    EXPECT_GE(opening, -tolerance);
    EXPECT_GE(dynamics.normal_force()[i], 0.0);
    EXPECT_LT(std::min(opening, dynamics.normal_force()[i]), tolerance);
    EXPECT_FALSE(dynamics.presses(i) && dynamics.opens(i));
  }
  for (int j = 0; j < scene.tangents.rows(); ++j) {
    if (dynamics.opens(scene.tangent_contact[j]) || dynamics.slides(scene.tangent_contact[j])) {
      EXPECT_EQ(dynamics.tangential_force()[j], 0.0);
    } else {
      EXPECT_NEAR(scene.tangents.row(j).dot(v) + scene.tangent_bias[j], 0.0, tolerance);
    }
  }
}

}  // namespace carom::test
