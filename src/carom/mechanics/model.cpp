#include "carom/mechanics/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/error.h"
#include "carom/base/nearest_name.h"
#include "carom/geometry/mass_properties.h"
#include "carom/mechanics/attitude.h"
#include "carom/mechanics/check_finite.h"
#include "carom/mechanics/check_list.h"

namespace carom {

namespace {

/// Room for round-off in J_i ≤ J_j + J_k, relative to the right side; a flat body has equality.
constexpr double kInertiaRoundOff = 1e-12;
/// How far unit vectors and unit quaternions of a model may be from unit length.
constexpr double kUnitLength = 1e-9;
/// How far a prism's centroid may be from the origin of its frame, relative to its bounding radius.
constexpr double kCentroid = 1e-9;

[[noreturn]] void refuse(Kind kind, const std::string& field, double value, const char* expected) {
  throw InputError{kind, field, fmt::format("{} is {}, expected {}", field, value, expected)};
}

void check_positive(double value, const std::string& field) {
  check_finite(value, field);
  if (value <= 0.0) refuse(Kind::out_of_range, field, value, "a number > 0");
}

void check_not_negative(double value, const std::string& field) {
  check_finite(value, field);
  if (value < 0.0) refuse(Kind::out_of_range, field, value, "a number >= 0");
}

void check_index(int index, std::size_t count, const std::string& field) {
  if (index < 0 || static_cast<std::size_t>(index) >= count) {
    throw InputError{Kind::out_of_range, field,
                     fmt::format("{} is {}, expected an index below {}", field, index, count)};
  }
}

void check_unit(const Eigen::Quaterniond& turn, const std::string& field) {
  if (!turn.coeffs().allFinite()) refuse(Kind::not_finite, field, turn.coeffs().sum(), "a finite quaternion");
  const double length = turn.coeffs().stableNorm();
  if (!(std::abs(length - 1.0) <= kUnitLength)) {
    throw InputError{Kind::out_of_range, field,
                     fmt::format("{} has length {}, expected a quaternion of length 1", field, length)};
  }
}

/// Entries are named by their name where they have one, as in `body.egg`, by their index otherwise.
std::string entry_path(const char* section, const std::string& name, std::size_t index) {
  return name.empty() ? fmt::format("{}.{}", section, index) : fmt::format("{}.{}", section, name);
}

void check_materials(const Model& model) {
  for (std::size_t i = 0; i < model.materials.size(); ++i) {
    const Material& material = model.materials[i];
    const std::string path = entry_path("material", material.name, i);
    if (material.young) check_positive(*material.young, path + ".young");
    if (!material.poisson) continue;
    check_finite(*material.poisson, path + ".poisson");
    if (*material.poisson <= -1.0 || *material.poisson >= 0.5) {
      refuse(Kind::out_of_range, path + ".poisson", *material.poisson, "a number > -1 and < 0.5");
    }
  }
}

void check_rule(const PairRule& rule, const std::string& path) {
  validate(rule.restitution, path + ".restitution");
  if (rule.stiffness) check_positive(*rule.stiffness, path + ".stiffness");
  const auto [static_friction, kinetic_friction] = rule.friction;
  check_not_negative(static_friction, path + ".friction.static");
  check_not_negative(kinetic_friction, path + ".friction.kinetic");
  check_not_negative(rule.resistance.rolling, path + ".friction.rolling");
  check_not_negative(rule.resistance.spinning, path + ".friction.spinning");
  check_positive(rule.resistance.rolling_speed, path + ".friction.rolling_speed");
  if (kinetic_friction > static_friction)
    throw InputError{Kind::out_of_range, path + ".friction.kinetic",
                     fmt::format("{}.friction.kinetic is {}, expected at most the static coefficient, {}", path,
                                 kinetic_friction, static_friction)};
  if (rule.tangential_restitution && !(std::abs(*rule.tangential_restitution) <= 1.0))
    throw InputError{Kind::out_of_range, path + ".tangential_restitution",
                     fmt::format("{}.tangential_restitution is {}, expected a number from −1 to 1", path,
                                 *rule.tangential_restitution)};
}

void check_rules(const Model& model) {
  const std::size_t count = model.materials.size();
  if (model.rules.empty()) return;
  if (model.rules.size() != count * count) {
    throw InputError{Kind::size_mismatch, "rules",
                     fmt::format("rules has {} entries, expected {}, one for each two materials", model.rules.size(),
                                 count * count)};
  }
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      const PairRule& rule = model.rules[i * count + j];
      const PairRule& exchanged = model.rules[j * count + i];
      const std::string path = fmt::format("rules.{}.{}", i, j);
      check_rule(rule, path);
      if (!(rule.restitution == exchanged.restitution) || rule.rough != exchanged.rough ||
          rule.stiffness != exchanged.stiffness || rule.friction != exchanged.friction ||
          rule.resistance != exchanged.resistance || rule.tangential_restitution != exchanged.tangential_restitution) {
        throw InputError{Kind::out_of_range, path,
                         fmt::format("{} differs from rules.{}.{}, expected the same rule in both orders", path, j, i)};
      }
    }
  }
}

