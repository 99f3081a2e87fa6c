#include "carom/engine/event/disc_contacts.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "carom/engine/event/rest.h"

namespace carom::event {

namespace {

using contact::Circle;
using contact::Owner;

/// Points of a rim that are closer than this, relative to its radius, are one.
constexpr double kOnePointOfRim = 1e-6;
/// A disc lies flat that touches with so many of its points.
constexpr int kFlatWith = 3;

/// A point of a disc's rim that a contact holds on a face of the other body.
struct RimPoint {
  Circle disc;
  Owner owner;
  Vector3d point;  ///< in the frame of the disc's part

  [[nodiscard]] bool same_disc(const RimPoint& other) const {
    return owner == other.owner && disc.height == other.disc.height;
  }
};

std::optional<RimPoint> rim_point(const World& world, const ContactPoint& contact) {
  const auto of = [&](Owner owner, ObjectIndex object, int part, const Vector3d& point) -> std::optional<RimPoint> {
    const Shape& shape = *world.part(object, part).shape;
    if (std::holds_alternative<HalfCylinder>(shape)) return std::nullopt;  // a half disc has vertices
    const std::optional<Circle> disc = contact::rim_at(shape, point);
    return disc ? std::optional(RimPoint{*disc, owner, point}) : std::nullopt;
  };
  if (const auto* on = std::get_if<contact::PointOnFace>(&contact.feature))
    return of(Owner::a, contact.a, contact.part_a, on->point);
  if (const auto* under = std::get_if<contact::FaceOnPoint>(&contact.feature))
    return of(Owner::b, contact.b, contact.part_b, under->point);
  return std::nullopt;
}

/// The contact that another point of the same disc is.
ContactPoint at_point(World& world, const ContactPoint& contact, Owner owner, const Vector3d& point) {
  ContactPoint other = contact;
  if (owner == Owner::a) {
    std::get<contact::PointOnFace>(other.feature).point = point;
  } else {
    std::get<contact::FaceOnPoint>(other.feature).point = point;
  }
  return world.followed_now(other);
}

/// The rate at a point x of the rim about the middle c is γ_c + (x − c)·(n × ω), with the relative rates of a against
/// b: least where x − c is against n × ω. That direction, within the disc, as long as rates change per length along it.
Eigen::Vector2d rocking_of(World& world, const ContactPoint& contact, Owner owner) {
  const bool of_a = owner == Owner::a;
  const Mover& part = of_a ? world.part(contact.a, contact.part_a) : world.part(contact.b, contact.part_b);
  const Pose pose = part.pose(world.now(of_a ? contact.a : contact.b));
  const Vector3d turning = world.now(contact.a).angular_velocity - world.now(contact.b).angular_velocity;
  return (pose.orientation.conjugate() * Vector3d(-contact.normal.cross(turning))).head<2>();
}

std::optional<ContactPoint> fastest_of_rim(World& world, const ContactPoint& contact, const RimPoint& known) {
  const Eigen::Vector2d down = rocking_of(world, contact, known.owner);
  if (!(down.norm() > 0.0)) return std::nullopt;
  ContactPoint lowest = at_point(world, contact, known.owner, known.disc.at(down.normalized()));
  if (!contact::same_feature(lowest, world.pair(lowest), world.placed(lowest))) return std::nullopt;
  return lowest;
}

}  // namespace

double rocking_speed(World& world, const ContactPoint& contact) {
  const std::optional<RimPoint> point = rim_point(world, contact);
  return point ? point->disc.radius * rocking_of(world, contact, point->owner).norm() : 0.0;
}

void add_rim_points(const Instant& at, const Settling& settling) {
  World& world = at.world;
  const std::vector<ContactPoint> contacts = at.closed.contacts();
  std::vector<std::pair<std::size_t, RimPoint>> points;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (const std::optional<RimPoint> point = rim_point(world, contacts[i])) points.emplace_back(i, *point);
  std::vector<char> done(points.size(), 0);
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (done[k] != 0) continue;
    const std::size_t first = points[k].first;
    const RimPoint& known = points[k].second;
    std::vector<Vector3d> of_disc;
    for (std::size_t l = k; l < points.size(); ++l) {
      if (!contacts[points[l].first].same_parts(contacts[first]) || !points[l].second.same_disc(known)) continue;
      done[l] = 1;
      of_disc.push_back(points[l].second.point);
    }
    if (of_disc.size() < kFlatWith) continue;
    const std::optional<ContactPoint> lowest = fastest_of_rim(world, contacts[first], known);
    if (!lowest || world.rate_of(*lowest) >= -2.0 * Rest::rest_speed(at, *lowest)) continue;
    if (settling.is_left_to_steps(at, *lowest)) continue;
    const Vector3d point = rim_point(world, *lowest)->point;
    const bool is_there = std::any_of(of_disc.begin(), of_disc.end(), [&](const Vector3d& other) {
      return (other - point).norm() <= kOnePointOfRim * known.disc.radius;
    });
    if (!is_there) at.closed.add(*lowest);
  }
}

