#pragma once
/// What touches at the start of a run.

#include <vector>

#include "carom/engine/smooth/contact_maker.h"
#include "carom/engine/smooth/encounters.h"

namespace carom::smooth {

/// A body that rests on one obstacle sinks in until its weight is borne.
void settle_resting_bodies(const ContactMaker& maker, const Motions& motions);

/// The contacts that are closed; where contacts are not located, all pairs that can ever touch.
std::vector<Contact> first_contacts(const ContactMaker& maker, const Motions& motions, Encounters& encounters);

}  // namespace carom::smooth
