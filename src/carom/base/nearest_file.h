#pragma once
/// Which file did the user mean? For messages about one that does not exist.

#include <string>

namespace carom {

/// "; did you mean 'scenes/cradle.toml'?" for `scenes/cradel.toml`, also where the folder is misspelt; empty where
/// nothing near exists. What is near: nearest_name.h.
std::string nearest_file_hint(const std::string& path);

}  // namespace carom
