#pragma once
/// Ctrl-C and exit while the lock of the interpreter is free, and what a process that was forked can do.

#include <pybind11/pybind11.h>

#include <atomic>
#include <cstdint>

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
  /// Whether it was pressed since this watch began, which was the first.
  [[nodiscard]] bool caught() const;
  /// Throws KeyboardInterrupt.
  [[noreturn]] void raise() const;

 private:
  bool watches_ = false;
};

/// The lock of the interpreter for a call of somebody's function. What is to run on ends at the first Ctrl-C, when that
/// function has come back; where it does not, the second one is a KeyboardInterrupt inside it.
class CallOfPython {
 public:
  CallOfPython();
  ~CallOfPython();
  CallOfPython(const CallOfPython&) = delete;
  CallOfPython& operator=(const CallOfPython&) = delete;

 private:
  pybind11::gil_scoped_acquire gil_;
  bool is_counted_;
};

/// While it lives, the interpreter does not end: an exit asks long work to stop and waits for it, since a thread that
/// comes back to an interpreter that has ended is killed.
class LongWork {
 public:
  LongWork();  ///< Throws RuntimeError where the interpreter is ending.
  ~LongWork();
  LongWork(const LongWork&) = delete;
  LongWork& operator=(const LongWork&) = delete;
};

/// Long work for which the lock of the interpreter is free for others.
class FreeInterpreter {
 public:
  FreeInterpreter() = default;
  FreeInterpreter(const FreeInterpreter&) = delete;
  FreeInterpreter& operator=(const FreeInterpreter&) = delete;
  ~FreeInterpreter() = default;

 private:
  LongWork work_;
  pybind11::gil_scoped_release free_;
};
/// To be called at the exit of the interpreter.
void end_long_work();

/// How many forks lie between this process and the one that was started.
int fork_count();
/// How many threads may be asked for: one in a process that was forked from one with threads, which have no life there.
int usable_threads(int asked);
/// To be called in a child after a fork.
void note_fork();

}  // namespace carom::python
