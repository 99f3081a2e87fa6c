#include "carom/engine/smooth/contact_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/engine/smooth/limit_contacts.h"
#include "carom/geometry/mass_properties.h"

namespace carom::smooth {

namespace {

/// Approach at the start, relative to the speeds at hand, below which there is none.
constexpr double kNoApproach = 1e-9;
/// Overlap, relative to the smaller body, from which a contact that begins has been noticed late.
constexpr double kLate = 1e-9;

}  // namespace

double kinetic_energy(const BodyInfo& body, const BodyState& state) {
  const Vector3d spin = (state.orientation * body.principal_axes).conjugate() * state.angular_velocity;
  return 0.5 * body.mass * state.velocity.squaredNorm() + 0.5 * spin.dot(body.inertia.cwiseProduct(spin));
}

double pair_energy(const Environment& environment, const Paths& paths, const PairGeometry& g) {
  const bool two = environment.model().is_body(g.b);
  return kinetic_energy(environment.body(g.a), paths.state(g.a)) +
         (two ? kinetic_energy(environment.body(g.b), paths.state(g.b)) : 0.0);
}

Meeting meeting_at(const Environment& environment, const Paths& paths, const PairGeometry& g, double now) {
  const Model& model = environment.model();
  const BodyState& a = paths.state(g.a);
  if (model.is_body(g.b)) {
    const BodyState& b = paths.state(g.b);
    const Touch touch = dented_touch(model, g, a.pose(), b.pose());
    return {touch, touch.normal.dot(a.velocity + a.angular_velocity.cross(touch.point - a.position) - b.velocity -
                                    b.angular_velocity.cross(touch.point - b.position))};
  }
  const ObstacleState b = environment.obstacle(g.b, now);
  const Touch touch = dented_touch(model, g, a.pose(), b.place);
  return {touch, touch.normal.dot(a.velocity + a.angular_velocity.cross(touch.point - a.position) -
                                  b.velocity_of(touch.point))};
}

Contact ContactMaker::make(ObjectIndex a, ObjectIndex b, FeatureCode feature, bool at_start, double share) const {
  const Model& model = scene_.environment.model();
  Contact contact;
  contact.share = share;
  contact.geometry = scene_.environment.geometry(a, b, feature);
  contact.began = now_;
  Meeting met = meeting(contact.geometry);
  if (!at_start && scene_.environment.options().locate_events && !contact.geometry.is_round() &&
      met.touch.depth > kLate * scene_.environment.smaller_size(a, b)) {
    contact.geometry.late = met.touch.depth;
    met.touch.depth = 0.0;
  }
  const PairLaws& laws = scene_.laws.of(a, b);
  const double speeds =
      scene_.paths.state(a).velocity.norm() + (model.is_body(b) ? scene_.paths.state(b).velocity.norm() : 0.0);
  double approach = -met.rate;
  if (approach <= kNoApproach * speeds) {
    if (at_start)
      check_touching_start(*laws.normal, fmt::format("'{}' and '{}'", model.name(a), model.name(b)),
                           laws.path + ".normal");
    approach = std::max(approach, 0.0);
  }
  if (laws.quasi_static) {
    land(a, met);
  } else if (laws.normal->needs_approach_speed) {
    approach = std::max(approach, kLeastApproach);
    scene_.book.note_approach(approach);
  }
  scene_.laws.prepare(contact, {met.touch, scene_.paths.pose(a, now_), scene_.paths.pose(b, now_), approach});
  if (laws.normal->low_speed_only) check_speed(contact, laws);
  if (contact.geometry.follows_normal())
    contact.geometry.follow(met.touch.normal, scene_.environment.smaller_size(a, b));
  contact.first_rate = met.rate;
  contact.pressed = met.touch.depth > kRoundoffGap * scene_.environment.body(a).size || contact.held;
  contact.energy_before = pair_energy(scene_.environment, scene_.paths, contact.geometry);
  return contact;
}

Contact ContactMaker::make(const LimitIndex& limit) const {
  Contact contact = LimitContacts(scene_.environment, scene_.laws, scene_.paths).make(limit, now_);
  contact.energy_before = pair_energy(scene_.environment, scene_.paths, contact.geometry);
  return contact;
}

/// A ball that a plane holds quasi-statically has no speed along the normal; what it had is lost.
void ContactMaker::land(ObjectIndex body, const Meeting& meeting) const {
  scene_.paths.add_velocity(body, -(meeting.rate * meeting.touch.normal));
  scene_.energy.contacts += 0.5 * scene_.environment.body(body).mass * meeting.rate * meeting.rate;
}

void ContactMaker::check_speed(const Contact& contact, const PairLaws& laws) const {
  if (!laws.top_speed) return;
  const Body& body = scene_.environment.model().body(contact.geometry.a);
  double volume = 0.0;
  for (const Part& part : body.parts) {
    if (!is_solid(shape_kind(part.shape))) return;
    volume += mass_properties(part.shape).volume;
  }
  const double density = body.mass / volume;
  const double limit = *laws.top_speed / std::sqrt(density);
  if (contact.approach <= limit) return;
  scene_.book.warn(fmt::format(
      "the law '{}' is meant for impact speeds below {:.2g} m/s (10⁻⁵√(E/ρ)) between {}; they meet at {:.2g} "
      "m/s and more, where real bodies yield",
      laws.normal->name, limit, laws.who, contact.approach));
}

}  // namespace carom::smooth
