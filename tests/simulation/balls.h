#pragma once
/// Scenes for the tests of Simulation, and what happened in a run as one list of numbers.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "carom/simulation/simulation.h"
#include "support/places.h"

namespace carom::test {

/// A ball of radius 0.1 m falls from 1 m above the floor with restitution e, under g = 10 m/s².
inline Scene falling_ball(double restitution, double duration = 10.0) {
  Scene scene;
  scene.set("world.gravity", {0, 0, -10});
  scene.set("run.duration", duration);
  scene.set("run.output_step", 0.125);
  scene.add_material({{"name", "rubber"}});
  scene.add_pair({{"materials", {"rubber", "rubber"}}, {"restitution", restitution}});
  scene.add_body({{"name", "ball"},
                  {"shape", {{"kind", "sphere"}, {"radius", 0.1}}},
                  {"mass", 2.0},
                  {"material", "rubber"},
                  {"position", {0, 0, 1.1}}});
  scene.add_plane({{"name", "floor"}, {"normal", {0, 0, 1}}, {"material", "rubber"}});
  return scene;
}

inline Scene shipped(const std::string& name, const std::vector<std::string>& settings = {}) {
  Scene scene = Scene::read(scene_path(name));
  for (const std::string& setting : settings) scene.set(setting);
  return scene;
}

/// All numbers of a state.
inline void append(std::vector<double>& numbers, const State& state) {
  numbers.push_back(state.time);
  for (const BodyState& body : state.bodies) {
    for (const Eigen::Vector3d& v : {body.position, body.velocity, body.angular_velocity})
      numbers.insert(numbers.end(), {v.x(), v.y(), v.z()});
    numbers.insert(numbers.end(),
                   {body.orientation.w(), body.orientation.x(), body.orientation.y(), body.orientation.z()});
  }
}

/// Keeps everything that a simulation reports, bit by bit.
class Witness final : public Observer {
 public:
  std::vector<double> events, samples;

  void sample(const State& state, const EnergyBook& book) override {
    append(samples, state);
    samples.push_back(book.now.total());
    samples.push_back(book.dissipated());
  }
  void event(const EventRecord& event) override {
    events.push_back(event.time);
    events.push_back(static_cast<double>(event.kind));
    for (const ContactRecord& contact : event.contacts) events.push_back(contact.impulse);
    for (const JumpRecord& jump : event.jumps)
      events.insert(events.end(), jump.velocity_after.begin(), jump.velocity_after.end());
  }
  void progress(double, long) override {}
};

}  // namespace carom::test
