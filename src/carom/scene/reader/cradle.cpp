/// [[cradle]]: balls on rods in a row, Newton's cradle.
///
/// All centres hang at one height, at distance `length` below their pivots (against `up`), and the pivots follow each
/// other along `direction` at the distances R_i + R_{i+1} + gap, so that neighbours of any size touch at the height of
/// their centres. The first `raised` balls are swung out by `angle_deg`, away from the row, and let go.

#include <cmath>
#include <numbers>

#include "carom/scene/format/sections.h"
#include "carom/scene/reader/arrangement.h"

namespace carom::scene {
namespace {

using Eigen::Vector3d;

/// Of one cradle.
struct Hanging {
  Vector3d pivot, along, up;
  double length = 0.0, angle = 0.0;
  std::int64_t raised = 0;
  std::vector<double> offsets;  ///< of the pivots along the row

  [[nodiscard]] Vector3d pivot_of(std::int64_t ball) const { return pivot + offsets[ball] * along; }
  [[nodiscard]] Vector3d place_of(std::int64_t ball) const {
    const double swung = ball < raised ? angle : 0.0;
    return pivot_of(ball) - length * (std::sin(swung) * along + std::cos(swung) * up);
  }
};

/// Counted from a row of balls of the first one's size, so that equal balls stand at whole multiples of one distance.
std::vector<double> pivot_offsets(const Arrangement& arrangement, double gap) {
  std::vector<double> offsets;
  const double first = arrangement.radius(0);
  double excess = 0.0;
  for (std::int64_t i = 0; i < arrangement.count; ++i) {
    if (i > 0) excess += (arrangement.radius(i - 1) - first) + (arrangement.radius(i) - first);
    offsets.push_back(static_cast<double>(i) * (2.0 * first + gap) + excess);
  }
  return offsets;
}

Hanging read_hanging(const Arrangement& arrangement) {
  const Fields& fields = arrangement.fields;
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
  hanging.offsets = pivot_offsets(arrangement, fields.number("gap", 0.0));
  hanging.angle = fields.number("angle_deg", 30.0) * std::numbers::pi / 180.0;
  const auto raised = fields.find("raised");
  hanging.raised = raised ? as_integer(*raised, 0, arrangement.count) : 1;
  return hanging;
}

}  // namespace

std::int64_t count_cradle(const Fields& fields) {
  const auto count = fields.find("count");
  return count ? as_integer(*count, 1, kMostCradleBalls) : 5;
}

std::vector<BodyState> place_cradle(const Arrangement& arrangement) {
  const Hanging hanging = read_hanging(arrangement);
  std::vector<BodyState> states;
  for (std::int64_t i = 0; i < arrangement.count; ++i) states.push_back({.position = hanging.place_of(i)});
  return states;
}

void add_cradle_constraints(Reading& reading) {
  reading.for_each("cradle", [&reading](const Fields& fields) {
    const ArrangementKind& kind = arrangement_kind("cradle");
    const Arrangement arrangement = read_arrangement(kind, fields, reading.scene().run.seed);
    const Hanging hanging = read_hanging(arrangement);
    const int first = reading.cradle_start(fields.at("name"));
    for (std::int64_t i = 0; i < arrangement.count; ++i) {
      reading.model().constraints.emplace_back(
          RodConstraint{first + static_cast<int>(i), hanging.pivot_of(i), hanging.length});
    }
  });
}

}  // namespace carom::scene
