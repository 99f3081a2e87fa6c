#include "carom/engine/event/closed_contacts.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace carom::event {

namespace {

/// Parts of two bodies are named by their contacts in the order of the bodies, but a ball before a part with faces,
/// which its features are recognised on, and what runs in a ring before the ring.
bool are_exchanged(const Mover& first, const Mover& second) {
  return !is_solid(first.kind) || (second.kind == ShapeKind::sphere && first.kind != ShapeKind::sphere);
}

}  // namespace

ClosedContacts::ClosedContacts(int bodies, double tolerance) : tolerance_(tolerance) {
  inside_.assign(static_cast<std::size_t>(bodies), Part::none);
}

bool ClosedContacts::far_from_obstacle(World& world, BodyIndex body, ObjectIndex obstacle, double tolerance) const {
  const Object& wall = world.object(obstacle);
  const Vector3d apart = world.now(body).position - world.now(obstacle).position;
  if (wall.parts[0].kind == ShapeKind::half_space) {
    const Vector3d normal =
        wall.motion.max_spin > 0.0 ? half_space_normal(world.now(obstacle).pose()) : wall.parts[0].normal;
    return normal.dot(apart) > world.object(body).size + tolerance;
  }
  const double reach = world.object(body).size + wall.size + tolerance;
  return apart.squaredNorm() > reach * reach;
}

bool ClosedContacts::far_from_body(World& world, BodyIndex a, BodyIndex b) const {
  const double first = world.flight(a).radius, second = world.flight(b).radius;
  const double reach = first + second + std::max(tolerance_, kCrowdGap) * std::min(first, second);
  return (world.centre_now(a) - world.centre_now(b)).squaredNorm() > reach * reach;
}

bool ClosedContacts::apart_as_known(World& world, const ContactPoint& named, double tolerance) {
  const Mover& a = world.part(named.a, named.part_a);
  const Mover& b = world.part(named.b, named.part_b);
  if (!is_solid(a.kind) || !is_solid(b.kind) || (a.kind == ShapeKind::sphere && b.kind == ShapeKind::sphere))
    return false;
  const contact::SeparatingDirection& apart = world.apart(named.a, named.part_a, named.b, named.part_b);
  if (apart.isZero(0.0)) return false;
  const BodyState &first = world.now(named.a), &second = world.now(named.b);
  const double roundoff =
      contact::gap_roundoff(std::min(a.radius, b.radius), first.position.norm() + second.position.norm());
  return contact::gap_along(a, first, b, second, second.orientation * apart) > tolerance + roundoff;
}

void ClosedContacts::append(World& world, ObjectIndex a, ObjectIndex b) {
  const bool crowded = world.object(a).crowded && (!world.is_body(b) || world.object(b).crowded);
  const double tolerance = (crowded ? kCrowdGap : tolerance_) * std::min(world.object(a).size, world.object(b).size);
  if (!world.is_body(b) && far_from_obstacle(world, as_body(a), b, tolerance)) return;
  ContactPoint named;
  const auto parts_a = static_cast<int>(world.object(a).parts.size());
  const auto parts_b = static_cast<int>(world.object(b).parts.size());
  for (int part_a = 0; part_a < parts_a; ++part_a) {
    for (int part_b = 0; part_b < parts_b; ++part_b) {
      named.a = a;
      named.b = b;
      named.part_a = part_a;
      named.part_b = part_b;
      if (apart_as_known(world, named, tolerance)) continue;
      if (world.is_body(b) && are_exchanged(world.part(a, part_a), world.part(b, part_b))) {
        std::swap(named.a, named.b);
        std::swap(named.part_a, named.part_b);
      }
      append_parts(world, named, tolerance);
    }
  }
}

void ClosedContacts::append_parts(World& world, const ContactPoint& named, double tolerance) {
  const std::size_t first = contacts_.size();
  contact::append_closed_contacts(world.pair(named), world.placed(named), tolerance, contacts_);
  if (adds_nearest_) append_nearest(world, named, first);
  for (std::size_t i = first; i < contacts_.size(); ++i) {
    contacts_[i].a = named.a;
    contacts_[i].b = named.b;
    contacts_[i].part_a = named.part_a;
    contacts_[i].part_b = named.part_b;
    contacts_[i].rule = world.model().rule(world.model().material(named.a), world.model().material(named.b));
  }
}

