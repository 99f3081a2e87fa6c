/// Laws that are functions of Python.

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "arrays.h"
#include "bindings.h"
#include "carom/base/error.h"
#include "carom/base/nearest_name.h"
#include "carom/laws/impact/coupled_friction.h"
#include "carom/laws/impact/law_run.h"
#include "carom/laws/impact/registry.h"
#include "interrupts.h"
#include "laws.h"
#include "values.h"

namespace carom::python {
namespace {

/// What a law of Python is given: the contacts that can move, in their natural units. Rows of a contact are its normal
/// and, where contacts resist slip, as many tangents for all; those that a contact has not are zeros.
struct LawContacts {
  py::ssize_t count = 0;
  int tangents = 0;                            ///< of each: 0, 1 or 2
  std::vector<int> index;                      ///< of each among the contacts of the problem
  std::vector<double> delassus;                ///< (m, m): gap rates change by delassus @ impulses
  std::vector<double> rates;                   ///< before [rate]; negative: approaches
  std::vector<double> full_delassus;           ///< (m, 1 + t, m, 1 + t): the same of all rows
  std::vector<double> full_rates;              ///< (m, 1 + t): gap rates and slips
  std::vector<double> restitution;             ///< e
  std::vector<double> tangential_restitution;  ///< e_t
  std::vector<double> friction;                ///< μ; infinite where a contact does not slip
  std::vector<double> stiffness;               ///< relative

  explicit LawContacts(const LawRun& run) : count(run.contacts()) {
    const ContactSpace& space = run.space;
    const int m = run.contacts();
    for (int i = 0; run.friction != nullptr && i < m; ++i) tangents = std::max(tangents, run.friction->tangents(i));
    for (int i = 0; i < m; ++i) {
      const double root = space.root_inertance(i);
      index.push_back(space.contact(i));
      rates.push_back(run.rate[i] * root * space.speed_unit());
      restitution.push_back(space.restitution()[i]);
      stiffness.push_back(space.stiffness()[i]);
      friction.push_back(run.friction != nullptr ? run.friction->friction(i) : 0.0);
      tangential_restitution.push_back(run.friction != nullptr ? run.friction->tangential_restitution(i) : 0.0);
      for (int j = 0; j < m; ++j) delassus.push_back(space.cosine_row(i)[j] * root * space.root_inertance(j));
    }
    if (tangents > 0) read_all_rows(run);
  }

  void read_all_rows(const LawRun& run) {
    const FrictionSpace& rows = *run.friction;
    for (int i = 0; i < run.contacts(); ++i)
      for (int a = 0; a <= tangents; ++a) {
        const bool is_row = a <= rows.tangents(i);
        const int row = rows.first_row(i) + a;
        const double root = run.space.root_inertance(i);
        full_rates.push_back(is_row ? rows.rate_before()[row] * root * run.space.speed_unit() : 0.0);
        for (int j = 0; j < run.contacts(); ++j)
          for (int b = 0; b <= tangents; ++b)
            full_delassus.push_back(is_row && b <= rows.tangents(j)
                                        ? rows.matrix()[row * rows.rows() + rows.first_row(j) + b] * root *
                                              run.space.root_inertance(j)
                                        : 0.0);
      }
  }
};

/// A law whose impulses a function of Python gives.
struct PythonImpactLaw : ImpactLaw {
  std::string text;
  mutable py::object function;

  PythonImpactLaw(std::string called, py::object asked, LawNeeds asks_for)
      : ImpactLaw{}, text(std::move(called)), function(std::move(asked)) {
    name = text;
    summary = "a function of Python";
    source = "the user";
    needs = asks_for;
    ImpactLaw::resolve = &PythonImpactLaw::ask;
  }
  PythonImpactLaw(const PythonImpactLaw&) = delete;
  PythonImpactLaw& operator=(const PythonImpactLaw&) = delete;
  ~PythonImpactLaw() {
    const py::gil_scoped_acquire gil;
    function = py::object();
  }

