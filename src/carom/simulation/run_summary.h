#pragma once
/// How a run ended and what it was: the summary of `carom run --json`, which records keep too.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "carom/base/json.h"
#include "carom/mechanics/model.h"
#include "carom/record/run_result.h"

namespace carom {

struct RunSummary {
  std::string title;  ///< of the scene; may be empty
  std::string file;   ///< of the scene, as the user named it
  std::string engine;
  std::string law;  ///< impact law; empty where contacts have forces
  std::shared_ptr<const Model> model;
  RunResult result;
  double wall_time = 0.0;             ///< [s]
  double energy_scale = 0.0;          ///< largest |total| and kinetic energy that was seen [J]
  std::optional<std::string> record;  ///< file, where one was written
  std::vector<std::string> unused;    ///< keys of the scene that the engine does not use

  /// What is missing in the energy balance, |total − (initial − dissipated + work)|, relative to the largest of the
  /// initial energy, the total and the kinetic energy seen at the samples. Zero where there was no energy at all.
  [[nodiscard]] double balance_error() const;

  /// Joints that hold the bodies which a failure involves together, or to the ground; none where nothing failed.
  [[nodiscard]] std::vector<std::string> failed_joints() const;

  /// The object of the outside contract (docs/commands.md) without `bodies`.
  [[nodiscard]] Json to_json() const;
  /// Its entry `bodies`.
  [[nodiscard]] Json bodies_json() const;
};

}  // namespace carom
