#pragma once
/// Where the films come from that are shown: a record file, which may still grow, or a run in this process.

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

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
};

/// The film of a whole record, or of a part of it. Throws InputError as RecordReader and scene_of do.
std::unique_ptr<FilmBuilder> film_of_record(const std::string& path, const SampleChoice& choice = {});

/// A record file. When it has changed, what has come is read; when another run has taken its place, everything is.
class RecordFilm final : public FilmSource {
 public:
  /// Throws InputError as film_of_record does.
  explicit RecordFilm(std::string path);

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

  void read();
  void read_if_changed();
  [[nodiscard]] Version file_version() const;

  std::string path_;
  Version version_;
  std::string run_;  ///< scene, settings and so on of the run that was read
  ReplayPosition position_;
  std::unique_ptr<FilmBuilder> film_;
};

/// A run that fills its film itself.
class RunningFilm final : public FilmSource {
 public:
  explicit RunningFilm(const FilmBuilder& film) : film_(film) {}

  [[nodiscard]] std::string name() const override { return film_.name(); }
  [[nodiscard]] bool live() override { return !film_.complete(); }
  [[nodiscard]] std::string part(const FilmCounts& first, std::size_t most_bytes) override {
    return film_.part(first, most_bytes);
  }

 private:
  const FilmBuilder& film_;
};

}  // namespace carom::app
