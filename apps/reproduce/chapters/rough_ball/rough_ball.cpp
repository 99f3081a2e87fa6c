#include "reproduce/chapters/rough_ball/rough_ball.h"

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <memory>

#include "carom/engine/event/event_engine.h"
#include "carom/engine/run.h"
#include "carom/laws/impact/impact_solver.h"
#include "reproduce/decompositions.h"

namespace carom::reproduce {

using Eigen::Vector3d;

Matrix RoughBall::metric() const {
  return Vector{{mass, mass, mass, inertia, inertia, inertia}}.asDiagonal();
}

RoughBall random_ball(Random& random) {
  RoughBall ball{.mass = random.uniform(0.3, 3.0), .inertia = 0.0, .radius = random.uniform(0.2, 2.0)};
  ball.inertia = random.uniform(0.05, 0.6) * ball.square();
  return ball;
}

Vector floor_theorem(const RoughBall& ball, const Vector& velocity, double restitution) {
  const double mu = restitution, m = ball.mass, r = ball.radius, j = ball.inertia, jc = ball.about_contact();
  const double v1 = velocity[0], v2 = velocity[1], w1 = velocity[3], w2 = velocity[4];
  const double square = ball.square();
  return Vector{{(square - mu * j) / jc * v1 + j * r * (1 + mu) / jc * w2,
                 (square - mu * j) / jc * v2 - j * r * (1 + mu) / jc * w1, -mu * velocity[2],
                 -r * m * (1 + mu) / jc * v2 + (j - mu * square) / jc * w1,
                 r * m * (1 + mu) / jc * v1 + (j - mu * square) / jc * w2, velocity[5]}};
}

Vector wall_theorem(const RoughBall& ball, const Vector& velocity, double restitution) {
  const double mu = restitution, r = ball.radius, j = ball.inertia, twice = 2 * ball.about_midway();
  const double v2 = velocity[1], spin = velocity[5];
  const double along = (((1 - mu) * j + ball.square()) * v2 + (1 + mu) * j * r * spin) / twice;
  const double turning =
      ((1 + mu) * ball.about_contact() * v2 / r + ((1 - mu) * j - mu * ball.square()) * spin) / twice;
  return rolling_velocity(ball, -mu * velocity[0], along, turning);
}

Matrix floor_rows(const RoughBall& ball) {
  const double r = ball.radius;
  return Matrix{{1, 0, 0, 0, -r, 0}, {0, 1, 0, r, 0, 0}, {0, 0, 1, 0, 0, 0}};
}

Matrix rolling_rows(const RoughBall& ball) {
  const double r = ball.radius;
  return Matrix{{1, 0, 0, -r, 0}, {0, 1, r, 0, 0}};
}

Matrix wall_rows(const RoughBall& ball) {
  const double r = ball.radius;
  return Matrix{{1, 0, 0, 0, 0}, {0, 1, 0, 0, -r}, {0, 0, 0, 1, 0}, {0, 1, r, 0, 0}};
}

Matrix floor_projector(const RoughBall& ball, Print print) {
  const double m = ball.mass, r = ball.radius, j = ball.inertia, jc = ball.about_contact();
  const double normal = print == Print::printed ? 1.0 : jc;
  const double s = ball.square();
  const Matrix bracket{{j, 0, 0, 0, -j * r, 0}, {0, j, 0, j * r, 0, 0},  {0, 0, normal, 0, 0, 0},
                       {0, r * m, 0, s, 0, 0},  {-r * m, 0, 0, 0, s, 0}, {0, 0, 0, 0, 0, 0}};
  return bracket / jc;
}

Matrix wall_projector(const RoughBall& ball, Print print) {
  const double m = ball.mass, r = ball.radius, j = ball.inertia, jc = ball.about_contact();
  const double twice = 2 * ball.about_midway();
  const double normal = print == Print::printed ? 1.0 : twice;
  const Matrix bracket{{normal, 0, 0, 0, 0},
                       {0, 2 * j, j * r, 0, -j * r},
                       {0, r * m, jc, 0, j},
                       {0, 0, 0, normal, 0},
                       {0, -r * m, j, 0, jc}};
  return bracket / twice;
}

Matrix lemma_projector(const Matrix& metric, const Matrix& rows) {
  const Matrix spread = solve_regular(metric, rows.transpose());
  return spread * solve_regular(rows * spread, rows);
}

Matrix law_projector(const Matrix& metric, const Matrix& rows, Eigen::Index normal) {
  const Eigen::Index n = metric.rows();
  ImpactProblem problem;
  problem.metric = metric;
  Contact contact{.name = "all rows", .normal = rows.row(normal).transpose()};
  contact.tangents.resize(rows.rows() - 1, n);
  for (Eigen::Index row = 0, to = 0; row < rows.rows(); ++row)
    if (row != normal) contact.tangents.row(to++) = rows.row(row);
  problem.contacts.push_back(contact);
  const auto projected = [&](const Vector& velocity) -> Vector {
    problem.velocity = velocity;
    return 0.5 * (velocity - velocity_after(problem));
  };
  // The normal's own direction, scaled so that its gap rate is −1.
  const Vector approach = -contact.normal / contact.normal.squaredNorm();
  const Vector of_approach = projected(approach);
  Matrix projector(n, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const double needed = 1.0 + std::abs(contact.normal[k]);
    projector.col(k) = projected(Vector::Unit(n, k) + needed * approach) - needed * of_approach;
  }
  return projector;
}

ImpactProblem thrown_to_the_floor(const RoughBall& ball, const Vector& velocity, double restitution) {
  ImpactProblem problem;
  problem.metric = ball.metric();
  problem.velocity = velocity;
  problem.restitution = restitution;
  problem.contacts.push_back({.name = "floor", .normal = Vector::Unit(6, 2), .tangents = floor_rows(ball).topRows(2)});
  return problem;
}

ImpactProblem rolling_to_the_wall(const RoughBall& ball, const Vector& velocity, double restitution) {
  const double r = ball.radius;
  ImpactProblem problem;
  problem.metric = ball.metric();
  problem.velocity = velocity;
  problem.restitution = restitution;
  problem.persistent = Matrix{{0, 0, 1, 0, 0, 0}, {1, 0, 0, 0, -r, 0}, {0, 1, 0, r, 0, 0}};
  problem.supports = {0};
  problem.contacts.push_back(
      {.name = "wall", .normal = Vector::Unit(6, 0), .tangents = Matrix{{0, 1, 0, 0, 0, -r}, {0, 0, 1, 0, r, 0}}});
  return problem;
}

Vector rolling_velocity(const RoughBall& ball, double v1, double v2, double spin) {
  return Vector{{v1, v2, 0.0, -v2 / ball.radius, v1 / ball.radius, spin}};
}

ImpactOutcome struck(const ImpactProblem& problem) {
  ImpactSolver solver;
  return solver.solve(problem, kRoughLaw);
}

Vector velocity_after(const ImpactProblem& problem) {
  const ImpactOutcome outcome = struck(problem);
  return Eigen::Map<const Vector>(outcome.velocity.data(), static_cast<Eigen::Index>(outcome.velocity.size()));
}

Vector3d angular_momentum_about_floor(const RoughBall& ball, const Vector& velocity) {
  const Vector3d centre(0.0, 0.0, ball.radius);
  return ball.mass * centre.cross(Vector3d(velocity.head<3>())) + ball.inertia * velocity.tail<3>();
}

namespace {

Vector random_row(Random& random, int n) {
  Vector values(n);
  for (double& value : values) value = random.uniform(-1.0, 1.0);
  return values;
}

Matrix random_rows(Random& random, int count, int n) {
  Matrix matrix(count, n);
  for (int i = 0; i < count; ++i) matrix.row(i) = random_row(random, n);
  return matrix;
}

/// Rows far from dependent, so that the formula of Lemma 1 is good to round-off.
bool well_separated(const Matrix& rows) {
  const Vector values = singular_values(rows);
  return values[values.size() - 1] > 0.2 * values[0];
}

}  // namespace

ImpactProblem random_rough_problem(Random& random) {
  const int n = random.integer(3, 8);
  ImpactProblem problem;
  const Matrix root = random_rows(random, n, n);
  problem.metric = 0.5 * Matrix::Identity(n, n) + root * root.transpose();
  problem.metric = (0.5 * (problem.metric + problem.metric.transpose())).eval();
  const int persistent = random.integer(0, std::min(2, n - 2));
  const int slips = random.integer(0, std::min(2, n - 1 - persistent));
  problem.contacts.resize(1);
  Contact& contact = problem.contacts[0];
  do {
    problem.persistent = random_rows(random, persistent, n);
    contact.normal = random_row(random, n);
    contact.tangents = random_rows(random, slips, n);
  } while (!well_separated(stacked_rows(problem)));
  problem.velocity = random_row(random, n);
  if (persistent > 0) problem.velocity -= lemma_projector(problem.metric, problem.persistent) * problem.velocity;
  if (contact.normal.dot(problem.velocity) > 0.0) problem.velocity = -problem.velocity;
  return problem;
}

Matrix stacked_rows(const ImpactProblem& problem) {
  const Contact& contact = problem.contacts[0];
  const Eigen::Index persistent = problem.persistent.rows();
  Matrix rows(persistent + 1 + contact.tangents.rows(), problem.metric.rows());
  if (persistent > 0) rows.topRows(persistent) = problem.persistent;
  rows.row(persistent) = contact.normal.transpose();
  if (contact.tangents.rows() > 0) rows.bottomRows(contact.tangents.rows()) = contact.tangents;
  return rows;
}

namespace {

Model model_of(const BallScene& scene) {
  Model model;
  model.gravity = Vector3d(0.0, 0.0, -scene.gravity);
  model.materials.push_back({.name = "rubber", .young = {}, .poisson = {}});
  model.rules.push_back({.restitution = scene.restitution, .rough = true, .stiffness = {}});
  model.bodies.push_back({.name = "ball",
                          .parts = one_part(Sphere{scene.ball.radius}),
                          .mass = scene.ball.mass,
                          .inertia = Vector3d::Constant(scene.ball.inertia),
                          .material = 0});
  const auto plane = [&model](const char* name, const Vector3d& normal, const Vector3d& point) {
    model.obstacles.push_back(
        {.name = name, .parts = one_part(HalfSpace{}), .pose = half_space_pose(normal, point), .material = 0});
  };
  if (scene.floor) plane("floor", Vector3d::UnitZ(), Vector3d::Zero());
  if (scene.wall) plane("wall", Vector3d::UnitX(), Vector3d::Zero());
  if (scene.ceiling) plane("ceiling", -Vector3d::UnitZ(), Vector3d(0.0, 0.0, *scene.ceiling));
  if (scene.table) {
    const Vector3d half_sizes(0.8, 0.5, 0.02);
    const Vector3d centre(0.05 + half_sizes.x(), 0.0, *scene.table + half_sizes.z());
    model.obstacles.push_back(
        {.name = "table", .parts = one_part(Box{half_sizes}), .pose = {.position = centre}, .material = 0});
  }
  if (scene.rolling) model.constraints.emplace_back(RollingConstraint{.body = 0, .plane = 0});
  return model;
}

Vector both(const Vector3d& velocity, const Vector3d& spin) {
  Vector all(6);
  all << velocity, spin;
  return all;
}

/// Keeps the samples and what happened.
class BallWatch final : public Observer {
 public:
  explicit BallWatch(BallRun& run) : run_(run) {}
  void sample(const State& state, const EnergyBook&) override { run_.samples.push_back(state); }
  void event(const EventRecord& event) override {
    if (event.kind == EventKind::rest) run_.rest = event.time;
    if (event.kind != EventKind::impact) return;
    const JumpRecord& jump = event.jumps[0];
    run_.impacts.push_back({.time = event.time,
                            .point = event.contacts[0].point,
                            .normal = event.contacts[0].normal,
                            .before = both(jump.velocity_before, jump.angular_velocity_before),
                            .after = both(jump.velocity_after, jump.angular_velocity_after),
                            .energy_change = event.energy.change,
                            .flags = event.flags});
  }
  void progress(double, long) override {}

