#include "soak/record/recorded_scene.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <toml.hpp>

#include "soak/record/solid_mass.h"

namespace carom::soak {

namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using std::numbers::pi;

double number(const toml::value& value) {
  return value.is_integer() ? static_cast<double>(value.as_integer()) : value.as_floating();
}

double number_of(const toml::value& table, const char* key, double otherwise) {
  return table.contains(key) ? number(toml::find(table, key)) : otherwise;
}

Vector3d vector(const toml::value& value) {
  const auto& list = value.as_array();
  return {number(list.at(0)), number(list.at(1)), number(list.at(2))};
}

Vector3d vector_of(const toml::value& table, const char* key) {
  return table.contains(key) ? vector(toml::find(table, key)) : Vector3d(Vector3d::Zero());
}

std::string text_of(const toml::value& table, const char* key) {
  return table.contains(key) ? toml::find<std::string>(table, key) : std::string();
}

/// body vectors to world vectors: Rx(ψ) Ry(θ) Rz(φ), or w, x, y, z.
Quaterniond turn_of(const toml::value& table) {
  if (!table.contains("orientation")) return Quaterniond::Identity();
  const toml::value& turn = toml::find(table, "orientation");
  if (turn.contains("quaternion")) {
    const auto& list = toml::find(turn, "quaternion").as_array();
    return Quaterniond(number(list.at(0)), number(list.at(1)), number(list.at(2)), number(list.at(3))).normalized();
  }
  const bool degrees = turn.contains("bryan_deg");
  const Vector3d angles = vector_of(turn, degrees ? "bryan_deg" : "bryan_rad") * (degrees ? pi / 180.0 : 1.0);
  return Quaterniond(Eigen::AngleAxisd(angles.x(), Vector3d::UnitX()) *
                     Eigen::AngleAxisd(angles.y(), Vector3d::UnitY()) *
                     Eigen::AngleAxisd(angles.z(), Vector3d::UnitZ()));
}

Solid solid_of(const toml::value& shape) {
  Solid solid;
  const std::string kind = text_of(shape, "kind");
  const double radius = number_of(shape, "radius", 0.0), half = number_of(shape, "half_length", 0.0);
  if (kind == "sphere") {
    solid.kind = Solid::Kind::sphere;
    solid.sizes.setConstant(radius);
  } else if (kind == "ellipsoid") {
    solid.kind = Solid::Kind::ellipsoid;
    solid.sizes = vector_of(shape, "semi_axes");
  } else if (kind == "box") {
    solid.kind = Solid::Kind::box;
    solid.sizes = vector_of(shape, "half_sizes");
  } else if (kind == "cylinder" || kind == "capsule" || kind == "half_cylinder") {
    solid.kind = kind == "cylinder"  ? Solid::Kind::cylinder
                 : kind == "capsule" ? Solid::Kind::capsule
                                     : Solid::Kind::half_cylinder;
    solid.sizes = {radius, radius, half};
  } else if (kind == "cone") {
    solid.kind = Solid::Kind::cone;
    solid.sizes = {radius, radius, number_of(shape, "height", 0.0)};
  } else if (kind == "convex" && shape.contains("vertices")) {
    solid.kind = Solid::Kind::hull;
    for (const toml::value& corner : toml::find(shape, "vertices").as_array()) solid.corners.push_back(vector(corner));
  } else if (kind == "prism") {
    solid.kind = Solid::Kind::hull;
    for (const toml::value& corner : toml::find(shape, "vertices").as_array())
      for (const double z : {-half, half})
        solid.corners.emplace_back(number(corner.as_array().at(0)), number(corner.as_array().at(1)), z);
  } else {
    throw NotUnderstood("shape " + kind);
  }
  Vector3d origin = origin_of(solid);
  for (const Vector3d& corner : solid.corners) origin += corner / static_cast<double>(solid.corners.size());
  for (Vector3d& corner : solid.corners) corner -= origin;
  solid.turn = turn_of(shape);
  solid.offset = vector_of(shape, "position") + solid.turn * origin;
  return solid;
}

/// The shapes of an object, in its frame, each with the table that says its mass.
std::vector<std::pair<Solid, const toml::value*>> parts_of(const toml::value& table) {
  std::vector<std::pair<Solid, const toml::value*>> parts;
  const toml::value& shape = toml::find(table, "shape");
  if (text_of(shape, "kind") == "compound")
    for (const toml::value& part : toml::find(shape, "parts").as_array()) parts.emplace_back(solid_of(part), &part);
  else
    parts.emplace_back(solid_of(shape), &table);
  return parts;
}

RecordedBody body_of(const toml::value& table) {
  if (table.contains("inertia") || table.contains("centre_of_mass"))
    throw NotUnderstood("inertia or centre_of_mass of a body");
  RecordedBody body;
  body.name = text_of(table, "name");
  if (table.contains("groups")) body.groups = toml::find<std::vector<std::string>>(table, "groups");
  if (table.contains("avoid")) body.avoids = toml::find<std::vector<std::string>>(table, "avoid");
  std::vector<std::pair<double, SolidMass>> masses;
  Vector3d moment = Vector3d::Zero();
  for (const auto& [solid, says] : parts_of(table)) {
    const SolidMass own = homogeneous(solid);
    const double mass =
        says->contains("mass") ? number_of(*says, "mass", 0.0) : own.volume * number_of(*says, "density", 0.0);
    body.solids.push_back(solid);
    masses.emplace_back(mass, own);
    body.mass += mass;
    moment += mass * own.centroid;
  }
  const Vector3d centre = moment / body.mass;
  for (Solid& solid : body.solids) solid.offset -= centre;
  for (const auto& [mass, own] : masses)
    body.inertia += mass * (own.inertia + unit_inertia_of_point(own.centroid - centre));
  return body;
}

void read_motion(RecordedObstacle& obstacle, const toml::value& table) {
  obstacle.velocity = vector_of(table, "velocity");
  obstacle.angular_velocity = vector_of(table, "angular_velocity");
  if (!table.contains("motion")) return;
  const toml::value& motion = toml::find(table, "motion");
  if (text_of(motion, "kind") != "sine" || !motion.contains("amplitude")) throw NotUnderstood("motion");
  obstacle.swing = vector_of(motion, "axis").normalized() * number_of(motion, "amplitude", 0.0);
  obstacle.frequency = number_of(motion, "frequency", 0.0);
  obstacle.phase = number_of(motion, "phase_deg", 0.0) * pi / 180.0;
}

RecordedObstacle obstacle_of(const toml::value& table) {
  RecordedObstacle obstacle;
  obstacle.name = text_of(table, "name");
  obstacle.position = vector_of(table, "position");
  obstacle.orientation = turn_of(table);
  read_motion(obstacle, table);
  const toml::value& shape = toml::find(table, "shape");
  const std::string kind = text_of(shape, "kind");
  obstacle.kind = kind == "shell"  ? RecordedObstacle::Kind::shell
                  : kind == "bore" ? RecordedObstacle::Kind::bore
                                   : RecordedObstacle::Kind::solids;
  obstacle.radius = number_of(shape, "radius", 0.0);
  if (obstacle.kind == RecordedObstacle::Kind::solids)
    for (const auto& [solid, says] : parts_of(table)) obstacle.solids.push_back(solid);
  return obstacle;
}

RecordedObstacle plane_of(const toml::value& table) {
  RecordedObstacle plane;
  plane.name = text_of(table, "name");
  plane.normal = vector_of(table, "normal").normalized();
  plane.position = vector_of(table, "point");
  read_motion(plane, table);
  return plane;
}

template <class Use>
void for_each_table(const toml::value& document, const char* key, Use use) {
  if (!document.contains(key)) return;
  for (const toml::value& table : toml::find(document, key).as_array()) use(table);
}

int index_of(const RecordedScene& scene, const std::string& name) {
  for (std::size_t k = 0; k < scene.bodies.size(); ++k)
    if (scene.bodies[k].name == name) return static_cast<int>(k);
  throw NotUnderstood("body " + name);
}

void read_forces(RecordedScene& scene, const toml::value& document) {
  const auto hold = [&](const toml::value& table) {
    scene.bodies[static_cast<std::size_t>(index_of(scene, text_of(table, "body")))].held = true;
  };
  for_each_table(document, "constraint", hold);
  for_each_table(document, "load", hold);
  for_each_table(document, "spring", [&](const toml::value& table) {
    RecordedSpring spring;
    const auto& names = toml::find(table, "bodies").as_array();
    spring.body_a = index_of(scene, names.at(0).as_string().str);
    if (names.size() > 1) spring.body_b = index_of(scene, names.at(1).as_string().str);
    spring.end_a.setZero();
    spring.end_b.setZero();
    if (table.contains("points")) {
      spring.end_a = vector(toml::find(table, "points").as_array().at(0));
      spring.end_b = vector(toml::find(table, "points").as_array().at(1));
    }
    spring.stiffness = number_of(table, "stiffness", 0.0);
    spring.rest_length = number_of(table, "rest_length", 0.0);
    scene.bodies[static_cast<std::size_t>(spring.body_a)].held = true;
    if (spring.body_b) scene.bodies[static_cast<std::size_t>(*spring.body_b)].held = true;
    scene.springs.push_back(spring);
  });
}

/// As placed: points and axes of the world become those of the bodies.
RecordedJoint joint_of(const RecordedScene& scene, const std::vector<toml::value>& bodies, const toml::value& table) {
  RecordedJoint joint;
  joint.name = text_of(table, "name");
  joint.kind = text_of(table, "kind");
  for (const char* key : {"start", "start_deg"})
    if (table.contains(key)) throw NotUnderstood(std::string(key) + " of a joint");
  if (table.contains("anchors") && joint.kind != "rod") throw NotUnderstood("anchors of a joint");
  joint.collide = table.contains("collide") && toml::find<bool>(table, "collide");
  if (table.contains("spring")) {
    const toml::value& spring = toml::find(table, "spring");
    if (spring.contains("rest") || spring.contains("rest_deg") || joint.kind == "cylindrical")
      throw NotUnderstood("spring of a joint");
    joint.stiffness = number_of(spring, "stiffness", 0.0);
  }
  const auto& names = toml::find(table, "bodies").as_array();
  const bool universal = joint.kind == "universal";
  const Vector3d axis = universal ? vector(toml::find(table, "axes").as_array().at(0)) : vector_of(table, "axis");
  // The axis is z of the frames, which are parallel.
  const Quaterniond frame =
      axis.isZero(0.0) ? Quaterniond::Identity() : Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis);
  std::array<Vector3d, 2> places;
  for (std::size_t k = 0; k < 2; ++k) {
    Vector3d position = Vector3d::Zero();
    Quaterniond turn = Quaterniond::Identity();
    if (k < names.size()) {
      joint.bodies[k] = index_of(scene, names.at(k).as_string().str);
      position = vector_of(bodies[static_cast<std::size_t>(*joint.bodies[k])], "position");
      turn = turn_of(bodies[static_cast<std::size_t>(*joint.bodies[k])]);
    }
    const Vector3d own = universal && k == 1 ? vector(toml::find(table, "axes").as_array().at(1)) : axis;
    joint.points[k] = joint.kind == "rod" ? vector(toml::find(table, "anchors").as_array().at(k))
                                          : Vector3d(turn.conjugate() * (vector_of(table, "point") - position));
    joint.axes[k] = turn.conjugate() * (own.isZero(0.0) ? own : own.normalized());
    joint.frames[k] = turn.conjugate() * frame;
    places[k] = position + turn * joint.points[k];
  }
  joint.length = number_of(table, "length", (places[0] - places[1]).norm());
  return joint;
}

