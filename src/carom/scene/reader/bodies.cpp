/// Bodies, planes and obstacles: where they are and how they move.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/base/utf8.h"
#include "carom/mechanics/attitude.h"
#include "carom/scene/format/sections.h"
#include "carom/scene/reader/reading.h"

namespace carom::scene {
namespace {

/// What planes and obstacles have in common.
void read_common(const Fields& fields, Obstacle& obstacle) {
  obstacle.name = fields.at("name").node->string();
  obstacle.velocity = vector3(fields, "velocity");
  obstacle.angular_velocity = vector3(fields, "angular_velocity");
  obstacle.motion = read_driven_motion(fields);
  obstacle.groups = read_groups(fields);
}

void add_obstacle(Reading& reading, const Fields& fields, Obstacle obstacle) {
  const ObjectKind kind = is_plane(obstacle.parts) ? ObjectKind::plane : ObjectKind::obstacle;
  obstacle.material = reading.used_material(fields, false);
  std::vector<Obstacle>& obstacles = reading.model().obstacles;
  read_colour(reading, fields);
  reading.add_object(fields.at("name"), obstacle.name, kind, obstacles.size());
  obstacles.push_back(std::move(obstacle));
}

/// A hollow body: its mass and inertia do not follow from its shape.
FramedBody read_hollow_body(const Fields& fields) {
  FramedBody framed;
  framed.body.name = fields.string("name");
  framed.body.parts = read_parts(fields.at("shape"));
  framed.body.mass = fields.number("mass");
  (void)fields.at("inertia");
  return framed;
}

}  // namespace

BodyState read_motion(const Fields& fields, const Eigen::Vector3d& centre) {
  BodyState motion;
  motion.position = vector3(fields, "position");
  motion.orientation = read_orientation(fields);
  motion.velocity = vector3(fields, "velocity");
  if (const auto spin = one_of(fields, {"angular_velocity", "angular_velocity_body"}, false)) {
    const bool in_body_frame = fields.find("angular_velocity_body").has_value();
    motion.angular_velocity = as_vector(*spin);
    if (in_body_frame) motion.angular_velocity = motion.orientation * motion.angular_velocity;
  }
  if (centre.isZero(0.0) || fields.string(kPositionOf, kOfShape) == kOfCentreOfMass) return motion;
  const Eigen::Vector3d arm = motion.orientation * centre;
  motion.position += arm;
  motion.velocity += motion.angular_velocity.cross(arm);
  return motion;
}

FramedBody read_body(const Fields& fields) {
  const bool hollow = fields_of(fields.at("shape"), body_shapes()).kind == shape_name(ShapeKind::bore);
  FramedBody framed = hollow ? read_hollow_body(fields) : read_framed_body(fields);
  if (fields.find("centre_of_mass")) move_centre(framed, vector3(fields, "centre_of_mass"));
  if (const auto inertia = fields.find("inertia")) read_inertia(*inertia, framed.body);
  return framed;
}

Eigen::Vector3d vector3(const Fields& fields, std::string_view key) {
  // Three numbers as they stand need no path for a message.
  const Node* const node = fields.entry().node->find(key);
  if (node != nullptr && node->is(Node::Type::array) && node->array().size() == 3) {
    const Array& numbers = node->array();
    const auto is_good = [](const Node& one) { return one.is_number() && std::isfinite(one.number()); };
    if (std::all_of(numbers.begin(), numbers.end(), is_good))
      return {numbers[0].number(), numbers[1].number(), numbers[2].number()};
  }
  const std::optional<Entry> entry = fields.find(key);
  return entry ? Eigen::Vector3d(as_vector(*entry)) : Eigen::Vector3d(Eigen::Vector3d::Zero());
}

Eigen::Vector3d unit_vector(const Fields& fields, std::string_view key) {
  const Eigen::Vector3d direction = vector3(fields, key);
  // Divided by its largest entry first, so that no square leaves the range of double.
  return (direction / direction.cwiseAbs().maxCoeff()).normalized();
}

Eigen::Vector3d unit_vector(const Fields& fields, std::string_view key, const Eigen::Vector3d& absent) {
  return fields.find(key) ? unit_vector(fields, key) : absent;
}

Eigen::Quaterniond read_orientation(const Fields& fields) {
  const std::optional<Entry> entry = fields.find("orientation");
  if (!entry) return Eigen::Quaterniond::Identity();
  const Fields keys(*entry);
  const Entry given = *one_of(keys, {"bryan_deg", "bryan_rad", "quaternion"}, true);
  Vector numbers = as_vector(given);
  if (numbers.size() == 4) return checked_attitude({numbers[0], numbers[1], numbers[2], numbers[3]}, given.path);
  if (keys.find("bryan_deg")) numbers = numbers * std::numbers::pi / 180.0;
  return attitude_from_bryan({numbers[0], numbers[1], numbers[2]}, given.path);
}

std::optional<Entry> one_of(const Fields& fields, std::initializer_list<std::string_view> keys, bool one_is_needed) {
  std::optional<Entry> found;
  for (const std::string_view key : keys) {
    const std::optional<Entry> entry = fields.find(key);
    if (!entry) continue;
    if (found) {
      throw InputError(Kind::duplicate_name, entry->place(),
                       entry->name() + " is given beside '" + found->path.substr(found->path.rfind('.') + 1) +
                           "', expected only one of the two");
    }
    found = entry;
  }
  if (!found && one_is_needed) {
    const Entry& table = fields.entry();
    std::string list;
    for (const std::string_view key : keys) list += (list.empty() ? "'" : " or '") + std::string(key) + "'";
    throw InputError(Kind::missing_field, table.source->place(table.node->mark(), join_path(table.path, *keys.begin())),
                     table.name() + (keys.size() == 2 ? " has neither" : " has none") + ", expected one of " + list);
  }
  return found;
}

void read_bodies(Reading& reading) {
  reading.for_each("body", [&reading](const Fields& fields) {
    Model& model = reading.model();
    const Entry name = fields.at("name");
    reading.add_object(name, name.node->string(), ObjectKind::body, model.bodies.size());
    FramedBody framed = read_body(fields);
    framed.body.material = reading.used_material(fields, true);
    framed.body.groups = read_groups(fields);
    read_colour(reading, fields);
    reading.state().bodies.push_back(read_motion(fields, framed.centre));
    reading.set_centre(static_cast<int>(model.bodies.size()), framed.centre);
    model.bodies.push_back(std::move(framed.body));
  });
}

Pose read_pose_of_plane(const Fields& fields) {
  return half_space_pose(unit_vector(fields, "normal"), vector3(fields, "point"));
}

Obstacle read_plane(const Fields& fields) {
  Obstacle plane;
  plane.pose = read_pose_of_plane(fields);
  read_common(fields, plane);
  return plane;
}

Obstacle read_obstacle(const Fields& fields) {
  Obstacle obstacle;
  obstacle.parts = read_parts(fields.at("shape"));
  obstacle.pose = {.position = vector3(fields, "position"), .orientation = read_orientation(fields)};
  read_common(fields, obstacle);
  return obstacle;
}

void read_obstacles(Reading& reading) {
  reading.for_each("plane", [&](const Fields& fields) { add_obstacle(reading, fields, read_plane(fields)); });
  reading.for_each("obstacle", [&](const Fields& fields) { add_obstacle(reading, fields, read_obstacle(fields)); });
}

}  // namespace carom::scene
