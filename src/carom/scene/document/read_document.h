#pragma once
/// A file, or standard input, as a document: the text and its tree.

#include <string>

#include "carom/scene/document/node.h"
#include "carom/scene/document/source.h"

namespace carom::scene {

enum class Syntax { json, toml };

struct Document {
  Source source;
  Node root;  ///< of a TOML document always a table
  Syntax syntax = Syntax::toml;
};

/// Input whose first character that is not blank is `{` is JSON, all other TOML.
Syntax detect_syntax(const Source& source);

/// Parses a text that is already in memory; `name` appears in messages.
Document parse_document(std::string name, std::string text);

/// All bytes of a file; "-" reads standard input to its end. Throws InputError: `file` where it cannot be read, `limit`
/// above kLargestInput.
std::string read_text(const std::string& path);

/// Reads a file; "-" reads standard input to its end. Throws InputError: `file` where it cannot be read, `limit`
/// above kLargestInput, and those of read_json and read_toml.
Document read_document(const std::string& path);

}  // namespace carom::scene
