#include "carom/analysis/sweep/sweep_journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>

#include "carom/base/error.h"
#include "carom/base/utf8.h"
#include "carom/scene/document/node.h"
#include "carom/scene/document/read_document.h"
#include "carom/scene/document/toml_writer.h"

namespace carom::sweep {
namespace {

constexpr std::string_view kComplete = "complete\n";

InputError file_error(const std::string& path, const std::string& message) {
  Place place;
  place.file = path;
  return {Kind::file, place, message};
}

/// All bytes of a file; none where it cannot be read.
std::optional<std::string> whole_text(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return std::nullopt;
  std::string text;
  char buffer[1 << 16];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, got);
  std::fclose(file);
  return text;
}

/// Reads `@ FIRST COUNT BYTES`; none where the line is something else.
std::optional<JournalPiece> read_header(std::string_view line) {
  JournalPiece piece;
  if (!line.starts_with("@ ")) return std::nullopt;
  const char* at = line.data() + 2;
  const char* const end = line.data() + line.size();
  for (std::uint64_t* const number : {&piece.first, &piece.count, &piece.bytes}) {
    const auto [next, problem] = std::from_chars(at, end, *number);
    if (problem != std::errc()) return std::nullopt;
    at = next < end && *next == ' ' ? next + 1 : next;
  }
  if (at != end) return std::nullopt;
  return piece;
}

/// Reads a part of a file; empty at its end.
std::string read_at(int file, std::uint64_t offset, std::size_t bytes) {
  std::string text(bytes, '\0');
  std::size_t got = 0;
  while (got < bytes) {
    const ssize_t some = ::pread(file, text.data() + got, bytes - got, static_cast<off_t>(offset + got));
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) break;
    got += static_cast<std::size_t>(some);
  }
  text.resize(got);
  return text;
}

/// The line that begins there, at most some thousand bytes or the description; none where it has no end.
std::optional<std::string> line_at(int file, std::uint64_t offset) {
  for (std::size_t bytes = 4096; bytes <= (std::size_t{1} << 26); bytes *= 16) {
    std::string text = read_at(file, offset, bytes);
    const std::size_t end = text.find('\n');
    if (end != std::string::npos) return text.substr(0, end);
    if (text.size() < bytes) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::string journal_path(const std::string& table) {
  return table + ".sweep";
}

std::string description_difference(const std::string& there, const std::string& here) {
  const scene::Document a = scene::parse_document("there", there), b = scene::parse_document("here", here);
  const auto text_of = [](const scene::Document& document, const std::string& key) {
    const scene::Node* const node = document.root.find(key);
    return node == nullptr ? std::string("none") : scene::toml_text(*node, document.source);
  };
  for (const scene::Document* document : {&a, &b}) {
    for (const scene::Member& member : document->root.table()) {
      const std::string in_a = text_of(a, member.key), in_b = text_of(b, member.key);
      if (in_a == in_b) continue;
      if (member.key == "input") return "the scene or problem is another one";
      return fmt::format("{} is {} there and {} here", member.key, printable(in_a, 200), printable(in_b, 200));
    }
  }
  return "they are the same";
}

SweepJournal::SweepJournal(const std::string& table, const std::string& description, std::size_t points)
    : table_(table), path_(journal_path(table)), description_(description), done_(points, false) {
  open();
  try {
    read_pieces(description);
  } catch (...) {
    ::close(file_);
    throw;
  }
}

SweepJournal::~SweepJournal() {
  ::close(file_);
}

void SweepJournal::fail(const char* what) const {
  throw file_error(
      path_, fmt::format("cannot {} '{}': {}", what, printable(path_, 200), std::generic_category().message(errno)));
}

void SweepJournal::open() {
  std::error_code ignored;
  // The table first: another program may be writing both, and begins with the journal.
  if (std::filesystem::exists(table_, ignored) && !std::filesystem::exists(path_, ignored)) {
    throw InputError(Kind::usage, "--out",
                     fmt::format("'{}' exists and is not known to be a table of this sweep; remove it or take another "
                                 "name",
                                 printable(table_, 200)));
  }
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) fail("write");
  if (::flock(file_, LOCK_EX | LOCK_NB) == 0) return;
  ::close(file_);
  if (errno != EWOULDBLOCK) return fail("lock");
  Place place;
  place.file = path_;
  throw JournalInUse(Kind::file, place,
                     fmt::format("another carom sweep is writing '{}' at this moment", printable(table_, 200)));
}

void SweepJournal::read_pieces(const std::string& description) {
  std::optional<std::string> first = line_at(file_, 0);
  if (first && *first != description) {
    throw InputError(
        Kind::usage, "--out",
        fmt::format("'{}' belongs to another sweep ({}); take another name, or remove it and '{}'",
                    printable(table_, 200), description_difference(*first, description), printable(path_, 200)));
  }
  std::error_code ignored;
  if (first) {
    size_ = first->size() + 1;
    if (read_at(file_, size_, kComplete.size()) == kComplete) {
      complete_ = std::filesystem::exists(table_, ignored);
      if (complete_) {
        count_ = done_.size();
        return;
      }
      first.reset();  // the table has been taken away: begin anew
    }
  }
  if (!first) {
    if (::ftruncate(file_, 0) != 0) fail("write");
    size_ = 0;
    append(description + "\n");
    return;
  }
  const std::uint64_t whole = std::filesystem::file_size(path_);
  while (const std::optional<std::string> line = line_at(file_, size_)) {
    std::optional<JournalPiece> piece = read_header(*line);
    const std::uint64_t offset = size_ + line->size() + 1;
    if (!piece || piece->first + piece->count > done_.size() || offset + piece->bytes > whole) break;
    piece->offset = offset;
    size_ = offset + piece->bytes;
    for (std::size_t i = piece->first; i < piece->first + piece->count; ++i) {
      if (!done_[i]) ++count_;
      done_[i] = true;
    }
    pieces_.push_back(*piece);
  }
  if (::ftruncate(file_, static_cast<off_t>(size_)) != 0) fail("write");
}

void SweepJournal::append(std::string_view text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t some =
        ::pwrite(file_, text.data() + written, text.size() - written, static_cast<off_t>(size_ + written));
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) {
      const int reason = some < 0 ? errno : ENOSPC;
      // Half a piece is none.
      [[maybe_unused]] const int cut = ::ftruncate(file_, static_cast<off_t>(size_));
      errno = reason;
      fail("write");
    }
    written += static_cast<std::size_t>(some);
  }
  size_ += text.size();
}

