#pragma once
/// What friction did in an impact, and how many outcomes the law allows: the classes of an atlas with friction.

#include <cstdint>

#include "carom/laws/impact/impact_solver.h"

namespace carom::atlas {

/// In the order of what is told of an impact whose contacts differ: the last one that occurs.
enum class SlipClass : std::uint8_t {
  slides,    ///< the slip keeps its direction
  sticks,    ///< no slip at the end
  reverses,  ///< the slip ends against its first direction
  jams,      ///< friction drives the contact in at first: μ b·ŝ > a
};

/// The class of an impact under a law with friction.
SlipClass slip_class(const ImpactProblem& problem, const ImpactOutcome& outcome);

enum class SolutionCount : std::uint8_t { none, one, two, three, more, continuum };

/// How many outcomes the law allows. All of them are found for up to four contacts in the plane; otherwise several
/// starts are tried, and what they find is the least number. Changes the list of outcomes in `outcome`.
SolutionCount count_solutions(ImpactSolver& solver, const ImpactProblem& problem, const ImpactLaw& law,
                              ImpactOutcome& outcome);

}  // namespace carom::atlas
