/// [[fill]]: many bodies on a lattice in a box.
///
/// Places: the box is cut into n_x × n_y × n_z equal cells, as few as hold the bodies and as near to cubes as whole
/// numbers allow, no side below twice the largest bounding radius; each body stands in the middle of its cell, or, with
/// jitter j, off it by up to ½ j (side − 2R) along each axis, R its own bounding radius, so that bodies never overlap,
/// however they are turned.
/// Cells that stay empty are spread evenly.
/// Velocities: Maxwell's (each component normal with variance T/m) or of equal length in random directions; then the
/// velocity of the common centre of mass is taken away, so that the total momentum vanishes, and all are scaled so that
/// ⟨m v²⟩ = 3 T, or ⟨v²⟩ = speed², holds to round-off. (A single body keeps its momentum.) The random numbers are the
/// same on every machine.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/base/random.h"
#include "carom/scene/format/sections.h"
#include "carom/scene/reader/arrangement.h"

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
    const double length = size[i];
    const double limit = static_cast<double>(count);
    most[i] = static_cast<std::int64_t>(std::min(limit, std::floor(length / diameter * (1.0 + kRoundOff))));
    const double wanted = cube > 0.0 ? std::clamp(std::floor(length / cube), 1.0, limit) : 1.0;
    lattice.cells[i] = std::min(most[i], static_cast<std::int64_t>(wanted));
  }
  while (lattice.count() < count) {
    std::size_t widest = 3;
    double widest_side = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double side = size[i] / static_cast<double>(lattice.cells[i] + 1);
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
    lattice.side[i] = size[i] / static_cast<double>(lattice.cells[i]);
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

/// Root mean square speed that a fill asks for, of bodies with the mass of the first; whether its velocities are
/// Maxwell's, so that heavier ones are slower.
struct Agitation {
  double speed = 0.0;
  bool maxwell = false;
};

Agitation read_agitation(const Arrangement& arrangement) {
  const std::optional<Entry> given = one_of(arrangement.fields, {"temperature", "speed"}, false);
  if (!given) return {};
  if (arrangement.fields.find("speed")) return {as_number(*given), false};
  return {std::sqrt(3.0 * as_number(*given) / arrangement.body(0).mass), true};
}

/// Masses count in units of the first one.
void set_velocities(const Arrangement& arrangement, std::span<BodyState> bodies, Random& random) {
  const Agitation agitation = read_agitation(arrangement);
  if (agitation.speed == 0.0) return;
  const auto count = static_cast<double>(bodies.size());
  std::vector<double> masses;
  double total = 0.0;
  for (std::int64_t i = 0; i < arrangement.count; ++i) {
    masses.push_back(arrangement.body(i).mass / arrangement.body(0).mass);
    total += masses.back();
  }
  Vector3d mean = Vector3d::Zero();
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    Vector3d& velocity = bodies[k].velocity;
    velocity = random_direction(random);
    if (agitation.maxwell) {
      for (int i = 0; i < 3; ++i) velocity[i] = normal_deviate(random) / std::sqrt(masses[k]);
    }
    mean += masses[k] * velocity / total;
  }
  if (bodies.size() == 1) mean.setZero();
  double square = 0.0;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    bodies[k].velocity -= mean;
    square += (agitation.maxwell ? masses[k] : 1.0) * bodies[k].velocity.squaredNorm() / count;
  }
  const double scale = square > 0.0 ? agitation.speed / std::sqrt(square) : 0.0;
  for (BodyState& body : bodies) body.velocity *= scale;
}

}  // namespace

std::int64_t count_fill(const Fields& fields) {
  return as_integer(fields.at("count"), 1, kMostFillBodies);
}

std::vector<BodyState> place_fill(const Arrangement& arrangement) {
  const std::int64_t count = arrangement.count;
  double largest = 0.0;
  for (std::int64_t i = 0; i < count; ++i) largest = std::max(largest, 2.0 * arrangement.radius(i));
  const Lattice lattice = make_lattice(arrangement.fields.at("box"), largest, count);
  const double jitter = arrangement.fields.number("jitter", 0.0);
  Random random(static_cast<std::uint64_t>(arrangement.seed));
  std::vector<BodyState> states(count);
  for (std::int64_t i = 0; i < count; ++i) {
    Vector3d& position = states[i].position;
    position = lattice.centre(i * lattice.count() / count);
    if (jitter == 0.0) continue;
    const Vector3d room = 0.5 * jitter * (lattice.side - Vector3d::Constant(2.0 * arrangement.radius(i))).cwiseMax(0.0);
    for (int axis = 0; axis < 3; ++axis) position[axis] += room[axis] * random.uniform(-1.0, 1.0);
  }
  set_velocities(arrangement, states, random);
  return states;
}

}  // namespace carom::scene
