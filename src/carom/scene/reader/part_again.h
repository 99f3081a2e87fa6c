#pragma once
/// A part of a scene that is read again by itself after numbers in it have changed: an entry of [[body]], [[plane]],
/// [[obstacle]], [[load]] or [[pair]], or one of the tables [world] and [run]. For those who run a scene at many
/// values: reading all of it costs as much as a short run.

#include <cstddef>
#include <optional>
#include <string_view>

#include "carom/scene/document/read_document.h"
#include "carom/scene/scene_contents.h"

namespace carom::scene {

class PartAgain {
 public:
  /// The part that holds what the path leads to; none where that is something else, or where the scene has sections
  /// that are made from other parts than their own (joints, constraints, springs, scripts, arrangements).
  static std::optional<PartAgain> at(const Document& document, std::string_view path);

  /// Puts what the document now says of this part into what was made of the whole of it. Names, materials and groups
  /// are to be as they were. Throws InputError as read_scene_file does and leaves the scene as it was; what only the
  /// whole can be judged by is not judged.
  void read(const Document& document, SceneFile& scene) const;

  friend bool operator==(const PartAgain&, const PartAgain&) = default;

 private:
  enum class Kind { world, run, pair, body, plane, obstacle, load };
  PartAgain(Kind kind, std::size_t entry) : kind_(kind), entry_(entry) {}

  Kind kind_;
  std::size_t entry_;  ///< its number in its section; 0 of a table
};

}  // namespace carom::scene
