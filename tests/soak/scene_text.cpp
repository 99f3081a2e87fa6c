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

Surface any_surface(Random& random) {
  Surface surface;
  surface.kind = one_of(random, std::array{"smooth", "coulomb", "rough"});
  surface.restitution = any_restitution(random);
  surface.friction = std::round(100.0 * random.uniform(0.05, 1.0)) / 100.0;
  return surface;
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

std::string material_name(int k) {
  return k == 0 ? "stuff" : "stuff" + std::to_string(k);
}

}  // namespace

SceneText::SceneText(const std::string& title, const std::string& engine, Random& random)
    : title_(title), engine_(engine) {
  surfaces_ = {any_surface(random)};
  law_ = any_law(random, surfaces_.front().kind);
  normal_law_ = one_of(random, std::array{"tsuji", "hunt-crossley-fixed", "kelvin-voigt", "kuwabara-kono"});
  depth_ = std::pow(10.0, random.uniform(-4.0, -2.5));
}

void SceneText::mix_materials(int count, Random& random) {
  materials_ = count;
  while (surfaces_.size() < static_cast<std::size_t>(count * (count + 1) / 2)) surfaces_.push_back(any_surface(random));
  law_ = one_of(random, std::array{"compliant", "compliant", "newton", "poisson", "sequential"});
}

bool SceneText::resists_slip() const {
  return std::all_of(surfaces_.begin(), surfaces_.end(), [](const Surface& one) { return one.kind != "smooth"; });
}

/// Objects have the materials in turn.
std::string SceneText::material_line(int object) const {
  return line("material", material_name(object % materials_));
}

std::string SceneText::add(const BodyText& body) {
  const std::string name = "body" + std::to_string(bodies_);
  objects_ += "\n[[body]]\n" + line("name", name) + "shape = " + body.shape.toml + "\n" +
              (body.shape.weighs_by_parts ? "" : line("density", body.density)) + material_line(bodies_) +
              line("position", body.position);
  ++bodies_;
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
  const std::string name = "wall" + std::to_string(obstacles_);
  objects_ += "\n[[plane]]\n" + line("name", name) + line("normal", normal) + line("point", point) +
              material_line(obstacles_++) + more;
  return name;
}

std::string SceneText::add_obstacle(const std::string& shape, const Vector3d& position, const std::string& more) {
  const std::string name = "thing" + std::to_string(obstacles_);
  objects_ += "\n[[obstacle]]\n" + line("name", name) + "shape = " + shape + "\n" + line("position", position) +
              material_line(obstacles_++) + more;
  return name;
}

void SceneText::add_open_box(double half_x, double half_y, const std::string& more) {
  add_plane(Vector3d::UnitZ(), Vector3d::Zero(), more);
  add_plane(Vector3d::UnitX(), {-half_x, 0.0, 0.0}, more);
  add_plane(-Vector3d::UnitX(), {half_x, 0.0, 0.0}, more);
  add_plane(Vector3d::UnitY(), {0.0, -half_y, 0.0}, more);
  add_plane(-Vector3d::UnitY(), {0.0, half_y, 0.0}, more);
}

void SceneText::write_surfaces(std::string& out) const {
  for (int k = 0; k < materials_; ++k) out += "\n[[material]]\n" + line("name", material_name(k));
  std::size_t next = 0;
  for (int one = 0; one < materials_; ++one)
    for (int other = one; other < materials_; ++other) {
      out += "\n[[pair]]\nmaterials = [\"" + material_name(one) + "\", \"" + material_name(other) + "\"]\n";
      write_pair(surfaces_.at(next++), out);
    }
}

void SceneText::write_pair(const Surface& surface, std::string& out) const {
  const std::string friction = format_number(surface.friction);
  out += line("restitution", engine_ == "event" ? surface.restitution : std::max(surface.restitution, 0.05));
  if (engine_ == "event") {
    if (surface.kind == "rough") out += "rough = true\n";
    if (surface.kind == "coulomb") out += "friction = { law = \"coulomb\", coefficient = " + friction + " }\n";
    return;
  }
  // As stiff as bears all bodies at a small part of the smallest one's size.
  const double pull = gravity_.norm() + speed_ * speed_ / least_size_;
  const double force = mass_ * (pull > 0.0 ? pull : 1.0), depth = depth_ * least_size_;
  const bool linear = surface.restitution < 1.0 && normal_law_ == "kelvin-voigt";
  out += line("stiffness", force / std::pow(depth, linear ? 1.0 : 1.5));
  // A law of a fixed speed is for the speeds of a fall through a body's size.
  const double falling = std::max(speed_, std::sqrt(2.0 * least_size_ * gravity_.norm()));
  const double speed = falling > 0.0 ? falling : 1.0;
  if (surface.restitution < 1.0) {
    out += line("normal", normal_law_);
    if (normal_law_ == "hunt-crossley-fixed" || normal_law_ == "kuwabara-kono") out += line("reference_speed", speed);
  }
  if (surface.kind == "smooth") return;
  const bool spring = surface.kind == "rough";
  out += std::string("friction = { law = \"") + (spring ? "tangential-spring" : "coulomb") +
         "\", coefficient = " + friction + ", " +
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
  write_surfaces(out);
  return out + objects_ + lines_;
}

}  // namespace carom::test