void read_joints(RecordedScene& scene, const toml::value& document) {
  if (!document.contains("joint")) return;
  const auto& tables = toml::find(document, "joint").as_array();
  const auto& bodies = toml::find(document, "body").as_array();
  for (const toml::value& table : tables) {
    if (text_of(table, "kind") == "gear") {
      RecordedJoint& gear = scene.joints.emplace_back();
      gear.name = text_of(table, "name");
      gear.kind = "gear";
      gear.ratio = number_of(table, "ratio", 1.0);
      for (std::size_t k = 0; k < 2; ++k)
        for (std::size_t j = 0; j < tables.size(); ++j)
          if (text_of(tables[j], "name") == toml::find(table, "joints").as_array().at(k).as_string().str)
            gear.geared[k] = static_cast<int>(j);
      continue;
    }
    scene.joints.push_back(joint_of(scene, {bodies.begin(), bodies.end()}, table));
    for (const std::optional<int>& body : scene.joints.back().bodies)
      if (body) scene.bodies[static_cast<std::size_t>(*body)].held = true;
  }
}

}  // namespace

bool RecordedScene::pass_through(std::size_t a, std::size_t b) const {
  const auto avoids = [&](std::size_t one, std::size_t other) {
    return std::any_of(bodies[one].avoids.begin(), bodies[one].avoids.end(), [&](const std::string& group) {
      const auto& groups = bodies[other].groups;
      return std::find(groups.begin(), groups.end(), group) != groups.end();
    });
  };
  const auto holds = [&](const RecordedJoint& joint) {
    const std::optional<int> first = static_cast<int>(a), second = static_cast<int>(b);
    return !joint.collide && ((joint.bodies[0] == first && joint.bodies[1] == second) ||
                              (joint.bodies[0] == second && joint.bodies[1] == first));
  };
  return avoids(a, b) || avoids(b, a) || std::any_of(joints.begin(), joints.end(), holds);
}

