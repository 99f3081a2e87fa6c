#include "interrupts.h"

#include <pybind11/pybind11.h>

#include <csignal>

namespace carom::python {
namespace {

namespace py = pybind11;

std::atomic<bool> interrupt_flag{false};
std::atomic<int> watchers{0};
struct sigaction previous_action;
std::atomic<bool> is_forked{false};

void note_interrupt(int) {
  interrupt_flag = true;
}

/// Whether this is the main thread and Ctrl-C has the meaning that Python gives it.
bool may_watch() {
  const py::module_ threading = py::module_::import("threading");
  if (!threading.attr("current_thread")().is(threading.attr("main_thread")())) return false;
  const py::module_ signal = py::module_::import("signal");
  return signal.attr("getsignal")(signal.attr("SIGINT")).is(signal.attr("default_int_handler"));
}

}  // namespace

InterruptWatch::InterruptWatch() {
  if (watchers.load() > 0 || !may_watch()) return;
  watches_ = true;
  ++watchers;
  interrupt_flag = false;
  struct sigaction action {};
  action.sa_handler = &note_interrupt;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &previous_action);
}

InterruptWatch::~InterruptWatch() {
  if (!watches_) return;
  sigaction(SIGINT, &previous_action, nullptr);
  interrupt_flag = false;
  --watchers;
}

const std::atomic<bool>& InterruptWatch::interrupted() {
  return interrupt_flag;
}

void InterruptWatch::raise() const {
  const py::gil_scoped_acquire gil;
  PyErr_SetNone(PyExc_KeyboardInterrupt);
  throw py::error_already_set();
}

int usable_threads(int asked) {
  return is_forked ? 1 : asked;
}

void note_fork() {
  is_forked = true;
}

}  // namespace carom::python
