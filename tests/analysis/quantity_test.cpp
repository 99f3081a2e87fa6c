#include "carom/analysis/quantity.h"

#include <gtest/gtest.h>

#include "carom/base/error.h"

namespace carom {
namespace {

RecordInfo some_record() {
  RecordInfo record;
  record.objects = {"ball", "a", "a.x", "my ball", "x\"y", "floor", "wall.left"};
  record.bodies = 5;
  return record;
}

std::vector<std::string> names(std::string_view text) {
  std::vector<std::string> found;
  for (const Quantity& quantity : find_quantities(some_record(), text)) found.push_back(quantity.name);
  return found;
}

using Names = std::vector<std::string>;

TEST(Quantity, HasTheNameTheLabelAndTheUnit) {
  const Quantity z = find_quantities(some_record(), "position.ball.z").at(0);
  EXPECT_EQ(z.name, "position.ball.z");
  EXPECT_EQ(z.label, "position z of ball");
  EXPECT_EQ(z.unit, "m");
  EXPECT_EQ(z.a, 0);
  EXPECT_EQ(z.component, 2);
  EXPECT_EQ(find_quantities(some_record(), "velocity.ball.speed").at(0).label, "speed of ball");
  EXPECT_EQ(find_quantities(some_record(), "energy.total").at(0).unit, "J");
  EXPECT_EQ(find_quantities(some_record(), "gap.ball.floor").at(0).label, "gap between ball and floor");
  EXPECT_TRUE(find_quantities(some_record(), "impulse.floor").at(0).at_events());
}

TEST(Quantity, WithoutAComponentTheGroupIsMeant) {
  EXPECT_EQ(names("position.ball"), (Names{"position.ball.x", "position.ball.y", "position.ball.z"}));
  EXPECT_EQ(names("orientation.ball").size(), 4u);
  EXPECT_EQ(names("momentum"), (Names{"momentum.x", "momentum.y", "momentum.z"}));
  EXPECT_EQ(names("kinetic.ball"), Names{"kinetic.ball"});
  const std::vector<Quantity> energy = find_quantities(some_record(), "energy");
  const auto kept = [&energy](std::string_view name) {
    for (const Quantity& quantity : energy)
      if (quantity.name == name) return quantity.kept_if_zero;
    ADD_FAILURE() << name;
    return false;
  };
  EXPECT_TRUE(kept("energy.kinetic"));
  EXPECT_TRUE(kept("energy.total"));
  EXPECT_FALSE(kept("energy.springs"));
}

TEST(Quantity, NamesWithDotsAreMatchedTheLongestFirst) {
  EXPECT_EQ(names("position.a.x"), (Names{"position.\"a.x\".x", "position.\"a.x\".y", "position.\"a.x\".z"}));
  EXPECT_EQ(names("position.a.x.y"), Names{"position.\"a.x\".y"});
  EXPECT_EQ(names("position.a.y"), Names{"position.\"a\".y"});
  EXPECT_EQ(names("position.\"a\".x"), Names{"position.\"a\".x"});
  EXPECT_EQ(names("gap.a.x.wall.left"), Names{"gap.\"a.x\".\"wall.left\""});
  EXPECT_EQ(names("gap.a.wall.left"), Names{"gap.\"a\".\"wall.left\""});
}

TEST(Quantity, EveryNameItGivesIsFoundAgain) {
  const RecordInfo record = some_record();
  for (const std::string& pattern : quantity_patterns()) {
    const std::string measure = pattern.substr(0, pattern.find('.'));
    for (const std::string& object : record.objects) {
      for (const std::string& subject : {std::string(), ".\"" + object + "\"", ".\"" + object + "\".ball"}) {
        std::vector<Quantity> found;
        try {
          found = find_quantities(record, measure + subject);
        } catch (const InputError&) {
          continue;
        }
        for (const Quantity& quantity : found) {
          const std::vector<Quantity> again = find_quantities(record, quantity.name);
          ASSERT_EQ(again.size(), 1u) << quantity.name;
          EXPECT_EQ(again[0].name, quantity.name);
          EXPECT_EQ(again[0].a, quantity.a);
          EXPECT_EQ(again[0].b, quantity.b);
          EXPECT_EQ(again[0].component, quantity.component);
        }
      }
    }
  }
}

void expect_unknown(const RecordInfo& record, std::string_view name, const std::string& part) {
  try {
    find_quantities(record, name);
    ADD_FAILURE() << name << ": no error that says: " << part;
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), Kind::unknown_name) << name;
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(Quantity, UnknownNamesAreMetWithTheKnownOnes) {
  const RecordInfo record = some_record();
  expect_unknown(record, "enrgy", "unknown quantity 'enrgy'; did you mean 'energy'? known: energy, position");
  expect_unknown(record, "", "unknown quantity ''");
  expect_unknown(record, "position", "expected position.BODY.x|y|z|radial");
  expect_unknown(record, "position.", "does not say of what");
  expect_unknown(record, "position.bal.x", "unknown body 'bal'; did you mean 'ball'?");
  expect_unknown(record, "position.floor.x", "unknown body 'floor'");
  expect_unknown(record, "position.ball.w", "unknown component of position 'w'; known: x, y, z, radial");
  expect_unknown(record, "energy.kinetik", "did you mean 'kinetic'?");
  expect_unknown(record, "gap.ball", "names one object, and a gap is between two");
  expect_unknown(record, "gap.ball.ball", "names one object, and a gap is between two");
  expect_unknown(record, "gap.ball.flor", "unknown object 'flor'; did you mean 'floor'?");
  expect_unknown(record, "gap.flor.ball", "unknown object 'flor'");
  expect_unknown(record, "impulse.nobody", "unknown object 'nobody'");
  expect_unknown(record, "position.b\x1b[31m.x", "\\x1B[31m");
}

TEST(Quantity, OfManyBodiesOnlySomeAreListed) {
  RecordInfo record;
  for (int i = 0; i < 1000; ++i) record.objects.push_back("ball-" + std::to_string(i));
  record.bodies = record.objects.size();
  expect_unknown(record, "position.egg.x", "known: ball-0, ball-1, ball-2");
  expect_unknown(record, "position.egg.x", "… (1000 in all)");
}

}  // namespace
}  // namespace carom
