#include "viewing/page.h"

#ifdef CAROM_VIEWER_PAGE

// The assembler takes the file as it is, which costs the compiler nothing.
// NOLINTNEXTLINE(hicpp-no-assembler)
asm(".pushsection .rodata\n"
    ".globl carom_viewer_page_begin\n"
    ".globl carom_viewer_page_end\n"
    "carom_viewer_page_begin:\n"
    ".incbin \"" CAROM_VIEWER_PAGE
    "\"\n"
    "carom_viewer_page_end:\n"
    ".byte 0\n"
    ".popsection\n");

// NOLINTBEGIN(readability-identifier-naming): names of the assembler above
extern "C" {
extern const char carom_viewer_page_begin[];
extern const char carom_viewer_page_end[];
}
// NOLINTEND(readability-identifier-naming)

namespace carom::app {

std::string_view viewer_page() {
  return {carom_viewer_page_begin, carom_viewer_page_end};
}

}  // namespace carom::app

#else

namespace carom::app {

std::string_view viewer_page() {
  return {};
}

}  // namespace carom::app

#endif
