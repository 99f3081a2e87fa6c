#include "carom/record/run_result.h"

#include "carom/base/assert.h"

namespace carom {

std::string_view run_stop_name(RunStop stop) {
  switch (stop) {
    case RunStop::duration: return "duration";
    case RunStop::at_rest: return "at-rest";
    case RunStop::apart: return "apart";
    case RunStop::event_limit: return "event-limit";
    case RunStop::interrupted: return "interrupted";
    case RunStop::failed: return "failed";
    case RunStop::scripted: return "scripted";
  }
  CAROM_ASSERT(false);
  return "failed";
}

std::string_view guarantee_name(Guarantee guarantee) {
  switch (guarantee) {
    case Guarantee::proven: return "proven";
    case Guarantee::bounded: return "bounded";
    case Guarantee::sampled: return "sampled";
  }
  CAROM_ASSERT(false);
  return "sampled";
}

}  // namespace carom
