#include "carom/engine/event/held_contacts.h"

#include <gtest/gtest.h>

#include "engine/small_world.h"

namespace carom::event {
namespace {

using test::closed_around;
using test::SmallWorld;

/// Two balls that touch each other and the floor: contacts (0, 1), (0, floor), (1, floor).
SmallWorld two_balls() {
  SmallWorld scene;
  scene.add_ball({0.0, 0.0, 0.5});
  scene.add_ball({1.0, 0.0, 0.5});
  scene.add_floor();
  return scene;
}

TEST(HeldContacts, AContactThatGoesOnKeepsItsNumber) {
  World world = two_balls().world();
  const std::vector<ContactPoint> contacts = closed_around(world, {0}).contacts();
  ASSERT_EQ(contacts.size(), 3u);
  HeldContacts held(world);
  std::vector<HeldIndex> numbers;
  for (const ContactPoint& contact : contacts) {
    const std::optional<HeldIndex> fresh = held.keep(world, {.contact = contact});
    ASSERT_TRUE(fresh.has_value());
    held.mark_reported(*fresh, true);
    numbers.push_back(*fresh);
  }
  EXPECT_EQ(held.of(0), (std::vector<HeldIndex>{numbers[0], numbers[1]}));
  EXPECT_EQ(held.of(1), (std::vector<HeldIndex>{numbers[0], numbers[2]}));

  const std::uint32_t version = held.at(numbers[1]).version;
  held.loosen({0, 1});
  EXPECT_TRUE(held.of(0).empty());
  // In another order, and a little moved.
  ContactPoint moved = contacts[1];
  moved.point_a.x() += 0.1;
  EXPECT_FALSE(held.keep(world, {.contact = moved}).has_value());
  EXPECT_FALSE(held.keep(world, {.contact = contacts[0]}).has_value());
  EXPECT_FALSE(held.keep(world, {.contact = contacts[2]}).has_value());
  EXPECT_TRUE(held.opened().empty());
  EXPECT_EQ(held.of(0), (std::vector<HeldIndex>{numbers[1], numbers[0]}));
  EXPECT_EQ(held.at(numbers[1]).version, version);
  EXPECT_EQ(held.at(numbers[1]).contact.point_a.x(), moved.point_a.x());
  EXPECT_TRUE(held.at(numbers[1]).reported);
}

TEST(HeldContacts, OneThatIsNotKeptHasOpened) {
  World world = two_balls().world();
  const std::vector<ContactPoint> contacts = closed_around(world, {0}).contacts();
  HeldContacts held(world);
  for (const ContactPoint& contact : contacts) held.mark_reported(held.keep(world, {.contact = contact}).value(), true);
  const HeldIndex between = held.of(0)[0];
  const std::uint32_t version = held.at(between).version;
  held.loosen({0, 1});
  held.keep(world, {.contact = contacts[1]});
  held.keep(world, {.contact = contacts[2]});
  const std::vector<ContactPoint> opened = held.opened();
  ASSERT_EQ(opened.size(), 1u);
  EXPECT_EQ(opened[0].a, 0);
  EXPECT_EQ(opened[0].b, 1);
  EXPECT_FALSE(held.at(between).alive);
  EXPECT_NE(held.at(between).version, version);
  EXPECT_FALSE(held.holds(world, {0, 0, 1, 0}));
  EXPECT_TRUE(held.holds(world, {0, 0, 2, 0}));
  EXPECT_TRUE(held.opened().empty());  // only once

  // Its number is given again, under another version: what was scheduled for the old one does not hold for the new one.
  const std::uint32_t dead = held.at(between).version;
  EXPECT_EQ(held.keep(world, {.contact = contacts[0]}), between);
  EXPECT_TRUE(held.at(between).alive);
  EXPECT_NE(held.at(between).version, version);
  EXPECT_NE(held.at(between).version, dead);
}

TEST(HeldContacts, OneWhoseBeginningWasNeverReportedOpensUnnoticed) {
  World world = two_balls().world();
  const std::vector<ContactPoint> contacts = closed_around(world, {0}).contacts();
  HeldContacts held(world);
  for (const ContactPoint& contact : contacts)
    held.mark_reported(held.keep(world, {.contact = contact}).value(), contact.b != 1);
  EXPECT_TRUE(held.report_pending());
  held.loosen({0, 1});
  const std::vector<ContactPoint> opened = held.opened();
  ASSERT_EQ(opened.size(), 2u);
  EXPECT_EQ(opened[0].a, 0);
  EXPECT_EQ(opened[0].b, 2);
  EXPECT_EQ(opened[1].a, 1);
  EXPECT_EQ(opened[1].b, 2);
  EXPECT_FALSE(held.report_pending());
}

TEST(HeldContacts, ABoxIsHeldVertexByVertex) {
  SmallWorld scene;
  scene.add_body(Box{{1.0, 1.0, 0.5}}, {0.0, 0.0, 0.5});
  scene.add_floor();
  World world = scene.world();
  const std::vector<ContactPoint> contacts = closed_around(world, {0}).contacts();
  ASSERT_EQ(contacts.size(), 4u);
  HeldContacts held(world);
  for (const ContactPoint& contact : contacts) held.mark_reported(held.keep(world, {.contact = contact}).value(), true);
  const auto vertex = [&contacts](std::size_t k) { return std::get<contact::PointOnFace>(contacts[k].feature).point; };
  const auto holds_vertex = [&](const Eigen::Vector3d& point) {
    return held.hold_of(world, {0, 0, 1, 0}, {point}) == HeldContacts::PieceHold::on_point;
  };
  for (std::size_t k = 0; k < 4; ++k) EXPECT_TRUE(holds_vertex(vertex(k))) << k;
  EXPECT_FALSE(holds_vertex(-vertex(0)));  // one of the upper face

  held.loosen({0});  // it tips: two vertices stay
  EXPECT_FALSE(held.keep(world, {.contact = contacts[3]}).has_value());
  EXPECT_FALSE(held.keep(world, {.contact = contacts[1]}).has_value());
  EXPECT_TRUE(holds_vertex(vertex(1)));
  const std::vector<ContactPoint> opened = held.opened();
  ASSERT_EQ(opened.size(), 2u);
  EXPECT_EQ(std::get<contact::PointOnFace>(opened[0].feature).point, vertex(0));
  EXPECT_EQ(std::get<contact::PointOnFace>(opened[1].feature).point, vertex(2));
  EXPECT_FALSE(holds_vertex(vertex(0)));
}

TEST(HeldContacts, ACylinderIsHeldAtAFaceOrARim) {
  SmallWorld scene;
  scene.add_body(Cylinder{0.5, 1.0}, {0.0, 0.0, 1.0});
  scene.add_floor();
  World world = scene.world();
  const std::vector<ContactPoint> standing = closed_around(world, {0}).contacts();
  HeldContacts held(world);
  for (const ContactPoint& contact : standing) held.keep(world, {.contact = contact});
  const auto hold_of_end = [&](double height) {
    return held.hold_of(world, {0, 0, 1, 0}, {Eigen::Vector3d(0.0, 0.0, height), 0.5});
  };
  EXPECT_EQ(hold_of_end(-1.0), HeldContacts::PieceHold::on_face);
  EXPECT_EQ(hold_of_end(1.0), HeldContacts::PieceHold::free);
  held.loosen({0});
  ContactPoint tipping = standing[0];
  tipping.feature = contact::RimOnFace{.height = -1.0, .radius = 0.5};
  held.keep(world, {.contact = tipping});
  EXPECT_EQ(hold_of_end(-1.0), HeldContacts::PieceHold::on_rim);
}

TEST(HeldContacts, ABodyThatRollsOnAPlaneIsHeldByIt) {
  SmallWorld scene = two_balls();
  scene.model.constraints.emplace_back(RollingConstraint{.body = 1, .plane = 0});
  World world = scene.world();
  const HeldContacts held(world);
  EXPECT_TRUE(held.holds(world, {1, 0, 2, 0}));
  EXPECT_FALSE(held.holds(world, {0, 0, 2, 0}));
  EXPECT_FALSE(held.holds(world, {1, 0, 0, 0}));
}

}  // namespace
}  // namespace carom::event
