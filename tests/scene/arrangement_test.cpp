/// Bodies of fills, racks and cradles that differ, and changes of single ones.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "carom/mechanics/initial_gaps.h"
#include "carom/scene/scene.h"
#include "carom/scene/scene_file.h"
#include "scene/expect_error.h"

namespace carom::scene::arrangement_test {
namespace {

using Eigen::Vector3d;

const std::string kHead = "format = 1\n[run]\nduration = 1\nseed = 7\n";
const std::string kCradle = kHead + "[[cradle]]\nname = 'c'\nlength = 1\n";
const std::string kRack = kHead + "[[rack]]\nname = 'r'\napex = [0, 0, 0]\n";
const std::string kFill = kHead + "[[fill]]\nname = 'f'\ncount = 50\nbox = [[0, 0, 0], [1, 1, 1]]\n";

SceneFile read(const std::string& text) {
  return read_scene_file(parse_document("s", text));
}

double radius_of(const SceneFile& scene, std::size_t body) {
  return bounding_radius(scene.model.bodies[body].parts);
}

double distance(const SceneFile& scene, std::size_t a, std::size_t b) {
  return (scene.state.bodies[a].position - scene.state.bodies[b].position).norm();
}

/// Least gap of any two bodies.
double least_gap(const SceneFile& scene) {
  double least = 1e300;
  for (std::size_t i = 0; i < scene.model.bodies.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      least = std::min(least, distance(scene, i, j) - radius_of(scene, i) - radius_of(scene, j));
  return least;
}

TEST(Arrangement, ACradleOfDifferentBallsTouchesAtOneHeight) {
  const SceneFile scene = read(kCradle +
                               "count = 4\nraised = 0\nshape = { kind = 'sphere', radius = [0.1, 0.2, 0.05, 0.1] }\n"
                               "mass = { from = 1, to = 4 }\n");
  ASSERT_EQ(scene.model.bodies.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_DOUBLE_EQ(scene.model.bodies[i].mass, 1.0 + static_cast<double>(i));
    EXPECT_DOUBLE_EQ(scene.model.bodies[i].inertia.x(),
                     0.4 * scene.model.bodies[i].mass * radius_of(scene, i) * radius_of(scene, i));
    EXPECT_EQ(scene.state.bodies[i].position.z(), -1.0);
    if (i > 0) {
      EXPECT_NEAR(distance(scene, i, i - 1), radius_of(scene, i) + radius_of(scene, i - 1), 1e-15);
    }
  }
  EXPECT_NEAR(scene.state.bodies[3].position.x(), 0.1 + 0.2 + 0.2 + 0.05 + 0.05 + 0.1, 1e-15);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto& rod = std::get<RodConstraint>(scene.model.constraints[i]);
    EXPECT_EQ(rod.body, static_cast<int>(i));
    EXPECT_NEAR((rod.pivot - scene.state.bodies[i].position - Vector3d::UnitZ()).norm(), 0.0, 1e-15);
  }
}

TEST(Arrangement, ARaisedCradleOfDifferentBallsDoesNotOverlap) {
  const SceneFile scene = read(kCradle +
                               "count = 5\nraised = 2\ngap = 1e-3\n"
                               "shape = { kind = 'sphere', radius = { from = 0.02, to = 0.1 } }\ndensity = 7800\n");
  EXPECT_NEAR(least_gap(scene), 1e-3, 1e-14);
  EXPECT_NEAR(scene.model.bodies[4].mass / scene.model.bodies[0].mass, 125.0, 1e-10);
}

TEST(Arrangement, ARackOfDifferentBallsHasNoOverlapAndOneTouchingPair) {
  const SceneFile scene = read(kRack +
                               "rows = 4\nmass = 1\n"
                               "shape = { kind = 'sphere', radius = { min = 0.02, max = 0.04 } }\n");
  ASSERT_EQ(scene.model.bodies.size(), 10u);
  EXPECT_NEAR(least_gap(scene), 0.0, 1e-15);
  EXPECT_NO_THROW(require_no_overlap(scene.model, scene.state));
  std::set<double> radii;
  for (std::size_t i = 0; i < 10; ++i) {
    radii.insert(radius_of(scene, i));
    EXPECT_GE(radius_of(scene, i), 0.02);
    EXPECT_LE(radius_of(scene, i), 0.04);
  }
  EXPECT_EQ(radii.size(), 10u);
  // One large ball in the middle needs room for itself.
  const SceneFile one = read(kRack + "rows = 3\nmass = 1\nshape = { kind = 'sphere', radius = [1, 1, 1, 1, 3, 1] }\n");
  EXPECT_NEAR(distance(one, 0, 1), 4.0, 1e-14);
  EXPECT_NEAR(least_gap(one), 0.0, 1e-14);
  // Two large balls that are not neighbours would meet across the small ones between them.
  const SceneFile two =
      read(kRack + "rows = 3\nmass = 1\nshape = { kind = 'sphere', radius = [10, 0.1, 0.1, 0.1, 10, 0.1] }\n");
  EXPECT_NEAR(least_gap(two), 0.0, 1e-13);
  EXPECT_NEAR(distance(two, 0, 1), 20.0 / std::sqrt(3.0), 1e-13);
}

TEST(Arrangement, AFillOfDifferentBodiesHasNoOverlapAndNoMomentum) {
  for (const char* const shape :
       {"shape = { kind = 'sphere', radius = { min = 0.01, max = 0.1, distribution = 'log-uniform' } }\n",
        "shape = { kind = 'ellipsoid', semi_axes = [0.02, 0.04, 0.08] }\nscale = { min = 0.5, max = 1.2, seed = 3 "
        "}\n"}) {
    const SceneFile scene = read(kFill + "jitter = 1\ntemperature = 2\ndensity = { from = 1, to = 3 }\n" + shape);
    ASSERT_EQ(scene.model.bodies.size(), 50u);
    EXPECT_GE(least_gap(scene), -1e-15);
    Vector3d momentum = Vector3d::Zero();
    double energy = 0.0, largest = 0.0;
    for (std::size_t i = 0; i < 50; ++i) {
      const double mass = scene.model.bodies[i].mass;
      momentum += mass * scene.state.bodies[i].velocity;
      energy += mass * scene.state.bodies[i].velocity.squaredNorm() / 50.0;
      largest = std::max(largest, mass);
      EXPECT_GE((scene.state.bodies[i].position.array() - radius_of(scene, i)).minCoeff(), -1e-15);
      EXPECT_LE((scene.state.bodies[i].position.array() + radius_of(scene, i)).maxCoeff(), 1.0 + 1e-15);
    }
    EXPECT_NEAR(energy, 6.0, 1e-13);
    EXPECT_LE(momentum.norm(), 1e-12 * std::sqrt(largest * energy) * 50.0);
  }
}

TEST(Arrangement, AScaleMultipliesEveryLengthOfTheShape) {
  const SceneFile scene = read(kHead +
                               "[[fill]]\nname = 'f'\ncount = 3\nbox = [[0, 0, 0], [9, 9, 9]]\ndensity = 2\n"
                               "shape = { kind = 'box', half_sizes = [0.1, 0.2, 0.3] }\nscale = [1, 2, 0.5]\n");
  EXPECT_DOUBLE_EQ(scene.model.bodies[0].mass, 2 * 8 * 0.1 * 0.2 * 0.3);
  EXPECT_DOUBLE_EQ(scene.model.bodies[1].mass, 8.0 * scene.model.bodies[0].mass);
  EXPECT_DOUBLE_EQ(radius_of(scene, 2), 0.5 * radius_of(scene, 0));
}

TEST(Arrangement, EqualBodiesAreThoseOfAListOfEqualNumbers) {
  const std::string keys = "jitter = 0.7\nspeed = 3\n";
  const SceneFile one = read(kFill + keys + "mass = 2\nshape = { kind = 'sphere', radius = 0.05 }\n");
  const SceneFile same = read(kFill + keys +
                              "mass = { from = 2, to = 2 }\n"
                              "shape = { kind = 'sphere', radius = { min = 0.05, max = 0.05 } }\n");
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(one.state.bodies[i].position, same.state.bodies[i].position);
    EXPECT_EQ(one.state.bodies[i].velocity, same.state.bodies[i].velocity);
    EXPECT_EQ(one.model.bodies[i].mass, same.model.bodies[i].mass);
  }
}

TEST(Arrangement, RandomNumbersAreThoseOfTheSeedAndIndependentOfEachOther) {
  const auto masses = [](const std::string& text) {
    std::vector<double> list;
    for (const Body& body : read(text).model.bodies) list.push_back(body.mass);
    return list;
  };
  const std::string keys = "shape = { kind = 'sphere', radius = { min = 0.01, max = 0.02 } }\n";
  const std::string random = kFill + keys + "mass = { min = 0.01, max = 0.02 }\n";
  EXPECT_EQ(masses(random), masses(random));
  EXPECT_NE(masses(random), masses(kFill + keys + "mass = { min = 0.01, max = 0.02 }\nseed = 8\n"));
  EXPECT_EQ(masses(random), masses(kFill + keys + "mass = { min = 0.01, max = 0.02, seed = 7 }\nseed = 8\n"));
  const SceneFile scene = read(random);
  double covariance = 0.0;
  for (std::size_t i = 0; i < 50; ++i)
    covariance += (scene.model.bodies[i].mass - 0.015) * (radius_of(scene, i) - 0.015) / 50.0;
  EXPECT_LT(std::abs(covariance), 0.5 * 1e-4 / 12.0);  // half of what equal numbers would have
}

TEST(Arrangement, EveryMistakeIsShownWhereItStands) {
  const auto error = [](const std::string& keys) { return test::error_of([&keys] { read(kCradle + keys); }); };
  const std::string ball = "shape = { kind = 'sphere', radius = 0.1 }\n";
  EXPECT_EQ(error(ball + "mass = [1, 2, 3]"), "size-mismatch 9:8 cradle.c.mass");
  EXPECT_EQ(error(ball + "mass = [1, 2, 3, 4, 0]"), "out-of-range 9:21 cradle.c.mass.4");
  EXPECT_EQ(error(ball + "mass = { from = 1 }"), "missing-field 9:8 cradle.c.mass.to");
  EXPECT_EQ(error(ball + "mass = { from = 1, to = 0 }"), "out-of-range 9:25 cradle.c.mass.to");
  EXPECT_EQ(error(ball + "mass = { min = 2, max = 1 }"), "out-of-range 9:25 cradle.c.mass.max");
  EXPECT_EQ(error(ball + "mass = { from = 2, max = 1 }"), "unknown-name 9:20 cradle.c.mass.max");
  EXPECT_EQ(error(ball + "mass = { least = 2 }"), "unknown-name 9:10 cradle.c.mass.least");
  EXPECT_EQ(error(ball + "mass = {}"), "missing-field 9:8 cradle.c.mass.from");
  EXPECT_EQ(error(ball + "mass = { min = 1, max = 2, distribution = 'unifrm' }"),
            "unknown-name 9:43 cradle.c.mass.distribution");
  EXPECT_EQ(error("shape = { kind = 'sphere', radius = [1, 2] }\nmass = 1"),
            "size-mismatch 8:37 cradle.c.shape.radius");
  EXPECT_EQ(test::message_of([&] { read(kCradle + ball + "mass = [1, 2, 3]"); }),
            "cradle.c.mass has 3 entries, expected 5, one for each body");
  EXPECT_EQ(test::error_of(
                [] { read(kFill + "mass = 1\nshape = { kind = 'sphere', radius = { from = 0.01, to = 0.2 } }\n"); }),
            "out-of-range 8:7 fill.f.box");
}

TEST(Arrangement, SurviveWritingAndReading) {
  const Scene scene = Scene::parse(kFill +
                                   "mass = { max = 2, min = 1, seed = 5 }\n"
                                   "shape = { radius = { min = 0.01, max = 0.02 }, kind = 'sphere' }\n"
                                   "changes = [{ mass = 4, name = 'f-3' }]\n");
  const Scene again = Scene::parse(scene.to_toml());
  EXPECT_EQ(scene.to_toml(), again.to_toml());
  const SceneFile a = scene.build(), b = again.build();
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(a.model.bodies[i].mass, b.model.bodies[i].mass);
    EXPECT_EQ(radius_of(a, i), radius_of(b, i));
  }
  EXPECT_EQ(a.model.bodies[3].mass, 4.0);
}

