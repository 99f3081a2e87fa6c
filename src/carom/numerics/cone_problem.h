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
/// Where an accuracy is given, extrapolated sweeps over the neighbouring contacts come first (cone_sweeps.h), then
/// proximal points from where they have come to; the methods above only where both have failed and the problem is
/// small.
/// Sources: Alart & Curnier 1991; Acary & Brogliato, Numerical Methods for Nonsmooth Dynamical Systems, 2008.

#include <vector>

#include "carom/numerics/cone_data.h"
#include "carom/numerics/cone_proximal.h"
#include "carom/numerics/cone_sweeps.h"
#include "carom/numerics/cone_system.h"
#include "carom/numerics/lemke.h"

namespace carom {

class ConeSolver {
 public:
  /// Solves for q and u (N entries, written) and the modes (one per contact, written; a smooth contact that pushes
  /// slips). `start` (N entries) is where to begin; null: at zero. Allocates only where the problem is larger than any
  /// before.
  ConeResult solve(const ConeData& problem, double* q, double* u, ConeMode* modes, const double* start = nullptr);

  /// All solutions of a problem for which can_enumerate(): every combination of modes is tried. Solutions with the same
  /// u count once. Returns how many there are; each has its q at solution(k).
  int enumerate(const ConeData& problem);
  [[nodiscard]] const double* solution(int k) const {
    return solutions_.data() + static_cast<std::ptrdiff_t>(k) * system_.rows();
  }

  /// At most this many contacts, none of which could slip in more than one direction and its opposite.
  static constexpr int kEnumerated = 4;
  static bool can_enumerate(const ConeData& problem);

 private:
  bool sweep_many(const ConeData& problem, const double* start, double* q, double* u);
  bool solve_exactly(const ConeData& problem, const double* start, double* q, ConeResult& result);
  bool iterate(double* q, double* u);
  bool find_modes(const ConeData& problem, double* q, double* u);
  bool search(double* q, double* u, bool swept);
  bool approach_no_slip(double* q, double* u);
  bool pivot(int facets, double* q, double* u);
  bool enumerate_states(double* q, double* u);
  bool keep_solution(const double* q, const double* u);

  ConeSweeps sweeps_;
  ConeSystem system_;
  ConeProximal proximal_;
  bool least_found_ = false;  // the answer is that of proximal points: the least one already
  Lemke lemke_;
  std::vector<double> q_, u_, kept_, limit_, pivot_matrix_, pivot_offset_;
  int count_ = 0;
  std::vector<double> solutions_, solution_velocities_;
};

/// The mode of a contact with these impulses and velocities; velocities below `tolerance` count as zero.
ConeMode cone_mode(const ConeContact& contact, const double* q, const double* u, double tolerance);

}  // namespace carom
