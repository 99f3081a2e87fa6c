/// Layouts of bodies that are held by constraints or springs, stand on driven walls, are shut in, or have unusual
/// sizes.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/base/number.h"
#include "soak/layouts.h"

namespace carom::test {

namespace {

using Eigen::Vector3d;
using std::numbers::pi;

std::string rod_lines(const std::string& body, const Vector3d& pivot, double length) {
  return "\n[[constraint]]\nkind = \"rod\"\nbody = \"" + body + "\"\npivot = " + vector_text(pivot) +
         "\nlength = " + format_number(length) + "\n";
}

ShapeText ball_or_cube(double half, Random& random) {
  return chance(random, 0.5) ? ball(half) : brick(Vector3d::Constant(half));
}

/// Bodies in a row on the floor, `distance` apart, some of them in towers of up to three.
void stand_in_a_row(SceneText& scene, double half, Random& random) {
  const int columns = random.integer(1, 5);
  for (int k = 0; k < columns; ++k) {
    const int height = random.integer(1, 3);
    for (int level = 0; level < height; ++level) {
      const bool top = level == height - 1;
      const ShapeText shape = top ? ball_or_cube(half, random) : brick(Vector3d::Constant(half));
      scene.add({shape, {3.0 * half * (k - 0.5 * (columns - 1)), 0.0, half * (2 * level + 1)}});
    }
  }
}

std::string sine(const Vector3d& axis, double acceleration, double frequency) {
  const double rate = 2.0 * pi * frequency;
  return "motion = { kind = \"sine\", axis = " + vector_text(axis) +
         ", amplitude = " + format_number(acceleration / (rate * rate)) + ", frequency = " + format_number(frequency) +
         " }\n";
}

void hang_a_cradle(SceneText& scene, double radius, Random& random) {
  const int count = random.integer(2, 6), raised = random.integer(1, std::max(1, count - 1));
  const double length = radius * random.uniform(5.0, 15.0), angle = random.uniform(0.1, 1.0);
  for (int k = 0; k < count; ++k) {
    const Vector3d pivot(2.0 * radius * k, 0.0, length + 3.0 * radius);
    const Vector3d hanging = k < raised ? Vector3d(-std::sin(angle), 0.0, -std::cos(angle)) : -Vector3d::UnitZ();
    const std::string name = scene.add({ball(radius), pivot + length * hanging});
    scene.add_lines(rod_lines(name, pivot, length));
  }
}

}  // namespace

void lay_constraints(SceneText& scene, Random& random) {
  const double radius = std::round(1000.0 * random.uniform(0.03, 0.15)) / 1000.0;
  const std::string floor = scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
  switch (random.integer(0, 3)) {
    case 0: hang_a_cradle(scene, radius, random); return;
    case 1: {  // a wrecking ball and what it strikes
      const double length = 20.0 * radius;
      const Vector3d pivot(0.0, 0.0, length + 1.5 * radius);
      const double angle = random.uniform(0.3, 1.2);
      const std::string name =
          scene.add({ball(radius), pivot + length * Vector3d(-std::sin(angle), 0.0, -std::cos(angle))});
      scene.add_lines(rod_lines(name, pivot, length));
      const int height = random.integer(1, 5);
      for (int k = 0; k < height; ++k)
        scene.add({brick(Vector3d::Constant(radius)), {2.5 * radius, 0.0, radius * (2 * k + 1)}});
      return;
    }
    case 2: {  // a ball that rolls by a constraint meets others
      const double speed = random.uniform(0.5, 2.0);
      BodyText rolling{ball(radius), {-6.0 * radius, 0.0, radius}};
      rolling.velocity.x() = speed;
      rolling.angular_velocity.y() = speed / radius;
      const std::string name = scene.add(rolling);
      scene.add_lines("\n[[constraint]]\nkind = \"rolling\"\nbody = \"" + name + "\"\nplane = \"" + floor + "\"\n");
      const int count = random.integer(1, 5);
      for (int k = 0; k < count; ++k) scene.add({ball_or_cube(radius, random), {2.0 * radius * k, 0.0, radius}});
      return;
    }
    default: {  // everything stays in the plane y = 0
      scene.add_plane(Vector3d::UnitX(), {-4.0 * radius, 0.0, 0.0});
      scene.add_plane(-Vector3d::UnitX(), {4.0 * radius, 0.0, 0.0});
      const int count = random.integer(2, 15);
      for (int k = 0; k < count; ++k) {
        BodyText body{ball_or_cube(radius, random)};
        body.position = {2.9 * radius * (k % 2 - 0.5) + random.uniform(-0.05, 0.05) * radius, 0.0,
                         radius * (1.5 + 2.9 * (k / 2))};
        body.angular_velocity.y() = random.uniform(-3.0, 3.0);
        scene.add_lines("\n[[constraint]]\nkind = \"planar\"\nbody = \"" + scene.add(body) +
                        "\"\nnormal = [0, 1, 0]\n");
      }
    }
  }
}

void lay_driven_walls(SceneText& scene, Random& random) {
  const double half = std::round(1000.0 * random.uniform(0.02, 0.1)) / 1000.0;
  const double frequency = std::round(10.0 * std::pow(10.0, random.uniform(-0.3, 1.5))) / 10.0;
  const double acceleration = random.uniform(1.0, 25.0);
  switch (random.integer(0, 4)) {
    case 0:  // a table shaken up and down
      scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero(), sine(Vector3d::UnitZ(), acceleration, frequency));
      break;
    case 1:  // a table shaken to and fro
      scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero(), sine(Vector3d::UnitX(), acceleration, frequency));
      break;
    case 2:  // a box shaken as a whole
      scene.add_open_box(10.0 * half, 2.0 * half, sine(random_vector(random, 1.0), acceleration, frequency));
      break;
    case 3:  // a belt
      scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero(),
                      "velocity = " + vector_text({random.uniform(-2.0, 2.0), 0.0, 0.0}) + "\n");
      break;
    default:  // a wall that sweeps over the floor
      scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
      scene.add_plane(Vector3d::UnitX(), {-10.0 * half, 0.0, 0.0},
                      "velocity = " + vector_text({random.uniform(0.2, 1.0), 0.0, 0.0}) + "\n");
  }
  stand_in_a_row(scene, half, random);
}

