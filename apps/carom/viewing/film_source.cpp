#include "viewing/film_source.h"

#include <chrono>

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

/// Ends a reading early.
struct Stopped {};

/// Hands everything on until it is stopped.
class StoppableObserver final : public Observer {
 public:
  StoppableObserver(FilmBuilder& film, const std::atomic<bool>& stop) : film_(film), stop_(stop) {}
  void sample(const State& state, const EnergyBook& book) override {
    look();
    film_.sample(state, book);
  }
  void event(const EventRecord& event) override {
    look();
    film_.event(event);
  }

 private:
  void look() const {
    if (stop_) throw Stopped{};
  }

  FilmBuilder& film_;
  const std::atomic<bool>& stop_;
};

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
  {
    const std::scoped_lock lock(library_mutex());
    version_ = file_version();
    const RecordReader record(path_);
    is_running_ = !record.info().complete;
    run_ = run_of(record.info());
    film_ = empty_film(path_, record.info());
  }
  reader_ = std::thread([this] { read_first(); });
}

RecordFilm::~RecordFilm() {
  stop_ = true;
  reader_.join();
}

void RecordFilm::read_first() {
  try {
    const std::scoped_lock lock(library_mutex());
    RecordReader record(path_);
    read(record);
  } catch (const InputError&) {
    // Damaged on the way: a film as far as it goes.
    film()->finish("failed", "");
  } catch (const Stopped&) {
    // Nobody looks any more.
  }
  const std::scoped_lock lock(mutex_);
  has_read_first_ = true;
  changed_.notify_all();
}

std::shared_ptr<FilmBuilder> RecordFilm::film() const {
  const std::scoped_lock lock(mutex_);
  return film_;
}

std::string RecordFilm::name() const {
  return file_name(path_);
}

bool RecordFilm::live() {
  read_if_changed();
  return is_running_;
}

std::string RecordFilm::part(const FilmCounts& first, std::size_t most_bytes) {
  wait_for_rows(first, most_bytes);
  read_if_changed();
  return film()->part(first, most_bytes);
}

RecordFilm::Version RecordFilm::file_version() const {
  std::error_code ignored;
  return {std::filesystem::last_write_time(path_, ignored), std::filesystem::file_size(path_, ignored)};
}

void RecordFilm::read(RecordReader& record) {
  const RecordInfo& info = record.info();
  const std::string run = run_of(info);
  std::shared_ptr<FilmBuilder> film = this->film();
  const bool grown = run == run_ && !film->complete() && record.sample_count() >= position_.sample &&
                     record.event_count() >= position_.event;
  if (!grown) {
    film = empty_film(path_, info);
    position_ = {};
    run_ = run;
    const std::scoped_lock lock(mutex_);
    film_ = film;
  }
  StoppableObserver observer(*film, stop_);
  position_ = replay(record, observer, {}, position_);
  is_running_ = !info.complete;
  if (info.complete) film->finish(info.stop, info.summary);
}

void RecordFilm::wait_for_rows(const FilmCounts& first, std::size_t most_bytes) {
  // A short record is whole with its first part.
  constexpr std::chrono::milliseconds kPatience{200}, kBreath{2};
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  std::unique_lock lock(mutex_);
  while (!has_read_first_ && !film_->fills(first, most_bytes) && std::chrono::steady_clock::now() < deadline)
    changed_.wait_for(lock, kBreath);
}

void RecordFilm::read_if_changed() {
  {
    const std::scoped_lock lock(mutex_);
    if (!has_read_first_) return;
  }
  const std::scoped_lock lock(library_mutex());
  const Version version = file_version();
  if (version == version_) return;
  version_ = version;
  try {
    RecordReader record(path_);
    read(record);
  } catch (const InputError&) {
    // Somebody removed or replaced it by something else; what was read is still a film. Not tried again until the file
    // changes once more.
  }
}

}  // namespace carom::app
