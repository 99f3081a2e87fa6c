/// Speed of the event engine through its general path, one thread, no observer: whatever the scene, the same
/// EventEngine runs it.
///
/// Each figure stands beside the bar that the project has set itself, and beside variants of the scene without a bar,
/// so that a special case would show. Figures are CPU time of run(), without the engine's construction but for the
/// breaks, where it belongs to the shot; the best of several rounds where a round is short.

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>

#include "carom/base/random.h"
#include "carom/engine/event/event_engine.h"
#include "carom/engine/run.h"
#include "carom/geometry/polyhedron.h"

#include "gas.h"
#include "report.h"

namespace {

using namespace carom;
using Eigen::Vector3d;

using bench::kGravity;

bool missed = false;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Scene {
  Model model;
  State state;
  EventOptions options;

  void add_body(const Shape& shape, double mass, const BodyState& where) {
    model.bodies.push_back(homogeneous_body("body" + std::to_string(model.bodies.size()), shape, mass));
    state.bodies.push_back(where);
  }
  void add_plane(const Vector3d& normal, const Vector3d& point) {
    Obstacle plane;
    plane.name = "plane" + std::to_string(model.obstacles.size());
    plane.pose = half_space_pose(normal, point);
    model.obstacles.push_back(plane);
  }
  [[nodiscard]] std::unique_ptr<Engine> engine() const {
    return std::make_unique<EventEngine>(std::make_shared<const Model>(model), state, options);
  }
  /// The six walls of the box [low, high]³.
  void add_room(double low, double high) {
    for (int axis = 0; axis < 3; ++axis) {
      add_plane(Vector3d::Unit(axis), Vector3d::Constant(low));
      add_plane(-Vector3d::Unit(axis), Vector3d::Constant(high));
    }
  }
};

BodyState at(const Vector3d& position, const Vector3d& velocity = Vector3d::Zero()) {
  BodyState state;
  state.position = position;
  state.velocity = velocity;
  return state;
}

struct Timing {
  double seconds;  ///< CPU of the fastest run
  RunResult result;
};

Timing time_run(const Scene& scene, int rounds) {
  Timing best{1e300, {}};
  for (int round = 0; round < bench::rounds(rounds); ++round) {
    std::unique_ptr<Engine> engine = scene.engine();
    const double start = cpu_seconds();
    RunResult result = run_to_end(std::move(engine), {});
    const double taken = cpu_seconds() - start;
    if (taken < best.seconds) best = {taken, std::move(result)};
  }
  return best;
}

/// One line: the figure, and whether it reaches its bar (none where it is 0; `below` a bar or above it).
/// A name that is indented belongs to the last one that is not.
void print(const std::string& name, double figure, const char* unit, double bar, bool below = false) {
  static std::string last;
  const std::size_t text = name.find_first_not_of(' ');
  if (text == 0) last = name;
  bench::tell(text == 0 ? name : last + ": " + name.substr(text), figure, unit,
              below ? bench::Better::less : bench::Better::more, bar);
  const bool reached = below ? figure <= bar : figure >= bar;
  missed = missed || (bar > 0.0 && !reached);
  fmt::print("{:<58}{:>14.4g} {:<14}{}\n", name, figure, unit,
             bar > 0.0 ? fmt::format("{} {:g}: {}", below ? "below" : "above", bar, reached ? "reached" : "MISSED")
                       : std::string());
}

void complain(const std::string& name, const RunResult& result) {
  if (result.stop != RunStop::failed) return;
  missed = true;
  bench::tell_failure(name, result.failure ? result.failure->reason : std::string());
  fmt::print("{:<58}FAILED: {}\n", name, result.failure ? result.failure->reason : std::string());
}

double impacts_per_second(const Timing& timing) {
  return static_cast<double>(timing.result.impacts) / timing.seconds;
}

// ------------------------------------------------------------------------------------------------ few bodies

void bouncing_sphere() {
  Scene scene;
  scene.model.gravity = {0.0, 0.0, -kGravity};
  scene.add_body(Sphere{0.1}, 1.0, at({0.0, 0.0, 1.1}));
  scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
  scene.options.duration = 1e9;
  scene.options.max_events = 200'000;
  print("bouncing sphere", impacts_per_second(time_run(scene, 5)), "impacts/s", 1e6);

  scene.state.bodies[0].velocity = {0.7, -0.3, 0.0};
  scene.state.bodies[0].angular_velocity = {1.0, 2.0, 3.0};
  print("bouncing sphere, sideways and spinning", impacts_per_second(time_run(scene, 5)), "impacts/s", 0.0);

  scene.model.materials.resize(1);
  scene.model.rules = {PairRule{.restitution = 1.0, .rough = true, .stiffness = {}}};
  scene.model.bodies[0].material = scene.model.obstacles[0].material = 0;
  print("bouncing sphere, rough (superball)", impacts_per_second(time_run(scene, 5)), "impacts/s", 0.0);
}

/// On a table z = A sin ωt with Γ = 1.29 and restitution ½ the ball bounces once in every period.
void vibrating_table() {
  Scene scene;
  scene.model.gravity = {0.0, 0.0, -kGravity};
  scene.model.materials.resize(1);
  scene.model.rules = {PairRule{.restitution = 0.5, .rough = false, .stiffness = {}}};
  scene.add_body(Sphere{0.01}, 1.0, at({0.0, 0.0, 0.012}, {0.0, 0.0, 0.5}));
  scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
  scene.model.bodies[0].material = scene.model.obstacles[0].material = 0;
  scene.model.obstacles[0].motion.emplace();
  scene.model.obstacles[0].motion->position = SineProfile{0.0032, 10.0, 0.0};
  scene.options.duration = 1e9;
  scene.options.max_events = 50'000;
  const Timing timing = time_run(scene, 5);
  complain("sphere on a vibrating table", timing.result);
  print("sphere on a vibrating table", impacts_per_second(timing), "impacts/s", 1e5);
}

/// Balls far from each other that slide on a cloth until they roll: one transition each, and no impact. What follows
/// the first settling is timed apart from it.
void sliding_to_rolling(const std::string& name, int balls, const Vector3d& spin, double bar) {
  Scene scene;
  scene.model.gravity = {0.0, 0.0, -kGravity};
  scene.model.materials.resize(1);
  scene.model.rules = {PairRule{.restitution = 0.5, .stiffness = {}, .friction = {0.2, 0.2}}};
  Random random(13);
  const int side = static_cast<int>(std::ceil(std::sqrt(balls)));
  for (int k = 0; k < balls; ++k) {
    BodyState state = at({0.5 * (k % side), 0.5 * (k / side), 0.028575},
                         {random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05), 0.0});
    state.angular_velocity = spin;
    scene.add_body(Sphere{0.028575}, 0.17, state);
  }
  scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
  for (Body& ball : scene.model.bodies) ball.material = 0;
  scene.model.obstacles[0].material = 0;
  scene.options.duration = 1.0;
  double first = 1e300, rest = 1e300;
  RunResult result;
  for (int round = 0; round < bench::rounds(5); ++round) {
    const std::unique_ptr<Engine> engine = scene.engine();
    const double start = cpu_seconds();
    engine->start();
    const double settled = cpu_seconds();
    while (const std::optional<double> next = engine->next_time()) engine->handle_next();
    rest = std::min(rest, cpu_seconds() - settled);
    first = std::min(first, settled - start);
    result = engine->result(engine->state_at(engine->now()));
  }
  complain(name, result);
  print(name, balls / rest, "transitions/s", bar);
  print("    the first settling included", balls / (first + rest), "transitions/s", 0.0);
}

