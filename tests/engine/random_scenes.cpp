#include "engine/random_scenes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "carom/geometry/pair_table.h"
#include "geometry/random_shapes.h"
#include "support/laws_of_several_contacts.h"

namespace carom::test {

namespace {

using Eigen::Vector3d;

constexpr double kStandardGravity = 9.81;

bool chance(Random& random, double probability) {
  return random.uniform() < probability;
}

Vector3d random_vector(Random& random, double size) {
  const double x = random.uniform(-size, size);
  const double y = random.uniform(-size, size);
  return {x, y, random.uniform(-size, size)};
}

/// Kinds of bodies that can all meet each other.
std::vector<ShapeKind> random_palette(Random& random) {
  using K = ShapeKind;
  switch (random.integer(0, 6)) {
    case 0: return {K::sphere};
    case 1: return {K::ellipsoid};
    case 2: return {K::sphere, K::ellipsoid};
    case 3: return {K::box};
    case 4: return {K::sphere, K::box};
    case 5: return {K::cylinder};
    default: return {K::sphere, chance(random, 0.5) ? K::prism : K::cylinder};
  }
}

/// Two cylinders may come to lie on each other along a line that rolls on both; how that lasts is not yet held by them.
bool can_meet(ShapeKind a, ShapeKind b) {
  return find_pair(a, b) != nullptr && !(a == ShapeKind::cylinder && b == ShapeKind::cylinder);
}

/// A solid of moderate proportions, about `size` across.
Shape random_solid(ShapeKind kind, double size, Random& random) {
  const auto length = [&] { return size * random.uniform(0.5, 1.0); };
  switch (kind) {
    case ShapeKind::ellipsoid: {
      const double x = length(), y = length();
      return Ellipsoid{{x, y, length()}};
    }
    case ShapeKind::box: {
      const double x = length(), y = length();
      return Box{{x, y, length()}};
    }
    case ShapeKind::cylinder: {
      const double radius = length();
      return Cylinder{radius, length()};
    }
    case ShapeKind::prism: {
      Prism prism;
      for (std::size_t k = 0; k < 3; ++k) {
        const double angle = 2.1 * static_cast<double>(k) + random.uniform(-0.4, 0.4);
        prism.vertices[k] = size * Eigen::Vector2d(std::cos(angle), std::sin(angle));
      }
      prism.half_length = length();
      return prism;
    }
    default: return Sphere{length()};
  }
}

double restitution(Random& random) {
  switch (random.integer(0, 3)) {
    case 0: return 1.0;
    case 1: return 0.0;
    default: return random.uniform(0.1, 0.95);
  }
}

/// Two materials: rough or smooth, elastic or not, in any combination.
void add_materials(RandomScene& scene, Random& random) {
  scene.model.materials = {{.name = "first", .young = {}, .poisson = {}},
                           {.name = "second", .young = {}, .poisson = {}}};
  scene.model.rules.resize(4);
  const bool rough = chance(random, 0.35);
  const bool elastic = chance(random, 0.3);
  for (const std::size_t k : {0u, 1u, 3u}) {
    PairRule& rule = scene.model.rules[k];
    rule.restitution = elastic ? 1.0 : restitution(random);
    rule.rough = rough && chance(random, 0.6);
  }
  scene.model.rules[2] = scene.model.rules[1];
}

void add_planes(RandomScene& scene, Random& random) {
  int wall = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      const Vector3d normal = -side * Vector3d::Unit(axis);
      Obstacle plane;
      plane.name = "wall" + std::to_string(wall++);
      plane.pose = half_space_pose(normal, -kRoom * normal);
      plane.material = random.integer(0, 1);
      scene.model.obstacles.push_back(plane);
    }
  if (chance(random, 0.2)) {
    Obstacle& driven = scene.model.obstacles[static_cast<std::size_t>(random.integer(0, 5))];
    driven.velocity = random_vector(random, 0.3);
    scene.story += " driven-wall";
  }
  if (chance(random, 0.2)) {
    Obstacle oblique;
    oblique.name = "oblique";
    const Vector3d normal = Vector3d(random.uniform(-0.7, 0.7), random.uniform(-0.7, 0.7), 1.0).normalized();
    oblique.pose = half_space_pose(normal, {0.0, 0.0, -0.8 * kRoom});
    oblique.material = random.integer(0, 1);
    scene.model.obstacles.push_back(oblique);
    scene.story += " oblique";
  }
}

void add_obstacle(RandomScene& scene, const std::vector<ShapeKind>& palette, Random& random) {
  constexpr std::array<ShapeKind, 5> kKinds{ShapeKind::sphere, ShapeKind::ellipsoid, ShapeKind::box,
                                            ShapeKind::cylinder, ShapeKind::prism};
  const ShapeKind kind = kKinds[static_cast<std::size_t>(random.integer(0, 4))];
  for (const ShapeKind body : palette)
    if (!can_meet(body, kind)) return;
  Obstacle obstacle;
  obstacle.name = "thing";
  obstacle.parts = one_part(random_solid(kind, 0.5, random));
  obstacle.pose = {random_vector(random, 0.5), random_rotation(random)};
  if (chance(random, 0.5)) obstacle.pose.orientation.setIdentity();
  obstacle.material = random.integer(0, 1);
  if (chance(random, 0.3)) {
    obstacle.angular_velocity = random_vector(random, 3.0);
    scene.story += " spinning";
  }
  scene.story += std::string(" obstacle-") + std::string(shape_name(kind));
  scene.model.obstacles.push_back(obstacle);
}

double clearance(const RandomScene& scene, const Body& body, const BodyState& state) {
  double least = 1e300;
  for (const Obstacle& obstacle : scene.model.obstacles)
    least = std::min(least, proximity(body.parts, state.pose(), obstacle.parts, obstacle.pose).distance);
  for (std::size_t other = 0; other < scene.model.bodies.size(); ++other)
    least = std::min(
        least, proximity(body.parts, state.pose(), scene.model.bodies[other].parts, scene.state.bodies[other].pose())
                   .distance);
  return least;
}

/// A body at a free place; none where the room is full.
void add_body(RandomScene& scene, ShapeKind kind, bool upright, Random& random) {
  for (int object = 0; object < scene.model.object_count(); ++object)
    if (!can_meet(kind, shape_kind(scene.model.parts(object)[0].shape))) return;  // a second cylinder
  const double mass = chance(random, 0.5) ? 1.0 : std::pow(10.0, random.uniform(-1.0, 1.0));
  Body body = homogeneous_body("body" + std::to_string(scene.model.bodies.size()),
                               random_solid(kind, random.uniform(0.15, 0.45), random), mass);
  body.material = random.integer(0, 1);
  const bool laid_down = chance(random, 0.3);  // exactly on the floor, at rest or sliding
  for (int attempt = 0; attempt < 50; ++attempt) {
    BodyState state;
    state.position = random_vector(random, kRoom);
    if (!upright) state.orientation = random_rotation(random);
    state.velocity = chance(random, 0.2) ? Vector3d(Vector3d::Zero()) : random_vector(random, 3.0);
    state.angular_velocity = chance(random, 0.3) ? Vector3d(Vector3d::Zero()) : random_vector(random, 5.0);
    if (laid_down) {
      state.position.z() = -kRoom;
      const Obstacle& floor = scene.model.obstacles[4];
      if (floor.driven()) continue;
      state.position.z() -= proximity(body.parts, state.pose(), floor.parts, floor.pose).distance;
      state.velocity.z() = 0.0;
      if (kind != ShapeKind::sphere || chance(random, 0.5)) state.angular_velocity.setZero();
    }
    if (clearance(scene, body, state) < (laid_down ? -1e-12 : 1e-3)) continue;
    scene.model.bodies.push_back(body);
    scene.state.bodies.push_back(state);
    scene.story += " " + std::string(shape_name(kind)) + (laid_down ? "-laid" : "");
    return;
  }
}

void add_forces(RandomScene& scene, Random& random) {
  const int bodies = scene.model.body_count();
  if (chance(random, 0.15)) {
    Load load;
    load.body = random.integer(0, bodies - 1);
    load.force = random_vector(random, 3.0);
    if (chance(random, 0.5)) load.torque = random_vector(random, 0.3);
    if (chance(random, 0.5)) load.damping = random.uniform(0.0, 1.0);
    if (chance(random, 0.5)) load.angular_damping = random.uniform(0.0, 0.02);
    scene.model.loads.push_back(load);
    scene.story += " load";
  }
  if (chance(random, 0.15)) {
    Spring spring;
    spring.body_a = random.integer(0, bodies - 1);
    if (bodies > 1 && chance(random, 0.5)) spring.body_b = (spring.body_a + 1) % bodies;
    spring.point_a = random_vector(random, 0.1);
    spring.point_b = random_vector(random, 0.1);
    spring.stiffness = random.uniform(1.0, 50.0);
    spring.damping = chance(random, 0.5) ? 0.0 : random.uniform(0.0, 1.0);
    spring.rest_length = random.uniform(0.0, 0.5);
    scene.model.springs.push_back(spring);
    scene.story += " spring";
  }
  if (chance(random, 0.1)) {
    const int body = random.integer(0, bodies - 1);
    BodyState& state = scene.state.bodies[static_cast<std::size_t>(body)];
    const Vector3d pivot = random_vector(random, 0.3);
    const Vector3d arm = state.position - pivot;
    state.velocity -= arm * (arm.dot(state.velocity) / arm.squaredNorm());
    scene.model.constraints.emplace_back(RodConstraint{body, pivot, arm.norm()});
    scene.story += " rod";
  }
}

}  // namespace

