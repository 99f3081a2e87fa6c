#pragma once
/// A scene that runs in a thread of its own while it is watched, and may be run again with other settings.

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "carom/scene/scene.h"
#include "carom/simulation/simulation.h"
#include "viewing/film_source.h"

namespace carom::app {

class LiveScene final : public FilmSource {
 public:
  /// `settings` come on top of the scene. `file` is where it was read from, `record` where its first run is kept
  /// (empty: nowhere). Throws InputError where it cannot be run.
  LiveScene(Scene scene, std::vector<std::string> settings, std::string file, const std::string& record);
  ~LiveScene() override;

  void start();
  [[nodiscard]] bool ended() const;
  [[nodiscard]] bool failed() const;
  /// Stops the run where it has not ended. Throws what its thread threw.
  RunSummary finish();

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] bool live() override { return !film()->complete(); }
  [[nodiscard]] std::string part(const FilmCounts& first, std::size_t most_bytes) override {
    return film()->part(first, most_bytes);
  }
  [[nodiscard]] int run() const override;
  [[nodiscard]] bool can_rerun() const override { return true; }
  void rerun(const std::vector<std::string>& settings) override;

 private:
  /// One run of the scene; it ends when it is destroyed.
  struct Run {
    Run(const Scene& scene, const scene::SceneFile& file, FilmLabel label);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    void work(const std::string& file);

    Simulation simulation;
    std::shared_ptr<FilmBuilder> film;
    std::exception_ptr problem;  ///< set before `ended`
    std::atomic<bool> ended{false};
    std::thread thread;
  };

  [[nodiscard]] std::unique_ptr<Run> make_run(const std::vector<std::string>& settings, int number) const;
  [[nodiscard]] std::shared_ptr<FilmBuilder> film() const;

  const Scene scene_;
  const std::string file_;
  mutable std::mutex mutex_;  ///< guards what follows
  int number_ = 0;
  std::unique_ptr<Run> run_;
};

}  // namespace carom::app
