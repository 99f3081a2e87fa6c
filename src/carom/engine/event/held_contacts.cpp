#include "carom/engine/event/held_contacts.h"

#include <algorithm>

namespace carom::event {

namespace {
/// Points of a body that are closer than this, relative to its size, are one.
constexpr double kSamePoint = 1e-6;
}  // namespace

bool HeldContacts::holds(const World& world, BodyIndex a, ObjectIndex b) const {
  for (const HeldIndex index : held_by_[a]) {
    const ContactPoint& contact = held_[index].contact;
    if (contact.a == a && contact.b == b) return true;
    if (contact.a == b && contact.b == a) return true;
  }
  for (const ConstraintIndex constraint : world.object(a).constraints) {
    const auto* rolling = std::get_if<RollingConstraint>(&world.model().constraints[constraint]);
    if (rolling != nullptr && world.body_count() + rolling->plane == b) return true;
  }
  return false;
}

bool HeldContacts::holds_vertex(const World& world, BodyIndex a, ObjectIndex b, const Vector3d& vertex) const {
  for (const HeldIndex index : held_by_[a]) {
    const ContactPoint& contact = held_[index].contact;
    if (contact.a != a || contact.b != b) continue;
    const auto* on_face = std::get_if<contact::PointOnFace>(&contact.feature);
    if (on_face != nullptr && (on_face->point - vertex).norm() < kSamePoint * world.object(a).size) return true;
  }
  return false;
}

HeldContacts::CylinderEnd HeldContacts::end_of(BodyIndex a, ObjectIndex b, double end) const {
  for (const HeldIndex index : held_by_[a]) {
    const ContactPoint& contact = held_[index].contact;
    if (contact.a != a || contact.b != b) continue;
    const auto* rim = std::get_if<contact::RimOnPlane>(&contact.feature);
    if (rim != nullptr && rim->end == end) return CylinderEnd::on_rim;
    const auto* on_face = std::get_if<contact::PointOnFace>(&contact.feature);
    if (on_face != nullptr && on_face->point.z() * end > 0.0) return CylinderEnd::on_face;
  }
  return CylinderEnd::free;
}

bool HeldContacts::report_pending() const {
  return std::any_of(held_.begin(), held_.end(), [](const Held& held) { return held.alive && !held.reported; });
}

void HeldContacts::loosen(const Bodies& bodies) {
  loose_.clear();
  for (const BodyIndex body : bodies) {
    for (const HeldIndex index : held_by_[body])
      if (std::find(loose_.begin(), loose_.end(), index) == loose_.end()) loose_.push_back(index);
    held_by_[body].clear();
  }
}

/// The loose contact that goes on as this one: the same place, or else another point of the same two faces, which
/// wander where faces slide over each other.
std::optional<std::size_t> HeldContacts::loose_like(const World& world, const ContactPoint& contact) const {
  std::optional<std::size_t> wandered;
  for (std::size_t i = 0; i < loose_.size(); ++i) {
    const Held& old = held_[loose_[i]];
    if (!old.alive || old.contact.a != contact.a || old.contact.b != contact.b) continue;
    if (old.contact.feature.index() != contact.feature.index()) continue;
    if (same_place(old.contact.feature, contact.feature, kSamePoint * world.object(contact.a).size)) return i;
    if (std::holds_alternative<contact::FaceOnPoint>(contact.feature)) wandered = i;
  }
  return wandered;
}

std::optional<HeldIndex> HeldContacts::keep(const World& world, const ContactPoint& contact) {
  const std::optional<std::size_t> old = loose_like(world, contact);
  HeldIndex index;
  if (old) {
    index = loose_[*old];
    loose_.erase(loose_.begin() + static_cast<std::ptrdiff_t>(*old));
  } else if (!unused_.empty()) {
    index = unused_.back();
    unused_.pop_back();
  } else {
    index = held_.end_index();
    held_.emplace_back();
  }
  Held& held = held_[index];
  held.contact = contact;
  held.alive = true;
  held_by_[as_body(contact.a)].push_back(index);
  if (world.is_body(contact.b)) held_by_[as_body(contact.b)].push_back(index);
  if (old) return std::nullopt;
  ++held.version;
  return index;
}

std::vector<ContactPoint> HeldContacts::opened() {
  std::vector<ContactPoint> opened;
  for (const HeldIndex index : loose_) {
    Held& held = held_[index];
    held.alive = false;
    ++held.version;
    if (held.reported) opened.push_back(held.contact);
    unused_.push_back(index);
  }
  loose_.clear();
  return opened;
}

}  // namespace carom::event
