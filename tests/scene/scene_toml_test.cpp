#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "carom/base/random.h"
#include "carom/scene/scene.h"
#include "scene/sample_scene.h"
#include "scene/scene_bits.h"
#include "support/places.h"
#include "support/property_cases.h"

namespace carom {
namespace {

std::vector<std::filesystem::path> toml_files(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() == ".toml") files.push_back(file.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Written and read again: the same text, and the same scene to the bit.
void expect_round_trip(const Scene& scene) {
  const std::string text = scene.to_toml();
  const Scene again = Scene::parse(text, scene.name());  // files are found beside it
  EXPECT_EQ(again.to_toml(), text);
  EXPECT_EQ(test::scene_bits(again.build()), test::scene_bits(scene.build())) << text;
}

TEST(SceneToml, EveryShippedSceneReadsBackToItself) {
  const auto files = toml_files(test::project_file("scenes"));
  ASSERT_GE(files.size(), 30u);
  for (const auto& file : files) {
    SCOPED_TRACE(file.filename().string());
    const Scene scene = Scene::read(file.string());
    EXPECT_TRUE(scene.check().empty());
    expect_round_trip(scene);
  }
}

TEST(SceneToml, SoDoesEveryStoredSceneOfTheFuzzTargets) {
  int valid = 0;
  for (const auto& file : toml_files(test::project_file("tests/fuzz/corpus"))) {
    SCOPED_TRACE(file.filename().string());
    std::optional<Scene> scene;
    try {
      scene = Scene::parse(text_of(file));
      std::ignore = scene->build();
    } catch (const InputError&) {
      continue;
    }
    ++valid;
    expect_round_trip(*scene);
  }
  EXPECT_GE(valid, 2);
}

TEST(SceneToml, TheSampleSceneKeepsEverySection) {
  expect_round_trip(Scene::parse(std::string(test::kSampleScene)));
}

TEST(SceneToml, WhatIsWrongIsWrittenAllTheSame) {
  const Scene scene =
      Scene::parse("plane = 3\nformat = 1\n'odd key' = 1979-05-27T07:32:00Z\nbody = []\nworld.gravty = 1\n");
  EXPECT_EQ(scene.to_toml(),
            "format = 1\nbody = []\nplane = 3\n\"odd key\" = 1979-05-27T07:32:00Z\n\n[world]\ngravty = 1\n");
  EXPECT_EQ(Scene::parse(scene.to_toml()).check().size(), scene.check().size());
}

/// Text with all that is hard to quote.
std::string random_text(Random& random) {
  constexpr std::string_view kPieces[] = {"a", "Z", "\"", "\\", "\n", "\t", "\r", "\x01",   "\x1f", "\x7f",
                                          "'", "#", "=",  ".",  " ",  "[",  "]",  "{",      "}",    "ü",
                                          "€", "𝄞", "u",  "\b", "-",  "_",  "0",  "\\u0041"};
  std::string text;
  for (int length = random.integer(0, 12); length > 0; --length) {
    text += kPieces[random.integer(0, static_cast<int>(std::size(kPieces)) - 1)];
  }
  return text;
}

double random_double(Random& random) {
  while (true) {
    const auto value = std::bit_cast<double>(random.bits());
    if (std::isfinite(value)) return value;
  }
}

Value random_value(Random& random, int depth) {
  switch (random.integer(0, depth > 3 ? 4 : 6)) {
    case 0: return random.integer(0, 1) == 1;
    case 1: return static_cast<std::int64_t>(random.bits());
    case 2: return random_double(random);
    case 3: return static_cast<double>(random.integer(-3, 3));
    case 4: return random_text(random);
    case 5: {
      List list;
      for (int count = random.integer(0, 4); count > 0; --count) list.push_back(random_value(random, depth + 1));
      return list;
    }
    default: {
      Table table;
      for (int count = random.integer(0, 4); count > 0; --count) {
        table.set(random_text(random), random_value(random, depth + 1));
      }
      return table;
    }
  }
}

TEST(SceneToml, AnyValueReadsBackToItself) {
  Random random(3);
  for (int i = 0; i < test::property_cases(2000); ++i) {
    Scene scene;
    const Value value = random_value(random, 0);
    scene.set("stranger", value);
    const std::string text = scene.to_toml();
    const Scene again = Scene::parse(text, scene.name());  // files are found beside it
    ASSERT_EQ(again.get("stranger"), value) << text;
    ASSERT_EQ(again.to_toml(), text);
  }
}

Value random_vector(Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

/// Many kinds of things with random numbers and names; parts of it are left out at random.
class RandomScene {
 public:
  explicit RandomScene(std::uint64_t seed) : random_(seed) {}

  Scene make() {
    const bool smooth = maybe();
    scene_.set("title", random_text(random_));
    scene_.set("run.duration", random_.uniform(0.1, 9.0));
    scene_.set("run.engine", smooth ? "smooth" : "event");
    if (maybe()) scene_.set("run.seed", random_.integer(0, 1000));
    if (maybe()) scene_.set("run.rtol", std::pow(10.0, random_.uniform(-13, -3)));
    if (maybe()) scene_.set("run.constraint_method", "baumgarte");
    if (maybe()) scene_.set("world.gravity", random_vector(random_, 10.0));
    add_materials();
    for (int i = random_.integer(1, 5); i > 0; --i) add_body();
    for (int i = random_.integer(0, 2); i > 0; --i) add_plane();
    if (maybe())
      scene_.add_rack({{"name", name()}, {"shape", ball()}, {"density", 3}, {"apex", {0, 9, 0}}, {"rows", 3}});
    if (maybe()) {
      scene_.add_fill({{"name", name()},
                       {"count", 9},
                       {"shape", ball()},
                       {"mass", 2},
                       {"jitter", 0.5},
                       {"box", {{0, 0, 0}, {9, 9, random_.uniform(8, 9)}}},
                       {"temperature", 0.1}});
    }
    if (maybe()) scene_.add_cradle({{"name", name()}, {"shape", ball()}, {"mass", 1}, {"length", 3.5}});
    if (maybe()) scene_.add_load({{"body", bodies_[0]}, {"force", random_vector(random_, 5.0)}});
    if (maybe()) {
      scene_.add_spring({{"bodies", List(1, bodies_[0])},
                         {"stiffness", random_.uniform(0.0, 9.0)},
                         {"points", {random_vector(random_, 1.0), random_vector(random_, 1.0)}}});
    }
    if (maybe()) scene_.add_pocket({{"name", name()}, {"position", random_vector(random_, 9.0)}, {"radius", 0.1}});
    if (maybe()) scene_.add_dent({{"on", bodies_[0]}, {"angle_deg", 30}, {"half_width_deg", 5}, {"depth", 1e-5}});
    return scene_;
  }

 private:
  bool maybe() { return random_.integer(0, 1) == 1; }

  /// Unique by its number; without control characters, which names must not have.
  std::string name() {
    std::string text = random_text(random_);
    std::erase_if(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
    return text + std::to_string(++count_);
  }
  Value ball() { return {{"kind", "sphere"}, {"radius", random_.uniform(0.1, 0.2)}}; }

  void add_materials() {
    for (int i = 0; i < 2; ++i) {
      materials_.push_back(name());
      scene_.add_material({{"name", materials_.back()}, {"young", random_.uniform(1e9, 1e11)}, {"poisson", 0.3}});
    }
    for (int i = 0; i < 2; ++i) {
      for (int j = i; j < 2; ++j) {
        Table pair{{"materials", {materials_[i], materials_[j]}}};
        if (maybe()) {
          pair.set("restitution", random_.uniform(0.1, 0.9));
          pair.set("normal", "lankarani-nikravesh");
        }
        if (maybe()) pair.set("friction", {{"coefficient", random_.uniform(0.1, 0.9)}, {"law", "ambrosio"}});
        scene_.add_pair(pair);
      }
    }
  }

  void add_body() {
    bodies_.push_back(name());
    Table body{{"mass", random_.uniform(0.5, 2.0)}, {"shape", ball()}, {"name", bodies_.back()}};
    if (maybe()) body.set("material", materials_[random_.integer(0, 1)]);
    body.set("position", random_vector(random_, 1e3));
    if (maybe()) body.set("orientation", {{"bryan_deg", random_vector(random_, 180.0)}});
    if (maybe()) body.set("velocity", random_vector(random_, 1e-7));
    if (maybe()) body.set("angular_velocity_body", random_vector(random_, 1e5));
    scene_.add_body(body);
  }

  void add_plane() {
    Table plane{{"name", name()}, {"normal", random_vector(random_, 1.0)}, {"point", random_vector(random_, 1.0)}};
    if (maybe()) plane.set("material", materials_[random_.integer(0, 1)]);
    scene_.add_plane(plane);
  }

  Random random_;
  Scene scene_;
  int count_ = 0;
  std::vector<std::string> materials_;
  std::vector<std::string> bodies_;
};

TEST(SceneToml, RandomScenesReadBackToThemselves) {
  for (int i = 0; i < test::property_cases(300); ++i) {
    SCOPED_TRACE(i);
    expect_round_trip(RandomScene(static_cast<std::uint64_t>(i)).make());
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace carom
