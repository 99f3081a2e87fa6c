/// What a pool table has: racks of balls, cue shots, pockets; and dents, which bearings have.
///
/// [[rack]]: a triangle in the plane across `up`. Row r = 0, 1, … lies r d √3/2 from the apex along `direction`, its
/// balls q = 0 … r at (q − r/2) d sideways, along up × direction, with d = 2R + gap. For balls of
/// different size 2R is the least distance at which none overlap, so that two touch, and the others have wider gaps.
///
/// [[shot]]: the impulse p = m·speed·c along the cue c = h cos β − u sin β (h horizontal, u up, β elevation) acts at
/// the tip point, which lies a to the right (h × u) and b above the centre of the ball's face as seen along the cue.
/// The ball has the angular momentum (tip − centre) × p, that is J ω with J = ⅖ m R²; the cloth takes the downward part
/// of the impulse, so that the centre leaves at speed cos β along h. Beyond 0.7 R the tip slips off: a miscue.
/// [Alciatore, The illustrated principles of pool and billiards, 2004]

#include <cmath>
#include <numbers>

#include "carom/base/number.h"
#include "carom/base/random.h"
#include "carom/scene/format/sections.h"
#include "carom/scene/reader/arrangement.h"

namespace carom::scene {
namespace {

using Eigen::Vector3d;

/// Largest distance of the tip from the centre of the ball's face, relative to the radius.
constexpr double kMiscue = 0.7;
/// Two directions closer to parallel than this leave no plane, or no direction in it.
constexpr double kParallel = 1e-9;

double radians(double degrees) {
  return degrees * std::numbers::pi / 180.0;
}

/// The part of a direction across `up`, of length 1.
Vector3d across(const Vector3d& direction, const Vector3d& up, const Entry& entry) {
  const Vector3d part = direction - direction.dot(up) * up;
  if (part.norm() < kParallel) {
    throw InputError(Kind::out_of_range, entry.place(), entry.name() + " is parallel to up, expected one across it");
  }
  return part.normalized();
}

Vector3d rack_up(const Fields& fields) {
  return unit_vector(fields, "up", Vector3d::UnitZ());
}

Vector3d direction_across(const Fields& fields, const Vector3d& up) {
  const auto given = fields.find("direction");
  return across(unit_vector(fields, "direction", Vector3d::UnitX()), up, given ? *given : fields.entry());
}

/// A random point of the disc of this radius across `up`.
Vector3d random_shift(Random& random, double radius, const Vector3d& along, const Vector3d& side) {
  const double distance = radius * std::sqrt(random.uniform());
  const double angle = random.uniform(0.0, 2.0 * std::numbers::pi);
  return distance * (std::cos(angle) * along + std::sin(angle) * side);
}

/// At most the gap, so that no two balls overlap.
double read_random_gap(const Fields& fields, double gap) {
  const auto entry = fields.find("random_gap");
  if (!entry) return 0.0;
  const double random_gap = as_number(*entry);
  if (random_gap > gap) {
    entry->fail(Kind::out_of_range, "at most the gap " + format_number(gap) + ", so that no two balls overlap");
  }
  return random_gap;
}

std::int64_t row_count(const Fields& fields) {
  const auto given = fields.find("rows");
  return given ? as_integer(*given, 1, kMostRackRows) : 5;
}

/// The least distance of neighbours at which no two balls overlap: R_i + R_j of neighbours, (R_i + R_j)/√3 of the next
/// ones; those at twice the distance have room enough then. Twice the radius of a ball that is alone.
double least_distance(const Arrangement& arrangement, std::int64_t rows) {
  struct Step {
    std::int64_t row, place;
    double length;
  };
  const Step steps[] = {
      {0, 1, 1.0}, {1, 0, 1.0}, {1, 1, 1.0}, {1, 2, std::sqrt(3.0)}, {1, -1, std::sqrt(3.0)}, {2, 1, std::sqrt(3.0)}};
  const auto number = [](std::int64_t row, std::int64_t place) { return row * (row + 1) / 2 + place; };
  double least = rows == 1 ? 2.0 * arrangement.radius(0) : 0.0;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t place = 0; place <= row; ++place) {
      const double radius = arrangement.radius(number(row, place));
      for (const Step& step : steps) {
        const std::int64_t other_row = row + step.row;
        const std::int64_t other = place + step.place;
        if (other_row >= rows || other < 0 || other > other_row) continue;
        least = std::max(least, (radius + arrangement.radius(number(other_row, other))) / step.length);
      }
    }
  }
  return least;
}

}  // namespace

std::int64_t count_rack(const Fields& fields) {
  const std::int64_t rows = row_count(fields);
  return rows * (rows + 1) / 2;
}

std::vector<BodyState> place_rack(const Arrangement& arrangement) {
  const Fields& fields = arrangement.fields;
  const Vector3d up = rack_up(fields);
  const Vector3d along = direction_across(fields, up);
  const Vector3d side = up.cross(along);
  const Vector3d apex = vector3(fields, "apex");
  const double gap = fields.number("gap", 0.0);
  const double random_gap = read_random_gap(fields, gap);
  const std::int64_t rows = row_count(fields);
  const double distance = least_distance(arrangement, rows) + gap;
  Random random(static_cast<std::uint64_t>(arrangement.seed));
  std::vector<BodyState> states;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t place = 0; place <= row; ++place) {
      const double offset = static_cast<double>(place) - 0.5 * static_cast<double>(row);
      Vector3d& position = states.emplace_back().position;
      position = apex + static_cast<double>(row) * distance * std::sqrt(3.0) / 2.0 * along + offset * distance * side;
      if (random_gap > 0.0) position += random_shift(random, 0.5 * random_gap, along, side);
    }
  }
  return states;
}

