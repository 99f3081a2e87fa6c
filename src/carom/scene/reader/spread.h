#pragma once
/// A number that may differ among the bodies of an arrangement: one for all, a list with one for each, evenly from the
/// first body to the last ({ from, to }), or at random ({ min, max }).

#include <cstdint>
#include <vector>

#include "carom/scene/document/fields.h"

namespace carom::scene {

class Spread {
 public:
  /// Of a value that was checked against the format, for `count` bodies. Random numbers are those of `seed`, where the
  /// value names none, and of its path, so that two quantities of an arrangement are independent. Throws size_mismatch
  /// for a list of another length, out_of_range where max is below min.
  Spread(Entry entry, std::int64_t count, std::int64_t seed);

  [[nodiscard]] bool varies() const { return !entry_.node->is_number(); }
  /// The number of a body, counted from 0, as a value that stands where the spread or its entry of the list does.
  [[nodiscard]] Node of(std::int64_t body) const;

 private:
  void draw(const Fields& fields, std::int64_t count, std::int64_t seed);

  Entry entry_;
  std::vector<double> numbers_;  ///< of a table
};

}  // namespace carom::scene
