#pragma once
/// One run of an impact law: what it is given, and what it writes.

#include <cmath>
#include <span>
#include <vector>

#include "carom/laws/impact/compliant_memory.h"
#include "carom/laws/impact/impact_law.h"
#include "carom/laws/impact/single_contact.h"
#include "carom/mechanics/contact_space.h"
#include "carom/mechanics/friction_space.h"
#include "carom/mechanics/impact_outcome.h"
#include "carom/numerics/cone_problem.h"
#include "carom/numerics/lcp.h"
#include "carom/numerics/row_space.h"

namespace carom {

struct OutcomeChoices;

/// Memory of the laws with friction.
struct FrictionScratch {
  std::vector<int> row, contact;
  std::vector<double> matrix, offset, least, coefficient, impulse, rate, state, velocity, start, solutions;
  std::vector<ConeContact> contacts;
  std::vector<ConeMode> modes;
};

/// Memory of the laws, kept between impacts so that a reused solver does not allocate.
struct LawScratch {
  LcpSolver lcp;
  ConeSolver cone;
  FrictionScratch friction;
  SingleContact single_contact;
  LeastImpulse least_impulse;
  RowSpace row_space;
  dense::PivotedCholesky cholesky;
  CompliantMemory compliant;
  std::vector<double> real[8];
  std::vector<int> index[3];
  std::vector<char> mark[2];
};

/// One run of a law: the problem in contact space, and what the law writes.
struct LawRun {
  const ImpactProblem& problem;
  const ContactSpace& space;
  LawScratch& scratch;
  const ImpactLaw* law = nullptr;  ///< that is asked: one that a program brings may hold more than its function

  std::span<double> impulse{};  ///< p̂ of each movable contact; zero at the start
  std::span<double> rate{};     ///< γ̂, kept up to date by laws that iterate; γ̂⁻ at the start
  long steps = 0;
  Stop stop = Stop::separated;
  double complementarity_residual = -1.0;  ///< below zero: the law has none
  Flags flags{};

  /// Laws that need tangents write the whole change of u, and the impulse of every tangent row of the problem (all
  /// contacts, in order); both are zero at the start. Otherwise u changes by Σ p̂ᵢŷᵢ.
  std::span<double> change{};
  std::span<double> tangential_impulse{};

  /// Laws with friction, where a contact resists slip (null otherwise: they take the path of smooth contacts): they
  /// write q̂ of all rows of this space in place of `impulse`, the modes at the end, and laws that follow a path the
  /// phases (contact = movable contact) and the friction work ∫f·s of each movable contact.
  const FrictionSpace* friction = nullptr;
  std::span<double> local_impulse{};  ///< q̂, zero at the start
  std::span<FrictionMode> modes{};    ///< of each movable contact
  std::vector<FrictionPhase>* phases = nullptr;
  std::span<double> friction_work{};  ///< zero at the start
  bool follows_path = false;          ///< the law sets it where it has written the friction work
  OutcomeChoices* choices = nullptr;  ///< which of several solutions to take (coupled_friction.h); null: the first

  [[nodiscard]] int contacts() const { return space.movable(); }
  /// A contact approaches when −γ̂ is above this.
  [[nodiscard]] double approach_threshold() const { return problem.options.tolerance * space.reference_speed(); }
  /// The value of a law's own option, or its default.
  [[nodiscard]] double option(const LawParameter& parameter) const {
    const auto found = problem.options.by_law.find(parameter.name);
    return found == problem.options.by_law.end() ? parameter.default_value : found->second;
  }
};

}  // namespace carom
