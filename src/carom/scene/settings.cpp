#include "carom/scene/settings.h"

#include <algorithm>

#include "carom/base/utf8.h"
#include "carom/scene/change.h"
#include "carom/scene/document/toml_value.h"

namespace carom::scene {
namespace {

/// One setting, appended to the source of the document.
struct Setting {
  std::string_view path;
  std::string_view value;
  Mark path_mark;
  Mark value_mark;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t last = text.find_last_not_of(" \t");
  return text.substr(first, last == std::string_view::npos ? 0 : last + 1 - first);
}

Setting append_setting(Document& document, std::string_view text) {
  const std::string name = "--set " + printable(text, 200);
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || trimmed(text.substr(0, equals)).empty() ||
      trimmed(text.substr(equals + 1)).empty()) {
    throw InputError(Kind::usage, "--set", name + ": expected path=value, as in run.law=newton");
  }
  const std::size_t offset = document.source.append(name, text);
  const auto mark_of = [text, offset](std::string_view part) {
    const std::size_t first = offset + static_cast<std::size_t>(part.data() - text.data());
    return make_mark(first, first + part.size());
  };
  const std::string_view path = trimmed(text.substr(0, equals));
  const std::string_view value = trimmed(text.substr(equals + 1));
  return {path, value, mark_of(path), mark_of(value)};
}

bool is_bare_word(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto belongs = [&is_letter](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
  return is_letter(text.front()) && std::all_of(text.begin(), text.end(), belongs);
}

Node value_of(const Document& document, const Setting& setting) {
  try {
    return read_toml_value(setting.value, setting.value_mark);
  } catch (const InputError& error) {
    if (error.kind() == Kind::syntax && is_bare_word(setting.value)) {
      return {std::string(setting.value), setting.value_mark};
    }
    const std::string message = error.kind() == Kind::not_finite ? "the value is not a finite number" : error.what();
    throw InputError(error.kind(), document.source.place(setting.value_mark, std::string(setting.path)),
                     printable(setting.path) + ": " + message);
  }
}

void apply(Document& document, const Setting& setting) {
  Node value = value_of(document, setting);
  set_value(document, {setting.path, setting.path_mark, "--set "}, std::move(value));
}

}  // namespace

void apply_settings(Document& document, std::span<const std::string> settings) {
  for (const std::string& text : settings) apply(document, append_setting(document, text));
}

}  // namespace carom::scene
