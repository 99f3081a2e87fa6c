#pragma once

#include <string>
#include <string_view>

namespace carom::app {

/// Writes a text into a file, which it replaces. Throws InputError (file): "cannot write the `what` to …".
void write_file(const std::string& path, const std::string& text, std::string_view what);

}  // namespace carom::app
