#pragma once
/// Law `geometric` (geometric.cpp) for many problems side by side, one in each lane of the processor's vector
/// registers.
///
/// Roots and quotients are what costs here, so rows are not made unit vectors as in contact space. With zᵢ = G⁻¹nᵢᵀ,
/// D_ij = nⱼ zᵢ and hᵢ = γᵢ/Dᵢᵢ, the step of the law is
///   pᵢ ← pᵢ − c hᵢ (i ∈ I),  γⱼ ← γⱼ − c Σ_I hᵢ D_ij,  c = 1 + e of one contact alone, else
///   c = Σ_I (1+eᵢ) γᵢhᵢ / Σ_I Σ_I hᵢ D_ij hⱼ,
/// and at the end v⁺ = v⁻ + Σ pᵢ zᵢ. The thresholds −γᵢ > tolerance·‖v⁻‖·√Dᵢᵢ need a root, but not an exact one.
///
/// A lane depends on its own problem alone, every operation is rounded as the language says and none is fused, so that
/// a problem has the same bits on every processor and in every batch. It agrees with ImpactSolver to round-off. Lanes
/// whose problem is not well posed, or needs more than the plain iteration (parallel contacts, speeds of extreme
/// size, no way out), are left to that.
///
/// V is a vector of doubles with the usual operators and V::Mask; this header is included by one file for each
/// instruction set.

#include "carom/laws/impact/lanes/lane_columns.h"
#include "carom/laws/impact/lanes/lane_job.h"

namespace carom::lanes {
namespace {

template <class V>
inline void store_entry(const Output& output, std::size_t first, int k, V value) {
  double* const at = output.data + static_cast<std::ptrdiff_t>(first) * output.stride + k * output.step;
  if (output.stride == 1) {
    value.store(at);
    return;
  }
  double lane[V::kWidth];
  value.store(lane);
  for (int i = 0; i < V::kWidth; ++i) at[i * output.stride] = lane[i];
}

/// One vector of problems.
template <class V, int M, int N, Geometry K>
struct LaneGroup {
  using Mask = typename V::Mask;
  using Lanes = lanes::Lanes<V, M, N, K>;

  V inertance[M][M];  ///< D
  V inverse[M];       ///< 1/Dᵢᵢ
  V rate[M];          ///< γ
  V one_plus_e[M];
  V impulse[M];  ///< p
  V least[M];    ///< a contact approaches where −γᵢ is above this
  V going[M];    ///< the iteration goes on where some −γᵢ is above this: it approaches and is not at rest
  V steps;
  Mask good;  ///< lanes that are not left to the solver

  /// Problems from i on of those in the columns.
  void read(const Lanes& lanes, std::size_t i);
  /// One step of the law in these lanes.
  void step(Mask now);
  void step_where_both_approach();
  [[nodiscard]] Mask goes_on() const;
  void finish(const Lanes& lanes, std::size_t i);

