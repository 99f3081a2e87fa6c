#include "carom/film/film_features.h"

#include <algorithm>

#include "carom/analysis/contact_words.h"

namespace carom {

FilmFeatures::FilmFeatures(const Model& model) : model_(model), tells_(tells_features(model)) {}

void FilmFeatures::event(const EventRecord& event) {
  if (!tells_) return;
  for (const ContactRecord& contact : event.contacts) pending_.push_back({event.time, contact});
}

void FilmFeatures::sample(const SampleInterval& interval) {
  const auto later = std::find_if(pending_.begin(), pending_.end(),
                                  [&interval](const Pending& pending) { return pending.time > interval.end(); });
  for (auto pending = pending_.begin(); pending != later; ++pending)
    made_.emplace_back(words_of(pending->contact.a, *pending, interval),
                       words_of(pending->contact.b, *pending, interval));
  pending_.erase(pending_.begin(), later);
}

void FilmFeatures::publish() {
  for (const auto& [a, b] : made_) {
    a_.push_back(index_of(a));
    b_.push_back(index_of(b));
  }
  made_.clear();
}

void FilmFeatures::finish() {
  a_.resize(a_.size() + pending_.size(), -1);
  b_.resize(a_.size(), -1);
  pending_.clear();
}

std::string FilmFeatures::words_of(int object, const Pending& pending, const SampleInterval& interval) const {
  const auto& [time, contact] = pending;
  if (contact.limit.exists() || time < interval.start() || time > interval.end()) return "";
  const Pose pose =
      model_.is_body(object) ? interval.body(object, time, Side::before).pose() : model_.obstacle(object).pose_at(time);
  return contact_feature(model_, object, pose, contact);
}

std::int32_t FilmFeatures::index_of(const std::string& words) {
  if (words.empty()) return -1;
  const auto [place, is_new] = index_.try_emplace(words, static_cast<std::int32_t>(words_.size()));
  if (is_new) words_.push_back(words);
  return place->second;
}

void FilmFeatures::add_to(FilmArrays& arrays, FilmRows rows) const {
  arrays.add("contact.feature_a", a_, rows);
  arrays.add("contact.feature_b", b_, rows);
}

}  // namespace carom
