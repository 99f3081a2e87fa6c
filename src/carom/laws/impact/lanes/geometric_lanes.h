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

#include "carom/laws/impact/lanes/lane_job.h"

namespace carom::lanes {
namespace {

template <class V>
inline V load_entry(const Input& input, std::size_t first, int k) {
  const double* const at = input.data + static_cast<std::ptrdiff_t>(first) * input.stride + k * input.step;
  if (input.stride == 0) return V(*at);
  return input.stride == 1 ? V::load(at) : V::gather(at, input.stride);
}

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

/// One vector of problems. M contacts; N coordinates, 0: as many as the job says.
template <class V, int M, int N>
struct LaneGroup {
  using Mask = typename V::Mask;
  static constexpr int kCoordinates = N > 0 ? N : kMostCoordinates;

  V inertance[M][M];  ///< D
  V inverse[M];       ///< 1/Dᵢᵢ
  V rate[M];          ///< γ
  V one_plus_e[M];
  V impulse[M];  ///< p
  V least[M];    ///< a contact approaches where −γᵢ is above this
  V going[M];    ///< the iteration goes on where some −γᵢ is above this: it approaches and is not at rest
  V steps;
  Mask good;  ///< lanes that are not left to the solver

  void read(const Job& job, std::size_t first);
  /// One step of the law in these lanes.
  void step(Mask now);
  void step_where_both_approach();
  [[nodiscard]] Mask goes_on() const;
  void finish(const Job& job, std::size_t first);

