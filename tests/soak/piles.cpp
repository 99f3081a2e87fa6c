/// Layouts of many bodies: piles that fall into a box, full floors, pyramids.

#include <algorithm>
#include <cmath>
#include <vector>

#include "soak/layouts.h"

namespace carom::test {

namespace {

using Eigen::Vector3d;

/// Places in layers of columns × rows cells of this width above the floor z = 0, from below, about the axis x = y = 0.
std::vector<Vector3d> places_in_layers(int count, int columns, int rows, double width) {
  std::vector<Vector3d> places;
  for (int k = 0; k < count; ++k) {
    const int layer = k / (columns * rows), i = k % columns, j = k / columns % rows;
    places.emplace_back(width * (i - 0.5 * (columns - 1)), width * (j - 0.5 * (rows - 1)), width * (layer + 0.5));
  }
  return places;
}

double usual_length(Random& random) {
  return std::round(1000.0 * random.uniform(0.03, 0.15)) / 1000.0;
}

/// A convex body of any kind that fits into a sphere of this radius.
ShapeText any_shape(double radius, Random& random) {
  const auto part = [&] { return radius * random.uniform(0.3, 0.57); };
  const double x = part(), y = part(), z = part();
  switch (random.integer(0, 4)) {
    case 0: return brick({x, y, z});
    case 1: return egg({1.7 * x, 1.7 * y, 1.7 * z});
    case 2: return drum(x, y);
    case 3: return pill(0.5 * x, y);
    default: return ball(radius * random.uniform(0.5, 1.0));
  }
}

/// Lets `count` bodies, each within a sphere of radius 0.5 · width, fall into a box of columns × rows cells.
template <class Make>
void drop_into_a_box(SceneText& scene, Random& random, int count, double width, Make make) {
  const int columns = random.integer(1, 3), rows = random.integer(1, 3);
  const double slack = chance(random, 0.5) ? 0.0 : random.uniform(0.0, width);
  scene.add_open_box(0.5 * (width * columns + slack), 0.5 * (width * rows + slack));
  const bool jumbled = chance(random, 0.7), moving = chance(random, 0.4);
  for (const Vector3d& place : places_in_layers(count, columns, rows, width)) {
    BodyText body = make();
    body.position = place;
    if (jumbled) body.position += random_vector(random, 0.02 * width);
    if (moving) {
      body.velocity = random_vector(random, 1.0);
      body.angular_velocity = random_vector(random, 3.0);
    }
    scene.add(body);
  }
}

/// A ball, or two above each other, dropped on what lies about the origin up to the height z, beside its
/// middle by at most half of x and y.
void drop_balls(SceneText& scene, double radius, const Vector3d& within, Random& random) {
  double height = within.z();
  for (int k = random.integer(1, 2); k > 0 && scene.bodies() < 30; --k) {
    BodyText falling{ball(radius)};
    height += radius * random.uniform(2.5, 5.0);
    falling.position = {within.x() * random.uniform(-0.5, 0.5), within.y() * random.uniform(-0.5, 0.5), height};
    if (chance(random, 0.3)) falling.position.head<2>().setZero();
    falling.density = 1000.0 * std::pow(10.0, random.uniform(-0.7, 0.7));
    scene.add(falling);
  }
}

}  // namespace

void lay_ball_pile(SceneText& scene, Random& random) {
  const double radius = usual_length(random);
  const bool equal = chance(random, 0.6);
  drop_into_a_box(scene, random, random.integer(4, 30), 2.1 * radius,
                  [&] { return BodyText{ball(equal ? radius : radius * random.uniform(0.5, 1.0))}; });
}

void lay_box_pile(SceneText& scene, Random& random) {
  const double radius = usual_length(random);
  const bool cubes = chance(random, 0.4), turned = chance(random, 0.7);
  drop_into_a_box(scene, random, random.integer(3, 20), 2.1 * radius, [&] {
    const auto half = [&] { return radius * random.uniform(0.3, 0.57); };
    const double x = half(), y = half(), z = half();
    BodyText body{brick(cubes ? Vector3d::Constant(0.5 * radius) : Vector3d(x, y, z))};
    if (turned) body.orientation = random_turn(random);
    return body;
  });
}

void lay_mixed_pile(SceneText& scene, Random& random) {
  const double radius = usual_length(random);
  drop_into_a_box(scene, random, random.integer(3, 20), 2.1 * radius, [&] {
    BodyText body{any_shape(radius, random)};
    body.orientation = random_turn(random);
    return body;
  });
}

/// Cones and half cylinders among the others.
void lay_odd_shapes(SceneText& scene, Random& random) {
  const double radius = usual_length(random);
  drop_into_a_box(scene, random, random.integer(2, 14), 2.1 * radius, [&] {
    const double across = radius * random.uniform(0.3, 0.57), along = radius * random.uniform(0.3, 0.8);
    const int kind = random.integer(0, 2);
    BodyText body{kind == 0 ? hat(across, along) : kind == 1 ? trough(across, 0.7 * along) : any_shape(radius, random)};
    body.orientation = random_turn(random);
    return body;
  });
}

void lay_full_floor(SceneText& scene, Random& random) {
  const double radius = usual_length(random);
  const int columns = random.integer(1, 5), rows = random.integer(1, 5);
  const bool cubes = chance(random, 0.25), walls = chance(random, 0.7);
  if (walls)
    scene.add_open_box(radius * columns, radius * rows);
  else
    scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
  const double turn = chance(random, 0.3) ? 3.0 : 0.0;
  for (const Vector3d& place : places_in_layers(columns * rows, columns, rows, 2.0 * radius)) {
    BodyText body{cubes ? brick(Vector3d::Constant(radius)) : ball(radius), place};
    if (!cubes && turn > 0.0 && chance(random, 0.3)) body.angular_velocity = random_vector(random, turn);
    scene.add(body);
  }
  // Between walls no farther to a side than they leave room.
  const Vector3d room(std::min(columns - 1, 1), std::min(rows - 1, 1), 2.0);
  drop_balls(scene, radius, radius * (walls ? room : Vector3d(1.0, 1.0, 2.0)), random);
}

void lay_pyramid(SceneText& scene, Random& random) {
  // Bricks of one size in rows, each over the gap of the two below.
  const double half = usual_length(random);
  const Vector3d size(half, half * random.uniform(0.5, 1.5), half * random.uniform(0.4, 1.2));
  const double gap = chance(random, 0.5) ? 0.0 : half * random.uniform(0.01, 0.6);
  scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
  const int rows = random.integer(2, 6);
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k < rows - row; ++k)
      scene.add({brick(size), {(2.0 * half + gap) * (k - 0.5 * (rows - row - 1)), 0.0, size.z() * (2 * row + 1)}});
  if (chance(random, 0.4)) throw_ball(scene, 0.5 * half, 2.0 * rows * size.z(), random);
}

void lay_ball_pyramid(SceneText& scene, Random& random) {
  const double radius = usual_length(random), width = 2.0 * radius;
  const bool flat = chance(random, 0.4), walls = chance(random, 0.5);
  if (flat) {
    const int rows = random.integer(2, 6);
    // Balls in one vertical plane, between two walls that touch them or none.
    if (walls)
      scene.add_open_box(radius * rows, radius);
    else
      scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
    for (int row = 0; row < rows; ++row)
      for (int k = 0; k < rows - row; ++k)
        scene.add({ball(radius), {width * (k - 0.5 * (rows - row - 1)), 0.0, radius + row * width * std::sqrt(0.75)}});
    return;
  }
  // Layers of squares, each ball over the gap of the four below.
  const int rows = random.integer(2, 3);
  if (walls)
    scene.add_open_box(radius * rows, radius * rows);
  else
    scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < rows - row; ++i)
      for (int j = 0; j < rows - row; ++j)
        scene.add({ball(radius),
                   {width * (i - 0.5 * (rows - row - 1)), width * (j - 0.5 * (rows - row - 1)),
                    radius + row * width * std::sqrt(0.5)}});
}

}  // namespace carom::test
