#pragma once
/// How a run ended, as the JSON object of the outside contract and for people.

#include <optional>
#include <string>

#include "carom/base/json.h"
#include "carom/record/run_result.h"
#include "carom/scene/scene_file.h"

namespace carom::app {

/// All that the summary is made of.
struct RunSummary {
  const scene::SceneFile& scene;
  std::string file;  ///< of the scene, as the user named it
  const RunResult& result;
  double wall_time = 0.0;               ///< [s]
  double energy_scale = 0.0;            ///< largest |total| and kinetic energy that was seen [J]
  std::optional<std::string> record{};  ///< file, where one was written
};

/// Whether contacts have forces in this scene, and not impact laws.
inline bool is_compliant(const scene::SceneFile& scene) {
  return scene.run.engine == "smooth";
}

/// Above this many bodies they are listed only on demand.
inline constexpr std::size_t kMostBodiesListed = 1000;

/// What is missing in the energy balance, |total − (initial − dissipated + work)|, relative to the largest of the
/// initial energy, the total and the kinetic energy seen at the samples. Zero where there was no energy at all.
double balance_error(const RunSummary& summary);

/// The object of the contract without `bodies`, and: `file`, `law` (null for compliant engines), `record`, the parts of
/// the energy book (`impacts`, `damping`, `cut_off`, `contacts`, `friction`, `swallowed`, `wall_work`, `torque_work`),
/// `unused`, and for compliant engines `compliant`.
Json run_json(const RunSummary& summary);
/// The entry `bodies`.
Json bodies_json(const Model& model, const State& state);

std::string run_text(const RunSummary& summary);

}  // namespace carom::app