namespace {

/// The cue of a shot: where it points, and the two axes across it.
struct Cue {
  Vector3d horizontal, right, along, above;
};

Cue read_cue(const Fields& fields) {
  const Vector3d up = rack_up(fields);
  const Entry given = *one_of(fields, {"direction_deg", "direction"}, true);
  Cue cue;
  if (fields.find("direction_deg")) {
    const Vector3d x = across(std::abs(up.x()) < 1.0 - kParallel ? Vector3d::UnitX() : Vector3d::UnitY(), up, given);
    const double angle = radians(as_number(given));
    cue.horizontal = std::cos(angle) * x + std::sin(angle) * up.cross(x);
  } else {
    cue.horizontal = direction_across(fields, up);
  }
  const double elevation = radians(fields.number("elevation_deg", 0.0));
  cue.right = cue.horizontal.cross(up);
  cue.along = std::cos(elevation) * cue.horizontal - std::sin(elevation) * up;
  cue.above = cue.right.cross(cue.along);
  return cue;
}

/// The tip point seen from the centre, across the cue (what lies along it turns nothing).
Vector3d read_tip(const Fields& fields, const Cue& cue, double radius) {
  const auto entry = fields.find("tip_offset");
  if (!entry) return Vector3d::Zero();
  const Vector offset = as_vector(*entry);
  if (offset.norm() > kMiscue * radius) {
    throw InputError(Kind::out_of_range, entry->place(),
                     entry->name() + " is " + format_number(offset.norm()) +
                         " m from the centre of the face, expected " +
                         "at most 0.7 R = " + format_number(kMiscue * radius) + " m, beyond which the cue slips off");
  }
  return offset[0] * cue.right + offset[1] * cue.above;
}

void strike(Reading& reading, const Fields& fields) {
  const Entry name = fields.at("body");
  const std::size_t index = reading.body(name);
  const Body& body = reading.model().bodies[index];
  const Sphere* const ball = only_shape<Sphere>(body.parts);
  if (ball == nullptr) {
    throw InputError(Kind::unsupported, name.place(),
                     name.name() + " is a " + std::string(shape_name(body.parts)) + ", expected a sphere");
  }
  BodyState& motion = reading.state().bodies[index];
  if (!motion.velocity.isZero(0.0) || !motion.angular_velocity.isZero(0.0)) {
    throw InputError(Kind::unsupported, name.place(),
                     name.name() + " moves already, expected a ball at rest and struck once");
  }
  const Cue cue = read_cue(fields);
  const double speed = fields.number("speed");
  const Vector3d spin = body.mass * speed * read_tip(fields, cue, ball->radius).cross(cue.along);
  // With a given inertia the ball's frame matters; without, J is the same about every axis.
  const Eigen::Quaterniond principal = motion.orientation * body.principal_axes;
  motion.angular_velocity = principal * (principal.conjugate() * spin).cwiseQuotient(body.inertia);
  motion.velocity = speed * cue.along.dot(cue.horizontal) * cue.horizontal;
}

/// `round`: seen from the centre, not from the axis.
Vector3d read_dent_direction(const Fields& fields, bool round) {
  const Entry given = *one_of(fields, {"angle_deg", "direction"}, true);
  if (fields.find("angle_deg")) {
    const double angle = radians(as_number(given));
    return {std::cos(angle), std::sin(angle), 0.0};
  }
  Vector3d direction = unit_vector(fields, "direction");
  if (round) return direction;
  return across(direction, Vector3d::UnitZ(), given);  // of a cylinder only the angle about its axis counts
}

}  // namespace

void add_rack_constraints(Reading& reading) {
  reading.for_each("rack", [&reading](const Fields& fields) {
    if (!fields.boolean("planar", false)) return;
    const std::string prefix = fields.string("name") + "-";
    Model& model = reading.model();
    const Vector3d normal = rack_up(fields);
    const int first = reading.rack_start(fields.at("name"));
    for (int i = first; i < model.body_count(); ++i) {
      if (!model.bodies[i].name.starts_with(prefix)) break;
      model.constraints.emplace_back(PlanarConstraint{i, normal});
    }
  });
}

void read_shots(Reading& reading) {
  reading.for_each("shot", [&reading](const Fields& fields) { strike(reading, fields); });
}

void read_pockets(Reading& reading) {
  reading.for_each("pocket", [&reading](const Fields& fields) {
    const Entry name = fields.at("name");
    std::vector<Pocket>& pockets = reading.model().pockets;
    reading.add_object(name, name.node->string(), ObjectKind::pocket, pockets.size());
    pockets.push_back({.name = name.node->string(),
                       .centre = vector3(fields, "position"),
                       .axis = unit_vector(fields, "axis", Vector3d::UnitZ()),
                       .radius = fields.number("radius")});
  });
}

void read_dents(Reading& reading) {
  reading.for_each("dent", [&reading](const Fields& fields) {
    const Entry on = fields.at("on");
    const int object = reading.any_object(on);
    const Parts& parts = reading.model().parts(object);
    const bool round = only_shape<Sphere>(parts) != nullptr || only_shape<Shell>(parts) != nullptr;
    if (!round && only_shape<Cylinder>(parts) == nullptr && only_shape<Bore>(parts) == nullptr) {
      throw InputError(
          Kind::unsupported, on.place(),
          on.name() + " is a " + std::string(shape_name(parts)) + ", expected a sphere, a cylinder, a bore or a shell");
    }
    reading.model().dents.push_back({.object = object,
                                     .direction = read_dent_direction(fields, round),
                                     .half_width = radians(fields.number("half_width_deg")),
                                     .depth = fields.number("depth")});
  });
}

}  // namespace carom::scene
