#include "carom/scene/scene_toml.h"

#include <algorithm>

#include "carom/scene/document/toml_writer.h"
#include "carom/scene/format/section.h"

namespace carom::scene {
namespace {

/// Place of a key in its section; that of the key which chose the section is before all others.
std::size_t rank(std::string_view name, const Section& section, std::string_view chooser) {
  if (name == chooser) return 0;
  const auto found =
      std::find_if(section.keys.begin(), section.keys.end(), [name](const Key& key) { return key.name == name; });
  return static_cast<std::size_t>(found - section.keys.begin()) + 1;
}

/// The same value with all tables in the order of the format.
Node ordered(const Node& node, const Key* key) {
  if (node.is(Node::Type::array)) {
    Array entries;
    for (const Node& entry : node.array()) entries.push_back(ordered(entry, key));
    return {std::move(entries), node.mark()};
  }
  if (!node.is(Node::Type::table)) return node;
  const Section* const section = key == nullptr ? nullptr : section_below(node, *key);
  Table members;
  for (const Member& member : node.table()) {
    const Key* const below = section == nullptr ? nullptr : find_key(*section, member.key);
    members.push_back({member.key, member.key_mark, ordered(member.value, below)});
  }
  if (section != nullptr) {
    const std::string_view chooser = key->table == nullptr ? key->chooser : std::string_view();
    std::stable_sort(members.begin(), members.end(), [section, chooser](const Member& a, const Member& b) {
      return rank(a.key, *section, chooser) < rank(b.key, *section, chooser);
    });
  }
  return {std::move(members), node.mark()};
}

bool is_array_of_tables(const Node& node) {
  return node.is(Node::Type::array) && !node.array().empty() &&
         std::all_of(node.array().begin(), node.array().end(),
                     [](const Node& entry) { return entry.is(Node::Type::table); });
}

class Writer {
 public:
  explicit Writer(const Source& source) : source_(source) {}

  std::string write(const Table& root) {
    for (const Member& member : root) {
      if (!has_header(member.value)) write_line(member);
    }
    for (const Member& member : root) {
      const std::string name = toml_key(member.key);
      if (member.value.is(Node::Type::table)) write_table("[" + name + "]", member.value);
      if (!is_array_of_tables(member.value)) continue;
      for (const Node& entry : member.value.array()) write_table("[[" + name + "]]", entry);
    }
    return std::move(text_);
  }

 private:
  static bool has_header(const Node& node) { return node.is(Node::Type::table) || is_array_of_tables(node); }

  void write_line(const Member& member) {
    text_ += toml_key(member.key) + " = " + toml_text(member.value, source_) + "\n";
  }

  void write_table(const std::string& header, const Node& table) {
    text_ += (text_.empty() ? "" : "\n") + header + "\n";
    for (const Member& member : table.table()) write_line(member);
  }

  const Source& source_;
  std::string text_;
};

}  // namespace

std::string scene_toml(const Document& document) {
  const Section& format = scene_format();
  const Key whole{.name = format.name, .type = ValueType::table, .help = format.help, .table = &format};
  return Writer(document.source).write(ordered(document.root, &whole).table());
}

}  // namespace carom::scene
