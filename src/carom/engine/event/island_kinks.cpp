/// Where within a step accelerations jump: the nearest points of two bodies go from a round side onto an edge, a disc
/// goes on over the other side of its rim.
///
/// The polynomial of a step has the accelerations of the motion at its nodes. A jump between two of them shows in its
/// error; one before the first node or after the last one does not, and the step would go on as if it had been on the
/// other side of it all along. There the accelerations at the end of the step differ from those of the polynomial.

#include <algorithm>
#include <cmath>

#include "carom/engine/event/island_dynamics.h"
#include "carom/engine/event/island_state.h"

namespace carom::event {

namespace {

/// The part of a step before its first node and after its last one.
constexpr double kBesideNodes = 0.0198550717512319;
/// Speeds that a jump may leave unnoticed, relative to those at hand.
constexpr double kUnnoticed = 1e-12;
/// How closely a jump is found, and how much of the difference has to be one: what differs smoothly is none. Within
/// round-off of an edge rates are central differences, the mean of those of its two sides, so that there are two jumps,
/// of one half each, and the one nearer to the nodes is found.
constexpr double kClose = 1e-6, kJump = 0.25;

}  // namespace

/// By how much the accelerations at a part of the step just tried differ from those of its polynomial [m/s²].
double IslandDynamics::off_polynomial(const Island& island, double step, double theta) {
  const DensePolynomial motion = step_motion();
  const auto size = static_cast<std::size_t>(island.size());
  std::vector<double> y(size), rate(size), taken(size);
  motion.value(theta, 0, island.size(), y.data());
  motion.slope(theta, 0, island.size(), taken.data());
  slope(island, island.time + theta * step, y.data(), rate.data());
  double most = 0.0;
  for (std::size_t slot = 0; slot < island.bodies.size(); ++slot) {
    const Eigen::Map<const Eigen::Matrix<double, 6, 1>> is(rate.data() + kPerBody * slot + 7);
    const Eigen::Map<const Eigen::Matrix<double, 6, 1>> was(taken.data() + kPerBody * slot + 7);
    const auto off = is - was;
    most = std::max({most, off.head<3>().norm(), off.tail<3>().norm() * extent_of(island.bodies[slot])});
  }
  return most;
}

/// The part of the step just tried up to where accelerations have jumped unseen; 1 where none have.
double IslandDynamics::part_before_kink(const Island& island, double step) {
  bool nearest = false, rim = false;
  for (const ActiveContact& active : island.contacts) {
    nearest = nearest || std::holds_alternative<contact::NearestPoints>(active.contact.feature);
    rim = rim || std::holds_alternative<contact::RimOnFace>(active.contact.feature);
  }
  if (!nearest && !rim) return 1.0;
  const double unnoticed = kUnnoticed * island.fastest;
  for (const bool at_end : {false, true}) {
    if (at_end && !nearest) continue;  // a step ends where a disc lies flat
    const auto off = [&](double part) { return off_polynomial(island, step, at_end ? 1.0 - part : part); };
    const double most = off(0.0);
    if (!(most * kBesideNodes * step > unnoticed)) continue;
    double near = 0.0, far = kBesideNodes;
    while (far - near > kClose * far && most * far * step > unnoticed) {
      const double middle = 0.5 * (near + far);
      (off(middle) > kJump * most ? near : far) = middle;
    }
    if (most * far * step > unnoticed && off(near) - off(far) > kJump * most) return at_end ? 1.0 - near : far;
  }
  return 1.0;
}

}  // namespace carom::event
