#pragma once
/// The numbers of some problems, every entry in a column of its own, as loads and stores of vectors want them. What
/// lies like that is read and written where it is; what all problems share, or what lies in another layout, is copied,
/// some problems at a time. So the code of the laws asks for no layout.
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

/// The answers of some problems, in columns like their numbers.
template <int Most>
class AnswerColumns {
 public:
  void add(const Output& output, int entries) {
    for (int k = 0; k < entries; ++k) columns_[size_++] = {output.data + k * output.step, output.stride, nullptr};
  }
  [[nodiscard]] int size() const { return size_; }

  /// Makes problems from `first` on, kChunk at most, the ones that are answered.
  void move_to(std::size_t first) {
    for (int c = 0; c < size_; ++c) {
      Column& column = columns_[c];
      column.at = column.stride == 1 ? column.to + first : copies_[c];
    }
  }
  /// Puts what was answered where it belongs.
  void finish(std::size_t first, std::size_t count) {
    for (int c = 0; c < size_; ++c) {
      const Column& column = columns_[c];
      if (column.stride == 1) continue;
      double* const to = column.to + static_cast<std::ptrdiff_t>(first) * column.stride;
      for (std::size_t i = 0; i < count; ++i) to[static_cast<std::ptrdiff_t>(i) * column.stride] = copies_[c][i];
    }
  }

  /// Entry c of the problems that are answered.
  double* operator[](int c) const { return columns_[c].at; }

 private:
  struct Column {
    double* to;
    std::ptrdiff_t stride;
    double* at;
  };
  int size_ = 0;
  Column columns_[Most];
  alignas(64) double copies_[Most][kChunk];
};

/// Whole numbers of the answers, which lie side by side; what is not wanted goes into a copy that nobody reads.
class AnswerNumbers {
 public:
  explicit AnswerNumbers(std::int32_t* to) : to_(to) {}
  void move_to(std::size_t first) { at = to_ != nullptr ? to_ + first : copy_; }
  std::int32_t* at = nullptr;

 private:
  std::int32_t* to_;
  std::int32_t copy_[kChunk];
};

}  // namespace
}  // namespace carom::lanes
