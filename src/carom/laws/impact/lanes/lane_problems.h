#pragma once
/// The problems of a job (lane_job.h) as vectors, one problem in each lane, and what all laws ask of their geometry:
/// with zᵢ = G⁻¹nᵢᵀ the inertances D_ij = nⱼ zᵢ. What all problems share is kept as vectors of equal lanes.
///
/// Included by one file for each instruction set, like geometric_lanes.h.

#include "carom/laws/impact/lanes/lane_columns.h"
#include "carom/laws/impact/lanes/lane_job.h"

namespace carom::lanes {
namespace {

/// What is known of the geometry when the code is compiled.
enum class Geometry {
  shared,                   ///< metric and normals are the same for all problems, and the metric is diagonal
  shared_with_restitution,  ///< and so is the restitution
  diagonal,                 ///< the metric likewise; every problem may have its own normals
  plain,  ///< the same; the metric is the unit matrix, restitutions are the same for all problems, no gap has an offset
  any,    ///< the job says
};

/// M contacts; N coordinates, 0: as many as the job says.
template <class V, int M, int N, Geometry K>
struct Lanes {
  using Mask = typename V::Mask;
  using Counter = typename V::Counter;
  static constexpr int kCoordinates = N > 0 ? N : kMostCoordinates;
  static constexpr int kColumns = kCoordinates * (1 + M) + 2 * M;
  static constexpr bool kDiagonal = K != Geometry::any;
  static constexpr bool kShared = K == Geometry::shared || K == Geometry::shared_with_restitution;
  static constexpr bool kRestitutionShared = K == Geometry::shared_with_restitution || K == Geometry::plain;
  static_assert(!kDiagonal || N > 0);

  explicit Lanes(const Job& of)
      : job(of),
        steps(of.steps),
        stop(of.stop),
        least(-of.tolerance),
        going(-(of.tolerance > of.rest ? of.tolerance : of.rest)) {
    const int n = coordinates();
    columns.add(job.velocity, n);
    columns.add(job.normals, M * n);
    columns.add(job.offsets, M);
    columns.add(job.restitution, M);
    answers.add(job.velocity_after, n);
    if (job.impulses.data != nullptr) answers.add(job.impulses, M);
    if constexpr (kDiagonal) {
      for (int i = 0; i < N; ++i) {
        metric[i] = V(job.metric.data[i * (N + 1)]);
        metric_inverse[i] = V(job.inverse[i * (N + 1)]);
      }
    }
    for (int r = 0; r < M; ++r)
      for (int s = 0; s < M; ++s) inertance[r][s] = V(job.inertance != nullptr ? job.inertance[r * M + s] : 1.0);
  }

  int coordinates() const { return N > 0 ? N : job.coordinates; }
  V velocity(std::size_t i, int k) const { return V::load(columns[k] + i); }
  V normal(std::size_t i, int r, int k) const { return V::load(columns[(1 + r) * coordinates() + k] + i); }
  V offset(std::size_t i, int r) const { return V::load(columns[(1 + M) * coordinates() + r] + i); }
  V restitution(std::size_t i, int r) const { return V::load(columns[(1 + M) * coordinates() + M + r] + i); }
  bool restitution_varies() const { return !kRestitutionShared && job.restitution.stride != 0; }
  bool has_offsets() const { return K != Geometry::plain && job.has_offsets; }
  /// Of two contacts: D₀₀ = D₁₁ in all problems.
  bool inertances_are_equal() const { return job.inertance != nullptr && job.inertance[0] == job.inertance[M + 1]; }

  /// z of contact r.
  void read_push(std::size_t i, int r, V* push) const;
  /// D, symmetric.
  void read_inertance(std::size_t i, V (*to)[M]) const;
  /// ‖v⁻‖² in the metric; `good` loses lanes whose metric is not for lanes.
  V read_square(std::size_t i, const V* velocity, Mask& good) const;
  /// γ without offsets.
  void read_rates(std::size_t i, const V* velocity, V* rate) const {
    const int n = coordinates();
    for (int r = 0; r < M; ++r) {
      rate[r] = normal(i, r, 0) * velocity[0];
      for (int k = 1; k < n; ++k) rate[r] = add_product(rate[r], normal(i, r, k), velocity[k]);
    }
  }
  /// Makes problems first … first + count − 1 the ones in the columns; count ≤ kChunk.
  void move_to(std::size_t from, std::size_t count);
  /// The answers to problems from i on of those in the columns.
  void store(std::size_t i, const V* impulse, const Counter& taken_steps, Mask rests, Mask good);
  /// Puts the answers where the job wants them; those that are not good are solved one by one.
  void finish(std::size_t count);

  const Job& job;
  Columns<kColumns> columns;
  AnswerColumns<kCoordinates + M> answers;
  AnswerNumbers steps, stop;
  std::size_t first = 0;  ///< of the problems in the columns
  V least, going;         ///< in units of ‖v⁻‖, negative: a contact approaches, the iteration goes on below this
  V metric[kCoordinates], metric_inverse[kCoordinates];  ///< of kDiagonal
  V inertance[M][M];                                     ///< where all problems share them

 private:
  unsigned left_[kChunk / V::kWidth]{};  ///< by vectors, a bit for each lane that is left to the solver
  bool some_left_ = false;

