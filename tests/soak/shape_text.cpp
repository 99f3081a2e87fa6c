#include "soak/shape_text.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "carom/base/number.h"

namespace carom::test {

namespace {

using Eigen::Vector3d;
using std::numbers::pi;

struct PlacedShape {
  ShapeText shape;
  Vector3d position = Vector3d::Zero();
  std::string more = {};
};

/// The volume that parts share is that of a small part of them, and counts twice.
ShapeText compound(const std::vector<PlacedShape>& parts) {
  ShapeText whole;
  whole.size = parts.front().shape.size;
  whole.weighs_by_parts = true;
  for (const PlacedShape& part : parts) {
    const std::string& own = part.shape.toml;
    whole.toml += (whole.toml.empty() ? "" : ", ") + own.substr(0, own.size() - 2) +
                  ", density = " + format_number(kUsualDensity) + ", position = " + vector_text(part.position) +
                  part.more + " }";
    whole.volume += part.shape.volume;
    whole.size = std::min(whole.size, part.shape.size);
  }
  whole.toml = "{ kind = \"compound\", parts = [" + whole.toml + "] }";
  return whole;
}

constexpr const char* kAlongX = ", orientation = { bryan_deg = [0, 90, 0] }";

}  // namespace

std::string vector_text(const Vector3d& vector) {
  return "[" + format_number(vector.x()) + ", " + format_number(vector.y()) + ", " + format_number(vector.z()) + "]";
}

bool chance(Random& random, double probability) {
  return random.uniform() < probability;
}

Vector3d random_vector(Random& random, double size) {
  const double x = random.uniform(-size, size);
  const double y = random.uniform(-size, size);
  return {x, y, random.uniform(-size, size)};
}

Eigen::Quaterniond random_turn(Random& random) {
  for (;;) {
    const Vector3d vector = random_vector(random, 1.0);
    const Eigen::Quaterniond turn(random.uniform(-1.0, 1.0), vector.x(), vector.y(), vector.z());
    if (turn.norm() > 0.1 && turn.norm() < 1.0) return turn.normalized();
  }
}

ShapeText ball(double radius) {
  return {"{ kind = \"sphere\", radius = " + format_number(radius) + " }", 4.0 / 3.0 * pi * std::pow(radius, 3),
          radius};
}

ShapeText brick(const Vector3d& half_sizes) {
  return {"{ kind = \"box\", half_sizes = " + vector_text(half_sizes) + " }", 8.0 * half_sizes.prod(),
          half_sizes.minCoeff()};
}

ShapeText egg(const Vector3d& semi_axes) {
  return {"{ kind = \"ellipsoid\", semi_axes = " + vector_text(semi_axes) + " }", 4.0 / 3.0 * pi * semi_axes.prod(),
          semi_axes.minCoeff()};
}

ShapeText drum(double radius, double half_length) {
  return {"{ kind = \"cylinder\", radius = " + format_number(radius) + ", half_length = " + format_number(half_length) +
              " }",
          2.0 * pi * radius * radius * half_length, std::min(radius, half_length)};
}

ShapeText pill(double radius, double half_length) {
  return {"{ kind = \"capsule\", radius = " + format_number(radius) + ", half_length = " + format_number(half_length) +
              " }",
          2.0 * pi * radius * radius * half_length + 4.0 / 3.0 * pi * std::pow(radius, 3), radius};
}

ShapeText hat(double radius, double height) {
  return {"{ kind = \"cone\", radius = " + format_number(radius) + ", height = " + format_number(height) + " }",
          pi / 3.0 * radius * radius * height, std::min(radius, 0.5 * height)};
}

ShapeText trough(double radius, double half_length) {
  return {"{ kind = \"half_cylinder\", radius = " + format_number(radius) +
              ", half_length = " + format_number(half_length) + " }",
          pi * radius * radius * half_length, std::min(0.5 * radius, half_length)};
}

ShapeText wedge(double reach, double half_length, Random& random) {
  std::string corners;
  std::vector<Vector3d> places;
  for (int k = 0; k < 3; ++k) {
    const double angle = 2.0 * pi / 3.0 * (k + random.uniform(-0.3, 0.3));
    places.emplace_back(reach * std::cos(angle), reach * std::sin(angle), 0.0);
    corners += std::string(k > 0 ? ", " : "") + "[" + format_number(places.back().x()) + ", " +
               format_number(places.back().y()) + "]";
  }
  const double area = 0.5 * (places[1] - places[0]).cross(places[2] - places[0]).norm();
  return {"{ kind = \"prism\", vertices = [" + corners + "], half_length = " + format_number(half_length) + " }",
          2.0 * area * half_length, std::min(0.3 * reach, half_length)};
}

ShapeText rock(double reach, int corners, Random& random) {
  // Four of them around the middle, so that it has a volume.
  std::string list;
  for (int k = 0; k < corners; ++k) {
    Vector3d corner(k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, ((k ^ (k >> 1)) & 1) != 0 ? -1.0 : 1.0);
    corner += random_vector(random, k < 4 ? 0.3 : 1.5);
    list += std::string(k > 0 ? ", " : "") + vector_text(reach * corner.normalized());
  }
  return {"{ kind = \"convex\", vertices = [" + list + "] }", std::pow(reach, 3), 0.3 * reach};
}

ShapeText hammer(double reach) {
  return compound({{drum(0.12 * reach, 0.7 * reach), {0.0, 0.0, -0.2 * reach}},
                   {brick({0.5 * reach, 0.18 * reach, 0.18 * reach}), {0.0, 0.0, 0.6 * reach}}});
}

ShapeText dumbbell(double reach) {
  return compound({{ball(0.35 * reach), {-0.6 * reach, 0.0, 0.0}},
                   {pill(0.12 * reach, 0.5 * reach), Vector3d::Zero(), kAlongX},
                   {ball(0.3 * reach), {0.65 * reach, 0.0, 0.0}}});
}

ShapeText cross(double reach) {
  return compound(
      {{brick({0.9 * reach, 0.2 * reach, 0.2 * reach})}, {brick({0.2 * reach, 0.8 * reach, 0.15 * reach})}});
}

ShapeText angle_iron(double reach) {
  return compound({{brick({0.5 * reach, 0.25 * reach, 0.12 * reach}), {0.3 * reach, 0.0, -0.4 * reach}},
                   {brick({0.12 * reach, 0.25 * reach, 0.5 * reach}), {-0.2 * reach, 0.0, 0.0}}});
}

}  // namespace carom::test
