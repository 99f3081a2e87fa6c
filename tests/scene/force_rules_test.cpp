/// What scenes say to the compliant engine: force laws, friction, options of the run.

#include <gtest/gtest.h>

#include "carom/engine/engine_options.h"
#include "carom/laws/friction/registry.h"
#include "carom/laws/normal_force/registry.h"
#include "carom/scene/scene_file.h"
#include "carom/scene/settings.h"
#include "scene/expect_error.h"

namespace carom::scene::force_rules_test {
namespace {

/// A scene of two steel balls with these keys of their pair, from line 8 on.
std::string with_pair(const std::string& keys, const std::string& run = "engine = 'smooth'\n") {
  return "format = 1\n[run]\nduration = 1\n" + run + "[[material]]\nname = 'steel'\n" +
         "[[pair]]\nmaterials = ['steel', 'steel']\n" + keys +
         "\n[[fill]]\nname = 'ball'\ncount = 2\nmass = 1\nmaterial = 'steel'\n"
         "shape = { kind = 'sphere', radius = 0.1 }\nbox = [[0, 0, 0], [1, 1, 1]]\n";
}

SceneFile read(const std::string& text) {
  return read_scene_file(parse_document("s", text));
}
std::string error_of(const std::string& text) {
  return test::error_of([&text] { read(text); });
}
std::string message_of(const std::string& text) {
  return test::message_of([&text] { read(text); });
}

TEST(ForceRules, ReachTheModel) {
  const SceneFile scene = read(with_pair(
      "restitution = 0.9\nstiffness = 1e9\nnormal = 'hunt-crossley-fixed'\nexponent = 1\nreference_speed = 0.5\n"
      "friction = { law = 'threlfall', coefficient = 0.06, saturating = true, rolling = 0.01 }\nquasi_static = true"));
  const ForceRule& rule = scene.model.force_rule(0, 0);
  EXPECT_EQ(rule.normal, "hunt-crossley-fixed");
  EXPECT_EQ(rule.normal_parameters.number("exponent"), 1.0);
  EXPECT_EQ(rule.normal_parameters.number("reference_speed"), 0.5);
  EXPECT_FALSE(rule.normal_parameters.has("stiffness"));
  EXPECT_EQ(rule.friction, "threlfall");
  EXPECT_EQ(rule.friction_parameters.number("coefficient"), 0.06);
  EXPECT_EQ(rule.friction_parameters.number("rolling"), 0.01);
  EXPECT_TRUE(rule.friction_parameters.has("saturating"));
  EXPECT_TRUE(rule.quasi_static);
  EXPECT_EQ(scene.model.rule(0, 0).restitution, 0.9);
  EXPECT_EQ(scene.model.rule(0, 0).stiffness, 1e9);
  EXPECT_TRUE(scene.unused.empty());
}

TEST(ForceRules, TheElasticPairNeedsNoLawAndTheOtherOne) {
  EXPECT_EQ(error_of(with_pair("stiffness = 1")), "accepted");
  EXPECT_EQ(error_of(with_pair("restitution = 0.9")), "missing-field 7:1 pair.0.normal");
  EXPECT_EQ(error_of(with_pair("restitution = 0.9", "")), "accepted");
}

TEST(ForceRules, EachMistakeHasItsKindAndPlace) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"normal = 'herz'", "unknown-name 9:10 pair.0.normal"},
      {"normal = 'hunt-crossley-fixed'", "missing-field 7:1 pair.0.reference_speed"},
      {"normal = 'hertz'\nexponent = 2", "missing-field 7:1 pair.0.stiffness"},
      {"normal = 'hertz'\nexponent = 0.5", "out-of-range 10:12 pair.0.exponent"},
      {"normal = 'kelvin-voigt'", "missing-field 7:1 pair.0.stiffness"},
      {"friction = { coefficient = 0.2 }", "missing-field 9:12 pair.0.friction.law"},
      {"friction = { law = 'ambrosia', coefficient = 0.2 }", "unknown-name 9:20 pair.0.friction.law"},
      {"friction = { law = 'ambrosio' }", "missing-field 9:12 pair.0.friction.coefficient"},
      {"friction = { law = 'ambrosio', coeficient = 0.2 }", "unknown-name 9:32 pair.0.friction.coeficient"},
      {"friction = { law = 'ambrosio', coefficient = -0.2 }", "out-of-range 9:46 pair.0.friction.coefficient"},
      {"friction = { law = 'ambrosio', coefficient = 0.2, v1 = 1e-5 }", "out-of-range 9:56 pair.0.friction.v1"},
      {"friction = { law = 'ambrosio', coefficient = 0.2, v0 = 1 }", "out-of-range 9:56 pair.0.friction.v0"},
      {"friction = { law = 'threlfall', coefficient = 1, saturating = 1 }",
       "wrong-type 9:63 pair.0.friction.saturating"},
      {"friction = { law = 'coulomb', coefficient = 1, v0 = 1 }", "unknown-name 9:48 pair.0.friction.v0"},
  };
  for (const auto& [keys, error] : mistakes) {
    // Whatever the engine is.
    EXPECT_EQ(error_of(with_pair(keys, "rtol = 1e-9\n")), error) << message_of(with_pair(keys, "rtol = 1e-9\n"));
  }
}