// ------------------------------------------------------------------------------------------------ changes

const std::string kGas = kFill +
                         "speed = 1\njitter = 1\nmass = 2\nshape = { kind = 'sphere', radius = 0.05 }\n"
                         "[[material]]\nname = 'steel'\n[[pair]]\nmaterials = ['steel', 'steel']\n";

TEST(ArrangementChanges, AnArrangedBodyIsChangedByItsName) {
  Scene scene = Scene::parse(kGas);
  scene.set("body.f-3.mass=5");
  scene.set("body.f-4.material", "steel");
  scene.set("body.f-5.position", {3, 4, 5});
  scene.set("body.f-6.velocity.2=7.5");
  scene.set("body.f-7.shape.radius", 0.01);
  scene.set("body.f-8.angular_velocity=[1, 2, 3]");
  scene.set("body.f-9.density=1000");
  const SceneFile plain = read(kGas), changed = scene.build();
  for (std::size_t i = 0; i < 50; ++i) {
    if (i != 3 && i != 9) {
      EXPECT_EQ(changed.model.bodies[i].mass, 2.0) << i;
    }
    if (i != 7) {
      EXPECT_EQ(radius_of(changed, i), 0.05) << i;
    }
    if (i != 5) {
      EXPECT_EQ(changed.state.bodies[i].position, plain.state.bodies[i].position) << i;
    }
    if (i != 6) {
      EXPECT_EQ(changed.state.bodies[i].velocity, plain.state.bodies[i].velocity) << i;
    }
    EXPECT_EQ(changed.model.bodies[i].material, i == 4 ? 0 : kNone) << i;
    EXPECT_EQ(changed.model.bodies[i].name, plain.model.bodies[i].name);
  }
  EXPECT_EQ(changed.model.bodies[3].mass, 5.0);
  EXPECT_DOUBLE_EQ(changed.model.bodies[3].inertia.x(), 0.4 * 5.0 * 0.05 * 0.05);
  EXPECT_EQ(changed.state.bodies[5].position, Vector3d(3, 4, 5));
  const Vector3d velocity = plain.state.bodies[6].velocity;
  EXPECT_EQ(changed.state.bodies[6].velocity, Vector3d(velocity.x(), velocity.y(), 7.5));
  EXPECT_EQ(radius_of(changed, 7), 0.01);
  EXPECT_EQ(changed.state.bodies[8].angular_velocity, Vector3d(1, 2, 3));
  EXPECT_NEAR(changed.model.bodies[9].mass, 1000.0 * 4.0 / 3.0 * M_PI * 0.05 * 0.05 * 0.05, 1e-12);
  EXPECT_EQ(double(scene.get("body.f-3.mass").number()), 5.0);
  EXPECT_TRUE(scene.get("body.f-30.mass").is_none());
}

