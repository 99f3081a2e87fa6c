/// A Lagrangian system that is a class of Python.

#include <fmt/format.h>
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <cmath>

#include "arrays.h"
#include "bindings.h"
#include "carom/base/error.h"
#include "carom/base/json.h"
#include "carom/engine/lagrangian/lagrangian_engine.h"
#include "interrupts.h"
#include "laws.h"

namespace carom::python {
namespace {

/// A whole number that a method or an attribute says.
int whole(const py::object& value, const char* field) {
  const double number = real(value, field);
  constexpr double kMost = 1e6;
  if (!(number >= 0.0 && number <= kMost) || number != std::floor(number))
    throw InputError(Kind::out_of_range, field,
                     fmt::format("{} is {}, expected a whole number from 0 to {}", field, number, kMost));
  return static_cast<int>(number);
}

/// Calls the methods of Python; the lock of the interpreter is held for the whole run. `stop` is set at Ctrl-C.
class PythonSystem final : public LagrangianSystem {
 public:
  PythonSystem(py::object self, int coordinates, int constraints, int contacts, std::atomic<bool>& stop)
      : self_(std::move(self)), coordinates_(coordinates), constraints_(constraints), contacts_(contacts), stop_(stop) {
    has_power_ = overrides("power");
    has_constraint_values_ = overrides("constraint_values");
    has_tangents_ = overrides("tangent_rows");
    has_friction_ = overrides("friction");
    has_bound_ = overrides("gap_acceleration_bound");
    size_ = real(self_.attr("size"), "size");
    for (int contact = 0; contact < contacts_; ++contact) {
      restitution_.push_back(real(self_.attr("restitution")(contact), "restitution"));
      tangents_.push_back(has_tangents_ ? whole(self_.attr("tangent_count")(contact), "tangent_count") : 0);
    }
  }

  [[nodiscard]] int coordinate_count() const override { return coordinates_; }
  void metric(const Vector& q, Matrix& G) const override { fill(self_.attr("metric")(array(q)), "metric", G); }
  void force(double time, const Vector& q, const Vector& v, Vector& f) const override {
    if (InterruptWatch::interrupted()) stop_ = true;
    fill(self_.attr("force")(time, array(q), array(v)), "force", f);
  }
  [[nodiscard]] double potential(const Vector& q) const override {
    const double energy = real(self_.attr("potential")(array(q)), "potential");
    if (!std::isfinite(energy))
      throw InputError(Kind::not_finite, "potential",
                       fmt::format("potential is {}, expected a finite energy [J]", energy));
    return energy;
  }
  [[nodiscard]] double power(double time, const Vector& q, const Vector& v) const override {
    return has_power_ ? real(self_.attr("power")(time, array(q), array(v)), "power") : 0.0;
  }
  [[nodiscard]] int constraint_count() const override { return constraints_; }
  void constraint_rows(const Vector& q, Matrix& A) const override {
    if (constraints_ > 0) fill(self_.attr("constraint_rows")(array(q)), "constraint_rows", A);
  }
  bool constraint_values(const Vector& q, Vector& values) const override {
    if (!has_constraint_values_) return false;
    fill(self_.attr("constraint_values")(array(q)), "constraint_values", values);
    return true;
  }
  [[nodiscard]] int contact_count() const override { return contacts_; }
  void gaps(const Vector& q, Vector& g) const override {
    if (contacts_ > 0) fill(self_.attr("gaps")(array(q)), "gaps", g);
  }
  void gap_rows(const Vector& q, Matrix& N) const override {
    if (contacts_ > 0) fill(self_.attr("gap_rows")(array(q)), "gap_rows", N);
  }
  [[nodiscard]] double restitution(int contact) const override {
    return restitution_[static_cast<std::size_t>(contact)];
  }
  [[nodiscard]] int tangent_count(int contact) const override { return tangents_[static_cast<std::size_t>(contact)]; }
  [[nodiscard]] Coulomb friction(int contact) const override {
    if (!has_friction_) return LagrangianSystem::friction(contact);
    const Reals both = reals(self_.attr("friction")(contact), "friction");
    require_shape(both, "friction", {2});
    return {both.data()[0], both.data()[1]};
  }
  void tangent_rows(const Vector& q, int contact, Matrix& T) const override {
    if (has_tangents_) fill(self_.attr("tangent_rows")(array(q), contact), "tangent_rows", T);
  }
  [[nodiscard]] std::optional<double> gap_acceleration_bound(int contact, double time, const Vector& q, const Vector& v,
                                                             double duration) const override {
    if (!has_bound_) return std::nullopt;
    const double bound = real(self_.attr("gap_acceleration_bound")(contact, time, array(q), array(v), duration),
                              "gap_acceleration_bound");
    if (!(bound >= 0.0))
      throw InputError(Kind::out_of_range, "gap_acceleration_bound",
                       fmt::format("gap_acceleration_bound is {}, expected a number from 0", bound));
    return bound;
  }
  [[nodiscard]] double size() const override { return size_; }

