#include "viewing/film_source.h"

#include "carom/base/error.h"
#include "carom/simulation/record_scene.h"

namespace carom::app {
namespace {

/// The library for record files serves one thread at a time.
std::mutex& library_mutex() {
  static std::mutex mutex;
  return mutex;
}

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

std::unique_ptr<FilmBuilder> empty_film(const std::string& path, const RecordInfo& info) {
  return std::make_unique<FilmBuilder>(scene_of(info), FilmLabel{file_name(path), info.version, info.settings});
}

/// The same for two records if one is the other grown longer.
std::string run_of(const RecordInfo& info) {
  std::string text = info.version + '\0' + info.options + '\0' + info.scene;
  for (const std::string& setting : info.settings) text += '\0' + setting;
  return text;
}

}  // namespace

std::unique_ptr<FilmBuilder> film_of_record(const std::string& path, const SampleChoice& choice) {
  RecordReader record(path);
  std::unique_ptr<FilmBuilder> film = empty_film(path, record.info());
  replay(record, *film, choice);
  if (record.info().complete) film->finish(record.info().stop, record.info().summary);
  return film;
}

RecordFilm::RecordFilm(std::string path) : path_(std::move(path)) {
  const std::scoped_lock lock(library_mutex());
  read();
}

std::string RecordFilm::name() const {
  return file_name(path_);
}

bool RecordFilm::live() {
  const std::scoped_lock lock(library_mutex());
  read_if_changed();
  return !film_->complete();
}

std::string RecordFilm::part(const FilmCounts& first, std::size_t most_bytes) {
  const std::scoped_lock lock(library_mutex());
  read_if_changed();
  return film_->part(first, most_bytes);
}

RecordFilm::Version RecordFilm::file_version() const {
  std::error_code ignored;
  return {std::filesystem::last_write_time(path_, ignored), std::filesystem::file_size(path_, ignored)};
}

void RecordFilm::read() {
  const Version version = file_version();
  RecordReader record(path_);
  const RecordInfo& info = record.info();
  const std::string run = run_of(info);
  const bool grown = film_ && run == run_ && !film_->complete() && record.sample_count() >= position_.sample &&
                     record.event_count() >= position_.event;
  if (!grown) {
    film_ = empty_film(path_, info);
    position_ = {};
    run_ = run;
  }
  position_ = replay(record, *film_, {}, position_);
  if (info.complete) film_->finish(info.stop, info.summary);
  version_ = version;
}

void RecordFilm::read_if_changed() {
  const Version version = file_version();
  if (version == version_) return;
  try {
    read();
  } catch (const InputError&) {
    // Somebody removed or replaced it by something else; what was read is still a film. Not tried again until the file
    // changes once more.
    version_ = version;
  }
}

}  // namespace carom::app
