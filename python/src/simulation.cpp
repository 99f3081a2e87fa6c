#include "carom/simulation/simulation.h"

#include <fmt/format.h>
#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <chrono>

#include "arrays.h"
#include "bindings.h"
#include "events.h"
#include "interrupts.h"
#include "problem.h"
#include "values.h"

namespace carom::python {
namespace {

/// Calls a function of Python now and then with the time reached and the number of events.
class ProgressTeller final : public Observer {
 public:
  explicit ProgressTeller(py::object function) : function_(std::move(function)) {}
  void sample(const State& state, const EnergyBook&) override { look(state.time); }
  void event(const EventRecord& event) override {
    ++events_;
    constexpr std::int64_t kSeldom = 256;
    if (events_ % kSeldom == 0) look(event.time);
  }
  void progress(double time, long) override { look(time); }

 private:
  void look(double time) {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    const CallOfPython call;
    function_(time, events_);
  }
  py::object function_;
  std::int64_t events_ = 0;
  std::chrono::steady_clock::time_point last_{};
};

py::dict arrays_of(const State& state) {
  const auto count = static_cast<py::ssize_t>(state.bodies.size());
  py::array_t<double> position({count, py::ssize_t{3}}), orientation({count, py::ssize_t{4}}),
      velocity({count, py::ssize_t{3}}), spin({count, py::ssize_t{3}});
  double *x = position.mutable_data(), *q = orientation.mutable_data(), *v = velocity.mutable_data(),
         *w = spin.mutable_data();
  for (const BodyState& body : state.bodies) {
    x = std::copy_n(body.position.data(), 3, x);
    *q++ = body.orientation.w();
    q = std::copy_n(body.orientation.vec().data(), 3, q);
    v = std::copy_n(body.velocity.data(), 3, v);
    w = std::copy_n(body.angular_velocity.data(), 3, w);
  }
  py::dict arrays;
  arrays["time"] = state.time;
  arrays["position"] = position;
  arrays["orientation"] = orientation;
  arrays["velocity"] = velocity;
  arrays["angular_velocity"] = spin;
  return arrays;
}

/// A simulation that one caller runs at a time, with what Python has put beside it.
class PythonSimulation {
 public:
  explicit PythonSimulation(const Scene& scene) : simulation_(made(scene)), names_(names_of(simulation_.model())) {
    simulation_.stop_while(InterruptWatch::interrupted());
  }
  PythonSimulation(const PythonSimulation& other) : simulation_(other.simulation_), names_(other.names_) {
    simulation_.stop_while(InterruptWatch::interrupted());
  }

  /// Does something with the simulation without the lock of the interpreter.
  template <class Work>
  auto going(const Work& work) {
    const Busy busy(*this);
    const InterruptWatch watch;
    const FreeInterpreter free;
    return work(simulation_);
  }
  /// The same for one of many steps: Ctrl-C comes out as KeyboardInterrupt, wherever in a loop of steps it is pressed.
  /// The simulation stays where it has come to.
  template <class Work>
  auto stepping(const Work& work) {
    const Busy busy(*this);
    const InterruptWatch watch;
    auto result = [&] {
      const FreeInterpreter free;
      return work(simulation_);
    }();
    if (watch.caught()) watch.raise();
    return result;
  }
  /// Looks at it, or changes it, between runs.
  Simulation& idle() {
    if (running_) throw_running();
    return simulation_;
  }

  void run() {
    going([](Simulation& s) { s.run(); });
  }
  void advance_to(double time) {
    if (!std::isfinite(time)) throw InputError(Kind::not_finite, "time", "time is not finite, expected a number [s]");
    stepping([time](Simulation& s) {
      s.advance_to(time);
      return 0;
    });
  }
  std::optional<NamedEvent> next_event() {
    std::optional<Event> event = stepping([](Simulation& s) { return s.next_event(); });
    if (!event) return std::nullopt;
    return NamedEvent{std::move(*event), names_};
  }
  void interrupt() { simulation_.interrupt(); }

  void set_state(const py::object& position, const py::object& orientation, const py::object& velocity,
                 const py::object& angular_velocity) {
    State state = idle().state();
    const auto count = static_cast<py::ssize_t>(state.bodies.size());
    const auto rows = [count](const py::object& given, const char* field, py::ssize_t width) {
      Reals array = reals(given, field);
      require_shape(array, field, {count, width});
      return array;
    };
    const Reals x = rows(position, "position", 3), q = rows(orientation, "orientation", 4),
                v = rows(velocity, "velocity", 3), w = rows(angular_velocity, "angular_velocity", 3);
    for (std::size_t i = 0; i < state.bodies.size(); ++i) {
      BodyState& body = state.bodies[i];
      body.position = Eigen::Map<const Eigen::Vector3d>(x.data() + 3 * i);
      const double* turn = q.data() + 4 * i;
      body.orientation = Eigen::Quaterniond(turn[0], turn[1], turn[2], turn[3]);
      body.velocity = Eigen::Map<const Eigen::Vector3d>(v.data() + 3 * i);
      body.angular_velocity = Eigen::Map<const Eigen::Vector3d>(w.data() + 3 * i);
    }
    going([&state](Simulation& s) { s.set_state(state); });
  }

