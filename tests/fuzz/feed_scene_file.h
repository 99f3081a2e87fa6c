#pragma once
/// One input of any bytes through everything that reads scenes; used by the fuzz target and, over the stored corpus, by
/// the ordinary tests. Bad input must end in an InputError whose place lies inside the text or the setting.

#include <string_view>

namespace carom::fuzz {

/// Lines that begin with `#set ` are given as settings. Throws std::logic_error where an error is not as it must be;
/// anything else that escapes is a finding as well.
void feed_scene_file(std::string_view bytes);

}  // namespace carom::fuzz
