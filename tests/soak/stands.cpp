/// Layouts of bodies that stand or lie on a floor, on each other, in a corner or in a row.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "soak/layouts.h"

namespace carom::test {

namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using std::numbers::pi;

void add_floor(SceneText& scene) {
  scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
}

double length_between(Random& random, double low, double high) {
  return std::round(1000.0 * random.uniform(low, high)) / 1000.0;
}

/// A turn by a right angle that lays the axis z along x, then about z by any angle or by none.
Quaterniond lying(Random& random, bool any_direction) {
  const Quaterniond down(AngleAxisd(0.5 * pi, Vector3d::UnitY()));
  if (!any_direction) return down;
  return (Quaterniond(AngleAxisd(random.uniform(0.0, 2.0 * pi), Vector3d::UnitZ())) * down).normalized();
}

}  // namespace

void throw_ball(SceneText& scene, double radius, double height, Random& random) {
  BodyText thrown{ball(radius)};
  const double start = random.uniform(1.0, 2.0);
  thrown.position = {-start, radius * random.uniform(-0.5, 0.5), radius + height * random.uniform(0.2, 1.0)};
  if (chance(random, 0.5)) thrown.position.y() = 0.0;
  thrown.velocity = {random.uniform(1.0, 6.0), 0.0, 0.0};
  scene.add(thrown);
}

void lay_box_stack(SceneText& scene, Random& random) {
  add_floor(scene);
  const int count = random.integer(2, 10);
  const bool equal = chance(random, 0.5);
  const double gap = chance(random, 0.5) ? 0.0 : length_between(random, 0.001, 0.05);
  const double shift = chance(random, 0.4) ? 0.0 : random.uniform(0.0, 0.04);
  const double half = length_between(random, 0.05, 0.3);
  double top = 0.0, x = 0.0;
  for (int k = 0; k < count; ++k) {
    const auto any = [&] { return equal ? half : length_between(random, 0.05, 0.3); };
    const double a = any(), b = any(), c = any();
    BodyText body{brick({a, b, c}), {x, 0.0, top + gap + c}};
    if (gap > 0.0 && chance(random, 0.2)) body.angular_velocity = random_vector(random, 0.5);
    if (chance(random, 0.2))
      body.orientation = Quaterniond(AngleAxisd(random.uniform(0.0, pi), Vector3d::UnitZ())).normalized();
    scene.add(body);
    top += gap + 2.0 * c;
    x += shift * (chance(random, 0.5) ? 1.0 : -1.0);
  }
  if (chance(random, 0.4)) throw_ball(scene, 0.1, top, random);
}

void lay_cylinders(SceneText& scene, Random& random) {
  add_floor(scene);
  const double radius = length_between(random, 0.05, 0.2);
  const int count = random.integer(1, 8);
  switch (random.integer(0, 3)) {
    case 0: {  // a tower of cylinders on end
      double top = 0.0;
      const double gap = chance(random, 0.5) ? 0.0 : 0.01;
      for (int k = 0; k < count; ++k) {
        const double half = radius * random.uniform(0.3, 1.5);
        scene.add({drum(radius * random.uniform(0.8, 1.0), half), {0.0, 0.0, top + gap + half}});
        top += gap + 2.0 * half;
      }
      if (chance(random, 0.4)) throw_ball(scene, 0.5 * radius, top, random);
      return;
    }
    case 1:  // logs side by side, touching, some rolling
      for (int k = 0; k < count; ++k) {
        BodyText log{drum(radius, 2.0 * radius), {2.0 * radius * k, 0.0, radius}};
        log.orientation = Quaterniond(AngleAxisd(0.5 * pi, Vector3d::UnitX()));
        scene.add(log);
      }
      if (chance(random, 0.6)) {
        BodyText log{drum(radius, 2.0 * radius), {-random.uniform(3.0, 6.0) * radius, 0.0, radius}};
        log.orientation = Quaterniond(AngleAxisd(0.5 * pi, Vector3d::UnitX()));
        log.velocity.x() = random.uniform(0.2, 2.0);
        log.angular_velocity.y() = log.velocity.x() / radius;
        scene.add(log);
      }
      return;
    case 2:  // logs in a stack of three: two and one on them
      for (const double side : {-1.0, 1.0, 0.0}) {
        const double z = side == 0.0 ? radius * (1.0 + std::sqrt(3.0)) : radius;
        BodyText log{drum(radius, 1.5 * radius), {side * radius, 0.0, z}};
        log.orientation = Quaterniond(AngleAxisd(0.5 * pi, Vector3d::UnitX()));
        scene.add(log);
      }
      if (chance(random, 0.5)) {
        scene.add_plane(Vector3d::UnitX(), {-2.0 * radius, 0.0, 0.0});
        scene.add_plane(-Vector3d::UnitX(), {2.0 * radius, 0.0, 0.0});
      }
      return;
    default:  // thrown about
      for (int k = 0; k < count; ++k) {
        BodyText body{drum(radius * random.uniform(0.3, 0.7), radius * random.uniform(0.3, 0.7))};
        body.position = {2.2 * radius * (k % 3 - 1), 2.2 * radius * (k / 3 - 1), radius * random.uniform(1.1, 4.0)};
        body.orientation = chance(random, 0.3) ? lying(random, true) : random_turn(random);
        body.velocity = random_vector(random, 1.0);
        body.angular_velocity = random_vector(random, 5.0);
        scene.add(body);
      }
  }
}

