#include "carom/scene/document/fields.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "scene/expect_error.h"

namespace carom::scene {
namespace {

constexpr std::array<std::string_view, 8> kKeys = {"mass",     "name", "steps", "flag",
                                                   "position", "rows", "table", "list"};

/// Applies `action` to the fields of the table `ball` of a TOML text.
template <class Action>
std::string outcome(const std::string& text, Action action, bool message = false) {
  const auto run = [&] {
    const Document document = parse_document("ball.toml", text);
    const Entry ball{document.root.find("ball"), &document.source, "ball"};
    const Fields fields(ball, kKeys);
    action(fields);
  };
  return message ? test::message_of(run) : test::error_of(run);
}

TEST(Fields, ValuesOfTheRightTypeAreRead) {
  const Document document = parse_document(
      "ball.toml", "mass = 2\nname = 'egg'\nsteps = 1e5\nflag = true\nposition = [1, 2.5]\nrows = [[1, 2], [3, 4]]\n");
  const Fields fields(root_entry(document), kKeys);
  EXPECT_EQ(fields.number("mass"), 2.0);
  EXPECT_EQ(fields.number("mass", 3.0), 2.0);
  EXPECT_EQ(fields.number("list", 3.0), 3.0);
  EXPECT_EQ(fields.optional_number("list"), std::nullopt);
  EXPECT_EQ(fields.string("name"), "egg");
  EXPECT_EQ(fields.string("list", "none"), "none");
  EXPECT_EQ(as_integer(fields.at("steps"), 0, 100000), 100000);
  EXPECT_TRUE(fields.boolean("flag", false));
  EXPECT_TRUE(fields.boolean("list", true));
  EXPECT_EQ(fields.vector("position"), (Vector(2) << 1, 2.5).finished());
  EXPECT_EQ(fields.matrix("rows"), (Matrix(2, 2) << 1, 2, 3, 4).finished());
  EXPECT_EQ(as_entries(fields.at("rows"))[1].path, "rows.1");
}

TEST(Fields, UnknownKeysNameTheNearest) {
  const auto nothing = [](const Fields&) {};
  EXPECT_EQ(outcome("[ball]\nmass = 1\npositon = 2", nothing), "unknown-name 3:1 ball.positon");
  EXPECT_EQ(outcome("[ball]\npositon = 2", nothing, true),
            "unknown key of ball 'positon'; did you mean 'position'? known: mass, name, steps, flag, position, rows, "
            "table, list");
  EXPECT_EQ(outcome("ball = 3", nothing), "wrong-type 1:8 ball");
}

TEST(Fields, MissingKeysPointAtTheTable) {
  const auto mass = [](const Fields& fields) { return fields.number("mass"); };
  EXPECT_EQ(outcome("\n[ball]\nname = ''", mass), "missing-field 2:1 ball.mass");
  EXPECT_EQ(outcome("ball = {name = ''}", mass), "missing-field 1:8 ball.mass");
  EXPECT_EQ(outcome("[ball]", mass, true), "ball.mass is missing");
}

TEST(Fields, WrongTypesNameTheValue) {
  EXPECT_EQ(outcome("[ball]\nmass = '1'", [](const Fields& f) { return f.number("mass"); }),
            "wrong-type 2:8 ball.mass");
  EXPECT_EQ(outcome(
                "[ball]\nmass = '1'", [](const Fields& f) { return f.number("mass"); }, true),
            "ball.mass is '1', expected a number");
  EXPECT_EQ(outcome(
                "[ball]\nmass = [1]", [](const Fields& f) { return f.number("mass"); }, true),
            "ball.mass is an array, expected a number");
  EXPECT_EQ(outcome(
                "[ball]\nmass = 1979-05-27", [](const Fields& f) { return f.number("mass"); }, true),
            "ball.mass is 1979-05-27, expected a number");
  EXPECT_EQ(outcome("[ball]\nname = 3", [](const Fields& f) { return f.string("name"); }), "wrong-type 2:8 ball.name");
  EXPECT_EQ(outcome("[ball]\nflag = 1", [](const Fields& f) { return f.boolean("flag", false); }),
            "wrong-type 2:8 ball.flag");
  EXPECT_EQ(outcome("[ball]\nposition = 1", [](const Fields& f) { return f.vector("position"); }),
            "wrong-type 2:12 ball.position");
  EXPECT_EQ(outcome("[ball]\nposition = [1, true]", [](const Fields& f) { return f.vector("position"); }),
            "wrong-type 2:16 ball.position.1");
  EXPECT_EQ(outcome("[ball]\nrows = [1]", [](const Fields& f) { return f.matrix("rows"); }),
            "wrong-type 2:9 ball.rows.0");
  EXPECT_EQ(outcome("[ball]\nrows = [[1], ['x']]", [](const Fields& f) { return f.matrix("rows"); }),
            "wrong-type 2:15 ball.rows.1.0");
}

TEST(Fields, NumbersOutOfRangeNameTheRange) {
  const auto mass = [](const Fields& fields) { return fields.number("mass", kPositive); };
  EXPECT_EQ(outcome("[ball]\nmass = 0", mass), "out-of-range 2:8 ball.mass");
  EXPECT_EQ(outcome("[ball]\nmass = 0", mass, true), "ball.mass is 0, expected a number > 0");
  EXPECT_EQ(outcome(
                "[ball]\nmass = 1.2", [](const Fields& f) { return f.number("mass", kUnitInterval); }, true),
            "ball.mass is 1.2, expected a number from 0 to 1");
  EXPECT_EQ(outcome("[ball]\nmass = 1", [](const Fields& f) { return f.number("mass", 0.5, kUnitInterval); }),
            "accepted");
  const auto steps = [](const Fields& fields) { return as_integer(fields.at("steps"), 0, 10); };
  EXPECT_EQ(outcome("[ball]\nsteps = 11", steps), "out-of-range 2:9 ball.steps");
  EXPECT_EQ(outcome("[ball]\nsteps = 1.5", steps), "wrong-type 2:9 ball.steps");
  EXPECT_EQ(outcome("[ball]\nsteps = 1e300", steps), "out-of-range 2:9 ball.steps");
  EXPECT_EQ(outcome("[ball]\nsteps = 99999999999999999999", steps), "out-of-range 2:9 ball.steps");
}

TEST(Fields, WrongSizesNameBothSizes) {
  const auto position = [](const Fields& fields) { return fields.vector("position", Length{3, "x, y and z"}); };
  EXPECT_EQ(outcome("[ball]\nposition = [1, 2]", position), "size-mismatch 2:12 ball.position");
  EXPECT_EQ(outcome("[ball]\nposition = [1, 2]", position, true),
            "ball.position has 2 entries, expected 3 (x, y and z)");
  const auto rows = [](const Fields& fields) { return fields.matrix("rows"); };
  EXPECT_EQ(outcome("[ball]\nrows = [[1, 2],\n [3]]", rows), "size-mismatch 3:2 ball.rows.1");
}

}  // namespace
}  // namespace carom::scene
