#pragma once
/// The sections of the chapter on the disk in a corner (Fassino, Pasquero 2019), and what they share.
///
/// Every velocity comes from corner::solve or from an impact law of the registry. The formulas written out in the
/// sections are the paper's, to be compared with those.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <string_view>

#include "carom/base/random.h"
#include "carom/laws/corner/disk_in_corner.h"
#include "carom/laws/corner/table.h"
#include "carom/mechanics/impact_problem.h"
#include "reproduce/chapters/chapter.h"

namespace carom::reproduce::disk {

using corner::CornerOutcome;
using corner::CornerProblem;
using corner::Thresholds;
using corner::Velocity;
using corner::Zone;

inline constexpr int kCases = 4000;  ///< random ones of a statement that holds for all

Section zones_and_rule();             ///< sections 1, 2, 4 and the appendix
Section ideal_impact();               ///< section 3
Section dissipative_impact();         ///< section 5
Section theoretical_and_numerical();  ///< sections 6.1 and 6.2
Section published_rows();             ///< section 6.3
Section where_the_disk_leaves();      ///< steps over restitution and angle

/// The 343 published rows in the paper's order, each as corner::format_row prints it.
std::span<const std::string_view> paper_rows();

/// ξ̇ = kẋ + ẏ and η̇ = kẋ − ẏ, equation (6).
struct WallSpeeds {
  double xi = 0.0;
  double eta = 0.0;
};

inline WallSpeeds wall_speeds(double k, Velocity v) {
  return {k * v.x + v.y, k * v.x - v.y};
}
inline Velocity velocity_of(double k, WallSpeeds s) {
  return {(s.xi + s.eta) / (2.0 * k), (s.xi - s.eta) / 2.0};
}

inline double norm(Velocity v) {
  return std::hypot(v.x, v.y);
}
inline double distance(Velocity a, Velocity b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}
inline Velocity direction(double phi) {
  return {std::cos(phi), std::sin(phi)};
}

/// A disk in a corner, with the thresholds of NA unless others are given.
inline CornerProblem disk_problem(double alpha, double restitution, Velocity velocity, Thresholds thresholds = {}) {
  CornerProblem problem;
  problem.alpha = alpha;
  problem.restitution = restitution;
  problem.velocity = velocity;
  problem.thresholds = thresholds;
  return problem;
}

/// The velocity after one step of the theoretical algorithm.
inline Velocity one_step(double alpha, double restitution, Velocity velocity) {
  return corner::solve(disk_problem(alpha, restitution, velocity, Thresholds::theoretical(1))).velocity;
}

/// The zone of the theoretical algorithm: signs of ξ̇ and η̇.
inline Zone zone_of(double alpha, Velocity velocity) {
  return corner::solve(disk_problem(alpha, 1.0, velocity, Thresholds::theoretical(0))).zone;
}

/// The disk as an impact problem in (ẋ, ẏ, ϑ̇): metric diag(m, m, A), wall 1 and wall 2 as smooth contacts.
ImpactProblem impact_problem(const CornerProblem& problem, double mass, double inertia, double spin);

/// Random corners and velocities, the same on every machine.
class Cases {
 public:
  explicit Cases(std::uint64_t seed) : random_(seed) {}

  double uniform(double low, double high) { return random_.uniform(low, high); }
  /// α between the two, narrow corners as often as wide ones.
  double alpha(double low, double high) { return low * std::pow(high / low, random_.uniform()); }
  /// ε in [0, 1), with a fair share of 0 and of nearly elastic values.
  double restitution() {
    const double choice = random_.uniform();
    if (choice < 0.1) return 0.0;
    return choice < 0.2 ? uniform(0.9, 1.0) : uniform(0.0, 1.0);
  }
  Velocity any_direction() { return direction(uniform(-std::numbers::pi, std::numbers::pi)); }
  /// Directions inside a zone; the outermost millionth of its angle on either side is left out, where signs are those
  /// of round-off.
  Velocity in_z1(double alpha) { return direction(-inside(alpha, std::numbers::pi - alpha)); }
  Velocity in_z2(double alpha) { return direction(inside(alpha, std::numbers::pi - alpha)); }
  Velocity in_z12(double alpha) { return direction(inside(-alpha, alpha)); }

 private:
  double inside(double low, double high) { return low + (high - low) * uniform(1e-6, 1.0 - 1e-6); }

  Random random_;
};

inline void append(std::vector<Item>& items, std::vector<Item> more) {
  for (Item& item : more) items.push_back(std::move(item));
}

/// Violations of a printed formula and of the corrected one.
struct Misprint {
  std::string printed;
  std::string corrected;
  double printed_violation = 0.0;
  double corrected_violation = 0.0;
};

/// `corrected` where the printed formula fails and the corrected one holds; `reproduced` where the printed one holds
/// after all; else `differs`.
Item misprint_item(std::string where, std::string claim, Misprint misprint, double tolerance, std::string note);

}  // namespace carom::reproduce::disk
