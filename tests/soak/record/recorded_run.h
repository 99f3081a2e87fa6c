#pragma once
/// A record as it lies in its file, read with the HDF5 library alone: docs/record-file.md is all that is known of it.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <map>
#include <string>
#include <vector>

namespace carom::soak {

struct BodySample {
  Eigen::Vector3d position, velocity, angular_velocity;
  Eigen::Quaterniond orientation;
};

struct RecordedRun {
  std::string scene;  ///< text of the scene file
  std::string engine, law, stop;
  std::vector<std::string> objects;  ///< names, bodies first
  std::size_t bodies = 0;
  std::vector<double> time;
  std::vector<std::vector<BodySample>> samples;       ///< by time, then by body
  std::map<std::string, std::vector<double>> energy;  ///< columns of /energy
  std::vector<double> last_jump;                      ///< by body: when its velocity last jumped, -1 where it never did
};

/// Throws std::runtime_error where the file is not what its documentation says.
RecordedRun read_recorded_run(const std::string& path);

}  // namespace carom::soak
