#pragma once
/// A film: what the viewer shows, made while a run goes on or of a record. docs/film-format.md
///
///   FilmBuilder film(scene, {"run.h5", kVersion, settings});
///   engine.run(&film, …);                   // or replay(record, film), replay.h
///   film.finish("duration", summary);
///   send(film.part());                      // all of it; part(first) is what has come since
///
/// One thread may report what happens while others read parts.

#include <cstddef>
#include <limits>
#include <mutex>
#include <string>
#include <vector>

#include "carom/film/film_columns.h"
#include "carom/film/film_energies.h"
#include "carom/film/film_features.h"
#include "carom/film/film_scene.h"
#include "carom/film/nearest_pairs.h"
#include "carom/record/observer.h"
#include "carom/scene/scene_file.h"

namespace carom {

/// How many gaps a film shows at most: all pairs of nine objects.
inline constexpr std::size_t kMostGaps = 36;

/// Rows of a film, or how many of them somebody has.
struct FilmCounts {
  std::size_t sample = 0;
  std::size_t energy = 0;
  std::size_t event = 0;
  std::size_t contact = 0;
  std::size_t jump = 0;
  std::size_t joint = 0;
  std::size_t load = 0;
  std::size_t feature = 0;

  bool operator==(const FilmCounts&) const = default;
};

class FilmBuilder final : public Observer {
 public:
  /// Copies what it needs of the scene.
  FilmBuilder(const scene::SceneFile& scene, FilmLabel label);

  void sample(const State& state, const EnergyBook& book) override;
  void event(const EventRecord& event) override;
  void progress(double time, long events) override;
  [[nodiscard]] bool wants_contact_loads() const override { return true; }

  /// The run has ended so (`duration`, `failed`, …); `summary` is the JSON of its summary, or empty.
  void finish(const std::string& stop, const std::string& summary);

  [[nodiscard]] const std::string& name() const { return label_.name; }
  [[nodiscard]] bool complete() const;
  [[nodiscard]] FilmCounts counts() const;

  /// Whether a part from these rows on ends early.
  [[nodiscard]] bool fills(const FilmCounts& first, std::size_t most_bytes) const;
  /// The bytes from these rows on. Somebody who has more rows than there are has those of another run, and gets
  /// everything. A part that grows beyond `most_bytes` ends early and says that the film is not complete: the rest
  /// comes with the next.
  [[nodiscard]] std::string part(FilmCounts first = {},
                                 std::size_t most_bytes = std::numeric_limits<std::size_t>::max()) const;

 private:
  [[nodiscard]] FilmCounts counts_unlocked() const;
  [[nodiscard]] FilmCounts end_of_part(const FilmCounts& first, std::size_t most_bytes) const;
  [[nodiscard]] std::string header_fields(const FilmCounts& first, bool all_there) const;

  FilmLabel label_;
  Model model_;
  std::vector<ObjectPair> gaps_;
  std::string scene_json_;

  mutable std::mutex mutex_;  ///< guards what follows, as far as parts show it
  FilmSamples samples_;
  FilmEnergies energies_;
  FilmEvents events_;
  FilmContacts contacts_;
  FilmJumps jumps_;
  FilmJointImpulses joints_;
  FilmLoads loads_;
  FilmFeatures features_;
  bool complete_ = false;
  std::string stop_ = "running";
  std::string summary_ = "null";
};

}  // namespace carom
