#include "carom/film/film_scene.h"

#include "carom/base/json.h"

#include "carom/engine/engine_registry.h"
#include "carom/geometry/polyhedron.h"
#include "carom/laws/impact/registry.h"
#include "carom/mechanics/contact_load.h"
#include "carom/mechanics/impact_outcome.h"
#include "carom/record/energy_columns.h"
#include "carom/record/observer.h"
#include "carom/scene/document/json_value.h"

namespace carom {
namespace {

Json vector_json(const Eigen::Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}

/// The keys of a shape are those of the scene format.
struct ShapeJson {
  Json operator()(const Sphere& sphere) const { return {{"radius", sphere.radius}}; }
  Json operator()(const Ellipsoid& ellipsoid) const { return {{"semi_axes", vector_json(ellipsoid.semi_axes)}}; }
  Json operator()(const Box& box) const { return {{"half_sizes", vector_json(box.half_sizes)}}; }
  Json operator()(const Cylinder& cylinder) const {
    return {{"radius", cylinder.radius}, {"half_length", cylinder.half_length}};
  }
  Json operator()(const Prism& prism) const {
    Json vertices = Json::array();
    for (const Eigen::Vector2d& vertex : prism.vertices) vertices.push_back(Json::array({vertex.x(), vertex.y()}));
    return {{"vertices", vertices}, {"half_length", prism.half_length}};
  }
  Json operator()(const HalfSpace& /*plane*/) const { return Json::object(); }
  Json operator()(const Bore& bore) const { return {{"radius", bore.radius}, {"half_length", bore.half_length}}; }
  Json operator()(const Shell& shell) const { return {{"radius", shell.radius}}; }
  Json operator()(const Capsule& capsule) const {
    return {{"radius", capsule.radius}, {"half_length", capsule.half_length}};
  }
  Json operator()(const Cone& cone) const { return {{"radius", cone.radius}, {"height", cone.height}}; }
  Json operator()(const HalfCylinder& half) const {
    return {{"radius", half.radius}, {"half_length", half.half_length}};
  }
  Json operator()(const Rod& rod) const { return {{"half_length", rod.half_length}}; }
  /// A viewer need not find the hull again: the faces by the numbers of their corners.
  Json operator()(const Convex& convex) const {
    const Polyhedron& polyhedron = *convex.polyhedron;
    Json vertices = Json::array(), faces = Json::array();
    for (const Eigen::Vector3d& vertex : polyhedron.vertices()) vertices.push_back(vector_json(vertex));
    for (int face = 0; face < static_cast<int>(polyhedron.faces().size()); ++face) {
      const std::span<const int> corners = polyhedron.corners(face);
      faces.push_back(std::vector<int>(corners.begin(), corners.end()));
    }
    return {{"vertices", vertices}, {"faces", faces}};
  }
};

Json shape_json(const Shape& shape) {
  Json json{{"kind", shape_name(shape)}};
  json.update(std::visit(ShapeJson{}, shape));
  return json;
}

Json quaternion_json(const Eigen::Quaterniond& turn) {
  return {turn.w(), turn.x(), turn.y(), turn.z()};
}

/// One shape in the frame of its object, or several, each with its place.
Json parts_json(const Parts& parts) {
  if (const Shape* const shape = only_shape(parts)) return shape_json(*shape);
  Json list = Json::array();
  for (const Part& part : parts) {
    list.push_back(Json{{"shape", shape_json(part.shape)},
                        {"position", vector_json(part.placement.position)},
                        {"orientation", quaternion_json(part.placement.orientation)}});
  }
  return {{"kind", "compound"}, {"parts", std::move(list)}};
}

Json material_json(const Model& model, int object) {
  const int material = model.material(object);
  return material == kNone ? Json(nullptr) : Json(model.materials[material].name);
}

Json profile_json(const Profile& profile) {
  if (const auto* const sine = std::get_if<SineProfile>(&profile)) {
    return {{"kind", "sine"}, {"amplitude", sine->amplitude}, {"frequency", sine->frequency}, {"phase", sine->phase}};
  }
  if (const auto* const polynomial = std::get_if<PolynomialProfile>(&profile))
    return {{"kind", "polynomial"}, {"coefficients", polynomial->coefficients}};
  const auto& spline = std::get<CubicSpline>(profile);
  constexpr const char* kEnds[] = {"natural", "rest", "periodic"};
  return {{"kind", "spline"},
          {"times", spline.times()},
          {"values", spline.values()},
          {"bends", spline.bends()},
          {"ends", kEnds[static_cast<int>(spline.ends())]}};
}

Json motion_json(const DrivenMotion& motion, const Pose& placed) {
  Json json{{"axis", vector_json(motion.axis)}, {"point", vector_json(motion.point.value_or(placed.position))}};
  if (!is_still(motion.position)) json["position"] = profile_json(motion.position);
  if (motion.turns()) json["angle"] = profile_json(motion.angle);
  return json;
}

Json objects_json(const Model& model, const scene::Looks& looks) {
  Json objects = Json::array();
  for (int i = 0; i < model.object_count(); ++i) {
    Json json{{"name", model.name(i)}, {"body", model.is_body(i)}, {"shape", parts_json(model.parts(i))}};
    if (const auto colour = looks.colours.find(model.name(i)); colour != looks.colours.end())
      json["colour"] = colour->second;
    if (model.is_body(i)) {
      const Body& body = model.bodies[i];
      json["mass"] = body.mass;
      json["inertia"] = vector_json(body.inertia);
      json["principal_axes"] = quaternion_json(body.principal_axes);
    }
    json["material"] = material_json(model, i);
    if (!model.is_body(i)) {
      const Obstacle& obstacle = model.obstacle(i);
      json["position"] = vector_json(obstacle.pose.position);
      json["orientation"] = quaternion_json(obstacle.pose.orientation);
      json["velocity"] = vector_json(obstacle.velocity);
      json["angular_velocity"] = vector_json(obstacle.angular_velocity);
      if (obstacle.motion) json["motion"] = motion_json(*obstacle.motion, obstacle.pose);
    }
    objects.push_back(std::move(json));
  }
  return objects;
}

/// What the scene says of it and no more.
Json camera_json(const scene::Looks::Camera& camera) {
  Json json = Json::object();
  if (!camera.view.empty()) json["view"] = camera.view;
  if (camera.direction) json["direction"] = vector_json(*camera.direction);
  if (camera.centre) json["centre"] = vector_json(*camera.centre);
  if (camera.height) json["height"] = *camera.height;
  if (camera.perspective) json["perspective"] = *camera.perspective;
  if (!camera.follow.empty()) json["follow"] = camera.follow;
  return json;
}

/// Springs, rods, rolling: what holds bodies.
void add_connections(Json& json, const Model& model) {
  json["springs"] = Json::array();
  for (const Spring& spring : model.springs) {
    json["springs"].push_back(Json{{"a", int{spring.body_a}},
                                   {"b", int{spring.body_b}},
                                   {"point_a", vector_json(spring.point_a)},
                                   {"point_b", vector_json(spring.point_b)}});
  }
  json["rods"] = Json::array();
  json["rolling"] = Json::array();
  for (const Constraint& constraint : model.constraints) {
    if (const auto* rod = std::get_if<RodConstraint>(&constraint)) {
      json["rods"].push_back(
          Json{{"body", int{rod->body}}, {"pivot", vector_json(rod->pivot)}, {"length", rod->length}});
    } else if (const auto* rolling = std::get_if<RollingConstraint>(&constraint)) {
      json["rolling"].push_back(Json{{"body", int{rolling->body}}, {"plane", model.body_count() + rolling->plane}});
    }
  }
}

void add_joints(Json& json, const Model& model) {
  json["joints"] = Json::array();
  for (const Joint& joint : model.joints) {
    const JointEnd &a = joint.ends[0], &b = joint.ends[1];
    const bool universal = joint.kind == JointKind::universal;
    json["joints"].push_back(
        Json{{"name", joint.name},
             {"kind", joint_kind_name(joint.kind)},
             {"a", int{a.body}},
             {"b", int{b.body}},
             {"point_a", vector_json(a.point)},
             {"point_b", vector_json(b.point)},
             {"axis_a", vector_json(a.frame * (universal ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitZ()))},
             {"axis_b", vector_json(b.frame * Eigen::Vector3d::UnitZ())},
             {"geared", Json::array({int{joint.geared[0]}, int{joint.geared[1]}})}});
  }
}

void add_holes(Json& json, const Model& model) {
  json["pockets"] = Json::array();
  for (const Pocket& pocket : model.pockets) {
    json["pockets"].push_back(Json{{"name", pocket.name},
                                   {"centre", vector_json(pocket.centre)},
                                   {"axis", vector_json(pocket.axis)},
                                   {"radius", pocket.radius}});
  }
  json["dents"] = Json::array();
  for (const Dent& dent : model.dents) {
    json["dents"].push_back(Json{{"object", int{dent.object}},
                                 {"direction", vector_json(dent.direction)},
                                 {"half_width", dent.half_width},
                                 {"depth", dent.depth}});
  }
}

/// The tables of names that the arrays of events point into.
void add_names(Json& json) {
  json["energies"] = Json::array();
  for (const EnergyColumn& column : kEnergyColumns) {
    json["energies"].push_back(Json{{"name", column.name}, {"kind", column.kind}});
  }
  json["kinds"] = Json::array();
  for (int i = 0; i <= static_cast<int>(kLastEventKind); ++i) {
    json["kinds"].push_back(event_kind_name(static_cast<EventKind>(i)));
  }
  json["stops"] = Json::array();
  for (int i = 0; i <= static_cast<int>(kLastStop); ++i) {
    json["stops"].push_back(stop_name(static_cast<Stop>(i)));
  }
  json["modes"] = Json::array();
  for (int i = 0; i <= static_cast<int>(kLastSlipMode); ++i)
    json["modes"].push_back(slip_mode_name(static_cast<SlipMode>(i)));
  json["laws"] = Json::array();
  for (const ImpactLaw* const law : impact_laws()) json["laws"].push_back(law->name);
  json["flags"] = Json::array();
  for (const Flag flag : all_flags()) {
    json["flags"].push_back(Json{{"name", flag_name(flag)}, {"words", flag_meaning(flag)}});
  }
}

}  // namespace

std::string film_scene_json(const scene::SceneFile& scene, const FilmLabel& label, std::span<const ObjectPair> gaps) {
  const Model& model = scene.model;
  Json json{{"title", scene.title},
            {"engine", scene.run.engine},
            {"law", engine_kind(scene.run.engine).has_forces ? std::string() : scene.run.law},
            {"version", label.version},
            {"settings", label.settings},
            {"duration", scene.run.duration},
            {"output_step", scene.run.output_step},
            {"gravity", vector_json(model.gravity)},
            {"objects", objects_json(model, scene.looks)},
            {"bodies", model.body_count()}};
  if (scene.looks.camera) json["camera"] = camera_json(*scene.looks.camera);
  add_connections(json, model);
  add_joints(json, model);
  add_holes(json, model);
  json["gaps"] = Json::array();
  for (const ObjectPair& pair : gaps) json["gaps"].push_back(Json::array({pair.a, pair.b}));
  add_names(json);
  return json.dump();
}

std::string json_string(std::string_view text) {
  return Json(text).dump();
}

std::string json_object_or_null(std::string_view text) {
  const std::optional<Json> object = scene::parse_json_object(std::string(text));
  return object ? object->dump() : "null";
}

}  // namespace carom
