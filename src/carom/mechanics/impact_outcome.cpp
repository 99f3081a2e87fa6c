#include "carom/mechanics/impact_outcome.h"

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
  }
  CAROM_ASSERT(false);
  return "separated";
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

}  // namespace carom