RunResult RandomScene::run(Observer* observer) const {
  return run_to_end(std::make_unique<EventEngine>(std::make_shared<const Model>(model), state, options), settings,
                    observer);
}

RandomScene random_scene(std::uint64_t seed) {
  Random random(seed * 7919 + 17);
  RandomScene scene;
  const std::vector<ShapeKind> palette = random_palette(random);
  add_materials(scene, random);
  add_planes(scene, random);
  if (chance(random, 0.3)) add_obstacle(scene, palette, random);
  if (chance(random, 0.7)) scene.model.gravity = {0.0, 0.0, -kStandardGravity};
  const bool upright = chance(random, 0.25);
  const int wanted = random.integer(1, 8);
  for (int k = 0; k < wanted; ++k)
    add_body(scene, palette[static_cast<std::size_t>(random.integer(0, static_cast<int>(palette.size()) - 1))], upright,
             random);
  if (scene.model.bodies.empty()) {
    scene.model.bodies.push_back(homogeneous_body("body0", Sphere{0.01}, 1.0));
    scene.state.bodies.emplace_back();
    scene.state.bodies.back().position = {0.9 * kRoom, 0.9 * kRoom, 0.9 * kRoom};
  }
  add_forces(scene, random);
  const std::vector<const ImpactLaw*> laws = test::laws_of_several_contacts();
  scene.options.law = laws[static_cast<std::size_t>(random.integer(0, static_cast<int>(laws.size()) - 1))];
  scene.options.duration = 1.5;
  scene.settings.output_step = 0.05;
  scene.options.max_events = 1500;
  scene.story += " law-" + std::string(scene.options.law->name);
  return scene;
}

