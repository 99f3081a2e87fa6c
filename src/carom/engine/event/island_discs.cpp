/// Discs that lean on faces in crowded islands: the points that stand for them turn with the lean.
///
/// Of a disc all but flat on a face eight points of the rim are contacts. Where it leans by θ and the lowest point is
/// half way between two of them, it is lower than these by rθ(1 − cos 22.5°), which is more than bodies may overlap. A
/// disc that wobbles would have to be looked at anew all the time; instead its points go on round the rim until one of
/// them is the lowest, before each step. Those of half a disc go on along its arc, and are where they were at first,
/// with one at each of its corners, while one of these is the lowest.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "carom/engine/event/island_dynamics.h"

namespace carom::event {

namespace {

using contact::Circle;

/// The points stand so far apart; a disc leans that is off the normal by more than this [rad].
constexpr double kBetweenPoints = std::numbers::pi / 4.0, kLeaning = 1e-9;
/// Points that are closer than this, relative to the radius, are one.
constexpr double kOnePlace = 1e-3;

/// A point of a rim and its disc's direction to the face, in the frame of the disc.
struct LeaningPoint {
  Circle disc;
  bool half;
  Vector3d* point;
  Vector3d to_face;

  /// Whether a disc leans rather than lies; half a disc also where it does not stand on its flat side.
  [[nodiscard]] bool leans() const {
    const double lean = to_face.head<2>().norm();
    return lean > kLeaning && !(half && lean > std::abs(to_face.z()));
  }
  /// Where the point goes, so that one of those that stand for the disc is the lowest.
  [[nodiscard]] Vector3d turned() const {
    const bool at_corner = half && to_face.y() >= 0.0;
    const double lowest = at_corner ? 0.0 : std::atan2(to_face.y(), to_face.x());
    double angle = std::atan2(point->y(), point->x());
    // The arc is from −π to 0, and its first corner is there as well at π.
    if (half && angle > 0.5 * std::numbers::pi) angle -= 2.0 * std::numbers::pi;
    angle += std::remainder(lowest - angle, kBetweenPoints);
    if (half) angle = std::clamp(angle, -std::numbers::pi, 0.0);
    return disc.at({std::cos(angle), std::sin(angle)});
  }
};

}  // namespace

void IslandDynamics::turn_discs(Island& island) {
  const auto leaning = [&](ActiveContact& active) -> std::optional<LeaningPoint> {
    ContactPoint& contact = active.contact;
    auto* const on = std::get_if<contact::PointOnFace>(&contact.feature);
    auto* const under = std::get_if<contact::FaceOnPoint>(&contact.feature);
    if (on == nullptr && under == nullptr) return std::nullopt;
    const bool of_a = on != nullptr;
    const Shape& shape = of_a ? part(contact.a, contact.part_a).shape : part(contact.b, contact.part_b).shape;
    Vector3d& point = of_a ? on->point : under->point;
    const std::optional<Circle> disc = contact::rim_at(shape, point);
    if (!disc) return std::nullopt;
    const ContactPoint now = follow(island, contact, island.time, island.state.data());
    const contact::PlacedPair here = placed(contact);
    const Quaterniond& turn = of_a ? here.pose_a.orientation : here.pose_b.orientation;
    return LeaningPoint{*disc, std::holds_alternative<HalfCylinder>(shape), &point,
                        turn.conjugate() * (of_a ? Vector3d(-now.normal) : now.normal)};
  };
  for (std::size_t i = 0; i < island.contacts.size(); ++i) {
    ActiveContact& active = island.contacts[i];
    const std::optional<LeaningPoint> at = leaning(active);
    if (!at || !at->leans()) continue;
    const Vector3d turned = at->turned();
    bool taken = false;
    for (std::size_t k = 0; k < i && !taken; ++k) {
      if (!island.contacts[k].contact.same_parts(active.contact)) continue;
      const std::optional<LeaningPoint> other = leaning(island.contacts[k]);
      taken = other && other->disc.height == at->disc.height &&
              (*other->point - turned).norm() < kOnePlace * at->disc.radius;
    }
    if (taken) continue;
    *at->point = turned;
    active.contact = follow(island, active.contact, island.time, island.state.data());
  }
}

}  // namespace carom::event
