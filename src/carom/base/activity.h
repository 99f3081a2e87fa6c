#pragma once
/// What a thread is busy with, and whether somebody has asked it to stop.
///
/// Work that may take long says what it is and asks now and then whether it should go on:
///
///     const Activity activity("impact law");
///     for (…) {
///       Activity::tick();
///       …
///     }
///
/// tick() costs a few nanoseconds. Where one of the flags of the innermost InterruptWatch is true it throws
/// Interrupted, so the loop need not know what becomes of it. Nothing may be thrown while something is half changed
/// that is looked at afterwards: tick where a computation only reads, or between two whole changes.

#include <atomic>
#include <cstdint>
#include <vector>

namespace carom {

/// Thrown by Activity::tick. No std::exception: nobody shall catch it by mistake.
struct Interrupted {};

class Activity {
 public:
  /// `what` is a string that lives for ever: a few words that go on from "busy with".
  explicit Activity(const char* what);
  ~Activity();
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

  static void tick() {
    State& state = own();
    state.ticks.store(state.ticks.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (state.flags != nullptr) check(*state.flags);
  }

  /// What a thread does now, as another one may look at it at any time.
  struct State {
    std::atomic<const char*> what{nullptr};                        ///< null: nothing that takes long
    std::atomic<std::int64_t> ticks{0};                            ///< since the thread began
    const std::vector<const std::atomic<bool>*>* flags = nullptr;  ///< of the thread itself
  };
  /// Of the calling thread; lives as long as that.
  static State& own() {
    thread_local State state;
    return state;
  }

 private:
  static void check(const std::vector<const std::atomic<bool>*>& flags) {
    for (const std::atomic<bool>* const flag : flags)
      if (flag->load(std::memory_order_relaxed)) throw Interrupted{};
  }

  const char* before_;
};

/// While it lives, ticks of its thread look at these flags. They have to live as long.
class InterruptWatch {
 public:
  explicit InterruptWatch(const std::vector<const std::atomic<bool>*>& flags);
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

 private:
  const std::vector<const std::atomic<bool>*>* before_;
};

}  // namespace carom
