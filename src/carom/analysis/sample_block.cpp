#include "carom/analysis/sample_block.h"

#include <algorithm>
#include <string_view>

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
  return Eigen::Vector3d(column(path).data() + 3 * (i * record_.info().bodies + static_cast<std::size_t>(body)));
}

Eigen::Quaterniond SampleBlock::orientation(std::size_t i, int body) {
  const double* const q =
      column("/orientation").data() + 4 * (i * record_.info().bodies + static_cast<std::size_t>(body));
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
  return state;
}

const EnergyBook& SampleBlock::energy(std::size_t i) {
  if (energies_.empty()) read_energies();
  return energies_[i];
}

void SampleBlock::read_energies() {
  energies_.resize(size());
  const auto read = [this](const char* path, auto&& part) {
    const std::vector<double> values = record_.series(path, first_, size());
    for (std::size_t i = 0; i < values.size(); ++i) part(energies_[i]) = values[i];
  };
  read("/energy/kinetic", [](EnergyBook& book) -> double& { return book.now.kinetic; });
  read("/energy/gravity", [](EnergyBook& book) -> double& { return book.now.gravity; });
  read("/energy/springs", [](EnergyBook& book) -> double& { return book.now.springs; });
  read("/energy/loads", [](EnergyBook& book) -> double& { return book.now.loads; });
  read("/energy/contacts", [](EnergyBook& book) -> double& { return book.now.contacts; });
  read("/energy/initial", [](EnergyBook& book) -> double& { return book.initial; });
  read("/energy/impacts", [](EnergyBook& book) -> double& { return book.impacts; });
  read("/energy/damping", [](EnergyBook& book) -> double& { return book.damping; });
  read("/energy/cut_off", [](EnergyBook& book) -> double& { return book.cut_off; });
  read("/energy/contact_damping", [](EnergyBook& book) -> double& { return book.contacts; });
  read("/energy/friction", [](EnergyBook& book) -> double& { return book.friction; });
  read("/energy/swallowed", [](EnergyBook& book) -> double& { return book.swallowed; });
  read("/energy/wall_work", [](EnergyBook& book) -> double& { return book.wall_work; });
  read("/energy/torque_work", [](EnergyBook& book) -> double& { return book.torque_work; });
}

}  // namespace carom
