/// Writes the files that check_vtk_files.py opens with VTK: every shape, a driven plane, odd names.
///
///     write_vtk_files FOLDER    prints what should be found, as JSON

#include <iostream>
#include <nlohmann/json.hpp>

#include "carom/export/vtk.h"
#include "carom/record/record_reader.h"
#include "carom/record/record_writer.h"

namespace {

using namespace carom;
using Eigen::Vector3d;

Model make_model() {
  Model model;
  model.bodies = {homogeneous_body("ball", Sphere{0.25}, 2.0),
                  homogeneous_body("<egg> & \"co\"", Ellipsoid{{0.1, 0.2, 0.3}}, 1.0),
                  homogeneous_body("box", Box{{0.1, 0.2, 0.3}}, 1.0), homogeneous_body("can", Cylinder{0.2, 0.5}, 1.0),
                  homogeneous_body("große Kante", Prism{{{{0.0, 0.0}, {0.6, 0.0}, {0.0, 0.3}}}, 0.5}, 1.0)};
  Obstacle floor, lift;
  floor.name = "floor";
  lift.name = "lift";
  lift.pose.position = {0.0, 0.0, -30.0};
  lift.velocity = Vector3d::UnitZ();
  model.obstacles = {floor, lift};
  return model;
}

/// The bodies drift apart; the ball turns about y as well.
State state_at(double time) {
  State state;
  state.time = time;
  for (int k = 0; k < 5; ++k) {
    BodyState body;
    body.velocity = {1.0, 0.1 * k, -0.3};
    body.position = Vector3d(10.0 * k, 0.0, 7.0) + time * body.velocity;
    state.bodies.push_back(body);
  }
  state.bodies[0].angular_velocity = {0.0, 3.0, 0.0};
  state.bodies[0].orientation = Eigen::AngleAxisd(3.0 * time, Vector3d::UnitY());
  return state;
}

void record_run(const std::string& path, const Model& model) {
  constexpr int kFrames = 20;
  RecordWriter writer(path, model, RecordHeader{});
  for (int i = 0; i <= kFrames; ++i) {
    const double time = 0.05 * i;
    // Two contacts between this sample and the one before, at every third.
    if (i % 3 == 1) {
      const std::vector<ContactRecord> contacts{
          {0, 5, {time, 0.0, 0.0}, Vector3d::UnitZ(), 1.5 + i, {0.25, 0.0, 0.0}, -1.0, 1.0},
          {1, 6, {time, 1.0, 0.0}, Vector3d::UnitX(), 0.125, Vector3d::Zero(), -2.0, 0.0}};
      EventRecord event;
      event.time = time - 0.02;
      event.contacts = contacts;
      writer.event(event);
    }
    writer.sample(state_at(time), {});
  }
  writer.finish(RunStop::duration, "{}");
}

nlohmann::json expected_of(RecordReader& record) {
  nlohmann::json expected{{"names", record.info().objects}};
  for (std::size_t i = 0; i < record.sample_count(); ++i) {
    const State state = record.state(i);
    nlohmann::json frame{{"time", state.time}};
    for (const BodyState& body : state.bodies) {
      const Eigen::Quaterniond& q = body.orientation;
      frame["bodies"].push_back({{"position", body.position},
                                 {"velocity", body.velocity},
                                 {"angular_velocity", body.angular_velocity},
                                 {"orientation", {q.w(), q.x(), q.y(), q.z()}}});
    }
    expected["frames"].push_back(frame);
  }
  const EventBlock block = record.events(0, record.event_count());
  for (std::size_t i = 0; i < block.events.size(); ++i) {
    for (const ContactRecord& contact : block.events[i].contacts) {
      expected["contacts"].push_back({{"event", i},
                                      {"time", block.events[i].time},
                                      {"point", contact.point},
                                      {"normal", contact.normal},
                                      {"impulse", contact.impulse},
                                      {"tangential", contact.tangential_impulse},
                                      {"a", int{contact.a}},
                                      {"b", int{contact.b}}});
    }
  }
  return expected;
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) return 2;
  const std::string folder = words[1];
  scene::SceneFile scene;
  scene.model = make_model();
  record_run(folder + "/run.h5", scene.model);
  RecordReader record(folder + "/run.h5");
  export_vtk(record, scene, folder + "/vtk");
  std::cout << expected_of(record).dump();
}
