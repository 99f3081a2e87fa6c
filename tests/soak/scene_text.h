#pragma once
/// A scene file in the making: bodies, walls and what else there is, with the engine, the law and the surfaces drawn at
/// random. Knows the scene format and nothing of how a scene is read or run.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "carom/base/random.h"

namespace carom::test {

/// A shape as the scene format writes it, and what a layout has to know of it.
struct ShapeText {
  std::string toml;
  double volume = 0.0;  ///< [m³]
  double size = 0.0;    ///< a typical half width [m]
};

ShapeText ball(double radius);
ShapeText brick(const Eigen::Vector3d& half_sizes);
ShapeText egg(const Eigen::Vector3d& semi_axes);
ShapeText drum(double radius, double half_length);
ShapeText pill(double radius, double half_length);
ShapeText hat(double radius, double height);          ///< a cone
ShapeText trough(double radius, double half_length);  ///< a half cylinder

struct BodyText {
  ShapeText shape;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();
  double density = 1000.0;  ///< [kg/m³]
  std::string more = {};    ///< further lines
};

class SceneText {
 public:
  /// Draws engine-dependent options, restitution, law and surface from `random`, which the layout goes on to use.
  SceneText(const std::string& title, const std::string& engine, Random& random);

  void set_gravity(const Eigen::Vector3d& gravity) { gravity_ = gravity; }
  void set_duration(double duration) { duration_ = duration; }
  /// Its name: body0, body1, …
  std::string add(const BodyText& body);
  /// `more`: further lines, such as a motion.
  std::string add_plane(const Eigen::Vector3d& normal, const Eigen::Vector3d& point, const std::string& more = {});
  std::string add_obstacle(const std::string& shape, const Eigen::Vector3d& position, const std::string& more = {});
  /// Lines of further tables: constraints, springs, loads.
  void add_lines(const std::string& lines) { lines_ += lines; }
  /// Floor z = 0 and four walls around the rectangle of these half widths, optionally with further lines for each.
  void add_open_box(double half_x, double half_y, const std::string& more = {});

  [[nodiscard]] int bodies() const { return bodies_; }
  [[nodiscard]] const Eigen::Vector3d& gravity() const { return gravity_; }
  /// Whether contacts resist slip.
  [[nodiscard]] bool resists_slip() const { return surface_ != "smooth"; }
  [[nodiscard]] std::string text() const;

 private:
  void write_pair(std::string& out) const;

  std::string title_, engine_, law_, surface_, normal_law_;
  double restitution_ = 0.0, friction_ = 0.0, depth_ = 0.0, duration_ = 2.0;
  Eigen::Vector3d gravity_{0.0, 0.0, -9.81};
  std::string objects_, lines_;
  int bodies_ = 0, obstacles_ = 0;
  double mass_ = 0.0, least_size_ = 1e300, speed_ = 0.0;
};

/// [x, y, z]
std::string vector_text(const Eigen::Vector3d& vector);
bool chance(Random& random, double probability);
Eigen::Vector3d random_vector(Random& random, double size);
Eigen::Quaterniond random_turn(Random& random);

}  // namespace carom::test
