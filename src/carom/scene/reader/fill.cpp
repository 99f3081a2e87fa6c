/// [[fill]]: many equal bodies on a lattice in a box.
///
/// Places: the box is cut into n_x × n_y × n_z equal cells, as few as hold the bodies and as near to cubes as whole
/// numbers allow, no side below twice the bounding radius R; each body stands in the middle of its cell, or, with
/// jitter j, off it by up to ½ j (side − 2R) along each axis, so that bodies never overlap, however they are turned.
/// Cells that stay empty are spread evenly.
/// Velocities: Maxwell's (each component normal with variance T/m) or of equal length in random directions; then the
/// mean is taken away, so that the total momentum vanishes, and all are scaled so that ⟨m v²⟩ = 3 T, or ⟨v²⟩ = speed²,
/// holds to round-off. (A single body keeps its momentum.) The random numbers are the same on every machine.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/base/random.h"
#include "carom/scene/format/sections.h"
#include "carom/scene/reader/reading.h"

namespace carom::scene {
namespace {

using Eigen::Vector3d;

/// Bodies that exactly fill the box must not be lost to round-off.
constexpr double kRoundOff = 1e-12;

struct Lattice {
  Vector3d low, side;  ///< corner of the box, sides of a cell [m]
  std::array<std::int64_t, 3> cells{};

  [[nodiscard]] std::int64_t count() const { return cells[0] * cells[1] * cells[2]; }
  [[nodiscard]] Vector3d centre(std::int64_t cell) const {
    const std::int64_t x = cell % cells[0];
    const std::int64_t y = cell / cells[0] % cells[1];
    const std::int64_t z = cell / cells[0] / cells[1];
    const Vector3d place(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
    return low + side.cwiseProduct(place + Vector3d::Constant(0.5));
  }
};

/// The lattice of at least `count` cells with the largest sides; fails where the box does not hold so many.
Lattice make_lattice(const Entry& box, double diameter, std::int64_t count) {
  const Matrix corners = as_matrix(box);
  const Vector3d first = corners.row(0).transpose();
  const Vector3d second = corners.row(1).transpose();
  Lattice lattice;
  lattice.low = first.cwiseMin(second);
  const Vector3d size = first.cwiseMax(second) - lattice.low;
  const double cube = std::cbrt(size.x()) * std::cbrt(size.y()) * std::cbrt(size.z()) / std::cbrt(double(count));
  std::array<std::int64_t, 3> most{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double length = size[static_cast<Eigen::Index>(i)];
    const double limit = static_cast<double>(count);
    most[i] = static_cast<std::int64_t>(std::min(limit, std::floor(length / diameter * (1.0 + kRoundOff))));
    const double wanted = cube > 0.0 ? std::clamp(std::floor(length / cube), 1.0, limit) : 1.0;
    lattice.cells[i] = std::min(most[i], static_cast<std::int64_t>(wanted));
  }
  while (lattice.count() < count) {
    std::size_t widest = 3;
    double widest_side = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double side = size[static_cast<Eigen::Index>(i)] / static_cast<double>(lattice.cells[i] + 1);
      if (lattice.cells[i] >= most[i] || side <= widest_side) continue;
      widest = i;
      widest_side = side;
    }
    if (widest == 3) {
      throw InputError(Kind::out_of_range, box.place(),
                       box.name() + " holds " + std::to_string(most[0] * most[1] * most[2]) +
                           " of these bodies on a lattice, expected room for " + std::to_string(count));
    }
    ++lattice.cells[widest];
  }
  for (Eigen::Index i = 0; i < 3; ++i) {
    lattice.side[i] = size[i] / static_cast<double>(lattice.cells[static_cast<std::size_t>(i)]);
  }
  return lattice;
}

/// Two independent normal deviates by Box and Muller's formula are made at a time; one is enough here.
double normal_deviate(Random& random) {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - random.uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * random.uniform());
}

Vector3d random_direction(Random& random) {
  const double z = random.uniform(-1.0, 1.0);
  const double angle = random.uniform(0.0, 2.0 * std::numbers::pi);
  const double ring = std::sqrt(1.0 - z * z);
  return {ring * std::cos(angle), ring * std::sin(angle), z};
}

/// Root mean square speed that a fill asks for, and whether its velocities are Maxwell's.
struct Agitation {
  double speed = 0.0;
  bool maxwell = false;
};

Agitation read_agitation(const Fields& fields, double mass) {
  const std::optional<Entry> given = one_of(fields, {"temperature", "speed"}, false);
  if (!given) return {};
  if (fields.find("speed")) return {as_number(*given), false};
  return {std::sqrt(3.0 * as_number(*given) / mass), true};
}

void set_velocities(std::span<BodyState> bodies, const Agitation& agitation, Random& random) {
  if (agitation.speed == 0.0) return;
  Vector3d mean = Vector3d::Zero();
  for (BodyState& body : bodies) {
    body.velocity = random_direction(random);
    if (agitation.maxwell) {
      for (int i = 0; i < 3; ++i) body.velocity[i] = normal_deviate(random);
    }
    mean += body.velocity / static_cast<double>(bodies.size());
  }
  if (bodies.size() == 1) mean.setZero();
  double square = 0.0;
  for (BodyState& body : bodies) {
    body.velocity -= mean;
    square += body.velocity.squaredNorm() / static_cast<double>(bodies.size());
  }
  const double scale = square > 0.0 ? agitation.speed / std::sqrt(square) : 0.0;
  for (BodyState& body : bodies) body.velocity *= scale;
}

std::vector<BodyState> make_states(const Fields& fields, const Body& body, std::int64_t seed) {
  const std::int64_t count = as_integer(fields.at("count"), 1, kMostFillBodies);
  const double diameter = 2.0 * bounding_radius(body.parts);
  const Lattice lattice = make_lattice(fields.at("box"), diameter, count);
  const double jitter = fields.number("jitter", 0.0);
  const Vector3d room = 0.5 * jitter * (lattice.side - Vector3d::Constant(diameter)).cwiseMax(0.0);
  Random random(static_cast<std::uint64_t>(seed));
  std::vector<BodyState> states(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    Vector3d& position = states[static_cast<std::size_t>(i)].position;
    position = lattice.centre(i * lattice.count() / count);
    if (jitter == 0.0) continue;
    for (int axis = 0; axis < 3; ++axis) position[axis] += room[axis] * random.uniform(-1.0, 1.0);
  }
  set_velocities(states, read_agitation(fields, body.mass), random);
  return states;
}

}  // namespace

void read_fills(Reading& reading) {
  reading.for_each("fill", [&reading](const Fields& fields) {
    const Entry name = fields.at("name");
    Model& model = reading.model();
    reading.add_object(name, name.node->string(), ObjectKind::fill, model.bodies.size());
    Body body = read_homogeneous_body(fields);
    const auto seed = fields.find("seed");
    const std::vector<BodyState> states = make_states(
        fields, body, seed ? as_integer(*seed, 0, std::numeric_limits<std::int64_t>::max()) : reading.scene().run.seed);
    body.material = reading.used_material(fields, true, static_cast<std::int64_t>(states.size()));
    body.groups = read_groups(fields);
    for (std::size_t i = 0; i < states.size(); ++i) {
      body.name = name.node->string() + "-" + std::to_string(i);
      reading.add_object(name, body.name, ObjectKind::body, model.bodies.size());
      model.bodies.push_back(body);
      reading.state().bodies.push_back(states[i]);
    }
  });
}

}  // namespace carom::scene
