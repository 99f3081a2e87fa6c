#pragma once
/// An impact problem from JSON or TOML, as `carom impact` takes it:
///
///     {"metric": [[2, 0], [0, 1]],                 // or {"diagonal": [2, 1]}
///      "velocity": [0, -1],
///      "persistent": [[1, 0]],                     // rows A with A v = 0; may be absent
///      "supports": [0],                            // which of them are one-sided; may be absent
///      "contacts": [{"name": "floor", "normal": [0, 1], "offset": 0, "tangents": [[1, 0]], "tangent_offsets": [0],
///                    "restitution": 0.8, "tangential_restitution": 0.8, "stiffness": 1}],
///      "restitution": 1, "law": "compliant",
///      "options": {"tolerance": 1e-13, "rest": 1e-12, "max_steps": 100000}}
///
/// Only `metric` and `velocity`, and the `normal` of a contact, are required. The number of entries of `velocity` is
/// the size that all rows must have.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "carom/base/error.h"
#include "carom/mechanics/impact_problem.h"
#include "carom/scene/document/read_document.h"

namespace carom::scene {

/// Most entries of `velocity`; the metric is a full matrix.
inline constexpr std::size_t kMostCoordinates = 10'000;

/// An entry of `options` that belongs to a single law. Flags are true or false and stored as 1 or 0.
struct OptionName {
  std::string_view name;
  bool is_flag = false;
  std::span<const std::string_view> choices{};  ///< names of the values, where they are words; stored as the index
};

struct ProblemFile {
  ImpactProblem problem;
  std::string law;                 ///< empty: the file names none
  std::optional<Place> law_place;  ///< where it does, for the message about an unknown one
};

/// Whether a document is a scene (TOML with a `format` key) and not an impact problem.
bool is_scene(const Document& document);

/// Reads the problem; `law_options` are those of all laws together. Throws InputError with its place: types, names
/// and sizes. What the numbers mean is checked by validate() of the mechanics; give its errors their place with
/// with_place() of document/path.h.
ProblemFile read_problem_file(const Document& document, std::span<const OptionName> law_options);

}  // namespace carom::scene
