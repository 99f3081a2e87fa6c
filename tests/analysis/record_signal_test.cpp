#include "carom/analysis/record_signal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "carom/base/error.h"
#include "record/fake_run.h"

namespace carom {
namespace {

using test::ScratchFolder;
using Motion = std::function<BodyState(double)>;

class RecordSignal : public testing::Test {
 protected:
  /// A record of three bodies at these times; the second, "ball", moves as told, the others stand still.
  [[nodiscard]] RecordReader record(const std::vector<double>& times, const Motion& motion) const {
    RecordWriter writer(folder_.file("run.h5"), test::fake_model(), test::fake_header());
    for (const double time : times) {
      State state = test::fake_state(0);
      state.time = time;
      state.bodies[1] = motion(time);
      writer.sample(state, test::fake_book(0));
    }
    writer.finish(RunStop::duration, "{}");
    return RecordReader(folder_.file("run.h5"));
  }

  static std::vector<double> even_times(double step, int count) {
    std::vector<double> times;
    for (int i = 0; i < count; ++i) times.push_back(step * i);
    return times;
  }

 private:
  ScratchFolder folder_;
};

template <class Record>
Signal of_ball(Record&& run, Measure measure, std::string_view component) {
  return record_signal(run, body_quantity(run.info(), measure, "ball", component));
}

/// On a circle of radius 2 at 3 rad/s, with a slow drift along z.
BodyState circling(double t) {
  BodyState body;
  body.position = {2.0 * std::cos(3.0 * t), 2.0 * std::sin(3.0 * t), 0.0};
  body.velocity = {-6.0 * std::sin(3.0 * t), 6.0 * std::cos(3.0 * t), 0.25};
  return body;
}

TEST_F(RecordSignal, TakesTheBodyTheQuantityAndTheComponent) {
  RecordReader run = record(even_times(0.01, 50), circling);
  const Signal x = of_ball(run, Measure::position, "x");
  const Signal vy = of_ball(run, Measure::velocity, "y");
  const Signal vz = of_ball(run, Measure::velocity, "z");
  ASSERT_EQ(x.values.size(), 50u);
  EXPECT_NEAR(x.step, 0.01, 1e-15);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(x.values[i], circling(0.01 * i).position.x());
    EXPECT_EQ(vy.values[i], circling(0.01 * i).velocity.y());
    EXPECT_EQ(vz.values[i], 0.25);
  }
}

TEST_F(RecordSignal, RadialIsAlongThePosition) {
  RecordReader run = record(even_times(0.01, 50), circling);
  const Signal radius = of_ball(run, Measure::position, "radial");
  const Signal velocity = of_ball(run, Measure::velocity, "radial");
  const Signal acceleration = of_ball(run, Measure::acceleration, "radial");
  for (const double value : radius.values) EXPECT_NEAR(value, 2.0, 1e-14);
  for (const double value : velocity.values) EXPECT_NEAR(value, 0.0, 1e-14);
  ASSERT_EQ(acceleration.values.size(), 48u);
  const double reduced = std::sin(0.03) / 0.03;
  for (const double value : acceleration.values) EXPECT_NEAR(value, -18.0 * reduced, 1e-12);
}

TEST_F(RecordSignal, AccelerationsAreOfSecondOrder) {
  double errors[2];
  for (int i = 0; i < 2; ++i) {
    const double step = 0.02 / (1 << i);
    RecordReader run = record(even_times(step, 60), circling);
    const Signal signal = of_ball(run, Measure::acceleration, "x");
    errors[i] = 0.0;
    for (std::size_t j = 0; j < signal.values.size(); ++j)
      errors[i] =
          std::max(errors[i], std::abs(signal.values[j] + 18.0 * std::cos(3.0 * step * static_cast<double>(j + 1))));
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.05);
}

TEST_F(RecordSignal, LeavesOutAFirstAndALastSampleOffTheBeat) {
  std::vector<double> times = even_times(0.01, 50);
  times.push_back(0.4937);
  EXPECT_EQ(of_ball(record(times, circling), Measure::position, "x").values.size(), 50u);
  times.front() = 0.004;
  const Signal signal = of_ball(record(times, circling), Measure::position, "x");
  ASSERT_EQ(signal.values.size(), 49u);
  EXPECT_EQ(signal.values[0], circling(0.01).position.x());
}

/// The motion between samples is that of cubics: 3³ · 2 · h⁴/384 for x = 2 cos 3t here.
TEST_F(RecordSignal, UnevenSamplesAreReadAtEvenSteps) {
  std::vector<double> uneven = even_times(0.01, 50);
  uneven[20] += 1e-3;
  uneven[30] -= 2e-3;
  const Signal signal = of_ball(record(uneven, circling), Measure::position, "x");
  ASSERT_EQ(signal.values.size(), 50u);
  EXPECT_NEAR(signal.step, 0.01, 1e-15);
  for (int i = 0; i < 50; ++i) EXPECT_NEAR(signal.values[i], circling(0.01 * i).position.x(), 1e-8) << i;
}

template <class Function>
void expect_error(const Function& function, Kind kind, const std::string& part) {
  try {
    function();
    ADD_FAILURE() << "no error that says: " << part;
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), kind);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST_F(RecordSignal, RefusesWhatHasNoSpectrum) {
  RecordReader run = record(even_times(0.01, 50), circling);
  expect_error([&] { body_quantity(run.info(), Measure::velocity, "bal", "x"); }, Kind::unknown_name,
               "did you mean 'ball'?");
  // A plane has no motion to look at.
  expect_error([&] { body_quantity(run.info(), Measure::velocity, "floor", "x"); }, Kind::unknown_name,
               "unknown body 'floor'");
  expect_error([&] { of_ball(record(even_times(0.01, 15), circling), Measure::velocity, "x"); }, Kind::out_of_range,
               "has 15 samples, and a spectrum needs at least 16");
  expect_error([&] { of_ball(record({}, circling), Measure::velocity, "x"); }, Kind::out_of_range, "has 0 samples");
  std::vector<double> uneven = even_times(0.01, 50);
  uneven[20] += 1e-4;
  expect_error([&] { of_ball(record(uneven, circling), Measure::acceleration, "x"); }, Kind::unsupported,
               "not evenly spaced, and acceleration.ball.x is known at these alone");
  expect_error([&] { of_ball(record(std::vector<double>(20, 1.0), circling), Measure::velocity, "x"); },
               Kind::unsupported, "not evenly spaced");
  RecordReader still = record(even_times(0.01, 50), [](double) { return BodyState{}; });
  expect_error([&] { of_ball(still, Measure::velocity, "radial"); }, Kind::unsupported, "at the origin");
  RecordReader broken = record(even_times(0.01, 50), [](double t) {
    BodyState body = circling(t);
    if (t > 0.3) body.velocity.x() = std::nan("");
    return body;
  });
  expect_error([&] { of_ball(broken, Measure::velocity, "x"); }, Kind::not_finite,
               "velocity.ball.x is not finite everywhere");
}

}  // namespace
}  // namespace carom
