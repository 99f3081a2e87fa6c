#pragma once
/// What an impact law is: a name, its parameters, what it promises, and a function from contact space to impulses.
///
/// A law sees normalised quantities only (contact_space.h): γ̂⁻, ρ, e, K in, impulses p̂ out. Everything else (reading
/// the problem, the velocities, the audit) is the same for all laws and stands in impact_solver.h.
/// To add a law: one file beside this one that defines an ImpactLaw, and one line in registry.cpp. CONTRIBUTING.md

#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include "carom/mechanics/contact_space.h"
#include "carom/mechanics/impact_outcome.h"
#include "carom/mechanics/law_parameters.h"
#include "carom/numerics/dormand_prince_853.h"
#include "carom/numerics/lcp.h"
#include "carom/numerics/row_space.h"

namespace carom {

/// What a law claims about its outcomes; the contract test holds it to that.
enum class Promise {
  none,                     ///< not promised
  when_all_approach,        ///< provided that every contact of the problem approaches
  when_restitutions_equal,  ///< provided that all contacts, normals and tangents, have the same restitution
  always,
};

struct Promises {
  Promise no_energy_created = Promise::none;
  Promise pushes_only = Promise::none;  ///< all normal impulses ≥ 0
  Promise separates = Promise::none;    ///< nothing approaches at the end
};

/// Which of the closed contacts of an instant an engine hands to the law. A problem that a user poses is taken as it
/// stands.
enum class TakesContacts {
  all,
  not_separating,  ///< a contact that separates already would spoil the outcome
  approaching,     ///< only these take part; listing the others changes nothing
};

/// What an engine must know of a law before it asks it.
struct LawNeeds {
  TakesContacts takes = TakesContacts::all;
  bool tangents = false;  ///< uses the tangent rows of rough contacts; other laws take every contact as smooth
};

/// Memory of the laws, kept between impacts so that a reused solver does not allocate.
struct LawScratch {
  LcpSolver lcp;
  LeastImpulse least_impulse;
  RowSpace row_space;
  dense::PivotedCholesky cholesky;
  DormandPrince853 stepper;
  std::vector<double> real[8];
  std::vector<int> index[3];
  std::vector<char> mark[2];
};

/// One run of a law: the problem in contact space, and what the law writes.
struct LawRun {
  const ImpactProblem& problem;
  const ContactSpace& space;
  LawScratch& scratch;

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

  [[nodiscard]] int contacts() const { return space.movable(); }
  /// A contact approaches when −γ̂ is above this.
  [[nodiscard]] double approach_threshold() const { return problem.options.tolerance * space.reference_speed(); }
  /// The value of a law's own option, or its default.
  [[nodiscard]] double option(const LawParameter& parameter) const {
    const auto found = problem.options.by_law.find(parameter.name);
    return found == problem.options.by_law.end() ? parameter.default_value : found->second;
  }
};

struct ImpactLaw {
  std::string_view name;
  std::string_view summary;  ///< one line
  std::string_view source;   ///< citation
  Promises promises;
  LawNeeds needs;
  std::span<const LawParameter> parameters;  ///< given under `options` of a problem
  /// A flag among the parameters that reverses the order in which contacts are taken, for the audit; may be empty.
  std::string_view order_option;
  void (*resolve)(LawRun& run);

  /// Whether something may approach still after the law has finished, so that an engine has to ask again.
  [[nodiscard]] constexpr bool may_leave_approaching() const { return promises.separates != Promise::always; }
};

}  // namespace carom
