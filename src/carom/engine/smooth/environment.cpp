#include "carom/engine/smooth/environment.h"

#include <algorithm>

#include "carom/base/assert.h"
#include "carom/contact/shape_support.h"

namespace carom::smooth {

namespace {

/// Where a body meets a plane at several points; empty for the smooth ones, which have one.
std::vector<event::BodyPart> spots_of(const Shape& shape) {
  std::vector<event::BodyPart> parts;
  for (const Vector3d& vertex : event::shape_vertices(shape)) parts.push_back({vertex, 0.0, event::BodyPart::Side::near});
  if (const auto* const cylinder = std::get_if<Cylinder>(&shape)) {
    for (const double end : {1.0, -1.0})
      for (const auto side : {event::BodyPart::Side::near, event::BodyPart::Side::far})
        parts.push_back({Vector3d(0.0, 0.0, end * cylinder->half_length), cylinder->radius, side});
  }
  return parts;
}

}  // namespace

Environment::Environment(const Model& model, const SmoothOptions& options) : model_(model), options_(options) {
  for (const Body& body : model.bodies) {
    BodyInfo info;
    info.mass = body.mass;
    info.inverse_mass = 1.0 / body.mass;
    info.inertia = body.inertia;
    info.principal_axes = body.principal_axes;
    info.size = bounding_radius(body.shape);
    info.free_acceleration = model.gravity;
    info.round = std::holds_alternative<Sphere>(body.shape) && body.inertia.maxCoeff() == body.inertia.minCoeff();
    info.spins = !info.round;
    bodies_.push_back(std::move(info));
    parts_.push_back(spots_of(body.shape));
  }
  for (const Obstacle& obstacle : model.obstacles) {
    obstacles_.push_back({{obstacle.pose, obstacle.velocity, obstacle.angular_velocity,
                           obstacle.pose.orientation * Vector3d::UnitZ(), obstacle.driven(),
                           obstacle.angular_velocity.cross(obstacle.pose.orientation * Vector3d::UnitZ()).norm() <=
                               1e-12 * obstacle.angular_velocity.norm()},
                          obstacle.driven(),
                          std::holds_alternative<HalfSpace>(obstacle.shape) ? half_space_normal(obstacle.pose)
                                                                            : Vector3d(Vector3d::Zero()),
                          std::holds_alternative<HalfSpace>(obstacle.shape) && !obstacle.driven()});
  }
  dented_.assign(static_cast<std::size_t>(model.object_count()), 0);
  for (const Dent& dent : model.dents) dented_[static_cast<std::size_t>(dent.object)] = 1;
  add_couplings();
  for (const Obstacle& obstacle : model.obstacles) others_work_ = others_work_ || obstacle.driven();
  for (const Spring& spring : model.springs) others_work_ = others_work_ || spring.damping > 0.0;
  for (const BodyInfo& body : bodies_) others_work_ = others_work_ || !body.loads.empty();
}

void Environment::add_couplings() {
  for (std::size_t k = 0; k < model_.loads.size(); ++k) {
    const Load& load = model_.loads[k];
    BodyInfo& body = bodies_[static_cast<std::size_t>(load.body)];
    body.free_acceleration += load.force * body.inverse_mass;
    const bool turns = load.angular_damping > 0.0 || !load.torque.isZero(0.0);
    if (load.damping > 0.0 || turns) body.loads.push_back(static_cast<int>(k));
    body.needs_steps = body.needs_steps || load.damping > 0.0 || turns;
    body.spins = body.spins || turns;
  }
  for (std::size_t k = 0; k < model_.springs.size(); ++k) {
    const Spring& spring = model_.springs[k];
    for (const bool second : {false, true}) {
      const int index = second ? spring.body_b : spring.body_a;
      if (index == kNone) continue;
      BodyInfo& body = bodies_[static_cast<std::size_t>(index)];
      body.springs.push_back(static_cast<int>(k));
      body.needs_steps = true;
      body.spins = body.spins || !(second ? spring.point_b : spring.point_a).isZero(0.0);
    }
  }
  for (std::size_t k = 0; k < model_.constraints.size(); ++k) {
    const int index = std::visit([](const auto& constraint) { return constraint.body; }, model_.constraints[k]);
    BodyInfo& body = bodies_[static_cast<std::size_t>(index)];
    body.constraints.push_back(static_cast<int>(k));
    const bool planar = std::holds_alternative<PlanarConstraint>(model_.constraints[k]);
    body.needs_steps = body.needs_steps || !planar || !body.round;
    body.spins = body.spins || std::holds_alternative<RollingConstraint>(model_.constraints[k]);
    if (!planar) continue;
    // What a plane holds is not felt in flight.
    const Vector3d& normal = std::get<PlanarConstraint>(model_.constraints[k]).normal;
    body.free_acceleration -= normal.dot(body.free_acceleration) * normal;
  }
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    BodyInfo& body = bodies_[i];
    body.attitude_acts = !body.round || dented_[i] != 0 || !body.springs.empty();
    for (const int index : body.springs) {
      const Spring& spring = model_.springs[static_cast<std::size_t>(index)];
      const bool central = spring.point_a.isZero(0.0) && spring.body_b != kNone && spring.point_b.isZero(0.0);
      body.attitude_acts = !body.round || dented_[i] != 0 || !central;
      if (body.attitude_acts) break;
    }
    if (!body.round || body.constraints.size() != 1) continue;
    const Constraint& only = model_.constraints[static_cast<std::size_t>(body.constraints[0])];
    if (const auto* const planar = std::get_if<PlanarConstraint>(&only)) {
      body.in_plane = true;
      body.plane_normal = planar->normal;
    }
  }
  // Friction turns whatever it can meet.
  std::vector<int> objects_of(model_.materials.size(), 0);
  for (int i = 0; i < model_.object_count(); ++i)
    if (model_.material(i) != kNone) ++objects_of[static_cast<std::size_t>(model_.material(i))];
  for (int i = 0; i < model_.body_count(); ++i) {
    BodyInfo& body = bodies_[static_cast<std::size_t>(i)];
    body.spins = body.spins || dented_[static_cast<std::size_t>(i)] != 0;
    const int own = model_.material(i);
    for (int other = 0; own != kNone && other < static_cast<int>(objects_of.size()); ++other) {
      const int met = objects_of[static_cast<std::size_t>(other)] - (other == own ? 1 : 0);
      body.spins = body.spins || (met > 0 && !model_.force_rule(own, other).friction.empty());
    }
  }
}

