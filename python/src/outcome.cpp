#include "outcome.h"

#include <pybind11/stl.h>

#include "bindings.h"

namespace carom::python {
namespace {

std::vector<int> tangents_of(const ImpactProblem& problem) {
  std::vector<int> rows;
  for (const Contact& contact : problem.contacts) rows.push_back(static_cast<int>(contact.tangents.rows()));
  return rows;
}

py::array seen(const py::object& self, const std::vector<double>& values) {
  return view_of(values.data(), {static_cast<py::ssize_t>(values.size())}, self);
}

/// Numbers of tangent rows: (contacts, rows) where all contacts have as many, else a tuple with an array for each.
py::object by_contact(const py::object& self, const std::vector<double>& values) {
  const auto& outcome = self.cast<const Outcome&>();
  const std::vector<int>& rows = outcome.tangents;
  if (values.empty()) return py::array_t<double>(std::vector<py::ssize_t>{static_cast<py::ssize_t>(rows.size()), 0});
  bool even = true;
  for (const int count : rows) even = even && count == rows.front();
  if (even)
    return view_of(values.data(), {static_cast<py::ssize_t>(rows.size()), rows.empty() ? 0 : rows.front()}, self);
  py::list lists;
  std::size_t first = 0;
  for (const int count : rows) {
    lists.append(view_of(values.data() + first, {count}, self));
    first += static_cast<std::size_t>(count);
  }
  return py::tuple(lists);
}

/// Values that may be missing; NaN then.
py::array_t<double> with_gaps(const std::vector<std::optional<double>>& values, std::vector<py::ssize_t> shape) {
  std::vector<double> numbers;
  for (const std::optional<double>& value : values) numbers.push_back(value.value_or(std::nan("")));
  return copied(numbers, std::move(shape));
}

py::array_t<double> cosines(const Outcome& outcome) {
  const auto count = static_cast<py::ssize_t>(outcome.value.impulses.size());
  return with_gaps(outcome.value.audit.kinetic_cosines, {count, count});
}

py::tuple mode_names(const std::vector<FrictionMode>& modes) {
  py::list names;
  for (const FrictionMode mode : modes) names.append(std::string(friction_mode_name(mode)));
  return py::tuple(names);
}

py::tuple phase_names(const std::vector<FrictionPhase>& phases) {
  py::list list;
  for (const FrictionPhase& phase : phases)
    list.append(py::make_tuple(phase.contact, std::string(friction_mode_name(phase.mode))));
  return py::tuple(list);
}

Flags flags_of(std::uint32_t bits) {
  Flags flags;
  for (const Flag flag : all_flags())
    if ((bits & static_cast<std::uint32_t>(flag)) != 0) flags.set(flag);
  return flags;
}

template <class Enum>
std::vector<int> numbers_of(const std::vector<Enum>& values) {
  std::vector<int> numbers;
  for (const Enum value : values) numbers.push_back(static_cast<int>(value));
  return numbers;
}

py::tuple energy_state(const ImpactEnergy& e) {
  return py::make_tuple(e.before, e.after, e.change, e.change_from_impulses, e.contact_work, e.wall_work);
}

ImpactEnergy energy_of(const py::tuple& e) {
  return {e[0].cast<double>(), e[1].cast<double>(), e[2].cast<double>(),
          e[3].cast<double>(), e[4].cast<double>(), e[5].cast<double>()};
}

py::tuple audit_state(const Audit& a) {
  return py::make_tuple(a.min_impulse, a.min_gap_rate_after, a.constraint_residual, a.complementarity_residual,
                        a.constraint_impulses, a.restitution, a.observed_restitution, a.kinetic_cosines, a.order_spread,
                        a.roundoff_spread, a.flags.bits());
}

Audit audit_of(const py::tuple& a) {
  using Maybe = std::optional<double>;
  return {a[0].cast<double>(),
          a[1].cast<double>(),
          a[2].cast<double>(),
          a[3].cast<Maybe>(),
          a[4].cast<std::vector<double>>(),
          a[5].cast<std::vector<double>>(),
          a[6].cast<std::vector<Maybe>>(),
          a[7].cast<std::vector<Maybe>>(),
          a[8].cast<Maybe>(),
          a[9].cast<Maybe>(),
          flags_of(a[10].cast<std::uint32_t>())};
}

py::tuple get_state(const Outcome& o) {
  const ImpactOutcome& v = o.value;
  std::vector<std::pair<int, int>> phases;
  for (const FrictionPhase& phase : v.phases) phases.emplace_back(phase.contact, static_cast<int>(phase.mode));
  py::list others;
  for (const ImpactOutcome& other : v.outcomes) others.append(get_state(Outcome(o.tangents, other)));
  return py::make_tuple(o.law, o.tangents, v.velocity, v.impulses, v.tangential_impulses, v.rate_before, v.rate_after,
                        v.slip_before, v.slip_after, numbers_of(v.modes), phases, v.friction_work, v.reference_speed,
                        v.steps, static_cast<int>(v.stop), energy_state(v.energy), audit_state(v.audit), others);
}

Outcome set_state(const py::tuple& t) {
  Outcome o;
  ImpactOutcome& v = o.value;
  o.law = t[0].cast<std::string>();
  o.tangents = t[1].cast<std::vector<int>>();
  std::size_t at = 2;
  for (auto* numbers :
       {&v.velocity, &v.impulses, &v.tangential_impulses, &v.rate_before, &v.rate_after, &v.slip_before, &v.slip_after})
    *numbers = t[at++].cast<std::vector<double>>();
  for (const int mode : t[9].cast<std::vector<int>>()) v.modes.push_back(static_cast<FrictionMode>(mode));
  for (const auto& [contact, mode] : t[10].cast<std::vector<std::pair<int, int>>>())
    v.phases.push_back({contact, static_cast<FrictionMode>(mode)});
  v.friction_work = t[11].cast<std::vector<double>>();
  v.reference_speed = t[12].cast<double>();
  v.steps = t[13].cast<long>();
  v.stop = static_cast<Stop>(t[14].cast<int>());
  v.energy = energy_of(t[15].cast<py::tuple>());
  v.audit = audit_of(t[16].cast<py::tuple>());
  for (const py::handle other : t[17].cast<py::list>())
    v.outcomes.push_back(set_state(py::reinterpret_borrow<py::tuple>(other)).value);
  return o;
}

py::str display(const char* function, const py::object& self) {
  return py::module_::import("carom._display").attr(function)(self);
}

void bind_energy(py::module_& module) {
  py::class_<ImpactEnergy>(module, "ImpactEnergy", "Kinetic energy of one impact [J].")
      .def_readonly("before", &ImpactEnergy::before, "Before the impact [J].")
      .def_readonly("after", &ImpactEnergy::after, "After the impact [J].")
      .def_readonly("change", &ImpactEnergy::change, "By the velocities [J].")
      .def_readonly("change_from_impulses", &ImpactEnergy::change_from_impulses,
                    "By the impulses [J]: another formula for the same.")
      .def_readonly("contact_work", &ImpactEnergy::contact_work, "Work of the contacts [J]; positive: created.")
      .def_readonly("wall_work", &ImpactEnergy::wall_work, "Done by moving walls [J].")
      .def("__repr__", [](const py::object& self) { return display("energy_repr", self); })
      .def(py::pickle(&energy_state, &energy_of));
}

void bind_audit(py::module_& module) {
  py::class_<Audit>(module, "Audit", "What the audit found about one outcome.")
      .def_readonly("min_impulse", &Audit::min_impulse, "Least normal impulse; negative: the law pulled.")
      .def_readonly("min_gap_rate_after", &Audit::min_gap_rate_after, "Negative: something approaches still.")
      .def_readonly("constraint_residual", &Audit::constraint_residual, "Largest rate of a persistent constraint.")
      .def_readonly("complementarity_residual", &Audit::complementarity_residual,
                    "Of the law's complementarity problems; None for laws without.")
      .def_readonly("order_spread", &Audit::order_spread, "Change of the velocity with the order of contacts (full).")
      .def_readonly("roundoff_spread", &Audit::roundoff_spread, "Change of the velocity with round-off (full).")
      .def_property_readonly(
          "constraint_impulses", [](const Audit& a) { return copied(a.constraint_impulses); }, "One per row.")
      .def_property_readonly(
          "restitution", [](const Audit& a) { return copied(a.restitution); },
          "Coefficient that the law was given, per contact.")
      .def_property_readonly(
          "observed_restitution",
          [](const Audit& a) {
            return with_gaps(a.observed_restitution, {static_cast<py::ssize_t>(a.observed_restitution.size())});
          },
          "Of the contacts that approached; NaN for others.")
      .def_property_readonly(
          "flags", [](const Audit& a) { return flag_names(a.flags); }, "Names of remarks.")
      .def("__repr__", [](const py::object& self) { return display("audit_repr", self); })
      .def(py::pickle(&audit_state, &audit_of));
}

}  // namespace

Outcome::Outcome(const ImpactProblem& problem, ImpactOutcome outcome)
    : Outcome(tangents_of(problem), std::move(outcome)) {}

Outcome::Outcome(std::vector<int> rows, ImpactOutcome outcome)
    : law(outcome.law), tangents(std::move(rows)), value(std::move(outcome)) {
  value.law = {};
}

py::tuple flag_names(const Flags& flags) {
  py::list names;
  for (const Flag flag : all_flags())
    if (flags.has(flag)) names.append(std::string(flag_name(flag)));
  return py::tuple(names);
}

void bind_outcome(py::module_& module) {
  bind_energy(module);
  bind_audit(module);
  using O = const Outcome&;
  const auto keep = py::return_value_policy::reference_internal;
  py::class_<Outcome>(module, "Outcome",
                      R"(What an impact law answers to one problem. Arrays are views that cannot be written.

>>> import carom
>>> outcome = carom.impact([[1.0]], [-2.0], [[1.0]], law="newton", restitution=0.5)
>>> outcome.velocity
array([1.])
>>> outcome.stop, outcome.flags
('separated', ())
)")
      .def_property_readonly(
          "law", [](O o) { return o.law; }, "Name of the law.")
      .def_property_readonly(
          "velocity", [](const py::object& self) { return seen(self, self.cast<O>().value.velocity); },
          "After the impact, (coordinates,).")
      .def_property_readonly(
          "impulses", [](const py::object& self) { return seen(self, self.cast<O>().value.impulses); },
          "Normal impulses [N s], (contacts,).")
      .def_property_readonly(
          "tangential_impulses",
          [](const py::object& self) { return by_contact(self, self.cast<O>().value.tangential_impulses); },
          "[N s], (contacts, tangents); no columns where the law used no tangents.")
      .def_property_readonly(
          "gap_rates_before", [](const py::object& self) { return seen(self, self.cast<O>().value.rate_before); },
          "Negative: approaches, (contacts,).")
      .def_property_readonly(
          "gap_rates_after", [](const py::object& self) { return seen(self, self.cast<O>().value.rate_after); },
          "(contacts,).")
      .def_property_readonly(
          "slip_before", [](const py::object& self) { return by_contact(self, self.cast<O>().value.slip_before); },
          "Slip rates, (contacts, tangents).")
      .def_property_readonly(
          "slip_after", [](const py::object& self) { return by_contact(self, self.cast<O>().value.slip_after); },
          "(contacts, tangents).")
      .def_property_readonly(
          "modes", [](O o) { return mode_names(o.value.modes); },
          "What friction does at the end: open, stick, slip, slip+, slip- or none, per contact.")
      .def_property_readonly(
          "phases", [](O o) { return phase_names(o.value.phases); },
          "(contact, mode) in the order in which they began.")
      .def_property_readonly(
          "friction_work", [](const py::object& self) { return seen(self, self.cast<O>().value.friction_work); },
          "[J] of each contact, laws that follow a path only.")
      .def_property_readonly(
          "steps", [](O o) { return o.value.steps; }, "Of the law.")
      .def_property_readonly(
          "stop", [](O o) { return std::string(stop_name(o.value.stop)); },
          "separated, at-rest, wedged; step-limit, no-exit-direction, infeasible: not finished.")
      .def_property_readonly(
          "finished", [](O o) { return finished(o.value.stop); }, "Whether the mathematics came to its end.")
      .def_property_readonly(
          "flags", [](O o) { return flag_names(o.value.audit.flags); }, "Remarks of the audit by name.")
      .def_property_readonly(
          "energy", [](O o) { return &o.value.energy; }, keep, "Energies [J].")
      .def_property_readonly(
          "audit", [](O o) { return &o.value.audit; }, keep, "What the audit found.")
      .def_property_readonly("kinetic_cosines", &cosines, "Cosines of the kinetic angles between contacts.")
      .def_property_readonly(
          "outcomes",
          [](O o) {
            std::vector<Outcome> all;
            for (const ImpactOutcome& one : o.value.outcomes) all.emplace_back(o.tangents, one);
            for (Outcome& one : all) one.law = o.law;
            return all;
          },
          "All that were found where there are several, this one first; else empty.")
      .def("__repr__", [](const py::object& self) { return display("outcome_repr", self); })
      .def("_repr_html_", [](const py::object& self) { return display("outcome_html", self); })
      .def(py::pickle(&get_state, &set_state));
  module.def("flag_meanings", [] {
    py::dict meanings;
    for (const Flag flag : all_flags())
      meanings[py::str(std::string(flag_name(flag)))] = std::string(flag_meaning(flag));
    return meanings;
  });
}

}  // namespace carom::python
