#pragma once
/// Values of a program (value.h) as parts of a document, and back.

#include <string>

#include "carom/scene/document/read_document.h"
#include "carom/scene/value.h"

namespace carom::scene {

/// A node without marks. Throws InputError at the field `path` for what no document can hold: a none inside, a key
/// twice, text that is not UTF-8, very deep nesting.
Node node_of(const Value& value, const std::string& path);

/// The value of a node; that of a date is the text that the source has for it.
Value value_of(const Node& node, const Source& source);

}  // namespace carom::scene
