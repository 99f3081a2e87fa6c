#include "soak/record/recorded_run.h"

#include <hdf5.h>

#include <stdexcept>

namespace carom::soak {

namespace {

/// Closes what it holds.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t), const std::string& what) : id_(id), close_(close) {
    if (id < 0) throw std::runtime_error("the record has no " + what);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { close_(id_); }
  operator hid_t() const { return id_; }  // NOLINT: stands for the identifier wherever the library asks for it

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

std::string up_to_zero(const char* text, std::size_t size) {
  std::size_t length = 0;
  while (length < size && text[length] != '\0') ++length;
  return {text, length};
}

std::string text_attribute(hid_t file, const char* name) {
  const Handle attribute(H5Aopen(file, name, H5P_DEFAULT), H5Aclose, name);
  const Handle type(H5Aget_type(attribute), H5Tclose, name);
  std::string text(H5Tget_size(type), '\0');
  if (text.empty() || H5Aread(attribute, type, text.data()) < 0) throw std::runtime_error(std::string("bad ") + name);
  return up_to_zero(text.data(), text.size());
}

std::size_t entries_of(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose, "dataspace");
  return static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
}

std::vector<double> numbers(hid_t file, const std::string& name) {
  const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, name);
  std::vector<double> values(entries_of(dataset));
  if (!values.empty() && H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    throw std::runtime_error("cannot read " + name);
  return values;
}

std::vector<std::string> texts(hid_t file, const std::string& name) {
  const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, name);
  const Handle type(H5Dget_type(dataset), H5Tclose, name);
  const std::size_t size = H5Tget_size(type), count = entries_of(dataset);
  std::vector<char> bytes(size * count);
  if (count > 0 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
    throw std::runtime_error("cannot read " + name);
  std::vector<std::string> all;
  for (std::size_t k = 0; k < count; ++k) all.push_back(up_to_zero(bytes.data() + k * size, size));
  return all;
}

void expect_size(const std::vector<double>& values, std::size_t size, const char* what) {
  if (values.size() < size) throw std::runtime_error(std::string("too few entries in ") + what);
}

std::vector<double> last_jumps(hid_t file, std::size_t bodies) {
  std::vector<double> last(bodies, -1.0);
  const std::vector<double> time = numbers(file, "events/time"), first = numbers(file, "events/first_jump"),
                            count = numbers(file, "events/jump_count"), body = numbers(file, "events/jumps/body");
  expect_size(first, time.size(), "events/first_jump");
  expect_size(count, time.size(), "events/jump_count");
  for (std::size_t event = 0; event < time.size(); ++event)
    for (double row = first[event]; row < first[event] + count[event]; ++row)
      last.at(static_cast<std::size_t>(body.at(static_cast<std::size_t>(row)))) = time[event];
  return last;
}

}  // namespace

RecordedRun read_recorded_run(const std::string& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "HDF5 file");
  RecordedRun run;
  run.scene = text_attribute(file, "scene");
  run.engine = text_attribute(file, "engine");
  run.law = text_attribute(file, "law");
  run.stop = text_attribute(file, "stop");
  run.objects = texts(file, "objects");
  run.time = numbers(file, "time");
  const std::vector<double> position = numbers(file, "position"), orientation = numbers(file, "orientation"),
                            velocity = numbers(file, "velocity"), spin = numbers(file, "angular_velocity");
  const std::size_t times = run.time.size();
  if (times == 0) throw std::runtime_error("the record has no samples");
  run.bodies = position.size() / (3 * times);
  expect_size(orientation, 4 * times * run.bodies, "orientation");
  expect_size(velocity, 3 * times * run.bodies, "velocity");
  expect_size(spin, 3 * times * run.bodies, "angular_velocity");
  for (std::size_t k = 0; k < times; ++k) {
    std::vector<BodySample>& row = run.samples.emplace_back();
    for (std::size_t body = 0; body < run.bodies; ++body) {
      const std::size_t at = k * run.bodies + body;
      const double* turn = orientation.data() + 4 * at;
      row.push_back({Eigen::Vector3d(position.data() + 3 * at), Eigen::Vector3d(velocity.data() + 3 * at),
                     Eigen::Vector3d(spin.data() + 3 * at), Eigen::Quaterniond(turn[0], turn[1], turn[2], turn[3])});
    }
  }
  for (const char* column :
       {"kinetic", "gravity", "springs", "loads", "contacts", "initial", "impacts", "damping", "cut_off",
        "contact_damping", "friction", "swallowed", "wall_work", "torque_work", "motor_work"}) {
    run.energy[column] = numbers(file, std::string("energy/") + column);
    expect_size(run.energy[column], times, column);
  }
  run.last_jump = last_jumps(file, run.bodies);
  return run;
}

}  // namespace carom::soak
