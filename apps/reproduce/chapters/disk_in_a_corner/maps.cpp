/// The disk in a corner: number of steps and reason to stop over restitution and angle, and the boundary beyond which
/// every disk leaves.

#include <fmt/format.h>

#include "carom/laws/corner/batch.h"
#include "carom/laws/corner/prediction.h"
#include "reproduce/chapters/disk_in_a_corner/sections.h"

namespace carom::reproduce::disk {
namespace {

using std::numbers::pi;

constexpr std::size_t kColumns = 360;
constexpr std::size_t kRows = 270;

/// Cells of the (ε, α) plane: centres of [0, 1] × [0, π/4].
double restitution_of(std::size_t column) {
  return (static_cast<double>(column) + 0.5) / kColumns;
}
double alpha_of(std::size_t row) {
  return pi / 4 * (static_cast<double>(row) + 0.5) / kRows;
}

/// NA from (1, k/3), the second velocity of the paper's table, in every cell.
struct Plane {
  std::vector<std::int32_t> steps;
  std::vector<corner::Stop> stop;
};

Plane solve_plane() {
  constexpr std::size_t kCells = kColumns * kRows;
  std::vector<double> restitution(kCells), slope(kCells), x(kCells), y(kCells), x_after(kCells), y_after(kCells);
  for (std::size_t cell = 0; cell < kCells; ++cell) {
    restitution[cell] = restitution_of(cell % kColumns);
    slope[cell] = std::tan(alpha_of(cell / kColumns));
    const double length = std::hypot(1.0, slope[cell] / 3.0);
    x[cell] = 1.0 / length;
    y[cell] = slope[cell] / 3.0 / length;
  }
  Plane plane{std::vector<std::int32_t>(kCells), std::vector<corner::Stop>(kCells)};
  corner::solve_batch({restitution, slope, x, y}, {x_after, y_after, plane.steps, plane.stop});
  return plane;
}

/// α of the boundary sin 2α = (1−ε)/(1+ε), for a map's x = ε and y = α.
Curve boundary() {
  Curve curve;
  curve.label = "sin 2α = (1−ε)/(1+ε)";
  curve.colour = 1;
  curve.width = 2.4;
  for (int i = 0; i <= 400; ++i) {
    const double e = i / 400.0;
    curve.x.push_back(e);
    curve.y.push_back(0.5 * std::asin((1.0 - e) / (1.0 + e)));
  }
  return curve;
}

Map empty_map(std::string title, std::string value_label) {
  Map map;
  map.title = std::move(title);
  map.x_label = "restitution ε";
  map.y_label = "half angle α [rad]";
  map.value_label = std::move(value_label);
  map.y_high = pi / 4;
  map.columns = kColumns;
  map.rows = kRows;
  map.curves = {boundary()};
  return map;
}

/// The boundary is where the eigenvalues of two impacts meet: β²(1+ε)² = 4ε in the proof of Theorem 5.3.
Item double_eigenvalue() {
  double worst = 0.0;
  const Curve curve = boundary();
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    const double e = curve.x[i];
    const double c = (1.0 + e) * std::cos(2.0 * curve.y[i]);
    worst = std::max(worst, std::abs(c * c - 4.0 * e));
  }
  return statement_item("Theorem 5.3, proof", "β²(1+ε)² − 4ε = 0 is the curve sin 2α = (1−ε)/(1+ε)", worst, 1e-14,
                        "401 restitutions");
}

/// Where the paper's eigenvalues are complex every velocity leaves, by runs of NA without a threshold of rest.
Item complex_means_exit() {
  constexpr int kSamples = 2000;
  Cases cases(501);
  int wrong = 0;
  for (int i = 0; i < kSamples; ++i) {
    const double e = cases.uniform(0.02, 1.0);
    const double edge = 0.5 * std::asin((1.0 - e) / (1.0 + e));
    const double alpha = edge + (pi / 4 - edge) * cases.uniform(1e-3, 1.0);
    CornerProblem problem = disk_problem(alpha, e, cases.any_direction(), {0.0, 0.0, 1'000'000});
    wrong += static_cast<int>(corner::solve(problem).stop != corner::Stop::z0);
  }
  return statement_item(
      "Theorem 5.3",
      "its premise, a velocity that never reaches Z0, does not occur where the eigenvalues are complex (runs that do "
      "not leave)",
      wrong, 0.0, fmt::format("{} random runs of TA with sin 2α > (1−ε)/(1+ε)", kSamples));
}

/// Where they are real, velocities with −p/a < r₊ stay for ever: Theorem 5.3 is not empty.
Item real_means_that_some_stay() {
  constexpr int kSamples = 2000;
  Cases cases(502);
  int wrong = 0;
  for (int i = 0; i < kSamples; ++i) {
    const double e = cases.uniform(0.0, 0.9);
    const double edge = 0.5 * std::asin((1.0 - e) / (1.0 + e));
    const double alpha = edge * cases.uniform(0.3, 0.99);
    const double c = (1.0 + e) * std::cos(2.0 * alpha);
    const double root = 0.5 * (c + std::sqrt(c * c - 4.0 * e));
    const bool stays = i % 2 == 0;
    const double parting = root * (stays ? cases.uniform(0.0, 0.999) : cases.uniform(1.001, 2.0));
    const Velocity v = velocity_of(std::tan(alpha), {1.0, -parting});
    const corner::Stop stop = corner::solve(disk_problem(alpha, e, v, {0x1p-51, 1e-9, 1'000'000})).stop;
    wrong += static_cast<int>(stop != (stays ? corner::Stop::rest : corner::Stop::z0));
  }
  return statement_item(
      "Theorem 5.3", "where they are real a velocity of Z2 stays if and only if −η̇/ξ̇ < r₊, r₊² = ρ(H₁) (exceptions)",
      wrong, 0.0,
      fmt::format("{} random runs of NA; the criterion goes beyond the paper, which leaves open whether a "
                  "disk with ε < 1 leaves",
                  kSamples));
}

}  // namespace

