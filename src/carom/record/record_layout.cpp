#include "carom/record/record_layout.h"

#include "carom/record/energy_columns.h"

namespace carom {
namespace {

using hdf5::Column;
using hdf5::Element;

Column real(std::string path, std::vector<std::size_t> row = {}) {
  return {std::move(path), {Element::Kind::real, 0}, std::move(row)};
}

Column integer(const char* path) {
  return {path, {Element::Kind::integer, 0}, {}};
}

Column text(const char* path, std::size_t length) {
  return {path, {Element::Kind::text, length}, {}};
}

}  // namespace

Columns sample_columns(std::size_t bodies) {
  Columns columns{real("/time"), real("/position", {bodies, 3}), real("/orientation", {bodies, 4}),
                  real("/velocity", {bodies, 3}), real("/angular_velocity", {bodies, 3})};
  for (const EnergyColumn& column : kEnergyColumns) columns.push_back(real(energy_path(column)));
  return columns;
}

Columns joint_load_columns(std::size_t joints) {
  if (joints == 0) return {};
  return {real(kJointForce, {joints, 3}), real(kJointCouple, {joints, 3})};
}

Columns obstacle_columns(std::size_t obstacles) {
  if (obstacles == 0) return {};
  return {real("/obstacle_position", {obstacles, 3}), real("/obstacle_orientation", {obstacles, 4})};
}

Columns event_columns() {
  constexpr std::size_t kNameLength = 24;
  return {real("/events/time"),
          text("/events/kind", kNameLength),
          integer("/events/round"),
          text("/events/law", kLongestLawName),
          integer("/events/steps"),
          text("/events/stop", kNameLength),
          real("/events/energy_before"),
          real("/events/energy_after"),
          real("/events/energy_change"),
          real("/events/energy_change_from_impulses"),
          real("/events/contact_work"),
          real("/events/wall_work"),
          integer("/events/flags"),
          real("/events/min_impulse"),
          real("/events/min_gap_rate_after"),
          real("/events/constraint_residual"),
          real("/events/complementarity_residual"),
          integer("/events/first_contact"),
          integer("/events/contact_count"),
          integer("/events/first_jump"),
          integer("/events/jump_count"),
          integer("/events/pocket"),
          integer("/events/first_joint"),
          integer("/events/joint_count"),
          integer("/events/script")};
}

Columns contact_columns() {
  return {integer("/events/contacts/a"),          integer("/events/contacts/b"),
          real("/events/contacts/point", {3}),    real("/events/contacts/normal", {3}),
          real("/events/contacts/impulse"),       real("/events/contacts/tangential_impulse", {3}),
          real("/events/contacts/rate_before"),   real("/events/contacts/rate_after"),
          real("/events/contacts/restitution"),   integer("/events/contacts/joint"),
          integer("/events/contacts/coordinate"), integer("/events/contacts/upper"),
          real("/events/contacts/began"),         real("/events/contacts/peak_force"),
          real("/events/contacts/peak_time")};
}

Columns jump_columns() {
  return {integer("/events/jumps/body"), real("/events/jumps/velocity_before", {3}),
          real("/events/jumps/velocity_after", {3}), real("/events/jumps/angular_velocity_before", {3}),
          real("/events/jumps/angular_velocity_after", {3})};
}

Columns joint_columns() {
  return {integer("/events/joints/joint"), real("/events/joints/force", {3}), real("/events/joints/couple", {3})};
}

Columns force_columns() {
  constexpr std::size_t kModeLength = 8;
  return {integer(kForceSample),
          integer("/contact_forces/a"),
          integer("/contact_forces/b"),
          real("/contact_forces/point", {3}),
          real("/contact_forces/normal", {3}),
          real("/contact_forces/force"),
          real("/contact_forces/friction", {3}),
          real("/contact_forces/couple", {3}),
          text("/contact_forces/mode", kModeLength)};
}

}  // namespace carom
