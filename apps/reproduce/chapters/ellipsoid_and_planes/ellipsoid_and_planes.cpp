/// The chapter on Stănescu and Pandrea, "Simple and multi-collision of an ellipsoid with planar surfaces. Part I:
/// theory", 2017: kinematics, the worked example, inertances and impulses. The sections on contact points, on its
/// impact law and on its open question stand in files of their own.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/contact/contact_point.h"
#include "carom/geometry/mass_properties.h"
#include "carom/laws/impact/impact_solver.h"
#include "reproduce/chapters/ellipsoid_and_planes/ellipsoid_formulas.h"
#include "reproduce/chapters/ellipsoid_and_planes/ellipsoid_items.h"
#include "reproduce/chapters/ellipsoid_and_planes/ellipsoid_problem.h"
#include "reproduce/chapters/ellipsoid_and_planes/ellipsoid_sections.h"
#include "reproduce/chapters/papers.h"

namespace carom::reproduce {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

constexpr int kPlaneCases = 1000;
const Vector3d kPaperAxes{1.0, 1.0, 2.0};
constexpr double kPaperMass = 500.0;
constexpr BryanAngles kPaperAngles{.psi = 45.0 * kDegree, .theta = 30.0 * kDegree, .phi = 90.0 * kDegree};

BryanAngles random_angles(Random& random) {
  return {.psi = random.uniform(-3.1, 3.1), .theta = random.uniform(-1.5, 1.5), .phi = random.uniform(-3.1, 3.1)};
}

// -------------------------------------------------------------------------------------- kinematics, equations (1)–(22)

Item inertia_item() {
  Random random(1);
  double worst = 0.0;
  for (int i = 0; i < kPlaneCases; ++i) {
    const Vector3d axes = random_vector(random).cwiseAbs() + Vector3d::Constant(0.1);
    const Vector3d ours = 2.5 * mass_properties(Ellipsoid{axes}).inertia_per_mass;
    worst = std::max(worst, (paper_inertia(2.5, axes) - ours).norm() / ours.norm());
  }
  return statement_item("eq. (1)", "principal moments of inertia of a homogeneous ellipsoid", worst, kRoundOff,
                        fmt::format("{} random ellipsoids against the library's mass properties", kPlaneCases));
}

Section kinematics() {
  Random random(2);
  double rotation_worst = 0.0;
  Deviation rates, spins, velocities;
  for (int i = 0; i < kPlaneCases; ++i) {
    const BryanAngles angles = random_angles(random);
    const Quaterniond attitude = attitude_from_bryan(angles);
    const Matrix3d rotation = attitude.toRotationMatrix();
    rotation_worst = std::max(rotation_worst, (paper_rotation(angles) - rotation).norm());

    const Matrix3d rate_matrix = bryan_rate_matrix(angles);
    rates.add((paper_rate_matrix(angles, Reading::printed) - rate_matrix).norm(),
              (paper_rate_matrix(angles, Reading::corrected) - rate_matrix).norm());

    const Vector3d spin = random_vector(random), world_spin = rotation * spin;
    const Matrix3d turned = rotation * paper_spin_matrix(spin, Reading::corrected) * rotation.transpose();
    spins.add((paper_spin_matrix(world_spin, Reading::printed) - turned).norm(),
              (paper_spin_matrix(world_spin, Reading::corrected) - turned).norm());

    const Vector3d point = random_vector(random);
    const BodyState state{.position = random_vector(random),
                          .orientation = attitude,
                          .velocity = Vector3d::Zero(),
                          .angular_velocity = world_spin};
    const Vector3d beside = contact::point_velocity(state, state.pose().to_world(point));
    velocities.add((paper_point_velocity(rotation, point, spin, Reading::printed) - beside).norm(),
                   (paper_point_velocity(rotation, point, spin, Reading::corrected) - beside).norm());
  }
  const std::string how = fmt::format("{} random attitudes against the library's attitude", kPlaneCases);
  return {
      .heading = "Inertia, attitude and velocities",
      .text =
          "Section 2 of the paper, equations (1) to (22), each beside the library's own kinematics on random "
          "ellipsoids, attitudes and velocities. A misprint is called so where the printed formula fails a check "
          "that the corrected one passes to round-off.",
      .items = {inertia_item(),
                statement_item("eqs (8)–(11)", "rotation matrix from the Bryan angles", rotation_worst, kRoundOff, how),
                corrected_formula(
                    "eqs (16), (19)", "angular velocity from the rates of the Bryan angles, ω = Qβ̇", rates,
                    "printed, φᵀθᵀ stands before all three columns of Q; it is Q = [φᵀθᵀu_ψ, φᵀu_θ, u_φ]"),
                corrected_formula(
                    "eqs (20), (22)", "matrix of the angular velocity in the fixed frame, A[ω]Aᵀ", spins,
                    "entry (2,3) is −ω_x, printed −ω_z; the last \"=\" of (20) sets the matrix equal to that of "
                    "the moving frame, and (22) lacks its \"=\""),
                corrected_formula("eq. (21)", "velocity of a point of the body, Ṙ₀ + A[r]ᵀQβ̇", velocities,
                                  "printed A + [r]ᵀ…, which adds a matrix to a column; the figure is for the "
                                  "formula without that matrix")},
      .figures = {},
      .maps = {}};
}

// ----------------------------------------------------------------------------------------- the worked example, section
// 6

Item rotation_entries() {
  const double r2 = std::sqrt(2.0), r3 = std::sqrt(3.0), r6 = std::sqrt(6.0);
  Matrix3d printed;  // (x)
  printed << 0.0, -r3 / 2.0, 0.5, r2 / 2.0, -r2 / 4.0, -r6 / 4.0, r2 / 2.0, r2 / 4.0, r6 / 4.0;
  const Matrix3d ours = attitude_from_bryan(kPaperAngles).toRotationMatrix();
  return statement_item("§6, eqs (x), (xi)", "all nine entries of the rotation matrix",
                        (printed - ours).cwiseAbs().maxCoeff(), kRoundOff, "largest difference of an entry");
}

std::vector<Item> inertia_items() {
  const Vector3d printed{200.0, 200.0, 100.0};
  const Vector3d corrected = paper_inertia(kPaperMass, kPaperAxes);
  const Vector3d ours = kPaperMass * mass_properties(Ellipsoid{kPaperAxes}).inertia_per_mass;
  std::vector<Item> items;
  for (int i = 0; i < 3; ++i) {
    Item item{.where = "§6",
              .claim = fmt::format("moment of inertia J_{} [kg m²]", "xyz"[i]),
              .paper = {},
              .ours = {},
              .difference = {},
              .note = i == 0 ? "the paper's own equation (1) gives 500, 500, 200 for a = b = 1, c = 2, m = 500" : ""};
    items.push_back(corrected_number(std::move(item), printed[i], corrected[i], ours[i]));
  }
  return items;
}

/// One coordinate of the centre for the simultaneous collision: (xii), what its own (viii) gives, and the correct one.
Item position_item(const std::string& name, double printed, const Vector3d& normal, double exact) {
  const Quaterniond attitude = attitude_from_bryan(kPaperAngles);
  const Vector3d row = attitude.conjugate() * normal;
  const double by_formula = std::abs(paper_height(kPaperAxes, row, Reading::printed));
  const double ours = support(kPaperAxes, attitude, normal);
  Item item{.where = "§6, eqs (vi)–(viii), (xii)",
            .claim = fmt::format("{} of the centre when the ellipsoid touches both planes [m]", name),
            .paper = {},
            .ours = {},
            .difference = {},
            .note = fmt::format(
                "the root alone, not the quotient. Printed (viii) gives {:.6g}, so (xii) does not follow from it "
                "either; and nothing below the least semi-axis, 1 m, is possible: at the printed {} the body is "
                "{:.4g} m inside the plane",
                by_formula, name, ours - printed)};
  return corrected_number(std::move(item), printed, exact, ours);
}

Section example_section() {
  const double printed_x = (4.0 - std::sqrt(3.0)) / std::sqrt(19.0);
  const double printed_y = (std::sqrt(6.0) - std::sqrt(2.0)) / std::sqrt(26.0);
  Section section{
      .heading = "The worked example",
      .text =
          "An ellipsoid of semi-axes 1, 1 and 2 m and 500 kg, Bryan angles 45°, 30° and 90°, meets the planes OXZ "
          "and OYZ at once. The example was changed in two places to agree with the paper's own theory: the "
          "moments of inertia and the distances.",
      .items = inertia_items(),
      .figures = {},
      .maps = {}};
  section.items.push_back(rotation_entries());
  section.items.push_back(position_item("X₀", printed_x, Vector3d::UnitX(), std::sqrt(7.0) / 2.0));
  section.items.push_back(position_item("Y₀", printed_y, Vector3d::UnitY(), std::sqrt(34.0) / 4.0));
  for (const auto& [name, axis] : {std::pair("X₀", 0), std::pair("Y₀", 1)}) {
    const double ours = support(kPaperAxes, Quaterniond::Identity(), Vector3d::Unit(axis));
    section.items.push_back(
        number_item("§6, eq. (xvi)", fmt::format("{} without rotation [m]", name), 1.0, ours, kRoundOff));
  }
  section.items.back().note =
      "along the axes the printed quotient and the root are the same number: this check cannot see the misprint";
  return section;
}

// ------------------------------------------------------------------------------ inertances and impulses, (23), (34),
// (35)

std::vector<Item> inertance_items(const ImpactProblem& impact, const EllipsoidCase& example) {
  const Matrix ours = inertance_matrix(impact);
  const Vector3d inertia = paper_inertia(kPaperMass, kPaperAxes);
  std::vector<Item> items;
  for (Eigen::Index i = 0; i < 2; ++i) {
    const Vector3d normal = example.attitude.conjugate() * example.planes[i].normal;
    const Vector3d lever = paper_contact_point(kPaperAxes, normal).cross(normal);
    Item item{.where = "eqs (27), (28), (34)",
              .claim = fmt::format("inertance g_{} of the worked example [1/kg]", i + 1),
              .paper = {},
              .ours = {},
              .difference = {},
              .note = i == 0 ? "(26) and (27) take i, j, k along the fixed axes OX, OY, OZ, while J_x, J_y, J_z "
                               "belong to the moving ones; d, e, f must be the components of CP × n in the moving "
                               "frame"
                             : ""};
    items.push_back(corrected_number(std::move(item), paper_inertance(kPaperMass, inertia, example.attitude * lever),
                                     paper_inertance(kPaperMass, inertia, lever), ours(i, i)));
  }
  return items;
}

Item sign_item() {
  EllipsoidCase single = worked_example();
  single.planes.resize(1);
  const ImpactProblem impact = impact_of(single).value();
  const Contact& contact = impact.contacts[0];
  const double ours = ImpactSolver().solve(impact, kSuperpositionLaw).rate_after[0];
  Item item{.where = "eq. (23)",
            .claim = "normal velocity after a collision with OXZ alone, k = 0.8, 1 m/s before [m/s]",
            .paper = {},
            .ours = {},
            .difference = {},
            .note =
                "the sum must be subtracted, as (35) says, which has the sign; as printed the contact goes on with "
                "(2 + k) times its velocity"};
  return corrected_number(std::move(item), contact.normal.dot(paper_velocity_after(impact, Reading::printed)),
                          contact.normal.dot(paper_velocity_after(impact, Reading::corrected)), ours);
}

Item impulse_item() {
  Random random(6);
  ImpactSolver solver;
  double worst = 0.0;
  for (int i = 0; i < kPlaneCases; ++i) {
    const std::optional<ImpactProblem> impact = impact_of(random_ellipsoid(random, random.integer(1, 3)));
    if (!impact) continue;
    const ImpactOutcome outcome = solver.solve(*impact, kSuperpositionLaw);
    const Matrix inertances = inertance_matrix(*impact);
    double scale = 0.0, difference = 0.0;
    for (std::size_t j = 0; j < impact->contacts.size(); ++j) {
      const auto row = static_cast<Eigen::Index>(j);
      const double rate = outcome.rate_before[j];
      const double paper = rate < 0.0 ? -(1.0 + *impact->contacts[j].restitution) * rate / inertances(row, row) : 0.0;
      scale = std::max(scale, paper);
      difference = std::max(difference, std::abs(paper - outcome.impulses[j]));
    }
    worst = std::max(worst, difference / scale);
  }
  return statement_item("eq. (35)", "impulses P_i = −(1+k_i)v_in/g_i, with one to three planes", worst, 1e-11,
                        "the law `superposition` on random ellipsoids; largest relative difference");
}

Section inertance_section() {
  const EllipsoidCase example = worked_example();
  const ImpactProblem impact = impact_of(example).value();
  Section section{
      .heading = "Inertances and impulses",
      .text =
          "The diagonal of the inertance matrix D of the impact problem is the paper's g_i. The problem is the one "
          "that the event engine makes of the ellipsoid at the instant of contact.",
      .items = inertance_items(impact, example),
      .figures = {},
      .maps = {}};
  section.items.push_back(sign_item());
  section.items.push_back(impulse_item());
  section.items.push_back(
      {.where = "§6",
       .claim = "velocities after the simultaneous collision of the worked example",
       .paper = "not given",
       .ours = "see the next section",
       .difference = {},
       .tolerance = 0.0,
       .verdict = Verdict::not_reproducible,
       .note = "the example ends with the place of the centre: the paper gives neither a velocity before nor "
               "coefficients of restitution, hence no velocity after"});
  return section;
}

}  // namespace

Chapter ellipsoid_and_planes(const Announce& announce) {
  Chapter chapter{
      .id = "ellipsoid-and-planes",
      .title = "Simple and multi-collision of an ellipsoid with planar surfaces. Part I: theory",
      .citation = "N.-D. Stănescu and N. Pandrea, Analele Universității \"Eftimie Murgu\" Reșița XXIV (1), 2017",
      .sections = {}};
  announce("contact points, inertances and the worked example");
  chapter.sections.push_back(kinematics());
  chapter.sections.push_back(ellipsoid_contact_section());
  chapter.sections.push_back(example_section());
  chapter.sections.push_back(inertance_section());
  chapter.sections.push_back(ellipsoid_law_section(announce));
  chapter.sections.push_back(ellipsoid_failure_section(announce));
  chapter.sections.push_back(ellipsoid_question_section(announce));
  return chapter;
}

}  // namespace carom::reproduce
