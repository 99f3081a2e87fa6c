#pragma once
/// The batched corner algorithm, for any vector instruction set `Isa` with fused multiply-add.
///
/// Problems are read in order, a *unit* of some vectors at a time. `start` makes the impact on both walls, which can
/// only be the first, and up to kFirstSteps single impacts; most problems are then done and their results are stored
/// in place. The lanes left over are packed into a list. When a list has enough lanes for full units, `continue_list`
/// makes more impacts, stores what is done and packs the rest into the next list, whose turns are longer; the last
/// list feeds itself. So vectors stay full although problems differ much in length, and nothing branches on a lane.
///
/// Why the bits are those of `iterate`:
/// - Mirror symmetry. Impacts alternate between the walls. ẏ is kept mirrored so that the wall ahead is always wall 1,
///   and changes sign with every step: negation is exact and commutes with rounding. Only the sign of a zero could
///   differ; a problem that ends with ẏ = 0 after single impacts is solved again by `BatchJob::solve_one`.
/// - Division by the invariant d = 1 + k². ẋ is divided by the divider of the processor; ẏ, at the same time, by
///   multiplication: with z = RN(1/d), w = RN(z·(1 − zd)), q = RN(nz + RN(nw)) is within one unit in the last place of
///   n/d, and RN(q + RN(n − qd)·z) is then n/d correctly rounded (Markstein 1990) unless something underflows. It does
///   not: the larger of |ẋ|, |ẏ| of a moving lane is above 2⁻¹⁰², the coefficients are not zero and above 2⁻⁹⁵, so the
///   numerator, a rounded sum in which one term is above 2⁻²⁰⁰, is above 2⁻²⁶⁰, or it is +0.
/// - What cannot happen in exact arithmetic (the wall just left is still approached, by round-off) ends the lane, and
///   solve_one takes the problem over. It also takes what is outside the ranges used above, and bad input.
///
/// In `start` only one comparison is made per step, a = kẋ − ẏ > W with W = 2⁻³⁶‖v₀‖ far above S. For ε ≥ 2⁻⁷ and
/// k ≤ 2 the others would be true: round-off leaves the speed against the wall just struck below −εa + 2⁻⁴⁶‖v₀‖ < 0,
/// and ‖v‖ ≥ ε⁵‖v₀‖ > S_v‖v₀‖ after five impacts. A lane with S < a ≤ W goes to the list unfinished.
///
/// This file is compiled with instructions that not every processor has: no inline function or template of the
/// standard library may be used, and `Isa` must have internal linkage, so that no instance is shared between files.

#include "carom/laws/corner/batch_job.h"

namespace carom::corner {

/// What a list keeps of a lane: ẋ, mirrored ẏ, k, ε, ‖v₀‖ as the thresholds see it, RN(1/d) and a tag,
/// index · 2³³ + mirror · 2³² + steps as an integer in the bits of a double. ẏ has the sign of the lane if mirror + steps
/// is even.
enum LaneField { kX, kY, kSlope, kRestitution, kSpeed, kInverse, kTag, kLaneFields };

/// Steps in `start`: in any corner, then in narrow ones only.
constexpr int kFirstSteps = 3;
constexpr int kNarrowSteps = 4;

/// Narrow corners have d below this.
constexpr double kNarrowDivisor = 1.236;

template <class Isa>
class BatchKernel {
 public:
  explicit BatchKernel(const BatchJob& job) : job_(job) {}

  void run() {
    std::size_t next = 0;
    for (; job_.size - next >= kUnit; next += kUnit) {
      start(next);
      for (int level = 0; level <= kLevels; ++level) {
        while (list_[level].size >= kUnit) continue_list(level, list_[level].size / kUnit);
      }
    }
    for (; next < job_.size; ++next) job_.solve_one(job_, next);
    for (int level = 0; level <= kLevels; ++level) {
      while (list_[level].size > 0) continue_list(level, (list_[level].size + kUnit - 1) / kUnit);
    }
  }

