/// Treschev & Zubelevich, On weak solutions to the Lagrange–d'Alembert equation, §§5 and 6: the superelastic ball, its
/// pendulum, the superball under a table that the introduction quotes from Garwin, and collisions with a restitution μ.

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "carom/engine/lagrangian/lagrangian_engine.h"
#include "reproduce/chapters/rough_ball/rough_ball.h"
#include "reproduce/chapters/rough_ball/rough_sections.h"

namespace carom::reproduce {

namespace {

using Eigen::Vector3d;

Vector random_throw(Random& random) {
  Vector velocity(6);
  for (double& speed : velocity) speed = random.uniform(-3.0, 3.0);
  velocity[2] = -random.uniform(0.1, 3.0);
  return velocity;
}

// --- Theorem 5.1. ---

Item floor_matrix_of_the_ball_item() {
  const Matrix printed = floor_projector(kBall, Print::printed);
  const Matrix law = law_projector(kBall.metric(), floor_rows(kBall), 2);
  return corrected_item(
      "§5, proof of Theorem 5.1", "matrix P: (3,3) inside the bracket", "1", "J'",
      largest_difference(law, floor_projector(kBall, Print::corrected)), kRounding,
      fmt::format(
          "1 is not of the dimension of the other entries, and v₃⁺ = −v₃⁻ would not follow. With m = 1, J = 0.1, "
          "r = 0.5 the printed matrix misses P² = P by {:.3g}; mended it is what the law acts with, entry by entry.",
          largest_difference(printed * printed, printed)));
}

/// Garwin in the plane: energy, angular momentum about the contact and |v₃| are kept. A line meets an ellipse in two
/// points, one of which is no collision at all.
Vector garwin(const RoughBall& ball, const Vector& before) {
  const double a = ball.mass * ball.radius, j = ball.inertia, m = ball.mass;
  const double moment = a * before[0] + j * before[4];
  // m v² + (moment − a v)²/j is twice the energy: the sum of the two roots is 2 a moment/(m j + a²).
  const double v = 2.0 * a * moment / (m * j + a * a) - before[0];
  return Vector{{v, 0.0, -before[2], 0.0, (moment - a * v) / j, 0.0}};
}

/// In space the three hypotheses leave a circle of tangential impulses: |p + s/κ| = |s|/κ with the slip s and
/// κ = 1/m + r²/J. `angle` turns away from the theorem's p = −2s/κ.
Vector on_garwins_circle(const RoughBall& ball, const Vector& before, double angle) {
  const double r = ball.radius, compliance = 1.0 / ball.mass + r * r / ball.inertia;
  const Eigen::Vector2d slip(before[0] - r * before[4], before[1] + r * before[3]);
  const Eigen::Vector2d impulse = -(slip + Eigen::Rotation2Dd(angle) * slip) / compliance;
  Vector after = before;
  after.head<2>() += impulse / ball.mass;
  after[2] = -before[2];
  after[3] += r * impulse.y() / ball.inertia;
  after[4] -= r * impulse.x() / ball.inertia;
  return after;
}

double kept_quantities(const RoughBall& ball, const Vector& before, const Vector& after) {
  const Matrix g = ball.metric();
  const Vector3d moment = angular_momentum_about_floor(ball, before);
  return std::max({std::abs(after.dot(g * after) / before.dot(g * before) - 1.0),
                   (angular_momentum_about_floor(ball, after) - moment).norm() / moment.norm(),
                   std::abs(after[2] + before[2]) / std::abs(before[2])});
}

struct BallViolations {
  double theorem = 0.0, kept = 0.0, reversed = 0.0, planar = 0.0, circle = 0.0, least_apart = 1e300;
};

BallViolations check_ball() {
  Random random(9);
  BallViolations worst;
  for (int i = 0; i < kCases; ++i) {
    const RoughBall ball = random_ball(random);
    const Vector before = random_throw(random);
    const Vector after = velocity_after(thrown_to_the_floor(ball, before, 1.0));
    worst.theorem = std::max(worst.theorem, largest_difference(after, floor_theorem(ball, before, 1.0)));
    worst.kept = std::max(worst.kept, kept_quantities(ball, before, after));
    worst.reversed =
        std::max(worst.reversed, largest_difference(velocity_after(thrown_to_the_floor(ball, -after, 1.0)), -before));
    Vector planar = before;
    planar[1] = planar[3] = planar[5] = 0.0;
    worst.planar = std::max(
        worst.planar, largest_difference(velocity_after(thrown_to_the_floor(ball, planar, 1.0)), garwin(ball, planar)));
    const Vector other = on_garwins_circle(ball, before, 1.0);
    worst.circle = std::max(worst.circle, kept_quantities(ball, before, other));
    worst.least_apart = std::min(worst.least_apart, (other - after).norm() / before.norm());
  }
  return worst;
}

// --- The superball under the table. ---

/// k = J/mr² = tan²α: in energy-scaled coordinates floor and table are reflections whose mirrors stand at 2α to each
/// other, and v_x behind one, two and three of them is cos 2α, cos 4α, cos 6α of the first.
RoughBall ball_of_ratio(double ratio) {
  RoughBall ball{.mass = 0.1, .inertia = 0.0, .radius = 0.03};
  ball.inertia = ratio * ball.square();
  return ball;
}

/// Floor, underside of a table, floor, by the law alone.
std::array<double, 3> three_bounces(const RoughBall& ball) {
  std::array<double, 3> speeds{};
  Vector velocity{{1.0, 0.0, -2.0, 0.0, 0.0, 0.0}};
  for (std::size_t i = 0; i < 3; ++i) {
    ImpactProblem problem = thrown_to_the_floor(ball, velocity, 1.0);
    if (i == 1) {
      Contact& table = problem.contacts[0];
      table.normal = -table.normal;
      table.tangents(0, 4) = ball.radius;
      table.tangents(1, 3) = -ball.radius;
    }
    velocity = velocity_after(problem);
    speeds[i] = velocity[0];
  }
  return speeds;
}

BallRun under_the_table(const RoughBall& ball) {
  BallScene scene{.ball = ball, .gravity = kGravity, .table = 0.75, .duration = 0.35, .output_step = 0.001};
  scene.start.position = Vector3d(-0.5, 0.0, 1.0);
  scene.start.velocity = Vector3d(5.0, 0.0, -10.0);
  return run_ball(scene);
}

std::vector<Item> table_items() {
  const BallRun run = under_the_table(ball_of_ratio(0.4));
  const double values[] = {3.0 / 7.0, -31.0 / 49.0, -333.0 / 343.0};
  const char* texts[] = {"3/7", "−31/49", "−333/343"};
  const char* places[] = {"the floor", "the underside of the table", "the floor again"};
  std::vector<Item> items;
  for (std::size_t i = 0; i < 3; ++i) {
    items.push_back(number_item("§1, quoted from Garwin",
                                fmt::format("v_x/v behind {}, solid ball without spin", places[i]), values[i],
                                run.impacts.at(i).after[0] / 5.0, 1e-13));
    items.back().paper = texts[i];
    items.back().note = "by the event engine; the value is Theorem 5.1 applied by hand, the paper says it in words";
  }
  double worst = 0.0;
  for (int i = 1; i <= 200; ++i) {
    const double ratio = i / 300.0, alpha = std::atan(std::sqrt(ratio));
    const std::array<double, 3> speeds = three_bounces(ball_of_ratio(ratio));
    for (int k = 0; k < 3; ++k) worst = std::max(worst, std::abs(speeds[k] - std::cos(2.0 * (k + 1) * alpha)));
  }
  items.push_back(
      statement_item("§1, quoted from Garwin", "“it returns to the hand”: v_x/v = cos 6α, J = mr² tan²α", worst, 1e-12,
                     "200 values of J/mr² up to 2/3 (no ball has more); so it returns exactly for α = π/6 only, "
                     "J = mr²/3, and within 3 % for a solid ball"));
  items.push_back(number_item("§1, quoted from Garwin", "v_x/v behind the third bounce where J = mr²/3", -1.0,
                              under_the_table(ball_of_ratio(1.0 / 3.0)).impacts.at(2).after[0] / 5.0, 1e-13));
  return items;
}

/// Two bounces on the floor undo each other: velocity and spin are what they were.
Item two_bounces_item() {
  Random random(10);
  double worst = 0.0;
  for (int i = 0; i < 100; ++i) {
    BallScene scene{.ball = random_ball(random), .gravity = kGravity};
    const Vector thrown = random_throw(random);
    scene.start.position = Vector3d(0.0, 0.0, scene.ball.radius + 0.5);
    scene.start.velocity = thrown.head<3>();
    scene.start.angular_velocity = thrown.tail<3>();
    scene.duration = 4.0;
    const BallRun run = run_ball(scene);
    if (run.impacts.size() < 2) continue;
    Vector expected = run.impacts[0].before;
    expected[2] = -expected[2];
    worst = std::max(worst, largest_difference(run.impacts[1].after, expected));
  }
  return statement_item("§1, quoted from Garwin",
                        "after two bounces upon the floor it has its first velocity and spin again", worst, kRounding,
                        "100 random throws by the event engine");
}

Figure table_figure() {
  Panel panel;
  panel.y_label = "z [m]";
  panel.curves.push_back(path(under_the_table(ball_of_ratio(0.4)), 0, 2, "solid ball, J = 2/5 mr²"));
  panel.curves.push_back(path(under_the_table(ball_of_ratio(1.0 / 3.0)), 0, 2, "J = mr²/3"));
  panel.curves.back().colour = 1;
  panel.curves.back().dash = 1;
  panel.curves.push_back(
      {.label = "table", .x = {1.0, 0.05, 0.05, 1.0}, .y = {0.75, 0.75, 0.79, 0.79}, .colour = 3, .dash = 0});
  panel.curves.push_back({.label = "floor", .x = {-0.6, 1.0}, .y = {0.0, 0.0}, .colour = 4, .dash = 0});
  Picture picture = single_panel("A superball under a table and back", "x [m]", panel);
  picture.equal_scales = true;
  return {
      .name = "superball-under-a-table",
      .caption =
          "Path of the centre by the event engine, thrown without spin from the upper left with (5, −10) m/s: floor, "
          "underside of the table, floor, and back to the thrower. With J = mr²/3 it goes back over its own path.",
      .picture = picture};
}

Figure return_figure() {
  Panel panel;
  panel.y_label = "v_x behind the bounce, of the first";
  const char* labels[] = {"floor", "underside of the table", "floor again"};
  for (std::size_t k = 0; k < 3; ++k) {
    Curve curve{.label = labels[k], .x = {}, .y = {}, .colour = static_cast<int>(k)};
    for (int i = 1; i <= 200; ++i) {
      curve.x.push_back(i / 300.0);
      curve.y.push_back(three_bounces(ball_of_ratio(i / 300.0))[k]);
    }
    panel.curves.push_back(curve);
  }
  panel.named_lines = {{1.0 / 3.0, "exact return"}, {0.4, "solid ball"}};
  return {.name = "superball-return",
          .caption =
              "Which ball comes back: velocity along the floor behind each bounce over the ball's moment of inertia, "
              "by the law `rough`.",
          .picture = single_panel("Superball under a table", "J/mr²", panel)};
}

// --- The pendulum as a Lagrangian system. ---

/// (x, z, φ) of the ball in its plane.
struct PlanarBall : LagrangianSystem {
  [[nodiscard]] int coordinate_count() const override { return 3; }
  void metric(const Vector&, Matrix& G) const override {
    G.diagonal() << kSuperball.mass, kSuperball.mass, kSuperball.inertia;
  }
  void force(double, const Vector&, const Vector&, Vector& f) const override { f[1] = -kSuperball.mass * kGravity; }
  [[nodiscard]] double potential(const Vector& q) const override { return kSuperball.mass * kGravity * q[1]; }
  [[nodiscard]] int contact_count() const override { return 1; }
  void gaps(const Vector& q, Vector& g) const override { g[0] = q[1] - kSuperball.radius; }
  void gap_rows(const Vector&, Matrix& N) const override { N(0, 1) = 1.0; }
  [[nodiscard]] int tangent_count(int) const override { return 1; }
  void tangent_rows(const Vector&, int, Matrix& T) const override { T.row(0) << 1.0, 0.0, -kSuperball.radius; }
  [[nodiscard]] std::optional<double> gap_acceleration_bound(int, double, const Vector&, const Vector&,
                                                             double) const override {
    return kGravity;
  }
};

Item pendulum_item() {
  constexpr int kBounces = 100;
  const double u = 0.25 * kGravity, v = 1.0;
  const BodyState top = pendulum_start(kSuperball, v, u, kGravity);
  const LagrangianState start{.time = 0.0,
                              .q = Vector{{top.position.x(), top.position.z(), 0.0}},
                              .v = Vector{{top.velocity.x(), top.velocity.z(), top.angular_velocity.y()}}};
  double worst = 0.0;
  LagrangianOptions options;
  options.duration = 4.0 * u / kGravity * kBounces;
  options.output_step = 4.0 * u / kGravity;
  options.on_sample = [&](const LagrangianState& state, const EnergyBook&) {
    worst = std::max(worst, (state.q - start.q).norm());
  };
  const LagrangianResult result = LagrangianEngine(PlanarBall(), start, options).run();
  return statement_item(
      "§5, nonholonomic pendulum", "the motion is periodic: distance in (x, z, φ) from the start", worst, 1e-9,
      fmt::format("in Lagrangian coordinates by the engine for such systems, {} periods, {} impacts; the "
                  "ball returns to its attitude too",
                  kBounces, result.run.impacts));
}

// --- Restitution. ---

BallRun losing_pendulum(double restitution, double duration) {
  BallScene scene{.ball = kSuperball, .gravity = kGravity, .restitution = restitution, .duration = duration};
  scene.output_step = 0.005;
  scene.start = pendulum_start(kSuperball, 1.0, 0.25 * kGravity, kGravity);
  return run_ball(scene);
}

Figure losing_figure() {
  Panel panel;
  panel.y_label = "z [m]";
  int colour = 0;
  for (const double mu : {1.0, 0.9, 0.7}) {
    panel.curves.push_back(path(losing_pendulum(mu, 2.0), 0, 2, fmt::format("μ = {:g}", mu)));
    panel.curves.back().colour = colour++;
  }
  Picture picture = single_panel("The pendulum with a restitution μ", "x [m]", panel);
  picture.equal_scales = true;
  return {
      .name = "pendulum-with-losses",
      .caption =
          "Path of the centre in two seconds by the event engine. With μ < 1 the ball does not turn back on its arc "
          "any more; its bounces end after the time (2u/g)μ/(1−μ).",
      .picture = picture};
}

struct LossViolations {
  double theorem = 0.0, loss = 0.0, weak = 0.0, momentum = 0.0, plastic = 0.0;
};

LossViolations check_losses() {
  Random random(11);
  LossViolations worst;
  for (int i = 0; i < kCases; ++i) {
    const RoughBall ball = random_ball(random);
    const double mu = i % 10 == 0 ? 0.0 : random.uniform();
    const Vector before = random_throw(random);
    const ImpactProblem problem = thrown_to_the_floor(ball, before, mu);
    const ImpactOutcome outcome = struck(problem);
    const Vector after = velocity_after(problem);
    worst.theorem = std::max(worst.theorem, largest_difference(after, floor_theorem(ball, before, mu)));
    const Matrix p = lemma_projector(ball.metric(), floor_rows(ball));
    const double expected = -0.5 * (1.0 - mu * mu) * before.dot(ball.metric() * p * before);
    worst.loss = std::max(worst.loss, std::abs(outcome.energy.change - expected) / outcome.energy.before);
    const Vector along = (Matrix::Identity(6, 6) - p).transpose() * (ball.metric() * (after - before));
    worst.weak = std::max(worst.weak, along.norm() / (ball.metric() * before).norm());
    const Vector3d moment = angular_momentum_about_floor(ball, before);
    worst.momentum =
        std::max(worst.momentum, (angular_momentum_about_floor(ball, after) - moment).norm() / moment.norm());
    if (mu == 0.0) worst.plastic = std::max(worst.plastic, (floor_rows(ball) * after).norm() / before.norm());
  }
  return worst;
}

}  // namespace

Section weak_superelastic_ball() {
  const BallViolations worst = check_ball();
  const std::string how = fmt::format("{} random balls and throws, law `rough` at μ = 1", kCases);
  return {
      .heading = "The superelastic ball",
      .text = {},
      .items = {statement_item("Theorem 5.1", "all six components of v⁺; largest difference", worst.theorem, kRounding,
                               how),
                floor_matrix_of_the_ball_item(),
                statement_item("Theorem 5.1, remark",
                               "energy, |v₃| and the angular momentum about the contact are conserved", worst.kept,
                               kRounding, how),
                statement_item("Theorem 5.1", "reversible: −v⁺ comes back as −v⁻", worst.reversed, kRounding, how),
                statement_item("§5, on Garwin [3]", "in the plane his three hypotheses give the same", worst.planar,
                               kRounding, how + "; his is the other meeting of a line and an ellipse"),
                statement_item("§5, on Garwin [3]", "in space his three hypotheses do not determine v⁺", worst.circle,
                               kRounding,
                               fmt::format("a circle of tangential impulses satisfies them all (the violation given "
                                           "here); one radian along it v⁺ is already {:.2g} |v| or more away",
                                           worst.least_apart))},
      .figures = {},
      .maps = {}};
}

Section weak_superball_motions() {
  Section section{
      .heading = "The pendulum, and a superball under a table",
      .text =
          "What the introduction quotes from Garwin in words, in figures: J = mr² tan²α makes each bounce a "
          "reflection, and the velocity along the floor goes as cos 2α, cos 4α, cos 6α.",
      .items = table_items(),
      .figures = {table_figure(), return_figure()},
      .maps = {}};
  section.items.push_back(two_bounces_item());
  section.items.push_back(pendulum_item());
  return section;
}

Section weak_inelastic() {
  const LossViolations worst = check_losses();
  const std::string how = fmt::format("{} random balls, throws and μ", kCases);
  const double zeno = losing_pendulum(0.5, 2.0).rest.value_or(0.0);
  Item end =
      number_item("§6 with §5", "when the bounces of a pendulum with μ = ½ end [s]: u/g + (2u/g)μ/(1−μ), u/g = ¼ s",
                  0.75, zeno, 1e-12);
  end.note = "by the event engine; the paper gives the law of the single impact only";
  return {.heading = "Inelastic collisions",
          .text = {},
          .items = {statement_item("§6", "all six components of v⁺ with μ; largest difference", worst.theorem,
                                   kRounding, how),
                    statement_item("(6.1)", "consistent with (4.1): v⁺ − v⁻ is perpendicular to ker B", worst.weak,
                                   kRounding, how),
                    statement_item("§6", "the energy lost is (1−μ²)/2 · v⁻ᵀGPv⁻", worst.loss, kRounding, how),
                    statement_item("§6", "angular momentum about the contact is conserved for every μ", worst.momentum,
                                   kRounding, how),
                    statement_item("§6", "μ = 0 is plastic: v⁺ ∈ F, the ball rolls on", worst.plastic, kRounding,
                                   fmt::format("{} random balls and throws", kCases / 10)),
                    end},
          .figures = {losing_figure()},
          .maps = {}};
}

}  // namespace carom::reproduce