/// A polyhedron of so many vertices on an ellipsoid about the origin.
Shape polyhedron(int vertices) {
  Random random(20);
  std::vector<Vector3d> points;
  while (static_cast<int>(points.size()) < vertices) {
    const Vector3d x(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
    if (x.norm() > 0.1 && x.norm() < 1.0) points.push_back(Vector3d(0.4, 0.3, 0.25).cwiseProduct(x.normalized()));
  }
  return Convex{std::make_shared<const Polyhedron>(points, "bench")};
}

Scene tumbler(const Shape& shape) {
  Scene scene;
  scene.add_body(shape, 1.0, at(Vector3d(0.1, 0.2, -0.1), Vector3d(1.0, -0.7, 0.5)));
  scene.state.bodies[0].angular_velocity = {2.0, 1.0, -3.0};
  scene.add_room(-1.0, 1.0);
  scene.options.duration = 1e9;
  scene.options.max_events = 20'000;
  return scene;
}

void tumbling_among_planes() {
  const Shape ellipsoid = Ellipsoid{{0.5, 0.3, 0.2}};
  Scene scene = tumbler(ellipsoid);
  const Timing free = time_run(scene, 5);
  complain("ellipsoid among six planes", free.result);
  print("ellipsoid among six planes", impacts_per_second(free), "impacts/s", 5e4);
  scene.model.gravity = {0.0, 0.0, -kGravity};
  print("ellipsoid among six planes, gravity", impacts_per_second(time_run(scene, 5)), "impacts/s", 0.0);
  print("spheroid among six planes", impacts_per_second(time_run(tumbler(Ellipsoid{{0.3, 0.3, 0.5}}), 5)), "impacts/s",
        0.0);
  for (const auto& [name, shape] : {std::pair<const char*, Shape>{"box", Box{{0.4, 0.3, 0.2}}},
                                    std::pair<const char*, Shape>{"cylinder", Cylinder{0.3, 0.2}}}) {
    const Timing timing = time_run(tumbler(shape), 3);
    complain(fmt::format("{} among six planes", name), timing.result);
    print(fmt::format("{} among six planes", name), impacts_per_second(timing), "impacts/s", 0.0);
  }
}

void polyhedron_among_planes() {
  const Timing timing = time_run(tumbler(polyhedron(20)), 3);
  complain("polyhedron of 20 vertices among six planes", timing.result);
  print("polyhedron of 20 vertices among six planes", impacts_per_second(timing), "impacts/s", 5e4);
}

/// The mean time of one search for the first contact of two tumbling bodies that fly at each other.
void time_of_impact(const std::string& name, const Shape& shape, double bar) {
  Random random(21);
  constexpr int kPairs = 200;
  double taken = 0.0;
  int hits = 0;
  for (int k = 0; k < kPairs; ++k) {
    contact::Motion motions[2];
    contact::Mover movers[2];
    for (int i = 0; i < 2; ++i) {
      contact::Motion& motion = motions[i];
      const double side = i == 0 ? -1.0 : 1.0;
      motion.position = {side, random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2)};
      motion.velocity = {-side, random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2)};
      motion.acceleration = {0.0, 0.0, -kGravity};
      motion.turning = contact::Turning::free;
      motion.rotation = std::make_shared<const FreeRotation>(
          Vector3d(1.0, 1.3, 1.7),
          RotationState{Eigen::Quaterniond(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), 0.3, 0.5).normalized(),
                        {random.uniform(-4.0, 4.0), random.uniform(-4.0, 4.0), random.uniform(-4.0, 4.0)}});
      motion.max_spin = motion.rotation->max_angular_speed();
      motion.max_spin_rate = motion.rotation->max_angular_acceleration();
      movers[i] = {&shape, shape_kind(shape), &motion, bounding_radius(shape), Vector3d::Zero()};
    }
    const PairFunction& pair = *find_pair(shape_kind(shape), shape_kind(shape));
    const double start = cpu_seconds();
    contact::Advance found{0.0, 0.0, false};
    while (!found.hit && found.time < 2.0)
      found = contact::first_contact(pair, movers[0], movers[1], {found.time, found.carry, 2.0});
    taken += cpu_seconds() - start;
    hits += found.hit ? 1 : 0;
  }
  print(fmt::format("time of impact of two {} ({} of {} meet)", name, hits, kPairs), 1e6 * taken / kPairs, "µs", bar,
        true);
}