TEST(ArrangementChanges, AreWrittenReadAndForgotten) {
  Scene scene = Scene::parse(kGas);
  const std::string before = scene.to_toml();
  scene.set("body.f-3.mass=5");
  scene.set("body.f-3.velocity.0=1");
  const SceneFile first = scene.build();
  EXPECT_NE(scene.to_toml().find("changes = [{ name = \"f-3\", mass = 5, velocity = "), std::string::npos)
      << scene.to_toml();
  const SceneFile again = Scene::parse(scene.to_toml()).build();
  EXPECT_EQ(again.model.bodies[3].mass, 5.0);
  EXPECT_EQ(again.state.bodies[3].velocity, first.state.bodies[3].velocity);
  // The text and the settings of a record give the same.
  Scene recorded = Scene::parse(scene.text());
  for (const std::string& setting : scene.settings()) recorded.set(setting);
  EXPECT_EQ(recorded.to_toml(), scene.to_toml());
  scene.set("body.f-3.mass", Value());
  scene.set("body.f-3.velocity", Value());
  EXPECT_EQ(scene.to_toml(), before);
}

TEST(ArrangementChanges, OfACradleAndARackCountFromOne) {
  Scene scene = Scene::parse(kHead +
                             "[[cradle]]\nname = 'c'\nlength = 1\nmass = 1\nshape = { kind = 'sphere', radius = 0.1 }\n"
                             "[[rack]]\nname = 'r'\napex = [9, 9, 9]\nmass = 1\nrows = 2\nplanar = true\n"
                             "shape = { kind = 'sphere', radius = 0.1 }\n");
  scene.set("body.c-5.mass=2");
  scene.set("body.r-3.mass=3");
  scene.set("body.c-2", {{"mass", 7}});
  std::vector<std::pair<std::string, double>> masses;
  for (const Body& body : scene.build().model.bodies) masses.emplace_back(body.name, body.mass);
  EXPECT_EQ(masses,
            (std::vector<std::pair<std::string, double>>{
                {"r-1", 1}, {"r-2", 1}, {"r-3", 3}, {"c-1", 1}, {"c-2", 7}, {"c-3", 1}, {"c-4", 1}, {"c-5", 2}}));
}

