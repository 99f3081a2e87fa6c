#include "interrupts.h"

#include <pybind11/pybind11.h>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>

namespace carom::python {
namespace {

namespace py = pybind11;

std::atomic<bool> interrupt_flag{false};
std::atomic<int> watchers{0};
struct sigaction previous_action;
std::atomic<int> forks{0};
std::atomic<int> long_works{0};
std::atomic<bool> is_ending{false};

std::atomic<int> calls_of_python{0};  ///< by the thread that Python hands signals to

void note_interrupt(int) {
  if (interrupt_flag.exchange(true) && calls_of_python.load() > 0) PyErr_SetInterrupt();
}

std::atomic<unsigned long> main_thread{0};  // its identifier; 0: to be asked for

/// Whether this is the main thread and Ctrl-C has the meaning that Python gives it. Asked at every step of a loop, so
/// what does not change is kept, for as long as the process lives.
bool may_watch() {
  if (main_thread == 0)
    main_thread = py::module_::import("threading").attr("main_thread")().attr("ident").cast<unsigned long>();
  if (PyThread_get_thread_ident() != main_thread) return false;
  static const py::handle getsignal = py::module_::import("_signal").attr("getsignal").cast<py::object>().release();
  static const py::handle usual =
      py::module_::import("_signal").attr("default_int_handler").cast<py::object>().release();
  return getsignal(SIGINT).is(usual);
}

}  // namespace

InterruptWatch::InterruptWatch() {
  if (watchers.load() > 0 || !may_watch()) return;
  watches_ = true;
  ++watchers;
  interrupt_flag = is_ending.load();
  struct sigaction action {};
  action.sa_handler = &note_interrupt;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &previous_action);
}

InterruptWatch::~InterruptWatch() {
  if (!watches_) return;
  sigaction(SIGINT, &previous_action, nullptr);
  interrupt_flag = is_ending.load();
  --watchers;
}

const std::atomic<bool>& InterruptWatch::interrupted() {
  return interrupt_flag;
}

bool InterruptWatch::caught() const {
  return watches_ && interrupt_flag && !is_ending;
}

void InterruptWatch::raise() const {
  const py::gil_scoped_acquire gil;
  PyErr_SetNone(PyExc_KeyboardInterrupt);
  throw py::error_already_set();
}

CallOfPython::CallOfPython() : is_counted_(watchers.load() > 0 && PyThread_get_thread_ident() == main_thread) {
  if (is_counted_) ++calls_of_python;
}

CallOfPython::~CallOfPython() {
  if (is_counted_) --calls_of_python;
}

LongWork::LongWork() {
  if (is_ending) throw std::runtime_error("the interpreter is ending; nothing new can be begun");
  ++long_works;
}

LongWork::~LongWork() {
  --long_works;
}

void end_long_work() {
  is_ending = true;
  interrupt_flag = true;
  const py::gil_scoped_release free;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (long_works > 0 && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

int fork_count() {
  return forks;
}

int usable_threads(int asked) {
  return fork_count() > 0 ? 1 : asked;
}

void note_fork() {
  ++forks;
  long_works = 0;  // of threads that the child has not
  main_thread = 0;
  watchers = 0;
  calls_of_python = 0;
}

}  // namespace carom::python
