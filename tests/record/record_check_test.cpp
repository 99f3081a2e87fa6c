/// A run that is told again is compared with its record bit by bit: the same is the same, and the first difference is
/// found wherever it is.

#include <bit>
#include <cmath>
#include <limits>

#include "carom/record/record_check.h"
#include "record/fake_run.h"

namespace carom::test {
namespace {

constexpr int kEvents = 5000;  // more than one block

class Checked : public testing::Test {
 protected:
  /// A record of the fake run.
  RecordReader record(RunStop stop = RunStop::duration) {
    RecordWriter writer(folder_.file("run.h5"), fake_model(), fake_header());
    tell(writer, 0, kEvents);
    writer.finish(stop, "{}");
    return RecordReader(folder_.file("run.h5"));
  }
  RecordReader killed_record() {
    RecordWriter writer(folder_.file("run.h5"), fake_model(), fake_header());
    tell(writer, 0, kEvents);
    writer.flush();
    return RecordReader(folder_.file("run.h5"));
  }

  ScratchFolder folder_;
};

TEST_F(Checked, TheSameRunIsIdentical) {
  const RecordReader reader = record();
  std::atomic<bool> stop{false};
  RecordCheck check(reader, &stop);
  tell(check, 0, kEvents);
  check.finish(RunStop::duration);
  EXPECT_FALSE(check.first_difference());
  EXPECT_TRUE(check.whole());
  EXPECT_FALSE(check.partial());
  EXPECT_EQ(check.samples(), reader.sample_count());
  EXPECT_EQ(check.events(), static_cast<std::size_t>(kEvents));
  EXPECT_FALSE(stop);
}

/// Tells the fake run, but event 4321 as `changed` makes it.
std::optional<RecordDifference> difference_with(const RecordReader& reader, void (*changed)(FakeEvent& event)) {
  RecordCheck check(reader, nullptr);
  tell(check, 0, 4320);
  check.sample(fake_state(432), fake_book(432));
  check.event(FakeEvent(4320).event);
  FakeEvent event(4321);
  changed(event);
  check.event(event.event);
  for (int i = 4322; i < 4330; ++i) check.event(FakeEvent(i).event);
  tell(check, 4330, kEvents);
  check.finish(RunStop::duration);
  return check.first_difference();
}

double next(double value) {
  return std::nextafter(value, std::numeric_limits<double>::infinity());
}

TEST_F(Checked, OneUnitInTheLastPlaceOfAnEventIsFound) {
  const RecordReader reader = record();
  const auto difference =
      difference_with(reader, [](FakeEvent& event) { event.event.energy.after = next(event.event.energy.after); });
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->table, "events");
  EXPECT_EQ(difference->column, "/events/energy_after");
  EXPECT_EQ(difference->row, 4321u);
  EXPECT_EQ(difference->time, FakeEvent(4321).event.time);
  EXPECT_EQ(std::get<double>(difference->recorded), 4321 + 0.2);
  EXPECT_EQ(std::get<double>(difference->now), next(4321 + 0.2));
  EXPECT_TRUE(difference->objects.empty());
}

TEST_F(Checked, ADifferenceOfAContactNamesItsObjects) {
  const RecordReader reader = record();
  const auto difference = difference_with(reader, [](FakeEvent& event) { event.contacts[0].normal.y() = 0.25; });
  ASSERT_TRUE(difference);
  const ContactRecord contact = FakeEvent(4321).contacts[0];
  EXPECT_EQ(difference->table, "contacts");
  EXPECT_EQ(difference->column, "/events/contacts/normal");
  EXPECT_EQ(difference->component, 1u);
  EXPECT_EQ(difference->time, FakeEvent(4321).event.time);
  EXPECT_EQ(std::get<double>(difference->recorded), contact.normal.y());
  EXPECT_EQ(std::get<double>(difference->now), 0.25);
  EXPECT_EQ(difference->objects,
            (std::vector<std::string>{reader.info().objects[static_cast<std::size_t>(contact.a)],
                                      reader.info().objects[static_cast<std::size_t>(contact.b)]}));
}

TEST_F(Checked, ADifferenceOfAJumpOrATextIsFound) {
  const RecordReader reader = record();
  const auto jump = difference_with(reader, [](FakeEvent& event) { event.jumps[1].velocity_after.z() = 7.0; });
  ASSERT_TRUE(jump);
  EXPECT_EQ(jump->column, "/events/jumps/velocity_after");
  EXPECT_EQ(jump->component, 2u);
  EXPECT_EQ(jump->objects.size(), 1u);
  const auto law = difference_with(reader, [](FakeEvent& event) { event.event.law = "poisson"; });
  ASSERT_TRUE(law);
  EXPECT_EQ(law->column, "/events/law");
  EXPECT_EQ(std::get<std::string>(law->recorded), "");
  EXPECT_EQ(std::get<std::string>(law->now), "poisson");
}

TEST_F(Checked, ZeroAndMinusZeroDifferAndSoDoNansOfOtherBits) {
  RecordWriter writer(folder_.file("run.h5"), fake_model(), fake_header());
  State state = fake_state(0);
  state.bodies[1].position = {0.0, std::numeric_limits<double>::quiet_NaN(), 0.0};
  writer.sample(state, fake_book(0));
  writer.finish(RunStop::duration, "{}");
  const RecordReader reader(folder_.file("run.h5"));
  const auto difference = [&reader](const State& told) {
    RecordCheck check(reader, nullptr);
    check.sample(told, fake_book(0));
    check.finish(RunStop::duration);
    return check.first_difference();
  };
  EXPECT_FALSE(difference(state));
  State minus = state;
  minus.bodies[1].position.z() = -0.0;
  ASSERT_TRUE(difference(minus));
  EXPECT_EQ(difference(minus)->objects, std::vector<std::string>{"ball"});
  EXPECT_EQ(difference(minus)->component, 2u);
  State other = state;
  other.bodies[1].position.y() = std::bit_cast<double>(std::bit_cast<std::uint64_t>(state.bodies[1].position.y()) + 1);
  EXPECT_TRUE(difference(other));
}

TEST_F(Checked, ARunThatEndsEarlierOrLaterOrOtherwiseDiffers) {
  const RecordReader reader = record();
  RecordCheck early(reader, nullptr);
  tell(early, 0, kEvents - 10);
  early.finish(RunStop::duration);
  ASSERT_TRUE(early.first_difference());
  EXPECT_EQ(early.first_difference()->row, reader.sample_count() - 1);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(early.first_difference()->now));