void lay_springs(SceneText& scene, Random& random) {
  const double half = std::round(1000.0 * random.uniform(0.03, 0.15)) / 1000.0;
  scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
  const int count = random.integer(2, 10);
  std::string before;
  for (int k = 0; k < count; ++k) {
    BodyText body{ball_or_cube(half, random)};
    const bool on_the_floor = chance(random, 0.5);
    body.position = {3.0 * half * k, 0.0, on_the_floor ? half : half * random.uniform(1.5, 4.0)};
    const std::string name = scene.add(body);
    const double mass = body.density * body.shape.volume, rate = random.uniform(3.0, 40.0);
    const std::string stiffness = "stiffness = " + format_number(mass * rate * rate) +
                                  "\ndamping = " + format_number(chance(random, 0.5) ? 0.0 : 0.2 * mass * rate) + "\n";
    if (k > 0 && chance(random, 0.7))
      scene.add_lines("\n[[spring]]\nbodies = [\"" + before + "\", \"" + name + "\"]\n" + stiffness +
                      "rest_length = " + format_number(half * random.uniform(1.0, 5.0)) + "\n");
    if (chance(random, 0.3)) {
      // Beside the body: the force of a spring whose ends meet has no direction.
      const Vector3d end = body.position + Vector3d(0.0, 0.5 * half, half * random.uniform(-1.0, 10.0));
      scene.add_lines("\n[[spring]]\nbodies = [\"" + name + "\"]\npoints = [[0, 0, " + format_number(half) + "], " +
                      vector_text(end) + "]\n" + stiffness + "rest_length = " + format_number(half) + "\n");
    }
    if (chance(random, 0.2))
      scene.add_lines("\n[[load]]\nbody = \"" + name + "\"\nforce = " + vector_text(random_vector(random, 5.0 * mass)) +
                      "\ndamping = " + format_number(mass * random.uniform(0.0, 3.0)) + "\n");
    before = name;
  }
  if (chance(random, 0.5)) {
    scene.add_plane(Vector3d::UnitX(), {-2.0 * half, 0.0, 0.0});
    scene.add_plane(-Vector3d::UnitX(), {3.0 * half * count, 0.0, 0.0});
  }
}

