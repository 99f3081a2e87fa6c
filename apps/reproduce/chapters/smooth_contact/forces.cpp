/// Sections 2.1 and 2.2 of the paper: penetrations (eqs. 1, 2 and 8), force laws (eqs. 9 to 11) and the restitution
/// that they really give.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/base/random.h"
#include "carom/geometry/pair_table.h"
#include "carom/laws/normal_force/collision.h"
#include "carom/laws/normal_force/hysteretic.h"
#include "carom/laws/normal_force/registry.h"
#include "reproduce/chapters/smooth_contact/parts.h"

namespace carom::reproduce::smooth {
namespace {

// Pool balls (Hertz's K of two of them) at a speed of pool.
constexpr double kStiffness = 5.262e8;  // [N/m^1.5]
constexpr double kReducedMass = 0.085;  // [kg]
constexpr double kSpeed = 1.0;          // [m/s]

NormalForce force_of(std::string_view name, double restitution) {
  const NormalLaw& law = normal_law(name);
  LawParameters given;
  if (name != "hertz") given.set("restitution", restitution);
  NormalInput input = normal_input(law, given);
  input.stiffness = kStiffness;
  input.reduced_mass = kReducedMass;
  input.approach_speed = kSpeed;
  return law.prepare(input);
}

CollisionOutcome collide(std::string_view name, double restitution) {
  return two_body_collision(force_of(name, restitution), {.reduced_mass = kReducedMass, .speed = kSpeed});
}

/// Largest difference of the penetrations of eqs. (1), (2) and (8) from the library's, over random spheres [m].
std::array<double, 3> penetration_differences() {
  std::array<double, 3> worst{};
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const double small = random.uniform(0.1, 1.0);
    const double big = random.uniform(1.5, 3.0);
    Pose pose_small, pose_big;
    pose_small.position = {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
    pose_big.position = {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
    const double apart = (pose_small.position - pose_big.position).norm();
    const auto depth = [&pose_small, small](const Shape& other, const Pose& pose) {
      return -proximity(Sphere{small}, pose_small, other, pose).distance;
    };
    worst[0] = std::max(worst[0], std::abs(small + big - apart - depth(Sphere{big}, pose_big)));
    // The larger radius counts negative.
    worst[1] = std::max(worst[1], std::abs(small - big + apart - depth(Shell{big}, pose_big)));
    const Pose plane = half_space_pose(Eigen::Vector3d::UnitZ(), pose_big.position);
    const double height = pose_small.position.z() - pose_big.position.z();
    worst[2] = std::max(worst[2], std::abs(small - height - depth(HalfSpace{}, plane)));
  }
  return worst;
}

/// The restitution of an integrated collision against the nominal one, to the two digits of the paper's tables.
Item effective_item(std::string where, std::string_view law, double nominal) {
  constexpr double kDigits = 0.005;
  const double closed = normal_law(law).effective_restitution(nominal);
  const double simulated = collide(law, nominal).restitution;
  const double difference = std::abs(simulated - nominal);
  Item item = item_in_words(
      {.where = std::move(where),
       .claim = fmt::format("restitution of two bodies under {} (absolute difference)", law),
       .paper = fmt::format("{}", nominal),
       .ours = fmt::format("{:.6f}", simulated),
       .note =
           difference <= kDigits
               ? ""
               : fmt::format("The law's own λ(c) is an approximation for c near 1; whatever integrates it, two bodies "
                             "rebound by λ(1+e) = ln[(1+λ)/(1−λe)], from which the collision is off by {:.0e}.",
                             std::abs(simulated - closed))},
      difference <= kDigits);
  item.difference = difference;
  item.tolerance = kDigits;
  return item;
}

/// Largest |e − c| of a law over nominal restitutions from low to 1.
double worst_restitution(std::string_view law, double low) {
  double worst = 0.0;
  for (int i = 0; i <= 100; ++i) {
    const double nominal = low + (1.0 - low) * 0.01 * i;
    worst = std::max(worst, std::abs(normal_law(law).effective_restitution(nominal) - nominal));
  }
  return worst;
}

Panel restitution_panel() {
  Panel panel;
  panel.y_label = "effective restitution e";
  panel.x_label = "nominal restitution c";
  int colour = 0;
  for (const std::string_view name : {"exact", "lankarani-nikravesh", "flores", "hunt-crossley", "gonthier"}) {
    std::vector<double> x, y;
    for (int i = 5; i <= 100; ++i) {
      x.push_back(0.01 * i);
      y.push_back(normal_law(name).effective_restitution(0.01 * i));
    }
    panel.curves.push_back(curve(std::string(name), std::move(x), std::move(y), colour++));
  }
  return panel;
}

/// Force over depth of one collision, in steps that the picture resolves.
Curve loop_curve(std::string_view name, double restitution, int colour) {
  const NormalForce force = force_of(name, restitution);
  std::vector<double> x, y;
  double depth = 0.0;
  double rate = kSpeed;
  const double step = collide(name, restitution).duration / 4000.0;
  for (int i = 0; i < 6000 && depth >= 0.0; ++i) {
    if (i % 20 == 0) {
      x.push_back(1e3 * depth);
      y.push_back(force.evaluate(depth, rate).force);
    }
    // Velocity Verlet with the rate of the step's beginning: second order is plenty for a line in a picture.
    const double half = rate - 0.5 * step * force.evaluate(depth, rate).force / kReducedMass;
    depth += step * half;
    rate = half - 0.5 * step * force.evaluate(depth, half).force / kReducedMass;
  }
  return curve(fmt::format("{}, c = {}", name, restitution), std::move(x), std::move(y), colour);
}

Figure force_figure() {
  Figure figure{.name = "smooth-contact-forces",
                .caption =
                    "Above: the restitution that force laws really give, for the one that they are asked for. "
                    "Below: force over depth of two pool balls that meet at 1 m/s.",
                .picture = {}};
  figure.picture.title = "force laws of eqs. (9) to (11)";
  figure.picture.x_label = "depth [mm]";
  figure.picture.panels.push_back(restitution_panel());
  Panel loops;
  loops.y_label = "force [N]";
  loops.x_label = "depth [mm]";
  loops.curves = {loop_curve("hertz", 1.0, 0), loop_curve("lankarani-nikravesh", 0.7, 1), loop_curve("flores", 0.7, 2)};
  figure.picture.panels.push_back(std::move(loops));
  return figure;
}

void add_hertz_items(Section& section) {
  const CollisionOutcome elastic = collide("hertz", 1.0);
  const double deepest = std::pow(5.0 * kReducedMass * kSpeed * kSpeed / (4.0 * kStiffness), 0.4);
  section.items.push_back(number_item("eq. (9)", "F = Kδ^{3/2} dissipates nothing: restitution of two bodies", 1.0,
                                      elastic.restitution, 1e-11));
  section.items.push_back(reference_item("eq. (9)", "greatest depth (5mv²/4K)^{2/5} of two pool balls at 1 m/s [m]",
                                         deepest, elastic.greatest_depth, 1e-10));
  section.items.push_back(reference_item("eq. (9)", "duration 2.94327518432470 δ_max/v of that collision [s]",
                                         2.94327518432470 * deepest / kSpeed, elastic.duration, 1e-10));
}

void add_range_items(Section& section) {
  const double near_one = worst_restitution("lankarani-nikravesh", 0.9);
  const double far = worst_restitution("lankarani-nikravesh", 0.01);
  section.items.push_back(
      item_in_words({.where = "Section 2.2, on eq. (10)",
                     .claim = "Lankarani–Nikravesh works well with c close to unity",
                     .paper = "works well there",
                     .ours = fmt::format("|e − c| up to {:.3f} for c ≥ 0.9, {:.3f} over all c", near_one, far),
                     .note = "Below c = 0.9 it rebounds far more than asked; it never gives less than 0.663."},
                    near_one < 0.02 && far > 0.5));
  const double flores = worst_restitution("flores", 0.01);
  section.items.push_back(
      item_in_words({.where = "Section 2.2, on eq. (11)",
                     .claim = "Flores et al. can be applied to the entire range of c",
                     .paper = "entire range",
                     .ours = fmt::format("|e − c| up to {:.3f} over all c", flores),
                     .note = "The law `exact` solves for the λ whose rebound is c: no difference at all."},
                    flores < 0.05));
}

}  // namespace

Section contact_forces() {
  Section section;
  section.heading = "Detection and force laws (Section 2)";
  section.text =
      "Penetrations by the library's pair functions against the paper's formulas, and two-body collisions integrated "
      "under each law. A hysteretic law $F = Kδ^n(1 + λ\\dot δ/v_0)$ rebounds with $e = [1 + "
      "W_0(−(1+λ)e^{−(1+λ)})]/λ$ whatever n, K, m and v₀ are, so the nominal restitution of the paper's tables is not "
      "the one that its simulations had.";
  const std::array<double, 3> depths = penetration_differences();
  section.items.push_back(statement_item("eq. (1)", "penetration of two spheres", depths[0], 1e-14,
                                         "1000 random pairs; absolute difference [m]"));
  section.items.push_back(statement_item("eq. (2)",
                                         "penetration of a sphere in a hollow sphere, larger radius negative",
                                         depths[1], 1e-14, "1000 random pairs; absolute difference [m]"));
  section.items.push_back(statement_item("eqs. (3)–(8)", "penetration of a sphere into a plane", depths[2], 1e-14,
                                         "1000 random pairs; absolute difference [m]"));
  add_hertz_items(section);
  section.items.push_back(effective_item("eq. (10), Table 2, ball–ball", "lankarani-nikravesh", 0.93));
  section.items.push_back(effective_item("eq. (10), Table 2, ball–cushion", "lankarani-nikravesh", 0.85));
  section.items.push_back(effective_item("eq. (10), Table 2, ball–cushion", "lankarani-nikravesh", 0.98));
  section.items.push_back(effective_item("eq. (10), Fig. 7", "lankarani-nikravesh", 0.7));
  section.items.push_back(effective_item("eq. (11)", "flores", 0.7));
  add_range_items(section);
  add_figure(section, force_figure());
  return section;
}

}  // namespace carom::reproduce::smooth
