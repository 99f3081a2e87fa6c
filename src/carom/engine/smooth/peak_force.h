#pragma once
/// The greatest normal force of contacts, step by step.
///
/// The impulse of a contact is part of its group's state, so at both ends of a step its value and its slope, the force,
/// are known. The force of the cubic through them is a parabola; where that has its top within the step the law is
/// asked for the force there, at the depth of the motion in between. With F₀, F₁ the forces at the ends and M their
/// mean, the top is at the part s = (2F₀ + F₁ − 3M)/(3(F₀ + F₁ − 2M)) of the step.

#include "carom/engine/smooth/motions.h"

namespace carom::smooth {

/// Notes the peaks within the step that the group's stepper has tried and is about to accept.
void note_peak_forces(const Motions& motions, Group& group);

}  // namespace carom::smooth
