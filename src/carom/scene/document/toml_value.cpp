#include "carom/scene/document/toml_value.h"

#include <string>

#include "carom/scene/document/toml_reader.h"

namespace carom::scene {
namespace {

/// Stands before a value to make a TOML document of it.
constexpr std::string_view kBefore = "value = ";

/// The same tree with all marks moved from the value's own document to where it stands in the source.
Node moved(const Node& node, Mark whole) {
  const Mark own = node.mark();
  Mark mark = whole;
  if (is_marked(whole) && own.offset >= kBefore.size() &&
      std::size_t{own.offset} + own.length <= kBefore.size() + whole.length) {
    const std::size_t first = whole.offset + own.offset - kBefore.size();
    mark = make_mark(first, first + own.length);
  }
  switch (node.type()) {
    case Node::Type::boolean: return {node.boolean(), mark};
    case Node::Type::integer: return {node.integer(), mark};
    case Node::Type::real: return {node.number(), mark};
    case Node::Type::string: return {node.string(), mark};
    case Node::Type::array: {
      Array entries;
      for (const Node& entry : node.array()) entries.push_back(moved(entry, whole));
      return {std::move(entries), mark};
    }
    case Node::Type::table: {
      Table members;
      for (const Member& member : node.table()) members.push_back({member.key, mark, moved(member.value, whole)});
      return {std::move(members), mark};
    }
    case Node::Type::null: return {std::monostate{}, mark};
    case Node::Type::date: return {Date{}, mark};
  }
  return {std::monostate{}, mark};
}

}  // namespace

Node read_toml_value(std::string_view text, Mark whole) {
  const Node root = read_toml(Source("", std::string(kBefore) + std::string(text)));
  if (root.table().size() != 1) throw InputError(Kind::syntax, "", "expected a single value");
  return moved(root.table().front().value, whole);
}

}  // namespace carom::scene
