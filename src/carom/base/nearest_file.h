#pragma once
/// Which file did the user mean? For messages about one that does not exist.

#include <string>

namespace carom {

/// "; did you mean 'scenes/cradle.toml'?" for `scenes/cradel.toml`, also where folders are misspelt or the file lies in
/// another folder beside or below; else "; there is no folder 'scens'" where that is so. What is near: nearest_name.h.
std::string nearest_file_hint(const std::string& path);

}  // namespace carom
