/// Treschev & Zubelevich, On weak solutions to the Lagrange–d'Alembert equation, Theorem 4.2: a motion through
/// transversal impacts is a continuous function of its data. Here measured: data moved by δ, motion and instants of
/// impact compared.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "reproduce/chapters/rough_ball/rough_ball.h"
#include "reproduce/chapters/rough_ball/rough_sections.h"

namespace carom::reproduce {

namespace {

using Eigen::Vector3d;

/// A superball between floor, ceiling and one wall.
BallScene room() {
  BallScene scene{.ball = kSuperball, .gravity = kGravity, .wall = true, .ceiling = 0.7, .duration = 2.0};
  scene.output_step = 0.01;
  scene.start.position = Vector3d(0.6, 0.0, 0.4);
  scene.start.velocity = Vector3d(-1.1, 0.4, 3.0);
  scene.start.angular_velocity = Vector3d(3.0, -7.0, 2.0);
  return scene;
}

/// The data moved by δ in the scale of the ball's radius, its velocity and its spin.
BallRun moved_run(double delta, const std::array<Vector3d, 3>& direction) {
  BallScene scene = room();
  scene.start.position += delta * direction[0];
  scene.start.velocity += delta * direction[1];
  scene.start.angular_velocity += delta * direction[2] / kSuperball.radius;
  return run_ball(scene);
}

struct Differences {
  double position = 0.0;  ///< largest over all samples [m]
  double time = 0.0;      ///< largest over all impacts [s]
  double velocity = 0.0;  ///< largest behind the impacts, each against its own [m/s]
};

/// Where the impacts are not the same ones, their differences are infinite.
Differences compare(const BallRun& run, const BallRun& other) {
  Differences most;
  for (std::size_t i = 0; i < run.samples.size(); ++i)
    most.position =
        std::max(most.position, (run.samples[i].bodies[0].position - other.samples[i].bodies[0].position).norm());
  if (run.impacts.size() != other.impacts.size()) most.time = most.velocity = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < std::min(run.impacts.size(), other.impacts.size()); ++i) {
    most.time = std::max(most.time, std::abs(run.impacts[i].time - other.impacts[i].time));
    most.velocity = std::max(most.velocity, (run.impacts[i].after - other.impacts[i].after).head<3>().norm());
  }
  return most;
}

/// Over δ = 10⁻², 10⁻³, … 10⁻⁸, the worst of some random directions.
struct Sweep {
  std::vector<double> exponent;  ///< log₁₀ δ
  std::vector<Differences> worst;
  std::size_t impacts = 0;
};

Sweep sweep() {
  const BallRun run = run_ball(room());
  Sweep result;
  result.impacts = run.impacts.size();
  for (int k = 2; k <= 8; ++k) {
    Random random(8);
    Differences worst;
    for (int i = 0; i < 8; ++i) {
      std::array<Vector3d, 3> direction;
      for (Vector3d& one : direction)
        one = Vector3d(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)).normalized();
      const Differences found = compare(run, moved_run(std::pow(10.0, -k), direction));
      worst.position = std::max(worst.position, found.position);
      worst.time = std::max(worst.time, found.time);
      worst.velocity = std::max(worst.velocity, found.velocity);
    }
    result.exponent.push_back(-k);
    result.worst.push_back(worst);
  }
  return result;
}

/// Slope of log(difference) over log(δ), between δ = 10⁻⁴ and 10⁻⁷.
double order(const Sweep& sweep, double Differences::*what) {
  return std::log10(sweep.worst[2].*what / (sweep.worst[5].*what)) / 3.0;
}

Item order_item(const char* claim, double found, const std::string& how) {
  Item item = number_item("Theorem 4.2", claim, 1.0, found, 0.01);
  item.paper = "continuous";
  item.ours = fmt::format("of order δ^{:.4f}", found);
  item.note = how;
  return item;
}

Figure continuity_figure(const Sweep& sweep) {
  Panel panel;
  panel.y_label = "difference";
  panel.logarithmic = true;
  Curve position{.label = "position at equal times [m]", .x = sweep.exponent, .y = {}};
  Curve time{.label = "instants of impact [s]", .x = sweep.exponent, .y = {}, .colour = 1};
  Curve velocity{.label = "velocity behind each impact [m/s]", .x = sweep.exponent, .y = {}, .colour = 2};
  for (const Differences& worst : sweep.worst) {
    position.y.push_back(worst.position);
    time.y.push_back(worst.time);
    velocity.y.push_back(worst.velocity);
  }
  panel.curves = {position, time, velocity};
  return {.name = "continuity-in-the-data",
          .caption = fmt::format(
              "A superball in a rough room, {} impacts in 2 s, start moved by δ in eight random directions: "
              "all differences shrink in proportion to δ.",
              sweep.impacts),
          .picture =
              single_panel("Motion through impacts as a function of its data", "log₁₀ δ, change of the data", panel)};
}

/// A throw whose top comes to `above` the height at which the ball touches the ceiling; where it is at the end.
double place_after_graze(double above, double speed) {
  const double ceiling = 1.0, rise = 0.5;
  BallScene scene{.ball = kSuperball, .gravity = kGravity, .floor = false, .ceiling = ceiling};
  const double fall_time = std::sqrt(2.0 * rise / kGravity);
  scene.duration = fall_time + 1.0;
  scene.start.position = Vector3d(0.0, 0.0, ceiling - kSuperball.radius - rise + above);
  scene.start.velocity = Vector3d(speed, 0.0, kGravity * fall_time);
  return run_ball(scene).last().position.x();
}

/// Grazing is what the theorem excludes: the slip is reversed however small the approach.
Item graze_item() {
  const double speed = 1.0, delta = 1e-8;
  const double apart = place_after_graze(-delta, speed) - place_after_graze(delta, speed);
  const double expected = speed * 2.0 * kSuperball.inertia / kSuperball.about_contact();
  Item item = number_item("Theorem 4.2, condition ẋ ∉ TN",
                          "two throws that miss and graze a ceiling by 10⁻⁸ m: how far "
                          "apart after one second [m]; 2J/J' from Theorem 5.1",
                          expected, apart, 1e-3);
  item.paper = "excluded";
  item.note =
      "The condition cannot be dropped: the one that touches, however lightly, has its slip reversed, and the two part "
      "company. The instants of impact are continuous in √δ only, hence the tolerance.";
  return item;
}

}  // namespace

Section weak_continuity() {
  const Sweep found = sweep();
  const std::string how = fmt::format(
      "{} impacts with floor, ceiling and a wall; eight random directions, δ from 10⁻⁴ to 10⁻⁷", found.impacts);
  return {
      .heading = "Continuity in the data, Theorem 4.2",
      .text =
          "Order 1 is continuity and more: the motion is differentiable in its data. Velocities are compared impact "
          "by impact; at equal times they differ by the whole jump between the two instants of an impact.",
      .items = {order_item("x(t) in its data, at all times", order(found, &Differences::position), how),
                order_item("τ, the instants of impact", order(found, &Differences::time), how),
                order_item("velocities behind the impacts", order(found, &Differences::velocity), how), graze_item()},
      .figures = {continuity_figure(found)},
      .maps = {}};
}

}  // namespace carom::reproduce
