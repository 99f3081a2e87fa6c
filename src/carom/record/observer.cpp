#include "carom/record/observer.h"

#include "carom/base/assert.h"

namespace carom {

std::string_view event_kind_name(EventKind kind) {
  switch (kind) {
    case EventKind::impact: return "impact";
    case EventKind::rest: return "rest";
    case EventKind::release: return "release";
    case EventKind::contact_start: return "contact-start";
    case EventKind::contact_end: return "contact-end";
    case EventKind::swallowed: return "swallowed";
    case EventKind::slip: return "slip";
    case EventKind::stick: return "stick";
    case EventKind::scripted: return "scripted";
  }
  CAROM_ASSERT(false);
  return "impact";
}

}  // namespace carom
