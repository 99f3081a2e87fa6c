/// Microseconds for the distance of two shapes: polyhedra of 20 vertices from scratch and from the hint of the step
/// before, apart, close and overlapping; and every other pair of convex shapes by the general method beside the closed
/// forms. CPU times, the best of several repeats.

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "carom/base/random.h"
#include "carom/geometry/convex/convex_distance.h"
#include "carom/geometry/pair_table.h"
#include "carom/geometry/polyhedron.h"

#include "report.h"

namespace {

using carom::Pose;
using carom::Proximity;
using carom::ProximityHint;
using carom::Random;
using carom::Shape;
using carom::ShapeKind;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr int kRepeats = 7;
constexpr int kPairs = 400;

volatile double sink = 0.0;

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// The least CPU time of one `work(i)`, in microseconds; `prepare` comes before each repeat.
template <class Prepare, class Work>
double microseconds(int items, const Prepare& prepare, const Work& work) {
  double best = 1e300;
  for (int repeat = 0; repeat < carom::bench::rounds(kRepeats); ++repeat) {
    prepare();
    double sum = 0.0;
    const double start = cpu_seconds();
    for (int i = 0; i < items; ++i) sum += work(static_cast<std::size_t>(i));
    best = std::min(best, cpu_seconds() - start);
    sink = sum;
  }
  return 1e6 * best / items;
}

Vector3d direction(Random& random) {
  const double z = random.uniform(-1.0, 1.0);
  const double angle = random.uniform(0.0, 2.0 * std::numbers::pi);
  return {std::sqrt(1.0 - z * z) * std::cos(angle), std::sqrt(1.0 - z * z) * std::sin(angle), z};
}

Quaterniond rotation(Random& random) {
  return Quaterniond(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1))
      .normalized();
}

Shape make(ShapeKind kind, Random& random) {
  switch (kind) {
    case ShapeKind::sphere: return carom::Sphere{1.0};
    case ShapeKind::ellipsoid: return carom::Ellipsoid{{1.0, 0.7, 0.5}};
    case ShapeKind::box: return carom::Box{{0.7, 0.5, 0.4}};
    case ShapeKind::cylinder: return carom::Cylinder{0.6, 0.7};
    case ShapeKind::prism: return carom::Prism{{{{-0.6, -0.4}, {0.7, -0.3}, {0.0, 0.8}}}, 0.5};
    case ShapeKind::capsule: return carom::Capsule{0.4, 0.6};
    case ShapeKind::cone: return carom::Cone{0.6, 1.0};
    case ShapeKind::half_cylinder: return carom::HalfCylinder{0.7, 0.6};
    case ShapeKind::rod: return carom::Rod{1.0};
    default: break;
  }
  std::vector<Vector3d> points;
  for (int i = 0; i < 20; ++i) points.push_back(direction(random));
  return carom::Convex{std::make_shared<carom::Polyhedron>(points, "vertices")};
}

struct Placed {
  Shape a, b;
  Pose pose_a, pose_b;
};

/// Pairs at a given distance, in random attitudes.
std::vector<Placed> pairs_at(ShapeKind kind_a, ShapeKind kind_b, double gap) {
  Random random(static_cast<std::uint64_t>(kind_a) * 100 + static_cast<std::uint64_t>(kind_b));
  std::vector<Placed> pairs;
  for (int i = 0; i < kPairs; ++i) {
    Placed placed{make(kind_a, random), make(kind_b, random), {}, {}};
    placed.pose_b.orientation = rotation(random);
    placed.pose_a = {3.0 * direction(random), rotation(random)};
    const Proximity nearest = carom::proximity(placed.a, placed.pose_a, placed.b, placed.pose_b);
    placed.pose_a.position += (gap - nearest.distance) * nearest.normal;
    pairs.push_back(placed);
  }
  return pairs;
}

void polyhedra(double gap) {
  std::vector<Placed> pairs = pairs_at(ShapeKind::convex, ShapeKind::convex, gap);
  std::vector<ProximityHint> before(kPairs), hints(kPairs);
  for (std::size_t i = 0; i < kPairs; ++i) {
    Placed& p = pairs[i];
    carom::convex_proximity(p.a, p.pose_a, p.b, p.pose_b, before[i]);
    // A small step of a tumbling body.
    p.pose_a.orientation = (Quaterniond(1.0, 1e-5, -2e-5, 1e-5) * p.pose_a.orientation).normalized();
  }
  const auto plain = [&](std::size_t i) {
    const Placed& p = pairs[i];
    return carom::convex_proximity(p.a, p.pose_a, p.b, p.pose_b).distance;
  };
  const auto hinted = [&](std::size_t i) {
    const Placed& p = pairs[i];
    return carom::convex_proximity(p.a, p.pose_a, p.b, p.pose_b, hints[i]).distance;
  };
  const double cold = microseconds(
      kPairs, [] {}, plain);
  const double warm = microseconds(
      kPairs, [&] { hints = before; }, hinted);
  fmt::print("{:>10} {:12.2f} {:12.2f}\n", gap, cold, warm);
  carom::bench::tell(fmt::format("two polyhedra, gap {} m, from scratch", gap), cold, "µs", carom::bench::Better::less);
  carom::bench::tell(fmt::format("two polyhedra, gap {} m, from a hint", gap), warm, "µs", carom::bench::Better::less);
}

void table(double gap) {
  fmt::print("\nEvery pair at the gap {} m [us], c: closed form\n", gap);
  for (const carom::PairFunction& pair : carom::all_pairs()) {
    if (!carom::is_solid(pair.kind_a) || !carom::is_solid(pair.kind_b) || pair.kind_a > pair.kind_b) continue;
    const std::vector<Placed> pairs = pairs_at(pair.kind_a, pair.kind_b, gap);
    const auto work = [&](std::size_t i) {
      return pair.proximity(pairs[i].a, pairs[i].pose_a, pairs[i].b, pairs[i].pose_b).distance;
    };
    const auto general =
        static_cast<Proximity (*)(const Shape&, const Pose&, const Shape&, const Pose&)>(carom::convex_proximity);
    const double taken = microseconds(
        kPairs, [] {}, work);
    const std::string_view name_a = carom::shape_name(pair.kind_a), name_b = carom::shape_name(pair.kind_b);
    fmt::print("{:>14} {:<14} {:8.2f}{}\n", name_a, name_b, taken, pair.proximity == general ? "" : " c");
    carom::bench::tell(fmt::format("{} and {}, gap {} m", name_a, name_b, gap), taken, "µs",
                       carom::bench::Better::less);
  }
}

}  // namespace

int main(int count, char** words) {
  carom::bench::begin("distance", count, words);
  fmt::print("Two polyhedra of 20 vertices, size 1 m [us]\n{:>10} {:>12} {:>12}\n", "gap [m]", "from scratch",
             "from a hint");
  for (const double gap : {1.0, 0.1, 1e-3, 1e-9, -1e-3, -0.1}) polyhedra(gap);
  table(0.1);
  table(-1e-3);
  return 0;
}
