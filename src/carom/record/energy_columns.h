#pragma once
/// The columns of energy of a record and of a film: the energy book, field by field. Older records may lack the last.

#include <array>
#include <string>
#include <string_view>

#include "carom/record/observer.h"

namespace carom {

struct EnergyColumn {
  std::string_view name;  ///< in a record `/energy/NAME`, in a film `energy.NAME`
  std::string_view kind;  ///< `stored`, `dissipated`, `supplied` or `initial`
  double& (*field)(EnergyBook& book);
};

inline constexpr std::array kEnergyColumns{
    EnergyColumn{"kinetic", "stored", [](EnergyBook& book) -> double& { return book.now.kinetic; }},
    EnergyColumn{"gravity", "stored", [](EnergyBook& book) -> double& { return book.now.gravity; }},
    EnergyColumn{"springs", "stored", [](EnergyBook& book) -> double& { return book.now.springs; }},
    EnergyColumn{"loads", "stored", [](EnergyBook& book) -> double& { return book.now.loads; }},
    EnergyColumn{"contacts", "stored", [](EnergyBook& book) -> double& { return book.now.contacts; }},
    EnergyColumn{"initial", "initial", [](EnergyBook& book) -> double& { return book.initial; }},
    EnergyColumn{"impacts", "dissipated", [](EnergyBook& book) -> double& { return book.impacts; }},
    EnergyColumn{"damping", "dissipated", [](EnergyBook& book) -> double& { return book.damping; }},
    EnergyColumn{"cut_off", "dissipated", [](EnergyBook& book) -> double& { return book.cut_off; }},
    EnergyColumn{"contact_damping", "dissipated", [](EnergyBook& book) -> double& { return book.contacts; }},
    EnergyColumn{"friction", "dissipated", [](EnergyBook& book) -> double& { return book.friction; }},
    EnergyColumn{"swallowed", "dissipated", [](EnergyBook& book) -> double& { return book.swallowed; }},
    EnergyColumn{"wall_work", "supplied", [](EnergyBook& book) -> double& { return book.wall_work; }},
    EnergyColumn{"torque_work", "supplied", [](EnergyBook& book) -> double& { return book.torque_work; }},
    EnergyColumn{"motor_work", "supplied", [](EnergyBook& book) -> double& { return book.motor_work; }},
};

/// Of a column in a record.
inline std::string energy_path(const EnergyColumn& column) {
  return "/energy/" + std::string(column.name);
}

}  // namespace carom
