#pragma once
/// What a friction law is: a name, its parameters, and how to prepare the friction of a contact.
///
/// In a scene: friction = { law = "ambrosio", coefficient = 0.2, v0 = 1e-4, v1 = 1e-3, rolling = 0.01 } in a [[pair]].
/// The parameters of rolling and spinning resistance may stand beside those of any law.
/// To add a law: a kind and its formula in friction.h, one file beside this one that defines a FrictionLaw, and one
/// line in registry.cpp.

#include <span>
#include <string_view>

#include "carom/laws/friction/friction.h"
#include "carom/laws/friction/resistance.h"
#include "carom/mechanics/law_parameters.h"

namespace carom {

struct FrictionLaw {
  std::string_view name;
  std::string_view summary;  ///< one line
  std::string_view formula;
  std::string_view source;  ///< citation
  std::span<const LawParameter> parameters;
  /// The force has a history that the engine keeps (a spring along the surface).
  bool has_history = false;

  /// Further checks of parameters whose names and ranges are right; may be null. Throws InputError.
  void (*check)(const LawPlace& place, const LawParameters& given) = nullptr;
  Friction (*prepare)(const LawParameters& given) = nullptr;
  /// The function of a law that a program brings; `prepare` gives the kind `own` then.
  const OwnFriction* own = nullptr;
};

}  // namespace carom
