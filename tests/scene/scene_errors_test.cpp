/// Everything that can be wrong with a scene, each with its kind, its line and column, and its field.

#include <gtest/gtest.h>

#include "carom/base/diagnostic.h"
#include "carom/mechanics/initial_gaps.h"
#include "carom/scene/scene_file.h"
#include "scene/expect_error.h"
#include "scene/sample_scene.h"

namespace carom::scene::scene_errors_test {
namespace {

SceneFile read(const std::string& text) {
  return read_scene_file(parse_document("scene.toml", text));
}

std::string error_of(const std::string& text) {
  return test::error_of([&text] { read(text); });
}

std::string message_of(const std::string& text) {
  return test::message_of([&text] { read(text); });
}

struct Mistake {
  const char* from;
  const char* to;
  const char* error;
};

TEST(SceneErrors, TheSampleIsInOrder) {
  EXPECT_EQ(message_of(std::string(test::kSampleScene)), "accepted");
}

TEST(SceneErrors, EachMistakeHasItsKindAndPlace) {
  const Mistake mistakes[] = {
      // Keys, types and sizes.
      {"format = 1", "format = 2", "unsupported 1:10 format"},
      {"format = 1", "format = 'one'", "wrong-type 1:10 format"},
      {"format = 1\n", "", "missing-field 1:1 format"},
      {"duration = 2.0\n", "", "missing-field 5:1 run.duration"},
      {"gravity", "gravty", "unknown-name 4:1 world.gravty"},
      {"[world]", "[wrold]", "unknown-name 3:2 wrold"},
      {"mass = 500", "mas = 500", "unknown-name 24:1 body.egg.mas"},
      {"semi_axes", "semiaxes", "unknown-name 23:31 body.egg.shape.semiaxes"},
      {"name = \"egg\"\n", "", "missing-field 21:1 body.0.name"},
      {"gravity = [0, 0, -9.81]", "gravity = [0, 0]", "size-mismatch 4:11 world.gravity"},
      {"gravity = [0, 0, -9.81]", "gravity = -9.81", "wrong-type 4:11 world.gravity"},
      {"gravity = [0, 0, -9.81]", "gravity = [0, 0, nan]", "not-finite 4:18 world.gravity.2"},
      {"mass = 500", "mass = inf", "not-finite 24:8 body.0.mass"},
      {"mass = 500", "mass = 1e999", "not-finite 24:8 body.0.mass"},
      {"mass = 500", "mass = 'heavy'", "wrong-type 24:8 body.egg.mass"},
      {"rough = true", "rough = 1", "wrong-type 20:9 pair.1.rough"},
      {"[[pair]]\nmaterials = [\"steel\", \"steel\"]\nrestitution = 0.9\n[[pair]]", "[pair]", "wrong-type 14:1 pair"},
      // Numbers without sense.
      {"duration = 2.0", "duration = 0", "out-of-range 7:12 run.duration"},
      {"duration = 2.0", "duration = 2.0\noutput_step = 1e-12", "out-of-range 8:15 run.output_step"},
      {"mass = 500", "mass = 0", "out-of-range 24:8 body.egg.mass"},
      {"mass = 500", "mass = -1", "out-of-range 24:8 body.egg.mass"},
      {"density = 2.0", "density = -2.0", "out-of-range 33:11 body.ball.density"},
      {"radius = 0.5", "radius = 0", "out-of-range 32:37 body.ball.shape.radius"},
      {"[1, 1, 2]", "[1, 1, -2]", "out-of-range 23:50 body.egg.shape.semi_axes.2"},
      {"restitution = 0.9", "restitution = 1.1", "out-of-range 16:15 pair.0.restitution"},
      {"restitution = 0.5", "restitution = -0.1", "out-of-range 19:15 pair.1.restitution"},
      {"young = 2.07e11", "young = 0", "out-of-range 10:9 material.steel.young"},
      {"poisson = 0.3", "poisson = 0.5", "out-of-range 11:11 material.steel.poisson"},
      {"inertia = [0.2, 0.3, 0.4]", "inertia = [0.2, 0.3, 0.6]", "out-of-range 34:22 body.ball.inertia.2"},
      {"[0.6, 0, 0.8, 0]", "[0.6, 0, 0.9, 0]", "out-of-range 37:30 body.ball.orientation.quaternion"},
      {"[0.6, 0, 0.8, 0]", "[0, 0, 0, 0]", "out-of-range 37:30 body.ball.orientation.quaternion"},
      {"[0.6, 0, 0.8, 0]", "[0.6, 0, 0.8]", "size-mismatch 37:30 body.ball.orientation.quaternion"},
      {"normal = [0, 0, 2]", "normal = [0, 0, 0]", "zero-normal 50:10 plane.floor.normal"},
      {"normal = [0, 0, 3]", "normal = [0, 0, 0]", "zero-normal 71:10 constraint.2.normal"},
      {"length = 5", "length = 0", "out-of-range 67:10 constraint.1.length"},
      {"damping = 0.1", "damping = -0.1", "out-of-range 76:11 spring.0.damping"},
      {"angular_damping = 0.5", "angular_damping = -1", "out-of-range 84:19 load.0.angular_damping"},
      // One of several keys.
      {"mass = 500", "mass = 500\ndensity = 1", "duplicate-name 25:11 body.egg.density"},
      {"mass = 500\n", "", "missing-field 21:1 body.egg.mass"},
      {"bryan_deg = [45, 30, 90]", "bryan_deg = [45, 30, 90], bryan_rad = [0, 0, 0]",
       "duplicate-name 27:55 body.egg.orientation.bryan_rad"},
      {"{ bryan_deg = [45, 30, 90] }", "{}", "missing-field 27:15 body.egg.orientation.bryan_deg"},
      {"angular_velocity_body = [3, 0, 0]", "angular_velocity_body = [3, 0, 0]\nangular_velocity = [0, 0, 0]",
       "duplicate-name 47:25 body.bob.angular_velocity_body"},
      // Names.
      {"law = \"newton\"", "law = \"newtn\"", "unknown-name 6:7 run.law"},
      {"law = \"newton\"", "engine = \"evnt\"", "unknown-name 6:10 run.engine"},
      {"kind = \"sphere\"", "kind = \"spere\"", "unknown-name 32:18 body.ball.shape.kind"},
      {"kind = \"sphere\", ", "", "missing-field 32:9 body.ball.shape.kind"},
      {"kind = \"sphere\", radius = 0.5", "kind = \"bore\", radius = 0.5, half_length = 1",
       "missing-field 30:1 body.ball.mass"},
      {"kind = \"sphere\", radius = 0.5", "kind = \"shell\", radius = 0.5", "unsupported 32:18 body.ball.shape.kind"},
      {"kind = \"rolling\"", "kind = \"roling\"", "unknown-name 60:8 constraint.0.kind"},
      {"material = \"steel\"", "material = \"stele\"", "unknown-name 25:12 body.egg.material"},
      {"materials = [\"steel\", \"steel\"]", "materials = [\"steel\", \"steal\"]",
       "unknown-name 15:23 pair.0.materials.1"},
      {"materials = [\"steel\", \"steel\"]", "materials = [\"steel\"]", "size-mismatch 15:13 pair.0.materials"},
      {"body = \"ball\"\nplane", "body = \"bal\"\nplane", "unknown-name 61:8 constraint.0.body"},
      {"plane = \"floor\"", "plane = \"flor\"", "unknown-name 62:9 constraint.0.plane"},
      {"plane = \"floor\"", "plane = \"post\"", "wrong-type 62:9 constraint.0.plane"},
      {"body = \"ball\"\nplane", "body = \"floor\"\nplane", "wrong-type 61:8 constraint.0.body"},
      {"bodies = [\"egg\", \"ball\"]", "bodies = [\"egg\", \"egg\"]", "duplicate-name 73:18 spring.0.bodies.1"},
      {"bodies = [\"bob\"]", "bodies = []", "size-mismatch 79:10 spring.1.bodies"},
      {"name = \"ball\"", "name = \"egg\"", "duplicate-name 31:8 body.egg.name"},
      {"name = \"floor\"", "name = \"egg\"", "duplicate-name 49:8 plane.egg.name"},
      {"name = \"post\"", "name = \"floor\"", "duplicate-name 54:8 obstacle.floor.name"},
      {"name = \"rubber\"", "name = \"steel\"", "duplicate-name 13:8 material.steel.name"},
      {"name = \"egg\"", "name = \"\"", "out-of-range 22:8 body.0.name"},
      {"name = \"egg\"", "name = \"e\\ngg\"", "out-of-range 22:8 body.e\ngg.name"},
      // Pairs of materials.
      {"[[pair]]\nmaterials = [\"steel\", \"steel\"]\nrestitution = 0.9\n", "",
       "missing-field 32:12 body.ball.material"},
      {"materials = [\"rubber\", \"steel\"]", "materials = [\"rubber\", \"rubber\"]",
       "missing-field 52:12 plane.floor.material"},
      {"materials = [\"rubber\", \"steel\"]", "materials = [\"steel\", \"steel\"]",
       "duplicate-name 18:13 pair.1.materials"},
      // What mechanics checks.
      {"velocity = [1, 0, 0]\nangular_velocity = [0, 2, 0]", "velocity = [2, 0, 0]\nangular_velocity = [0, 2, 0]",
       "constraint-violated 59:1 constraint.0"},
      {"position = [5, 0, 0.5]", "position = [5, 0, 0.75]", "constraint-violated 59:1 constraint.0"},
      {"length = 5", "length = 6", "constraint-violated 63:1 constraint.1"},
      {"velocity = [-1, -1, 0]", "velocity = [-1, -1, 1]", "constraint-violated 68:1 constraint.2"},
      {"kind = \"sphere\", radius = 0.25", "kind = \"prism\", vertices = [[0, 0], [1, 1], [2, 2]], half_length = 1",
       "out-of-range 42:38 body.bob.shape.vertices"},
  };
  for (const Mistake& mistake : mistakes) {
    const std::string text = test::changed_scene(mistake.from, mistake.to);
    EXPECT_EQ(error_of(text), mistake.error) << mistake.to << "\n" << message_of(text);
  }
}

TEST(SceneErrors, MessagesSayWhatWasExpectedAndTheNearestName) {
  EXPECT_EQ(message_of(test::changed_scene("mass = 500", "mass = -1")), "body.egg.mass is -1, expected a number > 0");
  EXPECT_EQ(message_of(test::changed_scene("gravity", "gravty")),
            "unknown key of world 'gravty'; did you mean 'gravity'? known: gravity");
  EXPECT_EQ(message_of(test::changed_scene("material = \"steel\"", "material = \"stele\"")),
            "body.egg.material: unknown material 'stele'; did you mean 'steel'? known: steel, rubber");
  EXPECT_EQ(message_of(test::changed_scene("name = \"floor\"", "name = \"egg\"")),
            "the name 'egg' is already that of a body (line 22, column 8), expected another");
  EXPECT_EQ(message_of(test::changed_scene("plane = \"floor\"", "plane = \"post\"")),
            "constraint.0.plane is 'post', which is an obstacle, expected a plane");
  EXPECT_EQ(
      message_of(test::changed_scene("materials = [\"rubber\", \"steel\"]", "materials = [\"steel\", \"steel\"]")),
      "pair.1.materials: the materials 'steel' and 'steel' already have a pair (line 15, column 13), expected each "
      "two once");
  EXPECT_EQ(
      message_of(test::changed_scene("materials = [\"rubber\", \"steel\"]", "materials = [\"rubber\", \"rubber\"]")),
      "plane.floor.material: the materials 'steel' and 'rubber' can meet, expected a [[pair]] with materials = "
      "[\"steel\", \"rubber\"]");
  EXPECT_EQ(message_of(test::changed_scene("kind = \"sphere\", radius = 0.5", "kind = \"shell\", radius = 0.5")),
            "body.ball.shape.kind is \"shell\", expected a shape of a body, as this one can be an obstacle only");
}

TEST(SceneErrors, AnOverlapIsFoundInTheFile) {
  const Document document = parse_document("s", test::changed_scene("position = [0, 0, 3]", "position = [0, 0, 1]"));
  const SceneFile scene = read_scene_file(document);
  const std::string error = test::error_of([&] {
    try {
      require_no_overlap(scene.model, scene.state);
    } catch (const InputError& bare) {
      throw with_scene_place(bare, document);
    }
  });
  EXPECT_EQ(error, "overlap 26:12 body.egg.position");
}

TEST(SceneErrors, AFillThatMeetsAWallIsFoundAtTheFill) {
  const Document document = parse_document("s", R"(format = 1
[run]
duration = 1
[[plane]]
name = "floor"
normal = [0, 0, 1]
[[fill]]
name = "gas"
count = 8
shape = { kind = "sphere", radius = 0.1 }
mass = 1
box = [[0, 0, -1], [1, 1, 1]]
)");
  const SceneFile scene = read_scene_file(document);
  const std::string error = test::error_of([&] {
    try {
      require_no_overlap(scene.model, scene.state);
    } catch (const InputError& bare) {
      throw with_scene_place(bare, document);
    }
  });
  EXPECT_EQ(error, "overlap 7:1 body.gas-0.position");
}

TEST(SceneErrors, ProblemFilesAreNoScenes) {
  EXPECT_EQ(error_of(R"({"format": 1})"), "unsupported 1:1");
  EXPECT_EQ(error_of("metric = [[1]]\nvelocity = [1]"), "missing-field 1:1 format");
  EXPECT_EQ(error_of(""), "missing-field 1:1 format");
}

TEST(SceneErrors, ADiagnosticUnderlinesTheValue) {
  try {
    read(test::changed_scene("radius = 0.5", "radius = -0.5"));
    FAIL();
  } catch (const InputError& error) {
    const std::string text = format_diagnostic(error);
    EXPECT_NE(text.find("\n    |                                     ^^^^\n"), std::string::npos) << text;
  }
}

TEST(SceneErrors, ManyKnownNamesAreNotListed) {
  std::string text =
      "format = 1\n[run]\nduration = 1\n[[fill]]\nname = 'gas'\ncount = 100\nmass = 1\n"
      "shape = { kind = 'sphere', radius = 0.1 }\nbox = [[0, 0, 0], [1, 1, 1]]\n"
      "[[load]]\nbody = 'gas-111'\n";
  EXPECT_EQ(message_of(text), "load.0.body: unknown body 'gas-111'; did you mean 'gas-11'?");
}

}  // namespace
}  // namespace carom::scene::scene_errors_test
