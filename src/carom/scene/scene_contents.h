#pragma once
/// What a scene says: a model, its state at the start, and how to run it.

#include <Eigen/Core>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "carom/engine/run_options.h"
#include "carom/mechanics/model.h"
#include "carom/mechanics/state.h"

namespace carom::scene {

/// How a scene is shown, where it says so. Mechanics knows nothing of it.
struct Looks {
  struct Camera {
    std::string view;                          ///< `iso`, `front`, `side`, `top`; empty: as the viewer chooses
    std::optional<Eigen::Vector3d> direction;  ///< from the scene to the camera, any length
    std::optional<Eigen::Vector3d> centre;     ///< of what is seen [m]
    std::optional<double> height;              ///< of what is seen at the centre [m]
    std::optional<bool> perspective;
    std::string follow;  ///< name of a body; empty: none
  };

  std::map<std::string, std::string, std::less<>> colours;  ///< by name of the object: `#rrggbb`
  std::optional<Camera> camera;
};

struct SceneFile {
  std::string title;
  Model model;
  State state;  ///< at time 0
  RunOptions run;
  Looks looks;
  std::string text;                 ///< of the file as it was read
  std::vector<std::string> unused;  ///< paths of keys that the chosen engine does not use and may have been meant for
};

}  // namespace carom::scene
