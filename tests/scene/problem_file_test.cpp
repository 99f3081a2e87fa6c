#include "carom/scene/problem_file.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "carom/scene/document/path.h"
#include "scene/expect_error.h"

namespace carom::scene::problem_file_test {
namespace {

constexpr std::array<OptionName, 2> kLawOptions = {{{"repeat", true}, {"exponent", false}}};

constexpr const char* kJson = R"({"metric": [[2, 0.5], [0.5, 1]],
 "velocity": [0.25, -1],
 "persistent": [[1, 0]], "supports": [0],
 "contacts": [
  {"name": "floor", "normal": [0, 1], "offset": -0.0, "tangents": [[1, 0]], "tangent_offsets": [0.5],
   "restitution": 0.8, "tangential_restitution": -0.5, "stiffness": 3},
  {"normal": [1, 0]}],
 "restitution": 0.9, "law": "newton",
 "options": {"tolerance": 1e-10, "rest": 1e-9, "max_steps": 1e3, "repeat": true, "exponent": 1.5}})";

constexpr const char* kToml = R"(velocity = [0.25, -1]
metric = [[2, 0.5], [0.5, 1]]
persistent = [[1, 0]]
supports = [0]
restitution = 0.9
law = "newton"
[options]
tolerance = 1e-10
rest = 1e-9
max_steps = 1_000
repeat = true
exponent = 1.5
[[contacts]]
name = "floor"
normal = [0, 1]
offset = -0.0
tangents = [[1, 0]]
tangent_offsets = [0.5]
restitution = 0.8
tangential_restitution = -0.5
stiffness = 3
[[contacts]]
normal = [1, 0]
)";

ProblemFile read(const std::string& text) {
  return read_problem_file(parse_document("p", text), kLawOptions);
}

/// Reads, validates, and gives an error its place, as the command line does.
void read_and_validate(const std::string& text) {
  const Document document = parse_document("p", text);
  const ProblemFile file = read_problem_file(document, kLawOptions);
  try {
    validate(file.problem);
  } catch (const InputError& error) {
    throw with_place(error, document);
  }
}

std::string error_of(const std::string& text) {
  return test::error_of([&text] { read_and_validate(text); });
}

std::string message_of(const std::string& text) {
  return test::message_of([&text] { read_and_validate(text); });
}

TEST(ProblemFile, EveryFieldIsReadFromJsonAndFromToml) {
  for (const char* text : {kJson, kToml}) {
    const ProblemFile file = read(text);
    const ImpactProblem& problem = file.problem;
    EXPECT_EQ(problem.metric, (Matrix(2, 2) << 2, 0.5, 0.5, 1).finished());
    EXPECT_EQ(problem.velocity, (Vector(2) << 0.25, -1).finished());
    EXPECT_EQ(problem.persistent, (Matrix(1, 2) << 1, 0).finished());
    EXPECT_EQ(problem.supports, std::vector<int>{0});
    EXPECT_EQ(problem.restitution, 0.9);
    ASSERT_EQ(problem.contacts.size(), 2u);
    const Contact& floor = problem.contacts[0];
    EXPECT_EQ(floor.name, "floor");
    EXPECT_EQ(floor.normal, (Vector(2) << 0, 1).finished());
    EXPECT_TRUE(std::signbit(floor.offset));
    EXPECT_EQ(floor.tangents, (Matrix(1, 2) << 1, 0).finished());
    EXPECT_EQ(floor.tangent_offsets, Vector::Constant(1, 0.5));
    EXPECT_EQ(floor.restitution, 0.8);
    EXPECT_EQ(floor.tangential_restitution, -0.5);
    EXPECT_EQ(floor.stiffness, 3.0);
    const Contact& plain = problem.contacts[1];
    EXPECT_EQ(plain.name, "");
    EXPECT_EQ(plain.offset, 0.0);
    EXPECT_EQ(plain.restitution, std::nullopt);
    EXPECT_EQ(plain.tangential_restitution, std::nullopt);
    EXPECT_EQ(plain.tangents.rows(), 0);
    EXPECT_EQ(plain.stiffness, 1.0);
    EXPECT_EQ(file.law, "newton");
    ASSERT_TRUE(file.law_place);
    EXPECT_EQ(file.law_place->field, "law");
    EXPECT_EQ(file.law_place->length, 8);
    EXPECT_EQ(problem.options.tolerance, 1e-10);
    EXPECT_EQ(problem.options.rest, 1e-9);
    EXPECT_EQ(problem.options.max_steps, 1000);
    EXPECT_EQ(problem.options.by_law.at("repeat"), 1.0);
    EXPECT_EQ(problem.options.by_law.at("exponent"), 1.5);
  }
}

