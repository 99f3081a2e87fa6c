#pragma once
/// Ctrl-C while the interpreter is let go, and what a process that was forked can do.

#include <atomic>

namespace carom::python {

/// While it lives, Ctrl-C sets a flag instead of waiting until Python is asked again. It does so in the thread that
/// Python hands signals to, and where nobody has put a handler of his own there; in others the flag stays down. The
/// lock of the interpreter is held when it is made and when it ends.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  /// True from Ctrl-C until the watch ends.
  [[nodiscard]] static const std::atomic<bool>& interrupted();
  /// Throws KeyboardInterrupt.
  [[noreturn]] void raise() const;

 private:
  bool watches_ = false;
};

/// How many threads may be asked for: one in a process that was forked from one with threads, which have no life there.
int usable_threads(int asked);
/// To be called in a child after a fork.
void note_fork();

}  // namespace carom::python
