#pragma once
/// A row of an island's equations: what a contact, a constraint or a joint sees of the velocities of the bodies that it
/// knows, four at most. So everything that is done with rows costs as much as there are rows, however many the bodies.

#include <algorithm>
#include <array>
#include <vector>

namespace carom::event {

struct IslandRow {
  static constexpr std::size_t kBodies = 4;

  int owner;                                   ///< contact index, or −1 for constraints
  int block = -1;                              ///< of rows that are of no contact: which joint or constraint
  bool touching;                               ///< of a contact, or of a plane that a body rolls on
  bool normal;                                 ///< a contact's normal (unilateral)
  bool equation;                               ///< holds during a step; of a sliding contact only the normal does
  bool exact_bias;                             ///< `bias` is known in closed form
  std::array<int, kBodies> slots;              ///< of the bodies, no two the same; −1 where there are fewer
  double bias;                                 ///< d/dt(row)·v + ẇ
  double rate;                                 ///< row·v + w
  double wall_rate;                            ///< w
  double driven;                               ///< part of the bias that the acceleration of a driven obstacle has
  bool motor;                                  ///< the wall is a motor
  double gap;                                  ///< residual of what it keeps; 0 where it keeps a velocity only
  double size;                                 ///< that the gap is small beside [m]
  std::array<double, 6 * kBodies> entry = {};  ///< six for each of the slots

  /// Calls visit(entry, k) for the entries that may be other than zero, k their places among the coordinates of all
  /// bodies.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t side = 0; side < kBodies; ++side) {
      if (slots[side] < 0) continue;
      const auto first = static_cast<std::size_t>(6 * slots[side]);
      for (std::size_t k = 0; k < 6; ++k) visit(entry[6 * side + k], first + k);
    }
  }
  /// row · vector
  [[nodiscard]] double along(const double* vector) const {
    double sum = 0.0;
    for_each([&](double value, std::size_t k) { sum += value * vector[k]; });
    return sum;
  }
  [[nodiscard]] double along(const std::vector<double>& vector) const { return along(vector.data()); }
  /// row · diag(weight) · rowᵀ
  [[nodiscard]] double square(const double* weight) const {
    double sum = 0.0;
    for_each([&](double value, std::size_t k) { sum += value * value * weight[k]; });
    return sum;
  }
  /// vector += factor · row
  void add_to(double* vector, double factor) const {
    for_each([&](double value, std::size_t k) { vector[k] += factor * value; });
  }

  [[nodiscard]] bool shares_body(const IslandRow& other) const {
    return std::any_of(slots.begin(), slots.end(), [&](int slot) {
      return slot >= 0 && std::find(other.slots.begin(), other.slots.end(), slot) != other.slots.end();
    });
  }
  /// row · diag(weight) · otherᵀ
  [[nodiscard]] double product(const IslandRow& other, const double* weight) const {
    double sum = 0.0;
    for (std::size_t side = 0; side < kBodies; ++side) {
      if (slots[side] < 0) continue;
      const auto found = std::find(other.slots.begin(), other.slots.end(), slots[side]);
      if (found == other.slots.end()) continue;
      const double* mine = entry.data() + 6 * side;
      const double* theirs = other.entry.data() + 6 * (found - other.slots.begin());
      const double* w = weight + 6 * slots[side];
      for (std::size_t k = 0; k < 6; ++k) sum += mine[k] * theirs[k] * w[k];
    }
    return sum;
  }
};

/// A row as two bodies see it in sweeps: its entries, and what a unit of impulse along it changes of their velocities.
struct IslandLink {
  std::array<int, 2> slot;
  std::array<double, 12> entry, change;
  double inertance;
  double softness;  ///< by how much the row gives way to a unit of impulse

  [[nodiscard]] double rate(const double* velocity) const {
    double sum = 0.0;
    for (std::size_t side = 0; side < 2; ++side) {
      if (slot[side] < 0) continue;
      const double* v = velocity + 6 * slot[side];
      const double* e = entry.data() + 6 * side;
      sum += (e[0] * v[0] + e[1] * v[1]) + (e[2] * v[2] + e[3] * v[3]) + (e[4] * v[4] + e[5] * v[5]);
    }
    return sum;
  }
  void push(double impulse, double* velocity) const {
    for (std::size_t side = 0; side < 2; ++side) {
      if (slot[side] < 0) continue;
      double* v = velocity + 6 * slot[side];
      for (std::size_t k = 0; k < 6; ++k) v[k] += impulse * change[6 * side + k];
    }
  }
};

}  // namespace carom::event
