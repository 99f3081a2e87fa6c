#pragma once
/// JSON [RFC 8259], strictly: no comments, no trailing commas, no text after the value, keys unique within their
/// table, escapes and surrogates checked. Numbers without point and exponent are integers where they fit into 64
/// bits (-0 is the real −0.0); all others are reals.

#include "carom/scene/document/node.h"

namespace carom::scene {

/// Throws InputError that points at line and column and says what was expected: `syntax`; `duplicate_name`; `limit`
/// (nesting, number of values); `not_finite` (1e999, and the words NaN and Infinity, which are not JSON).
Node read_json(const Source& source);

}  // namespace carom::scene
