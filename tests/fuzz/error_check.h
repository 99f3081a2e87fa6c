#pragma once
/// What every InputError of a reader must be like, whatever the input was.

#include <stdexcept>
#include <string>

#include "carom/base/diagnostic.h"
#include "carom/base/error.h"
#include "carom/base/utf8.h"

namespace carom::fuzz {

inline void require(bool condition, const char* message) {
  if (!condition) throw std::logic_error(message);
}

/// Throws std::logic_error unless the message is one line of UTF-8 and the place lies inside its line. A record, which
/// is no text, has no line to show.
inline void check_error(const InputError& error) {
  const std::string_view message = error.what();
  require(!message.empty(), "an error without a message");
  require(message.find('\n') == std::string_view::npos, "a message of several lines");
  require(!first_invalid_utf8(message), "a message that is not UTF-8");
  const Place& place = error.place();
  if (message.starts_with("this is a record of a run")) return;
  require(place.line >= 1 && place.column >= 1 && place.length >= 1, "an error without a place");
  require(static_cast<std::size_t>(place.column) <= count_characters(place.text) + 1, "a column outside its line");
  require(!first_invalid_utf8(format_diagnostic(error)), "a diagnostic that is not UTF-8");
}

template <class Action>
void expect_input_error_at_most(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    check_error(error);
  }
}

}  // namespace carom::fuzz
