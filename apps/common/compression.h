#pragma once
/// Bytes made smaller, and bytes made text: what a film needs to travel.

#include <string>
#include <string_view>

namespace carom::app {

enum class GzipEffort { quick, thorough };

/// [RFC 1952]
std::string gzip(std::string_view bytes, GzipEffort effort);

/// [RFC 4648, section 4]: with padding, on one line.
std::string base64(std::string_view bytes);

/// The bytes again; stops at the first letter that does not belong there.
std::string base64_decoded(std::string_view text);

}  // namespace carom::app
