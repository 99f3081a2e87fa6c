#include "carom/scene/document/node.h"

#include <algorithm>
#include <cmath>

#include "carom/base/utf8.h"

namespace carom::scene {

// Here, where Member is complete.
Node::Node() = default;
Node::Node(Value value, Mark mark) : value_(std::move(value)), mark_(mark) {}
Node::Node(const Node& other) = default;
Node::Node(Node&& other) noexcept = default;
Node& Node::operator=(const Node& other) = default;
Node& Node::operator=(Node&& other) noexcept = default;
Node::~Node() = default;

double Node::number() const {
  if (const auto* whole = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*whole);
  return std::get<double>(value_);
}

const Node* Node::find(std::string_view key) const {
  const auto* members = std::get_if<Table>(&value_);
  if (members == nullptr) return nullptr;
  const auto found =
      std::find_if(members->begin(), members->end(), [key](const Member& member) { return member.key == key; });
  return found == members->end() ? nullptr : &found->value;
}

std::string_view type_name(Node::Type type) {
  switch (type) {
    case Node::Type::null: return "null";
    case Node::Type::boolean: return "a boolean";
    case Node::Type::integer: return "an integer";
    case Node::Type::real: return "a number";
    case Node::Type::string: return "a string";
    case Node::Type::array: return "an array";
    case Node::Type::table: return "a table";
    case Node::Type::date: return "a date";
  }
  return "a value";
}

std::string join_path(std::string_view path, std::string_view key) {
  std::string joined;
  joined.reserve(path.size() + 1 + key.size());
  joined += path;
  if (!path.empty()) joined += '.';
  joined += key;
  return joined;
}

namespace {

/// Path from `node` down to its first number that is not finite, innermost part last; empty where all are finite.
std::vector<std::string> path_to_non_finite(const Node& node, const Node*& culprit) {
  const auto descend = [&culprit](const Node& child, const auto& name) {
    std::vector<std::string> path = path_to_non_finite(child, culprit);
    if (culprit != nullptr) path.insert(path.begin(), name());
    return path;
  };
  if (node.is(Node::Type::real) && !std::isfinite(node.number())) culprit = &node;
  if (node.is(Node::Type::array)) {
    const Array& entries = node.array();
    for (std::size_t i = 0; i < entries.size() && culprit == nullptr; ++i) {
      auto path = descend(entries[i], [i] { return std::to_string(i); });
      if (culprit != nullptr) return path;
    }
  } else if (node.is(Node::Type::table)) {
    for (const Member& member : node.table()) {
      auto path = descend(member.value, [&member] { return member.key; });
      if (culprit != nullptr) return path;
    }
  }
  return {};
}

}  // namespace

void require_finite(const Node& root, const Source& source) {
  const Node* culprit = nullptr;
  std::string path;
  for (const std::string& part : path_to_non_finite(root, culprit)) path = join_path(path, part);
  if (culprit == nullptr) return;
  const std::string subject = path.empty() ? "the value" : printable(path);
  const std::string text = printable(source.text(culprit->mark()));
  throw InputError(Kind::not_finite, source.place(culprit->mark(), path),
                   subject + " is " + text + ", expected a finite number");
}

}  // namespace carom::scene
