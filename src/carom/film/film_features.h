#pragma once
/// What of either object touches at the contacts of events: `corner +x-y`, `rim +z` (analysis/contact_words.h).
/// docs/film-format.md
///
/// It follows from where the objects were at the time of the event, which is known with the next sample: the columns
/// grow later than those of the contacts.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "carom/analysis/sample_interval.h"
#include "carom/film/film_arrays.h"
#include "carom/mechanics/model.h"

namespace carom {

class FilmFeatures {
 public:
  /// The model has to live longer.
  explicit FilmFeatures(const Model& model);

  void event(const EventRecord& event);
  /// The motion in which the events since the last call happened. What follows is seen after publish().
  void sample(const SampleInterval& interval);
  void publish();
  /// No more samples: nothing is told of what is left.
  void finish();
  void add_to(FilmArrays& arrays, FilmRows rows) const;
  [[nodiscard]] std::size_t size() const { return a_.size(); }
  [[nodiscard]] static std::size_t row_bytes() { return 2 * sizeof(std::int32_t); }
  /// The words that the columns point into.
  [[nodiscard]] const std::vector<std::string>& words() const { return words_; }

 private:
  struct Pending {
    double time;
    ContactRecord contact;
  };
  [[nodiscard]] std::int32_t index_of(const std::string& words);
  [[nodiscard]] std::string words_of(int object, const Pending& pending, const SampleInterval& interval) const;

  const Model& model_;
  bool tells_;  ///< whether any object has features
  std::vector<Pending> pending_;
  std::vector<std::pair<std::string, std::string>> made_;  ///< since publish(), of a and of b
  std::vector<std::int32_t> a_, b_;
  std::vector<std::string> words_;
  std::map<std::string, std::int32_t> index_;
};

}  // namespace carom
