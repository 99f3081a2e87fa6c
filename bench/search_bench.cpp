/// What the search for the next contact costs in heaps of bodies with edges: one search for one pair over one step of
/// an island, in the situations that heaps are made of, and a heap as a whole. CPU time, one thread.

#include <fmt/format.h>
#include <time.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "carom/base/random.h"
#include "carom/contact/contact_point.h"
#include "carom/contact/time_of_impact.h"
#include "carom/engine/event/event_engine.h"
#include "carom/engine/run.h"

#include "report.h"

namespace {

using namespace carom;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr int kPairs = 400;
constexpr int kSteps = 20;        // of each pair, one after the other
constexpr double kStep = 1e-3;    // [s]
constexpr double kMostTime = 20;  // [µs] for a pair of boxes and a step
bool missed = false;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void print(const std::string& name, double figure, const char* unit, double bar) {
  bench::tell(name, figure, unit, bench::Better::less, bar);
  const bool reached = bar == 0.0 || figure <= bar;
  missed = missed || !reached;
  fmt::print("{:<62}{:>10.4g} {:<14}{}\n", name, figure, unit,
             bar > 0.0 ? fmt::format("below {:g}: {}", bar, reached ? "reached" : "MISSED") : std::string());
}

Vector3d direction(Random& random) {
  for (;;) {
    const Vector3d x(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
    if (x.norm() > 0.1 && x.norm() < 1.0) return x.normalized();
  }
}

Quaterniond attitude(Random& random) {
  const Vector3d turn = random.uniform(0.0, 3.0) * direction(random);
  return Quaterniond(Eigen::AngleAxisd(turn.norm(), turn.normalized()));
}

/// Two bodies of a heap: some 5 cm large, turning with some rad/s, a given gap apart that opens or closes.
struct HeapPair {
  Shape shape_a, shape_b;
  contact::Motion motion_a, motion_b;

  HeapPair(const Shape& first, const Shape& second, double gap, double rate, Random& random)
      : shape_a(first), shape_b(second) {
    motion_a.position = 0.3 * direction(random);
    for (contact::Motion* motion : {&motion_a, &motion_b}) {
      motion->attitude = attitude(random);
      motion->turning = contact::Turning::uniform;
      motion->spin = random.uniform(0.5, 5.0) * direction(random);
      motion->max_spin = motion->spin.norm();
      motion->velocity = random.uniform(0.0, 0.2) * direction(random);
    }
    motion_a.acceleration = {0.0, 0.0, -9.81};  // b lies, a falls
    for (int turn = 0; turn < 3; ++turn) {
      const Proximity near = nearest();
      motion_a.position -= (near.distance - gap) * near.normal;
    }
    const Proximity near = nearest();
    const Vector3d at_a = motion_a.velocity + motion_a.spin.cross(near.point_a - motion_a.position);
    const Vector3d at_b = motion_b.velocity + motion_b.spin.cross(near.point_b - motion_b.position);
    motion_a.velocity += (rate - near.normal.dot(at_a - at_b)) * near.normal;
  }
  [[nodiscard]] Proximity nearest() const {
    return proximity(shape_a, {motion_a.position, motion_a.attitude}, shape_b, {motion_b.position, motion_b.attitude});
  }
  [[nodiscard]] contact::Mover a() const {
    return {&shape_a, shape_kind(shape_a), &motion_a, bounding_radius(shape_a), Vector3d::Zero()};
  }
  [[nodiscard]] contact::Mover b() const {
    return {&shape_b, shape_kind(shape_b), &motion_b, bounding_radius(shape_b), Vector3d::Zero()};
  }
};

struct Situation {
  std::string name;
  double gap;   ///< [m]
  double rate;  ///< [m/s]
};

/// The mean time of one search over one step, the direction along which the pair was apart kept from step to step.
void search(const std::string& shapes, const Shape& first, const Shape& second, const Situation& at, double bar) {
  Random random(31);
  double taken = 0.0;
  int searches = 0, sampled = 0;
  for (int k = 0; k < kPairs; ++k) {
    const HeapPair pair(first, second, at.gap, at.rate, random);
    const PairFunction& function = *find_pair(shape_kind(first), shape_kind(second));
    contact::SeparatingDirection apart = contact::SeparatingDirection::Zero();
    const double start = cpu_seconds();
    for (int step = 0; step < kSteps; ++step) {
      const contact::Stretch stretch{step * kStep, 0.0, (step + 1) * kStep};
      const contact::Advance found = contact::first_contact(function, pair.a(), pair.b(), stretch, &apart);
      ++searches;
      sampled += found.sampled ? 1 : 0;
      if (found.hit) break;
    }
    taken += cpu_seconds() - start;
  }
  print(fmt::format("{}, {} ({} sampled)", shapes, at.name, sampled), 1e6 * taken / searches, "µs", bar);
}

void searches() {
  const Situation situations[] = {{"part from contact slowly", 0.0, 1e-3},
                                  {"part from contact", 0.0, 0.1},
                                  {"1 mm apart, at rest", 1e-3, 0.0},
                                  {"1 mm apart, closing", 1e-3, -0.2},
                                  {"2 cm apart, closing", 2e-2, -0.2}};
  const Shape box = Box{{0.025, 0.02, 0.03}};
  for (const Situation& at : situations) search("boxes", box, Box{{0.03, 0.03, 0.02}}, at, kMostTime);
  for (const Situation& at : situations) search("cylinder and box", Cylinder{0.02, 0.03}, box, at, 0.0);
  for (const Situation& at : situations) search("ellipsoid and box", Ellipsoid{{0.02, 0.025, 0.03}}, box, at, 0.0);
}

/// One evaluation of a contact that persists, in the states that the steps of its island go through.
void follow(const std::string& shapes, const Shape& first, const Shape& second) {
  Random random(32);
  double taken = 0.0;
  int count = 0;
  for (int k = 0; k < kPairs; ++k) {
    const HeapPair pair(first, second, 0.0, 0.0, random);
    const PairFunction& function = *find_pair(shape_kind(first), shape_kind(second));
    const contact::PlacedPair placed{pair.shape_a,
                                     {pair.motion_a.position, pair.motion_a.attitude},
                                     pair.shape_b,
                                     {pair.motion_b.position, pair.motion_b.attitude}};
    std::vector<contact::ContactPoint> closed;
    contact::append_closed_contacts(function, placed, 1e-9, closed);
    const double start = cpu_seconds();
    for (int step = 0; step < kSteps && !closed.empty(); ++step) {
      const double tau = step * 1e-2 * kStep;
      const contact::PlacedPair later{pair.shape_a, pair.motion_a.at(tau).pose(), pair.shape_b,
                                      pair.motion_b.at(tau).pose()};
      (void)contact::followed(closed[0], function, later);
      ++count;
    }
    taken += cpu_seconds() - start;
  }
  print(fmt::format("{}: a contact that persists, followed", shapes), 1e6 * taken / count, "µs", 0.0);
}

/// Boxes that fall into a heap.
void heap(int along) {
  auto model = std::make_shared<Model>();
  State state;
  EventOptions options;
  model->gravity = {0.0, 0.0, -9.81};
  model->materials.resize(1);
  model->rules = {PairRule{.restitution = 0.3, .rough = false, .stiffness = {}}};
  Random random(33);
  const double pitch = 0.1;
  for (int k = 0; k < along * along * along; ++k) {
    const Vector3d cell(k % along, (k / along) % along, k / (along * along));
    model->bodies.push_back(homogeneous_body("box" + std::to_string(k), Box{{0.025, 0.02, 0.03}}, 0.1));
    model->bodies.back().material = 0;
    BodyState body;
    body.position = pitch * (cell + Vector3d::Constant(0.5));
    body.orientation = attitude(random);
    state.bodies.push_back(body);
  }
  const auto add_plane = [&](const Vector3d& normal, const Vector3d& point) {
    Obstacle plane;
    plane.name = "plane" + std::to_string(model->obstacles.size());
    plane.pose = half_space_pose(normal, point);
    plane.material = 0;
    model->obstacles.push_back(plane);
  };
  add_plane(Vector3d::UnitZ(), Vector3d::Zero());
  for (int axis = 0; axis < 2; ++axis) {
    add_plane(Vector3d::Unit(axis), Vector3d::Zero());
    add_plane(-Vector3d::Unit(axis), Vector3d::Constant(pitch * along));
  }
  options.duration = 0.4;
  options.max_events = 100'000;
  const double start = cpu_seconds();
  const RunResult result = run_to_end(std::make_unique<EventEngine>(model, state, options), {});
  print(fmt::format("{} boxes fall into a heap ({} impacts, {} steps)", along * along * along, result.impacts,
                    result.steps_accepted),
        (cpu_seconds() - start) / result.final_state.time, "CPU s/model s", 0.0);
}

}  // namespace

int main(int count, char** words) {
  bench::begin("search", count, words);
  fmt::print("The search for the next contact, one pair and one step of {} s; CPU time\n\n", kStep);
  searches();
  follow("ellipsoid and box", Ellipsoid{{0.02, 0.025, 0.03}}, Box{{0.025, 0.02, 0.03}});
  follow("ellipsoid and cylinder", Ellipsoid{{0.02, 0.025, 0.03}}, Cylinder{0.02, 0.03});
  for (const int along : {2, 3}) heap(along);
  return bench::exit_code(missed);
}
