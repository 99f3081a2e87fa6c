#include "common/signal_watch.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "common/command_line.h"

namespace carom::app {
namespace {

std::atomic<bool> signalled{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void ask_to_stop(int signal) {
  signalled = true;
  std::signal(signal, SIG_DFL);
}

void end_at_once(int /*signal*/) {
  constexpr std::string_view kText = "interrupted before the run began\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kText.data(), kText.size());
  ::_exit(kInterrupted);
}

void set_all(void (*handler)(int)) {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, handler);
  if (std::signal(SIGHUP, handler) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

}  // namespace

SignalWatch::SignalWatch() {
  signalled = false;
  set_all(&ask_to_stop);
}

SignalWatch::~SignalWatch() {
  set_all(SIG_DFL);
}

std::atomic<bool>& SignalWatch::interrupted() {
  return signalled;
}

StartWatch::StartWatch() {
  set_all(&end_at_once);
}

StartWatch::~StartWatch() {
  set_all(SIG_DFL);
}

}  // namespace carom::app
