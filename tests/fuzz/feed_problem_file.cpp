#include "fuzz/feed_problem_file.h"

#include <array>
#include <stdexcept>
#include <string>

#include "carom/base/diagnostic.h"
#include "carom/base/error.h"
#include "carom/base/utf8.h"
#include "carom/scene/document/json_reader.h"
#include "carom/scene/document/toml_reader.h"
#include "carom/scene/problem_file.h"

namespace carom::fuzz {
namespace {

constexpr std::array<scene::OptionName, 3> kLawOptions = {{{"repeat", true}, {"average", true}, {"exponent", false}}};

void require(bool condition, const char* message) {
  if (!condition) throw std::logic_error(message);
}

void check_error(const InputError& error) {
  const std::string_view message = error.what();
  require(!message.empty(), "an error without a message");
  require(message.find('\n') == std::string_view::npos, "a message of several lines");
  require(!first_invalid_utf8(message), "a message that is not UTF-8");
  const Place& place = error.place();
  require(place.line >= 1 && place.column >= 1 && place.length >= 1, "an error without a place");
  require(static_cast<std::size_t>(place.column) <= count_characters(place.text) + 1, "a column outside its line");
  require(!first_invalid_utf8(format_diagnostic(error)), "a diagnostic that is not UTF-8");
}

void check_marks(const scene::Node& node, const scene::Source& source) {
  const scene::Mark mark = node.mark();
  require(std::size_t{mark.offset} + mark.length <= source.text().size(), "a mark outside the text");
  if (node.is(scene::Node::Type::array)) {
    for (const scene::Node& entry : node.array()) check_marks(entry, source);
  }
  if (!node.is(scene::Node::Type::table)) return;
  for (const scene::Member& member : node.table()) {
    require(std::size_t{member.key_mark.offset} + member.key_mark.length <= source.text().size(),
            "a key outside the text");
    // A key without quotes is written as it is: its mark must cover just that.
    const std::string_view text = source.text(member.key_mark);
    const bool quoted = text.starts_with('"') || text.starts_with('\'');
    require(quoted || text == member.key, "the mark of a key is not on the key");
    check_marks(member.value, source);
  }
}

template <class Action>
void expect_input_error_at_most(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    check_error(error);
  }
}

void read_problem(std::string_view bytes) {
  const scene::Document document = scene::parse_document("input", std::string(bytes));
  check_marks(document.root, document.source);
  const scene::ProblemFile file = scene::read_problem_file(document, kLawOptions);
  try {
    validate(file.problem);
  } catch (const InputError& error) {
    throw scene::with_place(error, document);
  }
}

}  // namespace

void feed_problem_file(std::string_view bytes) {
  expect_input_error_at_most([bytes] { read_problem(bytes); });
  const auto read_as = [bytes](scene::Node (*reader)(const scene::Source&)) {
    const scene::Source source("input", std::string(bytes));
    check_marks(reader(source), source);
  };
  expect_input_error_at_most([&read_as] { read_as(&scene::read_json); });
  expect_input_error_at_most([&read_as] { read_as(&scene::read_toml); });
}

}  // namespace carom::fuzz
