#pragma once
/// Where the films come from that are shown: a record file, which may still grow, or a run in this process.

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "carom/film/film.h"
#include "carom/film/replay.h"

namespace carom::app {

/// May be asked from several threads.
class FilmSource {
 public:
  FilmSource() = default;
  FilmSource(const FilmSource&) = delete;
  FilmSource& operator=(const FilmSource&) = delete;
  virtual ~FilmSource() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  /// Whether the run has not ended.
  [[nodiscard]] virtual bool live() = 0;
  /// FilmBuilder::part().
  [[nodiscard]] virtual std::string part(const FilmCounts& first, std::size_t most_bytes) = 0;
  /// Which run it shows, from 0: rises when the scene is run again.
  [[nodiscard]] virtual int run() const { return 0; }
  [[nodiscard]] virtual bool can_rerun() const { return false; }
  /// Runs the scene again, with these settings (`path=value`) and no others. Throws InputError, and the run so far goes
  /// on, where it cannot be run with them.
  virtual void rerun(const std::vector<std::string>& /*settings*/) {}
};

/// The film of a whole record, or of a part of it. Throws InputError as RecordReader and scene_of do.
std::unique_ptr<FilmBuilder> film_of_record(const std::string& path, const SampleChoice& choice = {});

/// A record file. It is read in a thread of its own, and what has been read can be had at once. When the file has
/// changed, what has come is read; when another run has taken its place, everything is.
class RecordFilm final : public FilmSource {
 public:
  /// Throws InputError as film_of_record does, but for what is wrong behind the head of the file.
  explicit RecordFilm(std::string path);
  ~RecordFilm() override;

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] bool live() override;
  [[nodiscard]] std::string part(const FilmCounts& first, std::size_t most_bytes) override;

 private:
  /// What shows that a file has changed.
  struct Version {
    std::filesystem::file_time_type time;
    std::uintmax_t size = 0;
    bool operator==(const Version&) const = default;
  };

  void read(RecordReader& record);
  void read_first();
  void read_if_changed();
  /// Until the film has a part of that size, or all that is in the file; not for long.
  void wait_for_rows(const FilmCounts& first, std::size_t most_bytes);
  [[nodiscard]] Version file_version() const;
  [[nodiscard]] std::shared_ptr<FilmBuilder> film() const;

  std::string path_;
  std::atomic<bool> is_running_ = false;  ///< when the file was last looked at, its run had not ended
  Version version_;
  std::string run_;  ///< scene, settings and so on of the run that was read
  ReplayPosition position_;
  std::atomic<bool> stop_{false};

  mutable std::mutex mutex_;  ///< guards what follows
  std::condition_variable changed_;
  bool has_read_first_ = false;
  std::shared_ptr<FilmBuilder> film_;
  std::thread reader_;
};

}  // namespace carom::app
