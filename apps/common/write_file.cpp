#include "common/write_file.h"

#include <fmt/format.h>

#include "carom/base/error.h"
#include "carom/export/whole_file.h"

namespace carom::app {

void write_file(const std::string& path, const std::string& text, std::string_view what) try {
  WholeFile file(path);
  file.write(text);
  file.keep();
} catch (const InputError& error) {
  throw InputError(error.kind(), error.place(), fmt::format("the {} is not written: {}", what, error.what()));
}

}  // namespace carom::app
