#include "carom/engine/smooth/paths.h"

#include <cmath>

#include "carom/contact/shape_support.h"

namespace carom::smooth {

namespace {
constexpr double kForever = std::numeric_limits<double>::infinity();
}  // namespace

Paths::Paths(std::shared_ptr<const Environment> environment, const State& initial)
    : environment_(std::move(environment)),
      states_(initial.bodies),
      in_play_(initial.bodies.size(), 1),
      flies_(initial.bodies.size(), 0) {
  for (BodyState& state : states_) state.orientation.normalize();
  const Model& model = environment_->model();
  for (const Joint& joint : model.joints) turns_.push_back(joint.start);
  if (!initial.turns.empty()) turns_ = initial.turns;
  rotations_.resize(states_.size());
  tracks_.resize(static_cast<std::size_t>(model.object_count()));
  boxes_.resize(static_cast<std::size_t>(model.object_count()));
  for (const ObjectIndex object : model.obstacle_indices()) {
    const Obstacle& obstacle = model.obstacle(object);
    tracks_[object] = Track::flight(0.0, obstacle.pose.position, obstacle.velocity, Vector3d::Zero());
    boxes_[object] = box_of(obstacle);
  }
}

/// The space of an obstacle at rest; everything for one that moves or has no bounds.
Bounds Paths::box_of(const Obstacle& obstacle) const {
  const double reach = bounding_radius(obstacle.parts);
  Bounds box;
  box.low.setConstant(-kForever);
  box.high.setConstant(kForever);
  if (obstacle.driven() || !std::isfinite(reach)) return box;
  const Shape* const shape = only_shape(obstacle.parts);
  const std::vector<Vector3d> vertices = shape == nullptr ? std::vector<Vector3d>() : contact::shape_vertices(*shape);
  if (vertices.empty()) {
    box.low = obstacle.pose.position.array() - reach;
    box.high = obstacle.pose.position.array() + reach;
    return box;
  }
  box.low.setConstant(kForever);
  box.high.setConstant(-kForever);
  for (const Vector3d& vertex : vertices) {
    const Vector3d at = obstacle.pose.to_world(vertex);
    box.low = box.low.cwiseMin(at);
    box.high = box.high.cwiseMax(at);
  }
  return box;
}

void Paths::stand_still(BodyIndex body) {
  const double reach = environment_->body(body).size;
  Bounds& box = boxes_[ObjectIndex(body)];
  box.low = states_[body].position.array() - reach;
  box.high = states_[body].position.array() + reach;
}

/// The space that a body's bounding ball crosses on its stretch.
void Paths::bound(BodyIndex body) {
  Track& track = tracks_[ObjectIndex(body)];
  Bounds& box = boxes_[ObjectIndex(body)];
  track.bound_speed();
  const double reach = track.reach = environment_->body(body).size;
  if (!std::isfinite(track.end) || !std::isfinite(reach)) {
    box.low.setConstant(-kForever);
    box.high.setConstant(kForever);
    return;
  }
  const double h = track.end - track.start;
  const Vector3d first = track.c[0], last = track.position(h);
  // Between its ends a path leaves their box by no more than an eighth of the largest acceleration times h².
  const double bulge = 0.125 * h * h * ((2.0 * track.c[2]).norm() + track.variation) + reach;
  box.low = first.cwiseMin(last).array() - bulge;
  box.high = first.cwiseMax(last).array() + bulge;
}

void Paths::leave_play(BodyIndex body) {
  states_[body].velocity.setZero();
  states_[body].angular_velocity.setZero();
  in_play_[body] = 0;
}

// ------------------------------------------------------------------------------------------------- on the way

std::shared_ptr<const FreeRotation> Paths::rotation_of(BodyIndex body) const {
  const BodyInfo& info = environment_->body(body);
  const BodyState& state = states_[body];
  const Eigen::Quaterniond attitude = state.orientation * info.principal_axes;
  return std::make_shared<const FreeRotation>(info.inertia,
                                              RotationState{attitude, attitude.conjugate() * state.angular_velocity});
}

void Paths::begin_flight(BodyIndex body, double start, double end) {
  const BodyInfo& info = environment_->body(body);
  const BodyState& state = states_[body];
  Track& track = tracks_[ObjectIndex(body)];
  track = Track::flight(start, state.position, state.velocity, info.free_acceleration);
  if (!info.round) rotations_[body] = state.angular_velocity.norm() > 0.0 ? rotation_of(body) : nullptr;
  track.end = end;
  flies_[body] = 1;
  bound(body);
}

void Paths::shorten_flight(BodyIndex body, double end) {
  Track& track = tracks_[ObjectIndex(body)];
  if (track.end == end) return;
  track.end = end;
  bound(body);
}

void Paths::follow(BodyIndex body, const Track& track) {
  tracks_[ObjectIndex(body)] = track;
  bound(body);
}

BodyState Paths::flight_state(BodyIndex body, double time) const {
  const Track& track = tracks_[ObjectIndex(body)];
  const double tau = time - track.start;
  BodyState state = states_[body];
  if (tau == 0.0) return state;
  state.position = track.position(tau);
  state.velocity = track.velocity(tau);
  const BodyInfo& info = environment_->body(body);
  const FreeRotation* const rotation = info.round ? nullptr : rotations_[body].get();
  if (rotation != nullptr) {
    const RotationState turned = rotation->at(tau);
    state.orientation = turned.attitude * info.principal_axes.conjugate();
    state.angular_velocity = turned.attitude * turned.angular_velocity;
  } else if (const double speed = state.angular_velocity.norm(); speed > 0.0) {
    state.orientation = Eigen::AngleAxisd(speed * tau, state.angular_velocity / speed) * state.orientation;
    state.orientation.normalize();
  }
  return state;
}

Pose Paths::pose(ObjectIndex object, double time) const {
  return environment_->model().is_body(object) ? state(object).pose() : environment_->obstacle(object, time).place;
}

// ------------------------------------------------------------------------------------------------- boxes

bool Paths::clear_of(BodyIndex body, ObjectIndex obstacle) const {
  const Vector3d* const plane = environment_->resting_plane(obstacle);
  if (plane == nullptr) return apart(body, obstacle);
  const Vector3d& normal = *plane;
  const Bounds& box = boxes_[ObjectIndex(body)];
  double least = -normal.dot(tracks_[obstacle].c[0]);
  for (int k = 0; k < 3; ++k) {
    if (normal[k] == 0.0) continue;
    least += normal[k] * (normal[k] > 0.0 ? box.low[k] : box.high[k]);
  }
  return least > 0.0;
}

bool Paths::too_far(BodyIndex a, BodyIndex b, double from, double to) const {
  const Track &first = track(a), &second = track(b);
  const double reach = first.reach + second.reach + (first.speed + second.speed) * (to - from);
  return (first.position(from - first.start) - second.position(from - second.start)).squaredNorm() > reach * reach;
}

}  // namespace carom::smooth
