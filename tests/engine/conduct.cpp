#include "engine/conduct.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "carom/geometry/pair_table.h"

namespace carom::test {

namespace {

/// Thousands of events that a run may take: its impacts are limited, and each brings a few events with it.
constexpr int kMostReports = 40;
struct Endless {};

/// Looks at everything that an engine tells.
class Watcher final : public Observer {
 public:
  Watcher(const RandomScene& scene, Conduct& conduct) : scene_(scene), conduct_(conduct) {
    for (const Body& body : scene.model.bodies) mass_ += body.mass;
  }

  void sample(const State& state, const EnergyBook& book) override {
    pass(state.time);
    ++conduct_.samples;
    // What the book is made of: the energies themselves, what passed through it, and a fall through the room.
    const double room = mass_ * scene_.model.gravity.norm() * kRoom;
    largest_ = std::max({largest_, book.now.kinetic, std::abs(book.now.springs), std::abs(book.now.loads),
                         std::abs(book.wall_work), std::abs(book.torque_work), std::abs(book.impacts), room, 1e-3});
    conduct_.balance = std::max(conduct_.balance, std::abs(book.error()) / largest_);
    for (const BodyState& body : state.bodies) {
      note(body.position.data(), 3);
      note(body.orientation.coeffs().data(), 4);
      note(body.velocity.data(), 3);
      note(body.angular_velocity.data(), 3);
    }
    look_for_overlap(state);
  }
  void event(const EventRecord& event) override {
    pass(event.time);
    ++conduct_.events;
    for (const ContactRecord& contact : event.contacts) note(&contact.impulse, 1);
  }
  void progress(double time, long /*events*/) override {
    note(&time, 1);
    if (++reports_ > kMostReports) throw Endless{};
  }

 private:
  void pass(double time) {
    if (time < last_) conduct_.in_order = false;
    last_ = time;
    note(&time, 1);
  }
  void note(const double* numbers, int count) {
    for (int k = 0; k < count; ++k) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, numbers + k, sizeof bits);
      conduct_.fingerprint = (conduct_.fingerprint ^ bits) * 0x100000001b3u;
    }
  }
  void look_for_overlap(const State& state) {
    const Model& model = scene_.model;
    for (int a = 0; a < model.body_count(); ++a) {
      const Pose pose_a = state.bodies[static_cast<std::size_t>(a)].pose();
      for (int b = a + 1; b < model.object_count(); ++b) {
        const Pose pose_b =
            model.is_body(b) ? state.bodies[static_cast<std::size_t>(b)].pose() : model.obstacle(b).pose_at(state.time);
        const double size = std::min(bounding_radius(model.parts(a)), bounding_radius(model.parts(b)));
        const double deep = -proximity(model.parts(a), pose_a, model.parts(b), pose_b).distance / size;
        if (!(deep <= conduct_.overlap)) {
          conduct_.overlap = deep;
          conduct_.overlap_a = a;
          conduct_.overlap_b = b;
          conduct_.overlap_time = state.time;
        }
      }
    }
  }

  const RandomScene& scene_;
  Conduct& conduct_;
  double last_ = 0.0;
  double mass_ = 0.0;
  double largest_ = 0.0;
  int reports_ = 0;
};

}  // namespace

Conduct conduct_of(const RandomScene& scene) {
  Conduct conduct;
  Watcher watcher(scene, conduct);
  try {
    conduct.result = scene.run(&watcher);
  } catch (const Endless&) {
    conduct.endless = true;
  }
  return conduct;
}

Conduct expect_good_conduct(const RandomScene& scene) {
  const Conduct conduct = conduct_of(scene);
  EXPECT_FALSE(conduct.endless) << "no end at " << conduct.result.final_state.time;
  EXPECT_LT(conduct.balance, 1e-9);
  // Exact motion keeps to round-off; the steps of crowds, to 5e-7 of the size.
  EXPECT_LT(conduct.overlap, 1e-6) << scene.model.name(conduct.overlap_a) << " and "
                                   << scene.model.name(conduct.overlap_b) << " at " << conduct.overlap_time;
  EXPECT_TRUE(conduct.in_order);
  EXPECT_NE(conduct.result.stop, RunStop::failed)
      << (conduct.result.failure ? conduct.result.failure->reason : std::string());
  return conduct;
}

}  // namespace carom::test
