#pragma once
/// At which instants of a run a sweep has rows: at its end, at impacts, or once in every period.

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "carom/analysis/sweep/expression.h"
#include "carom/mechanics/model.h"

namespace carom::sweep {

/// Which instants of a run make rows of their own.
struct Instants {
  enum class Kind { end, impacts, periods };
  Kind kind = Kind::end;
  std::array<std::string, 2> objects{};  ///< of the impacts; empty: any
  std::optional<Expression> period;      ///< [s]
  double from = 0.0;                     ///< earlier ones are left out [s]
  std::size_t last = 0;                  ///< only so many of the last ones; 0: all
};

/// Reads `--each`: "", `impact`, `impact:A`, `impact:A,B` or `period:EXPRESSION`; `numbers`: those of the scene. Throws
/// InputError.
Instants read_instants(const std::string& text, const Model& model, const Names& numbers);

/// The body or obstacle of that name; none for an empty one. Throws InputError where there is no such object.
ObjectIndex object_named(const Model& model, const std::string& name);

}  // namespace carom::sweep
