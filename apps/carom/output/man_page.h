#pragma once
/// The manual page carom(1), made from the table of commands, in the macros of man(7).

#include <string>

namespace carom::app {

std::string man_page();

}  // namespace carom::app
