/// Figures and maps of the chapter on ellipsoids and planes: the laws over restitution, attitude, angle between the
/// planes and number of planes.

#include <array>
#include <cmath>
#include <span>

#include "carom/analysis/compare_laws.h"
#include "carom/mechanics/attitude.h"
#include "reproduce/chapters/ellipsoid_and_planes/ellipsoid_problem.h"
#include "reproduce/chapters/ellipsoid_and_planes/ellipsoid_sections.h"

namespace carom::reproduce {

namespace {

constexpr double kPsi = 45.0 * kDegree;     ///< of the worked example
constexpr double kObtuse = 30.0 * kDegree;  ///< between the normals of a wedge that is open by 150°
constexpr double kLively = 0.8;
constexpr std::array kLaws{&kSuperpositionLaw, &kNewtonLaw, &kPoissonLaw, &kSequentialLaw, &kCompliantLaw};

double energy_change(const ImpactOutcome& outcome) {
  return outcome.energy.change / outcome.energy.before;
}

double energy_ratio(const ImpactOutcome& outcome) {
  return outcome.energy.after / outcome.energy.before;
}

double least_rate(const ImpactOutcome& outcome) {
  return outcome.audit.min_gap_rate_after;
}

void set_restitution(ImpactProblem& problem, double restitution) {
  for (Contact& contact : problem.contacts) contact.restitution = restitution;
}

Picture picture_of(std::string title, std::string x_label, std::vector<Panel> panels) {
  Picture picture;
  picture.title = std::move(title);
  picture.x_label = std::move(x_label);
  picture.panels = std::move(panels);
  return picture;
}

/// A quantity of the outcomes of several laws, a curve for each.
class LawPanel {
 public:
  LawPanel(std::string y_label, double (*quantity)(const ImpactOutcome&), std::span<const ImpactLaw* const> laws)
      : laws_(laws), quantity_(quantity) {
    panel.y_label = std::move(y_label);
    for (std::size_t law = 0; law < laws.size(); ++law) {
      Curve curve;
      curve.label = std::string(laws[law]->name);
      curve.colour = curve.dash = static_cast<int>(law);
      if (law == 0) curve.width = 2.4;
      panel.curves.push_back(std::move(curve));
    }
  }

  void add(double x, const ImpactProblem& problem) {
    const std::vector<ImpactOutcome> outcomes = compare_laws(problem, laws_);
    for (std::size_t law = 0; law < outcomes.size(); ++law) {
      panel.curves[law].x.push_back(x);
      panel.curves[law].y.push_back(quantity_(outcomes[law]));
    }
  }

  Panel panel;

