#include "output/write_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "carom/base/error.h"

namespace carom::app {

void write_file(const std::string& path, const std::string& text, std::string_view what) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  bool written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  int error = errno;
  if (file != nullptr && std::fclose(file) != 0) {
    written = false;
    error = errno;
  }
  if (written) return;
  Place place;
  place.file = path;
  throw InputError(Kind::file, place,
                   fmt::format("cannot write the {} to '{}': {}", what, path, std::generic_category().message(error)));
}

}  // namespace carom::app
