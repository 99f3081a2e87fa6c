#include "soak/scene_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/base/number.h"

namespace carom::test {

namespace {

using Eigen::Vector3d;
using std::numbers::pi;

std::string line(const std::string& key, double value) {
  return key + " = " + format_number(value) + "\n";
}
std::string line(const std::string& key, const std::string& text) {
  return key + " = \"" + text + "\"\n";
}
std::string line(const std::string& key, const Vector3d& value) {
  return key + " = " + vector_text(value) + "\n";
}

template <std::size_t Count>
std::string one_of(Random& random, const std::array<const char*, Count>& words) {
  return words[static_cast<std::size_t>(random.integer(0, static_cast<int>(Count) - 1))];
}

double any_restitution(Random& random) {
  switch (random.integer(0, 5)) {
    case 0: return 1.0;
    case 1: return 0.0;
    case 2: return 0.5;
    default: return std::round(100.0 * random.uniform()) / 100.0;
  }
}

/// Laws for any number of contacts; `geometric` has no friction, `rough` is for surfaces that do not slip.
std::string any_law(Random& random, const std::string& surface) {
  const double draw = random.uniform();
  if (draw < 0.4) return "compliant";
  if (draw < 0.6) return "newton";
  if (draw < 0.8) return "poisson";
  if (draw < 0.93) return "sequential";
  if (surface == "smooth") return "geometric";
  return surface == "rough" ? "rough" : "newton";
}

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

SceneText::SceneText(const std::string& title, const std::string& engine, Random& random)
    : title_(title), engine_(engine) {
  surface_ = one_of(random, std::array{"smooth", "coulomb", "rough"});
  restitution_ = any_restitution(random);
  friction_ = std::round(100.0 * random.uniform(0.05, 1.0)) / 100.0;
  law_ = any_law(random, surface_);
  normal_law_ = one_of(random, std::array{"tsuji", "hunt-crossley-fixed", "kelvin-voigt", "kuwabara-kono"});
  depth_ = std::pow(10.0, random.uniform(-4.0, -2.5));
}

std::string SceneText::add(const BodyText& body) {
  const std::string name = "body" + std::to_string(bodies_++);
  objects_ += "\n[[body]]\n" + line("name", name) + "shape = " + body.shape.toml + "\n" +
              line("density", body.density) + line("material", std::string("stuff")) + line("position", body.position);
  const Eigen::Quaterniond& turn = body.orientation;
  if (!turn.vec().isZero(0.0))
    objects_ += "orientation = { quaternion = [" + format_number(turn.w()) + ", " + format_number(turn.x()) + ", " +
                format_number(turn.y()) + ", " + format_number(turn.z()) + "] }\n";
  if (!body.velocity.isZero(0.0)) objects_ += line("velocity", body.velocity);
  if (!body.angular_velocity.isZero(0.0)) objects_ += line("angular_velocity", body.angular_velocity);
  objects_ += body.more;
  mass_ += body.density * body.shape.volume;
  least_size_ = std::min(least_size_, body.shape.size);
  speed_ = std::max(speed_, body.velocity.norm());
  return name;
}

std::string SceneText::add_plane(const Vector3d& normal, const Vector3d& point, const std::string& more) {
  const std::string name = "wall" + std::to_string(obstacles_++);
  objects_ += "\n[[plane]]\n" + line("name", name) + line("normal", normal) + line("point", point) +
              line("material", std::string("stuff")) + more;
  return name;
}

std::string SceneText::add_obstacle(const std::string& shape, const Vector3d& position, const std::string& more) {
  const std::string name = "thing" + std::to_string(obstacles_++);
  objects_ += "\n[[obstacle]]\n" + line("name", name) + "shape = " + shape + "\n" + line("position", position) +
              line("material", std::string("stuff")) + more;
  return name;
}

void SceneText::add_open_box(double half_x, double half_y, const std::string& more) {
  add_plane(Vector3d::UnitZ(), Vector3d::Zero(), more);
  add_plane(Vector3d::UnitX(), {-half_x, 0.0, 0.0}, more);
  add_plane(-Vector3d::UnitX(), {half_x, 0.0, 0.0}, more);
  add_plane(Vector3d::UnitY(), {0.0, -half_y, 0.0}, more);
  add_plane(-Vector3d::UnitY(), {0.0, half_y, 0.0}, more);
}

void SceneText::write_pair(std::string& out) const {
  out += "\n[[material]]\nname = \"stuff\"\n\n[[pair]]\nmaterials = [\"stuff\", \"stuff\"]\n" +
         line("restitution", engine_ == "event" ? restitution_ : std::max(restitution_, 0.05));
  if (engine_ == "event") {
    if (surface_ == "rough") out += "rough = true\n";
    if (surface_ == "coulomb")
      out += "friction = { law = \"coulomb\", coefficient = " + format_number(friction_) + " }\n";
    return;
  }
  // As stiff as bears all bodies at a small part of the smallest one's size.
  const double pull = gravity_.norm() + speed_ * speed_ / least_size_;
  const double force = mass_ * (pull > 0.0 ? pull : 1.0), depth = depth_ * least_size_;
  const bool linear = restitution_ < 1.0 && normal_law_ == "kelvin-voigt";
  out += line("stiffness", force / std::pow(depth, linear ? 1.0 : 1.5));
  // A law of a fixed speed is for the speeds of a fall through a body's size.
  const double falling = std::max(speed_, std::sqrt(2.0 * least_size_ * gravity_.norm()));
  const double speed = falling > 0.0 ? falling : 1.0;
  if (restitution_ < 1.0) {
    out += line("normal", normal_law_);
    if (normal_law_ == "hunt-crossley-fixed" || normal_law_ == "kuwabara-kono") out += line("reference_speed", speed);
  }
  if (surface_ == "smooth") return;
  const bool spring = surface_ == "rough";
  out += std::string("friction = { law = \"") + (spring ? "tangential-spring" : "coulomb") +
         "\", coefficient = " + format_number(friction_) + ", " +
         (spring ? "stiffness = " + format_number(force / depth) : "vr = " + format_number(1e-3 * speed)) + " }\n";
}

std::string SceneText::text() const {
  std::string out = "format = 1\n" + line("title", title_) + "\n[world]\n" + line("gravity", gravity_) + "\n[run]\n" +
                    line("engine", engine_);
  if (engine_ == "event")
    out += line("law", law_);
  else
    out += "rtol = 1e-6\n";
  out += line("duration", duration_) + line("output_step", duration_ / 200.0);
  write_pair(out);
  return out + objects_ + lines_;
}

}  // namespace carom::test
