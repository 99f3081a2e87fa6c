#pragma once
/// Law `geometric` with two contacts, one problem in each lane; geometric_lanes.h says what is computed.
///
/// Both contacts can approach at the beginning only. After that they strike in turn: what has been pushed separates, so
/// that only the other one can approach, and a strike of i is
///   γⱼ ← γⱼ − (1+e) D_ij/Dᵢᵢ γᵢ,  γᵢ ← −e γᵢ.
/// With P = D₀₀D₁₁ one quotient gives both 1/Dᵢᵢ; the step of both takes P·h for h, which its factor c takes back.

#include "carom/laws/impact/lanes/lane_problems.h"

namespace carom::lanes {
namespace {

/// How two contacts bounce.
template <class V>
struct PairRestitution {
  V one_plus_e[2];
  V minus_e[2];

  void set(int r, V e) {
    one_plus_e[r] = V(1.0) + e;
    minus_e[r] = V(0.0) - e;
  }
};

/// What two contacts are to each other.
template <class V>
struct PairCoupling {
  V weight[2];   ///< (1 + e)/Dᵢᵢ
  V carried[2];  ///< (1 + e)D_ij/Dᵢᵢ, what of γᵢ goes over to γⱼ

  void set(int r, V one_plus_e, V inverse, V coupling) {
    weight[r] = one_plus_e * inverse;
    carried[r] = weight[r] * coupling;
  }
};

/// 1/Dᵢᵢ of both contacts, and the lanes whose contacts are well posed and not parallel.
template <class V>
struct PairInverse {
  V of[2];
  typename V::Mask good;

  explicit PairInverse(const V (&d)[2][2]) {
    const V product = d[0][0] * d[1][1];
    const V reciprocal = V(1.0) / product;
    of[0] = reciprocal * d[1][1];
    of[1] = reciprocal * d[0][0];
    good = d[0][1] * d[0][1] < V(1.0 - 4e-12) * product;
    good = less(greater(good, product, V(1e-12)), product, V(1e12));
  }
};

/// What is the same for all problems of a job.
template <class V, int N, Geometry K>
struct PairShared {
  PairInverse<V> inverse;          ///< where the inertances are
  PairRestitution<V> restitution;  ///< where it is
  PairCoupling<V> coupling;        ///< where both are
  typename V::Mask good;           ///< none where the restitution is the same and out of range
  bool equal;                      ///< D₀₀ = D₁₁

  explicit PairShared(const Lanes<V, 2, N, K>& lanes)
      : inverse(lanes.inertance), good(V(0.0) == V(0.0)), equal(lanes.inertances_are_equal()) {
    for (int r = 0; r < 2 && !lanes.restitution_varies(); ++r) {
      const V e = lanes.restitution(0, r);
      good = good & (e >= V(0.0)) & (e <= V(1.0));
      restitution.set(r, e);
      coupling.set(r, restitution.one_plus_e[r], inverse.of[r], lanes.inertance[0][1]);
    }
  }
};

/// One vector of problems.
template <class V, int N, Geometry K>
struct PairGroup {
  using Mask = typename V::Mask;
  using Lanes = lanes::Lanes<V, 2, N, K>;
  using Shared = PairShared<V, N, K>;
  using Restitution = PairRestitution<V>;
  using Coupling = PairCoupling<V>;

  V rate[2];   ///< γ
  V taken[2];  ///< sum of the γᵢ at which it was pushed alone
  typename V::Counter steps;
  V bound[2];                   ///< the iteration goes on where γ is below this: it approaches and is not at rest
  Restitution own_restitution;  ///< where it is not shared, likewise below
  Coupling own_coupling;
  V least[2];    ///< a contact approaches where γ is below this
  V impulse[2];  ///< of the step of both
  Mask good;     ///< lanes that are not left to the solver

  /// Problems from i on of those in the columns; both contacts are pushed where both approach.
  void read(const Lanes& lanes, const Shared& shared, std::size_t i);
  /// Pushes contact R where it approaches.
  template <int R>
  Mask push(const Shared& shared) {
    const Mask now = rate[R] < bound[R];
    taken[R] = add_where(now, taken[R], rate[R]);
    rate[1 - R] = subtract_product_where(now, rate[1 - R], coupling(shared).carried[R], rate[R]);
    rate[R] = multiply_where(now, rate[R], restitution(shared).minus_e[R]);
    steps.increment(now);
    return now;
  }
  void finish(Lanes& lanes, const Shared& shared, std::size_t i) {
    for (int r = 0; r < 2; ++r) impulse[r] = subtract_product(impulse[r], coupling(shared).weight[r], taken[r]);
    lanes.store(i, impulse, steps, (rate[0] < least[0]) | (rate[1] < least[1]), good);
  }

