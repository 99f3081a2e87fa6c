#include "carom/mechanics/impact_outcome.h"

#include <algorithm>
#include <cmath>
#include "carom/base/assert.h"

namespace carom {

namespace {

struct FlagText {
  Flag flag;
  std::string_view name;
  std::string_view meaning;
};

constexpr FlagText kFlagTexts[] = {
    {Flag::energy_created, "energy-created", "the contacts gave out more energy than they took in"},
    {Flag::still_approaching, "still-approaching", "a contact is still approaching after the law has finished"},
    {Flag::negative_impulse, "negative-impulse", "a contact had to pull"},
    {Flag::order_dependent, "order-dependent", "the outcome depends on the order in which contacts are taken"},
    {Flag::roundoff_dependent, "roundoff-dependent", "inputs moved by a few ulp give another outcome"},
    {Flag::parallel_contacts_merged, "parallel-contacts-merged", "contacts of the same direction were taken as one"},
    {Flag::contact_fixed_by_constraint, "contact-fixed-by-constraint",
     "a contact cannot move because the persistent constraints fix its normal; it took no part"},
    {Flag::support_would_open, "support-would-open", "a support among the persistent constraints had to pull"},
    {Flag::impulses_not_unique, "impulses-not-unique",
     "other impulses would do as well; those of least weighted square are shown"},
    {Flag::rank_ambiguous, "rank-ambiguous", "rows are so nearly dependent that the rank is a matter of round-off"},
    {Flag::energy_condition_violated, "energy-condition-violated",
     "these restitutions can create energy for some approach (M − E M E is not positive semidefinite)"},
    {Flag::outcome_not_unique, "outcome-not-unique", "the law allows other velocities after this impact"},
    {Flag::wedged, "wedged", "contacts at rest hold each other by friction; their impulses are not determined"},
    {Flag::tangent_rows_not_orthogonal, "tangent-rows-not-orthogonal",
     "the two tangents of a contact are not orthonormal, so its friction disk is an ellipse"},
    {Flag::painleve_jam, "painleve-jam",
     "a contact that does not approach slides so that friction would drive it in (Painlevé); no impact was begun"},
    {Flag::impact_without_collision, "impact-without-collision",
     "nothing approached: friction at a sliding contact demanded an impact (Painlevé)"},
    {Flag::painleve_inconsistent, "painleve-inconsistent", "no finite force keeps a sliding contact closed (Painlevé)"},
    {Flag::painleve_indeterminate, "painleve-indeterminate",
     "a sliding contact may stay, lift off or be struck; it was let off (Painlevé)"},
    {Flag::acceleration_not_unique, "acceleration-not-unique",
     "rigid contacts leave the acceleration open; forces of least weighted square were taken"},
    {Flag::closed_by_impulses, "closed-by-impulses",
     "the law did not come to its end by itself (springs that ring, for instance); impulses ended what was left"},
    {Flag::settled, "settled", "slower than the settling speed in a pressed cluster: taken as plastic"},
    {Flag::joint_forces_not_unique, "joint-forces-not-unique",
     "joints or constraints could share their forces otherwise and move everything alike; those of least norm were "
     "taken"},
};

constexpr Flag kAllFlags[] = {
    Flag::energy_created,
    Flag::still_approaching,
    Flag::negative_impulse,
    Flag::order_dependent,
    Flag::roundoff_dependent,
    Flag::parallel_contacts_merged,
    Flag::contact_fixed_by_constraint,
    Flag::support_would_open,
    Flag::impulses_not_unique,
    Flag::rank_ambiguous,
    Flag::energy_condition_violated,
    Flag::outcome_not_unique,
    Flag::wedged,
    Flag::tangent_rows_not_orthogonal,
    Flag::painleve_jam,
    Flag::impact_without_collision,
    Flag::painleve_inconsistent,
    Flag::painleve_indeterminate,
    Flag::acceleration_not_unique,
    Flag::closed_by_impulses,
    Flag::settled,
    Flag::joint_forces_not_unique,
};

const FlagText& text_of(Flag flag) {
  for (const FlagText& text : kFlagTexts)
    if (text.flag == flag) return text;
  CAROM_ASSERT(false);
  return kFlagTexts[0];
}

}  // namespace

std::string_view stop_name(Stop stop) {
  switch (stop) {
    case Stop::separated: return "separated";
    case Stop::at_rest: return "at-rest";
    case Stop::step_limit: return "step-limit";
    case Stop::no_exit_direction: return "no-exit-direction";
    case Stop::infeasible: return "infeasible";
    case Stop::wedged: return "wedged";
  }
  CAROM_ASSERT(false);
  return "separated";
}

std::string_view friction_mode_name(FrictionMode mode) {
  switch (mode) {
    case FrictionMode::none: return "none";
    case FrictionMode::open: return "open";
    case FrictionMode::stick: return "stick";
    case FrictionMode::slip: return "slip";
    case FrictionMode::slip_positive: return "slip+";
    case FrictionMode::slip_negative: return "slip-";
  }
  CAROM_ASSERT(false);
  return "none";
}

std::span<const Flag> all_flags() {
  return kAllFlags;
}
std::string_view flag_name(Flag flag) {
  return text_of(flag).name;
}
std::string_view flag_meaning(Flag flag) {
  return text_of(flag).meaning;
}

std::size_t pressed_count(std::span<const double> impulses) {
  constexpr double kNoImpulse = 1e-12;
  double largest = 0.0;
  for (const double impulse : impulses) largest = std::max(largest, std::abs(impulse));
  return static_cast<std::size_t>(std::count_if(impulses.begin(), impulses.end(), [largest](double impulse) {
    return std::abs(impulse) > kNoImpulse * largest;
  }));
}

}  // namespace carom