void lay_hollow(SceneText& scene, Random& random) {
  const double half = std::round(1000.0 * random.uniform(0.03, 0.1)) / 1000.0;
  const auto any_body = [&](const Vector3d& place) {
    BodyText body{ball(half * random.uniform(0.5, 1.0)), place};
    const double x = half * random.uniform(0.3, 0.57), y = half * random.uniform(0.3, 0.57);
    if (chance(random, 0.3)) body.shape = brick({x, y, 0.5 * half});
    if (chance(random, 0.2)) body.shape = egg({x, y, half});
    body.orientation = random_turn(random);
    body.velocity = random_vector(random, 1.0);
    return body;
  };
  const int count = random.integer(1, 8);
  const double width = 2.1 * half;
  switch (random.integer(0, 3)) {
    case 0:  // inside a hollow sphere
      scene.add_obstacle("{ kind = \"shell\", radius = " + format_number(4.0 * half) + " }", Vector3d::Zero());
      for (int k = 0; k < count; ++k)
        scene.add(any_body(width * Vector3d((k & 1) - 0.5, (k >> 1 & 1) - 0.5, (k >> 2 & 1) - 0.5)));
      return;
    case 1: {  // inside a hollow cylinder that lies, turning or at rest
      const std::string turn =
          chance(random, 0.5) ? "angular_velocity = [0, " + format_number(random.uniform(-5.0, 5.0)) + ", 0]\n" : "";
      scene.add_obstacle("{ kind = \"bore\", radius = " + format_number(3.5 * half) +
                             ", half_length = " + format_number(100.0 * half) + " }",
                         Vector3d::Zero(), "orientation = { bryan_deg = [90, 0, 0] }\n" + turn);
      for (int k = 0; k < count; ++k)
        scene.add(any_body(width * Vector3d((k & 1) - 0.5, (k >> 2 & 1) - 0.5, (k >> 1 & 1) - 0.5)));
      return;
    }
    case 2: {  // a cup made of boxes
      const double wall = 0.2 * half, inner = 2.0 * half, height = 3.0 * half;
      const auto part = [&](const Vector3d& half_sizes, const Vector3d& at) {
        return "{ kind = \"box\", half_sizes = " + vector_text(half_sizes) + ", position = " + vector_text(at) + " }";
      };
      scene.add_obstacle("{ kind = \"compound\", parts = [" + part({inner, inner, wall}, {0.0, 0.0, -wall}) + ", " +
                             part({wall, inner, height}, {-inner - wall, 0.0, height}) + ", " +
                             part({wall, inner, height}, {inner + wall, 0.0, height}) + ", " +
                             part({inner, wall, height}, {0.0, -inner - wall, height}) + ", " +
                             part({inner, wall, height}, {0.0, inner + wall, height}) + "] }",
                         Vector3d::Zero());
      scene.add_plane(Vector3d::UnitZ(), {0.0, 0.0, -10.0 * half});
      break;
    }
    default:  // a box between walls, narrower or wider than a body
      scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
      scene.add_plane(-Vector3d::UnitX(), {half * random.uniform(4.5, 6.5), 0.0, 0.0});
      scene.add_obstacle(brick(Vector3d::Constant(3.0 * half)).toml, {0.0, 0.0, random.uniform(2.0, 5.0) * half});
  }
  for (int k = 0; k < count; ++k)
    scene.add(any_body({width * ((k & 1) - 0.5), width * ((k >> 1 & 1) - 0.5), width * (4.5 + (k >> 2 & 1))}));
}

void lay_extreme_scales(SceneText& scene, Random& random) {
  const double radius = std::pow(10.0, random.uniform(-6.0, 3.0));
  const double pull = std::pow(10.0, random.uniform(-3.0, 3.0));
  scene.set_gravity({0.0, 0.0, -pull});
  // As many falls through a body's size as two seconds are for usual ones.
  const double moment = std::sqrt(radius / pull);
  scene.set_duration(random.uniform(5.0, 20.0) * moment);
  scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
  if (chance(random, 0.5)) scene.add_plane(Vector3d::UnitX(), {-5.0 * radius, 0.0, 0.0});
  const int count = random.integer(2, 8);
  const double ratio = chance(random, 0.5) ? 0.0 : 3.0;
  for (int k = 0; k < count; ++k) {
    BodyText body{ball_or_cube(radius, random)};
    const bool stacked = k > 0 && chance(random, 0.3);
    body.position = {2.0 * radius * k, 0.0, stacked ? radius * random.uniform(1.0, 5.0) : radius};
    body.density = 1000.0 * std::pow(10.0, random.uniform(-ratio, ratio));
    scene.add(body);
  }
  BodyText striking{ball(radius), {-random.uniform(2.1, 3.5) * radius, 0.0, radius}};
  striking.velocity.x() = random.uniform(0.1, 2.0) * radius / moment;
  striking.density = 1000.0 * std::pow(10.0, random.uniform(-ratio, ratio));
  scene.add(striking);
}

}  // namespace carom::test
