#pragma once
/// Vectors of corner problems on their way, and one impact of each: the arithmetic of the batched corner algorithm, for
/// any vector instruction set `Isa` with fused multiply-add. Why the bits are those of `iterate`:
///
/// Mirror symmetry. Impacts alternate between the walls. ẏ is kept mirrored so that the wall ahead is always wall 1,
/// and changes sign with every step: negation is exact and commutes with rounding. Only the sign of a zero could
/// differ; a problem that ends with ẏ = 0 after single impacts is solved again by `BatchJob::solve_one`.
///
/// Division by the invariant d = 1 + k². Let z = RN(1/d), w = RN(1/d − z) and q = RN(nz + RN(nw)); RN is rounding to
/// nearest.
/// - Any corner: q is within one unit in the last place of n/d, and RN(q + RN(n − qd)·z) is then n/d correctly rounded
///   (Markstein 1990). ẏ is divided in this way, while the divider of the processor works on ẋ.
/// - Narrow corner, d ≤ 1.236: q itself is n/d correctly rounded. Take n and d in [1, 2), p = 53 bits. The errors
///   before the last rounding are at most 2⁻¹⁰⁷ (of nw) and n·2⁻¹⁰⁸ (of w). Where n < d, n/d is at least 2⁻¹⁰⁶/d away
///   from the middle between two doubles, because 2⁵⁴n − (2M+1)d, in units of the last place, is a whole number other
///   than zero; n·2⁻¹⁰⁸ + 2⁻¹⁰⁷ < 2⁻¹⁰⁶/d holds for d² + 2d ≤ 4, that is d ≤ √5 − 1. Where n ≥ d the distance is
///   2⁻¹⁰⁵/d > 2⁻¹⁰⁶, and the errors are below that.
/// Nothing underflows: the larger of |ẋ|, |ẏ| of a moving lane is above 2⁻¹⁰², the coefficients of the numerators in
/// question are above 2⁻⁹⁵ (ε = k² is left to solve_one), so a numerator, a rounded sum in which one term is above
/// 2⁻²⁰⁰, is above 2⁻²⁶⁰, or it is +0.
///
/// This file is compiled with instructions that not every processor has: no inline function or template of the
/// standard library may be used, and `Isa` must have internal linkage, so that no instance is shared between files.

#include "carom/laws/corner/batch_job.h"

namespace carom::corner {

/// What a list keeps of a lane: ẋ, mirrored ẏ, k, ε, ‖v₀‖ as the thresholds see it, RN(1/d) and a tag,
/// index · 2³³ + mirror · 2³² + steps as an integer in the bits of a double. ẏ has the sign of the lane if mirror +
/// steps is even.
enum LaneField { kX, kY, kSlope, kRestitution, kSpeed, kInverse, kTag, kLaneFields };

/// Narrow corners have d below this.
constexpr double kNarrowDivisor = 1.236;

template <class Isa>
struct BatchLanes {
  using V = typename Isa::Vector;
  using M = typename Isa::Mask;

  struct Lanes {
    V field[kLaneFields];
    V a, b, c;         ///< coefficients 1 − εk², (1+ε)k, ε − k²
    V divisor, low;    ///< d and w
    V approach, rest;  ///< S‖v₀‖, S_v‖v₀‖
    M live;
  };

  /// All but `low` and `live`, from the fields.
  static void derive(Lanes& l, const BatchJob& job) {
    const V one = Isa::set(1.0);
    const V k = l.field[kSlope];
    const V e = l.field[kRestitution];
    const V k2 = Isa::mul(k, k);
    l.a = Isa::sub(one, Isa::mul(e, k2));
    l.b = Isa::mul(Isa::add(one, e), k);
    l.c = Isa::sub(e, k2);
    l.divisor = Isa::add(one, k2);
    l.approach = Isa::mul(Isa::set(job.approach), l.field[kSpeed]);
    l.rest = Isa::mul(Isa::set(job.rest), l.field[kSpeed]);
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
};

}  // namespace carom::corner
