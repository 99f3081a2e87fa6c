// Our reader against an independent one, nlohmann::json, on valid texts and on random mutations of them.
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "carom/base/utf8.h"
#include "carom/scene/document/json_reader.h"

namespace carom::scene {
namespace {

const std::vector<std::string>& seeds() {
  static const std::vector<std::string> kTexts = {
      R"({"metric": [[2, 0.5], [0.5, 1]], "velocity": [0.25, -1e-3], "law": "a\n\u00e9", "options": {"repeat": false}})",
      R"([1, -0, 0.0, 1E5, 1e-7, 123456789012345678901234567890, true, false, null, "", "\ud83d\ude00é€😀"])",
      R"({"a": {"b": [{}, [], [[1]]]}, "c": "x/\/\\"})", " \t\r\n[ 1 , 2 ]\n"};
  return kTexts;
}

bool same(const Node& ours, const nlohmann::json& theirs) {
  switch (ours.type()) {
    case Node::Type::null: return theirs.is_null();
    case Node::Type::boolean: return theirs.is_boolean() && theirs.get<bool>() == ours.boolean();
    case Node::Type::integer: return theirs.is_number_integer() && theirs.get<std::int64_t>() == ours.integer();
    case Node::Type::real: return theirs.is_number() && theirs.get<double>() == ours.number();
    case Node::Type::string: return theirs.is_string() && theirs.get<std::string>() == ours.string();
    case Node::Type::array: {
      if (!theirs.is_array() || theirs.size() != ours.array().size()) return false;
      for (std::size_t i = 0; i < theirs.size(); ++i) {
        if (!same(ours.array()[i], theirs[i])) return false;
      }
      return true;
    }
    case Node::Type::table: {
      if (!theirs.is_object() || theirs.size() != ours.table().size()) return false;
      for (const Member& member : ours.table()) {
        if (!theirs.contains(member.key) || !same(member.value, theirs[member.key])) return false;
      }
      return true;
    }
    case Node::Type::date: return false;
  }
  return false;
}

/// Where both readers are free to differ, only ours refuses: duplicate keys, nesting, and, as nlohmann does, 1e999.
void expect_agreement(const std::string& text) {
  const bool theirs = nlohmann::json::accept(text);
  try {
    const Node node = read_json(Source("test.json", text));
    ASSERT_TRUE(theirs) << "only we accept " << printable(text, 500);
    ASSERT_TRUE(same(node, nlohmann::json::parse(text))) << "read differently: " << printable(text, 500);
  } catch (const InputError& error) {
    const bool ours_alone = error.kind() == Kind::duplicate_name || error.kind() == Kind::limit;
    ASSERT_TRUE(!theirs || ours_alone) << "only we refuse " << printable(text, 500) << ": " << error.what();
  }
}

std::string mutate(std::string text, std::mt19937& random) {
  static const std::string kLetters = "{}[]:,\"\\/ \t\n0123456789+-.eEtrufalsn\x01\x7F\x80\xC3\xA9\xE2\xF0'#ux";
  const auto any = [&random](std::size_t count) { return random() % count; };
  for (std::size_t edits = 1 + any(3); edits > 0 && !text.empty(); --edits) {
    const std::size_t at = any(text.size());
    switch (any(5)) {
      case 0: text[at] = kLetters[any(kLetters.size())]; break;
      case 1: text.insert(at, 1, kLetters[any(kLetters.size())]); break;
      case 2: text.erase(at, 1 + any(3)); break;
      case 3: text.insert(at, text.substr(any(text.size()), any(10))); break;
      default: text.resize(at); break;
    }
  }
  return text;
}

TEST(JsonAgreement, ValidTextsAreReadAlike) {
  for (const std::string& text : seeds()) expect_agreement(text);
}

TEST(JsonAgreement, MutatedTextsAreAcceptedOrRefusedAlike) {
  std::mt19937 random(20240501);
  for (int i = 0; i < 60000 && !::testing::Test::HasFatalFailure(); ++i) {
    expect_agreement(mutate(seeds()[static_cast<std::size_t>(i) % seeds().size()], random));
  }
}

TEST(JsonAgreement, PrefixesAreAcceptedOrRefusedAlike) {
  for (const std::string& text : seeds()) {
    for (std::size_t length = 0; length <= text.size(); ++length) expect_agreement(text.substr(0, length));
  }
}

}  // namespace
}  // namespace carom::scene
