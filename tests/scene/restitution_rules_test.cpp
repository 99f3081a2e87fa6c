/// `restitution` of a [[pair]]: a number, or a table of the speed of approach.

#include <gtest/gtest.h>

#include "carom/scene/scene.h"
#include "carom/scene/scene_file.h"
#include "scene/expect_error.h"

namespace carom::scene::restitution_rules_test {
namespace {

std::string pair_with(const std::string& keys, const std::string& engine = "event") {
  return "format = 1\n[run]\nduration = 1\nengine = '" + engine +
         "'\n[[material]]\nname = 'a'\n[[pair]]\nmaterials = ['a', 'a']\n" + keys + "\n";
}

SceneFile read_pair(const std::string& keys, const std::string& engine = "event") {
  return read_scene_file(parse_document("s", pair_with(keys, engine)));
}

TEST(RestitutionRules, AreANumberAPowerLawOrATable) {
  EXPECT_EQ(read_pair("restitution = 0.25").model.rule(0, 0).restitution, 0.25);
  EXPECT_EQ(read_pair("").model.rule(0, 0).restitution, 1.0);
  EXPECT_EQ(
      read_pair("restitution = { law = 'power', e0 = 0.9, v0 = 0.1, exponent = 0.25 }").model.rule(0, 0).restitution,
      Restitution(PowerRestitution{0.9, 0.1, 0.25}));
  EXPECT_EQ(read_pair("restitution = { law = 'table', speeds = [0, 1, 4], values = [1, 0.8, 0] }")
                .model.rule(0, 0)
                .restitution,
            Restitution(RestitutionTable{{0, 1, 4}, {1, 0.8, 0}}));
}

TEST(RestitutionRules, EveryMistakeIsShownWhereItStands) {
  const auto error = [](const std::string& value) {
    return test::error_of([&value] { read_pair("restitution = " + value); });
  };
  EXPECT_EQ(error("1.5"), "out-of-range 9:15 pair.0.restitution");
  EXPECT_EQ(error("'half'"), "wrong-type 9:15 pair.0.restitution");
  EXPECT_EQ(error("{ e0 = 1 }"), "missing-field 9:15 pair.0.restitution.law");
  EXPECT_EQ(error("{ law = 'powr', e0 = 1 }"), "unknown-name 9:23 pair.0.restitution.law");
  EXPECT_EQ(error("{ law = 'power', e0 = 1, v0 = 1 }"), "missing-field 9:15 pair.0.restitution.exponent");
  EXPECT_EQ(error("{ law = 'power', e0 = 1.1, v0 = 1, exponent = 1 }"), "out-of-range 9:37 pair.0.restitution.e0");
  EXPECT_EQ(error("{ law = 'power', e0 = 1, v0 = 0, exponent = 1 }"), "out-of-range 9:45 pair.0.restitution.v0");
  EXPECT_EQ(error("{ law = 'power', e0 = 1, v0 = 1, exponent = -1 }"), "out-of-range 9:59 pair.0.restitution.exponent");
  EXPECT_EQ(error("{ law = 'power', e0 = 1, v0 = 1, exponent = 1, v1 = 2 }"),
            "unknown-name 9:62 pair.0.restitution.v1");
  EXPECT_EQ(error("{ law = 'table', speeds = [1, 2], values = [1] }"), "size-mismatch 9:58 pair.0.restitution.values");
  EXPECT_EQ(error("{ law = 'table', speeds = [], values = [] }"), "size-mismatch 9:41 pair.0.restitution.speeds");
  EXPECT_EQ(error("{ law = 'table', speeds = [1, 1], values = [1, 1] }"),
            "out-of-range 9:45 pair.0.restitution.speeds.1");
  EXPECT_EQ(error("{ law = 'table', speeds = [1, 2], values = [1, 1.2] }"),
            "out-of-range 9:62 pair.0.restitution.values.1");
}

TEST(RestitutionRules, AMistakenLawIsToldTheNearest) {
  EXPECT_EQ(test::message_of([] { read_pair("restitution = { law = 'powr' }"); }),
            "pair.0.restitution.law: unknown law 'powr'; did you mean 'power'? known: power, table");
  EXPECT_EQ(test::message_of([] { read_pair("restitution = { law = 'table', speeds = [2, 1], values = [1, 1] }"); }),
            "pair.0.restitution.speeds.1 is 1, expected a speed above the one before, 2");
}

TEST(RestitutionRules, AreWrittenAndReadAgain) {
  const Scene scene = Scene::parse(pair_with("restitution = { exponent = 0.2, v0 = 0.3, e0 = 0.9, law = 'power' }"));
  EXPECT_NE(scene.to_toml().find("restitution = { law = \"power\", e0 = 0.9, v0 = 0.3, exponent = 0.2 }"),
            std::string::npos)
      << scene.to_toml();
  const Scene again = Scene::parse(scene.to_toml());
  EXPECT_EQ(again.build().model.rule(0, 0).restitution, scene.build().model.rule(0, 0).restitution);
}

TEST(RestitutionRules, MayBeSetAsAWholeOrInParts) {
  Scene scene = Scene::parse(pair_with("restitution = { law = 'power', e0 = 0.9, v0 = 0.1, exponent = 0.25 }"));
  scene.set("pair.0.restitution.exponent=0.5");
  scene.set("pair.0.restitution.v0", 2.0);
  EXPECT_EQ(scene.build().model.rule(0, 0).restitution, Restitution(PowerRestitution{0.9, 2.0, 0.5}));
  scene.set("pair.0.restitution={law = \"table\", speeds = [1], values = [0.5]}");
  EXPECT_EQ(scene.build().model.rule(0, 0).restitution, Restitution(RestitutionTable{{1}, {0.5}}));
}

TEST(RestitutionRules, ForceLawsTakeThemWhereTheyCan) {
  const std::string by_speed = "restitution = { law = 'power', e0 = 0.9, v0 = 0.1, exponent = 0.25 }\n";
  EXPECT_NO_THROW(read_pair("normal = 'flores'\n" + by_speed, "smooth"));
  const auto error = [&](const std::string& keys, const std::string& engine) {
    return test::error_of([&] { read_pair(keys, engine); });
  };
  EXPECT_EQ(error(by_speed, "smooth"), "missing-field 7:1 pair.0.normal");
  EXPECT_EQ(error("normal = 'hertz'\n" + by_speed, "smooth"), "out-of-range 10:15 pair.0.restitution");
  // Their own restitution depends on the speed already.
  const std::string fixed = "normal = 'hunt-crossley-fixed'\nreference_speed = 1\n" + by_speed;
  EXPECT_EQ(error(fixed, "smooth"), "unsupported 11:15 pair.0.restitution");
  EXPECT_EQ(error(fixed, "event"), "accepted");
  const std::string zero = "normal = 'flores'\nrestitution = { law = 'table', speeds = [1, 2], values = [0.5, 0] }";
  EXPECT_EQ(error(zero, "smooth"), "accepted");
  const std::string least = "normal = 'flores'\nrestitution = { law = 'table', speeds = [1, 2], values = [0.5, 1e-9] }";
  EXPECT_EQ(error(least, "smooth"), "out-of-range 10:15 pair.0.restitution");
}

}  // namespace
}  // namespace carom::scene::restitution_rules_test
