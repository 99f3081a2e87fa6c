#pragma once
/// Joints of a scene file as far as the check of a record needs them: how far two bodies are off what a joint keeps,
/// and what its spring stores. Written for the check alone: bodies and points of the file, poses of the record.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "soak/record/recorded_run.h"

namespace carom::soak {

/// Of one joint; its coordinates are zero as placed.
struct RecordedJoint {
  std::string name, kind;
  std::array<std::optional<int>, 2> bodies;  ///< none: the ground
  std::array<Eigen::Vector3d, 2> points;     ///< in the frames of the bodies
  std::array<Eigen::Vector3d, 2> axes;       ///< likewise; of a universal joint that of each body
  std::array<Eigen::Quaterniond, 2> frames;  ///< parallel as placed
  std::array<int, 2> geared = {-1, -1};      ///< gear: among the joints
  double ratio = 1.0;
  double length = 0.0;     ///< rod [m]
  double stiffness = 0.0;  ///< of the spring on its turn or shift
  bool collide = false;
};

/// The joints of a record from sample to sample: whole turns are counted by the rates of turning.
class RecordedJoints {
 public:
  explicit RecordedJoints(std::vector<RecordedJoint> joints) : joints_(std::move(joints)), turns_(joints_.size()) {}

  /// Goes on to a sample.
  void move_to(double time, const std::vector<BodySample>& sample);
  /// The largest error there, relative to `size`, lengths and angles alike; and whose it is.
  struct Error {
    double relative = 0.0;
    std::string joint;
  };
  [[nodiscard]] Error largest_error(double size) const;
  /// What the springs of the joints store there [J].
  [[nodiscard]] double energy() const;
  [[nodiscard]] const std::vector<RecordedJoint>& joints() const { return joints_; }

 private:
  struct Turn {
    double angle = 0.0, rate = 0.0;
  };
  /// The two ends of a joint at the present sample.
  struct Ends {
    Eigen::Vector3d apart;  ///< of their points
    std::array<Eigen::Vector3d, 2> axes;
    Eigen::Quaterniond turn;           ///< frame of the second to that of the first
    Eigen::Vector3d angular_velocity;  ///< of the first against the second
  };
  [[nodiscard]] Ends ends(const RecordedJoint& joint) const;
  [[nodiscard]] double error(std::size_t joint, double size) const;

  std::vector<RecordedJoint> joints_;
  std::vector<Turn> turns_;
  std::vector<BodySample> sample_;
  double time_ = 0.0;
};

}  // namespace carom::soak
