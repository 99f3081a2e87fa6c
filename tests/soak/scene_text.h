#pragma once
/// A scene file in the making: bodies, walls and what else there is, with the engine, the law and the surfaces drawn at
/// random. Knows the scene format and nothing of how a scene is read or run.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "soak/shape_text.h"

namespace carom::test {

struct BodyText {
  ShapeText shape;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();
  double density = kUsualDensity;  ///< [kg/m³]
  std::string more = {};           ///< further lines
};

/// What happens where two materials meet: smooth, coulomb or rough.
struct Surface {
  std::string kind;
  double restitution = 0.0, friction = 0.0;
};

class SceneText {
 public:
  /// Draws engine-dependent options, restitution, law and surface from `random`, which the layout goes on to use.
  SceneText(const std::string& title, const std::string& engine, Random& random);

  void set_gravity(const Eigen::Vector3d& gravity) { gravity_ = gravity; }
  void set_duration(double duration) { duration_ = duration; }
  /// From now on objects have so many materials in turn, with surfaces of their own for each pair.
  void mix_materials(int count, Random& random);
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
  [[nodiscard]] bool resists_slip() const;
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] std::string material_line(int object) const;
  void write_surfaces(std::string& out) const;
  void write_pair(const Surface& surface, std::string& out) const;

  std::string title_, engine_, law_, normal_law_;
  std::vector<Surface> surfaces_;  ///< of the pairs of materials, (0, 0), (0, 1), …
  int materials_ = 1;
  double depth_ = 0.0, duration_ = 2.0;
  Eigen::Vector3d gravity_{0.0, 0.0, -9.81};
  std::string objects_, lines_;
  int bodies_ = 0, obstacles_ = 0;
  double mass_ = 0.0, least_size_ = 1e300, speed_ = 0.0;
};

}  // namespace carom::test
