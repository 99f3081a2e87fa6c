#include "viewing/live_scene.h"

#include <filesystem>

#include "carom/base/version.h"
#include "carom/record/run_result.h"
#include "common/signal_watch.h"

namespace carom::app {

LiveScene::Run::Run(const Scene& scene, const scene::SceneFile& file, FilmLabel label)
    : simulation(scene), film(std::make_shared<FilmBuilder>(file, std::move(label))) {
  simulation.add(*film);
  simulation.stop_while(SignalWatch::interrupted());
}

LiveScene::Run::~Run() {
  if (!thread.joinable()) return;
  simulation.interrupt();
  thread.join();
}

void LiveScene::Run::work(const std::string& file) {
  try {
    simulation.run();
    const RunSummary summary = simulation.summary(file);
    film->finish(std::string(run_stop_name(summary.result.stop)), summary.to_json().dump());
  } catch (...) {
    problem = std::current_exception();
  }
  ended = true;
}

LiveScene::LiveScene(Scene scene, std::vector<std::string> settings, std::string file, const std::string& record)
    : scene_(std::move(scene)), file_(std::move(file)), run_(make_run(settings, 0)) {
  if (!record.empty()) run_->simulation.record(record);
}

LiveScene::~LiveScene() = default;

std::unique_ptr<LiveScene::Run> LiveScene::make_run(const std::vector<std::string>& settings, int number) const {
  Scene scene = scene_;
  for (const std::string& setting : settings) scene.set(setting);
  const scene::SceneFile file = scene.build();
  return std::make_unique<Run>(scene, file, FilmLabel{name(), kVersion, settings, number});
}

void LiveScene::start() {
  const std::scoped_lock lock(mutex_);
  run_->thread = std::thread([run = run_.get(), file = file_] { run->work(file); });
}

void LiveScene::rerun(const std::vector<std::string>& settings) {
  const std::scoped_lock lock(mutex_);
  std::unique_ptr<Run> next = make_run(settings, number_ + 1);
  run_ = std::move(next);
  ++number_;
  run_->thread = std::thread([run = run_.get(), file = file_] { run->work(file); });
}

bool LiveScene::ended() const {
  const std::scoped_lock lock(mutex_);
  return run_->ended;
}

bool LiveScene::failed() const {
  const std::scoped_lock lock(mutex_);
  return run_->ended && run_->problem;
}

RunSummary LiveScene::finish() {
  const std::scoped_lock lock(mutex_);
  if (!run_->ended) run_->simulation.interrupt();
  run_->thread.join();
  if (run_->problem) std::rethrow_exception(run_->problem);
  return run_->simulation.summary(file_);
}

std::string LiveScene::name() const {
  return file_ == "-" ? "standard input" : std::filesystem::path(file_).filename().string();
}

int LiveScene::run() const {
  const std::scoped_lock lock(mutex_);
  return number_;
}

std::shared_ptr<FilmBuilder> LiveScene::film() const {
  const std::scoped_lock lock(mutex_);
  return run_->film;
}

}  // namespace carom::app