 private:
  using V = typename Isa::Vector;
  using M = typename Isa::Mask;
  static constexpr int kWidth = Isa::width;
  static constexpr int kGroups = Isa::groups;
  static constexpr int kUnit = kWidth * kGroups;
  static constexpr int kLevels = 2;               ///< lists of lanes that make light steps; one more has the rest
  static constexpr int kTurn[kLevels] = {8, 32};  ///< steps between two looks at a unit

  struct List {
    int size = 0;
    /// Less than a unit waits in each list when the next unit comes in.
    alignas(64) double field[kLaneFields][(kLevels + 3) * kUnit + kWidth] = {};
  };

  struct Lanes {
    V field[kLaneFields];
    V a, b, c;         ///< coefficients 1 − εk², (1+ε)k, ε − k²
    V divisor, low;    ///< d and w
    V approach, rest;  ///< S‖v₀‖, S_v‖v₀‖
    M live;
  };

  /// All but `low` and `live`, from the fields.
  void derive(Lanes& l) const {
    const V one = Isa::set(1.0);
    const V k = l.field[kSlope];
    const V e = l.field[kRestitution];
    const V k2 = Isa::mul(k, k);
    l.a = Isa::sub(one, Isa::mul(e, k2));
    l.b = Isa::mul(Isa::add(one, e), k);
    l.c = Isa::sub(e, k2);
    l.divisor = Isa::add(one, k2);
    l.approach = Isa::mul(Isa::set(job_.approach), l.field[kSpeed]);
    l.rest = Isa::mul(Isa::set(job_.rest), l.field[kSpeed]);
  }
  static void derive_low(Lanes& l) {
    const V z = l.field[kInverse];
    const V remainder = Isa::negative_fma(z, l.divisor, Isa::set(1.0));
    const V low = Isa::mul(z, remainder);
    l.low = Isa::fma(Isa::negative_fma(low, l.divisor, remainder), z, low);
  }

  /// The part of a vector of lanes that steps change, kept in registers while they go on.
  struct Moving {
    V x, y;          ///< the velocity, also past the end of a lane
    V end_x, end_y;  ///< the velocity after the last step that counts
    V tag;
    M live;
  };
  static Moving set_off(const Lanes& l) {
    return {l.field[kX], l.field[kY], l.field[kX], l.field[kY], l.field[kTag], l.live};
  }
  static void settle(Lanes& l, const Moving& m) {
    l.field[kX] = m.end_x;
    l.field[kY] = m.end_y;
    l.field[kTag] = m.tag;
    l.live = m.live;
  }

  /// One impact of every lane on the wall ahead. The live ones keep its result: that they are live is asked only
  /// here, so that the next impact need not wait for the answer.
  struct Wall {
    V ahead;  ///< kẋ − ẏ
    V left;   ///< kẋ + ẏ
  };
  enum Corner { kAny, kNarrow };
  template <Corner corner>
  static Wall strike(Moving& m, const Lanes& l) {
    const V nx = Isa::add(Isa::mul(l.a, m.x), Isa::mul(l.b, m.y));
    const V ny = Isa::sub(Isa::mul(l.c, m.y), Isa::mul(l.b, m.x));
    const V z = l.field[kInverse];
    const V q = Isa::fma(ny, z, Isa::mul(ny, l.low));
    if constexpr (corner == kNarrow) {
      m.x = Isa::fma(nx, z, Isa::mul(nx, l.low));
      m.y = q;
    } else {
      m.x = Isa::div(nx, l.divisor);
      m.y = Isa::fma(Isa::negative_fma(q, l.divisor, ny), z, q);
    }
    m.end_x = Isa::select(m.live, m.x, m.end_x);
    m.end_y = Isa::select(m.live, m.y, m.end_y);
    m.tag = Isa::increment(m.live, m.tag);
    const V kx = Isa::mul(l.field[kSlope], m.x);
    return {Isa::sub(kx, m.y), Isa::add(kx, m.y)};
  }

