#pragma once
/// Dotted paths into a document, as errors, `--set` and `--vary` write them: `contacts.1.restitution`,
/// `body.egg.velocity.0`.
///
/// A part names a key of a table; in an array an index from 0, or, where the entries are tables, the `name` of one
/// (first the name, then the index). A name may hold dots itself. The entry `2.2` of a table with the key `diagonal`
/// is found in `diagonal.2`: that is how a diagonal metric is written.

#include <optional>
#include <string_view>

#include "carom/base/error.h"
#include "carom/scene/document/read_document.h"

namespace carom::scene {

/// One step along a path: where it leads and what is left of the path.
struct PathStep {
  const Node* node;
  std::string_view rest;
};

/// The first step of `path` from `node`; none where there is no such entry.
std::optional<PathStep> first_step(const Node& node, std::string_view path);

/// Splits off the first part of a path at its first dot.
std::pair<std::string_view, std::string_view> split_path(std::string_view path);

/// Place of a path: that of its longest beginning that exists.
Place locate(const Document& document, std::string_view field);

/// The same error with file, line, column and text filled in from its field; unchanged where it has them already.
InputError with_place(const InputError& error, const Document& document);

}  // namespace carom::scene
