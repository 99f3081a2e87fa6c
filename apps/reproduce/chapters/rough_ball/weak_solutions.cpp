/// Treschev & Zubelevich, On weak solutions to the Lagrange–d'Alembert equation: the definition tried on a bounce,
/// Lemma 1, the hypotheses and Theorem 4.1. Theorem 4.2: weak_continuity.cpp; the ball: weak_superball.cpp.

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "reproduce/chapters/papers.h"
#include "reproduce/chapters/rough_ball/rough_ball.h"
#include "reproduce/chapters/rough_ball/rough_sections.h"

namespace carom::reproduce {

namespace {

using Eigen::Vector3d;

// --- Definition 1. ---

/// A ball that moves in the plane (x, z) and turns about y: coordinates (x, z, φ), L = ½m(ẋ² + ż²) + ½Jφ̇² − mgz. On the
/// floor ẋ − rφ̇ = 0 and ż = 0.
struct PlanarBounce {
  double time = 0.0;
  Vector3d before, after;  ///< rates of (x, z, φ)

  [[nodiscard]] static Matrix metric() {
    return Vector{{kSuperball.mass, kSuperball.mass, kSuperball.inertia}}.asDiagonal();
  }
  [[nodiscard]] static Matrix rows() { return Matrix{{0, 1, 0}, {1, 0, -kSuperball.radius}}; }
};

PlanarBounce bounce(double restitution) {
  BallScene scene{.ball = kSuperball, .gravity = kGravity, .restitution = restitution, .duration = 0.4};
  scene.start.position = Vector3d(0.0, 0.0, 0.4);
  scene.start.velocity = Vector3d(1.3, 0.0, -0.2);
  scene.start.angular_velocity = Vector3d(0.0, 11.0, 0.0);
  const BallImpact impact = run_ball(scene).impacts.at(0);
  const auto planar = [](const Vector& v) { return Vector3d(v[0], v[2], v[4]); };
  return {.time = impact.time, .before = planar(impact.before), .after = planar(impact.after)};
}

/// ψ(t) = β(s)(a + bs + cs²), s = (t − centre)/half_width, with the smooth bump β = exp(−1/(1 − s²)).
struct TestFunction {
  double centre = 0.0, half_width = 0.2;
  Vector3d a, b, c;

