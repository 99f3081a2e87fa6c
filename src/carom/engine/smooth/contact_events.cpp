#include "carom/engine/smooth/contact_events.h"

#include "carom/engine/smooth/contact_maker.h"
#include "carom/engine/smooth/limit_contacts.h"

namespace carom::smooth {

/// The contact as it stands now, its gap rate as the one after.
ContactRecord& ContactEvents::begin(EventKind kind, const Contact& contact, const Paths& paths, double now) {
  const PairGeometry& geometry = contact.geometry;
  const Meeting met = contact.is_limit() ? LimitContacts(*environment_, *laws_, paths).standing(contact.limit, now)
                                         : meeting_at(*environment_, paths, geometry, now);
  const bool ground = geometry.b == environment_->model().object_count();
  ContactRecord& record = draft_.begin(kind, now).add_contact(geometry.a, ground ? ObjectIndex(kNone) : geometry.b);
  record.point = met.touch.point;
  record.normal = met.touch.normal;
  record.rate_after = met.rate / contact.arm;
  record.limit = contact.limit;
  record.restitution = laws_->restitution(contact);
  return record;
}

void ContactEvents::finish(const Contact& contact, const Paths& paths, RunLog& log) {
  EventRecord& event = draft_.record;
  const ContactRecord& record = draft_.contacts().front();
  event.law = laws_->laws(contact.law_pair).normal->name;
  event.min_gap_rate_after = record.rate_after;
  event.min_impulse = record.impulse;
  event.energy.before = contact.energy_before;
  event.energy.after = pair_energy(*environment_, paths, contact.geometry);
  event.energy.change = event.energy.after - event.energy.before;
  // The kinetic energy changes by what flows through other contacts too; this one took:
  event.energy.contact_work = event.energy.change_from_impulses = -contact.damping_work - contact.friction_work;
  draft_.report(log);
}

void ContactEvents::report_start(const Contact& contact, const Paths& paths, double now, RunLog& log) {
  if (!log.observed()) return;
  ContactRecord& record = begin(EventKind::contact_start, contact, paths, now);
  record.rate_before = record.rate_after;
  finish(contact, paths, log);
}

void ContactEvents::report_end(const Contact& contact, const Paths& paths, double now, RunLog& log) {
  if (!log.observed()) return;
  ContactRecord& record = begin(EventKind::contact_end, contact, paths, now);
  record.impulse = contact.impulse * contact.arm;
  record.tangential_impulse = contact.tangential_impulse;
  record.rate_before = contact.first_rate / contact.arm;
  record.course = ContactCourse{contact.began, contact.peak_force * contact.arm, contact.peak_time};
  finish(contact, paths, log);
}

void ContactEvents::report_swallowed(BodyIndex body, PocketIndex pocket, const Paths& paths, double now, RunLog& log) {
  if (!log.observed()) return;
  draft_.begin(EventKind::swallowed, now).add_jump(body, paths.state(body));
  EventRecord& event = draft_.record;
  event.pocket = pocket;
  event.energy.before = kinetic_energy(environment_->body(body), paths.state(body));
  event.energy.change = event.energy.change_from_impulses = -event.energy.before;
  draft_.report(log);
}

void ContactEvents::report_scripted(EventDraft::Scripted event, const Paths& paths, RunLog& log) {
  if (!log.observed()) return;
  event.after = [&paths](BodyIndex body) { return paths.state(body); };
  event.kinetic_energy = [this](BodyIndex body, const BodyState& state) {
    return kinetic_energy(environment_->body(body), state);
  };
  draft_.report_scripted(event, log);
}

}  // namespace carom::smooth
