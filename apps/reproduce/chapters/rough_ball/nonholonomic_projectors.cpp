/// Treschev & Zubelevich, On collisions in nonholonomic systems: Lemma 1, the matrices as printed and as they should
/// be, and the equations of collision, on random systems and on the ball.

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "carom/base/error.h"
#include "reproduce/chapters/rough_ball/rough_ball.h"
#include "reproduce/chapters/rough_ball/rough_sections.h"
#include "reproduce/decompositions.h"

namespace carom::reproduce {

namespace {

std::vector<Item> lemma_items() {
  Random random(1);
  double formula = 0.0, projector = 0.0, persistent = 0.0;
  for (int i = 0; i < kCases; ++i) {
    const ImpactProblem problem = random_rough_problem(random);
    const Matrix rows = stacked_rows(problem);
    const Matrix p = law_projector(problem.metric, rows, problem.persistent.rows());
    formula = std::max(formula, largest_difference(p, lemma_projector(problem.metric, rows)));
    projector = std::max(projector, largest_difference(p * p, p));
    if (problem.persistent.rows() == 0) continue;
    persistent = std::max(persistent, largest_difference(problem.persistent * p, problem.persistent));
  }
  const std::string how =
      fmt::format("{} random systems of 3 to 8 speeds; P is (v⁻ − v⁺)/2 of the law `rough`", kCases);
  return {
      statement_item("Lemma 1, (2.4)", "P = G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹B; largest difference of an entry", formula, kRounding, how),
      statement_item("Lemma 1", "P is a projector: P² = P", projector, kRounding, how),
      statement_item("Lemma 1, (2.5)", "AP = A where ker B ⊆ ker A", persistent, kRounding, how)};
}

Item rank_item() {
  const int ours = matrix_rank(wall_rows(kBall));
  return corrected_item("§1, definition of B", "m − s, the number of conditions on the wall: 5 − 1 = 4",
                        fmt::format("dim im A = {}", matrix_rank(rolling_rows(kBall))),
                        fmt::format("dim im B = {}", ours), std::abs(ours - 4.0), 0.0,
                        "The rank that is m − s is that of B. A, which is printed there, has rank m − l = 2 in the "
                        "paper's own example.");
}

struct MatrixCase {
  const char* where;
  const char* entries;
  const char* value;  ///< that the entries should have inside the bracket
  const char* effect;
  Matrix law, printed, corrected;
};

Item matrix_item(const MatrixCase& matrix) {
  const double off = largest_difference(matrix.printed * matrix.printed, matrix.printed);
  return corrected_item(
      matrix.where, fmt::format("matrix P: {} inside the bracket", matrix.entries), "1", matrix.value,
      largest_difference(matrix.law, matrix.corrected), kRounding,
      fmt::format("1 is not of the dimension of the other entries, and {}. With m = 1, J = 0.1, r = 0.5 the printed "
                  "matrix misses P² = P by {:.3g}; mended it is what the law acts with, entry by entry.",
                  matrix.effect, off));
}

Item wall_matrix_item() {
  const Matrix metric = Vector{{kBall.mass, kBall.mass, kBall.inertia, kBall.inertia, kBall.inertia}}.asDiagonal();
  return matrix_item({.where = "§3.1, proof of Theorem 3.1",
                      .entries = "(1,1) and (4,4)",
                      .value = "2J̃",
                      .effect = "v₁⁺ = −v₁⁻ of the theorem would not follow",
                      .law = law_projector(metric, wall_rows(kBall), 0),
                      .printed = wall_projector(kBall, Print::printed),
                      .corrected = wall_projector(kBall, Print::corrected)});
}

Item floor_matrix_item() {
  return matrix_item({.where = "§3.2, proof of Theorem 3.2",
                      .entries = "(3,3)",
                      .value = "J'",
                      .effect = "v₃⁺ = −v₃⁻ of the theorem would not follow",
                      .law = law_projector(kBall.metric(), floor_rows(kBall), 2),
                      .printed = floor_projector(kBall, Print::printed),
                      .corrected = floor_projector(kBall, Print::corrected)});
}

/// The rows of §3.2 as persistent constraints of a falling ball are refused; as rows of the floor they are its B.
Item role_of_rows_item() {
  const Vector falling{{0.3, -0.2, -1.0, 0.4, 0.1, 0.7}};
  ImpactProblem printed = thrown_to_the_floor(kBall, falling, 1.0);
  printed.persistent = floor_rows(kBall);
  std::string refusal = "accepted";
  try {
    (void)struck(printed);
  } catch (const InputError& error) {
    refusal = kind_name(error.kind());
  }
  const Vector after = velocity_after(thrown_to_the_floor(kBall, falling, 1.0));
  return corrected_item("§3.2, the matrix called A", "the rows that vanish on the floor", "A, for all time: " + refusal,
                        "B, on the floor only", largest_difference(after, floor_theorem(kBall, falling, 1.0)),
                        kRounding,
                        "A holds at all times, and a ball in flight does not keep to these rows; they are B, and A is "
                        "empty. The second paper prints B, A = 0.");
}

/// With the labels as the text of §3.2 has them, the state before the collision of §3.2.1 is on its way up.
Item labels_item() {
  const Vector minus{{-1.0, 0.0, -2.0, 0.0, 5.0, 0.0}};
  const Vector plus = floor_theorem(kBall, minus, 1.0);
  const ImpactOutcome printed = struck(thrown_to_the_floor(kBall, plus, 1.0));
  const Vector after = velocity_after(thrown_to_the_floor(kBall, minus, 1.0));
  return corrected_item(
      "§3.2, meaning of the superscripts", "vertical velocity before the collision of §3.2.1, u = 2",
      fmt::format("+ is before: {:+g}{}", plus[2], printed.steps == 0 ? ", no collision" : ""),
      fmt::format("− is before: {:+g}", minus[2]), largest_difference(after, plus), kRounding,
      "The text of §3.2 calls + the state before. A ball on its way up has no collision before it, and §2, "
      "§3.1 and the second paper have it the other way. The formulas stand: the map is its own inverse.");
}

/// A velocity of W along the floor: v⊥ ∈ TN and not zero. And a second law that all printed equations allow, the smooth
/// reflection of a contact without slip rows.
Item tangent_item() {
  const Matrix metric = kBall.metric(), rows = floor_rows(kBall), one = Matrix::Identity(6, 6);
  const Matrix p = law_projector(metric, rows, 2);
  const Matrix smooth = one - 2.0 * law_projector(metric, rows.bottomRows(1), 0);
  const Vector sliding = p * Vector::Unit(6, 0);
  const double energy = largest_difference(smooth.transpose() * metric * smooth, metric);
  const double along = ((one - p).transpose() * metric * (smooth - one)).cwiseAbs().maxCoeff();
  return corrected_item("§2.3", "“v⊥ ∈ TN implies v⊥ = 0”: |v⊥| and its normal part for v = e₁ at the floor", "0 and 0",
                        fmt::format("{:.6g} and {:g}", sliding.norm(), std::abs(sliding[2])),
                        std::max({energy, along, std::abs(sliding[2])}), kRounding,
                        "It fails wherever B adds more than one row to A. So (2.10) and (2.11) do not single out Q = "
                        "−1: the smooth reflection "
                        "satisfies both (that is the difference given here). The second paper closes the gap by its "
                        "hypotheses and (2.7).");
}

}  // namespace

Section nonholonomic_projectors() {
  Section section{.heading = "The projector and its matrices",
                  .text = "The law `rough` is asked for its answer to every direction of velocity; P is read off that.",
                  .items = lemma_items(),
                  .figures = {},
                  .maps = {}};
  section.items.insert(section.items.end(), {rank_item(), wall_matrix_item(), floor_matrix_item(), role_of_rows_item(),
                                             labels_item(), tangent_item()});
  return section;
}

Section nonholonomic_collision_equations() {
  Random random(2);
  double energy = 0.0, across = 0.0, constraint = 0.0, reversed = 0.0;
  for (int i = 0; i < kCases; ++i) {
    ImpactProblem problem = random_rough_problem(random);
    const Vector before = problem.velocity;
    const Vector after = velocity_after(problem);
    const Matrix& g = problem.metric;
    const double scale = before.dot(g * before);
    energy = std::max(energy, std::abs(after.dot(g * after) - scale) / scale);
    const Matrix p = lemma_projector(g, stacked_rows(problem));
    const Vector along = (Matrix::Identity(p.rows(), p.cols()) - p).transpose() * (g * (after - before));
    across = std::max(across, along.norm() / (g * before).norm());
    if (problem.persistent.rows() > 0)
      constraint = std::max(constraint, (problem.persistent * after).cwiseAbs().maxCoeff() / before.norm());
    problem.velocity = -after;
    reversed = std::max(reversed, largest_difference(velocity_after(problem), -before));
  }
  const std::string how = fmt::format("{} random systems with up to two persistent constraints", kCases);
  return {
      .heading = "The equations of collision",
      .text = {},
      .items = {statement_item("(2.10)", "T⁺ = T⁻; relative change", energy, kRounding, how),
                statement_item("(2.11)", "v⁺ − v⁻ is perpendicular to ker B", across, kRounding, how),
                statement_item("§2.3", "v⁺ ∈ ker A: the constraint holds after as before", constraint, kRounding, how),
                statement_item("(2.13)", "v⁺ = (I − 2P)v⁻ undoes itself: −v⁺ comes back as −v⁻", reversed, kRounding,
                               how)},
      .figures = {},
      .maps = {}};
}

}  // namespace carom::reproduce