 private:
  const Restitution& restitution(const Shared& shared) const {
    if constexpr (Lanes::kRestitutionShared) return shared.restitution;
    return own_restitution;
  }
  const Coupling& coupling(const Shared& shared) const {
    if constexpr (Lanes::kShared && Lanes::kRestitutionShared) return shared.coupling;
    return own_coupling;
  }
  void set_bounds(const Lanes& lanes, V square, const V (&d)[2][2], bool equal);
  void push_where_both_approach(const Restitution& restitution, const V (&d)[2][2]);
};

/// Thresholds, from ‖v⁻‖² in the metric.
template <class V, int N, Geometry K>
inline void PairGroup<V, N, K>::set_bounds(const Lanes& lanes, V square, const V (&d)[2][2], bool equal) {
  const V zero(0.0);
  const Mask well_posed = good;
  V size[2] = {square * d[0][0], square * d[1][1]};
  for (int r = 0; r < (equal ? 1 : 2); ++r) {
    good = less(greater(good, size[r], V(1e-36)), size[r], V(1e36));
    const V scale = coarse_root(size[r]);
    least[r] = lanes.least * scale;
    bound[r] = lanes.going * scale;
  }
  if (equal) {
    least[1] = least[0];
    bound[1] = bound[0];
  }
  if (!all(good)) good = good | (well_posed & (square == zero));  // nothing moves
}

template <class V, int N, Geometry K>
inline void PairGroup<V, N, K>::push_where_both_approach(const Restitution& restitution, const V (&d)[2][2]) {
  const Mask both =
      less(less(good, rate[0], least[0]), rate[1], bound[1]) | less(less(good, rate[0], bound[0]), rate[1], least[1]);
  steps = {};
  impulse[0] = impulse[1] = V(0.0);
  const V h[2] = {rate[0] * d[1][1], rate[1] * d[0][0]};
  const V sum[2] = {add_product(h[0] * d[0][0], h[1], d[0][1]), add_product(h[0] * d[0][1], h[1], d[1][1])};
  const V weighted = add_product(restitution.one_plus_e[0] * rate[0] * h[0], restitution.one_plus_e[1] * rate[1], h[1]);
  const V factor = weighted / add_product(h[0] * sum[0], h[1], sum[1]);
  for (int r = 0; r < 2; ++r) {
    impulse[r] = subtract_product_where(both, impulse[r], factor, h[r]);
    rate[r] = subtract_product_where(both, rate[r], factor, sum[r]);
  }
  steps.increment(both);
  // Where both still approach, the solver goes on alone.
  good = good & ~less(less(both, rate[0], least[0]), rate[1], least[1]);
}

template <class V, int N, Geometry K>
inline void PairGroup<V, N, K>::read(const Lanes& lanes, const Shared& shared, std::size_t i) {
  V d[2][2];
  lanes.read_inertance(i, d);
  const PairInverse<V> inverse = Lanes::kShared ? shared.inverse : PairInverse<V>(d);
  good = inverse.good & shared.good;
  for (int r = 0; r < 2; ++r) {
    if constexpr (!Lanes::kRestitutionShared) {
      const V e = lanes.restitution(i, r);
      if (lanes.restitution_varies()) good = good & (e >= V(0.0)) & (e <= V(1.0));
      own_restitution.set(r, e);
    }
    if constexpr (!(Lanes::kShared && Lanes::kRestitutionShared))
      own_coupling.set(r, restitution(shared).one_plus_e[r], inverse.of[r], d[0][1]);
  }
  const int n = lanes.coordinates();
  V velocity[Lanes::kCoordinates];
  for (int k = 0; k < n; ++k) velocity[k] = lanes.velocity(i, k);
  V square = lanes.read_square(i, velocity, good);
  lanes.read_rates(i, velocity, rate);
  for (int r = 0; r < 2 && lanes.has_offsets(); ++r) {
    const V offset = lanes.offset(i, r);
    rate[r] = rate[r] + offset;
    square = larger(square, offset * offset * inverse.of[r]);
  }
  set_bounds(lanes, square, d, Lanes::kShared && shared.equal);
  push_where_both_approach(restitution(shared), d);
  for (int r = 0; r < 2; ++r) {
    taken[r] = V(0.0);
    bound[r] = choose(good, bound[r], V(-__builtin_inf()));
  }
}

/// How many steps blocks take without being asked whether a lane goes on: that is a branch which processors guess
/// wrong, and costs more than some steps in vain. As many as the longest of the last blocks took. Answers do not depend
/// on it.
template <int Lanes>
class LikelySteps {
 public:
  [[nodiscard]] int steps() const { return likely_; }
  /// A block has taken so many.
  void learn(int taken) {
    if (taken > likely_) {
      likely_ = taken < kMost ? taken : kMost;
      blocks_ = 0;
    } else if (++blocks_ == kBlocks) {
      likely_ -= likely_ > kLeast ? 2 : 0;
      blocks_ = 0;
    }
  }

 private:
  static constexpr int kLeast = 4;
  static constexpr int kMost = Lanes < 32 ? 6 : 16;  ///< longer problems are mostly rare
  static constexpr int kBlocks = 64;
  int likely_ = 6;
  int blocks_ = 0;
};

/// G vectors of problems from number i in the columns on, in turn, so that one computes while another waits.
template <int G, class V, int N, Geometry K>
inline void solve_pairs(Lanes<V, 2, N, K>& lanes, const PairShared<V, N, K>& shared, LikelySteps<G * V::kWidth>& likely,
                        std::size_t i) {
  PairGroup<V, N, K> group[G];
  constexpr auto kWidth = static_cast<std::size_t>(V::kWidth);
#pragma GCC unroll 4
  for (int g = 0; g < G; ++g) group[g].read(lanes, shared, i + g * kWidth);
  typename V::Mask now{};
  int count = 0;
  do {
#pragma GCC unroll 4
    for (int g = 0; g < G; ++g) group[g].template push<0>(shared);
    now = group[0].template push<1>(shared);
#pragma GCC unroll 4
    for (int g = 1; g < G; ++g) now = now | group[g].template push<1>(shared);
    count += 2;
  } while (count < likely.steps() || (any(now) && count < kMostSteps));
  likely.learn(count);
  if (any(now)) {
    for (int g = 0; g < G; ++g)
      group[g].good =
          group[g].good & ~((group[g].rate[0] < group[g].bound[0]) | (group[g].rate[1] < group[g].bound[1]));
  }
#pragma GCC unroll 4
  for (int g = 0; g < G; ++g) group[g].finish(lanes, shared, i + g * kWidth);
}

}  // namespace
}  // namespace carom::lanes
