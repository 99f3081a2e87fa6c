#pragma once
/// One input of any bytes through everything that reads impact problems; used by the fuzz target and, over the stored
/// corpus, by the ordinary tests. Bad input must end in an InputError whose place lies inside the text.

#include <string_view>

namespace carom::fuzz {

/// Throws std::logic_error where an error is not as it must be; anything else that escapes is a finding as well.
void feed_problem_file(std::string_view bytes);

}  // namespace carom::fuzz
