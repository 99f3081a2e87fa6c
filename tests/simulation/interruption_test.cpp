/// Runs that are asked to stop at any place, also in the middle of an event, and go on afterwards.

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "carom/base/activity.h"
#include "carom/base/random.h"
#include "carom/simulation/simulation.h"
#include "support/property_cases.h"

namespace carom::test {
namespace {

/// Balls and boxes that fall on a floor, each other's way.
std::string falling_heap(const std::string& run, const std::string& pair) {
  std::string text = "format = 1\nworld.gravity = [0, 0, -9.81]\n[run]\nduration = 0.4\n" + run +
                     "[[material]]\nname = \"m\"\n[[pair]]\nmaterials = [\"m\", \"m\"]\n" + pair +
                     "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\nmaterial = \"m\"\n";
  const char* const shapes[] = {
      "{ kind = \"sphere\", radius = 0.1 }", "{ kind = \"box\", half_sizes = [0.1, 0.08, 0.1] }",
      "{ kind = \"sphere\", radius = 0.09 }", "{ kind = \"box\", half_sizes = [0.06, 0.1, 0.1] }"};
  for (int i = 0; i < 4; ++i)
    text += "[[body]]\nname = \"b" + std::to_string(i) + "\"\nmass = 1\nmaterial = \"m\"\nshape = " + shapes[i] +
            "\nposition = [0." + std::to_string(i) + ", 0.03, " + std::to_string(0.15 + 0.24 * i) + "]\n";
  return text;
}

std::vector<std::string> heaps() {
  return {
      falling_heap("law = \"poisson\"\n", "restitution = 0.3\nfriction = { law = \"coulomb\", coefficient = 0.4 }\n"),
      falling_heap("law = \"newton\"\n", "restitution = 0.5\n"), falling_heap("", "restitution = 0.8\n"),
      falling_heap("engine = \"smooth\"\nrtol = 1e-6\n",
                   "restitution = 0.3\nnormal = \"tsuji\"\nstiffness = 1e7\n"
                   "friction = { law = \"coulomb\", coefficient = 0.4, vr = 1e-2 }\n")};
}

/// Sets a flag as soon as the thread that made it has ticked so often.
class TickAlarm {
 public:
  TickAlarm(std::int64_t ticks, std::atomic<bool>& flag)
      : watcher_([&flag, this, at = Activity::own().ticks.load() + ticks, state = &Activity::own()] {
          while (!ended_ && state->ticks.load(std::memory_order_relaxed) < at) std::this_thread::yield();
          if (!ended_) flag = true;
        }) {}
  ~TickAlarm() {
    ended_ = true;
    watcher_.join();
  }
  TickAlarm(const TickAlarm&) = delete;
  TickAlarm& operator=(const TickAlarm&) = delete;

 private:
  std::atomic<bool> ended_{false};
  std::thread watcher_;
};

void expect_same_state(const State& found, const State& expected) {
  EXPECT_EQ(found.time, expected.time);
  for (const BodyIndex body : expected.bodies.indices()) {
    EXPECT_EQ(found.bodies[body].position, expected.bodies[body].position);
    EXPECT_EQ(found.bodies[body].velocity, expected.bodies[body].velocity);
    EXPECT_EQ(found.bodies[body].orientation.coeffs(), expected.bodies[body].orientation.coeffs());
    EXPECT_EQ(found.bodies[body].angular_velocity, expected.bodies[body].angular_velocity);
  }
}

TEST(Interruption, ARunThatIsStoppedAnywhereGoesOnWithTheSameBitsAndTellsEveryEventOnce) {
  Random random(11);
  for (const std::string& text : heaps()) {
    const Scene scene = Scene::parse(text);
    Simulation whole(scene);
    std::vector<double> told;
    whole.on_event([&told](const EventRecord& event) { told.push_back(event.time); });
    const std::int64_t ticks_before = Activity::own().ticks;
    const RunResult expected = whole.run();
    const std::int64_t ticks = Activity::own().ticks - ticks_before;
    ASSERT_EQ(expected.stop, RunStop::duration);
    ASSERT_GT(ticks, 100);
    for (int k = 0; k < property_cases(8); ++k) {
      Simulation stopped(scene);
      std::vector<double> heard;
      stopped.on_event([&heard](const EventRecord& event) { heard.push_back(event.time); });
      std::atomic<bool> flag{false};
      stopped.stop_while(flag);
      RunResult result;
      {
        const TickAlarm alarm(static_cast<std::int64_t>(random.uniform() * static_cast<double>(ticks)), flag);
        result = stopped.run();
      }
      // Where it was stopped it can tell how things stand.
      for (const BodyState& body : result.final_state.bodies) EXPECT_TRUE(body.position.allFinite());
      EXPECT_TRUE(std::isfinite(result.energy.now.total()));
      EXPECT_LE(result.final_state.time, 0.4);
      flag = false;
      result = stopped.run();
      EXPECT_EQ(result.stop, RunStop::duration);
      expect_same_state(result.final_state, expected.final_state);
      EXPECT_EQ(result.impacts, expected.impacts);
      EXPECT_EQ(heard, told);
    }
  }
}

TEST(Interruption, AFlagThatStaysUpStopsEveryAttemptToGoOn) {
  Simulation simulation(Scene::parse(heaps()[0]));
  std::atomic<bool> flag{true};
  simulation.stop_while(flag);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(simulation.run().stop, RunStop::interrupted);
  EXPECT_EQ(simulation.time(), 0.0);
  flag = false;
  EXPECT_EQ(simulation.run().stop, RunStop::duration);
}

TEST(Interruption, WorkThatTakesLongSaysWhatItIs) {
  const Activity::State& state = Activity::own();
  EXPECT_EQ(state.what.load(), nullptr);
  {
    const Activity outer("an event");
    {
      const Activity inner("an impact law");
      EXPECT_STREQ(state.what.load(), "an impact law");
    }
    EXPECT_STREQ(state.what.load(), "an event");
  }
  EXPECT_EQ(state.what.load(), nullptr);
}

TEST(Interruption, ATickThrowsOnlyWhereSomebodyWatches) {
  std::atomic<bool> flag{true};
  const std::vector<const std::atomic<bool>*> flags = {&flag};
  EXPECT_NO_THROW(Activity::tick());
  {
    const InterruptWatch watch(flags);
    EXPECT_THROW(Activity::tick(), Interrupted);
    flag = false;
    EXPECT_NO_THROW(Activity::tick());
  }
  flag = true;
  EXPECT_NO_THROW(Activity::tick());
}

}  // namespace
}  // namespace carom::test
