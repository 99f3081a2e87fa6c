#include "carom/engine/smooth/half_discs.h"

#include <algorithm>

namespace carom::smooth {

namespace {

using Side = contact::BodyPart::Side;

bool is_half_disc(const Contact& contact) {
  return !contact.is_limit() && contact.geometry.form == ContactForm::part_plane && contact.geometry.part.half;
}

/// The feature of the other one of the two points of a half disc.
FeatureCode other_end(const PairGeometry& g) {
  Feature feature = Feature::from(g.feature);
  feature.of_b += g.part.side == Side::near ? 1 : -1;
  return feature.code();
}

}  // namespace

void tell_ends_apart(std::vector<Contact>& contacts, const Environment& environment, const Paths& paths, double now) {
  for (Contact& contact : contacts) {
    if (!is_half_disc(contact)) continue;
    PairGeometry& g = contact.geometry;
    const FeatureCode feature = other_end(g);
    const auto other = std::find_if(contacts.begin(), contacts.end(), [&](const Contact& one) {
      return !one.is_limit() && one.geometry.a == g.a && one.geometry.b == g.b && one.geometry.feature == feature;
    });
    if (other != contacts.end()) {
      if (g.arc_end == 0.0) g.arc_end = other->geometry.arc_end;
      if (g.arc_end == 0.0) g.arc_end = g.lower_end(paths.pose(g.a, now), environment.obstacle(g.b, now).place);
      continue;
    }
    if (g.part.side == Side::near && g.arc_end == 0.0) continue;
    const double late = g.late;
    g = environment.geometry(g.a, g.b, g.part.side == Side::near ? g.feature : feature);
    g.late = late;
  }
}

}  // namespace carom::smooth
