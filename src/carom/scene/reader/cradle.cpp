/// [[cradle]]: equal balls on rods in a row, Newton's cradle.
///
/// Ball i hangs from pivot + i d along `direction`, d = 2R + gap, at distance `length` below (against `up`). The first
/// `raised` balls are swung out by `angle_deg`, away from the row, and let go.

#include <cmath>
#include <numbers>

#include "carom/scene/format/sections.h"
#include "carom/scene/reader/reading.h"

namespace carom::scene {
namespace {

using Eigen::Vector3d;

/// Of one cradle.
struct Hanging {
  Vector3d pivot, along, up;
  double length = 0.0, distance = 0.0, angle = 0.0;
  std::int64_t count = 0, raised = 0;

  [[nodiscard]] Vector3d pivot_of(std::int64_t ball) const {
    return pivot + static_cast<double>(ball) * distance * along;
  }
  [[nodiscard]] Vector3d place_of(std::int64_t ball) const {
    const double swung = ball < raised ? angle : 0.0;
    return pivot_of(ball) - length * (std::sin(swung) * along + std::cos(swung) * up);
  }
};

Hanging read_hanging(const Fields& fields, double radius) {
  Hanging hanging;
  hanging.up = unit_vector(fields, "up", Vector3d::UnitZ());
  const Vector3d direction = unit_vector(fields, "direction", Vector3d::UnitX());
  hanging.along = direction - direction.dot(hanging.up) * hanging.up;
  if (hanging.along.norm() < 1e-9) {
    const auto given = fields.find("direction");
    const Entry at = given ? *given : fields.entry();
    throw InputError(Kind::out_of_range, at.place(), at.name() + " is parallel to up, expected one across it");
  }
  hanging.along.normalize();
  hanging.pivot = vector3(fields, "pivot");
  hanging.length = fields.number("length");
  hanging.distance = 2.0 * radius + fields.number("gap", 0.0);
  hanging.angle = fields.number("angle_deg", 30.0) * std::numbers::pi / 180.0;
  const auto count = fields.find("count");
  hanging.count = count ? as_integer(*count, 1, kMostCradleBalls) : 5;
  const auto raised = fields.find("raised");
  hanging.raised = raised ? as_integer(*raised, 0, hanging.count) : 1;
  return hanging;
}

}  // namespace

void read_cradles(Reading& reading) {
  reading.for_each("cradle", [&reading](const Fields& fields) {
    const Entry name = fields.at("name");
    Model& model = reading.model();
    reading.add_object(name, name.node->string(), ObjectKind::cradle, model.bodies.size());
    Body body = read_homogeneous_body(fields);
    const Hanging hanging = read_hanging(fields, only_shape<Sphere>(body.parts)->radius);
    body.material = reading.used_material(fields, true, hanging.count);
    body.groups = read_groups(fields);
    for (std::int64_t i = 0; i < hanging.count; ++i) {
      body.name = name.node->string() + "-" + std::to_string(i + 1);
      reading.add_object(name, body.name, ObjectKind::body, model.bodies.size());
      model.bodies.push_back(body);
      reading.state().bodies.push_back({.position = hanging.place_of(i)});
    }
  });
}

void add_cradle_constraints(Reading& reading) {
  reading.for_each("cradle", [&reading](const Fields& fields) {
    Model& model = reading.model();
    const int first = reading.cradle_start(fields.at("name"));
    const double radius = only_shape<Sphere>(model.bodies[static_cast<std::size_t>(first)].parts)->radius;
    const Hanging hanging = read_hanging(fields, radius);
    for (std::int64_t i = 0; i < hanging.count; ++i)
      model.constraints.emplace_back(RodConstraint{first + static_cast<int>(i), hanging.pivot_of(i), hanging.length});
  });
}

}  // namespace carom::scene
