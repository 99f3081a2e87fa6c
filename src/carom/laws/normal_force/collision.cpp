#include "carom/laws/normal_force/collision.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/base/assert.h"
#include "carom/numerics/dormand_prince_853.h"

namespace carom {

namespace {

constexpr double kTolerance = 1e-14;
constexpr int kMaxSteps = 200000;

/// s, u and the time in units of L/v.
using Point = std::array<double, 3>;

struct Collision {
  const NormalForce& force;
  double length;      // L
  double speed;       // v
  double force_unit;  // L/(m v²)

  [[nodiscard]] double depth(double s) const { return s > 0.0 ? length * (s * s) * (s * s) : 0.0; }
  void operator()(const double* y, double* slope) const {
    const double cube = y[0] * y[0] * y[0];
    slope[0] = y[1];
    slope[1] = -4.0 * cube * force_unit * force.evaluate(depth(y[0]), speed * y[1]).force;
    slope[2] = 4.0 * cube;
  }
  [[nodiscard]] bool clamped(const Point& y) const { return force.evaluate(depth(y[0]), speed * y[1]).clamped; }
  [[nodiscard]] bool over(const Point& y) const { return y[0] <= 0.0 || clamped(y); }
};

struct CutStep {
  Point end;
  double size;
  double error;  ///< weighted: at most 1 where the step may be accepted
};

/// The last step, cut where the contact is over: by halving, each time taking the step again.
CutStep cut_step(const Collision& collision, DormandPrince853& stepper, const Point& y, double h) {
  CutStep cut{y, 0.0, 0.0};
  double high = h;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (cut.size + high);
    Point tried{};
    const double error = stepper.step(collision, y.data(), middle, tried.data(), kTolerance);
    if (collision.over(tried)) {
      high = middle;
    } else {
      cut = {tried, middle, error};
    }
  }
  return cut;
}

/// The step during which u changes sign, cut where it is zero.
Point deepest(const Collision& collision, DormandPrince853& stepper, const Point& y, double h) {
  double low = 0.0;
  double high = h;
  Point end = y;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    stepper.step(collision, y.data(), middle, end.data(), kTolerance);
    (end[1] > 0.0 ? low : high) = middle;
  }
  return end;
}

}  // namespace

CollisionOutcome two_body_collision(const NormalForce& force, const CollisionInput& input) {
  CAROM_ASSERT(force.stiffness > 0.0 && input.reduced_mass > 0.0 && input.speed > 0.0);
  const double energy = input.reduced_mass * input.speed * input.speed;
  const double length = std::pow(energy / force.stiffness, 1.0 / (force.exponent + 1.0));
  const Collision collision{force, length, input.speed, length / energy};
  DormandPrince853 stepper;
  stepper.resize(3);
  CollisionOutcome outcome;
  Point y{0.0, 1.0, 0.0};
  double h = 0.01;
  for (int step = 0; step < kMaxSteps; ++step) {
    collision(y.data(), stepper.first_slope());
    Point next{};
    const double error = stepper.step(collision, y.data(), h, next.data(), kTolerance);
    const bool over = collision.over(next);
    if (!over && !(error <= 1.0)) {
      h *= std::min(0.9, DormandPrince853::step_factor(error));
      continue;
    }
    if (over && y[1] < 0.0) {
      const CutStep cut = cut_step(collision, stepper, y, h);
      if (cut.error > 1.0) {
        h = 0.5 * cut.size;
        continue;
      }
      outcome.restitution = -cut.end[1];
      outcome.duration = cut.end[2] * length / input.speed;
      outcome.clamped = cut.end[0] > 1e-6;
      return outcome;
    }
    if (over) {
      h *= 0.5;  // the whole way in and out in one step: look closer
      continue;
    }
    if (y[1] > 0.0 && next[1] <= 0.0) outcome.greatest_depth = collision.depth(deepest(collision, stepper, y, h)[0]);
    y = next;
    h *= DormandPrince853::step_factor(error);
  }
  outcome.finished = false;
  return outcome;
}

}  // namespace carom
