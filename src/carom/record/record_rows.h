#pragma once
/// What an engine reports, as rows of the six tables of a record (record_layout.h) that wait in memory: on their way
/// into a file, or to be compared with one.

#include <array>
#include <cstdint>
#include <vector>

#include "carom/record/observer.h"
#include "carom/record/row_buffer.h"

namespace carom {

class RecordRows {
 public:
  /// What a row of samples has.
  struct Shape {
    std::size_t bodies = 0, joints = 0;
    bool forces = false;                ///< of contacts
    std::vector<Obstacle> obstacles{};  ///< whose poses are told
  };
  explicit RecordRows(Shape shape);

  void add_sample(const State& state, const EnergyBook& book);
  /// Throws InputError (limit) where the name of the law is longer than kLongestLawName.
  void add_event(const EventRecord& event);

  /// In the order of `/rows`.
  [[nodiscard]] std::array<const RowBuffer*, kTableCount> tables() const {
    return {&samples_, &events_, &contacts_, &jumps_, &joints_, &forces_};
  }
  /// Rows ever added, waiting or not.
  [[nodiscard]] std::array<std::int64_t, kTableCount> counts() const;
  [[nodiscard]] bool empty() const { return samples_.waiting_rows() + events_.waiting_rows() == 0; }
  [[nodiscard]] std::size_t waiting_bytes() const;
  /// So many rows of each table are in the file already.
  void go_on_after(const std::array<std::int64_t, kTableCount>& rows);
  /// Forgets what waits.
  void clear();

 private:
  void add_joint_loads(const State& state);
  void add_forces(const State& state);
  void add_obstacles(double time);

  Shape shape_;
  RowBuffer samples_, events_, contacts_, jumps_, joints_, forces_;
  std::vector<double> scratch_;
};

}  // namespace carom
