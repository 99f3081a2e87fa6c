#pragma once
/// A text of the command line in which mistakes are pointed at.

#include <string>
#include <string_view>

#include "carom/base/error.h"

namespace carom::sweep {

/// The text of an option such as `--vary`; parts of it are views into `text`.
struct MarkedText {
  std::string_view option;
  std::string_view text;

  /// An error about a part of the text, which is underlined.
  [[nodiscard]] InputError error(Kind kind, std::string_view part, const std::string& message) const;
};

/// Where the character stands outside of quotation marks, as in z=position."a=b".z; npos where it does not.
std::size_t find_unquoted(std::string_view text, char wanted);

/// Without blanks at both ends.
std::string_view trimmed(std::string_view text);

}  // namespace carom::sweep