 private:
  static void read_push(const Lanes& lanes, std::size_t i, int r, V* push);
  void read_inertance(const Lanes& lanes, std::size_t i, int r);
  V read_square(const Lanes& lanes, std::size_t i, const V* velocity);
};

/// z of contact r.
template <class V, int M, int N, Geometry K>
inline void LaneGroup<V, M, N, K>::read_push(const Lanes& lanes, std::size_t i, int r, V* push) {
  const int n = lanes.coordinates();
  for (int k = 0; k < n; ++k) push[k] = lanes.normal(i, r, k);
  if constexpr (Lanes::kDiagonal) {
    for (int k = 0; k < n; ++k) push[k] = push[k] * lanes.metric_inverse[k];
  } else if (lanes.job.metric_varies) {
    for (int k = 0; k < n; ++k) push[k] = push[k] / lanes.own_metric(i, k * (n + 1));
  } else {
    const double* const inverse_metric = lanes.job.inverse;
    V normal[Lanes::kCoordinates];
    for (int k = 0; k < n; ++k) normal[k] = push[k];
    for (int k = 0; k < n; ++k) {
      push[k] = V(inverse_metric[k * n]) * normal[0];
      for (int j = 1; j < n; ++j) push[k] = push[k] + V(inverse_metric[k * n + j]) * normal[j];
    }
  }
}

/// ‖v⁻‖² in the metric.
template <class V, int M, int N, Geometry K>
inline V LaneGroup<V, M, N, K>::read_square(const Lanes& lanes, std::size_t i, const V* velocity) {
  const int n = lanes.coordinates();
  if constexpr (Lanes::kDiagonal) {
    V square = lanes.metric[0] * velocity[0] * velocity[0];
    for (int k = 1; k < n; ++k) square = square + lanes.metric[k] * velocity[k] * velocity[k];
    return square;
  }
  const bool varies = lanes.job.metric_varies;
  V square(0.0);
  for (int k = 0; k < n; ++k) {
    if (lanes.job.diagonal) {
      const V entry = lanes.own_metric(i, k * (n + 1));
      if (varies) good = good & (entry > V(1e-150)) & (entry < V(1e150));
      for (int j = 0; varies && j < n; ++j)
        if (j != k) good = good & (lanes.own_metric(i, k * n + j) == V(0.0));
      square = square + entry * velocity[k] * velocity[k];
      continue;
    }
    V sum(0.0);
    for (int j = 0; j < n; ++j) sum = sum + lanes.own_metric(i, k * n + j) * velocity[j];
    square = square + sum * velocity[k];
  }
  return square;
}

/// D of contact r with those from r on, and 1/D_rr.
template <class V, int M, int N, Geometry K>
inline void LaneGroup<V, M, N, K>::read_inertance(const Lanes& lanes, std::size_t i, int r) {
  if constexpr (K == Geometry::shared) {
    for (int s = r; s < M; ++s) inertance[r][s] = inertance[s][r] = lanes.inertance[r][s];
    inverse[r] = lanes.inertance_inverse[r];
    return;
  }
  if (K == Geometry::any && lanes.job.inertance != nullptr) {
    for (int s = r; s < M; ++s) inertance[r][s] = inertance[s][r] = V(lanes.job.inertance[r * M + s]);
    inverse[r] = V(lanes.job.inverse_inertance[r]);
    return;
  }
  const int n = lanes.coordinates();
  V push[Lanes::kCoordinates];
  read_push(lanes, i, r, push);
  for (int s = r; s < M; ++s) {
    V product = lanes.normal(i, s, 0) * push[0];
    for (int k = 1; k < n; ++k) product = product + lanes.normal(i, s, k) * push[k];
    inertance[r][s] = inertance[s][r] = product;
  }
  inverse[r] = V(1.0) / inertance[r][r];
}

template <class V, int M, int N, Geometry K>
inline void LaneGroup<V, M, N, K>::read(const Lanes& lanes, std::size_t i) {
  const int n = lanes.coordinates();
  V velocity[Lanes::kCoordinates];
  for (int k = 0; k < n; ++k) velocity[k] = lanes.velocity(i, k);
  good = velocity[0] == velocity[0];
  V square = read_square(lanes, i, velocity);
  for (int r = 0; r < M; ++r) {
    read_inertance(lanes, i, r);
    rate[r] = lanes.normal(i, r, 0) * velocity[0];
    for (int k = 1; k < n; ++k) rate[r] = rate[r] + lanes.normal(i, r, k) * velocity[k];
    if (lanes.job.has_offsets) {
      const V offset = lanes.offset(i, r);
      good = good & (offset == offset);
      rate[r] = rate[r] + offset;
      square = larger(square, offset * offset * inverse[r]);
    }
    const V e = lanes.restitution(i, r);
    good = good & (e >= V(0.0)) & (e <= V(1.0));
    one_plus_e[r] = V(1.0) + e;
    impulse[r] = V(0.0);
  }
  // What is no number, or of extreme size, is for the solver.
  good = good & (((square > V(1e-30)) & (square < V(1e30))) | (square == V(0.0)));
  for (int r = 0; r < M; ++r) {
    good = good & (inertance[r][r] > V(1e-6)) & (inertance[r][r] < V(1e6));
    const V scale = coarse_root(square * inertance[r][r]);
    least[r] = lanes.tolerance * scale;
    going[r] = lanes.going * scale;
    for (int s = 0; s < r; ++s) {
      const V product = inertance[r][s];
      good = good & ((product <= V(0.0)) | (product * product < V(1.0 - 4e-12) * inertance[r][r] * inertance[s][s]));
    }
  }
  steps = V(0.0);
}

template <class V, int M, int N, Geometry K>
inline typename V::Mask LaneGroup<V, M, N, K>::goes_on() const {
  Mask some = -rate[0] > going[0];
  for (int r = 1; r < M; ++r) some = some | (-rate[r] > going[r]);
  return good & some;
}

template <class V, int M, int N, Geometry K>
inline void LaneGroup<V, M, N, K>::step(Mask now) {
  Mask active[M];
  for (int r = 0; r < M; ++r) active[r] = now & (-rate[r] > least[r]);
  V factor = one_plus_e[0];
  Mask several = now & ~now;
  Mask earlier = active[0];
  for (int r = 1; r < M; ++r) {
    factor = choose(active[r] & ~earlier, one_plus_e[r], factor);
    several = several | (active[r] & earlier);
    earlier = earlier | active[r];
  }
  V h[M], sum[M];
  V weighted(0.0), norm(0.0);
  for (int r = 0; r < M; ++r) h[r] = choose(active[r], rate[r] * inverse[r], V(0.0));
  for (int r = 0; r < M; ++r) {
    sum[r] = h[0] * inertance[0][r];
    for (int s = 1; s < M; ++s) sum[r] = sum[r] + h[s] * inertance[s][r];
    weighted = weighted + one_plus_e[r] * rate[r] * h[r];
    norm = norm + h[r] * sum[r];
  }
  good = good & ~(several & ~(norm > V(1e-14) * weighted));
  factor = choose(several, weighted / norm, factor);
  for (int r = 0; r < M; ++r) {
    impulse[r] = subtract_where(now, impulse[r], factor * h[r]);
    rate[r] = subtract_where(now, rate[r], factor * sum[r]);
  }
  steps = add_where(now, steps, V(1.0));
}

/// Of two contacts: takes one step where both approach.
template <class V, int M, int N, Geometry K>
inline void LaneGroup<V, M, N, K>::step_where_both_approach() {
  const Mask both =
      good & (-rate[0] > least[0]) & (-rate[1] > least[1]) & ((-rate[0] > going[0]) | (-rate[1] > going[1]));
  if (!any(both)) return;
  const V h[2] = {rate[0] * inverse[0], rate[1] * inverse[1]};
  const V sum[2] = {h[0] * inertance[0][0] + h[1] * inertance[1][0], h[0] * inertance[0][1] + h[1] * inertance[1][1]};
  const V weighted = one_plus_e[0] * rate[0] * h[0] + one_plus_e[1] * rate[1] * h[1];
  const V norm = h[0] * sum[0] + h[1] * sum[1];
  const V factor = weighted / norm;
  for (int r = 0; r < 2; ++r) {
    impulse[r] = subtract_where(both, impulse[r], factor * h[r]);
    rate[r] = subtract_where(both, rate[r], factor * sum[r]);
  }
  steps = add_where(both, steps, V(1.0));
  // Where nothing is left of the step, or both still approach, the solver goes on alone.
  good = good & ~(both & ~(norm > V(1e-14) * weighted));
  good = good & ~((-rate[0] > least[0]) & (-rate[1] > least[1]));
}

template <class V, int M, int N, Geometry K>
inline void LaneGroup<V, M, N, K>::finish(const Lanes& lanes, std::size_t i) {
  const Job& job = lanes.job;
  const std::size_t first = lanes.first + i;
  const int n = lanes.coordinates();
  good = good & ~goes_on();
  V velocity[Lanes::kCoordinates];
  for (int k = 0; k < n; ++k) velocity[k] = lanes.velocity(i, k);
  for (int r = 0; r < M; ++r) {
    V push[Lanes::kCoordinates];
    read_push(lanes, i, r, push);
    for (int k = 0; k < n; ++k) velocity[k] = velocity[k] + impulse[r] * push[k];
  }
  for (int k = 0; k < n; ++k) store_entry(job.velocity_after, first, k, velocity[k]);
  if (job.impulses.data != nullptr)
    for (int r = 0; r < M; ++r) store_entry(job.impulses, first, r, impulse[r]);
  if (job.steps != nullptr) steps.store_integers(job.steps + first);
  if (job.stop != nullptr) {
    Mask rests = -rate[0] > least[0];
    for (int r = 1; r < M; ++r) rests = rests | (-rate[r] > least[r]);
    choose(rests, V(1.0), V(0.0)).store_integers(job.stop + first);  // at rest: 1, separated: 0
  }
  for (unsigned left = bits(~good); left != 0; left &= left - 1) {
    job.solve_one(job.solver, first + static_cast<std::size_t>(__builtin_ctz(left)));
  }
}

/// Two contacts of which only one approaches strike in turn: what has been pushed separates, so that only the other one
/// can approach.
template <class V, int N, Geometry K>
struct TurnGroup {
  using Mask = typename V::Mask;
  V rate[2];
  V taken[2];    ///< sum of the γᵢ at which it was pushed
  V bound[2];    ///< it goes on where γ is below this
  V minus_e[2];  ///< −e
  V carried[2];  ///< (1 + e)D_ij/Dᵢᵢ, what of γᵢ goes over to γⱼ
  V steps;
  Mask good;