RandomScene shaken_scene(std::uint64_t seed) {
  RandomScene scene = random_scene(seed);
  scene.model.constraints.clear();  // a body on a rod and a wall that comes on contradict each other
  Random random(seed * 104729 + 3);
  DrivenMotion motion;
  motion.axis = random_direction(random);
  const double what = random.uniform();
  const double frequency = std::pow(10.0, random.uniform(-0.5, 1.0));
  // As hard as a few times gravity, from a shudder to a swing.
  const double push = random.uniform(2.0, 40.0), w = 2.0 * std::numbers::pi * frequency;
  const double amplitude = std::min(push / (w * w), 0.5);
  if (what < 0.35) {
    motion.position = SineProfile{amplitude, frequency, 0.0};
    scene.story += " shaken-sine";
  } else if (what < 0.5) {
    motion.position = PolynomialProfile{{0.0, 0.0, random.uniform(-2.0, 2.0), random.uniform(-2.0, 2.0)}};
    scene.story += " pushed";
  } else if (what < 0.75) {
    std::vector<double> times{0.0}, values{0.0};
    while (times.back() < 1.0) {
      times.push_back(times.back() + random.uniform(0.05, 0.3));
      values.push_back(random.uniform(-0.1, 0.1));
    }
    motion.position = CubicSpline(times, values, chance(random, 0.5) ? SplineEnds::rest : SplineEnds::natural);
    scene.story += " shaken-table";
  } else {
    motion.angle = SineProfile{std::min(amplitude, 0.3), frequency, 0.0};
    motion.point = random_vector(random, 0.5);
    scene.story += " rocked";
  }
  for (Obstacle& obstacle : scene.model.obstacles) {
    obstacle.velocity.setZero();
    obstacle.angular_velocity.setZero();
    obstacle.motion = motion;
  }
  return scene;
}

}  // namespace carom::test