 private:
  std::span<const ImpactLaw* const> laws_;
  double (*quantity_)(const ImpactOutcome&);
};

// -------------------------------------------------------------------------------------------------- figures

Figure restitution_figure() {
  ImpactProblem obtuse = impact_of(in_a_wedge(kObtuse, kPsi, kLively)).value();
  ImpactProblem right = impact_of(worked_example()).value();
  LawPanel energy("ΔT/T⁻, open by 150°", &energy_change, kLaws);
  LawPanel rate("least v_n after [m/s], 90°", &least_rate, kLaws);
  rate.panel.legend = false;
  for (int i = 0; i <= 40; ++i) {
    const double restitution = i / 40.0;
    set_restitution(obtuse, restitution);
    set_restitution(right, restitution);
    energy.add(restitution, obtuse);
    rate.add(restitution, right);
  }
  return {.name = "ellipsoid-restitution",
          .caption =
              "The worked example's ellipsoid moves along the bisector of two planes, the same restitution at "
              "both. Above: planes open by 150°, where (23) creates energy as soon as the restitution is large "
              "enough. Below: the paper's planes, where (23) leaves a plane approached (below zero) for small "
              "restitution.",
          .picture = picture_of("Laws over restitution", "restitution k", {energy.panel, rate.panel})};
}

Figure attitude_figure() {
  Panel cosine;
  cosine.y_label = "cosine ρ";
  cosine.legend = false;
  cosine.curves.resize(1);
  LawPanel energy("ΔT/T⁻", &energy_change, kLaws);
  LawPanel rate("least v_n after [m/s]", &least_rate, kLaws);
  rate.panel.legend = false;
  for (int degrees = 0; degrees <= 180; degrees += 3) {
    const ImpactProblem impact = impact_of(in_a_wedge(90.0 * kDegree, degrees * kDegree, kLively)).value();
    cosine.curves[0].x.push_back(degrees);
    cosine.curves[0].y.push_back(kinetic_cosine(impact));
    energy.add(degrees, impact);
    rate.add(degrees, impact);
  }
  return {.name = "ellipsoid-attitude",
          .caption =
              "The paper's planes OXZ and OYZ, V = (−1, −1, 0) m/s, k = 0.8 at both; the first Bryan angle turns, "
              "the others are the paper's (its example is at 45°).",
          .picture = picture_of("Laws over the attitude", "Bryan angle ψ [°]", {cosine, energy.panel, rate.panel})};
}

/// Tangent planes whose normals stand around a cone.
EllipsoidCase in_a_bowl(int planes) {
  EllipsoidCase bowl;
  bowl.semi_axes = {1.0, 1.4, 2.0};
  bowl.attitude = attitude_from_bryan({.psi = 0.7, .theta = 0.5, .phi = 0.3});
  bowl.velocity = -Eigen::Vector3d::UnitZ();
  const double tilt = 30.0 * kDegree;
  for (int i = 0; i < planes; ++i) {
    const double turn = 360.0 * kDegree * i / planes;
    bowl.planes.push_back({.normal = {std::sin(tilt) * std::cos(turn), std::sin(tilt) * std::sin(turn), std::cos(tilt)},
                           .restitution = 0.5});
  }
  return bowl;
}

// ----------------------------------------------------------------------------------------------------- maps

constexpr double kLeastAngle = 10.0, kGreatestAngle = 170.0;  ///< between the normals [°]

/// Above this restitution (23) creates energy at the approach of the problem; NaN where it never does.
double energy_boundary(const ImpactProblem& problem) {
  const Matrix d = inertance_matrix(problem);
  const double g1 = problem.contacts[0].normal.dot(problem.velocity);
  const double g2 = problem.contacts[1].normal.dot(problem.velocity);
  if (d(0, 1) <= 0.0) return std::nan("");
  const double ratio = (g1 * g1 * d(1, 1) + g2 * g2 * d(0, 0)) / (2.0 * g1 * g2 * d(0, 1));
  return (ratio - 1.0) / (ratio + 1.0);
}

MapFigure energy_map() {
  Map map;
  map.title = "Energy created by eq. (23)";
  map.x_label = "angle between the normals [°]";
  map.y_label = "restitution k";
  map.value_label = "ΔT/T⁻";
  map.x_low = kLeastAngle;
  map.x_high = kGreatestAngle;
  map.columns = 160;
  map.rows = 100;
  map.values.resize(map.columns * map.rows);
  Curve boundary;
  boundary.label = "ΔT = 0";
  ImpactSolver solver;
  ImpactOutcome outcome;
  for (std::size_t column = 0; column < map.columns; ++column) {
    const double angle = kLeastAngle + (static_cast<double>(column) + 0.5);
    ImpactProblem impact = impact_of(in_a_wedge(angle * kDegree, kPsi, kLively)).value();
    const double zero = energy_boundary(impact);
    if (std::isfinite(zero)) {
      boundary.x.push_back(angle);
      boundary.y.push_back(zero);
    }
    for (std::size_t row = 0; row < map.rows; ++row) {
      set_restitution(impact, (static_cast<double>(row) + 0.5) / static_cast<double>(map.rows));
      solver.solve(impact, kSuperpositionLaw, outcome);
      map.values[row * map.columns + column] = energy_change(outcome);
    }
  }
  map.curves = {boundary};
  return {.name = "ellipsoid-energy-map",
          .caption =
              "Relative change of energy by (23) for the worked example's ellipsoid and attitude in a wedge, "
              "moving along its bisector; the paper's planes are at 90°. Above the line ΔT = 0 energy is created.",
          .map = std::move(map)};
}

MapFigure failure_map() {
  Map map;
  map.title = "Where eq. (23) fails, k = 0.8";
  map.x_label = "Bryan angle ψ [°]";
  map.y_label = "angle between the normals [°]";
  map.value_label = "outcome";
  map.x_high = 180.0;
  map.y_low = kLeastAngle;
  map.y_high = kGreatestAngle;
  map.columns = 90;
  map.rows = 80;
  map.classes = {"sound", "creates energy", "leaves a plane approached", "both"};
  ImpactSolver solver;
  ImpactOutcome outcome;
  for (std::size_t row = 0; row < map.rows; ++row) {
    const double angle = kLeastAngle + 2.0 * (static_cast<double>(row) + 0.5);
    for (std::size_t column = 0; column < map.columns; ++column) {
      const double psi = 2.0 * (static_cast<double>(column) + 0.5);
      const ImpactProblem impact = impact_of(in_a_wedge(angle * kDegree, psi * kDegree, kLively)).value();
      solver.solve(impact, kSuperpositionLaw, outcome);
      const Flags& flags = outcome.audit.flags;
      map.values.push_back((flags.has(Flag::energy_created) ? 1.0 : 0.0) +
                           (flags.has(Flag::still_approaching) ? 2.0 : 0.0));
    }
  }
  return {.name = "ellipsoid-failure-map",
          .caption =
              "The worked example's ellipsoid in wedges of any opening and at any first Bryan angle, moving along "
              "the bisector with k = 0.8 at both planes.",
          .map = std::move(map)};
}

}  // namespace

std::vector<Figure> ellipsoid_law_figures() {
  return {restitution_figure(), attitude_figure()};
}

std::vector<MapFigure> ellipsoid_law_maps() {
  return {energy_map(), failure_map()};
}

Figure ellipsoid_many_planes_figure() {
  LawPanel energy("T⁺/T⁻", &energy_ratio, kLaws);
  energy.panel.logarithmic = true;
  for (int planes = 1; planes <= 24; ++planes) energy.add(planes, impact_of(in_a_bowl(planes)).value());
  return {.name = "ellipsoid-many-planes",
          .caption =
              "An ellipsoid lands in a bowl of tangent planes, inclined by 30° each, with k = 0.5: (23) adds an "
              "impulse for every plane, and the energy grows with the square of their number; the coupled laws "
              "create none.",
          .picture = picture_of("One impact on many planes", "number of planes", {energy.panel})};
}

}  // namespace carom::reproduce
