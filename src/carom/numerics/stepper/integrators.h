#pragma once
/// The integrators by name. From a line here follow its name in scenes and its contract test.

#include <memory>
#include <span>
#include <string_view>

#include "carom/numerics/stepper/stepper.h"

namespace carom {

struct StepperOptions {
  double step = 0.0;   ///< size of the steps of a method without step control [s], > 0 there
  int max_order = 12;  ///< highest order of a method of variable order, 1 to 12
};

struct Integrator {
  std::string_view name;
  std::string_view summary;
  std::string_view source;
  int order = 0;         ///< of variable order: the highest
  bool adaptive = true;  ///< estimates its error; otherwise it needs StepperOptions::step
  /// Part of a tolerance that is to be asked of one step, so that whole collisions come out about alike: methods that
  /// take many short steps, or start anew at low order, add their errors up.
  double step_share = 1.0;
  std::unique_ptr<Stepper> (*make)(const StepperOptions& options) = nullptr;
};

/// Every integrator, the default first.
std::span<const Integrator> integrators();

/// The integrator of that name. Throws InputError (unknown-name) with the nearest known one.
const Integrator& integrator(std::string_view name);

/// A stepper of that name. Throws InputError for an unknown name or an option out of range.
std::unique_ptr<Stepper> make_stepper(std::string_view name, const StepperOptions& options = {});

}  // namespace carom
