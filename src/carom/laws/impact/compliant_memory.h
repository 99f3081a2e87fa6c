#pragma once
/// Memory of the law `compliant`, kept between impacts.

#include <vector>

#include "carom/laws/impact/compliant_answer.h"
#include "carom/laws/impact/compliant_contact.h"
#include "carom/laws/impact/compliant_grip.h"
#include "carom/laws/impact/compliant_stepping.h"
#include "carom/mechanics/impact_outcome.h"

namespace carom {

/// A contact was in one friction mode while its normal impulse grew from `first` to `last`.
struct CompliantStretch {
  int contact = 0;  ///< in the cluster
  FrictionMode mode = FrictionMode::none;
  double first = 0.0;
  double last = 0.0;
  bool anew = false;  ///< slip came to zero and began again
};

struct CompliantMemory {
  std::vector<double> numbers, friction_numbers, friction_state, mode_state, sources, answer_numbers;
  std::vector<CompliantContact> contacts;
  std::vector<CompliantEvent> events;
  std::vector<CompliantStretch> stretches;
  CompliantGrip grip;
  CompliantAnswer answer;
  CompliantMotion motion, motion_before;
  CompliantStepping stepping;
};

}  // namespace carom
