#include "carom/film/film.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>

#include "carom/engine/event/event_engine.h"
#include "carom/film/replay.h"
#include "carom/geometry/polyhedron.h"
#include "carom/laws/impact/registry.h"
#include "carom/mechanics/initial_gaps.h"
#include "carom/simulation/record_scene.h"
#include "record/fake_run.h"
#include "support/decoded_film.h"

namespace carom {
namespace {

using Json = nlohmann::json;
using test::DecodedFilm;

scene::SceneFile fake_scene() {
  scene::SceneFile scene;
  scene.title = "three balls";
  scene.model = test::fake_model();
  scene.state = test::fake_state(0);
  scene.run.law = "newton";
  scene.run.duration = 2.0;
  scene.run.output_step = 0.1;
  return scene;
}

Obstacle obstacle(const Shape& shape, const Pose& pose) {
  Obstacle result;
  result.parts = one_part(shape);
  result.pose = pose;
  return result;
}

void append(std::vector<double>& values, const Eigen::Vector3d& v, bool single = true) {
  for (const double x : v) values.push_back(single ? static_cast<double>(static_cast<float>(x)) : x);
}

TEST(Film, HoldsEverySampleByteForByte) {
  FilmBuilder film(fake_scene(), {"run.h5", "9.9", {}});
  std::vector<double> time, position, orientation, velocity, spin, damping;
  for (int i = 0; i < 5; ++i) {
    const State state = test::fake_state(i);
    film.sample(state, test::fake_book(i));
    time.push_back(state.time);
    damping.push_back(test::fake_book(i).damping);
    for (const BodyState& body : state.bodies) {
      append(position, body.position, false);
      const Eigen::Quaterniond& q = body.orientation;
      for (const double x : {q.w(), q.x(), q.y(), q.z()}) orientation.push_back(static_cast<float>(x));
      append(velocity, body.velocity);
      append(spin, body.angular_velocity);
    }
  }
  const DecodedFilm decoded(film.part());
  EXPECT_EQ(decoded.array("time"), time);
  EXPECT_EQ(decoded.array("position"), position);
  EXPECT_EQ(decoded.array("orientation"), orientation);
  EXPECT_EQ(decoded.array("velocity"), velocity);
  EXPECT_EQ(decoded.array("angular_velocity"), spin);
  EXPECT_EQ(decoded.array("energy.damping"), damping);
  // Parts of the energy have different names and different numbers, so that none is taken for another.
  const EnergyBook book = test::fake_book(0);
  const std::map<std::string, double> energies{
      {"kinetic", book.now.kinetic}, {"gravity", book.now.gravity}, {"springs", book.now.springs},
      {"loads", book.now.loads},     {"initial", book.initial},     {"impacts", book.impacts},
      {"cut_off", book.cut_off},     {"wall_work", book.wall_work}, {"torque_work", book.torque_work}};
  for (const auto& [name, value] : energies) EXPECT_EQ(decoded.array("energy." + name)[0], value) << name;
}

TEST(Film, HoldsEveryEventWithItsContactsAndJumps) {
  FilmBuilder film(fake_scene(), {"run.h5", "9.9", {}});
  constexpr int kCount = 40;
  test::tell(film, 0, kCount);
  const DecodedFilm decoded(film.part());
  const auto column = [&decoded](const std::string& name) { return decoded.array(name); };
  const auto time = column("event.time"), kind = column("event.kind"), stop = column("event.stop"),
             law = column("event.law"), round = column("event.round"), steps = column("event.steps"),
             flags = column("event.flags"), before = column("event.energy_before"),
             after = column("event.energy_after"), residual = column("event.complementarity_residual"),
             least = column("event.min_impulse"), rate = column("event.min_gap_rate_after"),
             constraint = column("event.constraint_residual"), first_contact = column("event.first_contact"),
             contacts = column("event.contact_count"), first_jump = column("event.first_jump"),
             jumps = column("event.jump_count");
  const auto a = column("contact.a"), b = column("contact.b"), impulse = column("contact.impulse"),
             rate_before = column("contact.rate_before"), rate_after = column("contact.rate_after"),
             point = column("contact.point"), body = column("jump.body"), spin = column("jump.angular_velocity_after");
  const Json& laws = decoded.header()["scene"]["laws"];
  ASSERT_EQ(time.size(), static_cast<std::size_t>(kCount));
  std::size_t contact = 0;
  std::size_t jump = 0;
  for (std::size_t i = 0; i < time.size(); ++i) {
    const test::FakeEvent fake(static_cast<int>(i));
    const EventRecord& event = fake.event;
    EXPECT_EQ(time[i], event.time);
    EXPECT_EQ(decoded.header()["scene"]["kinds"][static_cast<std::size_t>(kind[i])], event_kind_name(event.kind));
    EXPECT_EQ(decoded.header()["scene"]["stops"][static_cast<std::size_t>(stop[i])], stop_name(event.stop));
    EXPECT_EQ(law[i] < 0 ? "" : laws[static_cast<std::size_t>(law[i])], event.law);
    EXPECT_EQ(round[i], event.round);
    EXPECT_EQ(steps[i], std::min(static_cast<double>(event.steps), 2147483647.0));
    EXPECT_EQ(flags[i], event.flags.bits());
    EXPECT_EQ(before[i], event.energy.before);
    EXPECT_EQ(after[i], event.energy.after);
    EXPECT_EQ(least[i], event.min_impulse);
    EXPECT_EQ(rate[i], event.min_gap_rate_after);
    EXPECT_EQ(constraint[i], event.constraint_residual);
    EXPECT_EQ(std::isnan(residual[i]), !event.complementarity_residual);
    EXPECT_EQ(first_contact[i], static_cast<double>(contact));
    EXPECT_EQ(contacts[i], static_cast<double>(event.contacts.size()));
    EXPECT_EQ(first_jump[i], static_cast<double>(jump));
    EXPECT_EQ(jumps[i], static_cast<double>(event.jumps.size()));
    for (const ContactRecord& expected : event.contacts) {
      EXPECT_EQ(a[contact], expected.a);
      EXPECT_EQ(b[contact], expected.b);
      EXPECT_EQ(impulse[contact], expected.impulse);
      EXPECT_EQ(rate_before[contact], expected.rate_before);
      EXPECT_EQ(rate_after[contact], expected.rate_after);
      EXPECT_EQ(point[3 * contact + 1], static_cast<float>(expected.point.y()));
      ++contact;
    }
    for (const JumpRecord& expected : event.jumps) {
      EXPECT_EQ(body[jump], expected.body);
      EXPECT_EQ(spin[3 * jump + 2], static_cast<float>(expected.angular_velocity_after.z()));
      ++jump;
    }
  }
  EXPECT_EQ(a.size(), contact);
  EXPECT_EQ(body.size(), jump);
}

TEST(Film, NamesTheFlagsInTheOrderOfTheirBits) {
  const DecodedFilm decoded(FilmBuilder(fake_scene(), {}).part());
  const Json& flags = decoded.header()["scene"]["flags"];
  ASSERT_EQ(flags.size(), all_flags().size());
  for (const Flag flag : all_flags()) {
    const auto bit = static_cast<std::size_t>(std::log2(static_cast<double>(static_cast<std::uint32_t>(flag))));
    EXPECT_EQ(flags[bit]["name"], flag_name(flag));
    EXPECT_EQ(flags[bit]["words"], flag_meaning(flag));
  }
}

FilmCounts end_of(const DecodedFilm& part) {
  const Json& first = part.header()["first"];
  const auto rows = [&](const char* column, const char* table) {
    return first.at(table).get<std::size_t>() + part.array(column).size();
  };
  return {rows("time", "sample"),       rows("energy_time", "energy"),       rows("event.time", "event"),
          rows("contact.a", "contact"), rows("jump.body", "jump"),           rows("joint_impulse.joint", "joint"),
          rows("load.a", "load"),       rows("contact.feature_a", "feature")};
}

/// Fetches a film as the page does, in parts of at most so many bytes; joins all arrays.
std::map<std::string, std::vector<double>> fetched(const FilmBuilder& film, std::size_t most_bytes, int& parts) {
  std::map<std::string, std::vector<double>> joined;
  FilmCounts counts;
  for (parts = 1;; ++parts) {
    const DecodedFilm part(film.part(counts, most_bytes));
    EXPECT_EQ(part.header().contains("scene"), counts == FilmCounts{});
    for (const auto& [name, entry] : part.header()["arrays"].items()) {
      for (const double value : part.array(name)) joined[name].push_back(value);
    }
    counts = end_of(part);
    if (part.header()["complete"]) return joined;
    EXPECT_EQ(part.header()["stop"], "running");
    if (parts > 1'000'000) return joined;
  }
}

/// Equal, NaN included.
bool same(const std::vector<double>& x, const std::vector<double>& y) {
  return x.size() == y.size() && std::equal(x.begin(), x.end(), y.begin(), [](double p, double q) {
           return p == q || (std::isnan(p) && std::isnan(q));
         });
}

TEST(Film, PartsJoinedAreTheWhole) {
  FilmBuilder film(fake_scene(), {"run.h5", "9.9", {}});
  test::tell(film, 0, 60);
  film.finish("duration", R"({"stop": "duration"})");
  int whole_parts = 0;
  int parts = 0;
  const auto whole = fetched(film, std::numeric_limits<std::size_t>::max(), whole_parts);
  const auto joined = fetched(film, 1500, parts);
  EXPECT_EQ(whole_parts, 1);
  EXPECT_GT(parts, 5);
  ASSERT_EQ(joined.size(), whole.size());
  for (const auto& [name, values] : whole) EXPECT_TRUE(same(joined.at(name), values)) << name;
}

TEST(Film, APartBeyondTheEndIsTheWholeOfAnotherRun) {
  FilmBuilder film(fake_scene(), {"run.h5", "9.9", {}});
  test::tell(film, 0, 20);
  const DecodedFilm part(film.part({.sample = 1000, .event = 3}));
  EXPECT_TRUE(part.header().contains("scene"));
  EXPECT_EQ(part.header()["first"]["event"], 0);
  EXPECT_EQ(part.array("event.time").size(), 20u);
}

TEST(Film, TellsHowTheRunEnded) {
  FilmBuilder film(fake_scene(), {"run.h5", "9.9", {"run.law=newton"}});
  EXPECT_EQ(DecodedFilm(film.part()).header()["stop"], "running");
  film.finish("at-rest", R"({"energy": {"final": 1.5}})");
  const Json header = DecodedFilm(film.part()).header();
  EXPECT_EQ(header["complete"], true);
  EXPECT_EQ(header["stop"], "at-rest");
  EXPECT_EQ(header["summary"]["energy"]["final"], 1.5);
  EXPECT_EQ(header["scene"]["settings"], Json{"run.law=newton"});
  film.finish("at-rest", "no JSON");
  EXPECT_TRUE(DecodedFilm(film.part()).header()["summary"].is_null());
}

TEST(Film, HostileNamesComeBackAsTheyAre) {
  scene::SceneFile scene = fake_scene();
  const std::string hostile = "</script><script>alert(1)</script>\"\\\n\xE2\x80\xA8{}";
  scene.title = hostile;
  scene.model.bodies[1].name = hostile;
  const Json header = DecodedFilm(FilmBuilder(scene, {hostile, "1", {hostile}}).part()).header();
  EXPECT_EQ(header["name"], hostile);
  EXPECT_EQ(header["scene"]["title"], hostile);
  EXPECT_EQ(header["scene"]["objects"][1]["name"], hostile);
  EXPECT_EQ(header["scene"]["settings"][0], hostile);
  EXPECT_EQ(DecodedFilm(FilmBuilder(scene, {"\xFF.h5", "1", {}}).part()).header()["name"], "\xEF\xBF\xBD.h5");
}

TEST(Film, ShowsEveryShapeWithTheKeysOfTheSceneFormat) {
  scene::SceneFile scene;
  const std::vector<Eigen::Vector3d> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const auto hull = std::make_shared<const Polyhedron>(corners, "vertices");
  Json vertices = Json::array(), faces = Json::array();
  for (const Eigen::Vector3d& v : hull->vertices()) vertices.push_back(Json::array({v.x(), v.y(), v.z()}));
  for (int face = 0; face < 4; ++face) {
    Json numbers = Json::array();
    for (const int corner : hull->corners(face)) numbers.push_back(corner);
    faces.push_back(numbers);
  }
  const std::pair<Shape, Json> shapes[] = {
      {Sphere{0.5}, {{"kind", "sphere"}, {"radius", 0.5}}},
      {Ellipsoid{{1, 2, 3}}, {{"kind", "ellipsoid"}, {"semi_axes", {1.0, 2.0, 3.0}}}},
      {Box{{1, 2, 3}}, {{"kind", "box"}, {"half_sizes", {1.0, 2.0, 3.0}}}},
      {Cylinder{0.5, 2}, {{"kind", "cylinder"}, {"radius", 0.5}, {"half_length", 2.0}}},
      {Prism{{{{0, 0}, {1, 0}, {0, 1}}}, 2},
       {{"kind", "prism"}, {"vertices", {{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}}}, {"half_length", 2.0}}},
      {HalfSpace{}, {{"kind", "plane"}}},
      {Bore{0.5, 2}, {{"kind", "bore"}, {"radius", 0.5}, {"half_length", 2.0}}},
      {Shell{0.5}, {{"kind", "shell"}, {"radius", 0.5}}},
      {Capsule{0.5, 2}, {{"kind", "capsule"}, {"radius", 0.5}, {"half_length", 2.0}}},
      {Cone{0.5, 2}, {{"kind", "cone"}, {"radius", 0.5}, {"height", 2.0}}},
      {HalfCylinder{0.5, 2}, {{"kind", "half_cylinder"}, {"radius", 0.5}, {"half_length", 2.0}}},
      {Rod{2}, {{"kind", "rod"}, {"half_length", 2.0}}},
      {Convex{hull}, {{"kind", "convex"}, {"vertices", vertices}, {"faces", faces}}}};
  static_assert(std::size(shapes) == kShapeKinds);
  for (const auto& [shape, json] : shapes) scene.model.obstacles.push_back(obstacle(shape, {}));
  const Json objects = DecodedFilm(FilmBuilder(scene, {}).part()).header()["scene"]["objects"];
  for (std::size_t i = 0; i < std::size(shapes); ++i) EXPECT_EQ(objects[i]["shape"], shapes[i].second);
}

TEST(Film, ShowsPartsWithTheirPlaces) {
  scene::SceneFile scene;
  Obstacle two = obstacle(Sphere{0.5}, {});
  two.parts = {{Sphere{0.5}, {}}, {Box{{1, 2, 3}}, {{0, 0, 4}, Eigen::Quaterniond(0.6, 0, 0, 0.8)}}};
  scene.model.obstacles = {two};
  const Json shape = DecodedFilm(FilmBuilder(scene, {}).part()).header()["scene"]["objects"][0]["shape"];
  EXPECT_EQ(shape["kind"], "compound");
  EXPECT_EQ(shape["parts"].size(), 2u);
  EXPECT_EQ(shape["parts"][0]["shape"]["kind"], "sphere");
  EXPECT_EQ(shape["parts"][0]["position"], Json::array({0.0, 0.0, 0.0}));
  EXPECT_EQ(shape["parts"][1]["shape"]["kind"], "box");
  EXPECT_EQ(shape["parts"][1]["position"], Json::array({0.0, 0.0, 4.0}));
  EXPECT_EQ(shape["parts"][1]["orientation"], Json::array({0.6, 0.0, 0.0, 0.8}));
}

TEST(FilmGaps, AreThoseOfTheGeometryAtEverySample) {
  scene::SceneFile scene = fake_scene();
  scene.model.obstacles[1].pose.position = {0, 0, -3};
  scene.model.obstacles[1].velocity = {0, 0, 0.5};
  FilmBuilder film(scene, {});
  for (int i = 0; i < 4; ++i) film.sample(test::fake_state(i), {});
  const DecodedFilm decoded(film.part());
  const Json& pairs = decoded.header()["scene"]["gaps"];
  const std::vector<double> gaps = decoded.array("gap");
  ASSERT_EQ(pairs.size(), 9u);  // 3 pairs of bodies, and each body with 2 planes
  ASSERT_EQ(gaps.size(), 4u * 9u);
  for (int i = 0; i < 4; ++i) {
    const auto expected = initial_gaps(scene.model, test::fake_state(i));
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const auto at = std::find_if(expected.begin(), expected.end(), [&](const InitialGap& gap) {
        return gap.a == pairs[k][0].get<int>() && gap.b == pairs[k][1].get<int>();
      });
      ASSERT_NE(at, expected.end());
      EXPECT_EQ(gaps[static_cast<std::size_t>(i) * 9 + k], at->nearest.distance);
    }
  }
}

TEST(FilmGaps, OfManyBodiesTheNearestAreShown) {
  scene::SceneFile scene;
  for (int i = 0; i < 150; ++i) {
    Body body;
    body.parts = one_part(Sphere{0.1 + 0.01 * (i % 7)});
    scene.model.bodies.push_back(body);
    BodyState state;
    state.position = {std::sin(12.9 * i) * 5, std::sin(78.2 * i + 1) * 5, std::sin(37.7 * i + 2) * 5};
    scene.state.bodies.push_back(state);
  }
  scene.model.obstacles.push_back(obstacle(HalfSpace{}, half_space_pose({0, 0, 1}, {0, 0, -5.2})));
  std::vector<InitialGap> all = initial_gaps(scene.model, scene.state);
  std::sort(all.begin(), all.end(),
            [](const InitialGap& p, const InitialGap& q) { return p.nearest.distance < q.nearest.distance; });
  const auto pairs = nearest_pairs(scene.model, scene.state, kMostGaps);
  ASSERT_EQ(pairs.size(), kMostGaps);
  double largest = -1e9;
  for (const ObjectPair& pair : pairs) largest = std::max(largest, gap(scene.model, scene.state, pair));
  EXPECT_EQ(largest, all[kMostGaps - 1].nearest.distance);
}

/// Keeps what it is told as a list of words.
class Listener final : public Observer {
 public:
  void sample(const State& state, const EnergyBook& /*book*/) override { told.emplace_back("sample", state.time); }
  void event(const EventRecord& event) override { told.emplace_back("event", event.time); }
  void progress(double /*time*/, long /*events*/) override {}
  std::vector<std::pair<std::string, double>> told;
};

class Replayed : public testing::Test {
 protected:
  [[nodiscard]] RecordReader record(int events) const {
    RecordWriter writer(folder_.file("run.h5"), test::fake_model(), test::fake_header());
    test::tell(writer, 0, events);
    writer.finish(RunStop::duration, "{}");
    return RecordReader(folder_.file("run.h5"));
  }

