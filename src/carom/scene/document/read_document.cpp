#include "carom/scene/document/read_document.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>

#include "carom/base/nearest_file.h"
#include "carom/base/utf8.h"
#include "carom/scene/document/json_reader.h"
#include "carom/scene/document/toml_reader.h"

namespace carom::scene {
namespace {

constexpr std::size_t kLongestName = 200;

[[noreturn]] void fail(Kind kind, const std::string& path, const std::string& message) {
  Place place;
  place.file = path;
  throw InputError(kind, place, message);
}

[[noreturn]] void fail_to_read(const std::string& path, const std::string& reason) {
  const std::string name = path == "-" ? "standard input" : "'" + printable(path, kLongestName) + "'";
  fail(Kind::file, path, "cannot read " + name + ": " + reason);
}

/// All bytes of a stream. Reading stops beyond the limit, so that an endless stream ends as well.
std::string read_all(std::FILE* stream, const std::string& path) {
  std::string text;
  std::array<char, 1 << 16> buffer{};
  while (true) {
    const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), stream);
    if (count == 0) break;
    text.append(buffer.data(), count);
    if (text.size() > kLargestInput) {
      fail(Kind::limit, path, "the input has more than " + std::to_string(kLargestInput) + " bytes");
    }
  }
  if (std::ferror(stream) != 0) fail_to_read(path, std::generic_category().message(errno));
  return text;
}

}  // namespace

std::string read_text(const std::string& path) {
  if (path == "-") return read_all(stdin, path);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail_to_read(path, "it is a directory");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (file == nullptr) {
    const int reason = errno;
    fail_to_read(path, std::generic_category().message(reason) + (reason == ENOENT ? nearest_file_hint(path) : ""));
  }
  return read_all(file.get(), path);
}

Syntax detect_syntax(const Source& source) {
  const std::string_view text = source.text();
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' ? Syntax::json : Syntax::toml;
}

Document parse_document(std::string name, std::string text) {
  Source source(std::move(name), std::move(text));
  const Syntax syntax = detect_syntax(source);
  Node root = syntax == Syntax::json ? read_json(source) : read_toml(source);
  return {std::move(source), std::move(root), syntax};
}

Document read_document(const std::string& path) {
  return parse_document(path, read_text(path));
}

}  // namespace carom::scene
