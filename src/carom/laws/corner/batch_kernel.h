#pragma once
/// The batched corner algorithm: how problems of different length share vectors. batch_lanes.h has the arithmetic and
/// the reason why the results have the bits of `iterate`.
///
/// Problems are read in order, a *unit* of some vectors at a time. `start` makes the impact on both walls, which can
/// only be the first, and some single impacts; most problems have then left the corner, and all are stored in place.
/// The lanes that go on are packed into a list. When a list has lanes for a full unit, `continue_list` makes more
/// impacts, stores what is done and packs the rest into the next list; the last list feeds itself. So vectors stay full
/// although problems differ much in length, and the lanes never branch.
///
/// `start` and the first kLevels lists make *light* steps. These ask only whether a = kẋ − ẏ > W, where W = 2⁻³⁶ times
/// (at least) the norm of v, far above S. For 2⁻⁴ ≤ ε and k < 2 the wall just struck is then parted from: its speed is
/// −εa with a round-off below 2⁻⁴⁶‖v‖. Rest cannot be reached within eight impacts, ε⁸ ≥ 2⁻³² > S_v; longer turns look
/// at ẋ in addition. A lane that light steps cannot decide upon (S < a ≤ W, say) waits where it is and goes to the last
/// list, whose steps make all the tests of `iterate`. If these show what cannot happen in exact arithmetic (the wall
/// just left is still approached, by round-off), solve_one takes the problem over. It also takes bad input, extreme
/// sizes, slopes outside [2⁻²⁰, 2²⁰] and ε = k².
///
/// This file is compiled with instructions that not every processor has: see batch_lanes.h. The member functions that
/// work on lists are in batch_lists.h.

#include "carom/laws/corner/batch_job.h"
#include "carom/laws/corner/batch_lanes.h"

namespace carom::corner {

/// Steps in `start`: in any corner, then in narrow ones only.
constexpr int kFirstSteps = 3;
constexpr int kNarrowSteps = 4;

template <class Isa>
class BatchKernel : private BatchLanes<Isa> {
 public:
  explicit BatchKernel(const BatchJob& job) : job_(job) {}

  void run() {
    std::size_t next = 0;
    while (next < unaligned()) job_.solve_one(job_, next++);
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
  using Base = BatchLanes<Isa>;
  using Base::derive;
  using Base::derive_low;
  using Base::kAny;
  using Base::kNarrow;
  using Base::norm2;
  using Base::set_off;
  using Base::settle;
  using typename Base::Lanes;
  using typename Base::M;
  using typename Base::Moving;
  using typename Base::V;
  using typename Base::Wall;
  static constexpr int kWidth = Isa::kWidth;
  static constexpr int kGroups = Isa::kGroups;
  static constexpr int kUnit = kWidth * kGroups;
  static constexpr int kLevels = 2;               ///< lists of lanes that make light steps; one more has the rest
  static constexpr int kTurn[kLevels] = {8, 32};  ///< steps between two looks at a unit

  struct List {
    int size = 0;
    /// Less than a unit waits in each list when the next unit comes in.
    alignas(64) double field[kLaneFields][(kLevels + 2) * kUnit + kWidth] = {};
  };

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
  /// Problems to solve singly before vectors of ẋ, and mostly all others, begin on a cache line; 0 in small jobs.
  [[nodiscard]] std::size_t unaligned() const {
    const auto past = reinterpret_cast<std::uintptr_t>(job_.x) % 64;
    return job_.size < 1024 ? 0 : (64 - past) % 64 / sizeof(double);
  }

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

  // Comparisons are false for NaN: what is not proven to be in range is not taken. Where ẋ² + ẏ² is within 2⁻²⁵ of 1,
  // its root rounds to 1 in 24 bits.
  const V near_one = Isa::absolute(Isa::sub(square, one));
  M fit = Isa::less(Isa::all(), near_one, Isa::set(0x1p-25));
  V speed = one;
  if (Isa::bits(fit) != (1U << kWidth) - 1U) {
    speed = Isa::coarse_root(square);
    fit = Isa::greater(Isa::all(), square, Isa::set(0x1p-78));
    fit = Isa::less(fit, square, Isa::set(0x1p80));
  }
  l.field[kSlope] = k;
  l.field[kRestitution] = e;
  l.field[kSpeed] = speed;
  derive(l, job_);
  l.field[kInverse] = Isa::div(one, l.divisor);
  derive_low(l);

  fit = Isa::nonzero(fit, l.c);
  // The common range 2⁻⁹ ≤ k ≤ 2 − 2⁻⁹, 2⁻⁴ ≤ ε ≤ 1.
  M common = Isa::not_greater(fit, Isa::absolute(Isa::sub(k, one)), Isa::set(1.0 - 0x1p-9));
  common = Isa::not_greater(common, Isa::absolute(Isa::sub(e, Isa::set(0.53125))), Isa::set(0.46875));
  if (Isa::bits(common) == (1U << kWidth) - 1U) {
    fit = common;
  } else {
    fit = Isa::greater(fit, k, Isa::set(0x1p-20));
    fit = Isa::less(fit, k, Isa::set(0x1p20));
    fit = Isa::not_greater(fit, Isa::set(0.0), e);
    fit = Isa::not_greater(fit, e, one);
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
      moving[g].live = Isa::greater(moving[g].live, Base::template strike<kAny>(moving[g], unit[g]).ahead, p[g].wide);
    }
  }
#pragma GCC unroll 4
  for (int g = 0; g < kGroups; ++g) {
    moving[g].live = Isa::less(moving[g].live, unit[g].divisor, Isa::set(kNarrowDivisor));
  }
  for (int step = 0; step < kNarrowSteps; ++step) {
#pragma GCC unroll 4
    for (int g = 0; g < kGroups; ++g) {
      moving[g].live =
          Isa::greater(moving[g].live, Base::template strike<kNarrow>(moving[g], unit[g]).ahead, p[g].wide);
    }
  }
#pragma GCC unroll 4
  for (int g = 0; g < kGroups; ++g) {
    Lanes& l = unit[g];
    settle(l, moving[g]);
    const V ahead = Isa::sub(Isa::mul(l.field[kSlope], l.field[kX]), l.field[kY]);
    const unsigned leaving = Isa::bits(Isa::not_greater(p[g].first, ahead, l.approach));
    const unsigned level = leaving & ~Isa::bits(Isa::nonzero(p[g].first, l.field[kY]));
    Isa::store_results(job_, first + g * kWidth, l.field[kX], l.field[kY], l.field[kTag]);
    const unsigned light = Isa::bits(l.live);
    append(list_[0], light, l);
    if (const unsigned full = p[g].going & ~leaving & ~light; full != 0) append(list_[kLevels], full, l);
    for (unsigned left = ~(p[g].taken & ~level) & ((1U << kWidth) - 1U); left != 0; left &= left - 1) {
      job_.solve_one(job_, first + g * kWidth + __builtin_ctz(left));
    }
  }
}

}  // namespace carom::corner

#include "carom/laws/corner/batch_lists.h"
