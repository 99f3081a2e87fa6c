#include "common/signal_watch.h"

#include <csignal>

namespace carom::app {
namespace {

std::atomic<bool> signalled{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void ask_to_stop(int signal) {
  signalled = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

SignalWatch::SignalWatch() {
  signalled = false;
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, &ask_to_stop);
}

SignalWatch::~SignalWatch() {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
}

std::atomic<bool>& SignalWatch::interrupted() {
  return signalled;
}

}  // namespace carom::app