TEST(ArrangementChanges, OfABodyThatThereIsNotNameThoseThereAre) {
  Scene scene = Scene::parse(kGas);
  const std::string before = scene.to_toml();
  EXPECT_EQ(test::message_of([&] { scene.set("body.f-50.mass=1"); }),
            "--set body.f-50.mass: there is no body 'f-50', the fill 'f' has f-0 to f-49");
  EXPECT_EQ(test::message_of([&] { scene.set("body.f-3.maas=1"); }).substr(0, 60),
            "--set body.f-3.maas: unknown key 'maas'; did you mean 'mass'");
  EXPECT_EQ(test::message_of([&] { scene.set("body.g-3.mass=1"); }),
            "--set body.g-3.mass: unknown body 'g-3'; known: f-0 to f-49");
  EXPECT_EQ(test::error_of([&] { scene.set("body.f-03.mass=1"); }).substr(0, 5), "usage");
  EXPECT_EQ(test::error_of([&] { scene.set("body.f-3=1"); }).substr(0, 5), "usage");
  EXPECT_EQ(test::error_of([&] { scene.set("body.f-3.mass.x=1"); }).substr(0, 5), "usage");
  EXPECT_EQ(scene.to_toml(), before);
  const Scene wrong = Scene::parse(kFill + "mass = 2\nshape = { kind = 'sphere', radius = 0.05 }\n" +
                                   "changes = [{ name = 'f-50', mass = 1 }]\n");
  EXPECT_EQ(test::error_of([&] { (void)wrong.build(); }), "unknown-name 11:21 body.f-50.name");
}

