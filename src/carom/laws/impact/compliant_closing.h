#pragma once
/// How an impact of springs ends that goes on too long to be followed: by impulses.
///
/// Bodies that ring between walls never open; a heap with restitution comes to rest by ever smaller collisions without
/// end; many contacts with friction can take too long. The rest of such an impact is answered at once, from the
/// velocity u that it has come to and the energies U of its springs:
///   compression        the cone problem (or complementarity problem) of u, which takes the approach away; its work is
///                      stored
///   expansion          the same for p ≥ λ eᵢ(√(2Uᵢ) + p_c,ᵢ), with λ ≤ 1 such that it gives back no more than Σ eᵢ² of
///                      what spring and compression have stored at each contact
/// so that energy never rises, one contact alone has its γ⁺ = −eγ⁻, and bodies between walls keep the mean of their
/// ringing, which is no motion: the part of the velocity that the ringing does not touch is exact.

#include <span>

#include "carom/laws/impact/law_run.h"

namespace carom {

struct CompliantState {
  std::span<const int> members;    ///< movable contacts of the run, a cluster
  double* impulse = nullptr;       ///< p̂ so far, by member; completed (tangential ones are in the run)
  const double* stored = nullptr;  ///< U by member
};

/// Whether the impulses so far leave a contact approaching, with friction: a body that is wedged may have another wall
/// coming.
bool leaves_approach(const LawRun& run, const CompliantState& state);

/// Completes the impulses. Returns separated, or no_exit_direction where no impulses can end the approach.
Stop close_by_impulses(LawRun& run, const CompliantState& state);

}  // namespace carom