 private:
  [[nodiscard]] bool overrides(const char* name) const {
    const py::object base = py::module_::import("carom").attr("LagrangianSystem");
    return !py::type::of(self_).attr(name).is(base.attr(name));
  }
  static py::array_t<double> array(const Vector& vector) {
    return copied({vector.data(), static_cast<std::size_t>(vector.size())});
  }
  static void fill(const py::object& answer, const char* what, Vector& out) {
    const Reals numbers = reals(answer, what);
    require_shape(numbers, what, {out.size()});
    out = Eigen::Map<const Vector>(numbers.data(), out.size());
  }
  static void fill(const py::object& answer, const char* what, Matrix& out) {
    const Reals numbers = reals(answer, what);
    require_shape(numbers, what, {out.rows(), out.cols()});
    out = Eigen::Map<const Matrix>(numbers.data(), out.rows(), out.cols());
  }

  py::object self_;
  int coordinates_, constraints_, contacts_;
  std::atomic<bool>& stop_;
  bool has_power_ = false, has_constraint_values_ = false, has_tangents_ = false, has_friction_ = false,
       has_bound_ = false;
  double size_ = 1.0;
  std::vector<double> restitution_;
  std::vector<int> tangents_;
};

/// Keeps events, and stops where the condition says so.
class SystemLog final : public Observer {
 public:
  explicit SystemLog(py::object on_event) : on_event_(std::move(on_event)) {}

  void sample(const State&, const EnergyBook&) override {}
  void event(const EventRecord& event) override {
    py::list contacts;
    for (const ContactRecord& contact : event.contacts)
      contacts.append(py::make_tuple(int{contact.b}, contact.impulse, contact.rate_before, contact.rate_after));
    const py::tuple row = py::make_tuple(event.time, std::string(event_kind_name(event.kind)), std::string(event.law),
                                         event.energy.before, event.energy.after, contacts);
    events_.append(row);
    if (on_event_.is_none()) return;
    const py::object answer = on_event_(row);
    const int stops = PyObject_IsTrue(answer.ptr());
    if (stops < 0) throw py::error_already_set();
    if (stops == 1) stop_ = true;
  }

  py::list events_;
  std::atomic<bool> stop_{false};

 private:
  py::object on_event_;
};

py::dict run_system(const py::object& system, const Reals& q, const Reals& v, const py::object& law, double start,
                    double duration, double output_step, std::int64_t max_events, double tolerance,
                    double contact_tolerance, bool stop_at_rest, const py::object& on_event) {
  const AskedLaw asked = asked_law(law);
  SystemLog log(on_event);
  const InterruptWatch watch;
  const LongWork work;
  const CallOfPython call;
  const PythonSystem bound(system, static_cast<int>(q.size()),
                           whole(system.attr("constraint_count"), "constraint_count"),
                           whole(system.attr("contact_count"), "contact_count"), log.stop_);
  const LagrangianState initial{start, Eigen::Map<const Vector>(q.data(), q.size()),
                                Eigen::Map<const Vector>(v.data(), v.size())};
  std::vector<double> times, coordinates, speeds, kinetic, potential, dissipated;
  LagrangianOptions run_options;
  run_options.law = asked.law;
  run_options.duration = duration;
  run_options.output_step = output_step;
  run_options.max_events = max_events;
  run_options.tolerance = tolerance;
  run_options.contact_tolerance = contact_tolerance;
  run_options.stop_at_rest = stop_at_rest;
  run_options.on_sample = [&](const LagrangianState& state, const EnergyBook& book) {
    times.push_back(state.time);
    coordinates.insert(coordinates.end(), state.q.begin(), state.q.end());
    speeds.insert(speeds.end(), state.v.begin(), state.v.end());
    kinetic.push_back(book.now.kinetic);
    potential.push_back(book.now.gravity);
    dissipated.push_back(book.dissipated());
  };
  LagrangianEngine engine(bound, initial, run_options);
  const LagrangianResult result = engine.run(&log, &log.stop_);
  const auto count = static_cast<py::ssize_t>(times.size());
  py::dict run;
  run["time"] = copied(times);
  run["q"] = copied(coordinates, {count, q.size()});
  run["v"] = copied(speeds, {count, v.size()});
  run["kinetic"] = copied(kinetic);
  run["potential"] = copied(potential);
  run["dissipated"] = copied(dissipated);
  run["events"] = log.events_;
  run["stop"] = std::string(run_stop_name(result.run.stop));
  run["impacts"] = result.run.impacts;
  run["failure"] = result.run.failure ? py::object(py::str(result.run.failure->reason)) : py::object(py::none());
  run["guarantee"] = std::string(guarantee_name(result.run.guarantee));
  run["final_time"] = result.state.time;
  run["final_q"] = copied({result.state.q.data(), static_cast<std::size_t>(result.state.q.size())});
  run["final_v"] = copied({result.state.v.data(), static_cast<std::size_t>(result.state.v.size())});
  run["energy_error"] = result.run.energy.error();
  return run;
}

}  // namespace

void bind_own_system(py::module_& module) {
  module.def("run_system", &run_system);
}

}  // namespace carom::python
