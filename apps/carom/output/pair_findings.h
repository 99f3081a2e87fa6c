#pragma once
/// What the force laws of a scene's pairs amount to: the restitution that a law really gives beside the nominal one,
/// and the stiffness that follows from materials and shapes.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/base/json.h"
#include "carom/mechanics/initial_gaps.h"
#include "carom/scene/scene_file.h"

namespace carom::app {

/// Two materials that have a normal force law.
struct PairFinding {
  std::string a, b;         ///< the materials
  std::string_view normal;  ///< registry name
  std::string friction;     ///< registry name; empty: none
  Restitution nominal;      ///< as the scene gives it
  /// That a slow central collision of two bodies in one point has; none where the law takes none. Faces, edges and
  /// eccentric blows share the force among points and have another.
  std::optional<double> effective;
  std::optional<double> reference_speed;  ///< at which it holds, where it depends on the speed [m/s]
  struct Stiffness {
    double least, greatest;
  };
  std::optional<Stiffness> stiffness;  ///< K given, or Hertz's of the pairs of bodies at the start [N/mⁿ]
  bool from_materials = false;         ///< whether K is Hertz's
};

/// The pairs of materials that name a law; under the compliant engine also those that meet with the default, hertz.
/// `gaps` are those of the start, which give the curvatures.
std::vector<PairFinding> find_pairs(const scene::SceneFile& scene, std::span<const InitialGap> gaps);

Json pairs_json(const std::vector<PairFinding>& pairs);
std::string pairs_text(const std::vector<PairFinding>& pairs);

}  // namespace carom::app
