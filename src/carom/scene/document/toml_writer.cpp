#include "carom/scene/document/toml_writer.h"

#include <algorithm>
#include <array>

#include "carom/base/number.h"

namespace carom::scene {
namespace {

std::string quoted_text(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string result = "\"";
  for (const char character : text) {
    const auto code = static_cast<unsigned char>(character);
    if (character == '"' || character == '\\') {
      result += '\\';
      result += character;
    } else if (character == '\n') {
      result += "\\n";
    } else if (character == '\t') {
      result += "\\t";
    } else if (code < 0x20 || code == 0x7f) {
      result += "\\u00";
      result += kDigits[code / 16];
      result += kDigits[code % 16];
    } else {
      result += character;
    }
  }
  return result + "\"";
}

/// With a point or an exponent, so that it is not read as an integer.
std::string real_text(double value) {
  std::string text = format_number(value);
  const bool is_whole = text.find_first_not_of("-0123456789") == std::string::npos;
  return is_whole ? text + ".0" : text;
}

template <class Entries, class Text>
std::string joined(const Entries& entries, const Text& text_of) {
  std::string text;
  for (const auto& entry : entries) text += (text.empty() ? "" : ", ") + text_of(entry);
  return text;
}

}  // namespace

std::string toml_key(std::string_view key) {
  const auto is_bare = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return !key.empty() && std::all_of(key.begin(), key.end(), is_bare) ? std::string(key) : quoted_text(key);
}

std::string toml_text(const Node& node, const Source& source) {
  switch (node.type()) {
    case Node::Type::null: return "null";
    case Node::Type::boolean: return node.boolean() ? "true" : "false";
    case Node::Type::integer: return std::to_string(node.integer());
    case Node::Type::real: return real_text(node.number());
    case Node::Type::string: return quoted_text(node.string());
    case Node::Type::date: return std::string(source.text(node.mark()));
    case Node::Type::array:
      return "[" + joined(node.array(), [&source](const Node& entry) { return toml_text(entry, source); }) + "]";
    case Node::Type::table: {
      if (node.table().empty()) return "{}";
      const auto member_text = [&source](const Member& member) {
        return toml_key(member.key) + " = " + toml_text(member.value, source);
      };
      return "{ " + joined(node.table(), member_text) + " }";
    }
  }
  return "";
}

}  // namespace carom::scene
