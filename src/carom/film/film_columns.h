#pragma once
/// The numbers of a film, column by column, as they grow. docs/film-format.md

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/film/film_arrays.h"
#include "carom/mechanics/state.h"
#include "carom/record/energy_columns.h"
#include "carom/record/observer.h"

namespace carom {

/// One row per sample. Positions and energies are kept in double precision, what is only looked at in single.
class FilmSamples {
 public:
  FilmSamples(std::size_t bodies, std::size_t gaps, std::size_t joints)
      : bodies_(bodies), gaps_(gaps), joints_(joints) {}

  void append(const State& state, EnergyBook book, std::span<const double> gaps);
  void add_to(FilmArrays& arrays, FilmRows rows) const;
  [[nodiscard]] std::size_t size() const { return time_.size(); }
  [[nodiscard]] std::size_t row_bytes() const;

 private:
  std::size_t bodies_;  ///< N
  std::size_t gaps_;    ///< P
  std::size_t joints_;  ///< K
  std::vector<double> time_;
  std::vector<double> position_;                    ///< T × N × 3
  std::vector<float> orientation_;                  ///< T × N × 4
  std::vector<float> velocity_, angular_velocity_;  ///< T × N × 3
  std::array<std::vector<double>, kEnergyColumns.size()> energy_;
  std::vector<double> gap_;                        ///< T × P
  std::vector<float> joint_force_, joint_couple_;  ///< T × K × 3
};

/// The contacts of all events.
struct FilmContacts {
  /// `turn`: it is a limit of a turn, whose impulse is a couple.
  void append(const ContactRecord& contact, bool turn);
  void add_to(FilmArrays& arrays, FilmRows rows) const;

  std::vector<std::int32_t> a, b, joint;
  std::vector<std::uint8_t> turn, upper;
  std::vector<float> point, normal, tangential_impulse;
  std::vector<double> impulse, rate_before, rate_after;
};

/// The jumps of all events.
struct FilmJumps {
  void append(const JumpRecord& jump);
  void add_to(FilmArrays& arrays, FilmRows rows) const;

  std::vector<std::int32_t> body;
  std::vector<float> velocity_before, velocity_after, angular_velocity_before, angular_velocity_after;
};

/// One row per event, and where its contacts and jumps are.
struct FilmEvents {
  /// `first_contact` and `first_jump` are the numbers of contacts and jumps before this event.
  void append(const EventRecord& event, std::size_t contacts_before, std::size_t jumps_before);
  void add_to(FilmArrays& arrays, FilmRows rows) const;

  std::vector<double> time, energy_before, energy_after, min_impulse, min_gap_rate_after, constraint_residual,
      complementarity_residual;
  std::vector<std::uint8_t> kind, stop;
  std::vector<std::int32_t> law, round, steps;
  std::vector<std::uint32_t> flags, first_contact, contact_count, first_jump, jump_count;
};

}  // namespace carom