 private:
  test::ScratchFolder folder_;
};

TEST_F(Replayed, ARecordGivesTheFilmOfItsRun) {
  FilmBuilder live(fake_scene(), {"run.h5", "1", {}});
  FilmBuilder replayed(fake_scene(), {"run.h5", "1", {}});
  test::tell(live, 0, 9000);
  RecordReader reader = record(9000);
  const ReplayPosition end = replay(reader, replayed);
  EXPECT_EQ(end.event, 9000u);
  EXPECT_EQ(end.sample, 900u);
  EXPECT_EQ(live.part(), replayed.part());
}

TEST_F(Replayed, GoesOnWhereItStopped) {
  FilmBuilder live(fake_scene(), {"run.h5", "1", {}});
  FilmBuilder replayed(fake_scene(), {"run.h5", "1", {}});
  test::tell(live, 0, 70);
  ReplayPosition position;
  for (const int events : {5, 30, 30, 70}) {
    RecordReader reader = record(events);
    position = replay(reader, replayed, {}, position);
  }
  EXPECT_EQ(live.part(), replayed.part());
}

TEST_F(Replayed, InOrderOfTime) {
  RecordReader reader = record(45);
  Listener listener;
  replay(reader, listener);
  EXPECT_EQ(listener.told.front().first, "sample");
  EXPECT_TRUE(std::is_sorted(listener.told.begin(), listener.told.end(),
                             [](const auto& p, const auto& q) { return p.second < q.second; }));
  EXPECT_EQ(listener.told.size(), 45u + 5u);
}

TEST_F(Replayed, AnExcerptIsCutAndThinnedAndKeepsItsLastSample) {
  RecordReader reader = record(100);  // samples at 0, 0.1, … 0.9, events every 0.01
  Listener listener;
  replay(reader, listener, {.span = {0.145, 0.755}, .every = 4});
  std::vector<double> samples;
  for (const auto& [what, time] : listener.told) {
    EXPECT_TRUE(0.145 <= time && time <= 0.755);
    if (what == "sample") samples.push_back(std::round(10 * time));
  }
  EXPECT_EQ(samples, (std::vector<double>{2, 6, 7}));
  EXPECT_EQ(listener.told.size(), 3u + 61u);
}

TEST(Film, GrowsWhileOthersTakeParts) {
  FilmBuilder film(fake_scene(), {"run.h5", "1", {}});
  std::thread run([&film] {
    test::tell(film, 0, 3000);
    film.finish("duration", "{}");
  });
  int parts = 0;
  const auto joined = fetched(film, std::numeric_limits<std::size_t>::max(), parts);
  run.join();
  FilmBuilder other(fake_scene(), {"run.h5", "1", {}});
  test::tell(other, 0, 3000);
  const DecodedFilm whole(other.part());
  for (const auto& [name, values] : joined) EXPECT_TRUE(same(values, whole.array(name))) << name;
}

}  // namespace
}  // namespace carom