  [[nodiscard]] double place(double t) const { return (t - centre) / half_width; }
  static double bump(double s) { return std::abs(s) < 1.0 ? std::exp(-1.0 / (1.0 - s * s)) : 0.0; }
  [[nodiscard]] Vector3d polynomial(double s) const { return a + b * s + c * s * s; }
  [[nodiscard]] Vector3d value(double t) const { return bump(place(t)) * polynomial(place(t)); }
  [[nodiscard]] Vector3d rate(double t) const {
    const double s = place(t);
    if (!(std::abs(s) < 1.0)) return Vector3d::Zero();
    const double q = 1.0 - s * s;
    return bump(s) * (b + 2.0 * s * c - 2.0 * s / (q * q) * polynomial(s)) / half_width;
  }
};

TestFunction random_test_function(Random& random, double time) {
  const auto vector = [&random] {
    return Vector3d(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0),
                    random.uniform(-1.0, 1.0) / kSuperball.radius);
  };
  TestFunction psi;
  psi.centre = time + random.uniform(-0.05, 0.05);
  psi.a = vector();
  psi.b = vector();
  psi.c = vector();
  return psi;
}

/// (2.4): ∫ (∂L/∂x ψ + ∂L/∂ẋ ψ̇) dt, by Simpson's rule on either side of the impact.
double weak_integral(const PlanarBounce& motion, const TestFunction& psi) {
  const Matrix metric = PlanarBounce::metric();
  const auto side = [&](double from, double to, const Vector3d& at_impact) {
    constexpr int kIntervals = 2000;
    const double h = (to - from) / kIntervals;
    double sum = 0.0;
    for (int i = 0; i <= kIntervals; ++i) {
      const double t = from + h * i;
      Vector3d v = at_impact;
      v[1] -= kGravity * (t - motion.time);
      const double weight = i == 0 || i == kIntervals ? 1.0 : (i % 2 == 1 ? 4.0 : 2.0);
      sum += weight * (v.dot(metric * psi.rate(t)) - kSuperball.mass * kGravity * psi.value(t)[1]);
    }
    return sum * h / 3.0;
  };
  const double first = psi.centre - psi.half_width, last = psi.centre + psi.half_width;
  return side(first, motion.time, motion.before) + side(motion.time, last, motion.after);
}

Section definition_section() {
  Random random(5);
  double weak = 0.0, jump = 0.0, least_jump = 1e300;
  const Matrix p = law_projector(PlanarBounce::metric(), PlanarBounce::rows(), 0);
  for (const double restitution : {0.0, 0.5, 1.0}) {
    const PlanarBounce motion = bounce(restitution);
    const double scale = kSuperball.mass * motion.before.head<2>().norm();
    for (int i = 0; i < 50; ++i) {
      TestFunction psi = random_test_function(random, motion.time);
      // Any ψ: what is left is the jump of ∂L/∂ẋ along ψ(τ).
      const Vector3d change = PlanarBounce::metric() * (motion.before - motion.after);
      const double expected = change.dot(psi.value(motion.time));
      jump = std::max(jump, std::abs(weak_integral(motion, psi) - expected) / scale);
      least_jump = std::min(least_jump, std::abs(expected) / scale);
      // ψ(τ) ∈ F.
      psi.a -= p * psi.polynomial(psi.place(motion.time));
      weak = std::max(weak, std::abs(weak_integral(motion, psi)) / scale);
    }
  }
  const std::string how =
      "one bounce by the event engine with μ = 0, ½ and 1, 50 random smooth ψ each; relative to m|v|";
  return {.heading = "Weak solutions",
          .text =
              "The integral of the definition is taken over a motion that the event engine has computed, for test "
              "functions that satisfy ψ(τ) ∈ F at the impact and for others.",
          .items = {statement_item("Definition 1, (2.4) and (2.5)", "the integral vanishes for every ψ with ψ(τ) ∈ F",
                                   weak, 1e-10, how + ". It holds for every μ: the definition alone does not fix v⁺"),
                    statement_item("(2.10)", "for other ψ it is the jump of ∂L/∂ẋ along ψ(τ)", jump, 1e-10,
                                   fmt::format("{}; that jump is at least {:.1g} here", how, least_jump))},
          .figures = {},
          .maps = {}};
}

// --- Lemma 1 and Theorem 4.1. ---

struct Violations {
  double lemma = 0.0, persistent = 0.0, linear = 0.0, energy = 0.0, reversible = 0.0, weak = 0.0, theorem = 0.0;
};

Vector another_velocity(Random& random, const ImpactProblem& problem, const Matrix& p_of_a) {
  Vector velocity(problem.velocity.size());
  for (double& speed : velocity) speed = random.uniform(-1.0, 1.0);
  if (problem.persistent.rows() > 0) velocity -= p_of_a * velocity;
  if (problem.contacts[0].normal.dot(velocity) > 0.0) velocity = -velocity;
  return velocity;
}

Violations check_hypotheses() {
  Random random(6);
  Violations worst;
  const auto raise = [](double& most, double value) { most = std::max(most, value); };
  for (int i = 0; i < kCases; ++i) {
    ImpactProblem problem = random_rough_problem(random);
    const Matrix& g = problem.metric;
    const Matrix rows = stacked_rows(problem);
    const Matrix p = lemma_projector(g, rows);
    raise(worst.lemma, largest_difference(law_projector(g, rows, problem.persistent.rows()), p));
    if (problem.persistent.rows() > 0)
      raise(worst.persistent, largest_difference(problem.persistent * p, problem.persistent));
    const Matrix p_of_a = problem.persistent.rows() > 0 ? lemma_projector(g, problem.persistent) : Matrix();
    const Vector first = problem.velocity;
    const Vector first_after = velocity_after(problem);
    const Vector second = another_velocity(random, problem, p_of_a);
    problem.velocity = second;
    const Vector second_after = velocity_after(problem);
    problem.velocity = 0.7 * first + 1.9 * second;
    raise(worst.linear, largest_difference(velocity_after(problem), 0.7 * first_after + 1.9 * second_after));
    raise(worst.energy, std::abs(first_after.dot(g * first_after) / first.dot(g * first) - 1.0));
    problem.velocity = -first_after;
    raise(worst.reversible, largest_difference(velocity_after(problem), -first));
    const Matrix keep = Matrix::Identity(p.rows(), p.cols()) - p;
    raise(worst.weak, (keep.transpose() * (g * (first_after - first))).norm() / (g * first).norm());
    raise(worst.theorem, largest_difference(first_after, first - 2.0 * p * first));
  }
  return worst;
}

/// Without rows of slip an isometry of the one direction left is ±1: R² = I needs no hypothesis.
Item one_row_item() {
  Random random(7);
  double worst = 0.0;
  for (int i = 0; i < kCases; ++i) {
    ImpactProblem problem = random_rough_problem(random);
    problem.contacts[0].tangents.resize(0, problem.velocity.size());
    const Matrix rows = stacked_rows(problem);
    const Matrix p = lemma_projector(problem.metric, rows);
    const Matrix left =
        problem.persistent.rows() > 0 ? Matrix(p - lemma_projector(problem.metric, problem.persistent)) : p;
    worst = std::max(worst, std::abs(left.trace() - 1.0));
  }
  return statement_item(
      "§4, after Hypothesis 3", "where dim ker B = dim ker A − 1, reversibility is no further hypothesis", worst, 1e-9,
      fmt::format("the space that is reflected has dimension 1 (trace of its projector), and an isometry of "
                  "it is ±1; {} random systems",
                  kCases));
}

/// The smooth reflection is linear, keeps energy, is reversible and obeys (4.1); only (2.7) excludes it.
Item smooth_reflection_item() {
  const Matrix metric = kSuperball.metric(), rows = floor_rows(kSuperball), p = lemma_projector(metric, rows);
  const Matrix smooth = Matrix::Identity(6, 6) - 2.0 * law_projector(metric, rows.bottomRows(1), 0);
  const Matrix keep = Matrix::Identity(6, 6) - p;
  const double worst =
      std::max({largest_difference(smooth * smooth, Matrix::Identity(6, 6)),
                largest_difference(smooth.transpose() * metric * smooth, metric),
                (keep.transpose() * metric * (smooth - Matrix::Identity(6, 6))).cwiseAbs().maxCoeff()});
  const double slip = (rows * Vector::Unit(6, 0)).norm();
  return statement_item(
      "Theorem 4.1, proof", "(2.7) is needed: a velocity that does not jump lies in F", worst, kRounding,
      fmt::format("The smooth reflection v₃ → −v₃ satisfies Hypotheses 1–3 and (4.1) (the violation given "
                  "here); it leaves e₁ unchanged, which slips on the floor at {:g} and is not in F",
                  slip));
}

Section theorem_section() {
  const Violations worst = check_hypotheses();
  const std::string how = fmt::format("{} random systems, law `rough` at μ = 1", kCases);
  return {
      .heading = "Hypotheses 1–3 and Theorem 4.1",
      .text = {},
      .items = {statement_item("Lemma 1, (3.1)", "P = G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹B; largest difference of an entry", worst.lemma,
                               kRounding, how),
                statement_item("Lemma 1, (3.2)", "AP = A where ker B ⊆ ker A", worst.persistent, kRounding, how),
                statement_item("Hypothesis 1", "v⁺ is linear in v⁻", worst.linear, kRounding, how),
                statement_item("Hypothesis 2", "T⁺ = T⁻; relative change", worst.energy, kRounding, how),
                statement_item("Hypothesis 3", "reversible: −v⁺ comes back as −v⁻", worst.reversible, kRounding, how),
                statement_item("(4.1)", "v⁺ − v⁻ is perpendicular to ker B", worst.weak, kRounding, how),
                statement_item("Theorem 4.1, (4.2)", "v⁺ = (I − 2P)v⁻", worst.theorem, kRounding, how), one_row_item(),
                smooth_reflection_item()},
      .figures = {},
      .maps = {}};
}

}  // namespace

Chapter weak_solutions(const Announce& announce) {
  Chapter chapter{.id = "weak-solutions",
                  .title = "On weak solutions to the Lagrange–d'Alembert equation",
                  .citation = "D. Treschev and O. Zubelevich, 2013",
                  .sections = {}};
  announce("weak solutions and Theorem 4.1");
  chapter.sections.push_back(definition_section());
  chapter.sections.push_back(theorem_section());
  announce("continuity, Theorem 4.2");
  chapter.sections.push_back(weak_continuity());
  announce("the superelastic ball");
  chapter.sections.push_back(weak_superelastic_ball());
  chapter.sections.push_back(weak_superball_motions());
  announce("inelastic collisions");
  chapter.sections.push_back(weak_inelastic());
  return chapter;
}

}  // namespace carom::reproduce
