#pragma once

#include <string_view>

namespace carom::app {

/// The viewer: one HTML page, built from viewer/ and carried by the tool. Empty where the tool was built without Node.
std::string_view viewer_page();

}  // namespace carom::app
