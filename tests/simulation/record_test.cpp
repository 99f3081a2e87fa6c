/// Records read through the library.

#include "carom/simulation/record.h"

#include <gtest/gtest.h>

#include <cmath>

#include "simulation/balls.h"
#include "support/scratch_folder.h"

namespace carom::test {
namespace {

TEST(Record, HoldsTheStatesAndEventsOfItsRun) {
  const ScratchFolder folder;
  Simulation simulation(falling_ball(0.5, 3.0));
  std::vector<Event> events;
  simulation.on_event([&events](const EventRecord& event) { events.emplace_back(event); });
  simulation.record(folder.file("ball.h5"));
  simulation.run();
  Record record(folder.file("ball.h5"));
  EXPECT_TRUE(record.info().complete);
  EXPECT_EQ(record.info().stop, "duration");
  EXPECT_EQ(record.body("ball"), 0);
  ASSERT_EQ(record.sample_count(), 25u);
  const std::vector<double> times = record.times();
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_EQ(times[i], record.state(i).time);
    EXPECT_DOUBLE_EQ(times[i], 0.125 * static_cast<double>(i));
    EXPECT_LE(std::abs(record.energy(i).error()), 1e-12 * record.energy(i).initial);
  }
  ASSERT_EQ(record.event_count(), events.size());
  for (const std::size_t i : {std::size_t{0}, events.size() - 1, std::size_t{1}}) {
    const Event event = record.event(i);
    EXPECT_EQ(event->time, events[i]->time);
    EXPECT_EQ(event->kind, events[i]->kind);
    EXPECT_EQ(event->law, events[i]->law);
    ASSERT_EQ(event->contacts.size(), events[i]->contacts.size());
    for (std::size_t k = 0; k < event->contacts.size(); ++k) {
      EXPECT_EQ(event->contacts[k].impulse, events[i]->contacts[k].impulse);
      EXPECT_EQ(event->contacts[k].restitution, events[i]->contacts[k].restitution);
    }
  }
  EXPECT_EQ(record.first_event_from(0.0), 0u);
  EXPECT_EQ(record.first_event_from(events[1]->time), 1u);
  EXPECT_EQ(record.first_event_from(100.0), events.size());
  EXPECT_EQ(record.count_events().of(EventKind::rest), 1);
}

TEST(Record, ItsSceneRunsAgainToTheSameEnd) {
  const ScratchFolder folder;
  Scene scene = shipped("ellipsoid-in-a-box", {"run.duration=1"});
  Simulation simulation(scene);
  simulation.record(folder.file("run.h5"));
  simulation.run();
  const Record record(folder.file("run.h5"));
  Simulation again(record.scene());
  again.run();
  std::vector<double> first, second;
  append(first, simulation.state());
  append(second, again.state());
  EXPECT_EQ(first, second);
}

TEST(Record, WhatThereIsNotIsRefused) {
  const ScratchFolder folder;
  Simulation simulation(falling_ball(0.5, 1.0));
  simulation.record(folder.file("ball.h5"));
  simulation.run();
  const Record record(folder.file("ball.h5"));
  EXPECT_THROW((void)Record(folder.file("none.h5")), InputError);
  EXPECT_THROW((void)record.state(record.sample_count()), InputError);
  EXPECT_THROW((void)record.energy(record.sample_count()), InputError);
  EXPECT_THROW((void)record.event(record.event_count()), InputError);
  EXPECT_THROW((void)record.body("bal"), InputError);
}

}  // namespace
}  // namespace carom::test
