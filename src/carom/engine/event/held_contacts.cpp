#include "carom/engine/event/held_contacts.h"

#include <algorithm>
#include <cmath>

namespace carom::event {

namespace {
/// Points of a body that are closer than this, relative to its size, are one.
constexpr double kSamePoint = 1e-6;

/// Whether a half disc that is held on its arc is on the side of this end of the arc: it rolls onto that end, which
/// does not strike.
bool rolls_towards(World& world, const ContactPoint& contact, const Vector3d& end) {
  const Vector3d on_arc = world.placed(contact).pose_a.to_local(world.followed_now(contact).point_a);
  return on_arc.head<2>().dot(end.head<2>()) > 0.0;
}

}  // namespace

bool HeldContacts::holds(const World& world, const PartPair& pair) const {
  for (const HeldIndex index : held_by_[pair.a]) {
    const ContactPoint& contact = held_[index].contact;
    if (pair.is_of(contact)) return true;
    if (world.is_body(pair.b) && pair.exchanged().is_of(contact)) return true;
  }
  for (const ConstraintIndex constraint : world.object(pair.a).constraints) {
    const auto* rolling = std::get_if<RollingConstraint>(&world.model().constraints[constraint]);
    if (rolling != nullptr && world.body_count() + rolling->plane == pair.b) return true;
  }
  return false;
}

bool HeldContacts::holds(BodyIndex body, const LimitIndex& limit) const {
  const std::vector<HeldIndex>& held = held_by_[body];
  return std::any_of(held.begin(), held.end(), [&](HeldIndex index) { return held_[index].contact.limit == limit; });
}

bool HeldContacts::any_between(ObjectIndex a, ObjectIndex b) const {
  return std::any_of(held_.begin(), held_.end(), [&](const Held& held) {
    const ContactPoint& contact = held.contact;
    return held.alive && !contact.is_limit() &&
           ((contact.a == a && contact.b == b) || (contact.a == b && contact.b == a));
  });
}

HeldContacts::PieceHold HeldContacts::hold_of(World& world, const PartPair& pair,
                                              const contact::BodyPart& piece) const {
  const double same = kSamePoint * world.object(pair.a).size;
  const bool disc = piece.disc_radius > 0.0;
  for (const HeldIndex index : held_by_[pair.a]) {
    const ContactPoint& contact = held_[index].contact;
    if (!pair.is_of(contact)) continue;
    const auto* rim = std::get_if<contact::RimOnFace>(&contact.feature);
    const bool of_rim = rim != nullptr && std::abs(rim->height - piece.centre.z()) < same;
    if (disc && of_rim) return PieceHold::on_rim;
    if (!disc && of_rim && rolls_towards(world, contact, piece.centre)) return PieceHold::on_point;
    if (const auto* on_face = std::get_if<contact::PointOnFace>(&contact.feature)) {
      const Vector3d& point = on_face->point;
      if (disc && std::abs(point.z() - piece.centre.z()) < same) return PieceHold::on_face;
      if (!disc && (point - piece.centre).norm() < same) return PieceHold::on_point;
    }
    const contact::Ball* const ball = contact::ball_of(contact.feature);
    if (!disc && ball != nullptr && (ball->centre - piece.centre).norm() < same) return PieceHold::on_point;
  }
  return PieceHold::free;
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

/// The loose contact that goes on as this one: the same place, or else one that has wandered, as the points of two
/// faces do that slide over each other.
std::optional<std::size_t> HeldContacts::loose_like(const World& world, const ContactPoint& contact) const {
  std::optional<std::size_t> wandered;
  for (std::size_t i = 0; i < loose_.size(); ++i) {
    const Held& old = held_[loose_[i]];
    if (!old.alive || !old.contact.same_parts(contact)) continue;
    if (old.contact.feature.index() != contact.feature.index()) continue;
    if (same_place(old.contact.feature, contact.feature, kSamePoint * world.object(contact.a).size)) return i;
    if (contact::may_have_wandered(old.contact.feature, contact.feature)) wandered = i;
  }
  return wandered;
}

std::optional<HeldIndex> HeldContacts::keep(const World& world, const ActiveContact& active) {
  const ContactPoint& contact = active.contact;
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
  const bool turned = active.slides() && held.direction.dot(active.direction) < 0.0;
  if (old && (held.mode != active.mode || turned)) changed_.push_back(active);
  held.contact = contact;
  held.mode = active.mode;
  held.direction = active.direction;
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
    // A body that was not settled with the other has it still.
    for (const ObjectIndex side : {held.contact.a, held.contact.b})
      if (static_cast<std::size_t>(side) < held_by_.size()) std::erase(held_by_[as_body(side)], index);
    if (held.reported) opened.push_back(held.contact);
    unused_.push_back(index);
  }
  loose_.clear();
  return opened;
}

}  // namespace carom::event