  void take(const LaneGroup<V, 2, N, K>& from) {
    steps = from.steps;
    good = from.good;
    for (int r = 0; r < 2; ++r) {
      rate[r] = from.rate[r];
      taken[r] = V(0.0);
      bound[r] = -from.going[r];
      minus_e[r] = V(1.0) - from.one_plus_e[r];
      carried[r] = from.one_plus_e[r] * from.inverse[r] * from.inertance[0][1];
    }
  }
  template <int r>
  Mask push() {
    const Mask now = good & (rate[r] < bound[r]);
    taken[r] = add_where(now, taken[r], rate[r]);
    rate[1 - r] = subtract_where(now, rate[1 - r], carried[r] * rate[r]);
    rate[r] = multiply_where(now, rate[r], minus_e[r]);
    steps = add_where(now, steps, V(1.0));
    return now;
  }
  void give(LaneGroup<V, 2, N, K>& to) const {
    for (int r = 0; r < 2; ++r) {
      to.rate[r] = rate[r];
      to.impulse[r] = to.impulse[r] - to.one_plus_e[r] * to.inverse[r] * taken[r];
    }
    to.steps = steps;
  }
};

constexpr int kRounds = 3;  ///< of both contacts between two looks at whether any lane goes on

/// Steps of two contacts: first those where both approach, then one after the other in turn.
template <class V, int N, Geometry K, int G>
inline void take_turns(LaneGroup<V, 2, N, K>* group) {
  TurnGroup<V, N, K> turn[G];
  for (int g = 0; g < G; ++g) {
    group[g].step_where_both_approach();
    turn[g].take(group[g]);
  }
  for (int count = 0; count < kMostSteps; count += 2 * kRounds) {
    typename V::Mask now{};
    for (int round = 0; round < kRounds; ++round) {
      for (int g = 0; g < G; ++g) turn[g].template push<0>();
      now = turn[0].template push<1>();
      for (int g = 1; g < G; ++g) now = now | turn[g].template push<1>();
    }
    if (!any(now)) break;
  }
  for (int g = 0; g < G; ++g) turn[g].give(group[g]);
}

/// G vectors of problems from number i in the columns on, in turn, so that one computes while another waits.
template <int G, class V, int M, int N, Geometry K>
inline void solve_block(const Lanes<V, M, N, K>& lanes, std::size_t i) {
  LaneGroup<V, M, N, K> group[G];
  for (int g = 0; g < G; ++g) group[g].read(lanes, i + static_cast<std::size_t>(g * V::kWidth));
  if constexpr (M == 2) {
    take_turns<V, N, K, G>(group);
  } else {
    for (int g = 0; g < G; ++g)
      for (int count = 0; count < kMostSteps && any(group[g].goes_on()); ++count) group[g].step(group[g].goes_on());
  }
  for (int g = 0; g < G; ++g) group[g].finish(lanes, i + static_cast<std::size_t>(g * V::kWidth));
}

/// Whole blocks; the last one overlaps the one before, with the same answers. False where there are too few problems
/// for one.
template <class V, int M, int N, Geometry K, int G>
bool solve_blocks(const Job& job) {
  constexpr std::size_t kBlock = static_cast<std::size_t>(V::kWidth) * G;
  static_assert(kChunk % kBlock == 0);
  if (job.size < kBlock) return false;
  Lanes<V, M, N, K> lanes(job);
  const auto solve_some = [&lanes](std::size_t first, std::size_t count) {
    lanes.first = first;
    lanes.columns.move_to(first, count);
    for (std::size_t i = 0; i < count; i += kBlock) solve_block<G>(lanes, i);
  };
  const std::size_t whole = job.size - job.size % kBlock;
  for (std::size_t first = 0; first < whole; first += kChunk)
    solve_some(first, whole - first < kChunk ? whole - first : kChunk);
  if (whole < job.size) solve_some(job.size - kBlock, kBlock);
  return true;
}

template <class V, int M, int G>
bool solve_contacts(const Job& job) {
  if (job.coordinates != 2) return solve_blocks<V, M, 0, Geometry::any, G>(job);
  if (!job.diagonal || job.metric_varies) return solve_blocks<V, M, 2, Geometry::any, G>(job);
  if (job.inertance == nullptr) return solve_blocks<V, M, 2, Geometry::diagonal, G>(job);
  return solve_blocks<V, M, 2, Geometry::shared, G>(job);
}

/// G vectors at a time. False where there are too few problems.
template <class V, int G>
bool solve_geometric(const Job& job) {
  switch (job.contacts) {
    case 1: return solve_contacts<V, 1, G>(job);
    case 2: return solve_contacts<V, 2, G>(job);
    default: return solve_contacts<V, 3, G>(job);
  }
}

}  // namespace
}  // namespace carom::lanes
