#include "carom/mechanics/contact_load.h"

#include "carom/base/assert.h"

namespace carom {

std::string_view slip_mode_name(SlipMode mode) {
  switch (mode) {
    case SlipMode::smooth: return "smooth";
    case SlipMode::stick: return "stick";
    case SlipMode::roll: return "roll";
    case SlipMode::slide: return "slide";
  }
  CAROM_ASSERT(false);
  return "";
}

}  // namespace carom
