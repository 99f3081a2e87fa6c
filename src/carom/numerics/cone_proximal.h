#pragma once
/// Large cone problems: a convex problem with a shifted normal, solved by proximal points and Newton's method.
///
/// With s the speeds of slip taken as known, Coulomb's law is the condition of the least of the convex function
///   ½ qᵀSq + (b + μs eₙ)·q   over the cones |π| ≤ μp, p ≥ p₀
/// (De Saxcé's shift of the normal rate); s is what the answer says in turn. The least is reached by
///   q ← argmin of that function + ½ Σ R|q − c|²,
/// first about c = 0 with R falling, so that among several q the one of least Σ|q|²/K is approached, then about the
/// last q until nothing moves. With y = c − (Sx + b + μs eₙ)/R each of these is x = P(y), P the projection on the
/// cones, and the gradient of a convex function: Newton's method with a line search always ends. Its matrix is EᵀSE +
/// R, symmetric and positive definite, where E spans what the contacts can still change: three columns where a contact
/// sticks, two where it slips, none where it is open. Contacts are ordered so that its factor stays narrow.
/// Sources: De Saxcé & Feng 1998; Cadoux 2009 (shift); Li, Sun & Toh 2018 (Newton's method on proximal points).

#include <vector>

#include "carom/numerics/cone_system.h"

namespace carom {

class ConeProximal {
 public:
  /// Solves from zero; q and u (scaled as in the system) are written. Returns whether they are a solution.
  bool solve(const ConeSystem& system, double* q, double* u);

  /// From q, which is near a solution: a few proximal points about it by Newton's method alone. Leaves the best q;
  /// returns whether its residual is below `accuracy` as a part of the scale. Whether impulses are unique is not asked.
  bool improve(const ConeSystem& system, double accuracy, double* q, double* u);

  /// The residual of the last answer, as a part of the scale.
  [[nodiscard]] double reached() const { return reached_; }

  /// Whether the modes of the last answer leave only one q.
  [[nodiscard]] bool impulses_unique() const { return unique_; }

 private:
  /// What a contact can still change: columns of E, as many as `count`, with as many entries as the contact has rows.
  struct Freedom {
    int count = 0;
    int first = 0;  ///< of its columns
    double column[3][3] = {};
  };

  void prepare(const ConeSystem& system);
  void take_centre(double& best, double* q, double* u);
  void order_contacts();
  void find_neighbours();
  bool minimise();
  bool follow_shifts();
  void number_columns();
  void following_row(int i, int k, double* row) const;
  bool factorise_following();
  void solve_following(double* right) const;
  void project();
  void put_into_cones(double* q) const;
  double merit() const;
  void multiply(const double* x, double* product) const;
  bool factorise(double shift, double threshold);
  void solve_factor(double* right) const;
  double shift_normals();
  void forget_shifts();
  void improve_shifts();
  void choose_least(double* q, double* u);

  const ConeSystem* system_ = nullptr;
  int rows_ = 0;
  int columns_ = 0;
  double regularisation_ = 0.0;
  bool unique_ = true;
  double reached_ = 0.0;
  int pairs_ = 0;  // of shifts in the history
  int single_steps_ = 0;
  double least_change_ = 0.0;
  std::vector<int> order_, place_, neighbour_, first_neighbour_, contact_of_column_, envelope_;
  std::vector<Freedom> freedom_;
  std::vector<double> weight_, shift_, centre_, x_, image_, y_, projected_, step_, step_image_, right_, trial_;
  std::vector<double> factor_, upper_, inverse_diagonal_, kept_, kept_shift_, asked_shift_, best_shift_, history_;
};

}  // namespace carom
