#pragma once
/// The numbers of a film, column by column, as they grow. docs/film-format.md

#include <cstdint>
#include <span>
#include <vector>

#include "carom/film/film_arrays.h"
#include "carom/mechanics/state.h"
#include "carom/record/observer.h"

namespace carom {

/// One row per sample. Positions are kept in double precision, what is only looked at in single.
class FilmSamples {
 public:
  FilmSamples(std::size_t bodies, std::size_t gaps, std::size_t joints)
      : bodies_(bodies), gaps_(gaps), joints_(joints) {}

  void append(const State& state, std::span<const double> gaps);
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
  std::vector<double> gap_;                         ///< T × P
  std::vector<float> joint_force_, joint_couple_;   ///< T × K × 3
};

/// What contacts that last do, at every sample.
class FilmLoads {
 public:
  void append(std::span<const ContactLoad> loads);
  /// The rows of the samples, and of the loads that belong to them.
  void add_to(FilmArrays& arrays, FilmRows samples, FilmRows loads) const;
  [[nodiscard]] std::size_t size() const { return a_.size(); }
  /// The first row of a sample, or of the one behind the last.
  [[nodiscard]] std::size_t first_of(std::size_t sample) const { return first_[sample]; }
  static constexpr std::size_t kRowBytes = 2 * sizeof(std::int32_t) + 10 * sizeof(float) + 1;

 private:
  std::vector<std::size_t> first_{0};  ///< rows before each sample, and all of them
  std::vector<std::uint32_t> count_;   ///< of each sample
  std::vector<std::int32_t> a_, b_;
  std::vector<float> point_, normal_, force_, friction_;
  std::vector<std::uint8_t> mode_;
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
  std::vector<double> began, peak_force, peak_time;  ///< of a compliant contact that has ended; NaN otherwise
};

/// The jumps of all events.
struct FilmJumps {
  void append(const JumpRecord& jump);
  void add_to(FilmArrays& arrays, FilmRows rows) const;

  std::vector<std::int32_t> body;
  std::vector<float> velocity_before, velocity_after, angular_velocity_before, angular_velocity_after;
};

/// What impacts did in joints.
struct FilmJointImpulses {
  void append(const JointRecord& joint);
  void add_to(FilmArrays& arrays, FilmRows rows) const;

  std::vector<std::int32_t> joint;
  std::vector<float> force, couple;
};

/// Rows of the tables that belong to events.
struct FilmEventRows {
  std::size_t contact = 0, jump = 0, joint = 0;
};

/// One row per event, and where its contacts, jumps and impulses of joints are.
struct FilmEvents {
  /// `before`: the rows of all events before this one.
  void append(const EventRecord& event, const FilmEventRows& before);
  void add_to(FilmArrays& arrays, FilmRows rows) const;

  std::vector<double> time, energy_before, energy_after, contact_work, min_impulse, min_gap_rate_after,
      constraint_residual, complementarity_residual;
  std::vector<std::uint8_t> kind, stop;
  std::vector<std::int32_t> law, round, steps;
  std::vector<std::uint32_t> flags, first_contact, contact_count, first_jump, jump_count, first_joint, joint_count;
};

}  // namespace carom
