#pragma once
/// One impact with the configuration frozen: what every impact law is given.
///
/// At the instant of an impact only velocities change. The problem is
///   G   (n×n, symmetric positive definite)  kinetic metric, T(v) = ½ vᵀG v
///   v⁻  (n)                                 velocity just before
///   A   (k×n, may be empty)                 persistent constraints, A v = 0 before, during and after
///   contacts i = 1…m with gap rate γᵢ = nᵢ·v + wᵢ; γᵢ < 0 approaches, γᵢ > 0 separates.
/// Superscripts ⁻ and ⁺ mean just before and just after, throughout the library.
///
/// Sign: the source paper of the geometric law [Fassino–Pasquero 2019] counts approach positive; here the gap rate
/// is used everywhere, so its rows are b = −n. docs/theory/impact-problem.md

#include <Eigen/Core>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace carom {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Some coordinates in a row.
struct CoordinateRange {
  int first = 0;
  int count = 0;
};

/// One place where bodies touch.
struct Contact {
  std::string name{};                   ///< for messages and tables; may be empty
  Vector normal{};                      ///< n, the row of the gap rate (n entries, not all zero)
  double offset = 0.0;                  ///< w: gap rate of a contact at rest against its moving wall [rate]
  Matrix tangents{};                    ///< rows of slip (t×n); Coulomb's cone needs one, or two orthonormal
  Vector tangent_offsets{};             ///< slip rate of a contact at rest (t entries, or none for zero)
  std::optional<double> restitution{};  ///< e ∈ [0,1]; none: the problem's restitution
  std::optional<double> tangential_restitution{};  ///< e_t ∈ [−1,1]; none: e under `rough`, 0 under `newton`
  double stiffness = 1.0;  ///< K > 0, relative; laws `compliant` and `poisson` (singular inertance)
  double friction = 0.0;   ///< μ ≥ 0, Coulomb's coefficient; 0: slip meets no resistance
  bool rough = false;      ///< no slip while the contact pushes, whatever that takes; `friction` is not asked then
  std::optional<double> tangential_stiffness_ratio{};  ///< κ = K_t/K > 0, law `compliant`; none: rigid tangentially

  /// For engines, in clusters of many contacts without persistent constraints. Where one of them is not empty, normal
  /// and tangents are zero outside of them, so that nobody needs to look there. Ascending.
  std::array<CoordinateRange, 2> known{};

  [[nodiscard]] bool knows_few() const { return known[0].count > 0 || known[1].count > 0; }
  /// Calls visit(first, count) for the coordinates in which normal and tangents may be other than zero, of n.
  template <class Visit>
  void visit_known(int n, const Visit& visit) const {
    if (!knows_few()) {
      visit(0, n);
      return;
    }
    for (const CoordinateRange& range : known)
      if (range.count > 0) visit(range.first, range.count);
  }
  /// Whether slip matters to a law that knows friction.
  [[nodiscard]] bool resists_slip() const { return (rough || friction > 0.0) && tangents.rows() > 0; }
};

/// Numerical options, relative to ‖v⁻‖_G where they are speeds.
struct ImpactOptions {
  double tolerance = 1e-13;  ///< a contact approaches when −γ/√D > tolerance·‖v⁻‖_G
  double rest = 1e-12;       ///< an iteration has come to rest when the fastest approach is below rest·‖v⁻‖_G
  long max_steps = 100000;   ///< steps of an iterating law before it stops with `step-limit`
  /// For engines, in clusters of many contacts. Above zero: complementarity problems that are part of a law need not be
  /// solved better than this, relative to the speeds at hand, nor with the least impulses (lcp.h, cone_data.h); and an
  /// iteration has come to rest when the fastest approach is below it.
  double accuracy = 0.0;
  /// Above zero: law `compliant` ends by impulses once springs and approach hold less than this part of the energy of
  /// the fastest approach, or after a bounded time.
  double closing_energy = 0.0;
  std::map<std::string, double, std::less<>> by_law;  ///< options of single laws by name (flags: 0 or 1)
};

struct ImpactProblem {
  Matrix metric;          ///< G
  bool diagonal = false;  ///< whether G is known to be diagonal, so that nobody needs to look elsewhere
  Vector velocity;        ///< v⁻
  std::vector<std::string> coordinates{};  ///< what each velocity is, for people; empty: they have numbers only
  Matrix persistent;                       ///< A (k×n); 0×0 where there are none
  std::vector<int> supports;  ///< rows of A that are the gap rate of a one-sided support (may push, not pull)
  std::vector<Contact> contacts;
  double restitution = 1.0;  ///< default of all contacts: the global ε of `geometric`, μ of `rough`
  ImpactOptions options;

  [[nodiscard]] double restitution_of(const Contact& contact) const {
    return contact.restitution.value_or(restitution);
  }
  [[nodiscard]] double tangential_restitution_of(const Contact& contact) const {
    return contact.tangential_restitution.value_or(restitution_of(contact));
  }
};

/// Checks everything that can be checked without factorising: sizes, finite numbers, ranges, symmetry of G, zero
/// normals. Throws InputError naming the field and the value. Definiteness of G and A v⁻ = 0 are found while the
/// problem is prepared (contact_space.h), with errors of the same manner.
void validate(const ImpactProblem& problem);

}  // namespace carom
