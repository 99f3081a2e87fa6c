#pragma once
/// One path of a scene or impact problem and the values that it takes in a sweep, as `--vary` writes them:
///
///     body.ball.velocity.2=lin(-1,1,21)     21 values from −1 to 1, both included, evenly
///     run.rtol=log(1e-4,1e-10,7)            the same in their logarithms
///     run.law=newton,poisson                these; any TOML, a bare word a string
///
/// Where points are drawn at random, lin(a,b) and log(a,b) need no number of values.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "carom/scene/value.h"

namespace carom::sweep {

enum class Spacing { linear, logarithmic, listed };

struct Variation {
  std::string text;  ///< as it was written
  std::string path;
  Spacing spacing = Spacing::listed;
  double low = 0.0, high = 0.0;    ///< unless it is listed
  std::size_t count = 0;           ///< of its values; 0: not given
  bool whole = false;              ///< all values of the grid are whole numbers, written as such
  std::vector<Value> values;       ///< where it is listed
  std::vector<std::string> texts;  ///< of these, as they were written

  /// Value i of the grid, i < count.
  [[nodiscard]] Value at(std::size_t i) const;
  /// The value at a share of the way from low to high; of those that are listed the one that it falls on.
  [[nodiscard]] Value between(double share) const;  ///< share in [0, 1)
};

/// Throws InputError that underlines the mistake: `usage`, `syntax`, `out_of_range`.
Variation read_variation(std::string_view text);

}  // namespace carom::sweep
