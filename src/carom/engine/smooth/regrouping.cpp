/// Contacts that close and open, bodies that are swallowed: groups merge and part.

#include <algorithm>

#include "carom/contact/groups.h"
#include "carom/engine/smooth/face_points.h"
#include "carom/engine/smooth/half_discs.h"
#include "carom/engine/smooth/smooth_engine.h"

namespace carom {

using namespace smooth;

std::vector<GroupIndex> SmoothEngine::regroup(const std::vector<BodyIndex>& bodies,
                                              const std::vector<Contact>& contacts, double step) {
  const Model& model = motions_.model();
  contact::Groups together(bodies);
  for (const Contact& contact : contacts)
    if (model.is_body(contact.geometry.b))
      together.join(BodyIndex(contact.geometry.a.slot()), BodyIndex(contact.geometry.b.slot()));
  for (const BodyIndex body : bodies) {
    for (const SpringIndex index : environment_->body(body).springs) {
      const Spring& spring = model.springs[index];
      if (spring.body_b != kNone && motions_.paths.in_play(spring.body_a) && motions_.paths.in_play(spring.body_b))
        together.join(spring.body_a, spring.body_b);
    }
  }
  for (const BodyIndex body : bodies)
    for (const JointIndex joint : environment_->body(body).joints)
      for (const BodyIndex other : environment_->kinematics().bodies(joint))
        if (other != kNone && motions_.paths.in_play(other)) together.join(body, other);
  if (!environment_->options().clusters || !environment_->options().locate_events)
    for (const BodyIndex body : bodies) together.join(bodies[0], body);
  std::vector<GroupIndex> made(together.count());
  std::vector<int> acting(made.size(), -1);  // bodies of each besides one, and contacts: what has to be integrated
  for (const BodyIndex body : bodies) ++acting[together.number_of(body)];
  for (const Contact& contact : contacts) ++acting[together.number_of(BodyIndex(contact.geometry.a.slot()))];
  for (std::size_t k = 0; k < made.size(); ++k) made[k] = motions_.groups.make(acting[k] > 0);
  for (const BodyIndex body : bodies) motions_.groups.add(made[together.number_of(body)], body);
  for (const Contact& contact : contacts)
    motions_.groups[motions_.groups.of(contact.geometry.a)].dynamics.contacts.push_back(contact);
  for (const GroupIndex group : made) {
    if (environment_->options().locate_events)
      tell_ends_apart(motions_.groups[group].dynamics.contacts, *environment_, motions_.paths, now_);
    Arrival begun = stepping_.begin(motions_, group, now_, step);
    log_.result.energy.cut_off += begun.taken;
    if (begun.failure) fail(std::move(*begun.failure));
  }
  return made;
}

/// Going on makes a group look at the others, so all of them are there before the first goes on.
void SmoothEngine::regroup_and_go_on(const std::vector<BodyIndex>& bodies, const std::vector<Contact>& contacts,
                                     double step) {
  for (const GroupIndex group : regroup(bodies, contacts, step))
    if (!failed()) go_on(group);
}

/// Its bodies and contacts have gone elsewhere; what dampers, obstacles and torques did is booked.
void SmoothEngine::dissolve(GroupIndex index) {
  if (motions_.groups[index].integrated) book_works(motions_.groups[index]);
  motions_.groups.dissolve(index);
}

void SmoothEngine::book_works(const Group& group) {
  group.dynamics.works(group.stepper->y().data()).add_to(log_.result.energy);
}

void SmoothEngine::close_contact(ObjectIndex first, ObjectIndex second, FeatureCode feature) {
  const auto [a, b] = environment_->ordered(first, second);
  const GroupIndex group_a = motions_.groups.of(a);
  double share = 1.0;
  const bool faces = environment_->have_faces(a, b, feature);
  const bool at_first = faces && feature == Feature::parts_of(feature);
  const bool known = at_first ? motions_.groups[group_a].parts_touch(a, b, feature)
                              : motions_.groups[group_a].has_contact(a, b, feature);
  if (known) {  // found from both sides
    go_on(group_a);
    return;
  }
  std::vector<GroupIndex> merging = {group_a};
  if (motions_.is_body(b) && motions_.groups.of(b) != group_a) merging.push_back(motions_.groups.of(b));
  std::vector<Contact> contacts;
  std::vector<BodyIndex> bodies;
  double step = 0.0;
  for (const GroupIndex index : merging) {
    const Group& group = motions_.groups[index];
    bodies.insert(bodies.end(), group.dynamics.bodies.begin(), group.dynamics.bodies.end());
    contacts.insert(contacts.end(), group.dynamics.contacts.begin(), group.dynamics.contacts.end());
    if (group.integrated) step = step == 0.0 ? group.next_step : std::min(step, group.next_step);
    dissolve(index);
  }
  std::sort(bodies.begin(), bodies.end());
  if (faces) {
    const FacePoints points(motions_);
    const FacePoints::Pair pair{a, b, Feature::parts_of(feature), now_};
    if (!at_first) {
      share = points.share(pair, feature);
    } else if (const std::optional<FaceCorner> corner = points.first(pair)) {
      feature = corner->feature.code();
      share = corner->share;
    }
  }
  motions_.clearances.forget({a, b, Feature::parts_of(feature)});
  const bool touched = touch(contacts, {a, b, AtTime{}});
  contacts.push_back(contact_maker().make(a, b, feature, false, share));
  begin_contact(bodies, contacts, step, touched);
}

void SmoothEngine::begin_contact(const std::vector<BodyIndex>& bodies, const std::vector<Contact>& contacts,
                                 double step, bool touched) {
  std::vector<int> due;
  if (!touched) note_impact(contacts.back(), due);
  book_.begin_contacts();
  log_.count_impact(contacts.size(), contacts.size());
  events_.report_start(contacts.back(), motions_.paths, now_, log_);
  regroup_and_go_on(bodies, contacts, step);
  if (!failed()) run_scripts(due);
}

void SmoothEngine::close_limit(GroupIndex index, const LimitIndex& limit) {
  const Group& group = motions_.groups[index];
  const std::vector<BodyIndex> bodies = group.dynamics.bodies;
  std::vector<Contact> contacts = group.dynamics.contacts;
  const double step = group.next_step;
  contacts.push_back(contact_maker().make(limit));
  dissolve(index);
  begin_contact(bodies, contacts, step, false);
}

void SmoothEngine::open_contact(GroupIndex index, int which) {
  const Group& group = motions_.groups[index];
  const std::vector<BodyIndex> bodies = group.dynamics.bodies;
  std::vector<Contact> contacts = group.dynamics.contacts;
  const double step = group.next_step;
  const PairGeometry& geometry = contacts[which].geometry;
  motions_.clearances.forget({geometry.a, geometry.b, Feature::parts_of(geometry.feature)});
  events_.report_end(contacts[which], motions_.paths, now_, log_);
  book_.end_contact(contacts[which], log_.result.energy);
  contacts.erase(contacts.begin() + which);
  ++log_.result.contacts_opened;
  dissolve(index);
  if (!motions_.script.is_on.empty()) switch_off_opened(contacts);
  regroup_and_go_on(bodies, contacts, step);
}

void SmoothEngine::hand_over_contact(GroupIndex index, int which) {
  const Group& group = motions_.groups[index];
  std::vector<Contact> contacts = group.dynamics.contacts;
  const auto before = static_cast<int>(contacts.size());
  const PairGeometry& leaving = contacts[which].geometry;
  motions_.clearances.forget({leaving.a, leaving.b, Feature::parts_of(leaving.feature)});
  if (!FacePoints(motions_).hand_over(contacts, static_cast<std::size_t>(which), now_)) {
    // Nothing is there any more that it could press on: what it has stored is lost.
    const GroupDynamics::Stored stored = group.dynamics.stored(contacts[which], now_, group.stepper->y().data());
    motions_.groups[index].dynamics.contacts[which].damping_work += stored.normal;
    open_contact(index, which);
    return;
  }
  book_.change_points(static_cast<int>(contacts.size()) - before);
  const std::vector<BodyIndex> bodies = group.dynamics.bodies;
  const double step = group.next_step;
  dissolve(index);
  regroup_and_go_on(bodies, contacts, step);
}

/// The nearest points of a contact go over to the place with this normal. As much as was stored is stored there, by a
/// stiffness that grows at most twofold; the rest is lost.
void SmoothEngine::move_contact(GroupIndex index, int which, const Eigen::Vector3d& normal) {
  constexpr double kMostGrowth = 2.0;
  const Group& group = motions_.groups[index];
  const double* const y = group.stepper->y().data();
  std::vector<Contact> contacts = group.dynamics.contacts;
  Contact& contact = contacts[which];
  const double stored = group.dynamics.stored(contact, now_, y).normal;
  contact.geometry.known.normal = normal;
  const double would_be = group.dynamics.stored(contact, now_, y).normal;
  const double change = would_be > 0.0 ? std::min(stored / would_be, kMostGrowth) : 1.0;
  contact.damping_work += stored - change * would_be;
  contact.scale(change, 1.0);
  const std::vector<BodyIndex> bodies = group.dynamics.bodies;
  const double step = group.next_step;
  dissolve(index);
  regroup_and_go_on(bodies, contacts, step);
}

void SmoothEngine::change_dry_joints(GroupIndex index) {
  const Group& group = motions_.groups[index];
  const std::vector<BodyIndex> bodies = group.dynamics.bodies;
  const std::vector<Contact> contacts = group.dynamics.contacts;
  const double step = group.next_step;
  dissolve(index);
  regroup_and_go_on(bodies, contacts, step);
}

void SmoothEngine::swallow(BodyIndex body, PocketIndex pocket) {
  const GroupIndex index = motions_.groups.of(body);
  const Group& group = motions_.groups[index];
  const double step = group.next_step;
  std::vector<BodyIndex> bodies;
  for (const BodyIndex other : group.dynamics.bodies)
    if (other != body) bodies.push_back(other);
  std::vector<Contact> contacts;
  double lost = kinetic_energy(environment_->body(body), motions_.paths.state(body));
  for (Contact contact : group.dynamics.contacts) {
    if (contact.geometry.a != body && contact.geometry.b != body) {
      contacts.push_back(contact);
      continue;
    }
    const GroupDynamics::Stored stored = group.dynamics.stored(contact, now_, group.stepper->y().data());
    contact.friction_work -= stored.tangential;
    lost += stored.normal + stored.tangential;
    book_.end_contact(contact, log_.result.energy);
  }
  dissolve(index);
  events_.report_swallowed(body, pocket, motions_.paths, now_, log_);
  motions_.paths.leave_play(body);
  motions_.groups.leave(body);
  log_.result.energy.swallowed += lost;
  book_.note_swallowed(body, pocket);
  if (!bodies.empty()) regroup_and_go_on(bodies, contacts, step);
}

}  // namespace carom
