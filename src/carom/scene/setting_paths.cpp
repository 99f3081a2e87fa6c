#include "carom/scene/setting_paths.h"

#include <algorithm>
#include <set>

#include "carom/scene/format/sections.h"

namespace carom::scene {
namespace {

void add_paths(const Node& node, const std::string& path, std::set<std::string>& paths) {
  if (node.is(Node::Type::table)) {
    for (const Member& member : node.table()) add_paths(member.value, join_path(path, member.key), paths);
    return;
  }
  const bool has_tables = node.is(Node::Type::array) && !node.array().empty() &&
                          std::all_of(node.array().begin(), node.array().end(),
                                      [](const Node& entry) { return entry.is(Node::Type::table); });
  if (!has_tables) {
    paths.insert(path);
    return;
  }
  for (std::size_t i = 0; i < node.array().size(); ++i) {
    const Node& entry = node.array()[i];
    const Node* const name = entry.find("name");
    const bool has_name = name != nullptr && name->is(Node::Type::string);
    add_paths(entry, join_path(path, has_name ? name->string() : std::to_string(i)), paths);
  }
}

}  // namespace

std::vector<std::string> setting_paths(const Document& document) {
  std::set<std::string> paths;
  for (const Member& member : document.root.table()) add_paths(member.value, member.key, paths);
  for (const std::string_view table : {"run", "world"}) {
    for (const Key& key : section(table).keys) paths.insert(join_path(table, key.name));
  }
  return {paths.begin(), paths.end()};
}

}  // namespace carom::scene
