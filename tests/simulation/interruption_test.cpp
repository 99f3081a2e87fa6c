/// Runs that are asked to stop at any place, also in the middle of an event, and go on afterwards.

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "carom/base/activity.h"
#include "carom/base/random.h"
#include "carom/record/observer.h"
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

/// Counts its samples and keeps the last one, with contact forces; asks to stop at one of them.
class StopsAtSample final : public Observer {
 public:
  StopsAtSample(int at, std::atomic<bool>& flag) : at_(at), flag_(flag) {}

  int samples = 0;
  State last;
  std::int64_t ticks = 0;  ///< when it asked

  [[nodiscard]] bool wants_contact_loads() const override { return true; }
  void sample(const State& state, const EnergyBook& /*book*/) override {
    last = state;
    if (++samples != at_) return;
    flag_ = true;
    ticks = Activity::own().ticks;
  }
  void event(const EventRecord& /*event*/) override {}
  void progress(double /*time*/, long /*events*/) override {}

 private:
  int at_;
  std::atomic<bool>& flag_;
};

/// A tower of boxes, whose forces take a while to find.
Scene tower() {
  std::string text =
      "format = 1\nworld.gravity = [0, 0, -9.81]\n[run]\nlaw = \"newton\"\nduration = 1\noutput_step = 0.1\n"
      "[[material]]\nname = \"m\"\n[[pair]]\nmaterials = [\"m\", \"m\"]\nrestitution = 0\n"
      "friction = { law = \"coulomb\", coefficient = 0.5 }\n"
      "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\nmaterial = \"m\"\n";
  for (int i = 0; i < 4; ++i)
    text += "[[body]]\nname = \"b" + std::to_string(i) +
            "\"\nmass = 1\nmaterial = \"m\"\nshape = { kind = \"box\", half_sizes = [0.1, 0.1, 0.1] }\n" +
            "position = [" + std::to_string(0.01 * i) + ", 0, " + std::to_string(0.1 + 0.2 * i) + "]\n";
  return Scene::parse(text);
}

TEST(Interruption, ForcesAtTheStartAreNotLookedForAfterIt) {
  Simulation simulation(tower());
  std::atomic<bool> flag{true};
  StopsAtSample observer(-1, flag);
  simulation.add(observer);
  simulation.stop_while(flag);
  const std::int64_t before = Activity::own().ticks;
  EXPECT_EQ(simulation.run().stop, RunStop::interrupted);
  EXPECT_LE(Activity::own().ticks - before, 2);
  EXPECT_EQ(observer.samples, 1);
  EXPECT_EQ(simulation.time(), 0.0);
  // It goes on as if nothing had been.
  flag = false;
  Simulation whole(tower());
  expect_same_state(simulation.run().final_state, whole.run().final_state);
  EXPECT_EQ(simulation.energy().initial, whole.energy().initial);
}

TEST(Interruption, ItsLastSampleHasTheForcesThatAreKnown) {
  Simulation simulation(tower());
  std::atomic<bool> flag{false};
  StopsAtSample observer(3, flag);
  simulation.add(observer);
  simulation.stop_while(flag);
  EXPECT_EQ(simulation.run().stop, RunStop::interrupted);
  EXPECT_LE(Activity::own().ticks - observer.ticks, 2);
  double borne = 0.0;
  for (const ContactLoad& load : observer.last.contact_loads)
    if (load.b == 4) borne += load.force;  // the floor
  EXPECT_NEAR(borne, 4.0 * 9.81, 1e-6);
}

}  // namespace
}  // namespace carom::test
