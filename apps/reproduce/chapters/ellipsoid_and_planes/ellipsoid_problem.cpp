#include "reproduce/chapters/ellipsoid_and_planes/ellipsoid_problem.h"

#include <cmath>
#include <memory>
#include <string>

#include "carom/engine/event/event_engine.h"
#include "carom/geometry/pair_table.h"
#include "carom/mechanics/attitude.h"

namespace carom::reproduce {

using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

/// The instant of the impact is the start; this is only long enough to have one.
constexpr double kInstant = 1e-9;

Model model_of(const EllipsoidCase& ellipsoid) {
  Model model;
  model.bodies = {homogeneous_body("ellipsoid", Ellipsoid{ellipsoid.semi_axes}, ellipsoid.mass)};
  model.bodies[0].material = 0;
  const std::size_t materials = ellipsoid.planes.size() + 1;
  model.materials.push_back({.name = "body", .young = {}, .poisson = {}});
  model.rules.resize(materials * materials);
  for (std::size_t i = 1; i < materials; ++i) {
    const TouchedPlane& plane = ellipsoid.planes[i - 1];
    Obstacle obstacle;
    obstacle.name = "plane " + std::to_string(i);
    obstacle.pose =
        half_space_pose(plane.normal, -support(ellipsoid.semi_axes, ellipsoid.attitude, plane.normal) * plane.normal);
    obstacle.material = static_cast<int>(i);
    model.obstacles.push_back(obstacle);
    model.materials.push_back({.name = obstacle.name, .young = {}, .poisson = {}});
    model.rules[i].restitution = model.rules[i * materials].restitution = plane.restitution;
  }
  return model;
}

}  // namespace

double support(const Vector3d& semi_axes, const Quaterniond& attitude, const Vector3d& normal) {
  const Pose at_origin{.position = Vector3d::Zero(), .orientation = attitude};
  return -proximity(Ellipsoid{semi_axes}, at_origin, HalfSpace{}, half_space_pose(normal, Vector3d::Zero())).distance;
}

std::optional<ImpactProblem> impact_of(const EllipsoidCase& ellipsoid) {
  State state;
  state.bodies = {{.position = Vector3d::Zero(),
                   .orientation = ellipsoid.attitude,
                   .velocity = ellipsoid.velocity,
                   .angular_velocity = ellipsoid.attitude * ellipsoid.spin}};
  EventOptions options;
  options.duration = kInstant;
  return EventEngine(std::make_shared<const Model>(model_of(ellipsoid)), state, options).first_impact();
}

Matrix inertance_matrix(const ImpactProblem& problem) {
  const auto contacts = static_cast<Eigen::Index>(problem.contacts.size());
  Matrix rows(contacts, problem.velocity.size());
  for (Eigen::Index i = 0; i < contacts; ++i) rows.row(i) = problem.contacts[i].normal.transpose();
  return rows * problem.metric.diagonal().cwiseInverse().asDiagonal() * rows.transpose();
}

double kinetic_cosine(const ImpactProblem& problem) {
  const Matrix inertances = inertance_matrix(problem);
  return inertances(0, 1) / std::sqrt(inertances(0, 0) * inertances(1, 1));
}

EllipsoidCase worked_example() {
  EllipsoidCase example = in_a_wedge(90.0 * kDegree, 45.0 * kDegree, 1.0);
  example.planes = {{.normal = Vector3d::UnitY(), .restitution = 0.8},
                    {.normal = Vector3d::UnitX(), .restitution = 0.3}};
  example.velocity = {-1.0, -1.0, 0.0};
  return example;
}

EllipsoidCase in_a_wedge(double angle, double psi, double restitution) {
  EllipsoidCase made;
  made.attitude = attitude_from_bryan({.psi = psi, .theta = 30.0 * kDegree, .phi = 90.0 * kDegree});
  for (const double side : {0.5, -0.5}) {
    const double direction = 45.0 * kDegree + side * angle;
    made.planes.push_back({.normal = {std::cos(direction), std::sin(direction), 0.0}, .restitution = restitution});
  }
  made.velocity = {-1.0, -1.0, 0.0};
  return made;
}

Vector3d random_direction(Random& random) {
  while (true) {
    const Vector3d v{random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
    const double length = v.norm();
    if (length > 0.1 && length < 1.0) return v / length;
  }
}

Vector3d random_vector(Random& random) {
  return random.uniform(0.2, 2.0) * random_direction(random);
}

EllipsoidCase random_ellipsoid(Random& random, int planes) {
  const auto vector = [&random](double low, double high) {
    const double x = random.uniform(low, high), y = random.uniform(low, high);
    return Vector3d{x, y, random.uniform(low, high)};
  };
  EllipsoidCase made;
  made.semi_axes = vector(0.3, 1.5);
  made.mass = random.uniform(0.5, 5.0);
  const Vector3d axis = random_direction(random);
  made.attitude = rotation_by(random.uniform(0.0, 6.28) * axis);
  made.velocity = vector(-1.0, 1.0);
  made.spin = vector(-1.0, 1.0);
  for (int i = 0; i < planes; ++i)
    made.planes.push_back({.normal = random_direction(random), .restitution = random.uniform()});
  return made;
}

}  // namespace carom::reproduce
