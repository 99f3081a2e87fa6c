/// The first impact of random ellipsoids among random planes, against a search by brute force.
///
/// The gap of an ellipsoid and a plane is d = n·x − δ − |S Aᵀ n|. In free flight x is a parabola and A the closed form
/// of mechanics/free_rotation.h (tested against integration of Euler's equations), so d is known at any time. It is
/// looked at every 0.2 ms; a minimum between two looks is followed to its bottom, so that short dips count.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "carom/base/random.h"
#include "carom/engine/event/event_engine.h"
#include "carom/engine/run.h"
#include "carom/mechanics/free_rotation.h"
#include "scenes/scene_run.h"

namespace carom {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kDuration = 2.0, kLook = 2e-4;

struct Case {
  Model model;
  State state;
  std::vector<Vector3d> normals;  ///< of the planes
  std::vector<double> offsets;    ///< δ
};

Vector3d random_vector(Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

Case random_case(Random& random) {
  Case made;
  const Vector3d axes{random.uniform(0.3, 1.5), random.uniform(0.3, 1.5), random.uniform(0.3, 1.5)};
  made.model.bodies = {homogeneous_body("ellipsoid", Ellipsoid{axes}, random.uniform(0.5, 5.0))};
  if (random.integer(0, 1) == 1) made.model.gravity = random_vector(random, 9.81);
  BodyState body;
  body.orientation =
      Quaterniond{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}
          .normalized();
  body.velocity = random_vector(random, 2.0);
  body.angular_velocity = random_vector(random, 6.0);
  made.state.bodies = {body};
  for (int count = random.integer(1, 4); count > 0; --count) {
    const Vector3d normal = random_vector(random, 1.0).normalized();
    const double distance = random.uniform(1.6, 3.0);
    Obstacle plane;
    plane.name = std::to_string(count);
    plane.pose.orientation = Quaterniond::FromTwoVectors(Vector3d::UnitZ(), normal);
    plane.pose.position = -distance * normal;
    made.model.obstacles.push_back(plane);
    made.normals.push_back(plane.pose.orientation * Vector3d::UnitZ());
    made.offsets.push_back(-distance * made.normals.back().dot(normal));
  }
  return made;
}

class Flight {
 public:
  explicit Flight(const Case& scene)
      : scene_(scene),
        axes_(std::get<Ellipsoid>(scene.model.bodies[0].parts[0].shape).semi_axes),
        rotation_(scene.model.bodies[0].inertia,
                  {scene.state.bodies[0].orientation,
                   scene.state.bodies[0].orientation.conjugate() * scene.state.bodies[0].angular_velocity}) {}

  [[nodiscard]] double gap(std::size_t plane, double time) const {
    const BodyState& start = scene_.state.bodies[0];
    const Vector3d centre = start.position + time * (start.velocity + 0.5 * time * scene_.model.gravity);
    const Vector3d& normal = scene_.normals[plane];
    const Vector3d seen = rotation_.at(time).attitude.conjugate() * normal;
    return normal.dot(centre) - scene_.offsets[plane] - axes_.cwiseProduct(seen).norm();
  }

  /// The first instant at which a gap closes.
  [[nodiscard]] std::optional<double> first_contact() const {
    std::optional<double> first;
    for (std::size_t plane = 0; plane < scene_.normals.size(); ++plane) {
      const std::optional<double> found = first_contact(plane);
      if (found && (!first || *found < *first)) first = found;
    }
    return first;
  }

 private:
  [[nodiscard]] std::optional<double> first_contact(std::size_t plane) const {
    double before = gap(plane, 0.0), now = before;
    for (double time = kLook; time <= kDuration + kLook; time += kLook) {
      const double next = gap(plane, time);
      double low = next, low_time = time;
      if (before >= now && now <= next) {
        low_time = bottom(plane, time - 2 * kLook, time);
        low = gap(plane, low_time);
      }
      if (low < 0.0) return root(plane, std::max(0.0, low_time - 2 * kLook), low_time);
      before = now;
      now = next;
    }
    return std::nullopt;
  }

  [[nodiscard]] double root(std::size_t plane, double open, double closed) const {
    while (gap(plane, open) < 0.0) open = std::max(0.0, open - kLook);
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (open + closed);
      (gap(plane, middle) > 0.0 ? open : closed) = middle;
    }
    return closed;
  }

  /// By golden section.
  [[nodiscard]] double bottom(std::size_t plane, double left, double right) const {
    const double part = 0.5 * (std::sqrt(5.0) - 1.0);
    left = std::max(left, 0.0);
    for (int i = 0; i < 40; ++i) {
      const double a = right - part * (right - left), b = left + part * (right - left);
      if (gap(plane, a) < gap(plane, b)) {
        right = b;
      } else {
        left = a;
      }
    }
    return 0.5 * (left + right);
  }

  const Case& scene_;
  Vector3d axes_;
  FreeRotation rotation_;
};

class FirstEvent final : public Observer {
 public:
  void sample(const State&, const EnergyBook&) override {}
  void event(const EventRecord& event) override {
    if (time) return;
    time = event.time;
    rate = event.contacts.front().rate_before;
  }
  void progress(double, long) override {}

  std::optional<double> time;
  double rate = 0.0;
};

TEST(RandomEllipsoids, FirstImpactIsWhereBruteForceFindsIt) {
  Random random(20);
  int hits = 0;
  const int cases = test::quick() ? 15 : 150;
  for (int i = 0; i < cases; ++i) {
    SCOPED_TRACE(i);
    const Case scene = random_case(random);
    EventOptions options;
    options.duration = kDuration;
    options.max_events = 1;
    FirstEvent seen;
    const RunResult result = run_to_end(
        std::make_unique<EventEngine>(std::make_shared<Model>(scene.model), scene.state, options), {}, &seen);
    EXPECT_EQ(result.guarantee, Guarantee::proven);
    const std::optional<double> expected = Flight(scene).first_contact();
    const bool hit = expected && *expected <= kDuration;
    ASSERT_EQ(hit, seen.time.has_value());
    if (!hit) continue;
    ++hits;
    // The gap is known to about 1e-14 m, the instant to that over the rate.
    EXPECT_NEAR(*seen.time, *expected, std::max(1e-12, 1e-13 / std::abs(seen.rate)));
  }
  EXPECT_GE(hits, cases / 3);
}

}  // namespace
}  // namespace carom