int Environment::features(int a, int b) const {
  const auto count = static_cast<int>(parts_[static_cast<std::size_t>(a)].size());
  return count > 0 && std::holds_alternative<HalfSpace>(model_.shape(b)) ? count : 1;
}

PairGeometry Environment::geometry(int a, int b, int feature) const {
  const Shape& shape_a = model_.shape(a);
  const Shape& shape_b = model_.shape(b);
  PairGeometry g;
  g.a = a;
  g.b = b;
  g.feature = feature;
  g.shape_a = &shape_a;
  g.shape_b = &shape_b;
  g.dented_a = dented_[static_cast<std::size_t>(a)] != 0;
  g.dented_b = dented_[static_cast<std::size_t>(b)] != 0;
  const bool plane = std::holds_alternative<HalfSpace>(shape_b);
  const auto* const sphere = std::get_if<Sphere>(&shape_a);
  if (sphere == nullptr || !std::holds_alternative<Sphere>(shape_b)) {
    g.pair = find_pair(shape_kind(shape_a), shape_kind(shape_b));
    CAROM_ASSERT(g.pair != nullptr);
  }
  if (sphere != nullptr) {
    g.radius_a = sphere->radius;
    if (const auto* const other = std::get_if<Sphere>(&shape_b)) {
      g.form = ContactForm::sphere_sphere;
      g.radius_b = other->radius;
    } else if (plane && model_.obstacle(b).angular_velocity.isZero(0.0)) {
      g.form = ContactForm::sphere_plane;
      g.plane_normal = obstacles_[static_cast<std::size_t>(b - model_.body_count())].normal;
      g.plane_point = model_.obstacle(b).pose.position;
    } else if (const auto* const bore = std::get_if<Bore>(&shape_b)) {
      g.radius_b = bore->radius;
      g.half_length = bore->half_length;
      g.form = ContactForm::sphere_bore;
    } else if (const auto* const cylinder = std::get_if<Cylinder>(&shape_b)) {
      g.radius_b = cylinder->radius;
      g.half_length = cylinder->half_length;
      g.form = ContactForm::sphere_cylinder;
    }
  } else if (plane && !parts_[static_cast<std::size_t>(a)].empty()) {
    g.form = ContactForm::part_plane;
    g.part = parts_[static_cast<std::size_t>(a)][static_cast<std::size_t>(feature)];
  }
  return g;
}

}  // namespace carom::smooth
