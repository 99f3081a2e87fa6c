#pragma once
/// The engines by name. From an engine's line in registry.cpp follow its name in scenes, which keys it uses, the schema
/// of scenes, messages about unknown engines, and how it is made.

#include <memory>
#include <span>
#include <string_view>

#include "carom/engine/engine.h"
#include "carom/engine/run_options.h"
#include "carom/mechanics/model.h"

namespace carom {

/// Engines as bits of a set: which of them a key of a scene concerns.
using EngineSet = unsigned;
inline constexpr EngineSet kEventEngine = 1;
inline constexpr EngineSet kSmoothEngine = 2;
inline constexpr EngineSet kEveryEngine = kEventEngine | kSmoothEngine;

struct EngineKind {
  std::string_view name;     ///< in `run.engine`
  std::string_view summary;  ///< one line
  EngineSet bit = 0;
  bool has_forces = false;  ///< contacts press with forces; otherwise velocities jump by an impact law
  double overlap = 0.0;     ///< that is allowed at the start, relative to the smaller body
  /// Throws InputError about the model, the state or the options.
  std::unique_ptr<Engine> (*make)(std::shared_ptr<const Model> model, const State& initial, const RunOptions& options);
};

/// Every engine, the default first.
std::span<const EngineKind> engine_kinds();

/// The engine of that name. Throws InputError (unknown-name) with the nearest known one.
const EngineKind& engine_kind(std::string_view name);

}  // namespace carom
