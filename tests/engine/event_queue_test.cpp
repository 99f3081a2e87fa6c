#include "carom/engine/event/event_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "carom/base/random.h"

namespace carom::event {
namespace {

TEST(EventQueue, GivesEventsInTheSameOrderHoweverItWasFilled) {
  Random random(55);
  std::vector<UpcomingEvent> events;
  for (int k = 0; k < 200; ++k)
    events.push_back({0.1 * random.integer(0, 20), 1e-18 * random.integer(-1, 1),
                      static_cast<UpcomingEvent::What>(random.integer(0, 4)), random.integer(0, 5),
                      random.integer(6, 9), 0, 0});
  const auto drain = [](std::vector<UpcomingEvent> order) {
    EventQueue queue;
    for (const UpcomingEvent& event : order) queue.push(event);
    std::vector<UpcomingEvent> drained;
    for (; !queue.empty(); queue.pop()) drained.push_back(queue.top());
    return drained;
  };
  const std::vector<UpcomingEvent> first = drain(events);
  for (std::size_t k = 1; k < first.size(); ++k) EXPECT_FALSE(first[k - 1].later_than(first[k]));
  for (std::size_t k = events.size(); k > 1; --k)
    std::swap(events[k - 1], events[static_cast<std::size_t>(random.integer(0, static_cast<int>(k) - 1))]);
  const std::vector<UpcomingEvent> second = drain(events);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t k = 0; k < first.size(); ++k) {
    EXPECT_FALSE(first[k].later_than(second[k]));
    EXPECT_FALSE(second[k].later_than(first[k]));
  }
}

TEST(EventQueue, CleaningKeepsWhatIsWantedInOrder) {
  EventQueue queue;
  for (int k = 0; k < 100; ++k)
    queue.push({static_cast<double>((k * 37) % 100), 0.0, UpcomingEvent::What::contact, k, k,
                static_cast<std::uint32_t>(k % 2), 0});
  queue.clean([](const UpcomingEvent& event) { return event.version_a == 1; });
  EXPECT_EQ(queue.size(), 50u);
  double last = -1.0;
  for (; !queue.empty(); queue.pop()) {
    EXPECT_EQ(queue.top().version_a, 1u);
    EXPECT_GT(queue.top().time, last);
    last = queue.top().time;
  }
}

}  // namespace
}  // namespace carom::event
