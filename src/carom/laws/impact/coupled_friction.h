#pragma once
/// The cone problems of the coupled laws, solved and made unique; and which of several solutions a law takes.

#include "carom/laws/impact/iteration.h"

namespace carom {

/// Which solution a law takes at each of its cone problems, and how many there were. Used to find all outcomes
/// (all_outcomes.h): a law that is run with every combination of choices shows every outcome it allows.
struct OutcomeChoices {
  bool several_starts = false;  ///< also search where the solutions cannot be enumerated
  std::vector<int> chosen;      ///< of the cone problems in the order in which they are met; 0 beyond the end
  std::vector<int> found;       ///< how many solutions each had; written
};

/// A cone problem of some movable contacts of a run.
struct ConeQuestion {
  std::span<const int> contacts;     ///< movable contacts, in order
  const double* offset;              ///< b of their rows, contact by contact
  const double* least = nullptr;     ///< p₀ of each; null: zero
  const double* friction = nullptr;  ///< μ of each; null: its own
};

/// Solves it for q (as many entries as the contacts have rows). Where q is not unique, takes the one of least Σ|q̂|²/K
/// and sets the flag; where the velocity is not, sets outcome-not-unique; books the residual, writes the modes. An
/// unsolvable problem sets run.stop = infeasible and returns false.
bool solve_cones(LawRun& run, const ConeQuestion& question, double* q);

/// The modes at the end, from the impulses of all rows that a law has written otherwise than by solve_cones(), as phases.
void note_modes_of_impulses(LawRun& run);

/// Adds a phase to the history of a movable contact, unless it is in that mode already.
void note_phase(LawRun& run, int r, FrictionMode mode);

/// The mode at the end of every contact that resists slip, as one phase: what a law knows that sees no path.
void note_modes_as_phases(LawRun& run);

/// As remove_spurious_energy() of iteration.h, for normals and tangents.
void remove_spurious_friction_energy(LawRun& run);

/// For a law whose forces dissipate: impulses that did work have grown without end, because a contact that does not
/// slip is pressed by walls that move against each other. Sets run.stop = no_exit_direction and leaves no impulse.
void refuse_endless_impulses(LawRun& run);

}  // namespace carom
