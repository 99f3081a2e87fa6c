#include "carom/scene/value_node.h"

#include "carom/base/utf8.h"

namespace carom::scene {
namespace {

/// Less than kDeepestNesting by what a path can lead through.
constexpr int kDeepestValue = kDeepestNesting - 8;

class NodeMaker {
 public:
  Node make(const Value& value, const std::string& path, int depth) const {
    if (depth > kDeepestValue) {
      throw InputError(Kind::limit, path_, printable(path_) + " is nested deeper than any scene");
    }
    switch (value.type()) {
      case Value::Type::none:
        throw InputError(Kind::wrong_type, path, printable(path, kLongest) + " is none, expected a value");
      case Value::Type::boolean: return {value.boolean(), kNoMark};
      case Value::Type::integer: return {value.integer(), kNoMark};
      case Value::Type::real: return {value.number(), kNoMark};
      case Value::Type::text: return {valid_text(value.text(), path), kNoMark};
      case Value::Type::list: return {entries(value.list(), path, depth), kNoMark};
      case Value::Type::table: return {members(value.table(), path, depth), kNoMark};
    }
    return {};
  }

  explicit NodeMaker(const std::string& path) : path_(path) {}

 private:
  static constexpr std::size_t kLongest = 200;

  static std::string valid_text(const std::string& text, const std::string& path) {
    if (first_invalid_utf8(text)) {
      throw InputError(Kind::syntax, printable(path, kLongest),
                       printable(path, kLongest) + " is " + printable(text) + ", which is not valid UTF-8");
    }
    return text;
  }

  Array entries(const List& list, const std::string& path, int depth) const {
    Array array;
    array.reserve(list.size());
    for (const Value& value : list)
      array.push_back(make(value, join_path(path, std::to_string(array.size())), depth + 1));
    return array;
  }

  scene::Table members(const carom::Table& table, const std::string& path, int depth) const {
    scene::Table members;
    for (const Field& field : table.fields()) {
      const std::string below = join_path(path, valid_text(field.key, path));
      for (const Member& member : members) {
        if (member.key != field.key) continue;
        throw InputError(Kind::duplicate_name, below, printable(below, kLongest) + " is given twice");
      }
      members.push_back({field.key, kNoMark, make(field.value, below, depth + 1)});
    }
    return members;
  }

  const std::string& path_;
};

}  // namespace

Node node_of(const Value& value, const std::string& path) {
  return NodeMaker(path).make(value, path, 0);
}

Value value_of(const Node& node, const Source& source) {
  switch (node.type()) {
    case Node::Type::null: return {};
    case Node::Type::boolean: return node.boolean();
    case Node::Type::integer: return node.integer();
    case Node::Type::real: return node.number();
    case Node::Type::string: return node.string();
    case Node::Type::date: return source.text(node.mark());
    case Node::Type::array: {
      List list;
      for (const Node& entry : node.array()) list.push_back(value_of(entry, source));
      return list;
    }
    case Node::Type::table: {
      std::vector<Field> fields;
      for (const Member& member : node.table()) fields.emplace_back(member.key, value_of(member.value, source));
      return carom::Table(std::move(fields));
    }
  }
  return {};
}

}  // namespace carom::scene
