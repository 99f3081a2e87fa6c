#pragma once
/// What touches at the start of a run.

#include <vector>

#include "carom/engine/smooth/contact_maker.h"
#include "carom/engine/smooth/encounters.h"
#include "carom/engine/smooth/face_points.h"

namespace carom::smooth {

/// Gap rate of a body at rest, relative to that of a fall over its size.
inline constexpr double kResting = 1e-9;
/// Depth, relative to the body, beyond which it is not let down: such a contact is too soft for its weight.
inline constexpr double kDeepest = 0.01;

/// Bodies at rest sink in until their weight is borne: each on the one obstacle that it rests on, or all together.
/// Returns the contacts whose tangential springs bear something then.
std::vector<Contact> settle_resting_bodies(const ContactMaker& maker, const Motions& motions, Encounters& encounters);

/// Bodies that have been let down together.
struct SettledHeaps {
  std::vector<BodyIndex> bodies;   ///< ascending
  std::vector<Contact> stretched;  ///< contacts whose tangential springs bear something
};
/// Lets down bodies that rest on each other, or one on several obstacles, where they have a static balance
/// (settle_heaps.cpp).
SettledHeaps settle_heaps(const ContactMaker& maker, const Motions& motions, Encounters& encounters);

/// Bodies that joints hold sink in together where they rest on obstacles, until all their weight is borne
/// (settle_joined.cpp).
void settle_joined_bodies(const ContactMaker& maker, const Motions& motions);

/// Gap, relative to the smaller body, at which two objects touch.
inline constexpr double kTouching = 1e-9;
/// Where the two can touch as they stand.
std::vector<FaceCorner> points_of(const Motions& motions, ObjectIndex a, ObjectIndex b, double now);

/// The contacts that are closed; where contacts are not located, all pairs that can ever touch.
std::vector<Contact> first_contacts(const ContactMaker& maker, const Motions& motions, Encounters& encounters);

/// Gives contacts the stretches of those at the same places.
void take_stretches(std::vector<Contact>& contacts, const std::vector<Contact>& stretched);

}  // namespace carom::smooth
