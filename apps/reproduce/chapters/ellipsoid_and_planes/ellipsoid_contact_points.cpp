/// The chapter's section on the places where an ellipsoid touches planes: sections 3, 4 and 5 of the paper.

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/geometry/pair_table.h"
#include "reproduce/chapters/ellipsoid_and_planes/ellipsoid_formulas.h"
#include "reproduce/chapters/ellipsoid_and_planes/ellipsoid_items.h"
#include "reproduce/chapters/ellipsoid_and_planes/ellipsoid_problem.h"
#include "reproduce/chapters/ellipsoid_and_planes/ellipsoid_sections.h"
#include "reproduce/decompositions.h"

namespace carom::reproduce {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

constexpr int kPointCases = 1000;

Proximity over_plane(const EllipsoidCase& ellipsoid, const Vector3d& centre, const PaperPlane& plane) {
  const double length = plane.normal.norm();
  const Vector3d normal = plane.normal / length;
  return proximity(Ellipsoid{ellipsoid.semi_axes}, {.position = centre, .orientation = ellipsoid.attitude}, HalfSpace{},
                   half_space_pose(normal, -plane.offset / length * normal));
}

/// Largest relative difference of (46), and of the height (48), from the library over random ellipsoids.
std::vector<Item> horizontal_items() {
  Random random(3);
  double worst_point = 0.0;
  Deviation height;
  for (int i = 0; i < kPointCases; ++i) {
    const EllipsoidCase ellipsoid = random_ellipsoid(random, 0);
    const Vector3d centre = random_vector(random);
    const Proximity ours = over_plane(ellipsoid, centre, {.normal = Vector3d::UnitZ(), .offset = 0.0});
    const Vector3d row = ellipsoid.attitude.conjugate() * Vector3d::UnitZ();
    const Vector3d point = centre + ellipsoid.attitude * paper_contact_point(ellipsoid.semi_axes, row);
    worst_point = std::max(worst_point, (point - ours.point_a).norm());
    const double drop = centre.z() - ours.point_a.z();
    height.add(std::abs(paper_height(ellipsoid.semi_axes, row, Reading::printed) - drop),
               std::abs(paper_height(ellipsoid.semi_axes, row, Reading::corrected) - drop));
  }
  return {statement_item("§3, eqs (46), (47)", "contact point over a horizontal plane", worst_point, kRoundOff,
                         fmt::format("{} random ellipsoids [m]", kPointCases)),
          corrected_formula(
              "§3, eq. (48)", "height of that point [m]", height,
              "the contact point of (46) put into (37) gives Z = Z₀ ∓ √(a²a₃₁² + b²a₃₂² + c²a₃₃²); printed is the "
              "quotient of a²a₃₁ + b²a₃₂ + c²a₃₃ by that root")};
}

/// The nearest of the two points that the corrected system (58) gives with the roots of (55):
/// λ|n|² = −H ± |C|√H, H = |SB|², C = n·R₀ + δ.
Vector3d point_of_system(const EllipsoidCase& ellipsoid, const Vector3d& centre, const PaperPlane& plane) {
  const Matrix3d rotation = ellipsoid.attitude.toRotationMatrix();
  const Vector3d normal = rotation.transpose() * plane.normal;
  const double constant = plane.normal.dot(centre) + plane.offset;
  const double square = ellipsoid.semi_axes.cwiseProduct(normal).squaredNorm();
  Vector3d nearest = Vector3d::Zero();
  double least = std::numeric_limits<double>::infinity();
  for (const double sign : {1.0, -1.0}) {
    const double multiplier = (-square + sign * std::abs(constant) * std::sqrt(square)) / plane.normal.squaredNorm();
    const Matrix3d system = paper_oblique_system(ellipsoid.semi_axes, rotation, plane, multiplier, Reading::corrected);
    const Vector3d point = solve_regular(system, Vector3d::Constant(-constant));
    const double distance = std::abs(normal.dot(point) + constant);
    if (distance < least) {
      least = distance;
      nearest = centre + rotation * point;
    }
  }
  return nearest;
}

std::vector<Item> oblique_items() {
  Random random(4);
  Deviation stationary;
  double worst_point = 0.0;
  int rank = 0;
  for (int i = 0; i < kPointCases; ++i) {
    const EllipsoidCase ellipsoid = random_ellipsoid(random, 0);
    const Matrix3d rotation = ellipsoid.attitude.toRotationMatrix();
    PaperPlane plane{.normal = random_vector(random), .offset = random.uniform(-1.0, 1.0)};
    const double length = plane.normal.norm();
    const double height = support(ellipsoid.semi_axes, ellipsoid.attitude, plane.normal / length);
    // Clear of the plane by a good part of the ellipsoid's size.
    const Vector3d centre = (random.uniform(1.2, 3.0) * height - plane.offset / length) * plane.normal / length;
    const Proximity ours = over_plane(ellipsoid, centre, plane);
    worst_point = std::max(worst_point, (point_of_system(ellipsoid, centre, plane) - ours.point_a).norm());

    // (52)–(54) hold for some λ iff the gradient is parallel to S⁻²r: the sine of the angle between them.
    const Vector3d point = rotation.transpose() * (ours.point_a - centre);
    const Vector3d outward = point.cwiseQuotient(ellipsoid.semi_axes.cwiseAbs2()).normalized();
    const auto sine = [&](Reading reading) {
      return paper_gradient(rotation, plane, reading).normalized().cross(outward).norm();
    };
    stationary.add(sine(Reading::printed), sine(Reading::corrected));

    // At contact the multiplier is zero.
    const Matrix3d touching = paper_oblique_system(ellipsoid.semi_axes, rotation, plane, 0.0, Reading::corrected);
    rank = std::max(rank, matrix_rank(touching));
  }
  return {corrected_formula("§4, eqs (52)–(58)", "the contact point over an oblique plane is stationary", stationary,
                            "the factors are αa₁₁ + βa₂₁ + γa₃₁ and so on, as in (56); printed with the indices "
                            "exchanged. The figure is the sine of the angle between gradient and surface normal"),
          statement_item("§4, eqs (55), (58)",
                         "system (58), corrected, with the roots λ of a second-degree equation: contact point",
                         worst_point, 1e-9, "random oblique planes at 0.2 to 2 times the support from the surface [m]"),
          {.where = "§4, eq. (58)",
           .claim = "three linear equations for x, y, z at the instant of contact",
           .paper = "solvable",
           .ours = fmt::format("rank {}", rank),
           .difference = {},
           .tolerance = 0.0,
           .verdict = rank == 3 ? Verdict::reproduced : Verdict::differs,
           .note = "at contact the distance and λ vanish together and all three equations are one; before it the "
                   "system works. The closed form r = −S²B/√(B·S²B), B = Aᵀn, is what (46) is for the horizontal "
                   "plane, and has no such place"}};
}

Item signed_distance_item() {
  const EllipsoidCase example = worked_example();
  const PaperPlane wall{.normal = Vector3d::UnitX(), .offset = 0.0};
  const double height = support(example.semi_axes, example.attitude, wall.normal);
  const Vector3d sunk = (height - 0.1) * Vector3d::UnitX();
  const double ours = over_plane(example, sunk, wall).distance;
  // The paper's two stationary points are the nearest and the farthest one, both with |·|.
  const double nearest = std::abs(sunk.x() - height), farthest = sunk.x() + height;
  return {.where = "§4, eqs (50), (59), case a",
          .claim = "distance of the worked example's ellipsoid sunk into the plane OYZ by 0.1 m [m]",
          .paper = fmt::format("{:.6g} and {:.6g}: \"no collision\"", nearest, farthest),
          .ours = fmt::format("{:.10g}", ours),
          .difference = std::abs(ours + 0.1),
          .tolerance = kRoundOff,
          .verdict = std::abs(ours + 0.1) <= kRoundOff && nearest > 0.0 ? Verdict::corrected : Verdict::differs,
          .note =
              "with the modulus both distances are positive on either side of the contact; the signed distance "
              "tells apart from into"};
}

std::vector<Item> two_plane_items() {
  Random random(5);
  double worst_row = 0.0;
  int disagreements = 0, two = 0, one = 0, none = 0;
  for (int i = 0; i < 2 * kPointCases; ++i) {
    const EllipsoidCase ellipsoid = random_ellipsoid(random, 2);
    const std::optional<ImpactProblem> impact = impact_of(ellipsoid);
    int approaching = 0;
    for (std::size_t plane = 0; plane < 2; ++plane) {
      const Vector3d normal = ellipsoid.attitude.conjugate() * ellipsoid.planes[plane].normal;
      const Vector3d lever = paper_contact_point(ellipsoid.semi_axes, normal).cross(normal);
      if (ellipsoid.planes[plane].normal.dot(ellipsoid.velocity) + lever.dot(ellipsoid.spin) < 0.0) ++approaching;
      if (!impact) continue;
      Vector row(6);
      row << ellipsoid.planes[plane].normal, lever;
      worst_row = std::max(worst_row, (impact->contacts[plane].normal - row).norm());
    }
    (approaching == 2 ? two : approaching == 1 ? one : none) += 1;
    if (impact.has_value() != (approaching > 0)) ++disagreements;
  }
  return {statement_item("§5, eqs (26)–(28), (60)", "contact points and levers on two planes at once", worst_row,
                         kRoundOff, "rows of the impact problem that the event engine makes of random ellipsoids"),
          statement_item("§5, cases c.1, c.2, c.3", "a collision takes place iff v_P·n < 0 at one of the planes",
                         disagreements, 0.0,
                         fmt::format("the event engine's decision in {} cases: {} with both approaching, {} with "
                                     "one, {} with none; the number of disagreements",
                                     2 * kPointCases, two, one, none))};
}

}  // namespace

Section ellipsoid_contact_section() {
  Section section{.heading = "Contact points: horizontal, oblique and two planes",
                  .text =
                      "The library's geometry has one closed form for every plane: r = −S²B/h, h = √(B·S²B), with "
                      "the normal B in the body frame and S = diag(a, b, c).",
                  .items = horizontal_items(),
                  .figures = {},
                  .maps = {}};
  for (Item& item : oblique_items()) section.items.push_back(std::move(item));
  section.items.push_back(signed_distance_item());
  for (Item& item : two_plane_items()) section.items.push_back(std::move(item));
  return section;
}

}  // namespace carom::reproduce