  static V norm2(V x, V y) { return Isa::add(Isa::mul(x, x), Isa::mul(y, y)); }

  /// Packs the lanes of `keep` into the list.
  static void append(List& list, unsigned keep, const Lanes& l) {
    const auto map = Isa::compression(keep);
    for (int j = 0; j < kLaneFields; ++j) Isa::compress(list.field[j] + list.size, map, l.field[j]);
    list.size += __builtin_popcount(keep);
  }

  struct Prepared {
    M first;         ///< makes its first steps in `start`
    V wide;          ///< W
    unsigned going;  ///< has not left the corner
    unsigned taken;  ///< the others are for solve_one
  };
  Prepared prepare(std::size_t first, Lanes& l) const;
  void start(std::size_t first);
  void continue_list(int level, int units);
  void light_turns(Lanes* unit, int steps) const;
  void full_turn(Lanes* unit) const;
  unsigned store_ended(const Lanes& l, unsigned ended);
  std::int64_t fewest_steps_left(const Lanes* unit) const;

  const BatchJob& job_;
  List list_[kLevels + 1];
};

template <class Isa>
auto BatchKernel<Isa>::prepare(std::size_t first, Lanes& l) const -> Prepared {
  const V one = Isa::set(1.0);
  const V e = Isa::load(job_.restitution + first);
  const V k = Isa::load(job_.slope + first);
  V x = Isa::load(job_.x + first);
  V y = Isa::load(job_.y + first);
  const V square = norm2(x, y);

  // Comparisons are false for NaN: what is not proven to be in range is not taken. The usual ‖v₀‖ = 1 is that of
  // velocities whose square rounds to 1 in 24 bits.
  M fit = Isa::greater(Isa::all(), square, Isa::set(1.0 - 0x1p-25));
  fit = Isa::less(fit, square, Isa::set(1.0 + 0x1p-24));
  V speed = one;
  if (Isa::bits(fit) != (1U << kWidth) - 1U) {
    speed = Isa::coarse_root(square);
    fit = Isa::greater(Isa::all(), square, Isa::set(0x1p-78));
    fit = Isa::less(fit, square, Isa::set(0x1p80));
  }
  l.field[kSlope] = k;
  l.field[kRestitution] = e;
  l.field[kSpeed] = speed;
  derive(l);
  l.field[kInverse] = Isa::div(one, l.divisor);
  derive_low(l);

  fit = Isa::greater(fit, k, Isa::set(0x1p-20));
  fit = Isa::greater(fit, Isa::absolute(Isa::mul(l.a, l.c)), Isa::set(0.0));
  M common = Isa::less(fit, k, Isa::set(2.0));  // and 2⁻⁴ ≤ ε ≤ 1
  common = Isa::not_greater(common, Isa::absolute(Isa::sub(e, Isa::set(0.53125))), Isa::set(0.46875));
  if (Isa::bits(common) == (1U << kWidth) - 1U) {
    fit = common;
  } else {
    fit = Isa::less(fit, k, Isa::set(0x1p20));
    fit = Isa::not_greater(fit, Isa::absolute(Isa::sub(Isa::add(e, e), one)), one);
  }
  const V approach = l.approach;
  V kx = Isa::mul(k, x);
  M wall2 = Isa::greater(fit, Isa::add(kx, y), approach);
  M wall1 = Isa::greater(fit, Isa::sub(kx, y), approach);
  const M both = Isa::both(wall1, wall2);
  if (Isa::bits(both) != 0) {
    const V k2 = Isa::mul(k, k);
    const V one_e = Isa::add(one, e);
    const V x2 = Isa::mul(x, x);
    const V y2 = Isa::mul(y, y);
    const V k4 = Isa::mul(k2, k2);
    const V denominator = Isa::add(Isa::mul(k4, x2), y2);
    const V to_x = Isa::sub(Isa::mul(Isa::sub(one, Isa::mul(one_e, k2)), y2), Isa::mul(Isa::mul(e, k4), x2));
    const V to_y = Isa::sub(Isa::mul(Isa::mul(k2, Isa::sub(k2, one_e)), x2), Isa::mul(e, y2));
    x = Isa::select(both, Isa::div(Isa::mul(to_x, x), denominator), x);
    y = Isa::select(both, Isa::div(Isa::mul(to_y, y), denominator), y);
    kx = Isa::mul(k, x);
    wall2 = Isa::greater(fit, Isa::add(kx, y), approach);
    wall1 = Isa::greater(fit, Isa::sub(kx, y), approach);
  }
  const unsigned approaching = Isa::bits(wall1) | Isa::bits(wall2);
  const unsigned again = Isa::bits(wall1) & Isa::bits(wall2);  // by round-off
  Prepared p;
  p.taken = Isa::bits(fit) & ~again;
  p.going = approaching & p.taken;
  p.wide = Isa::mul(Isa::set(0x1p-36), speed);

  l.field[kX] = x;
  l.field[kY] = Isa::negate(wall2, y);
  l.field[kTag] = Isa::tag(first, wall2, both);
  p.first = Isa::both(common, Isa::from_bits(p.going));
  p.first = Isa::greater(p.first, Isa::sub(kx, l.field[kY]), p.wide);
  return p;
}

template <class Isa>
void BatchKernel<Isa>::start(std::size_t first) {
  Lanes unit[kGroups];
  Prepared p[kGroups];
  Moving moving[kGroups];
#pragma GCC unroll 4
  for (int g = 0; g < kGroups; ++g) {
    p[g] = prepare(first + g * kWidth, unit[g]);
    unit[g].live = p[g].first;
    moving[g] = set_off(unit[g]);
  }
  for (int step = 0; step < kFirstSteps; ++step) {
#pragma GCC unroll 4
    for (int g = 0; g < kGroups; ++g) {
      moving[g].live = Isa::greater(moving[g].live, strike<kAny>(moving[g], unit[g]).ahead, p[g].wide);
    }
  }
#pragma GCC unroll 4
  for (int g = 0; g < kGroups; ++g) {
    moving[g].live = Isa::less(moving[g].live, unit[g].divisor, Isa::set(kNarrowDivisor));
  }
  for (int step = 0; step < kNarrowSteps; ++step) {
#pragma GCC unroll 4
    for (int g = 0; g < kGroups; ++g) {
      moving[g].live = Isa::greater(moving[g].live, strike<kNarrow>(moving[g], unit[g]).ahead, p[g].wide);
    }
  }
#pragma GCC unroll 4
  for (int g = 0; g < kGroups; ++g) {
    Lanes& l = unit[g];
    settle(l, moving[g]);
    const V ahead = Isa::sub(Isa::mul(l.field[kSlope], l.field[kX]), l.field[kY]);
    const unsigned leaving = Isa::bits(Isa::not_greater(p[g].first, ahead, l.approach));
    const unsigned level = Isa::bits(Isa::not_greater(p[g].first, Isa::absolute(l.field[kY]), Isa::set(0.0))) & leaving;
    Isa::store_results(job_, first + g * kWidth, l.field[kX], l.field[kY], l.field[kTag]);
    const unsigned light = Isa::bits(l.live);
    append(list_[0], light, l);
    if (const unsigned full = p[g].going & ~leaving & ~light; full != 0) append(list_[kLevels], full, l);
    for (unsigned left = ~(p[g].taken & ~level) & ((1U << kWidth) - 1U); left != 0; left &= left - 1) {
      job_.solve_one(job_, first + g * kWidth + __builtin_ctz(left));
    }
  }
}

/// N_max less the most steps that a live lane has made.
template <class Isa>
std::int64_t BatchKernel<Isa>::fewest_steps_left(const Lanes* unit) const {
  std::int64_t most = 0;
  for (int g = 0; g < kGroups; ++g) {
    alignas(64) std::uint64_t tag[kWidth];
    Isa::store_integers(tag, unit[g].field[kTag]);
    for (int i = 0; i < kWidth; ++i) {
      const std::int64_t steps = static_cast<std::int64_t>(tag[i] & 0xffffffffU);
      if ((Isa::bits(unit[g].live) >> i & 1U) != 0 && steps > most) most = steps;
    }
  }
  return job_.max_steps - most;
}

/// Turns of light steps, as long as most lanes of the unit stay in them. A lane goes on while a > W, with W of its
/// velocity at the start of the turn, and ẋ > F. F is the speed of rest, or −∞ where ε^steps‖v‖ is above that.
template <class Isa>
void BatchKernel<Isa>::light_turns(Lanes* unit, int steps) const {
  V wide[kGroups];
  V floor[kGroups];
  Moving moving[kGroups];
  int live;
  do {
#pragma GCC unroll 4
    for (int g = 0; g < kGroups; ++g) {
      Lanes& l = unit[g];
      const V* const f = l.field;
      const V size = Isa::add(Isa::absolute(f[kX]), Isa::absolute(f[kY]));
      wide[g] = Isa::larger(l.approach, Isa::mul(Isa::set(0x1p-36), size));
      V power = f[kRestitution];
      for (int n = 1; n < kTurn[kLevels - 1]; n *= 2) power = Isa::mul(power, power);
      const M far = Isa::greater(l.live, Isa::mul(size, power), Isa::mul(Isa::set(2.0), l.rest));
      floor[g] = Isa::select(far, Isa::set(-0x1p100), l.rest);
      const V kx = Isa::mul(f[kSlope], f[kX]);
      l.live = Isa::greater(l.live, Isa::sub(kx, f[kY]), wide[g]);
      l.live = Isa::greater(l.live, f[kX], floor[g]);
      l.live = Isa::unless(l.live, Isa::at_limit(f[kTag], job_.max_steps - steps + 1));
      moving[g] = set_off(l);
    }
    for (int step = 0; step < steps; ++step) {
#pragma GCC unroll 4
      for (int g = 0; g < kGroups; ++g) {
        Moving& m = moving[g];
        const M ahead = Isa::greater(m.live, strike<kNarrow>(m, unit[g]).ahead, wide[g]);
        m.live = Isa::greater(ahead, m.x, floor[g]);
      }
    }
    live = 0;
#pragma GCC unroll 4
    for (int g = 0; g < kGroups; ++g) {
      settle(unit[g], moving[g]);
      live += Isa::count(unit[g].live);
    }
  } while (live > kUnit * 7 / 8);
}

/// Steps with all the tests of `iterate`.
template <class Isa>
void BatchKernel<Isa>::full_turn(Lanes* unit) const {
  V rest2[kGroups];
  Moving moving[kGroups];
#pragma GCC unroll 4
  for (int g = 0; g < kGroups; ++g) {
    Lanes& l = unit[g];
    rest2[g] = Isa::mul(l.rest, l.rest);
    l.live = Isa::greater(l.live, norm2(l.field[kX], l.field[kY]), rest2[g]);
    moving[g] = set_off(l);
  }
  std::int64_t steps = kTurn[kLevels - 1];
  const std::int64_t left = fewest_steps_left(unit);
  if (left < steps) steps = left;
  for (; steps > 0; --steps) {
#pragma GCC unroll 4
    for (int g = 0; g < kGroups; ++g) {
      Moving& m = moving[g];
      const V approach = unit[g].approach;
      const Wall wall = strike<kAny>(m, unit[g]);
      m.live = Isa::not_greater(Isa::greater(m.live, wall.ahead, approach), wall.left, approach);
      m.live = Isa::greater(m.live, norm2(m.x, m.y), rest2[g]);
    }
  }
#pragma GCC unroll 4
  for (int g = 0; g < kGroups; ++g) settle(unit[g], moving[g]);
}

/// Goes on with the last `units` units of a list. A list may feed itself: a unit is read before it is written over.
template <class Isa>
void BatchKernel<Isa>::continue_list(int level, int units) {
  List& from = list_[level];
  List& to = list_[level + 1 < kLevels ? level + 1 : level];
  const int size = from.size;
  from.size = size > units * kUnit ? size - units * kUnit : 0;
  for (int first = from.size; units > 0; --units, first += kUnit) {
    Lanes unit[kGroups];
    unsigned present[kGroups];
    for (int g = 0; g < kGroups; ++g) {
      for (int j = 0; j < kLaneFields; ++j) unit[g].field[j] = Isa::load(from.field[j] + first + g * kWidth);
      derive(unit[g]);
      derive_low(unit[g]);
      const int lanes = size - first - g * kWidth;
      present[g] = lanes >= kWidth ? (1U << kWidth) - 1U : lanes > 0 ? (1U << lanes) - 1U : 0U;
      unit[g].live = Isa::from_bits(present[g]);
    }
    if (level < kLevels) {
      light_turns(unit, kTurn[level]);
    } else {
      full_turn(unit);
    }
    for (int g = 0; g < kGroups; ++g) {
      const unsigned live = Isa::bits(Isa::unless(unit[g].live, Isa::at_limit(unit[g].field[kTag], job_.max_steps)));
      append(to, live, unit[g]);
      const unsigned open = store_ended(unit[g], present[g] & ~live);
      if (open != 0) append(list_[kLevels], open, unit[g]);
    }
  }
}

/// Stores the lanes that are done. Returns those that only light steps could not go on with.
template <class Isa>
unsigned BatchKernel<Isa>::store_ended(const Lanes& l, unsigned ended) {
  if (ended == 0) return 0;
  const V* const f = l.field;
  const V kx = Isa::mul(f[kSlope], f[kX]);
  const unsigned no_wall = Isa::bits(Isa::not_greater(Isa::all(), Isa::sub(kx, f[kY]), l.approach));
  const unsigned usual = Isa::bits(Isa::not_greater(Isa::all(), Isa::add(kx, f[kY]), l.approach));
  const unsigned slow =
      Isa::bits(Isa::not_greater(Isa::all(), norm2(f[kX], f[kY]), Isa::mul(l.rest, l.rest)));
  const unsigned level = Isa::bits(Isa::not_greater(Isa::all(), Isa::absolute(f[kY]), Isa::set(0.0)));
  const unsigned limit = Isa::bits(Isa::at_limit(f[kTag], job_.max_steps));
  const unsigned leaves = no_wall & usual;
  const unsigned settled = leaves | slow | limit;
  const unsigned open = ended & ~settled & usual;

  alignas(64) double x[kWidth];
  alignas(64) double y[kWidth];
  alignas(64) std::uint64_t tag[kWidth];
  Isa::store(x, f[kX]);
  Isa::store(y, Isa::unmirror(f[kY], f[kTag]));
  Isa::store_integers(tag, f[kTag]);
  for (unsigned left = ended & ~open; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    const std::size_t index = tag[i] >> 33;
    if (((settled & ~level) >> i & 1U) == 0) {
      job_.solve_one(job_, index);
      continue;
    }
    job_.out_x[index] = x[i];
    job_.out_y[index] = y[i];
    job_.steps[index] = static_cast<std::int32_t>(tag[i] & 0xffffffffU);
    job_.stop[index] = static_cast<std::uint8_t>((leaves >> i & 1U) != 0 ? 0 : (slow >> i & 1U) != 0 ? 1 : 2);
  }
  return open;
}

}  // namespace carom::corner
