#include "carom/engine/event_draft.h"

#include <gtest/gtest.h>

#include <vector>

namespace carom {
namespace {

using Eigen::Vector3d;

/// Keeps what is reported.
struct Reports final : Observer {
  void sample(const State&, const EnergyBook&) override {}
  void event(const EventRecord& event) override {
    records.push_back(event);
    contacts.assign(event.contacts.begin(), event.contacts.end());
    jumps.assign(event.jumps.begin(), event.jumps.end());
  }
  void progress(double, long) override {}
  std::vector<EventRecord> records;
  std::vector<ContactRecord> contacts;  ///< of the last one
  std::vector<JumpRecord> jumps;
};

TEST(EventDraft, ReportsContactsAndVelocitiesBeforeAndAfter) {
  Reports reports;
  RunLog log;
  log.set_observer(&reports);
  BodyState before, after;
  before.velocity = {1.0, 0.0, 0.0};
  before.angular_velocity = {0.0, 2.0, 0.0};
  after.velocity = {-1.0, 0.0, 0.0};
  after.angular_velocity = {0.0, -2.0, 0.0};
  EventDraft draft;
  draft.begin(EventKind::impact, 1.5);
  draft.add_jump(3, before);
  draft.add_contact(3, 7).impulse = 4.0;
  draft.finish_jumps([&after](BodyIndex body) -> const BodyState& {
    EXPECT_EQ(body, 3);
    return after;
  });
  draft.report(log);
  ASSERT_EQ(reports.records.size(), 1u);
  EXPECT_EQ(reports.records[0].kind, EventKind::impact);
  EXPECT_EQ(reports.records[0].time, 1.5);
  ASSERT_EQ(reports.contacts.size(), 1u);
  EXPECT_EQ(reports.contacts[0].a, 3);
  EXPECT_EQ(reports.contacts[0].b, 7);
  EXPECT_EQ(reports.contacts[0].impulse, 4.0);
  ASSERT_EQ(reports.jumps.size(), 1u);
  EXPECT_EQ(reports.jumps[0].velocity_before, before.velocity);
  EXPECT_EQ(reports.jumps[0].velocity_after, after.velocity);
  EXPECT_EQ(reports.jumps[0].angular_velocity_before, before.angular_velocity);
  EXPECT_EQ(reports.jumps[0].angular_velocity_after, after.angular_velocity);
}

TEST(EventDraft, ANewEventKnowsNothingOfTheOneBefore) {
  Reports reports;
  RunLog log;
  log.set_observer(&reports);
  EventDraft draft;
  draft.begin(EventKind::impact, 1.0);
  draft.add_contact(0, 1);
  draft.add_jump(0, {});
  ImpactOutcome outcome;
  outcome.law = "newton";
  outcome.steps = 5;
  outcome.audit.min_impulse = -0.25;
  outcome.energy.change = -3.0;
  draft.take_outcome(outcome);
  draft.report(log);
  EXPECT_EQ(reports.records[0].law, "newton");
  EXPECT_EQ(reports.records[0].steps, 5);
  EXPECT_EQ(reports.records[0].min_impulse, -0.25);
  EXPECT_EQ(reports.records[0].energy.change, -3.0);
  draft.begin(EventKind::rest, 2.0).report(log);
  ASSERT_EQ(reports.records.size(), 2u);
  EXPECT_EQ(reports.records[1].law, "");
  EXPECT_EQ(reports.records[1].steps, 0);
  EXPECT_EQ(reports.records[1].energy.change, 0.0);
  EXPECT_TRUE(reports.contacts.empty());
  EXPECT_TRUE(reports.jumps.empty());
}

TEST(EventDraft, EventsAreCountedThoughNobodyListens) {
  RunLog log;
  EventDraft draft;
  draft.begin(EventKind::rest, 0.0).report(log);
  draft.begin(EventKind::rest, 1.0).report(log);
  EXPECT_FALSE(log.observed());
  EXPECT_EQ(log.reported(), 2);
}

}  // namespace
}  // namespace carom