 private:
  BallRun& run_;
};

}  // namespace

BallRun run_ball(const BallScene& scene) {
  EventOptions options;
  options.law = &kRoughLaw;
  options.duration = scene.duration;
  BallRun run;
  BallWatch watch(run);
  run.result = run_to_end(std::make_unique<EventEngine>(std::make_shared<const Model>(model_of(scene)),
                                                        State{.time = 0.0, .bodies = {scene.start}}, options),
                          {.output_step = scene.output_step}, &watch);
  return run;
}

Curve path(const BallRun& run, int across, int up, std::string label) {
  Curve curve;
  curve.label = std::move(label);
  for (const State& state : run.samples) {
    curve.x.push_back(state.bodies[0].position[across]);
    curve.y.push_back(state.bodies[0].position[up]);
  }
  return curve;
}

BodyState pendulum_start(const RoughBall& ball, double v, double u, double gravity) {
  BodyState start;
  start.position = Vector3d(0.0, 0.0, ball.radius + u * u / (2.0 * gravity));
  start.velocity = Vector3d(-v, 0.0, 0.0);
  start.angular_velocity = Vector3d(0.0, ball.radius * ball.mass * v / ball.inertia, 0.0);
  return start;
}

Item corrected_item(std::string where, std::string claim, std::string printed, std::string ours, double difference,
                    double tolerance, std::string note) {
  return {.where = std::move(where),
          .claim = std::move(claim),
          .paper = std::move(printed),
          .ours = std::move(ours),
          .difference = difference,
          .tolerance = tolerance,
          .verdict = difference <= tolerance ? Verdict::corrected : Verdict::differs,
          .note = std::move(note)};
}

Picture single_panel(std::string title, std::string x_label, Panel panel) {
  Picture picture;
  picture.title = std::move(title);
  picture.x_label = std::move(x_label);
  Range& range = picture.x_range;
  for (const Curve& curve : panel.curves)
    for (const double x : curve.x) range.add(x);
  const double margin = 0.02 * (range.high - range.low);
  range = {.low = range.low - margin, .high = range.high + margin};
  picture.panels.push_back(std::move(panel));
  return picture;
}

double largest_difference(const Matrix& a, const Matrix& b) {
  return (a - b).cwiseAbs().maxCoeff() / std::max(1.0, b.cwiseAbs().maxCoeff());
}

}  // namespace carom::reproduce
