#pragma once

#include <string>

namespace carom::app {

/// Asks the desktop, where there is one, to open an address in the user's browser. Does not wait for it. False where
/// there is no desktop or it has no way to open addresses.
bool open_in_browser(const std::string& address);

}  // namespace carom::app
