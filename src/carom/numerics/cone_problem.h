#pragma once
/// Contacts with Coulomb's cone at one instant: which are open, which stick, which slip, and with what impulses.
///
/// Each contact has one normal row and 0, 1 or 2 tangent rows, in this order; all rows together are N. For a symmetric
/// positive semidefinite S (N×N) and b (N) find q = (p, π) with u = S q + b such that, contact by contact,
///   0 ≤ p − p₀ ⟂ u_n ≥ 0,   |π| ≤ μp,   and u_t = 0, or π = −μp u_t/|u_t|.
/// p₀ ≥ 0 is 0 but for the expansion of an impact. μ = ∞ means no slip: π is free while p > 0, and where p = p₀ = 0 the
/// limit of large μ holds, π = −λ u_t/|u_t| with λ ≥ 0, which is not zero only where u_n = 0. A contact with a given
/// direction ê slides along it: π = −μpê whatever u_t is (S and ê then make the problem that Painlevé's rod has).
///
/// The problem is not monotone: it may have no solution, several, or a continuum. solve() finds one and accepts it by
/// its residual alone; enumerate() finds all of a planar problem.
/// How: projected block sweeps find the modes, Newton's method on the modes gives the numbers (Alart & Curnier 1991,
/// with a rank decision, so that redundant contacts do no harm). Where that does not end, complementary pivoting on
/// the cones (exact in the plane, facets in space, then Newton again) does. Where q is not unique, least Σ|q|²/K.
/// Sources: Alart & Curnier 1991; Acary & Brogliato, Numerical Methods for Nonsmooth Dynamical Systems, 2008.

#include <limits>
#include <span>
#include <vector>

#include "carom/numerics/lemke.h"

namespace carom {

/// μ of a contact that does not slip.
inline constexpr double kNoSlip = std::numeric_limits<double>::infinity();

struct ConeContact {
  int tangents = 0;                   ///< rows after the normal one: 0, 1 or 2
  double friction = 0.0;              ///< μ ≥ 0, or kNoSlip
  double least = 0.0;                 ///< p₀
  double stiffness = 1.0;             ///< K > 0: weight 1/K where q is not unique
  const double* direction = nullptr;  ///< ê of a contact that slides (as many entries as tangents, unit); else null
};

struct ConeData {
  const double* matrix;  ///< S, N×N, row-major
  const double* offset;  ///< b, N
  std::span<const ConeContact> contacts;
  double scale;  ///< the speed that counts as large; tolerances refer to it and to max|b|
};

enum class ConeMode : char { open, stick, slip };

enum class ConeStatus {
  solved,
  infeasible,  ///< proved: impulses in the cones that balance each other would do work on b
  failed,      ///< no verified answer; the residual says how far off the returned one is
};

struct ConeResult {
  ConeStatus status = ConeStatus::failed;
  double residual = 0.0;          ///< of the natural map, in units of u
  bool impulses_unique = true;    ///< false: other q with the same modes solve it too
  bool velocities_unique = true;  ///< false: and u is another for them
};

class ConeSolver {
 public:
  /// A solution is accepted when its residual is below this part of the larger of max|b| and scale.
  static constexpr double kResidual = 1e-12;

  /// Solves for q and u (N entries, written) and the modes (one per contact, written). `start` (N entries) is where to
  /// begin; null: at zero. Allocates only where the problem is larger than any before.
  ConeResult solve(const ConeData& problem, double* q, double* u, ConeMode* modes, const double* start = nullptr);

  /// All solutions of a problem whose contacts have at most one tangent row (or a direction), up to kEnumerated
  /// contacts: every combination of modes is tried. Solutions with the same u count once. Each has q at `solution(k)`.
  int enumerate(const ConeData& problem);
  static constexpr int kEnumerated = 4;
  static bool can_enumerate(const ConeData& problem);
  [[nodiscard]] const double* solution(int k) const;
};

/// The residual of the natural map q − P(q − u) of the problem, contact by contact, in units of u. Zero for a solution
/// and for nothing else.
double natural_residual(const ConeData& problem, const double* q, const double* u);

}  // namespace carom
