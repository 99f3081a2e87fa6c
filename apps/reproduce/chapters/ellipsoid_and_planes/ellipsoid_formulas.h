#pragma once
/// The formulas of Stănescu and Pandrea, "Simple and multi-collision of an ellipsoid with planar surfaces" (2017), as
/// they are printed and as they must read. For the report only: the library has its own (geometry/, engine/, laws/).
///
/// Symbols: A rotates body to world, a_ij its entries; S = diag(a, b, c); n = (α, β, γ) the plane's normal of any
/// length, to the body's side; B = Aᵀn the same in the body frame; r the contact point in the body frame; ω in the body
/// frame, V in the world frame.

#include <Eigen/Core>

#include "carom/mechanics/attitude.h"
#include "carom/mechanics/impact_problem.h"

namespace carom::reproduce {

enum class Reading { printed, corrected };

/// αX + βY + γZ + δ = 0, equation (49).
struct PaperPlane {
  Eigen::Vector3d normal;  ///< (α, β, γ)
  double offset = 0.0;     ///< δ
};

/// J of a homogeneous ellipsoid, equation (1).
Eigen::Vector3d paper_inertia(double mass, const Eigen::Vector3d& semi_axes);

/// A = [ψ][θ][φ], equations (8) to (11).
Eigen::Matrix3d paper_rotation(const BryanAngles& angles);

/// Q of ω = Qβ̇, equation (16). Printed: φᵀθᵀ stands before all three columns; it belongs to the first, φᵀ alone to the
/// second, nothing to the third.
Eigen::Matrix3d paper_rate_matrix(const BryanAngles& angles, Reading reading);

/// The matrix of the world angular velocity, equation (20). Printed: entry (2,3) is −ω_z.
Eigen::Matrix3d paper_spin_matrix(const Eigen::Vector3d& spin, Reading reading);

/// Velocity of the body point r beside that of the centre, equation (21): A[r]ᵀω. Printed: A + [r]ᵀω, a matrix added to
/// a column; read here without that matrix.
Eigen::Vector3d paper_point_velocity(const Eigen::Matrix3d& rotation, const Eigen::Vector3d& point,
                                     const Eigen::Vector3d& spin, Reading reading);

/// The contact point over a horizontal plane, equations (46) and (47), in the body frame; `row` is the third of A.
Eigen::Vector3d paper_contact_point(const Eigen::Vector3d& semi_axes, const Eigen::Vector3d& row);

/// Height of the centre over the contact point, equations (48), (vi), (vii): √(a²a₃₁² + b²a₃₂² + c²a₃₃²). Printed:
/// (a²a₃₁ + b²a₃₂ + c²a₃₃)/√(a²a₃₁² + b²a₃₂² + c²a₃₃²).
double paper_height(const Eigen::Vector3d& semi_axes, const Eigen::Vector3d& row, Reading reading);

/// The column that multiplies the distance in equations (52) to (54): Aᵀn. Printed: An, with the indices exchanged.
Eigen::Vector3d paper_gradient(const Eigen::Matrix3d& rotation, const PaperPlane& plane, Reading reading);

/// The matrix of the linear system (58) for a multiplier λ.
Eigen::Matrix3d paper_oblique_system(const Eigen::Vector3d& semi_axes, const Eigen::Matrix3d& rotation,
                                     const PaperPlane& plane, double multiplier, Reading reading);

/// Equation (34) with (d, e, f) as given; they must be those of the body frame, J being that of the body's axes.
double paper_inertance(double mass, const Eigen::Vector3d& inertia, const Eigen::Vector3d& lever);

/// Equation (23) in the coordinates of the problem, for its approaching contacts. Printed: with a plus sign.
Vector paper_velocity_after(const ImpactProblem& problem, Reading reading);

}  // namespace carom::reproduce