TEST(ProblemFile, OnlyMetricAndVelocityAreRequired) {
  const ProblemFile file = read(R"({"metric": {"diagonal": [1, 2]}, "velocity": [1, 0]})");
  EXPECT_EQ(file.problem.metric, (Matrix(2, 2) << 1, 0, 0, 2).finished());
  EXPECT_TRUE(file.problem.contacts.empty());
  EXPECT_EQ(file.problem.persistent.size(), 0);
  EXPECT_EQ(file.problem.restitution, 1.0);
  EXPECT_EQ(file.law, "");
  EXPECT_FALSE(file.law_place);
  EXPECT_TRUE(file.problem.options.by_law.empty());
  EXPECT_EQ(file.problem.options.max_steps, ImpactOptions().max_steps);
}

TEST(ProblemFile, EmptyListsOfContactsAndConstraintsAreValid) {
  EXPECT_EQ(error_of(R"({"metric": [[1]], "velocity": [1], "contacts": [], "persistent": [], "supports": []})"),
            "accepted");
  EXPECT_EQ(error_of("metric = [[1]]\nvelocity = [1]\ncontacts = []\npersistent = []\n"), "accepted");
  EXPECT_EQ(error_of(R"({"metric": [[1]], "velocity": [0], "contacts": [{"normal": [1], "tangents": []}]})"),
            "accepted");
}

struct Case {
  const char* json;
  const char* json_error;
  const char* toml;
  const char* toml_error;
};

