#include "carom/engine/run_options.h"

#include <algorithm>

namespace carom {

std::string_view constraint_method_name(ConstraintMethod method) {
  switch (method) {
    case ConstraintMethod::lagrange: return "lagrange";
    case ConstraintMethod::baumgarte: return "baumgarte";
    case ConstraintMethod::projection: return "projection";
  }
  return "projection";
}

std::optional<ConstraintMethod> find_constraint_method(std::string_view name) {
  const auto* const found =
      std::find_if(kConstraintMethods.begin(), kConstraintMethods.end(),
                   [name](ConstraintMethod method) { return constraint_method_name(method) == name; });
  return found == kConstraintMethods.end() ? std::nullopt : std::optional(*found);
}

std::span<const RunOption> run_option_table() {
  static constexpr std::array<RunOption, 20> kTable = {{
      {"engine", &RunOptions::engine},
      {"duration", &RunOptions::duration},
      {"output_step", &RunOptions::output_step},
      {"stop_at_rest", &RunOptions::stop_at_rest},
      {"seed", &RunOptions::seed},
      {"law", &RunOptions::law},
      {"max_events", &RunOptions::max_events},
      {"contact_tolerance", &RunOptions::contact_tolerance},
      {"integration_tolerance", &RunOptions::integration_tolerance},
      {"settle_speed", &RunOptions::settle_speed},
      {"integrator", &RunOptions::integrator},
      {"rtol", &RunOptions::rtol},
      {"step", &RunOptions::step},
      {"max_step", &RunOptions::max_step},
      {"rest_speed", &RunOptions::rest_speed},
      {"constraint_method", &RunOptions::constraint_method},
      {"baumgarte_rate", &RunOptions::baumgarte_rate},
      {"clusters", &RunOptions::clusters},
      {"event_location", &RunOptions::event_location},
      {"settle", &RunOptions::settle},
  }};
  return kTable;
}

}  // namespace carom
