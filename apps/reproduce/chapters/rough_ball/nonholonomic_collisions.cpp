/// Treschev & Zubelevich, On collisions in nonholonomic systems: the projector and its printed matrices, the equations
/// of collision, the ball that rolls to a wall, the ball thrown to a floor, the nonholonomic pendulum.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/engine/lagrangian/lagrangian_engine.h"
#include "reproduce/chapters/papers.h"
#include "reproduce/chapters/rough_ball/rough_ball.h"
#include "reproduce/chapters/rough_ball/rough_sections.h"

namespace carom::reproduce {

namespace {

using Eigen::Vector3d;

// --- The ball at the wall. ---

/// The paper's own setting: M = ℝ² × SO(3) with the speeds (v₁, v₂, ω₁, ω₂, ω₃), walls at x = 0 and x = width, some
/// potential force. The attitude is left out, since nothing depends on it.
struct RollingBall : LagrangianSystem {
  RoughBall ball = kBall;
  double width = 4.0;
  Eigen::Vector2d field{0.2, -0.3};  ///< [m/s²]

  [[nodiscard]] int coordinate_count() const override { return 2; }
  [[nodiscard]] int speed_count() const override { return 5; }
  void coordinate_rates(const Vector&, const Vector& v, Vector& rates) const override { rates = v.head(2); }
  void metric(const Vector&, Matrix& G) const override {
    G.diagonal() << ball.mass, ball.mass, ball.inertia, ball.inertia, ball.inertia;
  }
  void force(double, const Vector&, const Vector&, Vector& f) const override { f.head(2) = ball.mass * field; }
  [[nodiscard]] double potential(const Vector& q) const override { return -ball.mass * field.dot(q); }
  [[nodiscard]] int constraint_count() const override { return 2; }
  void constraint_rows(const Vector&, Matrix& A) const override { A = rolling_rows(ball); }
  [[nodiscard]] int contact_count() const override { return 2; }
  void gaps(const Vector& q, Vector& g) const override { g << q[0] - ball.radius, width - q[0] - ball.radius; }
  void gap_rows(const Vector&, Matrix& N) const override {
    N(0, 0) = 1.0;
    N(1, 0) = -1.0;
  }
  [[nodiscard]] int tangent_count(int) const override { return 2; }
  void tangent_rows(const Vector&, int wall, Matrix& T) const override {
    const double lever = wall == 0 ? ball.radius : -ball.radius;
    T(0, 1) = 1.0;
    T(0, 4) = -lever;
    T(1, 3) = lever;
  }
  [[nodiscard]] std::optional<double> gap_acceleration_bound(int, double, const Vector&, const Vector&,
                                                             double) const override {
    return field.norm();
  }
};

/// Rolls for a while, turns all speeds round, and rolls back.
Item way_back_item() {
  const RollingBall system;
  const LagrangianState start{
      .time = 0.0, .q = Vector{{1.5, 0.0}}, .v = Vector{{-1.0, 0.5, -0.5 / kBall.radius, -1.0 / kBall.radius, 3.0}}};
  LagrangianOptions options;
  options.duration = 20.0;
  const LagrangianResult there = LagrangianEngine(system, start, options).run();
  const LagrangianState turned{.time = 0.0, .q = there.state.q, .v = -there.state.v};
  const LagrangianResult back = LagrangianEngine(system, turned, options).run();
  const double worst = std::max(largest_difference(back.state.q, start.q), largest_difference(-back.state.v, start.v));
  return statement_item(
      "§3.1", "the motion can be run backwards: between two walls and back to its start", worst, 1e-9,
      fmt::format("in the paper's five speeds by the engine for Lagrangian systems, {} impacts each way",
                  there.run.impacts));
}

/// ker B is the rotation about the line through C and G, so the angular momentum about that line is kept.
double momentum_about_line(const RoughBall& ball, const Vector& velocity) {
  const Vector3d centre(0.0, 0.0, ball.radius);  // from C
  const Vector3d momentum = ball.mass * centre.cross(Vector3d(velocity.head<3>())) + ball.inertia * velocity.tail<3>();
  return momentum.dot(Vector3d(-1.0, 0.0, 1.0).normalized());
}

std::vector<Item> wall_theorem_items() {
  Random random(3);
  double theorem = 0.0, any_restitution = 0.0, energy = 0.0, line = 0.0;
  for (int i = 0; i < kCases; ++i) {
    const RoughBall ball = random_ball(random);
    const Vector before =
        rolling_velocity(ball, -random.uniform(0.1, 2.0), random.uniform(-2.0, 2.0), random.uniform(-5.0, 5.0));
    const ImpactProblem elastic = rolling_to_the_wall(ball, before, 1.0);
    const Vector after = velocity_after(elastic);
    theorem = std::max(theorem, largest_difference(after, wall_theorem(ball, before, 1.0)));
    energy = std::max(energy, std::abs(struck(elastic).energy.change) / struck(elastic).energy.before);
    line = std::max(line, std::abs(momentum_about_line(ball, after) - momentum_about_line(ball, before)) /
                              (ball.inertia * before.norm()));
    const double mu = random.uniform();
    any_restitution = std::max(
        any_restitution,
        largest_difference(velocity_after(rolling_to_the_wall(ball, before, mu)), wall_theorem(ball, before, mu)));
  }
  const std::string how =
      fmt::format("{} random balls and velocities, law `rough` with rolling as a constraint", kCases);
  return {statement_item("Theorem 3.1", "v₁⁺, v₂⁺, ω₃⁺ behind the wall; largest difference", theorem, kRounding, how),
          statement_item("Theorem 3.1", "energy is conserved; relative change", energy, kRounding, how),
          statement_item("(2.11) for the wall", "angular momentum about the line through C and G is conserved", line,
                         kRounding, how + "; ker B is the rotation about that line"),
          statement_item("Theorem 3.1 with a restitution μ", "beyond the paper: the same with (6.1) of the second one",
                         any_restitution, kRounding,
                         how + ". v₁⁺ = −μv₁, v₂⁺ = [((1−μ)J + mr²)v₂ + (1+μ)Jrω₃]/2J̃, ω₃⁺ = [(1+μ)J'v₂/r + ((1−μ)J − "
                               "μmr²)ω₃]/2J̃; at μ = 1 the paper's formulas")};
}

BallScene wall_scene(double spin) {
  BallScene scene{.ball = kBall, .rolling = true, .wall = true, .duration = 2.5, .output_step = 0.05};
  const Vector rolling = rolling_velocity(kBall, -1.0, 0.5, spin);
  scene.start.position = Vector3d(1.5, 0.0, kBall.radius);
  scene.start.velocity = rolling.head<3>();
  scene.start.angular_velocity = rolling.tail<3>();
  return scene;
}

std::vector<Item> wall_engine_items() {
  const BallImpact impact = run_ball(wall_scene(3.0)).impacts.at(0);
  const Vector expected = wall_theorem(kBall, impact.before, 1.0);
  const auto item = [&](const char* name, int index) {
    Item number =
        number_item("Theorem 3.1, by the event engine",
                    fmt::format("{} of a ball (m = 1, J = 0.1, r = 0.5) with v₁ = −1, v₂ = 0.5, ω₃ = 3", name),
                    expected[index], impact.after[index], 1e-13);
    number.paper = fmt::format("{:.10g}", expected[index]);
    return number;
  };
  return {item("v₁⁺", 0), item("v₂⁺", 1), item("ω₃⁺", 5), way_back_item()};
}

/// What the floor must do. With the wall's impulse p along x and t upwards, the floor's f along x and n upwards:
/// p + f = M, t + n = 0, t − f = K, M = (1+μ)m|v₁|, K = (1+μ)J|v₁|/r²: one of the four is free.
std::vector<Item> floor_items() {
  const double speed = 1.0, mu = 1.0;
  const Vector before = rolling_velocity(kBall, -speed, 0.5, 3.0);
  const ImpactOutcome held = struck(rolling_to_the_wall(kBall, before, mu));
  const double pull = -held.audit.constraint_impulses.at(0);
  const double expected_pull = 0.5 * (1.0 + mu) * speed * kBall.about_contact() / (kBall.radius * kBall.radius);
  Item item = number_item("§1, z_S = r for all time", "pull of the floor at the wall, m = 1, J = 0.1, r = 0.5, v₁ = −1",
                          expected_pull, pull, 1e-12);
  item.paper = "a floor that holds the ball";
  item.ours = fmt::format("{:.6g} N s downwards{}", pull,
                          held.audit.flags.has(Flag::support_would_open) ? ", flagged `support-would-open`" : "");
  item.note =
      "v₁ and ω₂ turn round together, which the wall alone cannot do. The six rows at wall and floor have rank five, "
      "so one "
      "impulse is free; the least ones are (1+μ)|v₁|J'/2r² upwards at the wall and downwards at the floor (the "
      "difference is "
      "against this). A floor that does not pull would need a friction of (1+μ)J|v₁|/r² more than its whole pressure, "
      "that is "
      "a coefficient above 1.";
  BallScene scene = wall_scene(3.0);
  scene.rolling = false;
  const BallImpact loose = run_ball(scene).impacts.at(0);
  const double lift = (1.0 + mu) * kBall.inertia * speed / kBall.about_contact();
  Item one_sided = number_item("§1, with a floor that only pushes", "v₃⁺ behind the wall: (1+μ)J|v₁|/J'", lift,
                               loose.after[2], 1e-12);
  one_sided.paper = "0: z_S = r is assumed";
  one_sided.note =
      "Beyond the paper: the same ball on a floor that cannot hold it, by the event engine. The wall throws it up; "
      "rolling in "
      "the sense of the paper is a constraint that acts both ways. The difference is against the formula.";
  return {item, one_sided};
}

Figure wall_figure() {
  Panel panel;
  panel.y_label = "x [m], from the wall";
  int colour = 0;
  for (const double spin : {-4.0, 0.0, 3.0, 8.0}) {
    panel.curves.push_back(path(run_ball(wall_scene(spin)), 1, 0, fmt::format("ω₃ = {:g} rad/s", spin)));
    panel.curves.back().colour = colour++;
  }
  Picture picture = single_panel("A rolling ball meets a rough wall, seen from above", "y [m], along the wall", panel);
  picture.equal_scales = true;
  return {.name = "rolling-ball-at-the-wall",
          .caption =
              "Path of the centre by the event engine (m = 1 kg, r = 0.5 m, J = 0.1 kg m², v = (−1, 0.5) m/s). What "
              "the ball takes along the wall depends on its spin about the vertical.",
          .picture = picture};
}

Section wall_section() {
  Section section{
      .heading = "The ball rolls on the floor and meets the wall",
      .text =
          "Theorem 3.1 through the law, the event engine and the engine for Lagrangian systems; and what it "
          "asks of the floor.",
      .items = wall_theorem_items(),
      .figures = {wall_figure()},
      .maps = {}};
  for (const std::vector<Item>& more : {wall_engine_items(), floor_items()})
    section.items.insert(section.items.end(), more.begin(), more.end());
  return section;
}

// --- The ball thrown to the floor. ---

Section floor_section() {
  Random random(4);
  double theorem = 0.0, energy = 0.0, momentum = 0.0, reversed = 0.0;
  for (int i = 0; i < kCases; ++i) {
    const RoughBall ball = random_ball(random);
    Vector before(6);
    for (double& speed : before) speed = random.uniform(-3.0, 3.0);
    before[2] = -random.uniform(0.1, 3.0);
    const ImpactProblem problem = thrown_to_the_floor(ball, before, 1.0);
    const ImpactOutcome outcome = struck(problem);
    const Vector after = velocity_after(problem);
    theorem = std::max(theorem, largest_difference(after, floor_theorem(ball, before, 1.0)));
    energy = std::max(energy, std::abs(outcome.energy.change) / outcome.energy.before);
    const Vector3d moment = angular_momentum_about_floor(ball, before);
    momentum = std::max(momentum, (angular_momentum_about_floor(ball, after) - moment).norm() / moment.norm());
    Vector back = -after;
    reversed = std::max(reversed, largest_difference(velocity_after(thrown_to_the_floor(ball, back, 1.0)), -before));
  }
  const std::string how = fmt::format("{} random balls and velocities, law `rough`", kCases);
  return {
      .heading = "The ball is thrown to the floor",
      .text = {},
      .items = {statement_item("Theorem 3.2", "all six components of v⁺; largest difference", theorem, kRounding, how),
                statement_item("Theorem 3.2", "energy is conserved; relative change", energy, kRounding, how),
                statement_item("Theorem 3.2", "angular momentum about the contact is conserved; relative change",
                               momentum, kRounding, how),
                statement_item("Theorem 3.2", "reversible: −v⁺ comes back as −v⁻", reversed, kRounding, how)},
      .figures = {},
      .maps = {}};
}

// --- The pendulum. ---

constexpr int kPeriods = 1000;

BallRun pendulum(double v, double u, int periods, double step) {
  BallScene scene{
      .ball = kSuperball, .gravity = kGravity, .duration = 4.0 * u / kGravity * periods, .output_step = step};
  scene.start = pendulum_start(kSuperball, v, u, kGravity);
  return run_ball(scene);
}

Figure pendulum_path_figure(double v, double u) {
  Panel panel;
  panel.y_label = "z [m]";
  panel.legend = false;
  panel.curves.push_back(path(pendulum(v, u, 10, 0.01), 0, 2, "centre of the ball"));
  Picture picture = single_panel("The nonholonomic pendulum", "x [m]", panel);
  picture.equal_scales = true;
  return {.name = "nonholonomic-pendulum",
          .caption =
              "Path of the centre in ten periods by the event engine: the ball knocks the floor at either end of one "
              "parabola and "
              "flies back along it.",
          .picture = picture};
}

Figure pendulum_drift_figure(const BallRun& run, const BodyState& start) {
  Curve distance{.label = "|x(n periods) − x(0)|", .x = {}, .y = {}};
  for (std::size_t n = 1; n < run.samples.size(); ++n) {
    distance.x.push_back(static_cast<double>(n));
    distance.y.push_back((run.samples[n].bodies[0].position - start.position).norm());
  }
  Panel panel;
  panel.y_label = "distance from the start [m]";
  panel.logarithmic = true;
  panel.log_floor = 1e-17;
  panel.legend = false;
  panel.curves.push_back(distance);
  return {.name = "nonholonomic-pendulum-return",
          .caption = "Distance of the centre from its start after each period: round-off.",
          .picture = single_panel("How well the pendulum comes back", "periods", panel)};
}

Section pendulum_section() {
  const double u = 0.25 * kGravity, v = 1.0, period = 4.0 * u / kGravity;
  const BallRun run = pendulum(v, u, kPeriods, period);
  const BodyState start = pendulum_start(kSuperball, v, u, kGravity);
  const BallImpact& first = run.impacts.at(0);
  double reversal = 0.0, beat = 0.0, travel = 0.0, back = 0.0;
  for (std::size_t i = 0; i < run.impacts.size(); ++i) {
    const BallImpact& impact = run.impacts[i];
    reversal = std::max(reversal, largest_difference(impact.after, -impact.before));
    if (i == 0) continue;
    beat = std::max(beat, std::abs(impact.time - run.impacts[i - 1].time - 0.5 * period));
    travel = std::max(travel, std::abs((impact.point - run.impacts[i - 1].point).norm() - 2.0 * u * v / kGravity));
  }
  for (const State& state : run.samples) back = std::max(back, (state.bodies[0].position - start.position).norm());
  const std::string how = fmt::format("{} impacts in {} periods by the event engine", run.impacts.size(), kPeriods);
  const Vector theorem = floor_theorem(kSuperball, first.before, 1.0);
  Section section{
      .heading = "The nonholonomic pendulum",
      .text =
          "Thrown to the floor with v_S = −v e_x − u e_z and ω = (rmv/J) e_y, the ball turns everything round. From "
          "that "
          "follow the period 4u/g and the way 2uv/g between the two places, which the paper leaves to the reader.",
      .items = {statement_item("§3.2.1", "v_S⁺ = −v_S⁻ and ω⁺ = −ω⁻ by Theorem 3.2",
                               largest_difference(theorem, -first.before), kRounding,
                               "the theorem's formula at the velocity of the first impact"),
                statement_item("§3.2.1", "the same at every impact of a run", reversal, 1e-9, how),
                statement_item("§3.2.1", "half a period is 2u/g; largest error [s]", beat, 1e-9, how),
                statement_item("§3.2.1", "the two places are 2uv/g apart; largest error [m]", travel, 1e-9, how),
                statement_item("§3.2.1", "the motion is periodic: distance from the start after every period [m]", back,
                               1e-9, how)},
      .figures = {pendulum_path_figure(v, u), pendulum_drift_figure(run, start)},
      .maps = {}};
  return section;
}

}  // namespace

Chapter nonholonomic_collisions(const Announce& announce) {
  Chapter chapter{.id = "nonholonomic-collisions",
                  .title = "On collisions in nonholonomic systems",
                  .citation = "D. Treschev and O. Zubelevich, Lomonosov Moscow State University",
                  .sections = {}};
  announce("projectors and equations of collision");
  chapter.sections.push_back(nonholonomic_projectors());
  chapter.sections.push_back(nonholonomic_collision_equations());
  announce("balls at the wall and on the floor");
  chapter.sections.push_back(wall_section());
  chapter.sections.push_back(floor_section());
  announce("the nonholonomic pendulum");
  chapter.sections.push_back(pendulum_section());
  return chapter;
}

}  // namespace carom::reproduce
