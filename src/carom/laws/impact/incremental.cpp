/// Law `incremental`: one contact with Coulomb friction followed along its growing impulse (Routh; Darboux and Keller).
///
/// What slips, sticks or reverses during the impact is followed, not only its end; the option `restitution_rule` says
/// how it ends. With the energetic rule it is what `compliant` does with a single contact, in closed form in the plane.
/// For one contact only. The formulas: single_contact.h. Sources: Routh, Dynamics of a System of Rigid Bodies, 1905;
/// Keller, Impact with friction, 1986; Stronge, Rigid body collisions with friction, 1990.

#include <string_view>

#include "carom/laws/impact/contact_path.h"
#include "carom/laws/impact/coupled_friction.h"
#include "carom/laws/impact/registry.h"

namespace carom {

namespace {

constexpr std::string_view kRules[] = {"energetic", "kinetic", "kinematic"};
constexpr LawParameter kParameters[] = {
    {.name = "restitution_rule",
     .high = 2.0,
     .help = "what the restitution is the ratio of: work (energetic), impulse (kinetic) or rate (kinematic)",
     .choices = kRules},
};

void resolve(LawRun& run) {
  if (fastest_approach(run) <= run.approach_threshold()) return;
  run.steps = 1;
  if (run.friction == nullptr) {
    push(run, 0, -(1.0 + run.space.restitution()[0]) * run.rate[0]);
    return;
  }
  double* rates = dense::ensure(run.scratch.friction.state, run.friction->rows());
  std::copy_n(run.friction->rate_before().data(), run.friction->rows(), rates);
  const auto rule = static_cast<RestitutionRule>(static_cast<int>(run.option(kParameters[0])));
  run.follows_path = true;
  if (strike_contact(run, 0, rule, rates) && run.flags.has(Flag::wedged)) run.stop = Stop::wedged;
  if (rule != RestitutionRule::kinematic) remove_spurious_friction_energy(run);
}

}  // namespace

const ImpactLaw kIncrementalLaw{
    .name = "incremental",
    .summary = "one contact with friction, followed along its impulse: slip, stick, reversal",
    .source =
        "Routh, Dynamics of a System of Rigid Bodies, 1905; Keller, Impact with friction, 1986; Stronge, Rigid "
        "body collisions with friction, 1990",
    .promises = {Promise::always, Promise::always, Promise::always, Promise::with_default_options},
    .needs = {.friction = true, .single_contact = true},
    .parameters = kParameters,
    .order_option = {},
    .resolve = &resolve,
};

}  // namespace carom