  void on_event(py::object function, bool stops) {
    idle().on_event([this, function = shared(std::move(function)), stops](const EventRecord& event) {
      const CallOfPython call;
      const py::object answer = (*function)(NamedEvent{Event(event), names_});
      if (stops && truth(answer)) stop();
    });
  }
  void on_sample(py::object function, bool stops) {
    idle().on_sample([this, function = shared(std::move(function)), stops](const State& state, const EnergyBook& book) {
      const CallOfPython call;
      const py::object answer = (*function)(arrays_of(state), book.now.kinetic, book.now.total(), book.dissipated());
      if (stops && truth(answer)) stop();
    });
  }
  void on_progress(py::object function) {
    tellers_.push_back(std::make_unique<ProgressTeller>(std::move(function)));
    idle().add(*tellers_.back());
  }
  [[nodiscard]] bool stopped_by_condition() const { return stopped_by_condition_; }
  [[nodiscard]] const std::vector<std::string>& names() const { return *names_; }

 private:
  struct Busy {
    PythonSimulation& who;
    explicit Busy(PythonSimulation& simulation) : who(simulation) {
      bool expected = false;
      if (!who.running_.compare_exchange_strong(expected, true)) who.throw_running();
      who.forks_ = fork_count();
      who.stopped_by_condition_ = false;
    }
    ~Busy() { who.running_ = false; }
  };
  [[noreturn]] void throw_running() const {
    if (forks_ != fork_count())
      throw std::runtime_error(
          "the simulation was running in another thread when this process was forked; make it anew from its scene");
    throw std::runtime_error(
        "the simulation is running: wait until run(), advance_to() or the next event has come back; an observer has "
        "what it is handed, and interrupt()");
  }
  static Simulation made(const Scene& scene) {
    const Scene copy = scene;  // another thread may change it
    const FreeInterpreter free;
    return Simulation(copy);
  }
  static bool truth(const py::object& answer) {
    const int is_true = PyObject_IsTrue(answer.ptr());
    if (is_true < 0) throw py::error_already_set();
    return is_true == 1;
  }
  /// A function that may be let go by a thread without the lock.
  static std::shared_ptr<py::object> shared(py::object function) {
    return {new py::object(std::move(function)), [](py::object* object) {
              const py::gil_scoped_acquire gil;
              delete object;
            }};
  }
  void stop() {
    stopped_by_condition_ = true;
    simulation_.interrupt();
  }

  std::vector<std::unique_ptr<ProgressTeller>> tellers_;  // before the simulation that they observe
  Simulation simulation_;
  Names names_;
  std::atomic<bool> running_{false};
  std::atomic<int> forks_{0};  // of the process in which it ran last
  std::atomic<bool> stopped_by_condition_{false};
};

py::object summary_of(PythonSimulation& simulation) {
  const RunSummary summary = simulation.idle().summary(simulation.idle().scene().name());
  Json json = summary.to_json();
  json["bodies"] = summary.bodies_json();
  return to_python(json);
}

std::vector<std::string> body_names(PythonSimulation& simulation) {
  std::vector<std::string> names;
  for (const Body& body : simulation.idle().model().bodies) names.push_back(body.name);
  return names;
}

}  // namespace

void bind_simulation(py::module_& module) {
  bind_events(module);
  using S = PythonSimulation;
  py::class_<S>(module, "Simulation", "A scene that runs; carom.Simulation is this with arrays for its state.")
      .def(py::init<const Scene&>(), py::arg("scene"))
      .def("_run", &S::run)
      .def("_advance_to", &S::advance_to)
      .def("_next_event", &S::next_event)
      .def("interrupt", &S::interrupt, "From any thread, or an observer: stops before the next event.")
      .def("_state", [](S& s) { return arrays_of(s.idle().state()); })
      .def("_state_at",
           [](S& s, double time) { return arrays_of(s.going([time](Simulation& sim) { return sim.state_at(time); })); })
      .def("_set_state", &S::set_state)
      .def("_on_event", &S::on_event)
      .def("_on_sample", &S::on_sample)
      .def("_on_progress", &S::on_progress)
      .def(py::init([](S& other) {
             other.idle();
             return std::make_unique<S>(other);
           }),
           py::arg("other"))
      .def("_record",
           [](S& s, const std::string& path, bool forces, double flush) {
             s.idle().record(path, RecordRhythm{.seconds = flush}, RecordContents{.contact_forces = forces});
           })
      .def("_energy",
           [](S& s) {
             const EnergyBook book = s.idle().energy();
             py::dict parts;
             parts["kinetic"] = book.now.kinetic;
             parts["gravity"] = book.now.gravity;
             parts["springs"] = book.now.springs;
             parts["loads"] = book.now.loads;
             parts["contacts"] = book.now.contacts;
             parts["total"] = book.now.total();
             parts["initial"] = book.initial;
             parts["dissipated"] = book.dissipated();
             parts["error"] = book.error();
             return parts;
           })
      .def("_first_impact",
           [](S& s) -> std::optional<KeptProblem> {
             std::optional<ImpactProblem> problem = s.going([](Simulation& sim) { return sim.first_impact(); });
             if (!problem) return std::nullopt;
             return KeptProblem{std::move(*problem), {}, s.idle().scene().name()};
           })
      .def("_summary", &summary_of)
      .def_property_readonly(
          "time", [](S& s) { return s.idle().time(); }, "Model time reached [s].")
      .def_property_readonly(
          "end_time", [](S& s) { return s.idle().end_time(); }, "At which run() ends [s].")
      .def_property_readonly(
          "stop", [](S& s) { return std::string(run_stop_name(s.idle().result().stop)); },
          "Why it stopped, as if the run ended now.")
      .def_property_readonly("stopped_by_condition", &S::stopped_by_condition,
                             "Whether a condition of `stop_when` ended the last run.")
      .def_property_readonly("bodies", &body_names, "Their names, in the order of the rows of the state.")
      .def_property_readonly("_scene", [](S& s) { return s.idle().scene(); });
}

}  // namespace carom::python