namespace {

/// The point of a that stands on a face or in a hollow; null for other contacts.
const Vector3d* standing_point(const ContactPoint& contact) {
  if (const auto* on = std::get_if<contact::PointOnFace>(&contact.feature)) return &on->point;
  const auto* inside = std::get_if<contact::BallInHollow>(&contact.feature);
  return inside != nullptr && inside->ball.radius == 0.0 ? &inside->ball.centre : nullptr;
}

/// What a contact at a point of this rim becomes when it rolls along it, from `point` on.
contact::Feature on_rim(const ContactPoint& contact, const contact::Circle& disc, const Vector3d& point, bool plane) {
  const auto* on = std::get_if<contact::PointOnFace>(&contact.feature);
  if (on == nullptr) return contact::RimInHollow{disc.height, disc.radius, point};
  const Vector3d normal = plane ? Vector3d(Vector3d::UnitZ()) : on->normal;
  return contact::RimOnFace{disc.height, disc.radius, point, normal, on->anchor, contact::Owner::a};
}

}  // namespace

bool stand_on_rims(const World& world, Island& island) {
  const std::vector<ActiveContact> before = island.contacts;
  bool changed = false;
  for (const ActiveContact& first : before) {
    const Vector3d* const on = standing_point(first.contact);
    if (on == nullptr) continue;
    const Shape& shape = *world.part(first.contact.a, first.contact.part_a).shape;
    const std::optional<contact::Circle> disc = contact::rim_at(shape, *on);
    if (!disc || std::holds_alternative<HalfCylinder>(shape)) continue;  // a half disc has vertices
    const auto stands = [&](const ActiveContact& active) {
      const Vector3d* const other = standing_point(active.contact);
      return other != nullptr && active.contact.same_parts(first.contact) &&
             std::abs(other->z() - on->z()) <= 1e-6 * disc->radius;
    };
    const auto count = std::count_if(island.contacts.begin(), island.contacts.end(), stands);
    if (count == 0 || count > 2) continue;
    Vector3d middle = Vector3d::Zero();
    for (const ActiveContact& active : island.contacts)
      if (stands(active)) middle += *standing_point(active.contact);
    if (middle.head<2>().norm() < 0.1 * disc->radius) continue;  // two opposite points: it rocks over neither
    std::erase_if(island.contacts, stands);
    ActiveContact rim = first;
    Vector3d point = *on;
    point.head<2>() = middle.head<2>().normalized() * disc->radius;
    const bool plane = world.part(first.contact.b, first.contact.part_b).kind == ShapeKind::half_space;
    rim.contact.feature = on_rim(first.contact, *disc, point, plane);
    island.contacts.push_back(rim);
    changed = true;
  }
  return changed;
}

}  // namespace carom::event
