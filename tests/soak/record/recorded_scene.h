#pragma once
/// The objects of a scene file as far as the check of a record needs them: solids with mass and inertia, walls and how
/// they are driven, gravity, springs. Read with a TOML library alone.

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "soak/record/recorded_joint.h"
#include "soak/record/solids.h"

namespace carom::soak {

/// The scene has something that this check does not know.
struct NotUnderstood : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct RecordedBody {
  std::string name;
  std::vector<Solid> solids;  ///< about the centre of mass
  double mass = 0.0;
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about the centre of mass, in the axes of its shape [kg m²]
  bool held = false;                                  ///< by a constraint, a joint, a spring or a load
  std::vector<std::string> groups, avoids;

  [[nodiscard]] double size() const;   ///< half of the least width of its thinnest part, roughly [m]
  [[nodiscard]] double reach() const;  ///< no point is farther from the centre of mass [m]
};

struct RecordedObstacle {
  enum class Kind { plane, solids, shell, bore } kind = Kind::plane;
  std::string name;
  std::vector<Solid> solids;
  double radius = 0.0;                                 ///< of a shell or a bore [m]
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();   ///< of a plane
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< at time 0
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();
  Eigen::Vector3d swing = Eigen::Vector3d::Zero();  ///< amplitude of a sine along an axis [m]
  double frequency = 0.0, phase = 0.0;              ///< [Hz], [rad]

  [[nodiscard]] bool driven() const;
  [[nodiscard]] Eigen::Vector3d position_at(double time) const;
  [[nodiscard]] Eigen::Quaterniond orientation_at(double time) const;
};

struct RecordedSpring {
  int body_a = 0;
  std::optional<int> body_b;  ///< none: the second end is a point of the world
  Eigen::Vector3d end_a, end_b;
  double stiffness = 0.0, rest_length = 0.0;
};

struct RecordedScene {
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  std::vector<RecordedBody> bodies;
  std::vector<RecordedObstacle> obstacles;
  std::vector<RecordedSpring> springs;
  std::vector<RecordedJoint> joints;
  bool has_friction = false;
  double rtol = 1e-8;

  /// Whether two bodies never meet: since one avoids the other, or since a joint holds them.
  [[nodiscard]] bool pass_through(std::size_t a, std::size_t b) const;
};

/// Throws NotUnderstood.
RecordedScene read_recorded_scene(const std::string& text);

}  // namespace carom::soak
