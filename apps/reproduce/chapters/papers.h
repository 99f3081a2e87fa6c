#pragma once
/// The chapters of the report: one function per source paper, each in the file of its name.

#include "reproduce/chapters/chapter.h"

namespace carom::reproduce {

/// Disk in a corner: iterated impacts on two walls.
Chapter disk_in_a_corner(const Announce& announce);
/// Collisions in nonholonomic systems.
Chapter nonholonomic_collisions(const Announce& announce);
/// Weak solutions of nonholonomic systems with impacts.
Chapter weak_solutions(const Announce& announce);
/// An ellipsoid and planes: inertances and superposition.
Chapter ellipsoid_and_planes(const Announce& announce);
/// Synchronous contact by smooth methods.
Chapter smooth_contact(const Announce& announce);

}  // namespace carom::reproduce
