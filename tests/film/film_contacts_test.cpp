/// What a film tells of contacts: which corner touches at an event, and what contacts that last do at the samples.

#include <gtest/gtest.h>

#include <numeric>

#include "analysis/scene_run.h"
#include "carom/analysis/contact_words.h"
#include "carom/film/film.h"
#include "carom/film/replay.h"
#include "support/decoded_film.h"

namespace carom {
namespace {

/// A block of 2 kg lies on the floor; beside it a tilted cube falls onto one of its corners.
constexpr const char* kBlockAndCube = R"(
format = 1
[world]
gravity = [0, 0, -10]
[run]
duration = 0.3
output_step = 0.05
[[material]]
name = "wood"
[[pair]]
materials = ["wood", "wood"]
restitution = 0.5
friction = { law = "coulomb", coefficient = 0.4 }
[[body]]
name = "block"
shape = { kind = "box", half_sizes = [0.1, 0.1, 0.1] }
mass = 2
material = "wood"
position = [2, 0, 0.1]
[[body]]
name = "cube"
shape = { kind = "box", half_sizes = [0.1, 0.1, 0.1] }
mass = 1
material = "wood"
position = [0, 0, 0.3]
orientation = { bryan_deg = [30, 20, 0] }
[[plane]]
name = "floor"
normal = [0, 0, 1]
material = "wood"
)";

class FilmContact : public testing::Test {
 protected:
  FilmContact() : scene_(test::record_scene(kBlockAndCube, folder_.file("run.h5"))), record_(folder_.file("run.h5")) {
    FilmBuilder film(scene_, {"run.h5", "1", {}});
    replay(record_, film);
    film.finish("duration", "");
    film_.emplace(film.part());
    // Somebody who has more loads than belong to the samples asked for gets none, and no harm is done.
    strange_.emplace(film.part({.sample = 1, .load = film.counts().load}, 100));
  }

  test::ScratchFolder folder_;
  scene::SceneFile scene_;
  RecordReader record_;
  std::optional<test::DecodedFilm> film_, strange_;
};

TEST_F(FilmContact, HasTheWordsThatTheListOfEventsHas) {
  ContactTeller teller(record_);
  const std::vector<double> a = film_->array("contact.feature_a"), b = film_->array("contact.feature_b");
  const nlohmann::json& words = film_->header()["features"];
  const auto told = [&](double index) {
    return index < 0 ? std::string() : words.at(static_cast<std::size_t>(index)).get<std::string>();
  };
  std::size_t row = 0;
  bool has_corner = false;
  for (const EventRecord& event : record_.events(0, record_.event_count()).events) {
    for (const ContactRecord& contact : event.contacts) {
      ASSERT_LT(row, a.size());
      const ContactWords expected = teller.about(contact, event.time);
      EXPECT_EQ(told(a[row]), expected.feature_a);
      EXPECT_EQ(told(b[row]), expected.feature_b);
      has_corner = has_corner || expected.feature_a.starts_with("corner") || expected.feature_b.starts_with("corner");
      ++row;
    }
  }
  EXPECT_EQ(row, a.size());
  EXPECT_TRUE(has_corner);
}

TEST_F(FilmContact, HasForcesThatBearTheWeight) {
  const std::vector<double> count = film_->array("load_count"), force = film_->array("load.force");
  const std::vector<double> a = film_->array("load.a"), b = film_->array("load.b");
  ASSERT_EQ(count.size(), film_->array("time").size());
  std::size_t row = 0;
  for (std::size_t sample = 0; sample < count.size(); ++sample) {
    double on_block = 0.0;
    for (const auto end = row + static_cast<std::size_t>(count[sample]); row < end; ++row)
      if (a[row] == 0 || b[row] == 0) on_block += force[row];
    EXPECT_NEAR(on_block, 20.0, 1e-5) << sample;  // single precision
  }
  EXPECT_EQ(row, force.size());
  EXPECT_TRUE(strange_->array("load.a").empty());
}

}  // namespace
}  // namespace carom
