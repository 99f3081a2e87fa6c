/// The chapter's section on the question with which the paper ends: with how many planes may an ellipsoid collide at
/// once?
///
/// Every direction has a tangent plane, so there is no bound if the planes may be chosen after the ellipsoid. Planes
/// that stand where they stand are touched at once where all gaps vanish, d_i(pose) = 0: the pose has as many
/// effective coordinates as D has greatest rank, 6 for three different axes, 5 for a spheroid (turning about its axis
/// does nothing), 3 for a sphere; that many planes in general position, and no more, can be touched at once.

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>
#include <utility>

#include "carom/geometry/pair_table.h"
#include "carom/mechanics/attitude.h"
#include "reproduce/chapters/ellipsoid_and_planes/ellipsoid_problem.h"
#include "reproduce/chapters/ellipsoid_and_planes/ellipsoid_sections.h"
#include "reproduce/decompositions.h"

namespace carom::reproduce {

using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

constexpr int kTrials = 20;
constexpr double kTouching = 1e-13;  ///< a gap that is none [m]
constexpr double kMoved = 1e-5;      ///< how far planes are moved from where they touch [m]

struct Kind {
  const char* name;
  Vector3d semi_axes;
  int coordinates;  ///< that change what is touched
};

const Kind kKinds[] = {
    {"three different axes", {1.0, 1.4, 2.0}, 6}, {"a spheroid", {1.0, 1.0, 2.0}, 5}, {"a sphere", {1.0, 1.0, 1.0}, 3}};

/// An ellipsoid of unit mass that approaches every one of random planes: their normals are all on one side.
EllipsoidCase among_planes(const Vector3d& semi_axes, int planes, Random& random) {
  EllipsoidCase made;
  made.semi_axes = semi_axes;
  made.mass = 1.0;
  made.attitude = rotation_by(3.0 * random_direction(random));
  made.velocity = -Vector3d::UnitZ();
  for (int i = 0; i < planes; ++i) {
    Vector3d normal = random_direction(random);
    while (std::abs(normal.z()) < 0.2) normal = random_direction(random);
    made.planes.push_back({.normal = normal.z() < 0.0 ? Vector3d(-normal) : normal, .restitution = 0.5});
  }
  return made;
}

/// The rank of D, relative to its greatest eigenvalue.
int rank_of(const ImpactProblem& problem) {
  const Vector values = singular_values(inertance_matrix(problem));
  return static_cast<int>((values.array() > 1e-12 * values[0]).count());
}

Item unbounded_item() {
  Random random(31);
  int most = 0;
  bool all = true;
  for (const int planes : {2, 6, 7, 20, 50, 100}) {
    const ImpactProblem impact = impact_of(among_planes(kKinds[0].semi_axes, planes, random)).value();
    all = all && static_cast<int>(impact.contacts.size()) == planes;
    most = std::max(most, static_cast<int>(impact.contacts.size()));
  }
  return {.where = "§7, last sentence",
          .claim = "with how many planar surfaces may the ellipsoid collide at once?",
          .paper = "no answer: \"the subject of our next paper\"",
          .ours = all ? fmt::format("any number: one impact on {} planes is shown", most) : "undecided",
          .difference = {},
          .tolerance = 0.0,
          .verdict = Verdict::not_reproducible,
          .note =
              "the paper leaves the question open. Every direction has a tangent plane; the event engine finds 2, "
              "6, 7, 20, 50 and 100 closed contacts at one instant"};
}

/// Least and greatest rank of D for random sets of twelve tangent planes.
std::pair<int, int> ranks(const Kind& kind) {
  Random random(32);
  std::pair<int, int> found{100, 0};
  for (int trial = 0; trial < kTrials; ++trial) {
    const int rank = rank_of(impact_of(among_planes(kind.semi_axes, 12, random)).value());
    found = {std::min(found.first, rank), std::max(found.second, rank)};
  }
  return found;
}

/// Moves tangent planes a little, each by itself, and looks for a pose that touches all of them again, by Gauss–Newton
/// steps on the gaps, whose derivatives are the rows of the impact problem. Returns the largest gap that is left [m].
double gap_left(const Vector3d& semi_axes, int planes, Random& random) {
  EllipsoidCase ellipsoid = among_planes(semi_axes, planes, random);
  std::vector<Pose> walls;
  for (const TouchedPlane& plane : ellipsoid.planes) {
    const double height = support(semi_axes, ellipsoid.attitude, plane.normal) + random.uniform(-kMoved, kMoved);
    walls.push_back(half_space_pose(plane.normal, -height * plane.normal));
  }
  Pose pose{.position = Vector3d::Zero(), .orientation = ellipsoid.attitude};
  Vector gaps(planes);
  for (int step = 0; step < 20; ++step) {
    Matrix rows(planes, 6);
    for (int i = 0; i < planes; ++i) {
      const Proximity near = proximity(Ellipsoid{semi_axes}, pose, HalfSpace{}, walls[i]);
      gaps[i] = near.distance;
      rows.row(i) << near.normal.transpose(), (near.point_a - pose.position).cross(near.normal).transpose();
    }
    const Vector move = solve_least_squares(rows, -gaps, 1e-9);
    pose.position += move.head<3>();
    pose.orientation = (rotation_by(move.tail<3>()) * pose.orientation).normalized();
  }
  return gaps.cwiseAbs().maxCoeff();
}

/// How many of the trials end with every plane touched, and the least gap that is left otherwise [m].
struct Touching {
  int successes = 0;
  double least_gap = 1.0;
};

Touching touch_again(const Kind& kind, int planes) {
  Random random(33);
  Touching found;
  for (int trial = 0; trial < kTrials; ++trial) {
    const double gap = gap_left(kind.semi_axes, planes, random);
    if (gap < kTouching) {
      ++found.successes;
    } else {
      found.least_gap = std::min(found.least_gap, gap);
    }
  }
  return found;
}

Item fixed_planes_item(const Kind& kind) {
  const Touching enough = touch_again(kind, kind.coordinates), too_many = touch_again(kind, kind.coordinates + 1);
  const auto [least_rank, greatest_rank] = ranks(kind);
  const bool as_expected = enough.successes == kTrials && too_many.successes == 0 && least_rank == kind.coordinates &&
                           greatest_rank == kind.coordinates;
  return {.where = "§7, last sentence",
          .claim = fmt::format("planes in general position that {} can touch at once", kind.name),
          .paper = "no answer",
          .ours = as_expected ? fmt::format("{}", kind.coordinates) : "undecided",
          .difference = {},
          .tolerance = 0.0,
          .verdict = Verdict::not_reproducible,
          .note = fmt::format(
              "tangent planes are each moved by up to {} m. A pose that touches all of them again is found for {} "
              "planes in {} of {} trials, for {} planes in {} (gaps of {:.0e} m and more are left). Rank of the "
              "inertance matrix of twelve tangent planes: {}",
              kMoved, kind.coordinates, enough.successes, kTrials, kind.coordinates + 1, too_many.successes,
              too_many.least_gap, greatest_rank)};
}

}  // namespace

Section ellipsoid_question_section(const Announce& announce) {
  announce("the open question");
  Section section{
      .heading = "The open question: with how many planes at once?",
      .text =
          "There is no bound if the planes may be chosen: every direction has a tangent plane, and any number of "
          "them can be hit at one instant. Planes that stand anywhere are touched at once where all gaps vanish, "
          "one condition each on the pose: **6** planes in general position for three different axes, **5** for a "
          "spheroid, **3** for a sphere. The same numbers are the greatest rank of the inertance matrix: beyond "
          "them the impulses of a coupled law are no longer unique, though the velocities may be, and the audit "
          "says so. The answer is ours; the paper has none to compare with, hence the verdict.",
      .items = {unbounded_item()},
      .figures = {ellipsoid_many_planes_figure()},
      .maps = {}};
  for (const Kind& kind : kKinds) section.items.push_back(fixed_planes_item(kind));
  return section;
}

}  // namespace carom::reproduce
