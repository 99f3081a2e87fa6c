#pragma once
/// Small models for the tests of the compliant engine.

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "carom/engine/run.h"
#include "carom/engine/smooth/smooth_engine.h"

namespace carom::test {

struct SmoothScene {
  Model model;
  State state;
  SmoothOptions options;
  RunSettings settings;

  SmoothScene() {
    model.materials = {{"ball", 5.84e9, 0.34}, {"wall", 5.84e9, 0.34}};
    model.rules.resize(4);
    model.forces.resize(4);
  }

  /// Of all pairs of materials.
  void set_law(const std::string& normal, double restitution, double reference_speed = 0.0) {
    for (PairRule& rule : model.rules) rule.restitution = restitution;
    for (ForceRule& force : model.forces) {
      force.normal = normal;
      if (reference_speed > 0.0) force.normal_parameters.set("reference_speed", reference_speed);
    }
  }
  void set_stiffness(double stiffness) {
    for (PairRule& rule : model.rules) rule.stiffness = stiffness;
  }
  void set_friction(const std::string& law, const std::initializer_list<std::pair<const char*, double>>& parameters) {
    for (ForceRule& force : model.forces) {
      force.friction = law;
      for (const auto& [name, value] : parameters) force.friction_parameters.set(name, value);
    }
  }

  int add_ball(double radius, double mass, const Eigen::Vector3d& position,
               const Eigen::Vector3d& velocity = Eigen::Vector3d::Zero()) {
    return add_body(Sphere{radius}, mass, position, velocity);
  }
  int add_body(const Shape& shape, double mass, const Eigen::Vector3d& position, const Eigen::Vector3d& velocity) {
    Body body = homogeneous_body("body" + std::to_string(model.bodies.size()), shape, mass);
    body.material = 0;
    model.bodies.push_back(body);
    BodyState at;
    at.position = position;
    at.velocity = velocity;
    state.bodies.push_back(at);
    return static_cast<int>(model.bodies.size()) - 1;
  }
  void add_plane(const Eigen::Vector3d& normal, const Eigen::Vector3d& point) {
    Obstacle plane;
    plane.name = "plane" + std::to_string(model.obstacles.size());
    plane.material = 1;
    plane.pose = half_space_pose(normal.normalized(), point);
    model.obstacles.push_back(plane);
  }

  [[nodiscard]] std::unique_ptr<SmoothEngine> engine() const {
    return std::make_unique<SmoothEngine>(std::make_shared<const Model>(model), state, options);
  }
  RunResult run(Observer* observer = nullptr) const { return run_to_end(engine(), settings, observer); }
};

/// The ball of the oracle `bounce_with_gravity`, its lowest point at this height.
inline SmoothScene dropped_ball(double height) {
  SmoothScene scene;
  scene.model.gravity = {0.0, 0.0, -9.81};
  scene.add_ball(0.028575, 0.17, {0.0, 0.0, 0.028575 + height});
  scene.add_plane({0.0, 0.0, 1.0}, Eigen::Vector3d::Zero());
  return scene;
}

/// n balls of mass 1 and radius ½ in a row that touch, the first with speed 1.
inline SmoothScene touching_chain(int n, double exponent) {
  SmoothScene scene;
  scene.set_stiffness(1e7);
  if (exponent != 1.5) {
    for (ForceRule& force : scene.model.forces) {
      force.normal = "hertz";
      force.normal_parameters.set("exponent", exponent);
    }
  }
  for (int i = 0; i < n; ++i)
    scene.add_ball(0.5, 1.0, {static_cast<double>(i), 0.0, 0.0}, {i == 0 ? 1.0 : 0.0, 0.0, 0.0});
  return scene;
}

/// The planar break of the oracle `pool_break_2D_frictionless`.
inline SmoothScene planar_break(double gap) {
  constexpr double kRadius = 0.028575;
  SmoothScene scene;
  const double d = 2.0 * kRadius + gap;
  scene.add_ball(kRadius, 0.17, {1.905 - 2.0 * kRadius - 0.06, 0.636, 0.0}, {6.0, 0.0, 0.0});
  for (int row = 0; row < 5; ++row)
    for (int place = 0; place <= row; ++place)
      scene.add_ball(kRadius, 0.17, {1.905 + row * d * std::sqrt(3.0) / 2.0, 0.635 + (place - row / 2.0) * d, 0.0});
  for (int i = 0; i < 16; ++i) scene.model.constraints.emplace_back(PlanarConstraint{i, Eigen::Vector3d::UnitZ()});
  scene.add_plane({1.0, 0.0, 0.0}, Eigen::Vector3d::Zero());
  scene.add_plane({-1.0, 0.0, 0.0}, {2.54, 0.0, 0.0});
  scene.add_plane({0.0, 1.0, 0.0}, Eigen::Vector3d::Zero());
  scene.add_plane({0.0, -1.0, 0.0}, {0.0, 1.27, 0.0});
  return scene;
}

}  // namespace carom::test
