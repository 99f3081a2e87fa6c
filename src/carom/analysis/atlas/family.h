#pragma once
/// Families of impact problems over two parameters: what an atlas maps.
///
/// `corner`     a disk of mass 1 in a corner (laws/corner/disk_in_corner.h) over half the opening α and the restitution
/// ε `approach`   the same disk in one corner over the direction φ of its velocity and ε; φ is counted from the
/// bisector,
///              which points into the corner, and |φ| < α strikes both walls
/// `ellipsoid`  the body of Stănescu and Pandrea's worked example (2017): semi-axes 1, 1, 2 m, mass 500 kg,
/// homogeneous,
///              striking the plane y ≥ 0 (restitution 0.8), x ≥ 0 (0.3) and, with three planes, z ≥ 0 (0.5) at once
///              with 1 m/s along minus each normal, over the Bryan angles ψ and θ. It is round about its z axis, so
///              that the third angle changes nothing and the map shows every attitude.
/// Besides these, any impact problem with two of its numbers varied, and any one with friction over the direction of
/// its approach and the coefficient of friction.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/analysis/picture.h"
#include "carom/laws/corner/disk_in_corner.h"
#include "carom/mechanics/impact_problem.h"

namespace carom::atlas {

struct Axis {
  std::string name;    ///< as tables have it: "alpha"
  std::string label;   ///< as pictures have it
  bool angle = false;  ///< in radians; pictures show degrees
  Range range;         ///< that is mapped where nobody says otherwise
  Range allowed{};     ///< values must lie inside; empty: anything

  /// What a value is multiplied by for people.
  [[nodiscard]] double shown_scale() const;
};

/// One disk in one corner.
struct CornerCell {
  double alpha = 0.0;        ///< [rad]
  double restitution = 1.0;  ///< ε
  corner::Velocity velocity;
};

struct Family {
  std::string name;
  std::string title;
  Axis x, y;
  std::vector<std::string> contacts;  ///< their names
  ImpactProblem pattern;              ///< everything that is the same in all cells
  /// Makes the problem of a cell out of a copy of the pattern, which it may have changed before. Threads call it at the
  /// same time.
  std::function<void(double x, double y, ImpactProblem& problem)> fill;
  /// Of the disk in a corner, whose problems the batch solver takes as they are; else empty.
  std::function<CornerCell(double x, double y)> corner;
};

/// The direction of v⁻ in a corner: at an angle to the bisector, or towards a share of the opening, v⁻ = (1, share·k)
/// with k = tan α: 0 along the bisector, 1 along wall 1 into wall 2.
struct Aim {
  double share = 2.0 / 3.0;
  double direction = 0.0;  ///< φ [rad]
  bool by_direction = false;
};

Family corner_family(const Aim& aim);
/// `alpha` in (0, π/2); throws InputError.
Family approach_family(double alpha);
/// With two or three planes; throws InputError.
Family ellipsoid_family(int planes);

/// One number of an impact problem: `restitution`, `velocity.1`, `metric.0.0` (and its mirror image),
/// `contacts.0.restitution` (or `friction`, `offset`, `stiffness`, `normal.2`, `tangential_restitution`).
struct Variation {
  std::string path;
  Range range;
};

/// The problem with two of its numbers varied. Throws InputError: `unknown_name` for what is no number of it.
Family varied_family(ImpactProblem problem, const Variation& x, const Variation& y);

/// Any problem with friction over the direction of approach φ of one contact (by name or number; empty: of the mean of
/// all contacts) and the coefficient of friction of all. Throws InputError where the direction cannot be turned.
Family friction_family(ImpactProblem problem, const std::string& contact);

/// "corner", "approach", "ellipsoid".
std::vector<std::string_view> family_names();

}  // namespace carom::atlas