void check_material(const Model& model, int material, const std::string& field) {
  if (material != kNone) check_index(material, model.materials.size(), field);
}

void check_inertia(const Eigen::Vector3d& inertia, const std::string& field) {
  for (int i = 0; i < 3; ++i) check_positive(inertia[i], fmt::format("{}.{}", field, i));
  for (int i = 0; i < 3; ++i) {
    const double others = inertia[(i + 1) % 3] + inertia[(i + 2) % 3];
    if (inertia[i] <= others * (1.0 + kInertiaRoundOff)) continue;
    throw InputError{Kind::out_of_range, fmt::format("{}.{}", field, i),
                     fmt::format("{}.{} is {}, expected at most the sum {} of the other two, as no body has more",
                                 field, i, inertia[i], others)};
  }
}

/// The field of one of the parts: that of the shape where there is one only.
std::string part_path(const Parts& parts, const std::string& path, std::size_t index) {
  return parts.size() == 1 ? path + ".shape" : fmt::format("{}.shape.parts.{}", path, index);
}

template <class Allowed>
void check_parts(const Parts& parts, const std::string& path, const Allowed& allowed) {
  if (parts.empty())
    throw InputError{Kind::missing_field, path + ".shape", fmt::format("{}.shape has no parts, expected one", path)};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string field = part_path(parts, path, i);
    const Part& part = parts[i];
    if (!allowed(part.shape)) {
      const char* const what = parts.size() == 1 ? "which can be an obstacle only" : "which cannot be a part";
      throw InputError{Kind::unsupported, field, fmt::format("{} is a {}, {}", field, shape_name(part.shape), what)};
    }
    validate(part.shape, field);
    check_finite(part.placement.position, field + ".position");
    check_unit(part.placement.orientation, field + ".orientation");
  }
}

void check_body(const Model& model, std::size_t index) {
  const Body& body = model.bodies[index];
  const std::string path = entry_path("body", body.name, index);
  // A bore is a ring whose outside nobody asks for; its mass and inertia are given.
  check_parts(body.parts, path, [&](const Shape& shape) {
    return is_solid(shape_kind(shape)) || (std::holds_alternative<Bore>(shape) && body.parts.size() == 1);
  });
  if (const Prism* prism = only_shape<Prism>(body.parts)) {
    const double off = mass_properties(*prism).centroid.norm();
    if (off > kCentroid * bounding_radius(*prism)) {
      throw InputError{Kind::out_of_range, path + ".shape.vertices",
                       fmt::format("{}.shape.vertices have their centroid {} from the origin, expected a prism about "
                                   "its centroid",
                                   path, off)};
    }
  }
  check_positive(body.mass, path + ".mass");
  check_inertia(body.inertia, path + ".inertia");
  check_unit(body.principal_axes, path + ".principal_axes");
  check_material(model, body.material, path + ".material");
}

void check_obstacle(const Model& model, std::size_t index) {
  const Obstacle& obstacle = model.obstacles[index];
  const bool plane = is_plane(obstacle.parts);
  const std::string path = entry_path(plane ? "plane" : "obstacle", obstacle.name, index);
  check_parts(obstacle.parts, path, [&](const Shape& shape) {
    return !std::holds_alternative<HalfSpace>(shape) || only_shape(obstacle.parts) != nullptr;
  });
  check_finite(obstacle.pose.position, path + (plane ? ".point" : ".position"));
  check_unit(obstacle.pose.orientation, path + (plane ? ".normal" : ".orientation"));
  check_finite(obstacle.velocity, path + ".velocity");
  check_finite(obstacle.angular_velocity, path + ".angular_velocity");
  check_material(model, obstacle.material, path + ".material");
  if (!obstacle.motion) return;
  validate(*obstacle.motion, path + ".motion");
  if (obstacle.velocity.isZero(0.0) && obstacle.angular_velocity.isZero(0.0)) return;
  throw InputError{Kind::duplicate_name, path + ".motion",
                   path + ".motion is given beside a velocity, expected only one of the two"};
}

