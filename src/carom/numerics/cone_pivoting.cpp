/// Complementary pivoting for a cone problem whose modes the iteration did not find.
///
/// With the friction disk replaced by a polygon of directions d_j (in the plane ±1, which is exact), π = Σ β_j d_j and
///   0 ≤ p − p₀ ⟂ u_n ≥ 0,   0 ≤ β_j ⟂ λ + d_j·u_t ≥ 0,   0 ≤ λ ⟂ p − Σβ_j/μ ≥ 0
/// is a linear complementarity problem with a copositive matrix, for which Lemke's method ends with a solution unless
/// impulses within the cones balance each other. Newton's method makes it exact. Every μ is finite here.
/// Sources: Stewart & Trinkle 1996; Anitescu & Potra 1997.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/numerics/cone_problem.h"
#include "carom/numerics/dense.h"

namespace carom {

namespace {

constexpr int kPivotNewtonSteps = 30;
constexpr int kPivotSweeps = 20;

/// Whether the friction of a contact is free to find its direction.
bool has_disk(const ConeContact& contact) {
  return contact.tangents > 0 && contact.friction > 0.0 && contact.direction == nullptr;
}

int facets_of(const ConeContact& contact, int facets) {
  return !has_disk(contact) ? 0 : contact.tangents == 1 ? 2 : facets;
}

/// Direction j of the polygon; in the plane +1 and −1.
void facet(const ConeContact& contact, int j, int facets, double* direction) {
  if (contact.tangents == 1) {
    direction[0] = j == 0 ? 1.0 : -1.0;
    return;
  }
  const double angle = 2.0 * std::numbers::pi * j / facets;
  direction[0] = std::cos(angle);
  direction[1] = std::sin(angle);
}

}  // namespace

bool ConeSolver::pivot(int facets, double* q, double* u) {
  // Unknowns and rows, contact by contact: p − p₀, then β_j, then λ. Row k of `rows` is the combination of rows of S
  // that unknown k is complementary to, column k of `columns` the impulses that it makes.
  const int n = system_.rows();
  int size = 0;
  for (int i = 0; i < system_.contacts(); ++i) {
    const int count = facets_of(system_.contact(i), facets);
    size += count > 0 ? count + 2 : 1;
  }
  double* matrix = dense::ensure(pivot_matrix_, static_cast<std::size_t>(size) * static_cast<std::size_t>(size) +
                                                    3 * static_cast<std::size_t>(size) * static_cast<std::size_t>(n));
  double* rows = matrix + static_cast<std::ptrdiff_t>(size) * size;
  double* columns = rows + static_cast<std::ptrdiff_t>(size) * n;
  double* images = columns + static_cast<std::ptrdiff_t>(size) * n;
  double* offset = dense::ensure(pivot_offset_, size + 2 * n);
  double* least = offset + size;
  double* rate = least + n;
  std::fill_n(matrix, static_cast<std::size_t>(size) * static_cast<std::size_t>(size), 0.0);
  std::fill_n(rows, 2 * static_cast<std::size_t>(size) * static_cast<std::size_t>(n), 0.0);
  std::fill_n(least, n, 0.0);
  int k = 0;
  for (int i = 0; i < system_.contacts(); ++i) {
    const ConeContact& contact = system_.contact(i);
    const int f = system_.first_row(i);
    least[f] = contact.least;
    rows[k * n + f] = columns[k * n + f] = 1.0;
    if (contact.direction != nullptr)
      for (int t = 0; t < contact.tangents; ++t) {
        columns[k * n + f + 1 + t] = -contact.friction * contact.direction[t];
        least[f + 1 + t] = -contact.friction * contact.least * contact.direction[t];
      }
    const int count = facets_of(contact, facets);
    const int pressure = k++;
    if (count == 0) continue;
    const int multiplier = k + count;
    const double share = 1.0 / contact.friction;
    for (int j = 0; j < count; ++j, ++k) {
      double direction[2] = {0.0, 0.0};
      facet(contact, j, facets, direction);
      for (int t = 0; t < contact.tangents; ++t) rows[k * n + f + 1 + t] = columns[k * n + f + 1 + t] = direction[t];
      matrix[k * size + multiplier] = 1.0;
      matrix[multiplier * size + k] = -share;
    }
    matrix[multiplier * size + pressure] = 1.0;
    ++k;
  }
  system_.velocities(least, rate);
  const double* s = system_.matrix();
  for (int a = 0; a < size; ++a)
    for (int i = 0; i < n; ++i)
      images[a * n + i] = dense::dot(s + static_cast<std::ptrdiff_t>(i) * n, columns + a * n, n);
  for (int a = 0; a < size; ++a) {
    for (int b = 0; b < size; ++b) matrix[a * size + b] += dense::dot(rows + a * n, images + b * n, n);
    offset[a] = dense::dot(rows + a * n, rate, n) / system_.scale();
  }
  k = 0;
  for (int i = 0; i < system_.contacts(); ++i) {
    const int count = facets_of(system_.contact(i), facets);
    if (count > 0) offset[k + count + 1] += system_.contact(i).least / system_.scale();
    k += count > 0 ? count + 2 : 1;
  }

  if (lemke_.solve(matrix, offset, size, 50L * size + 1000) != Lemke::End::solution) return false;
  std::copy_n(least, n, q);
  for (int a = 0; a < size; ++a) dense::add_scaled(lemke_.solution[a] * system_.scale(), columns + a * n, q, n);
  if (system_.newton(q, u, kPivotNewtonSteps, false)) return true;
  for (int sweep = 0; sweep < kPivotSweeps; ++sweep) system_.sweep(q);
  return system_.newton(q, u, kPivotNewtonSteps, false);
}

}  // namespace carom
