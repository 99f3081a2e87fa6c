#include "engine/random_mixtures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/geometry/polyhedron.h"
#include "geometry/random_shapes.h"

namespace carom::test {

namespace {

using Eigen::Vector3d;

Vector3d any_vector(Random& random, double size) {
  const double x = random.uniform(-size, size);
  const double y = random.uniform(-size, size);
  return {x, y, random.uniform(-size, size)};
}

/// A convex shape of moderate proportions, about `size` across.
Shape any_shape(double size, Random& random) {
  const auto length = [&] { return size * random.uniform(0.4, 1.0); };
  const auto lengths = [&] {
    const double x = length(), y = length();
    return Vector3d(x, y, length());
  };
  const double radius = length(), half = length();
  switch (random.integer(0, 8)) {
    case 0: return Sphere{radius};
    case 1: return Ellipsoid{lengths()};
    case 2: return Box{lengths()};
    case 3: return Cylinder{radius, half};
    case 4: return Capsule{0.5 * radius, half};
    case 5: return Cone{radius, 1.5 * half};
    case 6: return HalfCylinder{radius, half};
    case 7: {
      Prism prism;
      for (std::size_t k = 0; k < 3; ++k) {
        const double angle = 2.1 * static_cast<double>(k) + random.uniform(-0.4, 0.4);
        prism.vertices[k] = size * Eigen::Vector2d(std::cos(angle), std::sin(angle));
      }
      prism.half_length = half;
      return prism;
    }
    default: {
      std::vector<Vector3d> points;
      for (int k = random.integer(4, 12); k > 0; --k)
        points.push_back(size * random_direction(random).cwiseProduct(Vector3d(1.0, 0.8, 0.6)));
      points.emplace_back(size, 0.0, 0.0);
      points.emplace_back(-0.5 * size, 0.5 * size, 0.0);
      points.emplace_back(-0.5 * size, -0.5 * size, 0.1 * size);
      points.emplace_back(0.0, 0.0, 0.6 * size);
      return Convex{std::make_shared<const Polyhedron>(points, "test")};
    }
  }
}

/// One shape, or two or three about a centre of mass that is none of theirs.
Body any_body(const std::string& name, Random& random) {
  const double size = random.uniform(0.15, 0.4);
  const double mass = std::pow(10.0, random.uniform(-0.5, 0.5));
  if (random.uniform() < 0.7) return homogeneous_body(name, any_shape(size, random), mass);
  Body body;
  body.name = name;
  body.parts.clear();
  for (int k = random.integer(2, 3); k > 0; --k)
    body.parts.push_back({any_shape(0.6 * size, random),
                          {.position = any_vector(random, 0.5 * size), .orientation = random_rotation(random)}});
  body.mass = mass;
  const Vector3d square = Vector3d(random.uniform(0.2, 1.0), random.uniform(0.2, 1.0), random.uniform(0.2, 1.0)) *
                          (0.2 * mass * size * size);
  body.inertia = {square.y() + square.z(), square.z() + square.x(), square.x() + square.y()};
  return body;
}

void describe(RandomScene& scene, const Parts& parts) {
  scene.story += " ";
  for (const Part& part : parts) {
    if (&part != &parts.front()) scene.story += "+";
    scene.story += shape_name(part.shape);
  }
}

double room_left(const RandomScene& scene, const Body& body, const BodyState& state) {
  double least = 1e300;
  for (const Obstacle& obstacle : scene.model.obstacles)
    least = std::min(least, proximity(body.parts, state.pose(), obstacle.parts, obstacle.pose).distance);
  for (std::size_t other = 0; other < scene.model.bodies.size(); ++other)
    least = std::min(
        least, proximity(body.parts, state.pose(), scene.model.bodies[other].parts, scene.state.bodies[other].pose())
                   .distance);
  return least;
}

void place(RandomScene& scene, Random& random, double room) {
  Body body = any_body("body" + std::to_string(scene.model.bodies.size()), random);
  body.material = 0;
  for (int attempt = 0; attempt < 50; ++attempt) {
    BodyState state;
    state.position = any_vector(random, room);
    state.orientation = random_rotation(random);
    state.velocity = any_vector(random, 2.0);
    state.angular_velocity = any_vector(random, 4.0);
    if (room_left(scene, body, state) < 1e-3) continue;
    describe(scene, body.parts);
    scene.model.bodies.push_back(body);
    scene.state.bodies.push_back(state);
    return;
  }
}

void set_law(RandomScene& scene, Random& random) {
  scene.model.materials = {{.name = "stuff", .young = {}, .poisson = {}}};
  scene.model.rules.resize(1);
  scene.model.rules[0].restitution = random.uniform() < 0.4 ? 1.0 : random.uniform(0.6, 0.95);
  scene.options.law = random.uniform() < 0.5 ? &kNewtonLaw : &kPoissonLaw;
  scene.options.duration = 1.0;
  scene.settings.output_step = 0.02;
  scene.options.max_events = 600;
  scene.story += " law-" + std::string(scene.options.law->name);
}

}  // namespace

RandomScene random_mixture(std::uint64_t seed) {
  Random random(seed * 6271 + 5);
  RandomScene scene;
  set_law(scene, random);
  double room = kRoom;
  if (random.uniform() < 0.2) {
    Obstacle hollow;
    hollow.name = "hollow";
    hollow.material = 0;
    hollow.parts = one_part(random.uniform() < 0.5 ? Shape(Shell{1.2}) : Shape(Bore{1.0, 3.0}));
    if (random.uniform() < 0.5) hollow.angular_velocity = any_vector(random, 2.0);
    describe(scene, hollow.parts);
    scene.model.obstacles.push_back(hollow);
    room = 0.5;
  } else {
    for (int axis = 0; axis < 3; ++axis)
      for (const double side : {-1.0, 1.0}) {
        const Vector3d normal = -side * Vector3d::Unit(axis);
        Obstacle plane;
        plane.name = "wall" + std::to_string(scene.model.obstacles.size());
        plane.pose = half_space_pose(normal, -kRoom * normal);
        plane.material = 0;
        scene.model.obstacles.push_back(plane);
      }
    if (random.uniform() < 0.4) {
      Obstacle thing;
      thing.name = "thing";
      thing.material = 0;
      thing.parts = any_body("thing", random).parts;
      thing.pose = {any_vector(random, 0.4), random_rotation(random)};
      if (random.uniform() < 0.4) thing.angular_velocity = any_vector(random, 2.0);
      scene.story += " among";
      describe(scene, thing.parts);
      scene.model.obstacles.push_back(thing);
    }
  }
  if (random.uniform() < 0.7) scene.model.gravity = {0.0, 0.0, -9.81};
  for (int k = random.integer(1, 5); k > 0; --k) place(scene, random, room);
  if (scene.model.bodies.empty()) {
    scene.model.bodies.push_back(homogeneous_body("body0", Sphere{0.01}, 1.0));
    scene.state.bodies.emplace_back();
  }
  return scene;
}

RandomScene random_swarm(std::uint64_t seed) {
  Random random(seed * 4441 + 3);
  RandomScene scene;
  set_law(scene, random);
  for (int k = random.integer(2, 5); k > 0; --k) {
    Body body = any_body("body" + std::to_string(scene.model.bodies.size()), random);
    body.material = 0;
    BodyState state;
    for (;;) {
      state.position = random.uniform(0.7, 1.5) * random_direction(random);
      state.orientation = random_rotation(random);
      if (room_left(scene, body, state) > 1e-3) break;
    }
    state.velocity = -2.0 * state.position + any_vector(random, 0.3);
    state.angular_velocity = any_vector(random, 4.0);
    describe(scene, body.parts);
    scene.model.bodies.push_back(body);
    scene.state.bodies.push_back(state);
  }
  return scene;
}

}  // namespace carom::test
