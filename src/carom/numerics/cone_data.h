#pragma once
/// Contacts with Coulomb's cone at one instant: the data of the problem and of its answer (cone_problem.h solves it).

#include <limits>
#include <span>

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
  /// Above zero: a residual below this part of the scale is enough, where q is not unique any will do, and uniqueness
  /// is not asked for. u_n ≥ 0 holds to round-off all the same. Zero: as exact as can be.
  double accuracy = 0.0;
};

enum class ConeMode : char { open, stick, slip };

enum class ConeStatus {
  solved,
  infeasible,  ///< proved: impulses in the cones that balance each other would do work on b
  failed,      ///< no verified answer; the residual says how far off the returned one is
};

/// A solution is accepted when its residual is below this part of the larger of max|b| and scale.
inline constexpr double kConeResidual = 1e-12;
/// An iteration need not go on below this part.
inline constexpr double kConeExact = 1e-14;

struct ConeResult {
  ConeStatus status = ConeStatus::failed;
  double residual = 0.0;          ///< of the natural map, in units of u
  bool impulses_unique = true;    ///< false: other q with the same modes solve it too
  bool velocities_unique = true;  ///< false: and u is another for them
};

/// The residual of the natural map q − P(q − u) of the problem, contact by contact, in units of u. Zero for a solution
/// and for nothing else.
double natural_residual(const ConeData& problem, const double* q, const double* u);

}  // namespace carom
