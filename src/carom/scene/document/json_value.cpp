#include "carom/scene/document/json_value.h"

#include "carom/scene/document/json_reader.h"

namespace carom::scene {
namespace {

Json value_of(const Node& node) {
  switch (node.type()) {
    case Node::Type::boolean: return node.boolean();
    case Node::Type::integer: return node.integer();
    case Node::Type::real: return node.number();
    case Node::Type::string: return node.string();
    case Node::Type::array: {
      Json array = Json::array();
      for (const Node& entry : node.array()) array.push_back(value_of(entry));
      return array;
    }
    case Node::Type::table: {
      Json object = Json::object();
      for (const Member& member : node.table()) object[member.key] = value_of(member.value);
      return object;
    }
    case Node::Type::null:
    case Node::Type::date: break;
  }
  return {};
}

}  // namespace

std::optional<Json> parse_json_object(std::string text) {
  try {
    const Node root = read_json(Source("", std::move(text)));
    if (root.is(Node::Type::table)) return value_of(root);
  } catch (const InputError&) {  // what is wrong with it is of no interest here
  }
  return std::nullopt;
}

}  // namespace carom::scene
