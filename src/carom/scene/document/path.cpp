#include "carom/scene/document/path.h"

#include <algorithm>
#include <charconv>

namespace carom::scene {
namespace {

/// The entry whose `name` begins the path, up to a dot or its end; of several the longest name, then the first entry.
std::optional<PathStep> entry_by_name(const Array& entries, std::string_view path) {
  std::optional<PathStep> best;
  std::size_t longest = 0;
  for (const Node& entry : entries) {
    const Node* const name = entry.find("name");
    if (name == nullptr || !name->is(Node::Type::string)) continue;
    const std::string& text = name->string();
    if (text.empty() || text.size() <= longest || !path.starts_with(text)) continue;
    if (path.size() > text.size() && path[text.size()] != '.') continue;
    longest = text.size();
    best = PathStep{&entry, path.substr(std::min(path.size(), text.size() + 1))};
  }
  return best;
}

std::optional<PathStep> entry_by_index(const Array& entries, std::string_view path) {
  const auto [part, rest] = split_path(path);
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
  const bool whole = error == std::errc() && end == part.data() + part.size();
  if (!whole || index >= entries.size()) return std::nullopt;
  return PathStep{&entries[index], rest};
}

/// `2.2` or `2.2.…` of a table with the key `diagonal`.
std::optional<PathStep> entry_of_diagonal(const Node& table, std::string_view path) {
  const Node* const diagonal = table.find("diagonal");
  if (diagonal == nullptr || !diagonal->is(Node::Type::array)) return std::nullopt;
  const auto [row, rest] = split_path(path);
  if (row != split_path(rest).first) return std::nullopt;
  return entry_by_index(diagonal->array(), rest);
}

}  // namespace

std::pair<std::string_view, std::string_view> split_path(std::string_view path) {
  const std::size_t dot = std::min(path.find('.'), path.size());
  return {path.substr(0, dot), path.substr(std::min(dot + 1, path.size()))};
}

std::optional<PathStep> first_step(const Node& node, std::string_view path) {
  if (node.is(Node::Type::array)) {
    if (auto named = entry_by_name(node.array(), path)) return named;
    return entry_by_index(node.array(), path);
  }
  const auto [key, rest] = split_path(path);
  if (const Node* const next = node.find(key)) return PathStep{next, rest};
  return entry_of_diagonal(node, path);
}

Place locate(const Document& document, std::string_view field) {
  PathStep at{&document.root, field};
  while (!at.rest.empty()) {
    const std::optional<PathStep> next = first_step(*at.node, at.rest);
    if (!next) break;
    at = *next;
  }
  return document.source.place(at.node->mark(), std::string(field));
}

InputError with_place(const InputError& error, const Document& document) {
  if (error.place().line > 0) return error;
  return {error.kind(), locate(document, error.place().field), error.what()};
}

}  // namespace carom::scene