  V own_metric(std::size_t i, int k) const {
    const Input& own = job.metric;
    const double* const at = own.data + static_cast<std::ptrdiff_t>(first + i) * own.stride + k * own.step;
    return own.stride == 0 ? V(*at) : V::gather(at, own.stride);
  }
};

template <class V, int M, int N, Geometry K>
inline void Lanes<V, M, N, K>::read_push(std::size_t i, int r, V* push) const {
  const int n = coordinates();
  for (int k = 0; k < n; ++k) push[k] = normal(i, r, k);
  if constexpr (kDiagonal) {
    for (int k = 0; k < n && K != Geometry::plain; ++k) push[k] = push[k] * metric_inverse[k];
  } else if (job.metric_varies) {
    for (int k = 0; k < n; ++k) push[k] = push[k] / own_metric(i, k * (n + 1));
  } else {
    const double* const inverse_metric = job.inverse;
    V own[kCoordinates];
    for (int k = 0; k < n; ++k) own[k] = push[k];
    for (int k = 0; k < n; ++k) {
      push[k] = V(inverse_metric[k * n]) * own[0];
      for (int j = 1; j < n; ++j) push[k] = add_product(push[k], V(inverse_metric[k * n + j]), own[j]);
    }
  }
}

template <class V, int M, int N, Geometry K>
inline void Lanes<V, M, N, K>::read_inertance(std::size_t i, V (*to)[M]) const {
  if (kShared || (K == Geometry::any && job.inertance != nullptr)) {
    for (int r = 0; r < M; ++r)
      for (int s = 0; s < M; ++s) to[r][s] = inertance[r][s];
    return;
  }
  const int n = coordinates();
  for (int r = 0; r < M; ++r) {
    V push[kCoordinates];
    read_push(i, r, push);
    for (int s = r; s < M; ++s) {
      V product = normal(i, s, 0) * push[0];
      for (int k = 1; k < n; ++k) product = add_product(product, normal(i, s, k), push[k]);
      to[r][s] = to[s][r] = product;
    }
  }
}

template <class V, int M, int N, Geometry K>
inline V Lanes<V, M, N, K>::read_square(std::size_t i, const V* velocity, Mask& good) const {
  const int n = coordinates();
  if constexpr (K == Geometry::plain) {
    V square = velocity[0] * velocity[0];
    for (int k = 1; k < n; ++k) square = add_product(square, velocity[k], velocity[k]);
    return square;
  } else if constexpr (kDiagonal) {
    V square = metric[0] * velocity[0] * velocity[0];
    for (int k = 1; k < n; ++k) square = add_product(square, metric[k] * velocity[k], velocity[k]);
    return square;
  }
  const bool varies = job.metric_varies;
  V square(0.0);
  for (int k = 0; k < n; ++k) {
    if (job.diagonal) {
      const V entry = own_metric(i, k * (n + 1));
      if (varies) good = good & (entry > V(1e-150)) & (entry < V(1e150));
      for (int j = 0; varies && j < n; ++j)
        if (j != k) good = good & (own_metric(i, k * n + j) == V(0.0));
      square = add_product(square, entry * velocity[k], velocity[k]);
      continue;
    }
    V sum(0.0);
    for (int j = 0; j < n; ++j) sum = add_product(sum, own_metric(i, k * n + j), velocity[j]);
    square = add_product(square, sum, velocity[k]);
  }
  return square;
}

template <class V, int M, int N, Geometry K>
inline void Lanes<V, M, N, K>::move_to(std::size_t from, std::size_t count) {
  first = from;
  columns.move_to(from, count);
  answers.move_to(from);
  steps.move_to(from);
  stop.move_to(from);
}

template <class V, int M, int N, Geometry K>
inline void Lanes<V, M, N, K>::store(std::size_t i, const V* impulse, const Counter& taken_steps, Mask rests,
                                     Mask good) {
  const int n = coordinates();
  V after[kCoordinates];
  for (int k = 0; k < n; ++k) after[k] = velocity(i, k);
  for (int r = 0; r < M; ++r) {
    V push[kCoordinates];
    read_push(i, r, push);
    for (int k = 0; k < n; ++k) after[k] = add_product(after[k], impulse[r], push[k]);
  }
  for (int k = 0; k < n; ++k) after[k].store(answers[k] + i);
  if (answers.size() > n)
    for (int r = 0; r < M; ++r) impulse[r].store(answers[n + r] + i);
  taken_steps.store(steps.at + i);
  store_integers(rests, stop.at + i);  // at rest: 1, separated: 0
  if (all(good)) return;
  left_[i / V::kWidth] = bits(~good);
  some_left_ = true;
}

template <class V, int M, int N, Geometry K>
inline void Lanes<V, M, N, K>::finish(std::size_t count) {
  answers.finish(first, count);
  if (!some_left_) return;
  some_left_ = false;
  for (std::size_t group = 0; group < count / V::kWidth; ++group) {
    for (; left_[group] != 0; left_[group] &= left_[group] - 1)
      job.solve_one(job.solver, first + group * V::kWidth + static_cast<std::size_t>(__builtin_ctz(left_[group])));
  }
}

}  // namespace
}  // namespace carom::lanes
