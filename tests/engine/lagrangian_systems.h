#pragma once
/// Small systems with known motions, and an observer that keeps what it is told.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "carom/engine/lagrangian/lagrangian_engine.h"

namespace carom::test {

inline constexpr double kGravity = 9.81;

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

/// A point on the circle x² + y² = 1 by a persistent constraint, with a wall at x = ½.
struct HeldRod : LagrangianSystem {
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

/// A block (x, y, φ) of mass 1 that falls on a floor; contacts are its four corners.
struct Block : LagrangianSystem {
  double e = 0.5;
  bool rough = false;
  static constexpr double kHalfWidth = 0.5;
  static constexpr double kHalfHeight = 0.3;
  static constexpr double kInertia = (kHalfWidth * kHalfWidth + kHalfHeight * kHalfHeight) / 3.0;

  static Eigen::Vector2d corner(int i, double angle) {
    const double x = i % 2 == 0 ? -kHalfWidth : kHalfWidth;
    const double y = i < 2 ? -kHalfHeight : kHalfHeight;
    return {std::cos(angle) * x - std::sin(angle) * y, std::sin(angle) * x + std::cos(angle) * y};
  }
  [[nodiscard]] int coordinate_count() const override { return 3; }
  void metric(const Vector&, Matrix& G) const override { G.diagonal() << 1.0, 1.0, kInertia; }
  void force(double, const Vector&, const Vector&, Vector& f) const override { f[1] = -kGravity; }
  [[nodiscard]] double potential(const Vector& q) const override { return kGravity * q[1]; }
  [[nodiscard]] int contact_count() const override { return 4; }
  void gaps(const Vector& q, Vector& g) const override {
    for (int i = 0; i < 4; ++i) g[i] = q[1] + corner(i, q[2]).y();
  }
  void gap_rows(const Vector& q, Matrix& N) const override {
    for (int i = 0; i < 4; ++i) N.row(i) << 0.0, 1.0, corner(i, q[2]).x();
  }
  [[nodiscard]] double restitution(int) const override { return e; }
  [[nodiscard]] int tangent_count(int) const override { return rough ? 1 : 0; }
  void tangent_rows(const Vector& q, int i, Matrix& T) const override { T.row(0) << 1.0, 0.0, -corner(i, q[2]).y(); }
};

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

inline LagrangianState state(std::initializer_list<double> q, std::initializer_list<double> v) {
  LagrangianState s;
  s.q = Eigen::Map<const Vector>(q.begin(), static_cast<Eigen::Index>(q.size()));
  s.v = Eigen::Map<const Vector>(v.begin(), static_cast<Eigen::Index>(v.size()));
  return s;
}

inline LagrangianResult simulate(const LagrangianSystem& system, const LagrangianState& initial, Observer& observer,
                                 const LagrangianOptions& options) {
  LagrangianEngine engine(system, initial, options);
  return engine.run(&observer);
}

}  // namespace carom::test
