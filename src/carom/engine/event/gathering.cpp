/// Who touches whom at this instant.

#include <algorithm>
#include <cmath>
#include <tuple>

#include "carom/engine/event/event_core.h"

namespace carom {

using namespace event;

const BodyState& EventEngine::Core::now(int index) {
  const auto i = static_cast<std::size_t>(index);
  if (now_mark_[i] != instant_) {
    now_mark_[i] = instant_;
    now_state_[i] = objects_[i].motion.at(now_, now_carry_);
  }
  return now_state_[i];
}

double EventEngine::Core::contact_tolerance(int a, int b) const {
  return options_.contact_tolerance * std::min(object(a).size, object(b).size);
}

bool EventEngine::Core::far_from_obstacle(int body, int obstacle, double tolerance) {
  const Object& wall = object(obstacle);
  const Vector3d apart = now(body).position - now(obstacle).position;
  if (wall.mover.kind == ShapeKind::half_space) {
    const Vector3d normal = wall.motion.max_spin > 0.0 ? half_space_normal(now(obstacle).pose()) : wall.mover.normal;
    return normal.dot(apart) > object(body).size + tolerance;
  }
  const double reach = object(body).size + wall.size + tolerance;
  return apart.squaredNorm() > reach * reach;
}

bool EventEngine::Core::far_from_body(int a, int b) const {
  const Flight& first = flight_[static_cast<std::size_t>(a)];
  const Flight& second = flight_[static_cast<std::size_t>(b)];
  if (!first.exact || !second.exact) return false;
  const double reach =
      first.radius + second.radius + options_.contact_tolerance * std::min(first.radius, second.radius);
  return (first.position_after(first.since(now_, now_carry_)) - second.position_after(second.since(now_, now_carry_)))
             .squaredNorm() > reach * reach;
}

/// Bodies in the order in which their contacts name them: by index, but a ball before a body with faces, which its
/// features are recognised on.
std::pair<int, int> EventEngine::Core::contact_order(int body, int other) const {
  const int first = std::min(body, other), second = std::max(body, other);
  const bool ball_second = object(second).mover.kind == ShapeKind::sphere;
  return ball_second && object(first).mover.kind != ShapeKind::sphere ? std::pair(second, first)
                                                                      : std::pair(first, second);
}

void EventEngine::Core::append_closed(int a, int b) {
  const double tolerance = contact_tolerance(a, b);
  if (is_body(b) ? far_from_body(a, b) : far_from_obstacle(a, b, tolerance)) return;
  const std::size_t first = closed_.size();
  closed_contacts(pair(a, b), *object(a).mover.shape, now(a).pose(), *object(b).mover.shape, now(b).pose(), tolerance,
                  closed_);
  for (std::size_t i = first; i < closed_.size(); ++i) {
    closed_[i].a = a;
    closed_[i].b = b;
    closed_[i].rule = model_.rule(model_.material(a), model_.material(b));
  }
}

void EventEngine::Core::join_cluster(int body) {
  char& inside = in_cluster_[static_cast<std::size_t>(body)];
  if (inside) return;
  inside = 1;
  cluster_.push_back(body);
}

void EventEngine::Core::gather(const std::vector<int>& seeds, bool couplings) {
  for (const int body : cluster_) in_cluster_[static_cast<std::size_t>(body)] = 0;
  cluster_.clear();
  closed_.clear();
  gathered_ = instant_;
  for (const int body : seeds)
    if (is_body(body)) join_cluster(body);
  for (std::size_t next = 0; next < cluster_.size(); ++next) {
    const int body = cluster_[next];
    for (int other = bodies_; other < static_cast<int>(objects_.size()); ++other) append_closed(body, other);
    grid_->neighbours(body, [&](int other) {
      if (far_from_body(body, other)) return;
      // A pair is looked at once, from the body that was taken first.
      const auto taken = cluster_.begin() + static_cast<std::ptrdiff_t>(next);
      if (in_cluster_[static_cast<std::size_t>(other)] && std::find(cluster_.begin(), taken, other) != taken) return;
      const std::size_t before = closed_.size();
      const auto [first, second] = contact_order(body, other);
      append_closed(first, second);
      if (closed_.size() > before) join_cluster(other);
    });
    if (!couplings) continue;
    for (const int spring : object(body).springs) {
      const Spring& link = model_.springs[static_cast<std::size_t>(spring)];
      join_cluster(link.body_a);
      if (link.body_b != kNone) join_cluster(link.body_b);
    }
    if (object(body).island)
      for (const int member : object(body).island->bodies) join_cluster(member);
  }
  std::sort(cluster_.begin(), cluster_.end());
  std::stable_sort(closed_.begin(), closed_.end(), [](const ContactPoint& x, const ContactPoint& y) {
    return std::tie(x.a, x.b) < std::tie(y.a, y.b);
  });
}

double EventEngine::Core::slip_of(const ContactPoint& contact) {
  const Vector3d relative =
      point_velocity(now(contact.a), contact.point_a) - point_velocity(now(contact.b), contact.point_b);
  return (relative - contact.normal * contact.normal.dot(relative)).norm();
}

double EventEngine::Core::cluster_speed() {
  double fastest = 0.0;
  for (const int body : cluster_)
    fastest = std::max(fastest, now(body).velocity.norm() + now(body).angular_velocity.norm() * object(body).size);
  for (const ContactPoint& contact : closed_)
    if (!is_body(contact.b)) fastest = std::max(fastest, point_velocity(now(contact.b), contact.point_b).norm());
  return fastest;
}

}  // namespace carom
