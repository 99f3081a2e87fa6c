#pragma once
/// What an impact law is: a name, its parameters, what it promises, and a function from contact space to impulses.
///
/// A law sees normalised quantities only (law_run.h): γ̂⁻, ρ, e, K in, impulses p̂ out. Everything else (reading the
/// problem, the velocities, the audit) is the same for all laws and stands in impact_solver.h.
/// To add a law: one file beside this one that defines an ImpactLaw, and one line in registry.cpp. CONTRIBUTING.md

#include <span>
#include <string_view>

#include "carom/mechanics/law_parameters.h"

namespace carom {

/// What a law claims about its outcomes; the contract test holds it to that.
enum class Promise {
  none,                     ///< not promised
  when_all_approach,        ///< provided that every contact of the problem approaches
  when_restitutions_equal,  ///< provided that all contacts, normals and tangents, have the same restitution
  with_default_options,     ///< provided that the options of the law are left as they are
  always,
};

struct Promises {
  Promise no_energy_created = Promise::none;
  Promise pushes_only = Promise::none;                      ///< all normal impulses ≥ 0
  Promise separates = Promise::none;                        ///< nothing approaches at the end
  Promise no_energy_created_with_friction = Promise::none;  ///< of laws that know friction
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
  bool tangents = false;        ///< uses all tangent rows, without limit (the law `rough`)
  bool friction = false;        ///< knows Coulomb's cone and contacts that do not slip; other laws take no tangents
  bool single_contact = false;  ///< answers one contact only
  /// Answers a single contact in its own way; all laws of the library agree on γ⁺ = −eγ⁻ where it is smooth, and those
  /// that know friction on the projector of `rough` where it does not slip.
  bool own_single_contact = false;
  bool one_outcome = false;  ///< has no cone problems of several solutions: never looks at LawRun::choices

  /// Whether a lone contact that does not slip is left to it, instead of to the law `rough`.
  [[nodiscard]] constexpr bool answers_lone_rough_contact() const {
    return tangents || (friction && own_single_contact);
  }
};

struct LawRun;

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
