#include "carom/scene/schema.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "carom/scene/document/json_reader.h"
#include "carom/scene/format/sections.h"
#include "carom/scene/scene_file.h"
#include "scene/expect_error.h"
#include "support/places.h"

namespace carom::scene {
namespace {

using nlohmann::json;

/// Every key of a section stands in the properties of its schema, and nothing else does.
void expect_same_keys(const json& schema, const Section& section, bool with_kind) {
  ASSERT_EQ(schema["type"], "object") << section.name;
  EXPECT_EQ(schema["additionalProperties"], false) << section.name;
  EXPECT_EQ(schema["properties"].size(), section.keys.size() + (with_kind ? 1 : 0)) << section.name;
  for (const Key& key : section.keys) {
    ASSERT_TRUE(schema["properties"].contains(key.name)) << section.name << "." << key.name;
    const json& property = schema["properties"][std::string(key.name)];
    EXPECT_TRUE(property.contains("description")) << key.name;
    const json& required = schema["required"];
    EXPECT_EQ(std::find(required.begin(), required.end(), key.name) != required.end(), key.required) << key.name;
    if (key.type != ValueType::table && key.type != ValueType::tables) continue;
    const json& below = key.type == ValueType::tables ? property["items"] : property;
    if (key.table != nullptr) expect_same_keys(below, *key.table, false);
    if (key.variants == nullptr) continue;
    const std::span<const Section> variants = key.variants();
    for (std::size_t i = 0; i < variants.size(); ++i) {
      expect_same_keys(below["oneOf"][i], variants[i], !key.chooser.empty());
    }
  }
}

TEST(Schema, NoKeyIsGivenTwice) {
  EXPECT_NO_THROW(read_json(Source("schema", scene_schema())));
}

TEST(Schema, ListsEveryKeyThatTheReaderKnows) {
  const json schema = json::parse(scene_schema());
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  expect_same_keys(schema, scene_format(), false);
}

TEST(Schema, KnowsRangesDefaultsAndChoices) {
  const json keys = json::parse(scene_schema())["properties"];
  const json& run = keys["run"]["properties"];
  EXPECT_EQ(run["duration"]["exclusiveMinimum"], 0);
  EXPECT_EQ(run["engine"]["default"], "event");
  EXPECT_EQ(run["rtol"]["default"], 1e-8);
  EXPECT_EQ(run["rtol"]["x-engines"], json::array({"smooth"}));
  EXPECT_EQ(run["law"]["enum"][0], "compliant");
  const json& pair = keys["pair"]["items"]["properties"];
  EXPECT_EQ(pair["restitution"]["oneOf"][0]["maximum"], 1);
  EXPECT_EQ(pair["materials"]["minItems"], 2);
  const json& body = keys["body"]["items"]["properties"];
  EXPECT_EQ(body["shape"]["oneOf"].size(), 12u);
  EXPECT_EQ(keys["obstacle"]["items"]["properties"]["shape"]["oneOf"].size(), 13u);
  EXPECT_EQ(body["position"]["default"], json::array({0, 0, 0}));
}

/// A table written so that only the key `stranger` is wrong with it, or not yet complete.
void expect_stranger_refused(const std::string& text, const std::string& field) {
  const std::string error = test::error_of([&text] { read_scene_file(parse_document("s", text)); });
  EXPECT_EQ(error.substr(0, error.find(' ')), "unknown-name") << text;
  EXPECT_TRUE(error.ends_with(field)) << error;
}

TEST(Schema, TheReaderRejectsAKeyThatIsNotInIt) {
  for (const Key& key : scene_format().keys) {
    const std::string name(key.name);
    if (key.type == ValueType::table) {
      expect_stranger_refused("format = 1\nrun.duration = 1\n" + (name == "run" ? "" : "[" + name + "]\n") +
                                  (name == "run" ? "run." : "") + "stranger = 1\n",
                              name + ".stranger");
    }
    if (key.type != ValueType::tables) continue;
    const std::string head = "format = 1\nrun.duration = 1\n[[" + name + "]]\nstranger = 1\n";
    if (key.table != nullptr) expect_stranger_refused(head, name + ".0.stranger");
    if (key.variants == nullptr) continue;
    for (const Section& variant : key.variants()) {
      expect_stranger_refused(head + "kind = '" + std::string(variant.name) + "'\n", name + ".0.stranger");
    }
  }
  expect_stranger_refused("format = 1\nrun.duration = 1\nstranger = 1\n", "stranger");
  for (const Section& shape : obstacle_shapes()) {
    expect_stranger_refused("format = 1\nrun.duration = 1\n[[obstacle]]\nname = 'a'\nshape = { kind = '" +
                                std::string(shape.name) + "', stranger = 1 }\n",
                            "obstacle.a.shape.stranger");
  }
}

template <class Option>
json stated(const Option& value) {
  return value;
}
json stated(const std::optional<double>& value) {
  return value ? json(*value) : json();
}
json stated(ConstraintMethod value) {
  return constraint_method_name(value);
}

TEST(Schema, TheDefaultsOfTheTablesAreThoseOfTheReader) {
  const json run = json::parse(scene_schema())["properties"]["run"]["properties"];
  const RunOptions read = read_scene_file(parse_document("s", "format = 1\n[run]\nduration = 5\n")).run;
  for (const RunOption& option : run_option_table()) {
    const json& key = run[std::string(option.name)];
    if (!key.contains("default")) continue;
    std::visit([&](const auto member) { EXPECT_EQ(key["default"], stated(read.*member)) << option.name; },
               option.member);
  }
}

TEST(Schema, EveryKeyOfRunIsARunOption) {
  std::vector<std::string_view> keys, options;
  for (const Key& key : section("run").keys) keys.push_back(key.name);
  for (const RunOption& option : run_option_table()) options.push_back(option.name);
  std::sort(keys.begin(), keys.end());
  std::sort(options.begin(), options.end());
  EXPECT_EQ(keys, options);
}

TEST(Schema, TheDocumentationHasTheTablesOfTheReader) {
  std::ifstream file(test::project_file("docs/scene-file.md"));
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_NE(text.find(scene_key_tables()), std::string::npos)
      << "docs/scene-file.md is behind the tables of the format; see carom schema --markdown";
}

}  // namespace
}  // namespace carom::scene