Section where_the_disk_leaves() {
  const Plane plane = solve_plane();
  Section section;
  section.heading = "Where the disk leaves the corner";
  section.text =
      "The paper proves that a disk with ε < 1 that does not leave comes to rest, and leaves open when that is. Two "
      "single impacts are a linear map with the eigenvalues r±², r± = (c ± √(c²−4ε))/2, c = (1+ε)cos 2α: where they "
      "are complex the velocity turns until it leaves, which is so for sin 2α > (1−ε)/(1+ε); where they are real a "
      "velocity stays if it starts on the inner side of the eigenvector of r₊.";
  section.items = {double_eigenvalue(), complex_means_exit(), real_means_that_some_stay()};
  Map steps = empty_map("Steps of a disk thrown into a corner", "steps N");
  steps.logarithmic = true;
  Map stops = empty_map("How it ends", "end");
  stops.classes = {"leaves", "at rest", "10 000 steps"};
  for (std::size_t cell = 0; cell < plane.steps.size(); ++cell) {
    steps.values.push_back(static_cast<double>(plane.steps[cell]));
    stops.values.push_back(static_cast<double>(plane.stop[cell]));
  }
  section.maps = {
      {"corner-steps",
       "Steps of NA, 10 000 at most, from v₀ along (1, k/3) over restitution and half angle. Above the curve every "
       "disk leaves; below it this one mostly comes to rest, after about 13.8/α² steps where ε = 0.",
       std::move(steps)},
      {"corner-ends",
       "The same plane by how the iteration ends, and the boundary in closed form. Just above it the velocity turns so "
       "slowly that a few disks are slower than S_v before they leave; below it those leave that start beyond the "
       "eigenvector of r₊.",
       std::move(stops)}};
  return section;
}

}  // namespace carom::reproduce::disk
