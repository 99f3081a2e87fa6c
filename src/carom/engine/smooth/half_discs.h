#pragma once
/// The two ends of half a disc that lies on a plane with its flat side, as half a cylinder does.
///
/// Half a disc meets a plane at its lowest point, and at the other end of its arc where it lies flat. Which of the two
/// ends is the lower one changes with every bit that the body rocks; a point that changed from one to the other with it
/// would take the spring of the one to the place of the other. While both bear, each of them stays where it is.

#include <vector>

#include "carom/engine/smooth/contact.h"
#include "carom/engine/smooth/environment.h"
#include "carom/engine/smooth/paths.h"

namespace carom::smooth {

/// Tells the contacts of half discs on planes which end of the arc is theirs, where both of its ends have a contact
/// from now on; one that is left alone is the lowest point.
void tell_ends_apart(std::vector<Contact>& contacts, const Environment& environment, const Paths& paths, double now);

}  // namespace carom::smooth