TEST(ArrangementChanges, APartOfAPositionBelongsToTheCentreAWholeOneToTheShape) {
  const std::string cones = kFill + "mass = 2\nshape = { kind = 'cone', radius = 0.05, height = 0.08 }\n";
  Scene scene = Scene::parse(cones + "[[spring]]\nbodies = ['f-5']\nstiffness = 1\npoints = [[0, 0, 0], [1, 1, 1]]\n");
  scene.set("body.f-3.position.0=0.4");
  scene.set("body.f-4.position=[3, 4, 5]");
  const SceneFile plain = read(cones), changed = scene.build();
  const Vector3d& before = plain.state.bodies[3].position;
  EXPECT_EQ(changed.state.bodies[3].position, Vector3d(0.4, before.y(), before.z()));
  EXPECT_NEAR((changed.state.bodies[4].position - Vector3d(3, 4, 5.02)).norm(), 0.0,
              1e-15);  // at a quarter of the height
  EXPECT_NEAR((changed.model.springs[0].point_a - Vector3d(0, 0, -0.02)).norm(), 0.0, 1e-15);
  const SceneFile again = Scene::parse(scene.to_toml()).build();
  EXPECT_EQ(again.state.bodies[3].position, changed.state.bodies[3].position);
}

TEST(ArrangementChanges, SayWhoIsMetToo) {
  Scene scene = Scene::parse(kFill + "mass = 2\nshape = { kind = 'sphere', radius = 0.05 }\ngroups = ['cold']\n");
  scene.set("body.f-3.groups", List(1, "hot"));
  scene.set("body.f-4.avoid", List(1, "hot"));
  const SceneFile file = scene.build();
  EXPECT_EQ(file.model.bodies[3].groups.names, std::vector<std::string>{"hot"});
  EXPECT_EQ(file.model.bodies[4].groups.names, std::vector<std::string>{"cold"});
  EXPECT_EQ(file.model.bodies[4].groups.avoided, std::vector<std::string>{"hot"});
  EXPECT_TRUE(scene.check().empty());
}

TEST(ArrangementChanges, AWrongValueIsShownWhereItWasSet) {
  Scene scene = Scene::parse(kGas);
  scene.set("body.f-3.mass=-1");
  scene.set("body.f-4.material=iron");
  const std::vector<InputError> complaints = scene.check();
  ASSERT_EQ(complaints.size(), 1u);
  EXPECT_EQ(std::string(complaints[0].what()), "body.f-3.mass is -1, expected a number > 0");
  EXPECT_EQ(complaints[0].place().text, "body.f-3.mass=-1");
  scene.set("body.f-3.mass=1");
  ASSERT_EQ(scene.check().size(), 1u);
  EXPECT_EQ(scene.check()[0].place().field, "body.f-4.material");
}

}  // namespace
}  // namespace carom::scene::arrangement_test
