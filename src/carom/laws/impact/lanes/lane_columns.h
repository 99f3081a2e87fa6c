#pragma once
/// The numbers of some problems, every entry in a column of its own, as loads of vectors want them. What lies like that
/// is read where it is; what all problems share, or what lies in another layout, is copied, some problems at a time.
///
/// Included by one file for each instruction set, like geometric_lanes.h.

#include "carom/laws/impact/lanes/lane_job.h"

namespace carom::lanes {
namespace {

constexpr std::size_t kChunk = 64;  ///< problems that are copied at a time: they stay in the nearest cache

template <int Most>
class Columns {
 public:
  void add(const Input& input, int entries) {
    for (int k = 0; k < entries; ++k) {
      Column& column = columns_[size_];
      column = {input.data + k * input.step, input.stride, input.data + k * input.step};
      if (input.stride == 0) {
        for (std::size_t i = 0; i < kChunk; ++i) copies_[size_][i] = *column.from;
        column.at = copies_[size_];
      }
      ++size_;
    }
  }

  /// Makes problems first … first + count − 1 the ones that are read; count ≤ kChunk.
  void move_to(std::size_t first, std::size_t count) {
    for (int c = 0; c < size_; ++c) {
      Column& column = columns_[c];
      if (column.stride == 0) continue;
      const double* const from = column.from + static_cast<std::ptrdiff_t>(first) * column.stride;
      if (column.stride == 1) {
        column.at = from;
        continue;
      }
      for (std::size_t i = 0; i < count; ++i) copies_[c][i] = from[static_cast<std::ptrdiff_t>(i) * column.stride];
      column.at = copies_[c];
    }
  }

  /// Entry c of the problems that are read.
  const double* operator[](int c) const { return columns_[c].at; }

 private:
  struct Column {
    const double* from;
    std::ptrdiff_t stride;
    const double* at;
  };
  int size_ = 0;
  Column columns_[Most];
  alignas(64) double copies_[Most][kChunk];
};

}  // namespace
}  // namespace carom::lanes
