#pragma once
/// The laws of one registry: the library's own, then those that a program adds while it runs.

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <span>
#include <string>

#include "carom/base/error.h"

namespace carom {

/// Laws are added and never removed, so that what was handed out stays good; several threads may ask and add.
template <class Law>
class LawList {
 public:
  explicit LawList(std::span<const Law* const> own) : count_(own.size()) {
    for (std::size_t i = 0; i < own.size(); ++i) laws_[i] = own[i];
  }

  [[nodiscard]] std::span<const Law* const> all() const {
    return {laws_.data(), count_.load(std::memory_order_acquire)};
  }

  /// The law lives as long as the program. Throws InputError: `duplicate_name`; `limit` where there is no room.
  void add(const Law& law) {
    const std::scoped_lock one_at_a_time(mutex_);
    for (const Law* known : all())
      if (known->name == law.name)
        throw InputError(Kind::duplicate_name, "law", fmt::format("there is a law '{}' already", law.name));
    const std::size_t count = count_.load(std::memory_order_relaxed);
    if (count == laws_.size()) throw InputError(Kind::limit, "law", fmt::format("more than {} laws", laws_.size()));
    laws_[count] = &law;
    count_.store(count + 1, std::memory_order_release);
  }

 private:
  static constexpr std::size_t kMost = 256;
  std::array<const Law*, kMost> laws_{};
  std::atomic<std::size_t> count_;
  std::mutex mutex_;
};

}  // namespace carom
