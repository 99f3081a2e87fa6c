/// Constraints, springs and loads.

#include "carom/scene/format/sections.h"
#include "carom/scene/reader/reading.h"

namespace carom::scene {
namespace {

Constraint read_constraint(const Reading& reading, const Entry& entry) {
  const auto [kind, fields] = fields_of(entry, constraint_kinds());
  const int body = reading.body(fields.at("body"));
  if (kind == "rolling") return RollingConstraint{body, reading.plane(fields.at("plane"))};
  if (kind == "rod") return RodConstraint{body, vector3(fields, "pivot"), fields.number("length")};
  return PlanarConstraint{body, unit_vector(fields, "normal")};
}

}  // namespace

void read_constraints(Reading& reading) {
  reading.for_each("constraint", [&reading](const Fields& fields) {
    reading.model().constraints.push_back(read_constraint(reading, fields.entry()));
  });
  add_rack_constraints(reading);
  add_cradle_constraints(reading);
}

void read_springs(Reading& reading) {
  reading.for_each("spring", [&reading](const Fields& fields) {
    const std::vector<Entry> bodies = as_entries(fields.at("bodies"));
    Spring spring;
    spring.body_a = reading.body(bodies[0]);
    if (bodies.size() == 2) {
      spring.body_b = reading.body(bodies[1]);
      if (spring.body_a == spring.body_b) bodies[1].fail(Kind::duplicate_name, "another body than the first");
    }
    if (fields.find("points")) {
      const Matrix points = fields.matrix("points");
      spring.point_a = points.row(0).transpose();
      spring.point_b = points.row(1).transpose();
    }
    spring.stiffness = fields.number("stiffness");
    spring.damping = fields.number("damping", 0.0);
    spring.rest_length = fields.number("rest_length", 0.0);
    spring.point_a -= reading.centre(spring.body_a);
    if (bodies.size() == 2) spring.point_b -= reading.centre(spring.body_b);
    reading.model().springs.push_back(spring);
  });
}

Load read_load(const Fields& fields) {
  Load load;
  load.force = vector3(fields, "force");
  load.torque = vector3(fields, "torque");
  load.damping = fields.number("damping", 0.0);
  load.angular_damping = fields.number("angular_damping", 0.0);
  return load;
}

void read_loads(Reading& reading) {
  reading.for_each("load", [&reading](const Fields& fields) {
    Load load = read_load(fields);
    load.body = reading.body(fields.at("body"));
    reading.model().loads.push_back(load);
  });
}

}  // namespace carom::scene