  static void ask(LawRun& run) {
    const double fastest = run.rate.empty() ? 0.0 : -*std::min_element(run.rate.begin(), run.rate.end());
    if (!(fastest > run.approach_threshold())) return;
    const auto& self = static_cast<const PythonImpactLaw&>(*run.law);
    const CallOfPython call;
    LawContacts contacts(run);
    const int columns = 1 + contacts.tangents;
    const py::object function = self.function;  // it may put another in its place
    const py::object answer = function(std::move(contacts));
    if (answer.is_none())
      throw InputError(
          Kind::wrong_type, self.text,
          fmt::format("the law '{}' returned None, expected a normal impulse for each contact", self.text));
    const Reals impulses = reals(answer, self.text.c_str());
    self.check_shape(impulses, run.contacts(), columns);
    run.steps = 1;
    for (int i = 0; i < run.contacts(); ++i)
      for (int a = 0; a < columns; ++a) self.take(run, i, a, impulses.data()[i * columns + a]);
    if (run.friction != nullptr) note_modes_of_impulses(run);
  }

  void check_shape(const Reals& impulses, int contacts, int columns) const {
    const bool rows = impulses.ndim() == 2 && impulses.shape(0) == contacts && impulses.shape(1) == columns;
    if (rows || (columns == 1 && impulses.ndim() == 1 && impulses.shape(0) == contacts)) return;
    const std::string expected =
        columns == 1 ? fmt::format("({},): a normal impulse for each contact", contacts)
                     : fmt::format("({}, {}): for each contact its normal impulse and, as contacts resist slip, {}",
                                   contacts, columns, columns == 2 ? "a tangential one" : "two tangential ones");
    throw InputError(
        Kind::size_mismatch, text,
        fmt::format("the law '{}' returned an array of shape {}, expected {}", text, shape_of(impulses), expected));
  }

