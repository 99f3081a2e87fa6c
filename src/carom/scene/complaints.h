#pragma once
/// What is wrong with a scene, while it is being checked: the first mistake is thrown, or all are collected.
///
/// Where mistakes are collected, the checks go on with what is left. A node of the document that has failed is
/// remembered, and what depends on it is not judged (DependsOnFailed): it would be wrong for no reason of its own.

#include <cstddef>
#include <unordered_set>
#include <vector>

#include "carom/base/error.h"
#include "carom/scene/document/node.h"

namespace carom::scene {

class Complaints {
 public:
  enum class Mode { throw_first, collect };

  /// Thrown by checks that cannot judge because of something that has failed before; no complaint itself.
  struct DependsOnFailed {};
  /// Thrown when enough is collected: a hostile file must not fill the memory with complaints about it.
  struct Enough {};
  static constexpr std::size_t kMost = 100;
  static constexpr std::size_t kMostBytes = std::size_t{16} << 20;  ///< of the messages and the lines they show

  explicit Complaints(Mode mode) : mode_(mode) {}

  /// Throws the error, or keeps it.
  void add(const InputError& error);

  /// Does some work; false where it ended in an error, which is added, or where it depends on what has failed.
  template <class Work>
  bool attempt(const Work& work) {
    try {
      work();
      return true;
    } catch (const InputError& error) {
      add(error);
    } catch (const DependsOnFailed&) {
    }
    return false;
  }

  [[nodiscard]] bool empty() const { return list_.empty(); }
  [[nodiscard]] const std::vector<InputError>& list() const {
    return list_;
  }  ///< in the order in which they were found

  void mark_failed(const Node& node) { failed_.insert(&node); }
  [[nodiscard]] bool has_failed(const Node& node) const { return failed_.count(&node) > 0; }

 private:
  Mode mode_;
  std::vector<InputError> list_;
  std::size_t bytes_ = 0;
  std::unordered_set<const Node*> failed_;
};

}  // namespace carom::scene
