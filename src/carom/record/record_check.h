#pragma once
/// Compares what an engine reports with a record of an earlier run, bit by bit (a NaN equals one of the same bits):
/// every column of every sample, event, contact and jump. Little is held in memory; the record is read in blocks.
///
/// A record whose run was killed or interrupted is compared as far as it goes. The last sample of an interrupted run
/// lies wherever the signal came, and is left out.

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "carom/record/record_reader.h"
#include "carom/record/record_rows.h"
#include "carom/record/run_result.h"

namespace carom {

/// Where a run departs from its record for the first time.
struct RecordDifference {
  /// Nothing where there is no such row.
  using Value = std::variant<std::monostate, double, std::int64_t, std::string>;

  double time = 0.0;   ///< of the sample or event, in the run [s]
  std::string table;   ///< `samples`, `events`, `contacts`, `jumps`; `run` where only the stop differs
  std::string column;  ///< as in the file: "/events/contacts/impulse"
  std::size_t row = 0;
  std::size_t component = 0;         ///< of a vector or quaternion
  std::vector<std::string> objects;  ///< names of those that the row is about
  Value recorded, now;
};

class RecordCheck final : public Observer {
 public:
  /// Sets `stop` to true, where given, when there is nothing left to compare: the record has come to its end before its
  /// run had, or a difference is found. The record has to live longer.
  RecordCheck(const RecordReader& record, std::atomic<bool>* stop);

  void sample(const State& state, const EnergyBook& book) override;
  void event(const EventRecord& event) override;
  [[nodiscard]] bool wants_contact_loads() const override { return record_.has_contact_loads(); }
  void progress(double time, long events) override;

  /// The run has ended so.
  void finish(RunStop stop);

  /// Samples and events that were compared.
  [[nodiscard]] std::size_t samples() const { return compared_[0]; }
  [[nodiscard]] std::size_t events() const { return compared_[1]; }
  /// Whether the record ends before its run did.
  [[nodiscard]] bool partial() const { return partial_; }
  /// Whether all that can be compared was. After finish().
  [[nodiscard]] bool whole() const;
  [[nodiscard]] const std::optional<RecordDifference>& first_difference() const { return difference_; }

 private:
  /// An element of a waiting row that differs.
  struct Position {
    double time;
    std::size_t table, column;
    std::size_t row;      ///< of those that wait
    std::size_t element;  ///< of the row
  };
  void compare_if_due();
  void compare();
  void compare_table(std::size_t table, std::optional<Position>& first);
  [[nodiscard]] std::optional<Position> first_in_column(std::size_t table, std::size_t column, std::size_t count);
  [[nodiscard]] RecordDifference described(const Position& position) const;
  [[nodiscard]] std::vector<std::string> objects_at(const Position& position) const;
  [[nodiscard]] RecordDifference missing_row(std::size_t table) const;
  [[nodiscard]] double time_of(std::size_t table, std::size_t row) const;
  /// Rows of a table that were reported before those that wait.
  [[nodiscard]] std::size_t rows_before(std::size_t table) const;

  const RecordReader& record_;
  std::atomic<bool>* stop_;
  RecordRows rows_;
  bool partial_;
  bool over_ = false;                                ///< nothing is compared any more
  std::array<std::size_t, kTableCount> limit_;       ///< rows that can be compared
  std::array<std::size_t, kTableCount> compared_{};  ///< rows that were
  /// Times of the waiting rows that have none of their own, by table.
  std::array<std::vector<double>, kTableCount> times_;
  std::vector<std::byte> block_;
  std::optional<RecordDifference> difference_;
};

}  // namespace carom
