#pragma once
/// What a scene says: a model, its state at the start, and how to run it.

#include <string>
#include <vector>

#include "carom/engine/run_options.h"
#include "carom/mechanics/model.h"
#include "carom/mechanics/state.h"

namespace carom::scene {

struct SceneFile {
  std::string title;
  Model model;
  State state;  ///< at time 0
  RunOptions run;
  std::string text;                 ///< of the file as it was read
  std::vector<std::string> unused;  ///< paths of keys that the chosen engine does not use and may have been meant for
};

}  // namespace carom::scene
