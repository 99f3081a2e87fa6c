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

/// What is known of the geometry when the code is compiled.
enum class Geometry {
  shared,    ///< metric and normals are the same for all problems, and the metric is diagonal
  diagonal,  ///< the metric likewise; every problem may have its own normals
  any,       ///< the job says
};

/// M contacts; N coordinates, 0: as many as the job says.
template <class V, int M, int N, Geometry K>
struct Lanes {
  static constexpr int kCoordinates = N > 0 ? N : kMostCoordinates;
  static constexpr int kColumns = kCoordinates * (1 + M) + 2 * M;
  static constexpr bool kDiagonal = K != Geometry::any;
  static_assert(!kDiagonal || N > 0);

  explicit Lanes(const Job& of)
      : job(of), tolerance(of.tolerance), going(of.tolerance > of.rest ? of.tolerance : of.rest) {
    const int n = coordinates();
    columns.add(job.velocity, n);
    columns.add(job.normals, M * n);
    columns.add(job.offsets, M);
    columns.add(job.restitution, M);
    if constexpr (kDiagonal) {
      for (int i = 0; i < N; ++i) {
        metric[i] = V(job.metric.data[i * (N + 1)]);
        metric_inverse[i] = V(job.inverse[i * (N + 1)]);
      }
    }
    if constexpr (K == Geometry::shared) {
      for (int r = 0; r < M; ++r) {
        inertance_inverse[r] = V(job.inverse_inertance[r]);
        for (int s = 0; s < M; ++s) inertance[r][s] = V(job.inertance[r * M + s]);
      }
    }
  }

  int coordinates() const { return N > 0 ? N : job.coordinates; }
  V velocity(std::size_t i, int k) const { return V::load(columns[k] + i); }
  V normal(std::size_t i, int r, int k) const { return V::load(columns[(1 + r) * coordinates() + k] + i); }
  V offset(std::size_t i, int r) const { return V::load(columns[(1 + M) * coordinates() + r] + i); }
  V restitution(std::size_t i, int r) const { return V::load(columns[(1 + M) * coordinates() + M + r] + i); }
  V own_metric(std::size_t i, int k) const {
    const Input& own = job.metric;
    const double* const at = own.data + static_cast<std::ptrdiff_t>(first + i) * own.stride + k * own.step;
    return own.stride == 0 ? V(*at) : V::gather(at, own.stride);
  }

  const Job& job;
  Columns<kColumns> columns;
  std::size_t first = 0;  ///< of the problems in the columns
  V tolerance, going;     ///< thresholds in units of ‖v⁻‖: a contact approaches, the iteration goes on
  V metric[kCoordinates], metric_inverse[kCoordinates];  ///< of kDiagonal
  V inertance[M][M], inertance_inverse[M];               ///< of Geometry::shared
};

}  // namespace
}  // namespace carom::lanes
