#include "carom/scene/document/toml_reader.h"

#include <algorithm>
#include <charconv>
#include <new>
#include <sstream>
#include <toml.hpp>

#include "carom/base/number.h"
#include "carom/base/utf8.h"
#include "carom/scene/document/toml_complaint.h"
#include "carom/scene/document/toml_guard.h"
#include "carom/scene/document/toml_keys.h"

namespace carom::scene {
namespace {

/// How deep a value lies below the root, counted in keys, and where the dotted keys that lead to it begin.
struct Depth {
  std::size_t keys = 0;
  std::size_t dotted_from = 0;
};

/// toml11's tree into ours. Its regions are: the text of a value; the header `[a.b]` of a table, and of tables that
/// this header defines in passing; the dotted key of a table that is defined so.
class TomlConverter {
 public:
  TomlConverter(const Source& source, const GuardedToml& guarded) : source_(source), guarded_(guarded) {}

  Node convert(const toml::value& value, Depth depth) const {
    const Mark mark = mark_of(value);
    switch (value.type()) {
      case toml::value_t::boolean: return {value.as_boolean(), mark};
      case toml::value_t::integer: return integer(mark);
      case toml::value_t::floating: return {read_number(digits(mark)).value, mark};
      case toml::value_t::string: return {value.as_string().str, mark};
      case toml::value_t::array: return {entries(value.as_array(), depth), mark};
      case toml::value_t::table: return {members(value.as_table(), depth), mark};
      case toml::value_t::empty: return {std::monostate{}, mark};
      default: return {Date{}, mark};
    }
  }

 private:
  [[nodiscard]] Mark mark_of(const toml::value& value) const {
    const auto* region = dynamic_cast<const toml::detail::region*>(toml::detail::get_region(value));
    if (region == nullptr) return {};
    const auto offset = [this, region](auto iterator) {
      const std::size_t original = guarded_.original(static_cast<std::size_t>(iterator - region->begin()));
      return std::min(original, source_.text().size());
    };
    return make_mark(offset(region->first()), offset(region->last()));
  }

  Array entries(const toml::array& values, Depth depth) const {
    Array array;
    array.reserve(values.size());
    for (const toml::value& value : values) array.push_back(convert(value, depth));
    return array;
  }

  Table members(const toml::table& values, Depth depth) const {
    Table table;
    table.reserve(values.size());
    for (const auto& entry : values) {
      const toml::value& value = entry.second;
      const bool dotted = is_dotted(value);
      const Depth below{depth.keys + 1, dotted ? depth.dotted_from : depth.keys + 1};
      table.push_back({entry.first, key_mark(value, dotted, depth), convert(value, below)});
    }
    std::sort(table.begin(), table.end(),
              [](const Member& a, const Member& b) { return a.key_mark.offset < b.key_mark.offset; });
    return table;
  }

  [[nodiscard]] char first_character_of(const toml::value& value) const {
    const std::string_view text = source_.text(mark_of(value));
    return text.empty() ? '\0' : text.front();
  }

  /// Defined by a dotted key: a table that starts neither with a brace nor with a header.
  [[nodiscard]] bool is_dotted(const toml::value& value) const {
    return value.is_table() && first_character_of(value) != '{' && first_character_of(value) != '[';
  }

  /// Defined by a header: a table, or an array whose tables begin with headers.
  [[nodiscard]] bool has_header(const toml::value& value) const {
    if (value.is_array()) return !value.as_array().empty() && has_header_itself(value.as_array().front());
    return has_header_itself(value);
  }
  [[nodiscard]] bool has_header_itself(const toml::value& value) const {
    return value.is_table() && first_character_of(value) == '[';
  }

  [[nodiscard]] Mark key_mark(const toml::value& value, bool dotted, Depth depth) const {
    const Mark mark = mark_of(value);
    const std::string_view text = source_.text();
    if (dotted) return key_part(text, mark, depth.keys - depth.dotted_from).value_or(mark);
    if (has_header(value)) return key_part(text, mark, depth.keys).value_or(mark);
    return key_before_value(text, mark.offset).value_or(mark);
  }

  /// The text of a number without its underscores.
  [[nodiscard]] std::string digits(Mark mark) const {
    std::string text(source_.text(mark));
    text.erase(std::remove(text.begin(), text.end(), '_'), text.end());
    return text;
  }

  [[nodiscard]] Node integer(Mark mark) const {
    const std::string text = digits(mark);
    std::string_view number = text;
    int base = 10;
    if (number.starts_with("0x")) base = 16;
    if (number.starts_with("0o")) base = 8;
    if (number.starts_with("0b")) base = 2;
    number.remove_prefix(base != 10 ? 2 : (number.starts_with('+') ? 1 : 0));
    std::int64_t value = 0;
    const auto parsed = std::from_chars(number.data(), number.data() + number.size(), value, base);
    if (parsed.ec == std::errc() && number != "-0") return {value, mark};
    if (base == 10) return {read_number(number).value, mark};
    throw InputError(Kind::out_of_range, source_.place(mark),
                     "the integer " + printable(text) + " does not fit into 64 bits");
  }

  const Source& source_;
  const GuardedToml& guarded_;
};

toml::value parse(const GuardedToml& guarded, const Source& source) {
  std::istringstream stream(guarded.text);
  try {
    return toml::parse(stream, kTomlSourceName);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& complaint) {
    throw translate_toml_complaint(complaint.what(), guarded, source);
  }
}

}  // namespace

Node read_toml(const Source& source) {
  const GuardedToml guarded = guard_toml(source);
  Node root = TomlConverter(source, guarded).convert(parse(guarded, source), {});
  require_finite(root, source);
  return root;
}

}  // namespace carom::scene
