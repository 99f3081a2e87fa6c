#pragma once
/// Scenes of sustained friction as text, put together from few words, and the oracles they are compared with.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Geometry>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>

#include "scenes/scene_run.h"
#include "support/places.h"

namespace carom::test {

inline constexpr double kGravity = 9.81;

/// A case of sustained_oracles.json.
inline nlohmann::json sustained_oracle(const std::string& id) {
  std::ifstream file(test_data("sustained_oracles.json"));
  const nlohmann::json all = nlohmann::json::parse(file);
  for (const auto& one : all["cases"])
    if (one["id"] == id) return one;
  throw std::runtime_error("no oracle " + id);
}

inline std::string list(const Eigen::Vector3d& x) {
  return fmt::format("[{}, {}, {}]", x[0], x[1], x[2]);
}

/// A scene of the rigid engine, section by section.
class FrictionScene {
 public:
  explicit FrictionScene(double duration, const Eigen::Vector3d& gravity = {0.0, 0.0, -kGravity}) {
    text_ = fmt::format("format = 1\n[world]\ngravity = {}\n[run]\nduration = {}\n", list(gravity), duration);
  }
  FrictionScene& add(const std::string& text) {
    text_ += text + "\n";
    return *this;
  }
  FrictionScene& material(const std::string& name) { return add("[[material]]\nname = \"" + name + "\""); }
  /// What the pair of two materials says beside a restitution of 0.
  FrictionScene& pair(const std::string& a, const std::string& b, const std::string& more) {
    return add(fmt::format("[[pair]]\nmaterials = [\"{}\", \"{}\"]\nrestitution = 0\n{}", a, b, more));
  }
  FrictionScene& pair(const std::string& a, const std::string& b, double static_friction, double kinetic_friction) {
    return pair(a, b,
                fmt::format("friction = {{ law = \"coulomb\", static = {}, kinetic = {} }}", static_friction,
                            kinetic_friction));
  }
  struct Start {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
    Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();
    Eigen::Quaterniond turned = Eigen::Quaterniond::Identity();
    std::string material = "m";
    std::string more{};
  };
  FrictionScene& body(const std::string& name, const std::string& shape, double mass, const Start& start) {
    const Eigen::Quaterniond& q = start.turned;
    return add(
        fmt::format("[[body]]\nname = \"{}\"\nshape = {{ {} }}\nmass = {}\nmaterial = \"{}\"\nposition = {}\n"
                    "velocity = {}\nangular_velocity = {}\norientation = {{ quaternion = [{}, {}, {}, {}] }}\n{}",
                    name, shape, mass, start.material, list(start.position), list(start.velocity),
                    list(start.angular_velocity), q.w(), q.x(), q.y(), q.z(), start.more));
  }
  FrictionScene& plane(const std::string& name, const Eigen::Vector3d& normal, const std::string& material = "m",
                       const std::string& more = "") {
    return add(fmt::format("[[plane]]\nname = \"{}\"\nnormal = {}\nmaterial = \"{}\"\n{}", name, list(normal), material,
                           more));
  }
  FrictionScene& floor(const std::string& material = "m") { return plane("floor", Eigen::Vector3d::UnitZ(), material); }

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] SceneRun run() const {
    SceneRun done = run_scene(scene_from_text(text_));
    expect_ended(done);
    return done;
  }

 private:
  std::string text_;
};

inline std::string box(double x, double y, double z) {
  return fmt::format("kind = \"box\", half_sizes = [{}, {}, {}]", x, y, z);
}
inline std::string sphere(double radius) {
  return fmt::format("kind = \"sphere\", radius = {}", radius);
}
inline Eigen::Quaterniond turned_about_y(double angle) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitY()));
}
inline double radians(double degrees) {
  return degrees * std::numbers::pi / 180.0;
}
/// Gravity on a slope of this angle, seen in the frame of the slope: x downwards.
inline Eigen::Vector3d gravity_on_slope(double degrees) {
  return kGravity * Eigen::Vector3d(std::sin(radians(degrees)), 0.0, -std::cos(radians(degrees)));
}
inline Eigen::Vector3d vector_of(const nlohmann::json& list) {
  Eigen::Vector3d x = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < list.size(); ++i) x[static_cast<Eigen::Index>(i)] = list[i];
  return x;
}

}  // namespace carom::test
