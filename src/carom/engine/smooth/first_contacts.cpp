#include "carom/engine/smooth/first_contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/engine/smooth/face_points.h"
#include "carom/engine/smooth/limit_contacts.h"

namespace carom::smooth {

namespace {

/// A body on the one obstacle that it rests on.
struct Support {
  ObjectIndex obstacle;
  int obstacles = 0;        ///< that it touches
  double points = 0;        ///< at which it touches the last of them, by their shares
  FeatureCode feature = 0;  ///< of one of the points
  Touch touch;              ///< at one of the points
};

}  // namespace

std::vector<FaceCorner> points_of(const Motions& motions, ObjectIndex a, ObjectIndex b, double now) {
  const Environment& environment = motions.environment();
  const double size = environment.smaller_size(a, b);
  std::vector<FaceCorner> points;
  environment.for_each_place(a, b, [&](FeatureCode place) {
    if (environment.have_faces(a, b, place) && environment.options().locate_events) {
      const std::vector<FaceCorner> corners = FacePoints(motions).touching({a, b, place, now}, kTouching * size);
      points.insert(points.end(), corners.begin(), corners.end());
    } else {
      points.push_back({Feature::from(place), 1.0});
    }
  });
  return points;
}

namespace {

Support support_of(const ContactMaker& maker, const Motions& motions, BodyIndex body) {
  const Environment& environment = maker.scene().environment;
  const BodyInfo& info = environment.body(body);
  const double slow = kResting * std::sqrt(info.free_acceleration.norm() * info.size);
  Support support;
  for (const ObjectIndex obstacle : environment.model().obstacle_indices()) {
    if (!motions.can_meet(body, obstacle)) continue;
    double points = 0.0;
    for (const FaceCorner& point : points_of(motions, body, obstacle, maker.now())) {
      const FeatureCode feature = point.feature.code();
      const Meeting met = maker.meeting(environment.geometry(body, obstacle, feature));
      if (std::abs(met.touch.depth) > kTouching * info.size || std::abs(met.rate) > slow) continue;
      support.touch = met.touch;
      support.feature = feature;
      points += point.share;
    }
    if (points == 0.0) continue;
    ++support.obstacles;
    support.obstacle = obstacle;
    support.points = points;
  }
  return support;
}

}  // namespace

std::vector<Contact> settle_resting_bodies(const ContactMaker& maker, const Motions& motions, Encounters& encounters) {
  const ContactMaker::Scene& scene = maker.scene();
  SettledHeaps heaps = settle_heaps(maker, motions, encounters);
  for (const BodyIndex body : scene.paths.states().indices()) {
    const BodyInfo& info = scene.environment.body(body);
    if (!info.constraints.empty() || !info.joints.empty()) continue;
    if (std::binary_search(heaps.bodies.begin(), heaps.bodies.end(), body)) continue;
    const Support support = support_of(maker, motions, body);
    double pull = info.free_acceleration.dot(support.touch.normal);
    if (support.obstacles == 1 && scene.environment.model().obstacle(support.obstacle).motion) {
      const FrameMotion floor = scene.environment.model().obstacle(support.obstacle).motion_at(maker.now());
      pull -= support.touch.normal.dot(floor.acceleration_of(support.touch.point));
    }
    if (support.obstacles != 1 || !(pull < 0.0)) continue;
    const PairLaws& laws = scene.laws.of(body, support.obstacle);
    if (laws.normal->needs_approach_speed || laws.quasi_static) continue;  // refused later; keeps its height
    const Contact contact = maker.make(body, support.obstacle, support.feature);
    const double load = -info.mass * pull / support.points;
    const double static_depth = contact.normal.static_depth(load);
    if (static_depth > kDeepest * info.size) {
      scene.book.warn(
          fmt::format("'{0}' would sink {1:.2g} of its size into '{2}' under its own weight, and begins where "
                      "it is instead: the stiffness of {3} is too small for it; from {4:.2g} times of that on "
                      "it stays within 1 %",
                      scene.environment.model().name(body), static_depth / info.size,
                      scene.environment.model().name(support.obstacle), laws.who,
                      std::pow(static_depth / (kDeepest * info.size), contact.normal.exponent)));
      continue;
    }
    const double depth = static_depth - support.touch.depth;
    scene.paths.move(body, -(depth * support.touch.normal));
    scene.book.note_settled();
  }
  settle_joined_bodies(maker, motions);
  scene.book.forget_approaches();
  return std::move(heaps.stretched);
}

void take_stretches(std::vector<Contact>& contacts, const std::vector<Contact>& stretched) {
  for (Contact& contact : contacts) {
    const PairGeometry& g = contact.geometry;
    const auto same = std::find_if(stretched.begin(), stretched.end(), [&](const Contact& other) {
      return other.geometry.a == g.a && other.geometry.b == g.b && other.geometry.feature == g.feature;
    });
    if (same == stretched.end() || contact.is_limit()) continue;
    contact.stretch = same->stretch;
    // What the spring has stored came from outside, before the start.
    contact.friction_work = 0.5 * contact.friction.spring_stiffness * contact.stretch.squaredNorm();
  }
}

std::vector<Contact> first_contacts(const ContactMaker& maker, const Motions& motions, Encounters& encounters) {
  const ContactMaker::Scene& scene = maker.scene();
  const Environment& environment = scene.environment;
  const Model& model = environment.model();
  const bool located = environment.options().locate_events;
  std::vector<Contact> contacts;
  const auto look_at = [&](BodyIndex first, ObjectIndex second) {
    if (!motions.can_meet(first, second)) return;
    if (model.is_body(second) && located && scene.paths.apart(first, second)) return;
    const auto pair = environment.ordered(first, second);
    const double size = environment.smaller_size(pair.first, pair.second);
    for (const FaceCorner& point : points_of(motions, pair.first, pair.second, maker.now())) {
      const FeatureCode feature = point.feature.code();
      const Touch touch = maker.meeting(environment.geometry(pair.first, pair.second, feature)).touch;
      const bool touching = touch.depth >= -kTouching * size;
      if (touching || !located) contacts.push_back(maker.make(pair.first, pair.second, feature, touching, point.share));
    }
  };
  for (const JointIndex joint : model.joints.indices())
    for (const LimitIndex& limit : limits_of(model, joint)) {
      Contact contact = maker.make(limit);
      const double depth = LimitContacts(environment, scene.laws, scene.paths).standing(limit, maker.now()).touch.depth;
      if (!located || depth >= -kTouching * environment.kinematics().size(joint)) contacts.push_back(contact);
    }
  for (const BodyIndex body : model.bodies.indices()) scene.paths.stand_still(body);
  for (const BodyIndex body : model.bodies.indices()) {
    if (located) {
      for (const BodyIndex other : encounters.near(body))
        if (other > body) look_at(body, other);
    } else {
      for (BodyIndex other = body + 1; other < model.body_count(); ++other) look_at(body, other);
    }
    for (const ObjectIndex obstacle : model.obstacle_indices()) look_at(body, obstacle);
  }
  return contacts;
}

}  // namespace carom::smooth
