#include "carom/engine/event/stall_watch.h"

#include <gtest/gtest.h>

namespace carom::event {
namespace {

/// Events up to the one that is complained of; `most` where none is.
template <class Instant>
int events_before_complaint(int most, bool contacts, std::size_t objects, const Instant& instant) {
  StallWatch watch;
  for (int k = 0; k < most; ++k) {
    const auto [time, carry] = instant(k);
    if (watch.look(time, carry, contacts, objects)) return k;
  }
  return most;
}

TEST(StallWatch, ManyEventsAtOneInstantAreAStall) {
  const auto one_instant = [](int) { return std::pair(1.0, 1e-20); };
  const int few_objects = events_before_complaint(10000, true, 3, one_instant);
  EXPECT_GT(few_objects, 1000);
  EXPECT_LT(few_objects, 5000);
  // Every object may have an event of its own.
  EXPECT_EQ(events_before_complaint(10000, true, 503, one_instant), few_objects + 500);
  EXPECT_EQ(events_before_complaint(10000, false, 3, one_instant), few_objects);
}

TEST(StallWatch, InstantsThatOnlyTheCarryTellsApartAreDifferentOnes) {
  const auto close_instants = [](int k) { return std::pair(1.0, 1e-20 * k); };
  EXPECT_EQ(events_before_complaint(10000, true, 3, close_instants), 10000);
}

TEST(StallWatch, ImpactsThatFollowEachOtherWithoutEndAreAStall) {
  const auto every = [](double interval) { return [interval](int k) { return std::pair(1.0 + interval * k, 0.0); }; };
  EXPECT_LT(events_before_complaint(100000, true, 3, every(5e-14)), 100000);
  EXPECT_EQ(events_before_complaint(100000, true, 3, every(2e-13)), 100000);
  EXPECT_EQ(events_before_complaint(100000, false, 3, every(5e-14)), 100000);  // steps, crossings of cells
}

TEST(StallWatch, ASlowWindowInBetweenEndsAStorm) {
  StallWatch watch;
  double time = 1.0;
  for (int k = 0; k < 100000; ++k) {
    time += k % 16384 < 1000 ? 1e-9 : 5e-14;  // two windows of which one is slow
    ASSERT_FALSE(watch.look(time, 0.0, true, 3).has_value()) << k;
  }
}

}  // namespace
}  // namespace carom::event