void SweepJournal::add(std::size_t first, std::size_t count, std::string_view rows) {
  const std::lock_guard lock(mutex_);
  const std::string header = fmt::format("@ {} {} {}\n", first, count, rows.size());
  const std::uint64_t offset = size_ + header.size();
  append(header + std::string(rows));
  pieces_.push_back({first, count, offset, rows.size()});
  for (std::size_t i = first; i < first + count; ++i) done_[i] = true;
  count_ += count;
}

std::vector<JournalPiece> SweepJournal::pieces() const {
  const std::lock_guard lock(mutex_);
  std::vector<JournalPiece> sorted = pieces_;
  std::sort(sorted.begin(), sorted.end(),
            [](const JournalPiece& a, const JournalPiece& b) { return a.first < b.first; });
  return sorted;
}

std::string SweepJournal::read(const JournalPiece& piece) const {
  std::string rows = read_at(file_, piece.offset, piece.bytes);
  if (rows.size() != piece.bytes) fail("read");
  return rows;
}

void SweepJournal::mark_complete() {
  size_ = description_.size() + 1;
  if (::ftruncate(file_, static_cast<off_t>(size_)) != 0) fail("write");
  append(kComplete);
  complete_ = true;
}

std::string description_of_table(const std::string& table) {
  const std::string path = journal_path(table);
  const std::optional<std::string> text = whole_text(path);
  std::error_code ignored;
  if (!text || !std::filesystem::exists(table, ignored)) {
    throw file_error(table, fmt::format("'{}' cannot be merged: {}", printable(table, 200),
                                        !std::filesystem::exists(table, ignored)
                                            ? std::string("there is no such file")
                                            : fmt::format("'{}', which says what sweep it is of, is missing",
                                                          printable(path, 200))));
  }
  const std::size_t end = text->find('\n');
  if (end == std::string::npos || std::string_view(*text).substr(end + 1) != kComplete) {
    throw file_error(table,
                     fmt::format("'{}' is not whole: its sweep was interrupted, is still running, or was killed; "
                                 "start it again",
                                 printable(table, 200)));
  }
  return text->substr(0, end);
}

void write_complete_journal(const std::string& table, const std::string& description) {
  const std::string path = journal_path(table);
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  const std::string text = description + "\n" + std::string(kComplete);
  const bool written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file == nullptr || std::fclose(file) != 0 || !written) {
    throw file_error(
        path, fmt::format("cannot write '{}': {}", printable(path, 200), std::generic_category().message(errno)));
  }
}

}  // namespace carom::sweep
