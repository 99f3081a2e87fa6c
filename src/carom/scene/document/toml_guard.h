#pragma once
/// What stands between a hostile text and toml11, which recurses without limit, keeps some 300 bytes per value, and
/// takes a time proportional to the length of the line for every value. Internal to the TOML reader.

#include <cstddef>
#include <string>
#include <vector>

#include "carom/scene/document/source.h"

namespace carom::scene {

/// Most values of a TOML document; larger problems are written as JSON.
inline constexpr std::size_t kMostTomlValues = 2'000'000;

/// A text that toml11 can be given: the source with line breaks added after commas of arrays in long lines (where
/// TOML allows them) and a newline at the end.
struct GuardedToml {
  std::string text;
  std::vector<std::size_t> breaks;  ///< offsets in `text` of the added line breaks, ascending

  /// Offset in the source of an offset in `text`.
  [[nodiscard]] std::size_t original(std::size_t offset) const;
};

/// Follows brackets, keys and strings far enough to know the nesting. Throws InputError (limit) where nesting,
/// counted over table headers, dotted keys and brackets, exceeds kDeepestNesting, or values kMostTomlValues. Text
/// that is not TOML is passed on: up to its first error toml11 and the guard read it alike.
GuardedToml guard_toml(const Source& source);

}  // namespace carom::scene
