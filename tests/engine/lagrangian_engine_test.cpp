#include "carom/engine/event/lagrangian_engine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "carom/base/error.h"
#include "double_pendulum.h"

namespace carom {
namespace {

constexpr double kGravity = 9.81;

struct EventNote {
  double time;
  EventKind kind;
  std::vector<int> contacts;
  std::vector<double> impulses;
  int round;
};

class Notes : public Observer {
 public:
  void sample(const State& /*state*/, const EnergyBook& book) override {
    worst = std::max(worst, std::abs(book.error()));
  }
  void event(const EventRecord& event) override {
    EventNote note{event.time, event.kind, {}, {}, event.round};
    for (const ContactRecord& contact : event.contacts) {
      EXPECT_EQ(contact.a, kNone);
      note.contacts.push_back(contact.b);
      note.impulses.push_back(contact.impulse);
    }
    events.push_back(note);
  }
  void progress(double /*time*/, long /*events*/) override {}

  [[nodiscard]] std::vector<EventNote> of(EventKind kind) const {
    std::vector<EventNote> found;
    for (const EventNote& note : events)
      if (note.kind == kind) found.push_back(note);
    return found;
  }

  std::vector<EventNote> events;
  double worst = 0.0;  // of the energy balance
};

/// A point of mass 2 above a floor, and where wanted beside a wall.
struct Point : LagrangianSystem {
  double e = 1.0;
  bool bounded = true;
  int walls = 1;
  double damping = 0.0;
  Eigen::Vector2d gravity{0.0, -kGravity};