void lay_standing_ellipsoids(SceneText& scene, Random& random) {
  add_floor(scene);
  const double half = length_between(random, 0.05, 0.2);
  const int count = random.integer(1, 6);
  const double tilt = chance(random, 0.5) ? 0.0 : std::pow(10.0, random.uniform(-3.0, -0.5));
  for (int k = 0; k < count; ++k) {
    const Vector3d axes(half * random.uniform(0.4, 1.0), half * random.uniform(0.4, 1.0),
                        half * random.uniform(0.8, 1.6));
    BodyText body{egg(axes)};
    body.orientation = Quaterniond(AngleAxisd(tilt, Vector3d::UnitY()));
    // The height at which the ellipsoid touches the floor: the support in the direction −z.
    const Vector3d down = body.orientation.conjugate() * Vector3d(0.0, 0.0, -1.0);
    const double height = axes.cwiseProduct(down).norm();
    body.position = {2.5 * half * k, 0.0, height + (chance(random, 0.3) ? 0.02 : 0.0)};
    if (chance(random, 0.4)) body.angular_velocity.z() = random.uniform(-30.0, 30.0);
    if (chance(random, 0.2)) body.velocity.x() = random.uniform(-1.0, 1.0);
    scene.add(body);
  }
}

void lay_lying_ellipsoids(SceneText& scene, Random& random) {
  const double half = length_between(random, 0.05, 0.2);
  const int count = random.integer(1, 10);
  if (chance(random, 0.5))
    scene.add_open_box(4.0 * half, 4.0 * half);
  else
    add_floor(scene);
  for (int k = 0; k < count; ++k) {
    const Vector3d axes(half * random.uniform(0.8, 1.2), half * random.uniform(0.5, 1.0),
                        half * random.uniform(0.3, 0.6));
    const bool on_the_floor = k < 9 && chance(random, 0.7);
    BodyText body{egg(axes)};
    body.position = {2.5 * half * (k % 3 - 1), 2.5 * half * (k / 3 % 3 - 1), on_the_floor ? axes.z() : 2.5 * half};
    if (k >= 9) body.position.z() += 2.5 * half;
    if (!on_the_floor) body.orientation = random_turn(random);
    if (chance(random, 0.4)) body.velocity.x() = random.uniform(-1.0, 1.0);
    if (on_the_floor && chance(random, 0.3)) body.angular_velocity.z() = random.uniform(-10.0, 10.0);
    scene.add(body);
  }
}