TEST(ForceRules, TheRestitutionMustBeOneThatTheLawCanHave) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"normal = 'hertz'\nrestitution = 0.9", "out-of-range 10:15 pair.0.restitution"},
      {"normal = 'kuwabara-kono'\nrelaxation_time = 1e-6\nrestitution = 0.9", "out-of-range 11:15 pair.0.restitution"},
  };
  for (const auto& [keys, error] : mistakes) {
    EXPECT_EQ(error_of(with_pair(keys)), error) << message_of(with_pair(keys));
    EXPECT_EQ(error_of(with_pair(keys, "engine = 'event'\n")), "accepted");
  }
  // None at all means a thousandth (kNoRebound).
  EXPECT_EQ(error_of(with_pair("normal = 'flores'\nrestitution = 0")), "accepted");
}

TEST(ForceRules, MessagesNameTheNearestName) {
  const auto has = [](const std::string& keys, const std::string& part) {
    const std::string message = message_of(with_pair(keys));
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  has("normal = 'herz'", "did you mean 'hertz'?");
  has("friction = { law = 'ambrosia', coefficient = 0.2 }", "did you mean 'ambrosio'?");
  has("friction = { law = 'ambrosio', coeficient = 0.2 }", "did you mean 'coefficient'?");
  has("friction = { law = 'ambrosio', coefficient = 0.2, v1 = 1e-5 }", "expected v1 > v0");
}

TEST(ForceRules, KeysThatTheChosenLawDoesNotUseAreListed) {
  EXPECT_EQ(read(with_pair("normal = 'hertz'\nreference_speed = 1\nstiffness = 1")).unused,
            (std::vector<std::string>{"pair.0.reference_speed"}));
}

TEST(ForceRules, EveryLawOfTheRegistriesCanBeNamed) {
  for (const NormalLaw* const law : normal_laws()) {
    const bool elastic = law->name == "hertz";
    const std::string keys = "normal = '" + std::string(law->name) + "'\nstiffness = 1e9\nreference_speed = 1\n" +
                             (elastic ? "" : "restitution = 0.5\n");
    EXPECT_EQ(error_of(with_pair(keys)), "accepted") << law->name << message_of(with_pair(keys));
  }
  for (const FrictionLaw* const law : friction_laws()) {
    std::string table = "friction = { law = '" + std::string(law->name) + "'";
    // Every one has a coefficient of friction, also where it may be given as static and kinetic instead.
    for (const LawParameter& parameter : law->parameters) {
      if (parameter.required || parameter.name == "coefficient") table += ", " + std::string(parameter.name) + " = 0.5";
    }
    EXPECT_EQ(error_of(with_pair(table + " }")), "accepted") << message_of(with_pair(table + " }"));
  }
}

TEST(ForceRules, NumbersAtTheEndsOfTheRangesAreTakenOrRefused) {
  for (const NormalLaw* const law : normal_laws()) {
    for (const char* const restitution : {"0", "5e-324", "1e-6", "0.9999999999999999", "1"}) {
      for (const char* const number : {"5e-324", "1e-300", "1e308"}) {
        const std::string keys = "normal = '" + std::string(law->name) + "'\nrestitution = " + restitution +
                                 "\nstiffness = " + number + "\nreference_speed = " + number + "\n";
        const std::string error = error_of(with_pair(keys));
        EXPECT_TRUE(error == "accepted" || error.starts_with("out-of-range")) << keys << error;
      }
    }
  }
}

TEST(ForceRules, APartOfTheFrictionCanBeSet) {
  Document document = parse_document("s", with_pair("stiffness = 1"));
  apply_settings(document, std::vector<std::string>{"pair.0.friction.law=coulomb", "pair.0.friction.coefficient=0.3"});
  EXPECT_EQ(read_scene_file(document).model.force_rule(0, 0).friction_parameters.number("coefficient"), 0.3);
}

TEST(ForceRules, ThePlaceOfAPairIsFoundByItsMaterials) {
  const Document document = parse_document("s", with_pair("normal = 'hertz'"));
  const InputError error =
      with_scene_place(InputError(Kind::unsupported, "pair.steel-steel.normal", "a message"), document);
  EXPECT_EQ(error.place().line, 9);
  EXPECT_EQ(error.place().field, "pair.steel-steel.normal");
}

TEST(RunOptions, ReachTheCompliantEngine) {
  const RunOptions run =
      read(
          "format = 1\n[run]\nengine = 'smooth'\nduration = 2\noutput_step = 0.5\nintegrator = 'velocity-verlet'\n"
          "rtol = 1e-5\nstep = 1e-6\nmax_step = 1e-3\nrest_speed = 1e-3\nstop_at_rest = true\n"
          "constraint_method = 'baumgarte'\nbaumgarte_rate = 7\nclusters = false\nevent_location = false\n"
          "settle = false\n")
          .run;
  EXPECT_EQ(run.output_step, 0.5);
  EXPECT_TRUE(run.stop_at_rest);
  const SmoothOptions options = smooth_options(run);
  EXPECT_EQ(options.integrator, "velocity-verlet");
  EXPECT_EQ(options.rtol, 1e-5);
  EXPECT_EQ(options.step, 1e-6);
  EXPECT_EQ(options.max_step, 1e-3);
  EXPECT_EQ(options.duration, 2.0);
  EXPECT_EQ(options.rest_speed, 1e-3);
  EXPECT_EQ(options.constraints, ConstraintMethod::baumgarte);
  EXPECT_EQ(options.baumgarte_rate, 7.0);
  EXPECT_FALSE(options.clusters);
  EXPECT_FALSE(options.locate_events);
  EXPECT_FALSE(options.settle);
}

TEST(RunOptions, DefaultsAreThoseOfTheEngine) {
  const SmoothOptions read_options = smooth_options(read("format = 1\n[run]\nduration = 1\n").run);
  const SmoothOptions defaults;
  EXPECT_EQ(read_options.integrator, defaults.integrator);
  EXPECT_EQ(read_options.rtol, defaults.rtol);
  EXPECT_EQ(read_options.step, defaults.step);
  EXPECT_EQ(read_options.max_step, defaults.max_step);
  EXPECT_EQ(read_options.rest_speed, defaults.rest_speed);
  EXPECT_EQ(read_options.constraints, defaults.constraints);
  EXPECT_EQ(read_options.baumgarte_rate, defaults.baumgarte_rate);
  EXPECT_EQ(read_options.clusters, defaults.clusters);
  EXPECT_EQ(read_options.locate_events, defaults.locate_events);
  EXPECT_EQ(read_options.settle, defaults.settle);
}

TEST(RunOptions, NamesAreChecked) {
  EXPECT_EQ(error_of("format = 1\n[run]\nduration = 1\nintegrator = 'dormand-price'\n"),
            "unknown-name 4:14 run.integrator");
  EXPECT_EQ(error_of("format = 1\n[run]\nduration = 1\nconstraint_method = 'project'\n"),
            "unknown-name 4:21 run.constraint_method");
  EXPECT_EQ(error_of("format = 1\n[run]\nduration = 1\nrtol = 1e-20\n"), "out-of-range 4:8 run.rtol");
}

}  // namespace
}  // namespace carom::scene::force_rules_test