void ClosedContacts::append_nearest(World& world, const ContactPoint& named, std::size_t first) {
  const contact::PlacedPair placed = world.placed(named);
  const Proximity near = world.pair(named).proximity(placed.a, placed.pose_a, placed.b, placed.pose_b);
  if (!(near.distance < 0.0)) return;
  const auto begin = contacts_.begin() + static_cast<std::ptrdiff_t>(first);
  if (std::any_of(begin, contacts_.end(), [&](const ContactPoint& contact) {
        return (contact.point_a - near.point_a).norm() <= -near.distance;
      }))
    return;
  ContactPoint nearest;
  nearest.point_a = near.point_a;
  nearest.point_b = near.point_b;
  nearest.normal = near.normal;
  nearest.gap = near.distance;
  nearest.feature = contact::recognise(placed, {near.point_a, near.point_b, near.normal, 1});
  contacts_.push_back(nearest);
}

void ClosedContacts::append_limits(World& world, JointIndex joint) {
  for (const LimitIndex& limit : world.limits(joint)) {
    const ContactPoint contact = world.limit_now(limit);
    if (contact.gap <= tolerance_ * world.joints().size(joint)) contacts_.push_back(contact);
  }
}

void ClosedContacts::join(BodyIndex body) {
  if (inside_[body] != Part::none) return;
  inside_[body] = Part::joined;
  bodies_.push_back(body);
}

void ClosedContacts::gather(World& world, const Bodies& seeds, const Coupled& coupled) {
  for (const BodyIndex body : bodies_) inside_[body] = Part::none;
  bodies_.clear();
  contacts_.clear();
  gathered_ = world.instant();
  for (const BodyIndex body : seeds) join(body);
  std::size_t next = 0;
  while (next < bodies_.size()) {  // they become more meanwhile
    const BodyIndex body = bodies_[next++];
    for (const ObjectIndex obstacle : world.obstacles())
      if (world.may_meet(body, obstacle)) append(world, body, obstacle);
    world.grid().neighbours(body, [&](BodyIndex other) {
      // A pair is looked at once, from the body that came first.
      if (inside_[other] == Part::looked_around || far_from_body(world, body, other) || !world.may_meet(body, other))
        return;
      const std::size_t count = contacts_.size();
      append(world, std::min<int>(body, other), std::max<int>(body, other));
      if (contacts_.size() > count) join(other);
    });
    for (const JointIndex joint : world.object(body).joints) {
      for (const BodyIndex held : world.joints().bodies(joint))
        if (held != kNone) join(held);
      if (!world.limits(joint).empty() && world.joints().bodies(joint)[0] == body) append_limits(world, joint);
    }
    inside_[body] = Part::looked_around;
    if (coupled) coupled(body, [this](BodyIndex other) { join(other); });
  }
  std::sort(bodies_.begin(), bodies_.end());
  const auto before = [](const ContactPoint& x, const ContactPoint& y) {
    if (x.a != y.a) return x.a < y.a;
    return x.b != y.b ? x.b < y.b : x.limit.joint < y.limit.joint;
  };
  // Most clusters are in order already, and sorting takes memory.
  if (!std::is_sorted(contacts_.begin(), contacts_.end(), before))
    std::stable_sort(contacts_.begin(), contacts_.end(), before);
}

void ClosedContacts::add(const ContactPoint& contact) {
  const auto after = std::find_if(contacts_.rbegin(), contacts_.rend(),
                                  [&](const ContactPoint& other) { return other.same_parts(contact); });
  contacts_.insert(after.base(), contact);
}

void ClosedContacts::measure_speed(World& world) {
  set_speed(0.0);
  for (const BodyIndex body : bodies_) speed_ = std::max(speed_, world.fastest_point(body));
  for (const ContactPoint& contact : contacts_)
    if (!world.is_body(contact.b))
      speed_ = std::max(speed_, contact::point_velocity(world.now(contact.b), contact.point_b).norm());
}

double ClosedContacts::velocity_noise(const World& world, ObjectIndex a, ObjectIndex b) const {
  const auto settled = [&](ObjectIndex index) {
    return !world.is_body(index) || inside_[as_body(index)] != Part::none;
  };
  return gathered_ == world.instant() && settled(a) && settled(b) ? approach_threshold() : 0.0;
}

}  // namespace carom::event
