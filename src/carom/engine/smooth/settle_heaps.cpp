/// Bodies that rest on each other at the start begin in their static balance, where there is one without friction: a
/// stack would otherwise fall through its static depth, and contacts without loss would ring with that for ever.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/contact/groups.h"
#include "carom/engine/smooth/first_contacts.h"
#include "carom/engine/smooth/heap_balance.h"

namespace carom::smooth {

namespace {

/// Looks for bodies at rest that touch, and for obstacles under them.
class HeapSearch {
 public:
  HeapSearch(const ContactMaker& maker, const Motions& motions, Encounters& encounters)
      : maker_(maker), motions_(motions), environment_(maker.scene().environment), encounters_(encounters) {}

  [[nodiscard]] std::vector<Heap> heaps() {
    std::vector<BodyIndex> resting;
    for (const BodyIndex body : environment_.model().bodies.indices())
      if (can_rest(body)) resting.push_back(body);
    contact::Groups together(resting);
    for (const BodyIndex body : resting) look_at(body, resting, together);
    std::vector<Heap> heaps(together.count());
    for (const BodyIndex body : resting) heaps[together.number_of(body)].bodies.push_back(body);
    for (const Contact& contact : contacts_)
      heaps[together.number_of(BodyIndex(contact.geometry.a.slot()))].contacts.push_back(contact);
    std::erase_if(heaps, [this](const Heap& heap) { return !is_heap(heap); });
    return heaps;
  }

 private:
  /// Nothing acts on it but weight and what it touches.
  [[nodiscard]] bool can_rest(BodyIndex body) const {
    const BodyInfo& info = environment_.body(body);
    return info.constraints.empty() && info.joints.empty() && info.loads.empty() && info.springs.empty() &&
           info.free_acceleration.norm() > 0.0 && std::isfinite(info.size);
  }

  void look_at(BodyIndex body, const std::vector<BodyIndex>& resting, contact::Groups& together) {
    for (const BodyIndex other : encounters_.near(body)) {
      if (other < body || !std::binary_search(resting.begin(), resting.end(), other)) continue;
      if (!motions_.can_meet(body, other) || motions_.paths.apart(body, other)) continue;
      if (touch(body, other)) together.join(body, other);
    }
    for (const ObjectIndex obstacle : environment_.model().obstacle_indices())
      if (motions_.can_meet(body, obstacle)) (void)touch(body, obstacle);
  }

  /// Whether the two rest on each other.
  bool touch(ObjectIndex first, ObjectIndex second) {
    const auto [a, b] = environment_.ordered(first, second);
    const PairLaws& laws = maker_.scene().laws.of(a, b);
    if (laws.normal->needs_approach_speed || laws.quasi_static) return false;  // refused later; keeps its height
    const double size = environment_.smaller_size(a, b);
    const BodyInfo& info = environment_.body(a);
    const double slow = kResting * std::sqrt(info.free_acceleration.norm() * size);
    bool found = false;
    for (const FaceCorner& point : points_of(motions_, a, b, maker_.now())) {
      const FeatureCode feature = point.feature.code();
      const Meeting met = maker_.meeting(environment_.geometry(a, b, feature));
      if (std::abs(met.touch.depth) > kTouching * size || std::abs(met.rate) > slow) continue;
      contacts_.push_back(maker_.make(a, b, feature, false, point.share));
      found = true;
    }
    return found;
  }

  /// Several bodies or several obstacles; one that moves has no other beside it; all bodies rest on them.
  [[nodiscard]] bool is_heap(const Heap& heap) const {
    std::vector<ObjectIndex> obstacles;
    bool any_moves = false;
    for (const Contact& contact : heap.contacts) {
      if (environment_.model().is_body(contact.geometry.b)) continue;
      obstacles.push_back(contact.geometry.b);
      any_moves = any_moves || environment_.model().obstacle(contact.geometry.b).motion.has_value();
    }
    std::sort(obstacles.begin(), obstacles.end());
    obstacles.erase(std::unique(obstacles.begin(), obstacles.end()), obstacles.end());
    if (obstacles.empty() || (any_moves && obstacles.size() > 1)) return false;
    if (heap.bodies.size() == 1 && obstacles.size() == 1) return false;  // in closed form
    return heap.bodies.size() <= kMostBodies &&
           std::all_of(heap.bodies.begin(), heap.bodies.end(),
                       [&](BodyIndex body) { return rests_on(body, obstacles.front()); });
  }
  [[nodiscard]] bool rests_on(BodyIndex body, ObjectIndex obstacle) const {
    const BodyState& state = motions_.paths.state(body);
    const BodyInfo& info = environment_.body(body);
    const ObstacleState under = environment_.obstacle(obstacle, maker_.now());
    const Vector3d velocity = state.velocity - under.velocity_of(state.position);
    const Vector3d spin = state.angular_velocity - under.angular_velocity;
    return velocity.norm() + info.size * spin.norm() <= kResting * std::sqrt(info.free_acceleration.norm() * info.size);
  }

  /// Larger heaps begin where they are: the search solves equations for all of their bodies at once.
  static constexpr std::size_t kMostBodies = 1000;

  const ContactMaker& maker_;
  const Motions& motions_;
  const Environment& environment_;
  Encounters& encounters_;
  std::vector<Contact> contacts_;
};

}  // namespace

SettledHeaps settle_heaps(const ContactMaker& maker, const Motions& motions, Encounters& encounters) {
  const Environment& environment = maker.scene().environment;
  SettledHeaps settled;
  if (!environment.options().locate_events) return settled;
  for (const BodyIndex body : environment.model().bodies.indices()) maker.scene().paths.stand_still(body);
  for (const Heap& heap : HeapSearch(maker, motions, encounters).heaps()) {
    HeapBalance balance(maker, motions, heap);
    if (!balance.find()) continue;
    settled.bodies.insert(settled.bodies.end(), heap.bodies.begin(), heap.bodies.end());
    const HeapBalance::Deepest deepest = balance.deepest();
    if (deepest.depth > kDeepest) {
      balance.undo();
      const PairGeometry& g = deepest.contact->geometry;
      const Model& model = environment.model();
      maker.scene().book.warn(fmt::format(
          "'{0}' would sink {1:.2g} of its size into '{2}' under what they bear at rest; they and what touches them "
          "begin where they are instead: the stiffness of {3} is too small for it; from {4:.2g} times of that on it "
          "stays within 1 %",
          model.name(g.a), deepest.depth, model.name(g.b), maker.scene().laws.of(g.a, g.b).who,
          std::pow(deepest.depth / kDeepest, deepest.contact->normal.exponent)));
      continue;
    }
    const std::vector<Contact> stretched = balance.stretched_contacts();
    settled.stretched.insert(settled.stretched.end(), stretched.begin(), stretched.end());
    for (std::size_t k = 0; k < heap.bodies.size(); ++k) maker.scene().book.note_settled();
  }
  std::sort(settled.bodies.begin(), settled.bodies.end());
  return settled;
}

}  // namespace carom::smooth
