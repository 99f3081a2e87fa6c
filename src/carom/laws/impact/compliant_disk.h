#pragma once
/// The force of least energy over Coulomb's disk of one contact.

#include <algorithm>
#include <cmath>

namespace carom {

/// The answer of a contact's two tangents to its own tangential forces; one tangent: c22 = 0.
struct TangentBlock {
  double c11, c12, c22;
};

/// The f of |f| ≤ radius that minimises ½fᵀCf + h·f; one tangent (c22 = 0 and h₂ = 0) or two.
inline void least_over_disk(const TangentBlock& c, const double* h, double radius, double* f) {
  // In the eigenvectors of C: fᵢ = −hᵢ/(cᵢ + λ), with λ ≥ 0 such that the length is the radius where it would be more.
  const double mean = 0.5 * (c.c11 + c.c22);
  const double half = 0.5 * (c.c11 - c.c22);
  const double root = std::hypot(half, c.c12);
  const double angle = root > 0.0 ? 0.5 * std::atan2(c.c12, half) : 0.0;
  const double cosine = std::cos(angle), sine = std::sin(angle);
  const double large = mean + root;
  const double small = std::max(mean - root, 0.0);
  const double g1 = cosine * h[0] + sine * h[1];
  const double g2 = cosine * h[1] - sine * h[0];
  const auto along = [](double g, double stiffness) { return g == 0.0 ? 0.0 : -g / stiffness; };
  const double tiny = 1e-14 * large;
  double f1 = large > 0.0 ? along(g1, large) : 0.0;
  double f2 = small > tiny ? along(g2, small) : 0.0;
  if (small <= tiny && std::isfinite(radius) && std::abs(g2) > 0.0) f2 = along(g2, 1e-300 + small);
  if (std::hypot(f1, f2) > radius) {
    // Newton's method on 1/|f| − 1/radius, which is nearly straight in λ and rises: it converges from the left.
    double lambda = 0.0;
    if (small <= tiny) lambda = std::max(0.0, std::abs(g2) / radius - small);
    for (int turn = 0; turn < 100; ++turn) {
      const double a = large + lambda, b = small + lambda;
      f1 = -g1 / a;
      f2 = b > 0.0 ? along(g2, b) : 0.0;
      const double length = std::hypot(f1, f2);
      if (!(length > radius * (1.0 + 4e-16))) break;
      const double slope = (f1 * f1 / a + (b > 0.0 ? f2 * f2 / b : 0.0)) / length;  // −d|f|/dλ
      const double step = (length - radius) / radius * length / slope;
      if (!(step > 1e-16 * (large + lambda))) break;
      lambda += step;
    }
    const double length = std::hypot(f1, f2);
    if (length > 0.0) {
      f1 *= radius / length;
      f2 *= radius / length;
    }
  }
  f[0] = cosine * f1 - sine * f2;
  f[1] = sine * f1 + cosine * f2;
}

}  // namespace carom
