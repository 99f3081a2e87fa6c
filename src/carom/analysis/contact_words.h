#pragma once
/// What people want to know of a contact of an event: what of either object touches, and which of them pushes the
/// other.
///
/// Both follow from where the objects were at that time (sample_interval.h). Features are those of feature_words.h, of
/// bodies made of several parts with the number of the part. The one that pushes is the one whose own velocity at the
/// point brings more to the approach; none does where they do not approach.

#include <memory>
#include <string>

#include "carom/analysis/interval_cursor.h"
#include "carom/scene/scene_contents.h"

namespace carom {

struct ContactWords {
  std::string feature_a, feature_b;  ///< empty where there is nothing to tell
  ObjectIndex pushing;               ///< kNone where neither does
};

/// What of an object, which stands at this pose, touches at a contact; empty where there is nothing to tell.
std::string contact_feature(const Model& model, int object, const Pose& pose, const ContactRecord& contact);

/// Whether any object has corners, edges or ends to be told.
bool tells_features(const Model& model);

class ContactTeller {
 public:
  /// The record has to live longer. Where its scene cannot be read nothing is told.
  explicit ContactTeller(RecordReader& record);

  ContactWords about(const ContactRecord& contact, double time);
  /// Whether any object has corners, edges or ends to be told.
  [[nodiscard]] bool tells_features() const;

 private:
  struct Placed;

  std::unique_ptr<const scene::SceneFile> scene_;
  IntervalCursor cursor_;
};

}  // namespace carom
