#pragma once
/// What a sweep has finished, on disk from the moment it is known, so that a sweep that was killed goes on where it
/// was.
///
/// The journal of `table.csv` is `table.csv.sweep`: a line of JSON that says what the sweep is, then pieces, each a
/// line
/// `@ FIRST COUNT BYTES` and the rows of so many points that follow each other, as CSV. A piece is added by a single
/// write, in the order in which pieces are finished; one that was cut off counts as not written. When the table is
/// whole, the journal keeps its first line and says `complete`.
///
/// While a journal is open its file is locked: two sweeps do not write one table.

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "carom/base/error.h"

namespace carom::sweep {

struct JournalPiece {
  std::size_t first = 0, count = 0;  ///< points
  std::uint64_t offset = 0;          ///< of the rows in the file [bytes]
  std::uint64_t bytes = 0;
};

/// Another program is writing the table (kind `file`).
class JournalInUse : public InputError {
 public:
  using InputError::InputError;
};

class SweepJournal {
 public:
  /// Opens the journal of a table, or makes one. Throws InputError: `usage` where the table or its journal belongs to
  /// another sweep, `file` where it cannot be written; JournalInUse.
  SweepJournal(const std::string& table, const std::string& description, std::size_t points);
  ~SweepJournal();
  SweepJournal(const SweepJournal&) = delete;
  SweepJournal& operator=(const SweepJournal&) = delete;

  /// The table is there already.
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] std::size_t points() const { return done_.size(); }
  [[nodiscard]] std::size_t done() const { return count_; }
  [[nodiscard]] bool is_done(std::size_t point) const { return done_[point]; }

  /// Adds rows of points that follow each other. From any thread. Throws InputError (file): what was there stays good.
  void add(std::size_t first, std::size_t count, std::string_view rows);

  /// The pieces in the order of their points.
  [[nodiscard]] std::vector<JournalPiece> pieces() const;
  [[nodiscard]] std::string read(const JournalPiece& piece) const;

  /// The table has been written.
  void mark_complete();

 private:
  void open();
  void read_pieces(const std::string& description);
  void append(std::string_view text);
  [[noreturn]] void fail(const char* what) const;

  std::string table_, path_;
  std::string description_;
  int file_ = -1;
  bool complete_ = false;
  mutable std::mutex mutex_;
  std::uint64_t size_ = 0;  ///< of the good part
  std::vector<bool> done_;
  std::size_t count_ = 0;
  std::vector<JournalPiece> pieces_;
};

/// The journal of a table.
std::string journal_path(const std::string& table);

/// What differs between two descriptions, for a person: "vary is A there and B here".
std::string description_difference(const std::string& there, const std::string& here);

/// The description of a table that is whole, from its journal. Throws InputError (file) where there is none, or the
/// table is not whole.
std::string description_of_table(const std::string& table);

/// Writes the journal of a table that has been put together of others.
void write_complete_journal(const std::string& table, const std::string& description);

}  // namespace carom::sweep
