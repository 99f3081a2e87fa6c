#include "fuzz/feed_problem_file.h"

#include <array>
#include <string>

#include "carom/base/error.h"
#include "carom/scene/document/json_reader.h"
#include "carom/scene/document/path.h"
#include "carom/scene/document/toml_reader.h"
#include "carom/scene/problem_file.h"
#include "fuzz/error_check.h"

namespace carom::fuzz {
namespace {

constexpr std::array<scene::OptionName, 3> kLawOptions = {{{"repeat", true}, {"average", true}, {"exponent", false}}};

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
