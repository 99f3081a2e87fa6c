/// Law `hertz`: F = K δ^{3/2}, elastic.
///
/// Two smooth bodies of elastic material that touch in a point; small contact area, no friction between them, no waves.
/// K from materials and curvatures: contact_stiffness.h. Two bodies of reduced mass m that meet at speed v go as deep
/// as δ_max = (5mv²/4K)^{2/5} and part after 2.94327518432470 δ_max/v. With `exponent` any power law, K then given.
/// Source: Hertz, Ueber die Berührung fester elastischer Körper, J. reine angew. Math. 92, 1881.

#include "carom/laws/normal_force/common_parameters.h"
#include "carom/laws/normal_force/registry.h"

namespace carom {

namespace {

constexpr LawParameter kParameters[] = {
    {.name = "restitution",
     .default_value = 1.0,
     .low = 1.0,
     .help = "this law has no losses",
     .advice = "take the law 'exact' or 'hunt-crossley-fixed' for a smaller one"},
    normal_parameter::kExponent,
    normal_parameter::kStiffness,
};

double calibrate(const NormalInput&) {
  return 0.0;
}

NormalForce prepare(const NormalInput& input) {
  return {.stiffness = input.stiffness, .exponent = input.exponent, .damping = 0.0, .damping_exponent = input.exponent};
}

double effective_restitution(double) {
  return 1.0;
}

}  // namespace

const NormalLaw kHertzLaw{
    .name = "hertz",
    .summary = "elastic contact of smooth bodies, without losses",
    .formula = "F = K δⁿ, n = 3/2",
    .source = "Hertz, Ueber die Berührung fester elastischer Körper, J. reine angew. Math. 92, 1881",
    .parameters = kParameters,
    .check = &normal_parameter::check_exponent,
    .calibrate = &calibrate,
    .prepare = &prepare,
    .effective_restitution = &effective_restitution,
};

}  // namespace carom
