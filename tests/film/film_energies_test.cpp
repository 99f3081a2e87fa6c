/// Energies of a film, at jumps and between rows, against the quantities of its record.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/scene_run.h"
#include "carom/analysis/quantity_reader.h"
#include "carom/film/film.h"
#include "carom/film/replay.h"
#include "support/decoded_film.h"

namespace carom {
namespace {

/// A ball falls onto a floor beside a box that tumbles freely; samples are few.
constexpr const char* kScene = R"(
format = 1
[world]
gravity = [0, 0, -9.81]
[run]
duration = 1.1
output_step = 0.2
[[material]]
name = "rubber"
[[pair]]
materials = ["rubber", "rubber"]
restitution = 0.9
[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.1 }
mass = 1
material = "rubber"
position = [0, 0, 1.1]
[[body]]
name = "box"
shape = { kind = "box", half_sizes = [0.1, 0.2, 0.3] }
mass = 2
material = "rubber"
position = [3, 0, 50]
angular_velocity = [2, 5, 1]
[[plane]]
name = "floor"
normal = [0, 0, 1]
material = "rubber"
)";

class FilmEnergy : public testing::Test {
 protected:
  FilmEnergy() : scene_(test::record_scene(kScene, folder_.file("run.h5"))), record_(folder_.file("run.h5")) {
    FilmBuilder film(scene_, {"run.h5", "1", {}});
    replay(record_, film);
    film_.emplace(film.part());
    time_ = film_->array("energy_time");
  }

  /// As the page finds it.
  [[nodiscard]] double at(const std::string& name, double time, Side side) const {
    const std::vector<double> values = film_->array("energy." + name), bends = film_->array("energy_bend." + name);
    const auto behind = side == Side::after ? std::upper_bound(time_.begin(), time_.end(), time)
                                            : std::lower_bound(time_.begin(), time_.end(), time);
    const std::size_t row = std::clamp<std::size_t>(behind - time_.begin(), 1, time_.size() - 1);
    const double h = time_[row] - time_[row - 1];
    const double s = h > 0.0 ? (time - time_[row - 1]) / h : 1.0;
    return (1.0 - s) * values[row - 1] + s * values[row] - bends[row] * s * (1.0 - s);
  }

  test::ScratchFolder folder_;
  scene::SceneFile scene_;
  RecordReader record_;
  std::optional<test::DecodedFilm> film_;
  std::vector<double> time_;
};

constexpr double kWeight = 9.81;
const double kImpactTime = std::sqrt(2.0 / kWeight);
constexpr double kTolerance = 1e-9;

TEST_F(FilmEnergy, HasTwoRowsAtAnImpact) {
  EXPECT_EQ(std::count_if(time_.begin(), time_.end(), [](double t) { return std::abs(t - kImpactTime) < 1e-12; }), 2);
  EXPECT_EQ(time_.size(), 7u + 2u);  // samples at 0, 0.2, … 1 and 1.1
  const double lost = at("kinetic", kImpactTime, Side::before) - at("kinetic", kImpactTime, Side::after);
  EXPECT_NEAR(lost, (1.0 - 0.81) * kWeight, kTolerance);
  EXPECT_NEAR(at("gravity", kImpactTime, Side::before), at("gravity", kImpactTime, Side::after), kTolerance);
}

TEST_F(FilmEnergy, IsAParabolaInFreeFlight) {
  const double start = at("kinetic", 0.0, Side::after);
  for (const double time : {0.03, 0.1, 0.2, 0.31, 0.4515}) {
    const double fallen = 0.5 * kWeight * time * time;
    EXPECT_NEAR(at("kinetic", time, Side::after) - start, 3.0 * kWeight * fallen, kTolerance) << time;
  }
}

TEST_F(FilmEnergy, IsThatOfTheRecordAtAnyTime) {
  QuantityReader reader(record_);
  for (const std::string name : {"kinetic", "gravity"}) {
    const Quantity quantity = find_quantities(record_.info(), "energy." + name).at(0);
    for (double time = 0.0; time < 1.1; time += 0.037) {
      EXPECT_NEAR(at(name, time, Side::after), reader.at(quantity, time), kTolerance) << name << " at " << time;
    }
    for (const Side side : {Side::before, Side::after}) {
      EXPECT_NEAR(at(name, kImpactTime, side), reader.at(quantity, kImpactTime, side), kTolerance) << name;
    }
  }
}

}  // namespace
}  // namespace carom
