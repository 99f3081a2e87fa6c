#include "carom/analysis/atlas/family.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "carom/base/error.h"
#include "carom/geometry/mass_properties.h"
#include "carom/geometry/pair_table.h"
#include "carom/mechanics/attitude.h"

namespace carom::atlas {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kDegree = kPi / 180.0;

Axis restitution_axis() {
  return {"restitution", "restitution ε", false, {0.0, 1.0}, {0.0, 1.0}};
}

Axis angle_axis(std::string name, std::string label, Range range, Range allowed = {}) {
  return {std::move(name), std::move(label), true, range, allowed};
}

Family disk_family(std::function<CornerCell(double, double)> cell) {
  Family family;
  family.contacts = {"wall 1", "wall 2"};
  ImpactProblem& pattern = family.pattern;
  pattern.metric = Matrix::Identity(2, 2);
  pattern.velocity = Vector::Zero(2);
  pattern.contacts.resize(2);
  for (std::size_t i = 0; i < 2; ++i) {
    pattern.contacts[i].name = family.contacts[i];
    pattern.contacts[i].normal = Vector::Zero(2);
  }
  family.corner = cell;
  family.fill = [cell = std::move(cell)](double x, double y, ImpactProblem& problem) {
    const CornerCell disk = cell(x, y);
    const double sine = std::sin(disk.alpha), cosine = std::cos(disk.alpha);
    problem.restitution = disk.restitution;
    problem.velocity << disk.velocity.x, disk.velocity.y;
    problem.contacts[0].normal << -sine, cosine;
    problem.contacts[1].normal << -sine, -cosine;
  };
  return family;
}

struct Plane {
  const char* name;
  Eigen::Vector3d normal;
  double restitution;
};

}  // namespace

double Axis::shown_scale() const {
  return angle ? 1.0 / kDegree : 1.0;
}

Family corner_family(const Aim& aim) {
  Family family = disk_family([aim](double alpha, double restitution) -> CornerCell {
    if (aim.by_direction) return {alpha, restitution, {std::cos(aim.direction), std::sin(aim.direction)}};
    return {alpha, restitution, {1.0, aim.share * std::tan(alpha)}};
  });
  family.name = "corner";
  family.title = aim.by_direction
                     ? fmt::format("disk in a corner, approach {:.4g}° off the bisector", aim.direction / kDegree)
                     : fmt::format("disk in a corner, approach (1, {:.4g} tan α)", aim.share);
  family.x = angle_axis("alpha", "half the opening α [°]", {1.0 * kDegree, 89.0 * kDegree}, {0.0, kPi / 2});
  family.y = restitution_axis();
  return family;
}

Family approach_family(double alpha) {
  if (!(alpha > 0.0 && alpha < kPi / 2)) {
    throw InputError(Kind::out_of_range, "alpha",
                     fmt::format("alpha is {} rad, expected an angle between 0 and 90deg", alpha));
  }
  Family family = disk_family([alpha](double direction, double restitution) -> CornerCell {
    return {alpha, restitution, {std::cos(direction), std::sin(direction)}};
  });
  family.name = "approach";
  family.title = fmt::format("disk in a corner of 2 × {:.4g}°", alpha / kDegree);
  family.x = angle_axis("direction", "direction of approach φ [°]", {-kPi, kPi});
  family.y = restitution_axis();
  return family;
}

Family ellipsoid_family(int planes) {
  if (planes != 2 && planes != 3) {
    throw InputError(Kind::out_of_range, "planes", fmt::format("planes is {}, expected 2 or 3", planes));
  }
  const std::vector<Plane> all{{"side", Eigen::Vector3d::UnitY(), 0.8},
                               {"front", Eigen::Vector3d::UnitX(), 0.3},
                               {"floor", Eigen::Vector3d::UnitZ(), 0.5}};
  const std::vector<Plane> chosen(all.begin(), all.begin() + planes);
  const Shape shape = Ellipsoid{{1.0, 1.0, 2.0}};
  constexpr double kMass = 500.0;

  Family family;
  family.name = "ellipsoid";
  family.title = fmt::format("ellipsoid (1, 1, 2) into {} planes", planes == 2 ? "two" : "three");
  family.x = angle_axis("psi", "Bryan angle ψ [°]", {-kPi / 2, kPi / 2});
  family.y = angle_axis("theta", "Bryan angle θ [°]", {-kPi / 2, kPi / 2});
  Vector masses(6);
  masses << kMass, kMass, kMass, kMass * mass_properties(shape).inertia_per_mass;
  family.pattern.metric = masses.asDiagonal();
  family.pattern.velocity = Vector::Zero(6);
  for (const Plane& plane : chosen) {
    family.contacts.emplace_back(plane.name);
    family.pattern.contacts.push_back(
        {.name = plane.name, .normal = Vector::Zero(6), .restitution = plane.restitution});
    family.pattern.velocity.head<3>() -= plane.normal;
  }
  // Gap rate n·(v + ω × r), r the lowest point; ω in the principal frame: the row is (n, Aᵀ(r × n)).
  family.fill = [chosen, shape](double psi, double theta, ImpactProblem& problem) {
    const Pose pose{Eigen::Vector3d::Zero(), attitude_from_bryan({psi, theta, 0.0})};
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const Eigen::Vector3d lowest =
          proximity(shape, pose, HalfSpace{}, half_space_pose(chosen[i].normal, Eigen::Vector3d::Zero())).point_a;
      problem.contacts[i].normal.head<3>() = chosen[i].normal;
      problem.contacts[i].normal.tail<3>() = pose.orientation.conjugate() * lowest.cross(chosen[i].normal);
    }
  };
  return family;
}

std::vector<std::string_view> family_names() {
  return {"corner", "approach", "ellipsoid"};
}

}  // namespace carom::atlas
