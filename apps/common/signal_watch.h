#pragma once
/// The signals that ask a program to stop.

#include <atomic>

namespace carom::app {

/// While it lives, the first SIGINT or SIGTERM sets interrupted(); the second ends the program. One at a time.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  /// Cleared when a watch begins. Others may set it too, to stop a run for their own reasons.
  static std::atomic<bool>& interrupted();
};

}  // namespace carom::app
