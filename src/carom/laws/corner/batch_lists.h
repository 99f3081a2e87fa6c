#pragma once
/// The part of BatchKernel that works on lists of lanes; included by batch_kernel.h, which explains it.

#include "carom/laws/corner/batch_kernel.h"

namespace carom::corner {

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
        const M ahead = Isa::greater(m.live, Base::template strike<kNarrow>(m, unit[g]).ahead, wide[g]);
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
      const Wall wall = Base::template strike<kAny>(m, unit[g]);
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
      derive(unit[g], job_);
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
  const unsigned slow = Isa::bits(Isa::not_greater(Isa::all(), norm2(f[kX], f[kY]), Isa::mul(l.rest, l.rest)));
  const unsigned level = ~Isa::bits(Isa::nonzero(Isa::all(), f[kY]));
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
