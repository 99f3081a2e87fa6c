#include "carom/analysis/sample_block.h"

#include <algorithm>
#include <string_view>

#include "carom/record/energy_columns.h"
#include "carom/record/record_layout.h"

namespace carom {

std::size_t SampleBlock::usual_size(std::size_t bodies) {
  constexpr std::size_t kMostRows = 4096;
  constexpr std::size_t kMostNumbers = std::size_t{1} << 20;
  return std::clamp<std::size_t>(kMostNumbers / (4 * std::max<std::size_t>(bodies, 1)), 4, kMostRows);
}

const std::vector<double>& SampleBlock::column(const char* path) {
  const auto found = columns_.find(std::string_view(path));
  if (found != columns_.end()) return found->second;
  return columns_.emplace(path, record_.series(path, first_, size())).first->second;
}

Eigen::Vector3d SampleBlock::vector(const char* path, std::size_t i, int body) {
  return Eigen::Vector3d(column(path).data() + 3 * (i * record_.info().bodies + body));
}

Eigen::Vector3d SampleBlock::joint_vector(const char* path, std::size_t i, int joint) {
  return Eigen::Vector3d(column(path).data() + 3 * (i * record_.info().joints.size() + joint));
}

Eigen::Quaterniond SampleBlock::orientation(std::size_t i, int body) {
  const double* const q = column("/orientation").data() + 4 * (i * record_.info().bodies + body);
  return {q[0], q[1], q[2], q[3]};
}

BodyState SampleBlock::body(std::size_t i, int body) {
  return {vector("/position", i, body), orientation(i, body), vector("/velocity", i, body),
          vector("/angular_velocity", i, body)};
}

State SampleBlock::state(std::size_t i) {
  State state;
  state.time = time(i);
  state.bodies.reserve(record_.info().bodies);
  for (std::size_t k = 0; k < record_.info().bodies; ++k) state.bodies.push_back(body(i, static_cast<int>(k)));
  const std::size_t joints =
      record_.has_samples_of(kJointForce) ? record_.info().joints.size() : 0;  // of older records
  for (int k = 0; k < static_cast<int>(joints); ++k)
    state.joint_loads.push_back({joint_vector(kJointForce, i, k), joint_vector(kJointCouple, i, k)});
  const std::span<const ContactLoad> loads = contact_loads(i);
  state.contact_loads.assign(loads.begin(), loads.end());
  return state;
}

const EnergyBook& SampleBlock::energy(std::size_t i) {
  if (energies_.empty()) read_energies();
  return energies_[i];
}

std::span<const ContactLoad> SampleBlock::contact_loads(std::size_t i) {
  if (!contact_loads_) contact_loads_ = record_.contact_loads(first_, size());
  return contact_loads_->of(i);
}

void SampleBlock::read_energies() {
  energies_.resize(size());
  for (const EnergyColumn& column : kEnergyColumns) {
    if (!record_.has_samples_of(energy_path(column))) continue;  // an older record
    const std::vector<double> values = record_.series(energy_path(column), first_, size());
    for (std::size_t i = 0; i < values.size(); ++i) column.field(energies_[i]) = values[i];
  }
}

}  // namespace carom
