#include "carom/numerics/stepper/integrators.h"

#include <cmath>
#include <string>
#include <vector>

#include "carom/base/error.h"
#include "carom/base/nearest_name.h"
#include "carom/base/number.h"
#include "carom/numerics/stepper/adams.h"
#include "carom/numerics/stepper/dormand_prince.h"
#include "carom/numerics/stepper/dormand_prince_853_stepper.h"
#include "carom/numerics/stepper/velocity_verlet.h"

namespace carom {
namespace {

constexpr Integrator kIntegrators[] = {
    {.name = "dormand-prince",
     .summary = "Runge-Kutta pair 5(4), six evaluations a step; implicit 5(4) where contacts are stiff",
     .source = "Dormand & Prince 1980; Hairer, Norsett & Wanner, DOPRI5",
     .order = 5,
     .make = [](const StepperOptions&) -> std::unique_ptr<Stepper> { return std::make_unique<DormandPrince>(); }},
    {.name = "dormand-prince-853",
     .summary = "Runge-Kutta of order 8 for tight tolerances, twelve evaluations a step",
     .source = "Hairer, Norsett & Wanner 1993, DOP853",
     .order = 8,
     .make = [](const StepperOptions&) -> std::unique_ptr<Stepper> {
       return std::make_unique<DormandPrince853Stepper>();
     }},
    {.name = "adams",
     .summary = "Adams-Bashforth-Moulton of variable order 1 to 12, two evaluations a step",
     .source = "Shampine & Gordon 1975, STEP",
     .order = Adams::kMaxOrder,
     .step_share = 0.02,
     .make = [](const StepperOptions& options) -> std::unique_ptr<Stepper> {
       return std::make_unique<Adams>(options.max_order);
     }},
    {.name = "velocity-verlet",
     .summary = "kick-drift-kick of a fixed step, one evaluation a step",
     .source = "Swope, Andersen, Berens & Wilson 1982",
     .order = 2,
     .adaptive = false,
     .make = [](const StepperOptions& options) -> std::unique_ptr<Stepper> {
       return std::make_unique<VelocityVerlet>(options.step);
     }},
};

}  // namespace

std::span<const Integrator> integrators() {
  return kIntegrators;
}

const Integrator& integrator(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Integrator& one : kIntegrators) {
    if (one.name == name) return one;
    known.push_back(one.name);
  }
  throw InputError{Kind::unknown_name, "integrator", unknown_name_message("integrator", name, known)};
}

std::unique_ptr<Stepper> make_stepper(std::string_view name, const StepperOptions& options) {
  const Integrator& chosen = integrator(name);
  if (!chosen.adaptive && !(std::isfinite(options.step) && options.step > 0.0))
    throw InputError{
        Kind::out_of_range, "step",
        "step is " + format_number(options.step) + ", expected a number > 0 for the integrator " + std::string(name)};
  if (options.max_order < 1 || options.max_order > Adams::kMaxOrder)
    throw InputError{Kind::out_of_range, "max_order",
                     "max_order is " + std::to_string(options.max_order) + ", expected a number from 1 to 12"};
  return chosen.make(options);
}

}  // namespace carom