void times_of_impact() {
  time_of_impact("polyhedra of 20 vertices", polyhedron(20), 100.0);
  time_of_impact("boxes", Box{{0.4, 0.3, 0.25}}, 0.0);
  time_of_impact("ellipsoids", Ellipsoid{{0.4, 0.3, 0.25}}, 0.0);
  time_of_impact("capsules", Capsule{0.2, 0.2}, 0.0);
}

// ------------------------------------------------------------------------------------------------ the break

/// Sixteen balls on a table: a rack of fifteen with the given gap between neighbours, and the cue ball.
Scene pool_break(double gap, const ImpactLaw& law) {
  const double radius = 0.028575;
  Scene scene;
  scene.model.gravity = {0.0, 0.0, -kGravity};
  scene.model.materials.resize(1);
  scene.model.rules = {PairRule{.restitution = 0.95, .rough = false, .stiffness = {}}};
  const double pitch = 2.0 * radius + gap;
  for (int row = 0; row < 5; ++row)
    for (int k = 0; k <= row; ++k)
      scene.add_body(Sphere{radius}, 0.17,
                     at({0.5 * std::numbers::sqrt3 * pitch * row, pitch * (k - 0.5 * row), radius}));
  scene.add_body(Sphere{radius}, 0.17, at({-0.5, 0.0, radius}, {8.0, 0.0, 0.0}));
  scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
  const double long_side = 1.27, short_side = 0.635;
  scene.add_plane({1.0, 0.0, 0.0}, {-long_side, 0.0, 0.0});
  scene.add_plane({-1.0, 0.0, 0.0}, {long_side, 0.0, 0.0});
  scene.add_plane({0.0, 1.0, 0.0}, {0.0, -short_side, 0.0});
  scene.add_plane({0.0, -1.0, 0.0}, {0.0, short_side, 0.0});
  for (Body& ball : scene.model.bodies) ball.material = 0;
  for (Obstacle& plane : scene.model.obstacles) plane.material = 0;
  scene.options.law = &law;
  scene.options.duration = 0.1;  // the cue ball arrives after 0.055 s
  return scene;
}

