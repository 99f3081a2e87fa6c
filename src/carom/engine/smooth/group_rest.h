#pragma once
/// Groups that have come to rest: they stand still, at no cost, until something touches them.
///
/// A group rests when no body of it has been faster than 100 rtol of the speeds at its contacts (group_scale.h: at rest
/// that of the energy which they store) over a window of time: a twentieth of the time of a fall through a body's size,
/// and thirty times the quickest contact's. What stands still in an equilibrium that is not stable must not be stopped,
/// for it would fall later: so every body has to stand on three points that are not on a line, or be a ball on planes.
/// docs/theory/compliant-contact.md

#include "carom/engine/smooth/group.h"

namespace carom::smooth {

/// Looks at a group where a step of it has ended at `time`, and keeps since when it has been slow.
/// True: it has been so for its whole window, and stands firmly.
bool has_come_to_rest(Group& group, double time);

/// Kinetic energy of the group's bodies [J].
double kinetic_energy(const Group& group, const Paths& paths);

}  // namespace carom::smooth
