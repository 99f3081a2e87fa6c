#pragma once
/// TOML 1.0, parsed by toml11 behind a guard (toml_guard.h), into the same tree as JSON.
///
/// toml11 decides what is valid; numbers are read again from the text, because it reads them with the C++ locale
/// and lets 1e999 pass as the largest double. Keys get their marks from the text as well: toml11 keeps none.

#include "carom/scene/document/node.h"

namespace carom::scene {

/// Throws InputError that points at line and column and says what was expected: `syntax`, `duplicate_name`, `limit`
/// (nesting, number of values), `not_finite` (inf, nan, 1e999), `out_of_range` (an integer beyond 64 bits that is
/// not decimal). Dates become Node::Type::date, which no field accepts.
Node read_toml(const Source& source);

}  // namespace carom::scene