  [[nodiscard]] int coordinate_count() const override { return 2; }
  void metric(const Vector&, Matrix& G) const override { G.diagonal().setConstant(2.0); }
  void force(double, const Vector&, const Vector& v, Vector& f) const override { f = 2.0 * gravity - damping * v; }
  [[nodiscard]] double potential(const Vector& q) const override { return -2.0 * gravity.dot(q); }
  [[nodiscard]] double power(double, const Vector&, const Vector& v) const override {
    return -damping * v.squaredNorm();
  }
  [[nodiscard]] int contact_count() const override { return walls; }
  void gaps(const Vector& q, Vector& g) const override {
    g[0] = q[1];
    if (walls > 1) g[1] = q[0];
  }
  void gap_rows(const Vector&, Matrix& N) const override {
    N(0, 1) = 1.0;
    if (walls > 1) N(1, 0) = 1.0;
  }
  [[nodiscard]] double restitution(int) const override { return e; }
  [[nodiscard]] std::optional<double> gap_acceleration_bound(int, double, const Vector&, const Vector&,
                                                             double) const override {
    return bounded ? std::optional<double>(gravity.norm()) : std::nullopt;
  }
};

LagrangianState state(std::initializer_list<double> q, std::initializer_list<double> v) {
  LagrangianState s;
  s.q = Eigen::Map<const Vector>(q.begin(), static_cast<Eigen::Index>(q.size()));
  s.v = Eigen::Map<const Vector>(v.begin(), static_cast<Eigen::Index>(v.size()));
  return s;
}

LagrangianResult simulate(const LagrangianSystem& system, const LagrangianState& initial, Observer& observer,
                          const LagrangianOptions& options) {
  LagrangianEngine engine(system, initial, options);
  return engine.run(&observer);
}

TEST(LagrangianEngine, AnElasticPointBouncesAtTheKnownTimes) {
  for (const bool bounded : {true, false}) {
    Point point;
    point.bounded = bounded;
    Notes notes;
    const LagrangianResult result = simulate(point, state({0.0, 1.0}, {0.5, 0.0}), notes, {.duration = 90.0});
    EXPECT_EQ(result.run.stop, RunStop::duration);
    EXPECT_EQ(result.run.guarantee, bounded ? Guarantee::bounded : Guarantee::sampled);
    const double fall = std::sqrt(2.0 / kGravity);
    ASSERT_EQ(notes.events.size(), 100u);
    for (std::size_t k = 0; k < notes.events.size(); ++k)
      EXPECT_NEAR(notes.events[k].time, (2.0 * static_cast<double>(k) + 1.0) * fall, 2e-12) << k;
    EXPECT_NEAR(result.state.q[0], 45.0, 1e-12);
    EXPECT_EQ(result.state.time, 90.0);
    EXPECT_LT(std::abs(result.run.energy.error()), 1e-12);
    EXPECT_LT(std::abs(result.run.energy.dissipated()), 1e-12);
  }
}

TEST(LagrangianEngine, BouncesWithRestitutionEndWhereTheSeriesEnds) {
  for (const bool bounded : {true, false}) {
    Point point;
    point.e = 0.9;
    point.bounded = bounded;
    Notes notes;
    const LagrangianResult result = simulate(point, state({0.0, 1.0}, {0.5, 0.0}), notes, {.duration = 12.0});
    const auto impacts = notes.of(EventKind::impact);
    EXPECT_NEAR(impacts[0].time, 0.451523641, 1e-9);
    EXPECT_NEAR(impacts[1].time, 1.264266, 1e-6);
    EXPECT_GT(impacts.size(), 80u);
    EXPECT_LT(impacts.size(), 200u);
    const auto rests = notes.of(EventKind::rest);
    ASSERT_EQ(rests.size(), 1u);
    // The gap is known to 2e-16, so the time of the last bounces, at 4e-5 m/s, to 5e-12.
    EXPECT_NEAR(rests[0].time, std::sqrt(2.0 / kGravity) * 1.9 / 0.1, 2e-11);
    EXPECT_NEAR(rests[0].time, 8.578949179, 1e-9);
    EXPECT_EQ(rests[0].contacts, std::vector<int>{0});
    EXPECT_TRUE(notes.of(EventKind::release).empty());
    EXPECT_NEAR(result.state.q[0], 6.0, 1e-12);  // slides on
    EXPECT_NEAR(result.state.q[1], 0.0, 1e-15);
    EXPECT_EQ(result.state.v[1], 0.0);
    EXPECT_LT(std::abs(result.run.energy.error()), 1e-12);
    EXPECT_NEAR(result.run.energy.dissipated(), 2.0 * kGravity, 1e-12);
    EXPECT_LT(std::abs(result.run.energy.cut_off), 1e-8);
  }
}

TEST(LagrangianEngine, APlasticContactPersistsAtOnceAndAStopAtRestEndsTheRun) {
  Point point;
  point.e = 0.0;
  Notes notes;
  const LagrangianResult result =
      simulate(point, state({0.0, 1.0}, {0.0, 0.0}), notes, {.duration = 5.0, .stop_at_rest = true});
  EXPECT_EQ(result.run.stop, RunStop::at_rest);
  EXPECT_NEAR(result.state.time, std::sqrt(2.0 / kGravity), 1e-14);
  ASSERT_EQ(notes.events.size(), 2u);
  EXPECT_EQ(notes.events[1].kind, EventKind::contact_start);
}

TEST(LagrangianEngine, BooksWhatDampersTake) {
  Point point;
  point.damping = 0.5;
  point.e = 0.8;
  Notes notes;
  const LagrangianResult result =
      simulate(point, state({0.0, 1.0}, {3.0, 0.0}), notes, {.duration = 2.0, .output_step = 0.01});
  EXPECT_LT(notes.worst, 1e-12);
  EXPECT_GT(result.run.energy.damping, 1.0);
  EXPECT_GT(result.run.energy.impacts, 1.0);
  EXPECT_NEAR(result.state.q[0], 3.0 / 0.25 * (1.0 - std::exp(-0.25 * 2.0)), 1e-12);
}

TEST(LagrangianEngine, TwoWallsAtOnceAreOneProblem) {
  // Along the bisector into the corner; and both walls persist under a pull into it when plastic.
  Point point;
  point.walls = 2;
  point.gravity = {0.0, 0.0};
  Notes notes;
  simulate(point, state({1.0, 1.0}, {-1.0, -1.0}), notes, {.duration = 1.5});
  ASSERT_EQ(notes.events.size(), 1u);
  EXPECT_NEAR(notes.events[0].time, 1.0, 1e-14);
  EXPECT_EQ(notes.events[0].contacts, (std::vector<int>{0, 1}));
  EXPECT_NEAR(notes.events[0].impulses[0], 4.0, 1e-13);

  Notes plastic_notes;
  point.e = 0.0;
  point.gravity = {-1.0, -2.0};
  const LagrangianResult result = simulate(point, state({0.0, 0.0}, {0.0, 0.0}), plastic_notes, {.duration = 3600.0});
  ASSERT_EQ(plastic_notes.events.size(), 1u);
  EXPECT_EQ(plastic_notes.events[0].kind, EventKind::contact_start);
  EXPECT_EQ(plastic_notes.events[0].time, 0.0);
  EXPECT_EQ(result.state.q.norm(), 0.0);
}

/// A pendulum of length 1 that hits a wall at angle `wall` (gap θ − wall ≥ 0).
struct Pendulum : LagrangianSystem {
  double wall = 0.0;
  [[nodiscard]] int coordinate_count() const override { return 1; }
  void metric(const Vector&, Matrix& G) const override { G(0, 0) = 1.0; }
  void force(double, const Vector& q, const Vector&, Vector& f) const override { f[0] = -std::sin(q[0]); }
  [[nodiscard]] double potential(const Vector& q) const override { return -std::cos(q[0]); }
  [[nodiscard]] int contact_count() const override { return 1; }
  void gaps(const Vector& q, Vector& g) const override { g[0] = q[0] - wall; }
  void gap_rows(const Vector&, Matrix& N) const override { N(0, 0) = 1.0; }
};

TEST(LagrangianEngine, APendulumMeetsAWallAtItsLowestPointEveryHalfPeriod) {
  const double amplitude = 2.0;
  const Pendulum pendulum;
  Notes notes;
  const LagrangianResult result = simulate(pendulum, state({amplitude}, {0.0}), notes, {.duration = 1000.0});
  const double quarter = std::comp_ellint_1(std::sin(0.5 * amplitude));
  ASSERT_GT(notes.events.size(), 100u);
  for (std::size_t k = 0; k < notes.events.size(); ++k)
    EXPECT_NEAR(notes.events[k].time, quarter * (2.0 * static_cast<double>(k) + 1.0), 1e-11) << k;
  EXPECT_LT(std::abs(result.run.energy.error()), 1e-13);
}

/// A bead on top of a smooth circle of radius 1, free in the plane: gap |q| − 1.
struct Bead : LagrangianSystem {
  bool exact_bias = false;
  [[nodiscard]] int coordinate_count() const override { return 2; }
  void metric(const Vector&, Matrix& G) const override { G.setIdentity(); }
  void force(double, const Vector&, const Vector&, Vector& f) const override { f[1] = -kGravity; }
  [[nodiscard]] double potential(const Vector& q) const override { return kGravity * q[1]; }
  [[nodiscard]] int contact_count() const override { return 1; }
  void gaps(const Vector& q, Vector& g) const override { g[0] = q.norm() - 1.0; }
  void gap_rows(const Vector& q, Matrix& N) const override { N.row(0) = q.transpose() / q.norm(); }
  void gap_bias(const Vector& q, const Vector& v, Vector& bias) const override {
    if (!exact_bias) return LagrangianSystem::gap_bias(q, v, bias);
    const double r = q.norm();
    bias[0] = (v.squaredNorm() - std::pow(q.dot(v) / r, 2)) / r;
  }
};

TEST(LagrangianEngine, ABeadSlidesOffACircleAtTwoThirds) {
  const double start = 0.01;
  for (const bool exact : {true, false}) {
    Bead bead;
    bead.exact_bias = exact;
    Notes notes;
    std::vector<LagrangianState> states;
    LagrangianOptions options{.duration = 3.0, .output_step = 0.01};
    options.on_sample = [&](const LagrangianState& s, const EnergyBook&) { states.push_back(s); };
    const LagrangianResult result =
        simulate(bead, state({std::sin(start), std::cos(start)}, {0.0, 0.0}), notes, options);
    ASSERT_EQ(notes.events.size(), 2u);
    EXPECT_EQ(notes.events[0].kind, EventKind::contact_start);
    EXPECT_EQ(notes.events[1].kind, EventKind::release);
    EXPECT_LT(notes.worst, 1e-12);
    EXPECT_EQ(result.run.contacts_opened, 1);
    // Afterwards it falls: the parabola, followed back to |q| = 1, touches the circle at cos θ = ⅔ cos θ₀.
    const double t = notes.events[1].time - result.state.time;
    const double x = result.state.q[0] + result.state.v[0] * t;
    const double y = result.state.q[1] + result.state.v[1] * t - 0.5 * kGravity * t * t;
    EXPECT_NEAR(y, 2.0 / 3.0 * std::cos(start), 1e-9);
    EXPECT_NEAR(std::hypot(x, y), 1.0, 1e-12);
    for (const LagrangianState& s : states)
      if (s.time < notes.events[1].time) {
        EXPECT_NEAR(s.q.norm(), 1.0, 1e-12);
      }
  }
}

/// A rolling disk (x, y, φ) of radius ½ and mass 1 on a rough incline along −x: y is the height above the slope.
struct Disk : LagrangianSystem {
  double slope = 0.3;
  double e = 0.0;
  [[nodiscard]] int coordinate_count() const override { return 3; }
  void metric(const Vector&, Matrix& G) const override { G.diagonal() << 1.0, 1.0, 0.5 * 0.25; }
  void force(double, const Vector&, const Vector&, Vector& f) const override {
    f[0] = kGravity * std::sin(slope);
    f[1] = -kGravity * std::cos(slope);
  }
  [[nodiscard]] double potential(const Vector& q) const override {
    return -kGravity * std::sin(slope) * q[0] + kGravity * std::cos(slope) * q[1];
  }
  [[nodiscard]] int contact_count() const override { return 1; }
  void gaps(const Vector& q, Vector& g) const override { g[0] = q[1] - 0.5; }
  void gap_rows(const Vector&, Matrix& N) const override { N(0, 1) = 1.0; }
  [[nodiscard]] int tangent_count(int) const override { return 1; }
  void tangent_rows(const Vector&, int, Matrix& T) const override { T.row(0) << 1.0, 0.0, -0.5; }
  [[nodiscard]] double restitution(int) const override { return e; }
};

TEST(LagrangianEngine, ARoughDiskThatLandsRollsOn) {
  Disk disk;
  Notes notes;
  const LagrangianResult result = simulate(disk, state({0.0, 0.5, 0.0}, {1.0, -1.0, 0.0}), notes, {.duration = 2.0});
  // The plastic rough impact keeps the angular momentum about the point of contact: v⁺ = 2/3 of v⁻; then ⅔ g sin α.
  EXPECT_NEAR(result.state.v[0], 2.0 / 3.0 + 2.0 / 3.0 * kGravity * std::sin(0.3) * 2.0, 1e-12);
  EXPECT_NEAR(result.state.v[2], 2.0 * result.state.v[0], 1e-12);
  EXPECT_LT(std::abs(result.run.energy.error()), 1e-12);
}

/// A point on the circle x² + y² = 1 by a persistent constraint, with a wall at x = ½.
struct Rod : LagrangianSystem {
  [[nodiscard]] int coordinate_count() const override { return 2; }
  void metric(const Vector&, Matrix& G) const override { G.setIdentity(); }
  void force(double, const Vector&, const Vector&, Vector& f) const override { f[1] = -1.0; }
  [[nodiscard]] double potential(const Vector& q) const override { return q[1]; }
  [[nodiscard]] int constraint_count() const override { return 1; }
  void constraint_rows(const Vector& q, Matrix& A) const override { A.row(0) = q.transpose(); }
  bool constraint_values(const Vector& q, Vector& values) const override {
    values[0] = 0.5 * (q.squaredNorm() - 1.0);
    return true;
  }
  [[nodiscard]] int contact_count() const override { return 1; }
  void gaps(const Vector& q, Vector& g) const override { g[0] = 0.5 - q[0]; }
  void gap_rows(const Vector&, Matrix& N) const override { N(0, 0) = -1.0; }
};

TEST(LagrangianEngine, AConstrainedPendulumIsTheSameAsOneInItsAngle) {
  Notes notes;
  const LagrangianResult result = simulate(Rod(), state({-0.8, -0.6}, {0.0, 0.0}), notes, {.duration = 200.0});
  Pendulum pendulum;
  pendulum.wall = -std::numbers::pi / 6.0;  // mirrored
  Notes other_notes;
  const LagrangianResult other =
      simulate(pendulum, state({std::atan2(0.8, 0.6)}, {0.0}), other_notes, {.duration = 200.0});
  ASSERT_GT(notes.events.size(), 30u);
  ASSERT_EQ(notes.events.size(), other_notes.events.size());
  for (std::size_t k = 0; k < notes.events.size(); ++k)
    EXPECT_NEAR(notes.events[k].time, other_notes.events[k].time, 1e-10) << k;
  EXPECT_NEAR(result.state.q.norm(), 1.0, 1e-13);
  EXPECT_NEAR(-result.state.q[0], std::sin(other.state.q[0]), 1e-9);
  EXPECT_LT(std::abs(result.run.energy.error()), 1e-12);
  EXPECT_LT(std::abs(result.run.energy.cut_off), 1e-12);
}

/// The same circle twice: the shares of the two contacts in the force are not unique.
struct TwiceTheCircle : Bead {
  [[nodiscard]] int contact_count() const override { return 2; }
  void gaps(const Vector& q, Vector& g) const override { g.setConstant(q.norm() - 1.0); }
  void gap_rows(const Vector& q, Matrix& N) const override {
    N.row(0) = q.transpose() / q.norm();
    N.row(1) = N.row(0);
  }
  void gap_bias(const Vector& q, const Vector& v, Vector& bias) const override {
    LagrangianSystem::gap_bias(q, v, bias);
  }
};

TEST(LagrangianEngine, ContactsThatShareAForceAreLetGoTogether) {
  Notes notes;
  const LagrangianResult result =
      simulate(TwiceTheCircle(), state({std::sin(0.01), std::cos(0.01)}, {0.0, 0.0}), notes, {.duration = 3.0});
  ASSERT_EQ(notes.events.size(), 2u);
  EXPECT_EQ(notes.events[1].kind, EventKind::release);
  EXPECT_EQ(notes.events[1].contacts, (std::vector<int>{0, 1}));
  Notes single_notes;
  simulate(Bead(), state({std::sin(0.01), std::cos(0.01)}, {0.0, 0.0}), single_notes, {.duration = 3.0});
  EXPECT_NEAR(notes.events[1].time, single_notes.events[1].time, 1e-9);
  EXPECT_LT(std::abs(result.run.energy.error()), 1e-12);
}

/// A unit mass between two walls that meet at the origin under an angle of 40°, the lower one along +x.
struct Wedge : LagrangianSystem {
  [[nodiscard]] int coordinate_count() const override { return 2; }
  void metric(const Vector&, Matrix& G) const override { G.setIdentity(); }
  void force(double, const Vector&, const Vector&, Vector&) const override {}
  [[nodiscard]] int contact_count() const override { return 2; }
  void gap_rows(const Vector&, Matrix& N) const override { N << 0.0, 1.0, std::sin(kAngle), -std::cos(kAngle); }
  void gaps(const Vector& q, Vector& g) const override { g << q[1], std::sin(kAngle) * q[0] - std::cos(kAngle) * q[1]; }
  static constexpr double kAngle = 40.0 * std::numbers::pi / 180.0;
};

TEST(LagrangianEngine, ALawThatLeavesSomethingApproachingIsAskedAgain) {
  Notes notes;
  const LagrangianResult result =
      simulate(Wedge(), state({1.0, 0.5}, {-2.0, -1.0}), notes, {.law = &impact_law("superposition"), .duration = 2.0});
  ASSERT_GT(notes.events.size(), 1u);
  for (std::size_t k = 0; k < notes.events.size(); ++k) {
    EXPECT_NEAR(notes.events[k].time, 0.5, 1e-14);
    EXPECT_EQ(notes.events[k].round, static_cast<int>(k));
  }
  Vector g(2);
  Wedge().gaps(result.state.q, g);
  EXPECT_GT(g.minCoeff(), 0.0);
  EXPECT_LT(std::abs(result.run.energy.error()), 1e-11);

  const LagrangianResult failed = simulate(Wedge(), state({1.0, 0.5}, {-2.0, -1.0}), notes,
                                           {.law = &impact_law("superposition"), .duration = 2.0, .max_rounds = 1});
  EXPECT_EQ(failed.run.stop, RunStop::failed);
  ASSERT_TRUE(failed.run.failure);
  EXPECT_NEAR(failed.run.failure->time, 0.5, 1e-14);
}

TEST(LagrangianEngine, ADoublePendulumBetweenWallsKeepsItsEnergy) {
  for (const bool bounded : {true, false}) {
    struct Sampled : DoublePendulum {
      bool known_bound = true;
      [[nodiscard]] std::optional<double> gap_acceleration_bound(int contact, double time, const Vector& q,
                                                                 const Vector& v, double duration) const override {
        if (!known_bound) return std::nullopt;
        return DoublePendulum::gap_acceleration_bound(contact, time, q, v, duration);
      }
    };
    Sampled pendulum;
    pendulum.known_bound = bounded;
    pendulum.half_width = 0.8;
    const LagrangianState start = state({0.3, 0.4}, {5.0, -3.0});
    Matrix G(2, 2);
    pendulum.metric(start.q, G);
    pendulum.total_energy = 0.5 * start.v.dot(G * start.v) + pendulum.potential(start.q);
    Notes notes;
    double deepest = 1.0;
    LagrangianOptions options{.duration = 200.0, .output_step = 0.01};
    options.on_sample = [&](const LagrangianState& s, const EnergyBook&) {
      Vector g(4);
      pendulum.gaps(s.q, g);
      deepest = std::min(deepest, g.minCoeff());
    };
    const LagrangianResult result = simulate(pendulum, start, notes, options);
    EXPECT_EQ(result.run.stop, RunStop::duration);
    EXPECT_EQ(result.run.guarantee, bounded ? Guarantee::bounded : Guarantee::sampled);
    EXPECT_GT(result.run.impacts, 300);
    EXPECT_LT(std::abs(result.run.energy.now.total() - result.run.energy.initial), 1e-11);
    EXPECT_LT(notes.worst, 1e-11);
    EXPECT_GT(deepest, -1e-12);
  }
}

TEST(LagrangianEngine, StopsAtTheLimitAndWhenInterrupted) {
  const Point point;
  Notes notes;
  const LagrangianResult limited =
      simulate(point, state({0.0, 1.0}, {0.0, 0.0}), notes, {.duration = 90.0, .max_events = 3});
  EXPECT_EQ(limited.run.stop, RunStop::event_limit);
  EXPECT_EQ(limited.run.impacts, 3);
  LagrangianEngine engine(point, state({0.0, 1.0}, {0.0, 0.0}), {.duration = 90.0});
  const std::atomic<bool> interrupt = true;
  EXPECT_EQ(engine.run(nullptr, &interrupt).run.stop, RunStop::interrupted);
  EXPECT_EQ(engine.run().run.stop, RunStop::duration);
}

TEST(LagrangianEngine, SamplesAtTheOutputStepsAndAtBothEnds) {
  const Point point;
  std::vector<double> times;
  LagrangianOptions options{.duration = 1.0, .output_step = 0.25};
  options.on_sample = [&](const LagrangianState& s, const EnergyBook&) { times.push_back(s.time); };
  LagrangianEngine(point, state({0.0, 1.0}, {0.0, 0.0}), options).run();
  EXPECT_EQ(times, (std::vector<double>{0.0, 0.25, 0.5, 0.75, 1.0}));
}

TEST(LagrangianEngine, RefusesBadInput) {
  const auto kind_of = [](const LagrangianSystem& system, const LagrangianState& s, const LagrangianOptions& options) {
    try {
      const LagrangianEngine engine(system, s, options);
    } catch (const InputError& error) {
      return error.kind();
    }
    return Kind::usage;
  };
  Point point;
  EXPECT_EQ(kind_of(point, state({0.0, -0.1}, {0.0, 0.0}), {}), Kind::overlap);
  EXPECT_EQ(kind_of(point, state({0.0}, {0.0, 0.0}), {}), Kind::size_mismatch);
  EXPECT_EQ(kind_of(point, state({0.0, std::nan("")}, {0.0, 0.0}), {}), Kind::not_finite);
  EXPECT_EQ(kind_of(point, state({0.0, 1.0}, {0.0, 0.0}), {.duration = -1.0}), Kind::out_of_range);
  point.e = 1.5;
  EXPECT_EQ(kind_of(point, state({0.0, 1.0}, {0.0, 0.0}), {}), Kind::out_of_range);
  EXPECT_EQ(kind_of(Rod(), state({0.9, 0.0}, {0.0, 0.0}), {}), Kind::overlap);
  EXPECT_EQ(kind_of(Rod(), state({0.0, -0.9}, {0.0, 0.0}), {}), Kind::constraint_violated);
  EXPECT_EQ(kind_of(Rod(), state({0.0, -1.0}, {0.0, 1.0}), {}), Kind::constraint_violated);
}

}  // namespace
}  // namespace carom
