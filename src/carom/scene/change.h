#pragma once
/// Values of a scene by their path: found, set, removed. Paths are those of document/path.h.
///
/// A body that a fill, rack or cradle makes has paths too: `body.gas-3.mass` of the fill `gas` leads to what the
/// fill's `changes` say about that body, `fill.0.changes.gas-3.mass`, which is made where it is set.

#include <string_view>

#include "carom/scene/document/read_document.h"

namespace carom::scene {

/// A path, where it is written down, and what stands before it in messages.
struct Target {
  std::string_view path;
  Mark mark = kNoMark;
  std::string_view origin{};  ///< `--set `, or empty
  std::string_view shown{};   ///< the path in messages, where another one was asked for
};

/// The value; null where the scene leaves out a key that the format knows. Throws InputError `usage` where the path
/// leads to nothing that a scene can have.
const Node* find_value(const Document& document, const Target& target);

/// Puts a value where the path leads, in the place of what is there: below a key of a body that a fill made
/// (`body.gas-3.velocity.2`) the rest stays as it was made. The last part of a path may be a key that its
/// table does not have yet; a table or vector on the way that the format knows is made with its default. What is set is
/// not checked. Throws InputError `usage` for what is no path of the scene.
void set_value(Document& document, const Target& target, Node value);

/// Removes what find_value finds.
void remove_value(Document& document, const Target& target);

}  // namespace carom::scene
