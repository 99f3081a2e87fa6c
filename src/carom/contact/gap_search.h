#pragma once
/// The first instant at which one gap closes during a step of known motion.
///
/// With a bound B on |g̈| by conservative advancement: from (g, ġ) nothing can close before the first positive root of
/// g + ġτ − ½Bτ², so go there and look again; near a crossing this converges like Newton's method, from the safe side.
/// Without a bound by adaptive sampling: the cubic through (g, ġ) at both ends of an interval, its minimum, and how far
/// off it is at the middle decide whether the interval can hold a zero; if so it is halved, the left half first. This
/// finds double crossings within a step as far as the gap is as smooth as its samples say.

#include <functional>
#include <optional>

namespace carom::contact {

struct GapSample {
  double gap = 0.0;   ///< g
  double rate = 0.0;  ///< ġ
};

/// g and ġ at a time after the start of the step.
using GapFunction = std::function<GapSample(double)>;

struct GapSearch {
  double end = 0.0;             ///< of the step, from its start [s]
  double noise = 0.0;           ///< gaps are known up to this
  double closed = 0.0;          ///< at most this at the start: the contact is leaving, not arriving
  std::optional<double> bound;  ///< on |g̈| during the step
  int pieces = 4;               ///< that are sampled, at least, where there is no bound
};

struct GapCrossing {
  std::optional<double> time;  ///< the first closing, located to round-off; none: stays open to the end
  bool proven = false;         ///< it followed from the bound that nothing closed before
};

GapCrossing first_closing(const GapFunction& gap, const GapSearch& search);

/// The zero of g between `open` (g > 0) and `shut` (g ≤ 0), to round-off of the time: Newton's method kept in the
/// bracket.
double closing_between(const GapFunction& gap, double open, double shut, double level);

}  // namespace carom::contact
