#pragma once

#include <string>
#include <string_view>

namespace carom::app {

/// Writes a text into a file, which it replaces once it is whole. Throws InputError (file): "the `what` is not written:
/// cannot write …".
void write_file(const std::string& path, const std::string& text, std::string_view what);

}  // namespace carom::app
