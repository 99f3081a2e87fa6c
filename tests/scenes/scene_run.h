#pragma once
/// Runs a shipped scene the way `carom run` does (file → settings → model → engine) and keeps all that happened.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "carom/record/run_result.h"
#include "carom/scene/scene_file.h"

namespace carom::test {

/// An event with its own copies of contacts and jumps.
struct KeptEvent {
  EventRecord record;  ///< its spans are empty
  std::vector<ContactRecord> contacts;
  std::vector<JumpRecord> jumps;
  std::vector<JointRecord> joints;
};

struct SceneRun {
  scene::SceneFile scene;
  RunResult result;
  std::vector<KeptEvent> events;
  std::vector<State> samples;
  double energy_scale = 0.0;  ///< largest |total| and kinetic energy of the samples [J]

  /// The body of that name at the end.
  [[nodiscard]] const BodyState& body(const std::string& name) const;
  [[nodiscard]] std::vector<KeptEvent> of_kind(EventKind kind) const;
  [[nodiscard]] std::vector<KeptEvent> impacts() const { return of_kind(EventKind::impact); }
};

/// All scenes of the folder scenes/, in order.
std::vector<std::string> scene_names();

/// The scene `scenes/NAME.toml` after settings such as `run.law=newton`.
scene::SceneFile shipped_scene(const std::string& name, const std::vector<std::string>& settings = {});
/// A scene from text.
scene::SceneFile scene_from_text(const std::string& text);

SceneRun run_scene(const scene::SceneFile& scene);
SceneRun run_shipped(const std::string& name, const std::vector<std::string>& settings = {});

/// `path=value`, with all digits.
std::string setting(const std::string& path, double value);
std::string setting(const std::string& path, const Eigen::Vector3d& value);

/// Expects that the run came to its end and that its energy balance closes: within 1e-12 of the largest energy, of a
/// compliant run within a hundred times its relative tolerance.
void expect_ended(const SceneRun& run);
/// And that no contact was missed, which is more than looking at gaps between steps.
void expect_sound(const SceneRun& run);

/// Whether CAROM_PROPERTY_CASES asks for fewer cases, as it does where the build is slow.
bool quick();

/// Largest component of the difference.
double difference(const Eigen::Vector3d& a, const Eigen::Vector3d& b);

}  // namespace carom::test
