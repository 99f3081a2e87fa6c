#pragma once
/// An InputError as a terminal shows it: the message, where, and the line with the trouble underlined.
///
///     error: contacts.1.restitution is 1.2, expected a number from 0 to 1 [out-of-range]
///       --> wall.json:7:35
///        |
///      7 |   {"name": "wall", "restitution": 1.2}
///        |                                   ^^^
///
/// Tabs are widened to multiples of four cells, control characters and stray bytes shown as `\x1B`, wide and
/// combining characters counted by the cells they take, long lines cut around the mark. No colour.

#include <string>

#include "carom/base/error.h"

namespace carom {

/// The lines above, each ended with a newline. Parts of the place that are unknown are left out.
std::string format_diagnostic(const InputError& error);

}  // namespace carom
