#pragma once
/// Parts of a sweep for several machines: shard i of n has the points whose number is i modulo n.

#include <cstddef>
#include <string>
#include <string_view>

namespace carom::sweep {

struct Shard {
  std::size_t index = 0, count = 1;

  /// How many of so many points it has.
  [[nodiscard]] std::size_t size(std::size_t points) const {
    return points > index ? (points - index - 1) / count + 1 : 0;
  }
  /// Its point k among all.
  [[nodiscard]] std::size_t point(std::size_t k) const { return index + k * count; }
};

/// `i/n` with i from 0 to n; n/n is the same as 0/n, so that one may count from 1 too. Throws InputError.
Shard read_shard(std::string_view text);

/// What a journal says about a table: the sweep, and which part of it.
struct ShardDescription {
  std::string sweep;  ///< as Sweep::description
  std::size_t points = 0;
  Shard shard;
};

/// One line of JSON; that of a whole sweep is its own description.
std::string describe_shard(const std::string& sweep, const Shard& shard);
/// Throws InputError (file) where the text says nothing of the kind.
ShardDescription read_shard_description(const std::string& text);

}  // namespace carom::sweep
