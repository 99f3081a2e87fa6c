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
/// A lane depends on its own problem alone, every operation is rounded as the language says, and products are fused
/// with sums where add_product and subtract_product stand and nowhere else, so that a problem has the same bits on
/// every processor and in every batch (one that cannot fuse does it by software). It agrees with ImpactSolver to
/// round-off. Lanes whose problem is not well posed, or needs more than the plain iteration (parallel contacts, speeds
/// of extreme size, no way out), are left to that.
///
/// V is a vector of doubles with the usual operators and V::Mask; this header is included by one file for each
/// instruction set.

#include "carom/laws/impact/lanes/lane_problems.h"
#include "carom/laws/impact/lanes/pair_lanes.h"

namespace carom::lanes {
namespace {

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
  V least[M];    ///< a contact approaches where γᵢ is below this
  V going[M];    ///< the iteration goes on where some γᵢ is below this: it approaches and is not at rest
  typename V::Counter steps;
  Mask good;  ///< lanes that are not left to the solver

  /// Problems from i on of those in the columns.
  void read(const Lanes& lanes, std::size_t i);
  /// One step of the law in these lanes.
  void step(Mask now);
  [[nodiscard]] Mask goes_on() const;
  void finish(Lanes& lanes, std::size_t i);
};

template <class V, int M, int N, Geometry K>
inline void LaneGroup<V, M, N, K>::read(const Lanes& lanes, std::size_t i) {
  const int n = lanes.coordinates();
  V velocity[Lanes::kCoordinates];
  for (int k = 0; k < n; ++k) velocity[k] = lanes.velocity(i, k);
  good = V(0.0) == V(0.0);
  V square = lanes.read_square(i, velocity, good);
  lanes.read_inertance(i, inertance);
  lanes.read_rates(i, velocity, rate);
  for (int r = 0; r < M; ++r) {
    inverse[r] = V(1.0) / inertance[r][r];
    if (lanes.has_offsets()) {
      const V offset = lanes.offset(i, r);
      good = good & (offset * offset >= V(0.0));
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
    good = less(greater(good, inertance[r][r], V(1e-6)), inertance[r][r], V(1e6));
    const V scale = coarse_root(square * inertance[r][r]);
    least[r] = lanes.least * scale;
    going[r] = lanes.going * scale;
    for (int s = 0; s < r; ++s) {
      const V product = inertance[r][s];
      good = good & ((product <= V(0.0)) | (product * product < V(1.0 - 4e-12) * inertance[r][r] * inertance[s][s]));
    }
  }
  steps = {};
}

template <class V, int M, int N, Geometry K>
inline typename V::Mask LaneGroup<V, M, N, K>::goes_on() const {
  Mask some = rate[0] < going[0];
  for (int r = 1; r < M; ++r) some = some | (rate[r] < going[r]);
  return good & some;
}

template <class V, int M, int N, Geometry K>
inline void LaneGroup<V, M, N, K>::step(Mask now) {
  Mask active[M];
  for (int r = 0; r < M; ++r) active[r] = less(now, rate[r], least[r]);
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
    for (int s = 1; s < M; ++s) sum[r] = add_product(sum[r], h[s], inertance[s][r]);
    weighted = add_product(weighted, one_plus_e[r] * rate[r], h[r]);
    norm = add_product(norm, h[r], sum[r]);
  }
  good = good & ~(several & ~(norm > V(1e-14) * weighted));
  factor = choose(several, weighted / norm, factor);
  for (int r = 0; r < M; ++r) {
    impulse[r] = subtract_product_where(now, impulse[r], factor, h[r]);
    rate[r] = subtract_product_where(now, rate[r], factor, sum[r]);
  }
  steps.increment(now);
}

template <class V, int M, int N, Geometry K>
inline void LaneGroup<V, M, N, K>::finish(Lanes& lanes, std::size_t i) {
  good = good & ~goes_on();
  Mask rests = rate[0] < least[0];
  for (int r = 1; r < M; ++r) rests = rests | (rate[r] < least[r]);
  lanes.store(i, impulse, steps, rests, good);
}

/// G vectors of problems from number i in the columns on.
template <int G, class V, int M, int N, Geometry K>
inline void solve_block(Lanes<V, M, N, K>& lanes, std::size_t i) {
  for (int g = 0; g < G; ++g, i += V::kWidth) {
    LaneGroup<V, M, N, K> group;
    group.read(lanes, i);
    for (int count = 0; count < kMostSteps && any(group.goes_on()); ++count) group.step(group.goes_on());
    group.finish(lanes, i);
  }
}

/// How many problems the second block repeats, so that it and all later ones begin on a cache line.
template <std::size_t Block>
std::size_t repeated(const Job& job) {
  constexpr std::size_t kLine = 64;
  if (Block * sizeof(double) < kLine || job.velocity.stride != 1) return 0;
  return reinterpret_cast<std::uintptr_t>(job.velocity.data) % kLine / sizeof(double);
}

/// Calls `solve` for whole blocks in the columns. The last one may overlap the one before, with the same answers.
template <std::size_t Block, class Problems, class Solve>
void for_each_block(Problems& lanes, const Solve& solve) {
  static_assert(kChunk % Block == 0);
  const auto solve_some = [&lanes, &solve](std::size_t first, std::size_t count) {
    lanes.move_to(first, count);
    for (std::size_t i = 0; i < count; i += Block) solve(i);
    lanes.finish(count);
  };
  const std::size_t size = lanes.job.size;
  solve_some(0, Block);
  const std::size_t begin = Block - repeated<Block>(lanes.job);
  const std::size_t end = size - (size - begin) % Block;
  for (std::size_t first = begin; first < end; first += kChunk)
    solve_some(first, end - first < kChunk ? end - first : kChunk);
  if (end < size) solve_some(size - Block, Block);
}

/// False where there are too few problems for one block of G vectors.
template <class V, int M, int N, Geometry K, int G>
bool solve_blocks(const Job& job) {
  constexpr std::size_t kBlock = static_cast<std::size_t>(V::kWidth) * G;
  if (job.size < kBlock) return false;
  Lanes<V, M, N, K> lanes(job);
  if constexpr (M == 2) {
    const PairShared<V, N, K> shared(lanes);
    LikelySteps<G * V::kWidth> likely;
    for_each_block<kBlock>(lanes, [&](std::size_t i) { solve_pairs<G>(lanes, shared, likely, i); });
  } else {
    for_each_block<kBlock>(lanes, [&](std::size_t i) { solve_block<G>(lanes, i); });
  }
  return true;
}

template <class V, int M, int G>
bool solve_contacts(const Job& job) {
  if (job.coordinates != 2) return solve_blocks<V, M, 0, Geometry::any, G>(job);
  if (!job.diagonal || job.metric_varies) return solve_blocks<V, M, 2, Geometry::any, G>(job);
  if (job.inertance == nullptr) {
    const bool is_unit = job.inverse[0] == 1.0 && job.inverse[3] == 1.0;
    if (M == 2 && is_unit && !job.has_offsets && job.restitution.stride == 0)
      return solve_blocks<V, M, 2, Geometry::plain, G>(job);
    return solve_blocks<V, M, 2, Geometry::diagonal, G>(job);
  }
  if (M == 2 && job.restitution.stride == 0) return solve_blocks<V, M, 2, Geometry::shared_with_restitution, G>(job);
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