 private:
  static int coordinates(const Job& job) { return N > 0 ? N : job.coordinates; }
  static void read_push(const Job& job, std::size_t first, int r, V* push);
  void read_inertance(const Job& job, std::size_t first, int r);
  V read_square(const Job& job, std::size_t first, const V* velocity);
};

/// z of contact r.
template <class V, int M, int N>
inline void LaneGroup<V, M, N>::read_push(const Job& job, std::size_t first, int r, V* push) {
  const int n = coordinates(job);
  for (int i = 0; i < n; ++i) push[i] = load_entry<V>(job.normals, first, r * n + i);
  if (job.metric_varies) {
    for (int i = 0; i < n; ++i) push[i] = push[i] / load_entry<V>(job.metric, first, i * (n + 1));
  } else if (job.diagonal) {
    for (int i = 0; i < n; ++i) push[i] = push[i] * V(job.inverse[i * (n + 1)]);
  } else {
    V normal[kCoordinates];
    for (int i = 0; i < n; ++i) normal[i] = push[i];
    for (int i = 0; i < n; ++i) {
      push[i] = V(job.inverse[i * n]) * normal[0];
      for (int k = 1; k < n; ++k) push[i] = push[i] + V(job.inverse[i * n + k]) * normal[k];
    }
  }
}

/// ‖v⁻‖² in the metric.
template <class V, int M, int N>
inline V LaneGroup<V, M, N>::read_square(const Job& job, std::size_t first, const V* velocity) {
  const int n = coordinates(job);
  V square(0.0);
  for (int i = 0; i < n; ++i) {
    if (job.diagonal) {
      const V entry = load_entry<V>(job.metric, first, i * (n + 1));
      if (job.metric_varies) good = good & (entry > V(1e-150)) & (entry < V(1e150));
      for (int k = 0; job.metric_varies && k < n; ++k)
        if (k != i) good = good & (load_entry<V>(job.metric, first, i * n + k) == V(0.0));
      square = square + entry * velocity[i] * velocity[i];
      continue;
    }
    V sum(0.0);
    for (int k = 0; k < n; ++k) sum = sum + load_entry<V>(job.metric, first, i * n + k) * velocity[k];
    square = square + sum * velocity[i];
  }
  return square;
}

/// D of contact r with those from r on, and 1/D_rr.
template <class V, int M, int N>
inline void LaneGroup<V, M, N>::read_inertance(const Job& job, std::size_t first, int r) {
  if (job.inertance != nullptr) {
    for (int s = r; s < M; ++s) inertance[r][s] = inertance[s][r] = V(job.inertance[r * M + s]);
    inverse[r] = V(job.inverse_inertance[r]);
    return;
  }
  const int n = coordinates(job);
  V push[kCoordinates];
  read_push(job, first, r, push);
  for (int s = r; s < M; ++s) {
    V product = load_entry<V>(job.normals, first, s * n) * push[0];
    for (int i = 1; i < n; ++i) product = product + load_entry<V>(job.normals, first, s * n + i) * push[i];
    inertance[r][s] = inertance[s][r] = product;
  }
  inverse[r] = V(1.0) / inertance[r][r];
}

template <class V, int M, int N>
inline void LaneGroup<V, M, N>::read(const Job& job, std::size_t first) {
  const int n = coordinates(job);
  V velocity[kCoordinates];
  for (int i = 0; i < n; ++i) velocity[i] = load_entry<V>(job.velocity, first, i);
  good = velocity[0] == velocity[0];
  V square = read_square(job, first, velocity);
  for (int r = 0; r < M; ++r) {
    read_inertance(job, first, r);
    rate[r] = load_entry<V>(job.normals, first, r * n) * velocity[0];
    for (int i = 1; i < n; ++i) rate[r] = rate[r] + load_entry<V>(job.normals, first, r * n + i) * velocity[i];
    if (job.has_offsets) {
      const V offset = load_entry<V>(job.offsets, first, r);
      good = good & (offset == offset);
      rate[r] = rate[r] + offset;
      square = larger(square, offset * offset * inverse[r]);
    }
    const V e = load_entry<V>(job.restitution, first, r);
    good = good & (e >= V(0.0)) & (e <= V(1.0));
    one_plus_e[r] = V(1.0) + e;
    impulse[r] = V(0.0);
  }
  // What is no number, or of extreme size, is for the solver.
  good = good & (((square > V(1e-30)) & (square < V(1e30))) | (square == V(0.0)));
  for (int r = 0; r < M; ++r) {
    good = good & (inertance[r][r] > V(1e-6)) & (inertance[r][r] < V(1e6));
    const V scale = coarse_root(square * inertance[r][r]);
    least[r] = V(job.tolerance) * scale;
    going[r] = larger(least[r], V(job.rest) * scale);
    for (int s = 0; s < r; ++s) {
      const V product = inertance[r][s];
      good = good & ((product <= V(0.0)) | (product * product < V(1.0 - 4e-12) * inertance[r][r] * inertance[s][s]));
    }
  }
  steps = V(0.0);
}

template <class V, int M, int N>
inline typename V::Mask LaneGroup<V, M, N>::goes_on() const {
  Mask some = -rate[0] > going[0];
  for (int r = 1; r < M; ++r) some = some | (-rate[r] > going[r]);
  return good & some;
}

template <class V, int M, int N>
inline void LaneGroup<V, M, N>::step(Mask now) {
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
template <class V, int M, int N>
inline void LaneGroup<V, M, N>::step_where_both_approach() {
  const Mask both = goes_on() & (-rate[0] > least[0]) & (-rate[1] > least[1]);
  if (!any(both)) return;
  step(both);
  // Where both still approach, the solver goes on alone.
  good = good & ~((-rate[0] > least[0]) & (-rate[1] > least[1]));
}

template <class V, int M, int N>
inline void LaneGroup<V, M, N>::finish(const Job& job, std::size_t first) {
  const int n = coordinates(job);
  good = good & ~goes_on();
  V velocity[kCoordinates];
  for (int i = 0; i < n; ++i) velocity[i] = load_entry<V>(job.velocity, first, i);
  for (int r = 0; r < M; ++r) {
    V push[kCoordinates];
    read_push(job, first, r, push);
    for (int i = 0; i < n; ++i) velocity[i] = velocity[i] + impulse[r] * push[i];
  }
  for (int i = 0; i < n; ++i) store_entry(job.velocity_after, first, i, velocity[i]);
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
template <class V, int N>
struct TurnGroup {
  using Mask = typename V::Mask;
  V rate[2], impulse[2];
  V bound[2];     ///< it goes on where γ is below this
  V minus_e[2];   ///< −e
  V per_rate[2];  ///< (1 + e)/Dᵢᵢ
  V coupling;     ///< D_ij
  V steps;
  Mask good;

  void take(const LaneGroup<V, 2, N>& from) {
    coupling = from.inertance[0][1];
    steps = from.steps;
    good = from.good;
    for (int r = 0; r < 2; ++r) {
      rate[r] = from.rate[r];
      impulse[r] = from.impulse[r];
      bound[r] = -from.going[r];
      minus_e[r] = V(1.0) - from.one_plus_e[r];
      per_rate[r] = from.one_plus_e[r] * from.inverse[r];
    }
  }
  template <int r>
  Mask push() {
    const Mask now = good & (rate[r] < bound[r]);
    const V push = per_rate[r] * rate[r];
    impulse[r] = subtract_where(now, impulse[r], push);
    rate[1 - r] = subtract_where(now, rate[1 - r], push * coupling);
    rate[r] = multiply_where(now, rate[r], minus_e[r]);
    steps = add_where(now, steps, V(1.0));
    return now;
  }
  void give(LaneGroup<V, 2, N>& to) const {
    for (int r = 0; r < 2; ++r) {
      to.rate[r] = rate[r];
      to.impulse[r] = impulse[r];
    }
    to.steps = steps;
  }
};

/// Steps of two contacts: first those where both approach, then one after the other in turn.
template <class V, int N, int G>
inline void take_turns(LaneGroup<V, 2, N>* group) {
  TurnGroup<V, N> turn[G];
  for (int g = 0; g < G; ++g) {
    group[g].step_where_both_approach();
    turn[g].take(group[g]);
  }
  for (int count = 0; count < kMostSteps; count += 4) {
    for (int g = 0; g < G; ++g) turn[g].template push<0>();
    for (int g = 0; g < G; ++g) turn[g].template push<1>();
    for (int g = 0; g < G; ++g) turn[g].template push<0>();
    typename V::Mask now = turn[0].template push<1>();
    for (int g = 1; g < G; ++g) now = now | turn[g].template push<1>();
    if (!any(now)) break;
  }
  for (int g = 0; g < G; ++g) turn[g].give(group[g]);
}

/// G vectors of problems from `first` on, in turn, so that one computes while another waits.
template <class V, int M, int N, int G>
inline void solve_block(const Job& job, std::size_t first) {
  LaneGroup<V, M, N> group[G];
  for (int g = 0; g < G; ++g) group[g].read(job, first + static_cast<std::size_t>(g * V::kWidth));
  if constexpr (M == 2) {
    take_turns<V, N, G>(group);
  } else {
    for (int g = 0; g < G; ++g)
      for (int count = 0; count < kMostSteps && any(group[g].goes_on()); ++count) group[g].step(group[g].goes_on());
  }
  for (int g = 0; g < G; ++g) group[g].finish(job, first + static_cast<std::size_t>(g * V::kWidth));
}

/// Whole blocks; the last one overlaps the one before, with the same answers. False where there are too few problems
/// for one.
template <class V, int M, int N, int G>
bool solve_blocks(const Job& job) {
  constexpr std::size_t kBlock = static_cast<std::size_t>(V::kWidth) * G;
  if (job.size < kBlock) return false;
  std::size_t first = 0;
  for (; first + kBlock <= job.size; first += kBlock) solve_block<V, M, N, G>(job, first);
  if (first < job.size) solve_block<V, M, N, G>(job, job.size - kBlock);
  return true;
}

template <class V, int M, int G>
bool solve_contacts(const Job& job) {
  return job.coordinates == 2 ? solve_blocks<V, M, 2, G>(job) : solve_blocks<V, M, 0, G>(job);
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
