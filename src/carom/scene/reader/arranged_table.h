#pragma once
/// The bodies of an arrangement as tables of the file: what a [[body]] of the same words would say.

#include <utility>

#include "carom/mechanics/state.h"
#include "carom/scene/reader/spread.h"

namespace carom::scene {

/// What an arrangement says about its bodies, made plain for each of them.
class ArrangedTable {
 public:
  /// Of a table that was checked against the format.
  ArrangedTable(const Fields& fields, std::int64_t count, std::int64_t seed);

  /// Whether the shape and mass of the file are those of every body as they stand there.
  [[nodiscard]] bool is_given_for_all() const { return !varies() && !scale_; }
  [[nodiscard]] bool varies() const;
  /// `shape`, `mass` or `density`, `groups` and `avoid` of a body.
  [[nodiscard]] Node of(std::int64_t body) const;

 private:
  Entry shape_;
  std::vector<std::pair<std::string, Spread>> sizes_;   ///< keys of the shape that differ
  std::vector<std::pair<std::string, Spread>> masses_;  ///< `mass` or `density`, as given
  std::optional<Spread> scale_;
  Table same_;  ///< what else is said, for all alike
};

/// With `name`; with place and velocity too.
Node named_table(Node body, const std::string& name);
Node placed_table(Node body, const std::string& name, const BodyState& state);

/// A body's table with the keys of a change in the place of its own; of `mass` and `density` the changed one counts.
Node with_changes(const Node& body, const Node& change);

}  // namespace carom::scene