void breaks() {
  for (const ImpactLaw* law : impact_laws())
    for (const double gap : {0.0, 1e-5}) {
      const Scene scene = pool_break(gap, *law);
      double best = 1e300;
      RunResult result;
      for (int round = 0; round < bench::rounds(20); ++round) {
        const double start = cpu_seconds();
        result = run_to_end(scene.engine(), {});
        best = std::min(best, cpu_seconds() - start);
      }
      const std::string name = fmt::format("break of 16 balls, {}, {} ({} impacts)", law->name,
                                           gap > 0.0 ? "gaps of 10 µm" : "touching", result.impacts);
      complain(name, result);
      print(name, 1e3 * best, "ms", 1.0, true);
    }
}

// ------------------------------------------------------------------------------------------------ many bodies

Scene gas(const bench::Gas& gas) {
  Scene scene;
  scene.model.gravity = {0.0, 0.0, -gas.gravity};
  for (const bench::GasBall& ball : bench::gas_balls(gas))
    scene.add_body(Sphere{ball.radius}, ball.mass, at(ball.position, ball.velocity));
  scene.add_room(0.0, 1.0);
  scene.options.duration = gas.duration;
  return scene;
}

void gases() {
  const auto measure = [](const std::string& name, const bench::Gas& kind, double bar) {
    const Timing timing = time_run(gas(kind), 2);
    complain(name, timing.result);
    print(name, kind.duration / timing.seconds, "model s/CPU s", bar);
    const EnergyBook& book = timing.result.energy;
    print(std::string("    ") + bench::kGasEnergyName, std::abs(book.now.total() - book.initial) / book.initial, "",
          1e-12, true);
    print("    its impacts", impacts_per_second(timing), "impacts/s", 0.0);
  };
  measure(bench::kGasName, {}, 10.0);
  measure("1000 elastic spheres, no gravity", {.gravity = 0.0}, 0.0);
  measure("2000 elastic spheres", {.along_x = 10, .along_y = 10, .along_z = 20, .duration = 1.0}, 0.0);
  measure("1000 elastic spheres of two sizes", {.small = 0.5}, 0.0);
}

/// Balls that fall into a heap and come to rest: accumulations, persistent contacts, islands.
void heap() {
  Scene scene;
  scene.model.gravity = {0.0, 0.0, -kGravity};
  scene.model.materials.resize(1);
  scene.model.rules = {PairRule{.restitution = 0.3, .rough = false, .stiffness = {}}};
  Random random(7);
  for (int k = 0; k < 27; ++k) {
    const Vector3d cell(k % 3, (k / 3) % 3, k / 9);
    const Vector3d jitter(random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02), 0.0);
    scene.add_body(Sphere{0.1}, 1.0, at(0.3 * cell + jitter + Vector3d::Constant(0.2)));
  }
  scene.add_room(0.0, 1.0);
  for (Body& ball : scene.model.bodies) ball.material = 0;
  for (Obstacle& plane : scene.model.obstacles) plane.material = 0;
  scene.options.law = &kPoissonLaw;
  scene.options.duration = 1.0;
  scene.options.max_events = 200'000;
  const Timing timing = time_run(scene, 1);
  complain("27 balls fall into a heap, e = 0.3", timing.result);
  print(fmt::format("27 balls fall into a heap, e = 0.3 ({} impacts)", timing.result.impacts),
        timing.result.final_state.time / timing.seconds, "model s/CPU s", 0.0);
}

}  // namespace

int main(int count, char** words) {
  bench::begin("event", count, words);
  fmt::print("The event engine, one thread, no observer; CPU time\n\n");
  bouncing_sphere();
  vibrating_table();
  sliding_to_rolling("a ball slides until it rolls", 1, Vector3d::Zero(), 0.0);
  sliding_to_rolling("1000 balls slide until they roll", 1000, Vector3d::Zero(), 5e5);
  sliding_to_rolling("1000 balls slide until they roll, masse", 1000, {3.0, -2.0, 10.0}, 0.0);
  tumbling_among_planes();
  polyhedron_among_planes();
  times_of_impact();
  breaks();
  gases();
  heap();
  return bench::exit_code(missed);
}
