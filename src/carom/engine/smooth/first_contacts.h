#pragma once
/// What touches at the start of a run.

#include <vector>

#include "carom/engine/smooth/contact_maker.h"
#include "carom/engine/smooth/encounters.h"
#include "carom/engine/smooth/face_points.h"

namespace carom::smooth {

/// A body that rests on one obstacle sinks in until its weight is borne.
void settle_resting_bodies(const ContactMaker& maker, const Motions& motions);

/// Bodies that joints hold sink in together where they rest on obstacles, until all their weight is borne
/// (settle_joined.cpp).
void settle_joined_bodies(const ContactMaker& maker, const Motions& motions);

/// Gap, relative to the smaller body, at which two objects touch.
inline constexpr double kTouching = 1e-9;
/// Where the two can touch as they stand.
std::vector<FaceCorner> points_of(const Motions& motions, ObjectIndex a, ObjectIndex b, double now);

/// The contacts that are closed; where contacts are not located, all pairs that can ever touch.
std::vector<Contact> first_contacts(const ContactMaker& maker, const Motions& motions, Encounters& encounters);

}  // namespace carom::smooth
