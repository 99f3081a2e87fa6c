#pragma once
/// The signals that ask a program to stop.

#include <atomic>

namespace carom::app {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP sets interrupted(); the second ends the program. One at a time.
/// A SIGHUP that is ignored (nohup) stays so.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  /// Cleared when a watch begins. Others may set it too, to stop a run for their own reasons.
  static std::atomic<bool>& interrupted();
};

/// While it lives, one of these signals ends the program at once, with a word about it and the exit code of an
/// interrupted run: for the time before there is anything to close. It ends where a SignalWatch begins.
class StartWatch {
 public:
  StartWatch();
  ~StartWatch();
  StartWatch(const StartWatch&) = delete;
  StartWatch& operator=(const StartWatch&) = delete;
};

}  // namespace carom::app
