#include "carom/analysis/contact_words.h"

#include <cmath>

#include "carom/geometry/feature_words.h"
#include "carom/geometry/pair_table.h"
#include "carom/simulation/record_scene.h"

namespace carom {
namespace {

using Eigen::Vector3d;

/// Velocities at a contact below this part of the approach are none.
constexpr double kNoPush = 1e-9;

/// The part of an object whose surface is nearest to a point.
std::size_t nearest_part(const std::vector<Part>& parts, const Pose& pose, const Vector3d& point) {
  std::size_t nearest = 0;
  double least = 0.0;
  for (std::size_t i = 0; parts.size() > 1 && i < parts.size(); ++i) {
    const Pose placed = placed_in(pose, parts[i].placement);
    const double tiny = 1e-9 * bounding_radius(parts[i].shape);
    const double distance = std::abs(
        proximity(Shape(Sphere{tiny}), Pose{point, Eigen::Quaterniond::Identity()}, parts[i].shape, placed).distance);
    if (i == 0 || distance < least) {
      least = distance;
      nearest = i;
    }
  }
  return nearest;
}

}  // namespace

/// An object at the time of an event: where it is, and how fast the point of the contact moves with it.
struct ContactTeller::Placed {
  Pose pose;
  Vector3d velocity;
};

ContactTeller::ContactTeller(RecordReader& record)
    : scene_(scene_if_readable(record.info())), cursor_(record, nullptr) {}

bool ContactTeller::tells_features() const {
  return scene_ && carom::tells_features(scene_->model);
}

bool tells_features(const Model& model) {
  for (int object = 0; object < model.object_count(); ++object)
    for (const Part& part : model.parts(object))
      if (has_features(part.shape)) return true;
  return false;
}

std::string contact_feature(const Model& model, int object, const Pose& pose, const ContactRecord& contact) {
  const std::vector<Part>& parts = model.parts(object);
  const std::size_t part = nearest_part(parts, pose, contact.point);
  const Pose placed = placed_in(pose, parts[part].placement);
  const Vector3d outwards = object == contact.a ? Vector3d(-contact.normal) : contact.normal;
  const std::string words =
      feature_words(parts[part].shape, placed.to_local(contact.point), placed.orientation.conjugate() * outwards);
  if (parts.size() == 1) return words;
  return "part " + std::to_string(part + 1) + (words.empty() ? "" : ", " + words);
}

ContactWords ContactTeller::about(const ContactRecord& contact, double time) {
  ContactWords words{"", "", kNone};
  if (!scene_ || contact.limit.exists() || !cursor_.covers(time)) return words;
  const Model& model = scene_->model;
  const auto placed = [&](int object) -> Placed {
    if (model.is_body(object)) {
      const BodyState state = cursor_.at(time, Side::before).body(object, time, Side::before);
      return {state.pose(), state.velocity + state.angular_velocity.cross(contact.point - state.position)};
    }
    const FrameMotion motion = model.obstacle(object).motion_at(time);
    return {motion.pose, motion.velocity + motion.angular_velocity.cross(contact.point - motion.pose.position)};
  };
  const Placed a = placed(contact.a), b = placed(contact.b);
  words.feature_a = contact_feature(model, contact.a, a.pose, contact);
  words.feature_b = contact_feature(model, contact.b, b.pose, contact);
  const double from_a = -contact.normal.dot(a.velocity), from_b = contact.normal.dot(b.velocity);
  const double scale = std::abs(from_a) + std::abs(from_b);
  if (from_a + from_b > kNoPush * scale) words.pushing = from_a >= from_b ? contact.a : contact.b;
  return words;
}

}  // namespace carom
