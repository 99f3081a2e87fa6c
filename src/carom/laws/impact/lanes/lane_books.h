#pragma once
/// Gap rates γ⁺ = n v⁺ + offset and energies ½ vᵀG v of problems that lanes have solved, from the v⁺ that they have
/// stored. It shares no code with the laws: compilers then make of their loops what they did.
///
/// Included by one file for each instruction set, like geometric_lanes.h.

#include "carom/laws/impact/lanes/lane_job.h"

namespace carom::lanes {
namespace {

template <class V>
class LaneBooks {
 public:
  explicit LaneBooks(const Job& job) : job_(job), n_(job.coordinates) {}

  /// Of one vector of problems, from number i on.
  void store(std::size_t i) const {
    V velocity[kMostCoordinates]{};
    if (job_.energy_before != nullptr) {
      for (int k = 0; k < n_; ++k) velocity[k] = entry(job_.velocity, i, k);
      energy(i, velocity).store(job_.energy_before + i);
    }
    const Output& after = job_.velocity_after;
    for (int k = 0; k < n_; ++k) velocity[k] = entry({after.data, after.stride, after.step}, i, k);
    if (job_.energy_after != nullptr) energy(i, velocity).store(job_.energy_after + i);
    for (int r = 0; job_.rates_after.data != nullptr && r < job_.contacts; ++r) store_rate(i, r, rate(i, r, velocity));
  }

 private:
  static V entry(const Input& input, std::size_t i, int k) {
    const double* const at = input.data + static_cast<std::ptrdiff_t>(i) * input.stride + k * input.step;
    if (input.stride == 0) return V(*at);
    return input.stride == 1 ? V::load(at) : V::gather(at, input.stride);
  }
  V rate(std::size_t i, int r, const V* velocity) const {
    V sum(0.0);
    for (int k = 0; k < n_; ++k) sum = sum + entry(job_.normals, i, r * n_ + k) * velocity[k];
    return job_.has_offsets ? sum + entry(job_.offsets, i, r) : sum;
  }
  V energy(std::size_t i, const V* velocity) const {
    V square(0.0);
    for (int k = 0; k < n_; ++k) {
      if (job_.diagonal) {
        square = square + entry(job_.metric, i, k * (n_ + 1)) * velocity[k] * velocity[k];
        continue;
      }
      V sum(0.0);
      for (int j = 0; j < n_; ++j) sum = sum + entry(job_.metric, i, k * n_ + j) * velocity[j];
      square = square + sum * velocity[k];
    }
    return V(0.5) * square;
  }
  void store_rate(std::size_t i, int r, V rate) const {
    const Output& output = job_.rates_after;
    double* const at = output.data + static_cast<std::ptrdiff_t>(i) * output.stride + r * output.step;
    double lane[V::kWidth];
    rate.store(lane);
    for (int l = 0; l < V::kWidth; ++l) at[l * output.stride] = lane[l];
  }

  const Job& job_;
  int n_;
};

/// Of all problems; there are enough of them for one vector. The last one may overlap the one before.
template <class V>
void store_books(const Job& job) {
  constexpr auto kWidth = static_cast<std::size_t>(V::kWidth);
  const LaneBooks<V> books(job);
  std::size_t i = 0;
  for (; i + kWidth <= job.size; i += kWidth) books.store(i);
  if (i < job.size) books.store(job.size - kWidth);
}

}  // namespace
}  // namespace carom::lanes