void check_load(const Model& model, std::size_t index) {
  const Load& load = model.loads[index];
  const std::string path = fmt::format("load.{}", index);
  check_index(load.body, model.bodies.size(), path + ".body");
  check_finite(load.force, path + ".force");
  check_finite(load.torque, path + ".torque");
  check_not_negative(load.damping, path + ".damping");
  check_not_negative(load.angular_damping, path + ".angular_damping");
}

void check_spring(const Model& model, std::size_t index) {
  const Spring& spring = model.springs[index];
  const std::string path = fmt::format("spring.{}", index);
  check_index(spring.body_a, model.bodies.size(), path + ".bodies.0");
  if (spring.body_b != kNone) check_index(spring.body_b, model.bodies.size(), path + ".bodies.1");
  check_finite(spring.point_a, path + ".points.0");
  check_finite(spring.point_b, path + ".points.1");
  check_not_negative(spring.stiffness, path + ".stiffness");
  check_not_negative(spring.damping, path + ".damping");
  check_not_negative(spring.rest_length, path + ".rest_length");
}

struct ConstraintCheck {
  const Model& model;
  std::string path;

  void operator()(const RollingConstraint& rolling) const {
    check_index(rolling.body, model.bodies.size(), path + ".body");
    check_index(rolling.plane, model.obstacles.size(), path + ".plane");
    const Obstacle& plane = model.obstacles[static_cast<std::size_t>(rolling.plane)];
    if (model.bodies[rolling.body].parts.size() > 1) {
      throw InputError{Kind::unsupported, path + ".body",
                       fmt::format("{}.body is '{}', made of several parts, expected a body of one shape", path,
                                   model.bodies[rolling.body].name)};
    }
    if (is_plane(plane.parts)) return;
    throw InputError{
        Kind::unsupported, path + ".plane",
        fmt::format("{}.plane is '{}', a {}, expected a plane", path, plane.name, shape_name(plane.parts))};
  }
  void operator()(const RodConstraint& rod) const {
    check_index(rod.body, model.bodies.size(), path + ".body");
    check_finite(rod.pivot, path + ".pivot");
    check_positive(rod.length, path + ".length");
  }
  void operator()(const PlanarConstraint& planar) const {
    check_index(planar.body, model.bodies.size(), path + ".body");
    check_finite(planar.normal, path + ".normal");
    const double length = planar.normal.stableNorm();
    if (length == 0.0) {
      throw InputError{Kind::zero_normal, path + ".normal", path + ".normal is all zeros, expected a direction"};
    }
    if (std::abs(length - 1.0) > kUnitLength) {
      refuse(Kind::out_of_range, path + ".normal", length, "a vector of length 1");
    }
  }
};

void check_direction(const Eigen::Vector3d& direction, const std::string& field) {
  check_finite(direction, field);
  if (std::abs(direction.norm() - 1.0) > kUnitLength)
    refuse(Kind::out_of_range, field, direction.norm(), "a vector of length 1");
}

void check_pocket(const Pocket& pocket, std::size_t index) {
  const std::string path = pocket.name.empty() ? fmt::format("pocket.{}", index) : "pocket." + pocket.name;
  check_finite(pocket.centre, path + ".position");
  check_direction(pocket.axis, path + ".axis");
  check_positive(pocket.radius, path + ".radius");
}

void check_dent(const Model& model, const Dent& dent, std::size_t index) {
  const std::string path = fmt::format("dent.{}", index);
  if (dent.object < 0 || dent.object >= model.object_count())
    throw InputError{Kind::out_of_range, path + ".on", path + ".on names no object"};
  const Parts& parts = model.parts(dent.object);
  if (only_shape<Sphere>(parts) == nullptr && only_shape<Cylinder>(parts) == nullptr &&
      only_shape<Bore>(parts) == nullptr && only_shape<Shell>(parts) == nullptr) {
    throw InputError{Kind::unsupported, path + ".on",
                     fmt::format("{}.on is '{}', a {}; expected a sphere, a cylinder, a bore or a shell", path,
                                 model.name(dent.object), shape_name(parts))};
  }
  check_direction(dent.direction, path + ".direction");
  check_positive(dent.half_width, path + ".half_width_deg");
  if (dent.half_width > 1.5707963267948966)
    refuse(Kind::out_of_range, path + ".half_width_deg", dent.half_width, "an angle of at most a right one");
  check_finite(dent.depth, path + ".depth");
  if (dent.depth < 0.0) refuse(Kind::out_of_range, path + ".depth", dent.depth, "a depth of at least 0");
}

