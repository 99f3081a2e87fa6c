#include "record/fake_run.h"

#include <cmath>

namespace carom::test {
namespace {

Eigen::Vector3d fake_vector(int index, double salt) {
  return {std::sin(index + salt), std::cos(index * salt), index / 3.0 + salt};
}

}  // namespace

Model fake_model() {
  Model model;
  for (const char* const name : {"egg", "ball", "große Kugel"}) {
    Body body;
    body.name = name;
    model.bodies.push_back(body);
  }
  for (const char* const name : {"floor", "wall"}) {
    Obstacle plane;
    plane.name = name;
    model.obstacles.push_back(plane);
  }
  for (const char* const name : {"corner pocket", "middle pocket"}) {
    Pocket pocket;
    pocket.name = name;
    model.pockets.push_back(pocket);
  }
  return model;
}

RecordHeader fake_header() {
  return {.scene = "format = 1\ntitle = \"Ei und Kugel, ½\"\n",
          .settings = {"run.law=newton", "body.egg.mass=2"},
          .engine = "event",
          .law = "newton",
          .options = R"({"duration": 2.0})",
          .seed = 42};
}

State fake_state(int index) {
  State state;
  state.time = 0.1 * index;
  for (int i = 0; i < 3; ++i) {
    const int k = 3 * index + i;
    state.bodies.push_back({fake_vector(k, 0.1), Eigen::Quaterniond(1.0, 0.1 * k, 0.2, -0.3).normalized(),
                            fake_vector(k, 0.2), fake_vector(k, 0.3)});
  }
  for (int i = 0; i < index % 3; ++i) {
    const int k = 2 * index + i;
    state.contact_loads.push_back({k % 3, 3 + k % 2, fake_vector(k, 1.2), fake_vector(k, 1.3), k + 0.5,
                                   fake_vector(k, 1.4), fake_vector(k, 1.5), static_cast<SlipMode>(k % 4)});
  }
  return state;
}

EnergyBook fake_book(int index) {
  EnergyBook book;
  book.initial = 100.0;
  book.impacts = index + 0.1;
  book.damping = index + 0.2;
  book.cut_off = index + 0.3;
  book.wall_work = index + 0.4;
  book.torque_work = index + 0.5;
  book.now = {index + 0.6, index + 0.7, index + 0.8, index + 0.9};
  return book;
}

FakeEvent::FakeEvent(int index) {
  for (int i = 0; i < index % 4; ++i) {
    const int k = 4 * index + i;
    contacts.push_back(
        {k % 3, 3 + k % 2, fake_vector(k, 0.4), fake_vector(k, 0.5), k + 0.1, fake_vector(k, 0.6), -k - 0.2, k + 0.3});
    if (k % 5 > 0) contacts.back().restitution = 0.1 * (k % 11);
    if (k % 7 > 3) contacts.back().course = ContactCourse{k + 0.4, k + 0.5, k + 0.6};
  }
  for (int i = 0; i < (index % 7) % 4; ++i) {
    const int k = 4 * index + i;
    jumps.push_back({k % 3, fake_vector(k, 0.7), fake_vector(k, 0.8), fake_vector(k, 0.9), fake_vector(k, 1.1)});
  }
  constexpr Stop kStops[] = {Stop::separated, Stop::at_rest, Stop::step_limit, Stop::no_exit_direction,
                             Stop::infeasible};
  // Every tenth is at the very time of a sample.
  event.time = 0.1 * (index / 10) + 0.01 * (index % 10);
  event.kind = static_cast<EventKind>(index % 6);
  if (event.kind == EventKind::swallowed) event.pocket = index % 2;
  event.round = index % 3;
  event.law = index % 2 == 0 ? "newton" : "";
  event.contacts = contacts;
  event.jumps = jumps;
  event.steps = index * 1'000'000'000L;
  event.stop = kStops[index % 5];
  event.energy = {index + 0.1, index + 0.2, index + 0.3, index + 0.4, index + 0.5, index + 0.6};
  event.min_impulse = index + 0.7;
  event.min_gap_rate_after = index + 0.8;
  event.constraint_residual = index + 0.9;
  if (index % 2 == 0) event.complementarity_residual = index / 7.0;
  for (const Flag flag : all_flags()) {
    if ((static_cast<unsigned>(index) & static_cast<unsigned>(flag)) != 0) event.flags.set(flag);
  }
}

void tell(Observer& observer, int first, int end) {
  for (int i = first; i < end; ++i) {
    if (i % 10 == 0) observer.sample(fake_state(i / 10), fake_book(i / 10));
    observer.event(FakeEvent(i).event);
    observer.progress(0.01 * i, i);
  }
}

void expect_same(const EventRecord& actual, const EventRecord& expected) {
  EXPECT_EQ(actual.time, expected.time);
  EXPECT_EQ(actual.kind, expected.kind);
  EXPECT_EQ(actual.round, expected.round);
  EXPECT_EQ(actual.law, expected.law);
  EXPECT_EQ(actual.steps, expected.steps);
  EXPECT_EQ(actual.stop, expected.stop);
  EXPECT_EQ(actual.energy.before, expected.energy.before);
  EXPECT_EQ(actual.energy.after, expected.energy.after);
  EXPECT_EQ(actual.energy.change, expected.energy.change);
  EXPECT_EQ(actual.energy.change_from_impulses, expected.energy.change_from_impulses);
  EXPECT_EQ(actual.energy.contact_work, expected.energy.contact_work);
  EXPECT_EQ(actual.energy.wall_work, expected.energy.wall_work);
  EXPECT_EQ(actual.min_impulse, expected.min_impulse);
  EXPECT_EQ(actual.min_gap_rate_after, expected.min_gap_rate_after);
  EXPECT_EQ(actual.constraint_residual, expected.constraint_residual);
  EXPECT_EQ(actual.complementarity_residual, expected.complementarity_residual);
  EXPECT_EQ(actual.flags.bits(), expected.flags.bits());
  EXPECT_EQ(actual.pocket, expected.pocket);
  ASSERT_EQ(actual.contacts.size(), expected.contacts.size());
  for (std::size_t i = 0; i < actual.contacts.size(); ++i) {
    const ContactRecord& contact = actual.contacts[i];
    const ContactRecord& other = expected.contacts[i];
    EXPECT_EQ(contact.a, other.a);
    EXPECT_EQ(contact.b, other.b);
    EXPECT_EQ(contact.point, other.point);
    EXPECT_EQ(contact.normal, other.normal);
    EXPECT_EQ(contact.impulse, other.impulse);
    EXPECT_EQ(contact.tangential_impulse, other.tangential_impulse);
    EXPECT_EQ(contact.rate_before, other.rate_before);
    EXPECT_EQ(contact.rate_after, other.rate_after);
    EXPECT_EQ(contact.restitution, other.restitution);
    ASSERT_EQ(contact.course.has_value(), other.course.has_value());
    if (!contact.course) continue;
    EXPECT_EQ(contact.course->began, other.course->began);
    EXPECT_EQ(contact.course->peak_force, other.course->peak_force);
    EXPECT_EQ(contact.course->peak_time, other.course->peak_time);
  }
  ASSERT_EQ(actual.jumps.size(), expected.jumps.size());
  for (std::size_t i = 0; i < actual.jumps.size(); ++i) {
    const JumpRecord& jump = actual.jumps[i];
    const JumpRecord& other = expected.jumps[i];
    EXPECT_EQ(jump.body, other.body);
    EXPECT_EQ(jump.velocity_before, other.velocity_before);
    EXPECT_EQ(jump.velocity_after, other.velocity_after);
    EXPECT_EQ(jump.angular_velocity_before, other.angular_velocity_before);
    EXPECT_EQ(jump.angular_velocity_after, other.angular_velocity_after);
  }
}

void expect_same(const State& actual, const State& expected) {
  EXPECT_EQ(actual.time, expected.time);
  ASSERT_EQ(actual.bodies.size(), expected.bodies.size());
  for (std::size_t i = 0; i < actual.bodies.size(); ++i) {
    EXPECT_EQ(actual.bodies[i].position, expected.bodies[i].position);
    EXPECT_EQ(actual.bodies[i].orientation.coeffs(), expected.bodies[i].orientation.coeffs());
    EXPECT_EQ(actual.bodies[i].velocity, expected.bodies[i].velocity);
    EXPECT_EQ(actual.bodies[i].angular_velocity, expected.bodies[i].angular_velocity);
  }
}

namespace {

void expect_same_loads(std::span<const ContactLoad> actual, const std::vector<ContactLoad>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_EQ(actual[i].a, expected[i].a);
    EXPECT_EQ(actual[i].b, expected[i].b);
    EXPECT_EQ(actual[i].point, expected[i].point);
    EXPECT_EQ(actual[i].normal, expected[i].normal);
    EXPECT_EQ(actual[i].force, expected[i].force);
    EXPECT_EQ(actual[i].friction, expected[i].friction);
    EXPECT_EQ(actual[i].couple, expected[i].couple);
    EXPECT_EQ(actual[i].mode, expected[i].mode);
  }
}

}  // namespace

int expect_beginning_of_fake_run(RecordReader& record) {
  constexpr std::size_t kBlock = 1000;
  int index = 0;
  for (std::size_t first = 0; first < record.event_count(); first += kBlock) {
    const EventBlock block = record.events(first, kBlock);
    for (const EventRecord& event : block.events) {
      expect_same(event, FakeEvent(index).event);
      ++index;
      if (testing::Test::HasFailure()) return index;
    }
  }
  const std::size_t samples = record.sample_count();
  for (std::size_t sample = 0; sample < samples; sample += std::max<std::size_t>(samples / 20, 1)) {
    expect_same(record.state(sample), fake_state(static_cast<int>(sample)));
    const std::size_t two = std::min<std::size_t>(2, samples - sample);
    const ContactLoadBlock loads = record.contact_loads(sample, two);
    for (std::size_t i = 0; i < two; ++i)
      expect_same_loads(loads.of(i), fake_state(static_cast<int>(sample + i)).contact_loads);
    EXPECT_EQ(record.energy(sample).cut_off, fake_book(static_cast<int>(sample)).cut_off);
    EXPECT_EQ(record.energy(sample).now.loads, fake_book(static_cast<int>(sample)).now.loads);
  }
  return index;
}

}  // namespace carom::test