void lay_corner(SceneText& scene, Random& random) {
  // Two or three planes through the origin; a body that touches all of them, or falls into them.
  const double half = length_between(random, 0.05, 0.3);
  const bool groove = chance(random, 0.4);
  const double lean = groove ? random.uniform(0.2, 1.3) : 0.0;
  if (groove) {
    scene.add_plane({std::sin(lean), 0.0, std::cos(lean)}, Vector3d::Zero());
    scene.add_plane({-std::sin(lean), 0.0, std::cos(lean)}, Vector3d::Zero());
    if (chance(random, 0.5)) scene.add_plane(Vector3d::UnitY(), {0.0, -half, 0.0});
  } else {
    add_floor(scene);
    scene.add_plane(Vector3d::UnitX(), {-half, 0.0, 0.0});
    if (chance(random, 0.7)) scene.add_plane(Vector3d::UnitY(), {0.0, -half, 0.0});
  }
  BodyText first{ball(half)};
  // The centre of a ball that touches both planes of the groove is half/cos(lean) above their edge.
  first.position.z() = groove ? half / std::cos(lean) : half;
  const bool other = chance(random, 0.5);
  if (!groove && chance(random, 0.4))
    first.shape = other ? brick(Vector3d::Constant(half)) : egg(Vector3d::Constant(half));
  if (chance(random, 0.4)) {
    const double lift = half * random.uniform(0.0, 2.0);
    first.position += groove ? Vector3d(0.0, 0.0, lift) : Vector3d(lift, lift, lift);
    first.velocity = random_vector(random, 2.0);
    first.angular_velocity = random_vector(random, 5.0);
  }
  scene.add(first);
  double top = first.position.z() + 2.0 * half;
  for (int k = random.integer(0, 4); k > 0; --k) {
    BodyText next{ball(half * random.uniform(0.3, 0.9))};
    top += half * random.uniform(1.0, 2.0);
    next.position = {0.0, 0.0, top};
    if (chance(random, 0.5)) next.position.head<2>() = 0.05 * half * random_vector(random, 1.0).head<2>();
    top += half;
    scene.add(next);
  }
}

void lay_line(SceneText& scene, Random& random) {
  const double radius = length_between(random, 0.02, 0.2);
  const bool floor = chance(random, 0.7), cubes = chance(random, 0.2), equal = chance(random, 0.6);
  if (floor)
    add_floor(scene);
  else
    scene.set_gravity(Vector3d::Zero());
  const int count = random.integer(2, 12);
  const double gap = chance(random, 0.7) ? 0.0 : radius * random.uniform(0.001, 0.2);
  for (int k = 0; k < count; ++k) {
    BodyText body{cubes ? brick(Vector3d::Constant(radius)) : ball(radius)};
    body.position = {(2.0 * radius + gap) * k, 0.0, radius};
    if (!equal) body.density = 1000.0 * std::pow(10.0, random.uniform(-1.0, 1.0));
    scene.add(body);
  }
  if (chance(random, 0.4)) scene.add_plane(-Vector3d::UnitX(), {(2.0 * radius + gap) * (count - 1) + radius, 0.0, 0.0});
  BodyText striking{ball(radius), {-random.uniform(2.5, 6.0) * radius, 0.0, radius}};
  striking.velocity.x() = random.uniform(0.2, 3.0);
  if (chance(random, 0.5)) striking.angular_velocity.y() = striking.velocity.x() / radius;
  if (chance(random, 0.2)) striking.position.y() = 0.3 * radius;
  scene.add(striking);
  if (chance(random, 0.4)) scene.add_plane(Vector3d::UnitX(), {striking.position.x() - 2.0 * radius, 0.0, 0.0});
}

void lay_dominoes(SceneText& scene, Random& random) {
  add_floor(scene);
  const Vector3d half(random.uniform(0.003, 0.008), random.uniform(0.01, 0.02), random.uniform(0.02, 0.04));
  const double spacing = 2.0 * half.x() + 2.0 * half.z() * random.uniform(0.2, 0.7);
  const int count = random.integer(2, 12);
  for (int k = 0; k < count; ++k) {
    BodyText stone{brick(half), {spacing * k, 0.0, half.z()}};
    scene.add(stone);
  }
  BodyText push{ball(half.z() / 3.0), {-half.x() - half.z() * random.uniform(0.5, 2.0), 0.0, 1.7 * half.z()}};
  push.velocity.x() = random.uniform(0.3, 1.5);
  scene.add(push);
}

}  // namespace carom::test
