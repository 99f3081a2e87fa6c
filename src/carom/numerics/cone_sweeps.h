#pragma once
/// Cone problems of many contacts, to a given accuracy: projected sweeps over the blocks of neighbouring contacts,
/// extrapolated.
///
/// One sweep gives every contact in turn the impulses that it needs while all others keep theirs (projected
/// Gauss–Seidel). It costs as much as there are pairs of contacts that act on each other: in a heap each contact has
/// about ten such neighbours. A sweep is a map whose fixed points are the solutions, so that it can be extrapolated
/// (extrapolated_iteration.h). Any start will do, and every q that a sweep leaves is in the cones.
///
/// A contact without slip has the disk |π| ≤ κp + R. Where it slips although it is pressed R grows by κp, where it is
/// open R shrinks by κu_n; so it ends with u_t = 0, or open without friction, or in the limit of large μ: p = 0, u_n =
/// 0 and π against u_t. κ only says how fast. Sources: Jean 1999 (sweeps over the blocks); Anderson 1965, Walker & Ni
/// 2011 (extrapolation).

#include <vector>

#include "carom/numerics/cone_data.h"
#include "carom/numerics/extrapolated_iteration.h"

namespace carom {

class ConeSweeps {
 public:
  /// Reads the problem; q is zero, or p₀.
  void prepare(const ConeData& problem);
  /// q from and to the units of the problem, N entries.
  void read(const double* q);
  void write(double* q) const;
  /// u = S q + b of the present q, in the units of the problem.
  void write_velocities(double* u) const;

  /// Sweeps from the present q until its residual is below `accuracy`, or `most_sweeps` are done, or `patience` bring
  /// nothing; leaves the best q. Returns whether it is that good.
  bool solve(double accuracy, int most_sweeps, int patience = ExtrapolatedIteration::kPatience);
  /// Presses contacts that approach still a little more, so that none does; friction stays. Undone where the residual
  /// would rise far above what it is and `accuracy`.
  void end_approaches(double accuracy, int most_sweeps);

  /// The residual of the natural map at the present q, as a part of the scale.
  [[nodiscard]] double residual() const;

 private:
  static constexpr int kStride = 4;  ///< p, two of π, R

  struct Block {
    ConeContact contact{};
    int first = 0;           ///< of its rows in the problem
    int own = 0;             ///< its own pair
    double unit = 1.0;       ///< factor from the problem's rows
    double inertance = 1.0;  ///< largest of the tangential block
    double inverse[3] = {};  ///< of the tangential block: xx, xy, yy
    double offset[3] = {};
  };
  struct Pair {
    int other;
    double entry[9];  ///< 3×3, row-major; zero where a contact has fewer rows
  };

  void rate(const double* q, int i, double* u) const;
  double relax(double* q, int i) const;
  double relax_no_slip(const Block& block, double* q, double* u) const;
  double press(double* q, int i) const;
  [[nodiscard]] double residual_of(const double* q) const;
  [[nodiscard]] double worst_approach(const double* q) const;

  double scale_ = 0.0;
  std::vector<Block> blocks_;
  std::vector<int> first_pair_;
  std::vector<Pair> pairs_;
  std::vector<double> q_, kept_;  // kStride entries a contact
  ExtrapolatedIteration iteration_;
};

}  // namespace carom
