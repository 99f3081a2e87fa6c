#pragma once
/// A few bodies and planes, for tests of one part of the rigid engine alone.

#include <memory>
#include <string>

#include "carom/engine/event/closed_contacts.h"

namespace carom::test {

using Eigen::Vector3d;

struct SmallWorld {
  Model model;
  State state;

  BodyIndex add_body(const Shape& shape, const Vector3d& position, const Vector3d& velocity = Vector3d::Zero()) {
    model.bodies.push_back(homogeneous_body("body" + std::to_string(model.bodies.size()), shape, 2.0));
    BodyState where;
    where.position = position;
    where.velocity = velocity;
    state.bodies.push_back(where);
    return model.bodies.end_index() - 1;
  }
  BodyIndex add_ball(const Vector3d& position, const Vector3d& velocity = Vector3d::Zero()) {
    return add_body(Sphere{0.5}, position, velocity);
  }
  void add_plane(const Vector3d& normal, const Vector3d& point, const Vector3d& velocity = Vector3d::Zero()) {
    Obstacle plane;
    plane.name = "plane" + std::to_string(model.obstacles.size());
    plane.pose = half_space_pose(normal, point);
    plane.velocity = velocity;
    model.obstacles.push_back(plane);
  }
  void add_floor() { add_plane(Vector3d::UnitZ(), Vector3d::Zero()); }
  /// One material for everything so far.
  void set_rule(const PairRule& rule) {
    model.materials.resize(1);
    model.rules = {rule};
    for (Body& body : model.bodies) body.material = 0;
    for (Obstacle& obstacle : model.obstacles) obstacle.material = 0;
  }
  [[nodiscard]] event::World world() const { return {std::make_shared<const Model>(model), state}; }
};

/// What touches these bodies.
inline event::ClosedContacts closed_around(event::World& world, const event::Bodies& seeds) {
  event::ClosedContacts closed(world.body_count(), 1e-10);
  closed.gather(world, seeds);
  return closed;
}

}  // namespace carom::test