  /// The impulse of one row of a contact.
  void take(LawRun& run, int contact, int row, double impulse) const {
    if (!std::isfinite(impulse))
      throw InputError(Kind::not_finite, text,
                       fmt::format("the law '{}' returned the impulse {} for contact {}, expected a finite number",
                                   text, impulse, run.space.contact(contact)));
    const double normalised = impulse * run.space.root_inertance(contact) / run.space.speed_unit();
    if (run.friction == nullptr) {
      run.impulse[contact] = normalised;
    } else if (row <= run.friction->tangents(contact)) {
      run.local_impulse[run.friction->first_row(contact) + row] = normalised;
    } else if (impulse != 0.0) {
      throw InputError(Kind::out_of_range, text,
                       fmt::format("the law '{}' returned the tangential impulse {} for contact {}, which has no such "
                                   "tangent; expected 0",
                                   text, impulse, run.space.contact(contact)));
    }
  }
};

TakesContacts takes_of(const std::string& word) {
  const std::map<std::string, TakesContacts, std::less<>> known{{"all", TakesContacts::all},
                                                                {"not-separating", TakesContacts::not_separating},
                                                                {"approaching", TakesContacts::approaching}};
  const auto found = known.find(word);
  if (found != known.end()) return found->second;
  constexpr std::string_view kNames[] = {"all", "not-separating", "approaching"};
  throw InputError(Kind::unknown_name, "takes", unknown_name_message("choice of contacts", word, kNames));
}

LawNeeds needs_of(const std::string& takes, bool friction) {
  return {.takes = takes_of(takes), .friction = friction, .own_single_contact = true, .one_outcome = true};
}

/// The laws that were given a name; they live as long as the process.
std::map<std::string, PythonImpactLaw*, std::less<>>& named_laws() {
  static auto* laws = new std::map<std::string, PythonImpactLaw*, std::less<>>;
  return *laws;
}

void add_named_law(const std::string& name, const py::object& function, const std::string& takes, bool friction) {
  if (name.empty() || name.size() > 48)
    throw InputError(Kind::out_of_range, "name", "the name of a law has 1 to 48 letters");
  auto& laws = named_laws();
  const auto found = laws.find(name);
  if (found != laws.end()) {  // a cell of a notebook that is run again
    found->second->needs = needs_of(takes, friction);
    found->second->function = function;
    return;
  }
  auto* law = new PythonImpactLaw(name, function, needs_of(takes, friction));
  try {
    add_impact_law(*law);
  } catch (...) {
    delete law;
    throw;
  }
  laws.emplace(name, law);
}

py::array full_delassus(const LawContacts& c) {
  const py::ssize_t rows = 1 + c.tangents;
  return copied(c.tangents > 0 ? c.full_delassus : c.delassus, {c.count, rows, c.count, rows});
}

py::array full_rates(const LawContacts& c) {
  return copied(c.tangents > 0 ? c.full_rates : c.rates, {c.count, py::ssize_t{1} + c.tangents});
}

}  // namespace

bool AskedLaw::in_python() const {
  return law->resolve == &PythonImpactLaw::ask;
}

AskedLaw asked_law(const py::object& law) {
  if (law.is_none()) return {&default_impact_law(), nullptr};
  if (py::isinstance<py::str>(law)) return {&impact_law(law.cast<std::string>()), nullptr};
  if (PyCallable_Check(law.ptr()) == 0)
    throw InputError(Kind::wrong_type, "law",
                     fmt::format("law is {}, expected the name of a law or a function",
                                 std::string(py::str(py::type::of(law).attr("__name__")))));
  const py::object named = py::hasattr(law, "__name__") ? law : py::object(py::type::of(law));
  const std::string name = to_text(named.attr("__name__"), "__name__ of a law");
  const std::string takes = py::hasattr(law, "takes") ? to_text(law.attr("takes"), "takes") : "all";
  const bool friction = py::hasattr(law, "friction") && py::bool_(law.attr("friction"));
  auto own = std::make_shared<const PythonImpactLaw>(name, law, needs_of(takes, friction));
  return {own.get(), own};
}

void bind_own_laws(py::module_& module) {
  using C = const LawContacts&;
  const auto numbers = [](std::vector<double> LawContacts::*values) {
    return [values](C c) { return copied(c.*values); };
  };
  py::class_<LawContacts>(module, "LawContacts",
                          R"(What an impact law of one's own is given: the m contacts of one impact.

Gap rates after the impact are ``rates + delassus @ impulses``; a negative rate approaches. For a law with friction the
rows of a contact are its normal and t tangents, and gap rates and slips after are ``full_rates +
numpy.tensordot(full_delassus, impulses, 2)`` with impulses (m, 1 + t).)")
      .def("__len__", [](C c) { return c.count; })
      .def_property_readonly(
          "index", [](C c) { return c.index; },
          "Of each contact in the problem; those that constraints hold are left out.")
      .def_property_readonly(
          "delassus",
          [](C c) {
            return copied(c.delassus, {c.count, c.count});
          },
          "(m, m): how impulses change gap rates [1/kg].")
      .def_property_readonly("rates", numbers(&LawContacts::rates),
                             "Gap rates before [m/s], (m,); negative: approaches.")
      .def_property_readonly("restitution", numbers(&LawContacts::restitution), "Coefficients of restitution, (m,).")
      .def_property_readonly("stiffness", numbers(&LawContacts::stiffness), "Relative stiffnesses, (m,).")
      .def_readonly("tangents", &LawContacts::tangents,
                    "t, how many tangents each contact has: 0 where the law knows no friction or no contact resists "
                    "slip, else 1 or 2; those that a contact has not are rows of zeros.")
      .def_property_readonly("friction", numbers(&LawContacts::friction),
                             "Coulomb's coefficients, (m,); infinite where a contact does not slip.")
      .def_property_readonly("tangential_restitution", numbers(&LawContacts::tangential_restitution),
                             "Coefficients of restitution of slip, (m,).")
      .def_property_readonly("full_rates", &full_rates, "Gap rates and slips before [m/s], (m, 1 + t).")
      .def_property_readonly("full_delassus", &full_delassus,
                             "(m, 1 + t, m, 1 + t): how impulses change gap rates and slips [1/kg].");
  module.def("add_impact_law", &add_named_law, py::arg("name"), py::arg("function"), py::arg("takes") = "all",
             py::arg("friction") = false);
  module.def("impact_laws", [] {
    py::dict laws;
    for (const ImpactLaw* law : impact_laws()) laws[py::str(std::string(law->name))] = std::string(law->summary);
    return laws;
  });
}

}  // namespace carom::python
