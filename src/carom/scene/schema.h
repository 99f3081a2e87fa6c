#pragma once
/// The scene format for others to read, made from the same tables as the reader (format/sections.cpp): a JSON Schema
/// for editors, and the tables of keys of docs/scene-file.md.

#include <string>

namespace carom::scene {

/// JSON Schema (draft 2020-12) of a scene file, on one line.
std::string scene_schema();

/// Markdown: for each section a heading and a table of its keys with meaning, unit and default.
std::string scene_key_tables();

}  // namespace carom::scene