double RecordedBody::size() const {
  double least = solids.front().size();
  for (const Solid& solid : solids) least = std::min(least, solid.size());
  return least;
}

double RecordedBody::reach() const {
  double farthest = 0.0;
  for (const Solid& solid : solids)
    farthest = std::max(farthest, (solids.size() > 1 ? solid.offset.norm() : 0.0) + solid.reach());
  return farthest;
}

bool RecordedObstacle::driven() const {
  return !velocity.isZero(0.0) || !angular_velocity.isZero(0.0) || !swing.isZero(0.0);
}

Vector3d RecordedObstacle::position_at(double time) const {
  return position + time * velocity + std::sin(2.0 * pi * frequency * time + phase) * swing;
}

Quaterniond RecordedObstacle::orientation_at(double time) const {
  const double rate = angular_velocity.norm();
  if (rate == 0.0) return orientation;
  return Quaterniond(Eigen::AngleAxisd(rate * time, angular_velocity / rate)) * orientation;
}

RecordedScene read_recorded_scene(const std::string& text) {
  std::istringstream stream(text);
  const toml::value document = toml::parse(stream, "scene");
  for (const char* key : {"fill", "rack", "cradle", "pocket", "dent", "shot", "when"})
    if (document.contains(key)) throw NotUnderstood(key);
  RecordedScene scene;
  if (document.contains("world")) scene.gravity = vector_of(toml::find(document, "world"), "gravity");
  if (document.contains("run")) scene.rtol = number_of(toml::find(document, "run"), "rtol", scene.rtol);
  for_each_table(document, "body", [&](const toml::value& table) { scene.bodies.push_back(body_of(table)); });
  for_each_table(document, "plane", [&](const toml::value& table) { scene.obstacles.push_back(plane_of(table)); });
  for_each_table(document, "obstacle",
                 [&](const toml::value& table) { scene.obstacles.push_back(obstacle_of(table)); });
  for_each_table(document, "pair", [&](const toml::value& table) {
    scene.has_friction = scene.has_friction || table.contains("friction") || table.contains("rough");
  });
  read_forces(scene, document);
  read_joints(scene, document);
  return scene;
}

}  // namespace carom::soak
