#pragma once
/// An ellipsoid that touches planes, as the impact problem that the event engine makes of it: bodies and planes as a
/// model, contacts from the geometry, then first_impact(). Coordinates: V (world) and ω (body frame).

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <numbers>
#include <optional>
#include <vector>

#include "carom/base/random.h"
#include "carom/mechanics/impact_problem.h"

namespace carom::reproduce {

inline constexpr double kDegree = std::numbers::pi / 180.0;  ///< [rad]

struct TouchedPlane {
  Eigen::Vector3d normal;    ///< unit, to the ellipsoid's side
  double restitution = 1.0;  ///< k
};

/// A homogeneous ellipsoid with its centre at the origin and every plane tangent to it.
struct EllipsoidCase {
  Eigen::Vector3d semi_axes{1.0, 1.0, 2.0};  ///< [m]
  double mass = 500.0;                       ///< [kg]
  Eigen::Quaterniond attitude = Eigen::Quaterniond::Identity();
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< [m/s]
  Eigen::Vector3d spin = Eigen::Vector3d::Zero();      ///< body frame [rad/s]
  std::vector<TouchedPlane> planes;
};

/// Distance of the centre from the tangent plane with this normal, by the geometry of the library.
double support(const Eigen::Vector3d& semi_axes, const Eigen::Quaterniond& attitude, const Eigen::Vector3d& normal);

/// The impact, contacts in the order of the planes; none where no plane is approached.
std::optional<ImpactProblem> impact_of(const EllipsoidCase& ellipsoid);

/// D_ij = n_i G⁻¹ n_jᵀ of a problem with a diagonal metric.
Matrix inertance_matrix(const ImpactProblem& problem);

/// ρ₁₂ = D₁₂/√(D₁₁D₂₂) of the first two contacts.
double kinetic_cosine(const ImpactProblem& problem);

/// The worked example of the paper's section 6, with the homogeneous inertia: planes OXZ and OYZ (contacts 1 and 2),
/// Bryan angles (45°, 30°, 90°). The paper gives no velocity and no restitution: V = (−1, −1, 0), k = (0.8, 0.3).
EllipsoidCase worked_example();

/// The worked example's ellipsoid in a wedge whose normals make this angle [rad], moving along the bisector; 90° are
/// the paper's planes. `psi` is the first Bryan angle, the others are the paper's.
EllipsoidCase in_a_wedge(double angle, double psi, double restitution);

Eigen::Vector3d random_direction(Random& random);
/// Of length 0.2 to 2.
Eigen::Vector3d random_vector(Random& random);
/// Axes from 0.3 to 1.5 m, any attitude, V and ω up to 1 in each component, planes with any normals and restitutions.
EllipsoidCase random_ellipsoid(Random& random, int planes);

}  // namespace carom::reproduce