TEST(ProblemFile, EveryErrorHasItsKindAndPlaceInBothSyntaxes) {
  const std::vector<Case> cases = {
      {"{\"metric\": [[1]]}", "missing-field 1:1 velocity", "metric = [[1]]", "missing-field 1:1 velocity"},
      {"{\"velocity\": [1]}", "missing-field 1:1 metric", "velocity = [1]", "missing-field 1:1 metric"},
      {"{\"metric\": [[1]],\n \"velocty\": [1]}", "unknown-name 2:2 velocty", "metric = [[1]]\nvelocty = [1]",
       "unknown-name 2:1 velocty"},
      {R"({"metric": [[1]], "velocity": []})", "size-mismatch 1:31 velocity", "metric = [[1]]\nvelocity = []",
       "size-mismatch 2:12 velocity"},
      {"{\"metric\": [],\n \"velocity\": [1]}", "size-mismatch 1:12 metric", "velocity = [1]\nmetric = []",
       "size-mismatch 2:10 metric"},
      {R"({"metric": [[1, 0], [0]], "velocity": [1, 2]})", "size-mismatch 1:21 metric.1",
       "velocity = [1, 2]\nmetric = [[1, 0],\n [0]]", "size-mismatch 3:2 metric.1"},
      {R"({"metric": {"diagonal": [1]}, "velocity": [1, 2]})", "size-mismatch 1:25 metric.diagonal",
       "velocity = [1, 2]\nmetric.diagonal = [1]", "size-mismatch 2:19 metric.diagonal"},
      {R"({"metric": {"diag": [1]}, "velocity": [1]})", "unknown-name 1:13 metric.diag",
       "velocity = [1]\n[metric]\ndiag = [1]", "unknown-name 3:1 metric.diag"},
      {R"({"metric": {}, "velocity": [1]})", "missing-field 1:12 metric.diagonal", "velocity = [1]\n[metric]\n",
       "missing-field 2:1 metric.diagonal"},
      {R"({"metric": 3, "velocity": [1]})", "wrong-type 1:12 metric", "velocity = [1]\nmetric = 3",
       "wrong-type 2:10 metric"},
      {R"({"metric": [["1"]], "velocity": [1]})", "wrong-type 1:14 metric.0.0", "velocity = [1]\nmetric = [[\"1\"]]",
       "wrong-type 2:12 metric.0.0"},
      {R"({"metric": [[1]], "velocity": [1e999]})", "not-finite 1:32 velocity.0", "metric = [[1]]\nvelocity = [1e999]",
       "not-finite 2:13 velocity.0"},
      {R"({"metric": [[1]], "velocity": [1], "persistent": [[1, 2]]})", "size-mismatch 1:51 persistent.0",
       "metric = [[1]]\nvelocity = [1]\npersistent = [[1, 2]]", "size-mismatch 3:15 persistent.0"},
      {R"({"metric": [[1]], "velocity": [0], "persistent": [[1]], "supports": [1]})", "out-of-range 1:70 supports.0",
       "metric = [[1]]\nvelocity = [0]\npersistent = [[1]]\nsupports = [1]", "out-of-range 4:13 supports.0"},
      {R"({"metric": [[1]], "velocity": [0], "supports": [0]})", "out-of-range 1:49 supports.0",
       "metric = [[1]]\nvelocity = [0]\nsupports = [0]", "out-of-range 3:13 supports.0"},
      {R"({"metric": [[1]], "velocity": [0], "persistent": [[1]], "supports": [0, 0]})",
       "duplicate-name 1:73 supports.1", "metric = [[1]]\nvelocity = [0]\npersistent = [[1]]\nsupports = [0, 0]",
       "duplicate-name 4:16 supports.1"},
      {R"({"metric": [[1]], "velocity": [1], "contacts": [{}]})", "missing-field 1:49 contacts.0.normal",
       "metric = [[1]]\nvelocity = [1]\n[[contacts]]\n", "missing-field 3:1 contacts.0.normal"},
      {R"({"metric": [[1]], "velocity": [1], "contacts": [{"normal": [1, 2]}]})",
       "size-mismatch 1:60 contacts.0.normal", "metric = [[1]]\nvelocity = [1]\n[[contacts]]\nnormal = [1, 2]\n",
       "size-mismatch 4:10 contacts.0.normal"},
      {R"({"metric": [[1]], "velocity": [1], "contacts": [{"normal": [1], "tangent_offsets": [1]}]})",
       "size-mismatch 1:84 contacts.0.tangent_offsets",
       "metric = [[1]]\nvelocity = [1]\n[[contacts]]\nnormal = [1]\ntangent_offsets = [1]",
       "size-mismatch 5:19 contacts.0.tangent_offsets"},
      {"{\"metric\": [[1]], \"velocity\": [1], \"contacts\": [{\"normal\": [1]},\n {\"normal\": [1], \"restitution\": "
       "1.2}]}",
       "out-of-range 2:33 contacts.1.restitution",
       "metric = [[1]]\nvelocity = [1]\n[[contacts]]\nnormal = [1]\n[[contacts]]\nnormal = [1]\nrestitution = 1.2",
       "out-of-range 7:15 contacts.1.restitution"},
      {R"({"metric": [[1]], "velocity": [1], "contacts": [{"normal": [0]}]})", "zero-normal 1:60 contacts.0.normal",
       "metric = [[1]]\nvelocity = [1]\ncontacts = [{normal = [0]}]", "zero-normal 3:23 contacts.0.normal"},
      {"{\"metric\": [[1]], \"velocity\": [1], \"contacts\": [{\"name\": \"a\", \"normal\": [1]},\n {\"name\": \"a\", "
       "\"normal\": [1]}]}",
       "duplicate-name 2:11 contacts.1.name",
       "metric = [[1]]\nvelocity = [1]\n[[contacts]]\nname = 'a'\nnormal = [1]\n[[contacts]]\nname = 'a'\nnormal = [1]",
       "duplicate-name 7:8 contacts.1.name"},
      {R"({"metric": [[1]], "velocity": [1], "contacts": {}})", "wrong-type 1:48 contacts",
       "metric = [[1]]\nvelocity = [1]\n[contacts]\n", "wrong-type 3:1 contacts"},
      {R"({"metric": [[1, 2], [3, 1]], "velocity": [1, 2]})", "metric-not-symmetric 1:17 metric.0.1",
       "velocity = [1, 2]\nmetric = [[1, 2], [3, 1]]", "metric-not-symmetric 2:15 metric.0.1"},
      {R"({"metric": [[1]], "velocity": [1], "restitution": -1})", "out-of-range 1:51 restitution",
       "metric = [[1]]\nvelocity = [1]\nrestitution = -1", "out-of-range 3:15 restitution"},
      {R"({"metric": [[1]], "velocity": [1], "law": 3})", "wrong-type 1:43 law",
       "metric = [[1]]\nvelocity = [1]\nlaw = 3", "wrong-type 3:7 law"},
      {R"({"metric": [[1]], "velocity": [1], "options": {"tolerence": 1}})", "unknown-name 1:48 options.tolerence",
       "metric = [[1]]\nvelocity = [1]\n[options]\ntolerence = 1", "unknown-name 4:1 options.tolerence"},
      {R"({"metric": [[1]], "velocity": [1], "options": {"repeat": 1}})", "wrong-type 1:58 options.repeat",
       "metric = [[1]]\nvelocity = [1]\noptions.repeat = 1", "wrong-type 3:18 options.repeat"},
      {R"({"metric": [[1]], "velocity": [1], "options": {"max_steps": -1}})", "out-of-range 1:61 options.max_steps",
       "metric = [[1]]\nvelocity = [1]\noptions.max_steps = -1", "out-of-range 3:21 options.max_steps"},
      {R"({"metric": [[1]], "velocity": [1], "options": {"max_steps": 1.5}})", "wrong-type 1:61 options.max_steps",
       "metric = [[1]]\nvelocity = [1]\noptions.max_steps = 1979-05-27", "wrong-type 3:21 options.max_steps"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(error_of(c.json), c.json_error) << c.json << "\n" << message_of(c.json);
    EXPECT_EQ(error_of(c.toml), c.toml_error) << c.toml << "\n" << message_of(c.toml);
  }
}

TEST(ProblemFile, MessagesNameTheFieldTheValueAndWhatWasExpected) {
  EXPECT_EQ(message_of(R"({"metric": [[1, 0]], "velocity": [1, 2]})"),
            "metric has 1 rows, expected 2 (the length of velocity)");
  EXPECT_EQ(message_of(R"({"metric": [[1]], "velocity": [1], "contacts": [{"normal": [1, 2]}]})"),
            "contacts.0.normal has 2 entries, expected 1 (the length of velocity)");
  EXPECT_EQ(message_of(R"({"metric": [[1]], "velocity": [1], "contacts": [{"norml": [1]}]})"),
            "unknown key of contacts.0 'norml'; did you mean 'normal'? known: name, normal, offset, tangents, "
            "tangent_offsets, restitution, tangential_restitution, stiffness, friction, rough, "
            "tangential_stiffness_ratio");
  EXPECT_EQ(message_of(R"({"metric": [[1]], "velocity": [1], "options": {"exponant": 1}})"),
            "unknown key of options 'exponant'; did you mean 'exponent'? known: tolerance, rest, max_steps, repeat, "
            "exponent");
}

TEST(ProblemFile, ASceneIsNamedAsSuch) {
  EXPECT_EQ(error_of("title = 'x'\nformat = 1\n[[body]]\nname = 'egg'"), "unsupported 2:10 format");
  EXPECT_EQ(error_of(R"({"format": 1})"), "unknown-name 1:2 format");
  EXPECT_TRUE(is_scene(parse_document("s", "format = 1")));
  EXPECT_FALSE(is_scene(parse_document("s", "metric = 1")));
}

TEST(ProblemFile, TooManyCoordinatesAreRefusedBeforeTheMetricIsMade) {
  std::string numbers = "1";
  for (std::size_t i = 0; i < kMostCoordinates; ++i) numbers += ",1";
  EXPECT_EQ(error_of("{\"velocity\": [" + numbers + "], \"metric\": {\"diagonal\": [" + numbers + "]}}"),
            "limit 1:14 velocity");
}

TEST(Locate, FindsTheLongestBeginningOfAPathThatExists) {
  const Document document = parse_document("p", kJson);
  const auto at = [&document](std::string_view field) {
    const Place place = locate(document, field);
    EXPECT_EQ(place.field, field);
    return std::to_string(place.line) + ":" + std::to_string(place.column);
  };
  EXPECT_EQ(at("contacts.0.restitution"), "6:19");
  EXPECT_EQ(at("contacts.1.restitution"), "7:3");
  EXPECT_EQ(at("contacts.7.restitution"), "4:14");
  EXPECT_EQ(at("metric.0.1"), "1:17");
  EXPECT_EQ(at("metric.1"), "1:23");
  EXPECT_EQ(at("velocity.1x"), "2:14");
  EXPECT_EQ(at("nothing"), "1:1");
  EXPECT_EQ(at(""), "1:1");
  EXPECT_EQ(at("..."), "1:1");
}

TEST(Locate, EntriesOfADiagonalMetricAreFoundInTheDiagonal) {
  const Document document = parse_document("p", R"({"metric": {"diagonal": [1, -2]}, "velocity": [1, 2]})");
  EXPECT_EQ(locate(document, "metric.1.1").column, 29);
  EXPECT_EQ(locate(document, "metric.0.1").column, 12);
  EXPECT_EQ(locate(document, "metric").column, 12);
}

TEST(Locate, EntriesOfArraysAreFoundByNameBeforeTheirIndex) {
  const Document document = parse_document("p", "[[body]]\nname = '1'\nmass = 1\n[[body]]\nname = 'egg.x'\nmass = 2\n");
  EXPECT_EQ(locate(document, "body.egg.x.mass").line, 6);
  EXPECT_EQ(locate(document, "body.egg.x").line, 4);
  EXPECT_EQ(locate(document, "body.1.mass").line, 3);
  EXPECT_EQ(locate(document, "body.0.mass").line, 3);
  EXPECT_EQ(locate(document, "body.egg.mass").line, 1);  // no such entry: the array
}

TEST(WithPlace, KeepsAPlaceThatIsAlreadyThere) {
  const Document document = parse_document("p", kJson);
  const InputError bare(Kind::out_of_range, std::string("velocity.1"), "m");
  const InputError placed = with_place(bare, document);
  EXPECT_EQ(placed.kind(), Kind::out_of_range);
  EXPECT_EQ(placed.place().line, 2);
  EXPECT_EQ(placed.place().file, "p");
  EXPECT_STREQ(placed.what(), "m");
  Place other;
  other.line = 99;
  EXPECT_EQ(with_place(InputError(Kind::syntax, other, "m"), document).place().line, 99);
}

}  // namespace
}  // namespace carom::scene::problem_file_test