  RecordCheck late(reader, nullptr);
  tell(late, 0, kEvents + 1);
  late.finish(RunStop::duration);
  ASSERT_TRUE(late.first_difference());
  EXPECT_TRUE(std::holds_alternative<std::monostate>(late.first_difference()->recorded));
  EXPECT_EQ(late.first_difference()->row, static_cast<std::size_t>(kEvents) / 10);

  RecordCheck otherwise(reader, nullptr);
  tell(otherwise, 0, kEvents);
  otherwise.finish(RunStop::at_rest);
  ASSERT_TRUE(otherwise.first_difference());
  EXPECT_EQ(otherwise.first_difference()->column, "stop");
}

TEST_F(Checked, TheEarliestDifferenceIsTold) {
  const RecordReader reader = record();
  std::atomic<bool> stop{false};
  RecordCheck check(reader, &stop);
  for (int i = 0; i < kEvents; ++i) {
    if (i % 10 == 0) {
      EnergyBook book = fake_book(i / 10);
      if (i >= 300) book.friction = 1.0;
      check.sample(fake_state(i / 10), book);
    }
    FakeEvent event(i);
    if (i >= 200) event.event.steps += 1;
    check.event(event.event);
  }
  check.finish(RunStop::duration);
  ASSERT_TRUE(check.first_difference());
  EXPECT_EQ(check.first_difference()->column, "/events/steps");
  EXPECT_EQ(check.first_difference()->row, 200u);
  EXPECT_TRUE(stop) << "there is nothing left to compare";
}

TEST_F(Checked, AKilledRunIsComparedAsFarAsItGoes) {
  const RecordReader reader = killed_record();
  std::atomic<bool> stop{false};
  RecordCheck check(reader, &stop);
  tell(check, 0, kEvents - 1);
  EXPECT_FALSE(stop);
  tell(check, kEvents - 1, kEvents);
  EXPECT_TRUE(stop);
  tell(check, kEvents, kEvents + 100);
  check.finish(RunStop::interrupted);
  EXPECT_TRUE(check.partial());
  EXPECT_TRUE(check.whole());
  EXPECT_FALSE(check.first_difference());
  EXPECT_EQ(check.events(), static_cast<std::size_t>(kEvents));
}

TEST_F(Checked, TheLastSampleOfAnInterruptedRunIsLeftOut) {
  const RecordReader reader = record(RunStop::interrupted);
  std::atomic<bool> stop{false};
  RecordCheck check(reader, &stop);
  tell(check, 0, kEvents);
  check.finish(RunStop::interrupted);
  EXPECT_FALSE(check.first_difference());
  EXPECT_TRUE(check.whole());
  EXPECT_EQ(check.samples(), reader.sample_count() - 1);
}

TEST_F(Checked, ACheckThatWasInterruptedIsNotWhole) {
  const RecordReader reader = record();
  RecordCheck check(reader, nullptr);
  tell(check, 0, 100);
  check.finish(RunStop::interrupted);
  EXPECT_FALSE(check.first_difference());
  EXPECT_FALSE(check.whole());
  EXPECT_EQ(check.events(), 100u);
}

}  // namespace
}  // namespace carom::test
