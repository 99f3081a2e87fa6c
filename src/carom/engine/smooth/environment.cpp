#include "carom/engine/smooth/environment.h"

#include <algorithm>

#include "carom/base/assert.h"
#include "carom/contact/shape_support.h"

namespace carom::smooth {

namespace {

/// Where a body meets a plane at several points; empty for the smooth ones, which have one.
std::vector<contact::BodyPart> places_on_plane(const Shape& shape) {
  using Side = contact::BodyPart::Side;
  std::vector<contact::BodyPart> places;
  for (const Vector3d& vertex : contact::shape_vertices(shape)) places.push_back({vertex, 0.0, Side::near});
  const auto add_rim = [&places](double radius, double z, bool half) {
    for (const Side side : {Side::near, Side::far}) places.push_back({{0.0, 0.0, z}, radius, side, 0.0, half});
  };
  if (const auto* const cylinder = std::get_if<Cylinder>(&shape)) {
    for (const double end : {1.0, -1.0}) add_rim(cylinder->radius, end * cylinder->half_length, false);
  } else if (const auto* const half = std::get_if<HalfCylinder>(&shape)) {
    for (const double end : {1.0, -1.0}) add_rim(half->radius, end * half->half_length, true);
  } else if (const auto* const cone = std::get_if<Cone>(&shape)) {
    add_rim(cone->radius, 0.0, false);
    places.push_back({{0.0, 0.0, cone->height}, 0.0, Side::near});
  } else if (const auto* const capsule = std::get_if<Capsule>(&shape)) {
    for (const double end : {1.0, -1.0})
      places.push_back({{0.0, 0.0, end * capsule->half_length}, 0.0, Side::near, capsule->radius});
  }
  return places;
}

bool is_vertex(const contact::BodyPart& piece) {
  return piece.disc_radius == 0.0 && piece.thickness == 0.0;
}

}  // namespace

Environment::Environment(std::shared_ptr<const Model> model, const SmoothOptions& options)
    : model_(std::move(model)), options_(options), meeting_(*model_), kinematics_(*model_) {
  for (const Body& body : model_->bodies) {
    BodyInfo info;
    info.mass = body.mass;
    info.inverse_mass = 1.0 / body.mass;
    info.inertia = body.inertia;
    info.principal_axes = body.principal_axes;
    info.size = bounding_radius(body.parts);
    info.free_acceleration = model_->gravity;
    info.round = only_shape<Sphere>(body.parts) != nullptr && body.inertia.maxCoeff() == body.inertia.minCoeff();
    info.spins = !info.round;
    bodies_.push_back(std::move(info));
  }
  for (const Obstacle& obstacle : model_->obstacles) {
    const Vector3d axis = obstacle.pose.orientation * Vector3d::UnitZ();
    const Vector3d turning = obstacle.motion ? obstacle.motion->axis : obstacle.angular_velocity;
    const bool plane = is_plane(obstacle.parts);
    Fixed fixed;
    fixed.state.place = obstacle.pose;
    fixed.state.axis = axis;
    fixed.state.moves = obstacle.driven();
    fixed.state.spins_about_axis = !obstacle.turns() || turning.cross(axis).norm() <= 1e-12 * turning.norm();
    fixed.driven = obstacle.driven();
    if (plane) fixed.normal = half_space_normal(obstacle.pose);
    fixed.resting_plane = plane && !obstacle.driven();
    obstacles_.push_back(fixed);
    others_work_ = others_work_ || obstacle.driven();
    anything_driven_ = anything_driven_ || obstacle.driven();
  }
  for (ObjectIndex object = 0; object < model_->object_count(); ++object) {
    const Parts& parts = model_->parts(object);
    std::vector<Facets> facets;
    std::vector<std::vector<contact::BodyPart>> pieces;
    std::vector<std::vector<WallPiece>> wall_pieces;
    for (const Part& part : parts) {
      facets.push_back(facets_of(part.shape));
      pieces.push_back(places_on_plane(part.shape));
      wall_pieces.emplace_back();
      const bool vertices_alone = std::all_of(pieces.back().begin(), pieces.back().end(), is_vertex);
      for (const contact::BodyPart& vertex : pieces.back())
        if (vertices_alone)
          wall_pieces.back().push_back({Sphere{0.0}, placed_in(part.placement, Pose{.position = vertex.centre})});
    }
    kinds_.push_back(shape_kind(parts.front().shape));
    const Sphere* const sphere = only_shape<Sphere>(parts);
    balls_.push_back(sphere == nullptr ? Ball{} : Ball{sphere->radius, &parts.front().shape});
    plain_.push_back(only_shape(parts) != nullptr && pieces.front().empty() && !is_ring(object) ? 1 : 0);
    facets_.push_back(std::move(facets));
    if (!model_->is_body(object)) continue;
    pieces_.push_back(std::move(pieces));
    wall_pieces_.push_back(std::move(wall_pieces));
  }
  dented_.assign(static_cast<std::size_t>(model_->object_count()), 0);
  for (const Dent& dent : model_->dents) dented_[dent.object] = 1;
  add_loads();
  add_springs();
  add_constraints();
  add_joints();
  note_what_attitudes_act_on();
  note_what_friction_turns();
  share_equal_bodies();
}

/// Equal bodies stand near each other in a scene: each is compared with the last few kinds.
void Environment::share_equal_bodies() {
  constexpr std::size_t kLastKinds = 8;
  for (BodyInfo& body : bodies_) {
    const std::size_t count = kinds_of_bodies_.size();
    const auto first = kinds_of_bodies_.begin() + static_cast<std::ptrdiff_t>(count - std::min(count, kLastKinds));
    const auto found = std::find(first, kinds_of_bodies_.end(), body);
    kind_of_.push_back(static_cast<std::uint32_t>(found - kinds_of_bodies_.begin()));
    if (found == kinds_of_bodies_.end()) kinds_of_bodies_.push_back(std::move(body));
  }
  bodies_ = {};
}

void Environment::add_loads() {
  for (const LoadIndex index : model_->loads.indices()) {
    const Load& load = model_->loads[index];
    BodyInfo& body = bodies_[load.body];
    body.free_acceleration += load.force * body.inverse_mass;
    const bool turns = load.angular_damping > 0.0 || !load.torque.isZero(0.0);
    if (load.damping > 0.0 || turns) {
      body.loads.push_back(index);
      others_work_ = true;
    }
    body.needs_steps = body.needs_steps || load.damping > 0.0 || turns;
    body.spins = body.spins || turns;
  }
}

void Environment::add_springs() {
  for (const SpringIndex index : model_->springs.indices()) {
    const Spring& spring = model_->springs[index];
    others_work_ = others_work_ || spring.damping > 0.0;
    for (const bool second : {false, true}) {
      const BodyIndex held = second ? spring.body_b : spring.body_a;
      if (held == kNone) continue;
      BodyInfo& body = bodies_[held];
      body.springs.push_back(index);
      body.needs_steps = true;
      body.spins = body.spins || !(second ? spring.point_b : spring.point_a).isZero(0.0);
    }
  }
}

void Environment::add_constraints() {
  for (const ConstraintIndex index : model_->constraints.indices()) {
    const Constraint& constraint = model_->constraints[index];
    BodyInfo& body = bodies_[std::visit([](const auto& one) { return one.body; }, constraint)];
    body.constraints.push_back(index);
    const auto* const planar = std::get_if<PlanarConstraint>(&constraint);
    body.needs_steps = body.needs_steps || planar == nullptr || !body.round;
    body.spins = body.spins || std::holds_alternative<RollingConstraint>(constraint);
    if (planar == nullptr) continue;
    // What a plane holds is not felt in flight.
    body.free_acceleration -= planar->normal.dot(body.free_acceleration) * planar->normal;
  }
  for (BodyInfo& body : bodies_) {
    if (!body.round || body.constraints.size() != 1) continue;
    if (const auto* const planar = std::get_if<PlanarConstraint>(&model_->constraints[body.constraints[0]])) {
      body.in_plane = true;
      body.plane_normal = planar->normal;
    }
  }
}

void Environment::add_joints() {
  for (const JointIndex joint : model_->joints.indices()) {
    others_work_ = true;
    if (model_->joints[joint].released) continue;
    for (const BodyIndex held : kinematics_.bodies(joint)) {
      if (held == kNone) continue;
      BodyInfo& body = bodies_[held];
      if (!body.joints.empty() && body.joints.back() == joint) continue;
      body.joints.push_back(joint);
      body.needs_steps = body.spins = true;
      body.in_plane = false;
    }
  }
}

void Environment::note_what_attitudes_act_on() {
  for (const BodyIndex index : bodies_.indices()) {
    BodyInfo& body = bodies_[index];
    body.attitude_acts = !body.round || dented_[ObjectIndex(index)] != 0 || !body.joints.empty();
    for (const SpringIndex held : body.springs) {
      const Spring& spring = model_->springs[held];
      const bool central = spring.point_a.isZero(0.0) && spring.body_b != kNone && spring.point_b.isZero(0.0);
      body.attitude_acts = body.attitude_acts || !central;
    }
  }
}

void Environment::note_what_friction_turns() {
  Indexed<MaterialIndex, int> objects_of(model_->materials.size(), 0);
  for (ObjectIndex object = 0; object < model_->object_count(); ++object)
    if (model_->material(object) != kNone) ++objects_of[model_->material(object)];
  for (const BodyIndex index : bodies_.indices()) {
    BodyInfo& body = bodies_[index];
    body.spins = body.spins || dented_[ObjectIndex(index)] != 0;
    const MaterialIndex own = model_->material(index);
    if (own == kNone) continue;
    for (const MaterialIndex other : objects_of.indices()) {
      const int met = objects_of[other] - (other == own ? 1 : 0);
      body.spins = body.spins || (met > 0 && !model_->force_rule(own, other).friction.empty());
    }
  }
}

/// The vertices come first, then the rim.
void Environment::add_wall_piece(ObjectIndex a, const Feature& on, PairGeometry& g) const {
  const std::vector<WallPiece>& vertices = wall_pieces_[a.slot()][static_cast<std::size_t>(on.part_a)];
  const auto place = static_cast<std::size_t>(on.of_b);
  if (place < vertices.size()) {
    g.shape_a = &vertices[place].ball;
    g.placement_a = &vertices[place].placement;
    g.pair = find_pair(ShapeKind::sphere, shape_kind(*g.shape_b));
    return;
  }
  g.form = ContactForm::bore_rim;
  g.half_length = std::get<Bore>(*g.shape_b).half_length;
}

PairGeometry Environment::ball_geometry(ObjectIndex a, ObjectIndex b) const {
  PairGeometry g;
  g.a = a;
  g.b = b;
  g.shape_a = balls_[a].shape;
  g.shape_b = balls_[b].shape;
  g.dented_a = dented_[a] != 0;
  g.dented_b = dented_[b] != 0;
  g.radius_a = balls_[a].radius;
  g.radius_b = balls_[b].radius;
  g.form = ContactForm::sphere_sphere;
  return g;
}

PairGeometry Environment::geometry(ObjectIndex a, ObjectIndex b, FeatureCode feature) const {
  const Feature on = feature == 0 ? Feature{} : Feature::from(feature);
  if (feature == 0 && is_ball(a) && is_ball(b) && model_->is_body(b)) return ball_geometry(a, b);
  const Part& part_a = model_->parts(a)[static_cast<std::size_t>(on.part_a)];
  const Part& part_b = model_->parts(b)[static_cast<std::size_t>(on.part_b)];
  const Shape &shape_a = part_a.shape, &shape_b = part_b.shape;
  PairGeometry g;
  g.a = a;
  g.b = b;
  g.feature = feature;
  g.shape_a = &shape_a;
  g.shape_b = &shape_b;
  g.dented_a = dented_[a] != 0;
  g.dented_b = dented_[b] != 0;
  if (plain_[a] == 0 && !is_identity(part_a.placement)) g.placement_a = &part_a.placement;
  if (plain_[b] == 0 && !is_identity(part_b.placement)) g.placement_b = &part_b.placement;
  const bool placed = g.placement_a != nullptr || g.placement_b != nullptr;
  const bool plane = std::holds_alternative<HalfSpace>(shape_b);
  const auto* const sphere = placed ? nullptr : std::get_if<Sphere>(&shape_a);
  g.drive = model_->is_body(b) || !model_->obstacle(b).motion ? nullptr : &*model_->obstacle(b).motion;
  if (sphere == nullptr || !std::holds_alternative<Sphere>(shape_b) || g.drive != nullptr) {
    g.pair = find_pair(shape_kind(shape_a), shape_kind(shape_b));
    CAROM_ASSERT(g.pair != nullptr);
  }
  if (sphere != nullptr) {
    g.radius_a = sphere->radius;
    if (const auto* const other = std::get_if<Sphere>(&shape_b)) {
      g.form = ContactForm::sphere_sphere;
      g.radius_b = other->radius;
    } else if (plane && !model_->obstacle(b).turns()) {
      g.form = ContactForm::sphere_plane;
      g.plane_normal = fixed_obstacle(b).normal;
      g.plane_point = model_->obstacle(b).pose.position;
    } else if (const auto* const bore = std::get_if<Bore>(&shape_b)) {
      g.radius_b = bore->radius;
      g.half_length = bore->half_length;
      g.form = ContactForm::sphere_bore;
    } else if (const auto* const cylinder = std::get_if<Cylinder>(&shape_b)) {
      g.radius_b = cylinder->radius;
      g.half_length = cylinder->half_length;
      g.form = ContactForm::sphere_cylinder;
    }
  } else if (plane && !pieces_[a.slot()][static_cast<std::size_t>(on.part_a)].empty()) {
    g.form = ContactForm::part_plane;
    g.plane_turns = model_->obstacle(b).turns() || g.placement_b != nullptr;
    if (!g.plane_turns) g.plane_normal = fixed_obstacle(b).normal;
    g.part = pieces_[a.slot()][static_cast<std::size_t>(on.part_a)][static_cast<std::size_t>(on.of_b)];
  } else if (meets_wall_by_vertices(a, on.part_a, b, on.part_b)) {
    add_wall_piece(a, on, g);
  } else if (have_faces(a, b, feature)) {
    g.facets_a = &facets_[a][static_cast<std::size_t>(on.part_a)];
    g.facets_b = &facets_[b][static_cast<std::size_t>(on.part_b)];
    g.facet_a = on.of_a;
    g.facet_b = on.of_b;
    switch (on.kind) {
      case Feature::Kind::nearest: break;
      case Feature::Kind::vertex_face: g.form = ContactForm::vertex_face; break;
      case Feature::Kind::face_vertex: g.form = ContactForm::face_vertex; break;
      case Feature::Kind::edge_edge: g.form = ContactForm::edge_edge; break;
      case Feature::Kind::vertex_edge: g.form = ContactForm::vertex_edge; break;
      case Feature::Kind::edge_vertex: g.form = ContactForm::edge_vertex; break;
    }
  }
  return g;
}

}  // namespace carom::smooth