/// Every group that is avoided has a member.
void check_groups(const Model& model) {
  std::vector<std::string_view> known;
  for (ObjectIndex i = 0; i < model.object_count(); ++i)
    for (const std::string& name : model.groups(i).names) known.emplace_back(name);
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  for (ObjectIndex i = 0; i < model.object_count(); ++i) {
    const std::vector<std::string>& avoided = model.groups(i).avoided;
    for (std::size_t k = 0; k < avoided.size(); ++k) {
      if (std::binary_search(known.begin(), known.end(), std::string_view(avoided[k]))) continue;
      const char* section = model.is_body(i) ? "body" : (is_plane(model.parts(i)) ? "plane" : "obstacle");
      throw InputError{Kind::unknown_name, fmt::format("{}.avoid.{}", entry_path(section, model.name(i), i.slot()), k),
                       unknown_name_message("group", avoided[k], known)};
    }
  }
}

void check_model(const Model& model, const CheckList& checks) {
  checks.attempt([&] { check_finite(model.gravity, "world.gravity"); });
  checks.attempt([&] { check_materials(model); });
  checks.attempt([&] { check_rules(model); });
  const auto each = [&checks](std::size_t count, const auto& check) {
    for (std::size_t i = 0; i < count; ++i) checks.attempt([&] { check(i); });
  };
  each(model.bodies.size(), [&](std::size_t i) { check_body(model, i); });
  each(model.obstacles.size(), [&](std::size_t i) { check_obstacle(model, i); });
  checks.attempt([&] { check_groups(model); });
  each(model.loads.size(), [&](std::size_t i) { check_load(model, i); });
  each(model.springs.size(), [&](std::size_t i) { check_spring(model, i); });
  each(model.constraints.size(), [&](std::size_t i) {
    std::visit(ConstraintCheck{model, fmt::format("constraint.{}", i)}, model.constraints[i]);
  });
  each(model.joints.size(), [&](std::size_t i) { validate(model, JointIndex(static_cast<int>(i))); });
  each(model.pockets.size(), [&](std::size_t i) { check_pocket(model.pockets[i], i); });
  each(model.dents.size(), [&](std::size_t i) { check_dent(model, model.dents[i], i); });
}

}  // namespace

Body homogeneous_body(std::string name, const Shape& shape, double mass) {
  const std::string path = name.empty() ? "body" : "body." + name;
  if (!is_solid(shape_kind(shape))) {
    throw InputError{Kind::unsupported, path + ".shape",
                     fmt::format("{}.shape is a {}, which can be an obstacle only", path, shape_name(shape))};
  }
  validate(shape, path + ".shape");
  check_positive(mass, path + ".mass");
  const MassProperties properties = mass_properties(shape);
  Body body;
  body.name = std::move(name);
  const Prism* const prism = std::get_if<Prism>(&shape);
  body.parts = one_part(prism != nullptr ? Shape(about_centroid(*prism)) : shape);
  if (prism == nullptr) body.parts.front().placement.position -= properties.centroid;
  body.mass = mass;
  body.inertia = mass * properties.inertia_per_mass;
  body.principal_axes = properties.principal_axes;
  return body;
}

FrameMotion Obstacle::motion_at(double time, double carry) const {
  if (motion) return motion->at(pose, time, carry);
  FrameMotion now;
  now.pose = pose;
  if (!driven()) return now;
  now.pose = {.position = pose.position + time * velocity,
              .orientation = (rotation_by(time * angular_velocity) * pose.orientation).normalized()};
  now.velocity = velocity;
  now.angular_velocity = angular_velocity;
  return now;
}

const ForceRule& Model::force_rule(MaterialIndex a, MaterialIndex b) const {
  static const ForceRule kElasticAndSmooth;
  if (a == kNone || b == kNone || forces.empty()) return kElasticAndSmooth;
  return forces[a.slot() * materials.size() + b.slot()];
}

PairRule Model::rule(MaterialIndex a, MaterialIndex b) const {
  if (a == kNone || b == kNone || rules.empty()) return {};
  return rules[a.slot() * materials.size() + b.slot()];
}

void validate(const Model& model) {
  check_model(model, CheckList(nullptr));
}

std::vector<InputError> complaints(const Model& model) {
  std::vector<InputError> list;
  check_model(model, CheckList(&list));
  return list;
}

}  // namespace carom
