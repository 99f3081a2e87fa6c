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
#include "carom/laws/impact/law_run.h"
#include "carom/laws/impact/registry.h"
#include "laws.h"

namespace carom::python {
namespace {

/// What a law of Python is given: the contacts that can move, in their natural units.
struct LawContacts {
  std::vector<int> index;           ///< of each among the contacts of the problem
  std::vector<double> delassus;     ///< (m, m): gap rates change by delassus @ impulses
  std::vector<double> rates;        ///< before [rate]; negative: approaches
  std::vector<double> restitution;  ///< e
  std::vector<double> stiffness;    ///< relative

  explicit LawContacts(const LawRun& run) {
    const ContactSpace& space = run.space;
    const int m = run.contacts();
    for (int i = 0; i < m; ++i) {
      const double root = space.root_inertance(i);
      index.push_back(space.contact(i));
      rates.push_back(run.rate[i] * root * space.speed_unit());
      restitution.push_back(space.restitution()[i]);
      stiffness.push_back(space.stiffness()[i]);
      for (int j = 0; j < m; ++j) delassus.push_back(space.cosine_row(i)[j] * root * space.root_inertance(j));
    }
  }
};

/// A law whose impulses a function of Python gives.
struct PythonImpactLaw : ImpactLaw {
  std::string text;
  mutable py::object function;

  PythonImpactLaw(std::string called, py::object asked, TakesContacts takes)
      : ImpactLaw{}, text(std::move(called)), function(std::move(asked)) {
    name = text;
    summary = "a function of Python";
    source = "the user";
    needs.takes = takes;
    needs.own_single_contact = true;
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
    const py::gil_scoped_acquire gil;
    const py::object answer = self.function(LawContacts(run));
    const Reals impulses = reals(answer, self.text.c_str());
    if (impulses.ndim() != 1 || impulses.shape(0) != run.contacts())
      throw InputError(Kind::size_mismatch, self.text,
                       fmt::format("the law '{}' returned an array of shape {}, expected ({},): a normal impulse for "
                                   "each contact",
                                   self.text, shape_of(impulses), run.contacts()));
    run.steps = 1;
    for (int i = 0; i < run.contacts(); ++i) {
      const double impulse = impulses.data()[i];
      if (!std::isfinite(impulse))
        throw InputError(Kind::not_finite, self.text,
                         fmt::format("the law '{}' returned the impulse {} for contact {}, expected a finite number",
                                     self.text, impulse, i));
      run.impulse[i] = impulse * run.space.root_inertance(i) / run.space.speed_unit();
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

/// The laws that were given a name; they live as long as the process.
std::map<std::string, PythonImpactLaw*, std::less<>>& named_laws() {
  static auto* laws = new std::map<std::string, PythonImpactLaw*, std::less<>>;
  return *laws;
}

void add_named_law(const std::string& name, const py::object& function, const std::string& takes) {
  if (name.empty() || name.size() > 48)
    throw InputError(Kind::out_of_range, "name", "the name of a law has 1 to 48 letters");
  auto& laws = named_laws();
  const auto found = laws.find(name);
  if (found != laws.end()) {  // a cell of a notebook that is run again
    found->second->needs.takes = takes_of(takes);
    found->second->function = function;
    return;
  }
  auto* law = new PythonImpactLaw(name, function, takes_of(takes));
  try {
    add_impact_law(*law);
  } catch (...) {
    delete law;
    throw;
  }
  laws.emplace(name, law);
}

py::array square(const LawContacts& c) {
  const auto m = static_cast<py::ssize_t>(c.rates.size());
  return copied(c.delassus, {m, m});
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
  const std::string name = py::hasattr(law, "__name__") ? law.attr("__name__").cast<std::string>()
                                                        : py::type::of(law).attr("__name__").cast<std::string>();
  const std::string takes = py::hasattr(law, "takes") ? law.attr("takes").cast<std::string>() : "all";
  auto own = std::make_shared<const PythonImpactLaw>(name, law, takes_of(takes));
  return {own.get(), own};
}

void bind_own_laws(py::module_& module) {
  py::class_<LawContacts>(module, "LawContacts",
                          R"(What an impact law of one's own is given: the contacts of one impact.

Gap rates after the impact are ``rates + delassus @ impulses``; a negative rate approaches.)")
      .def("__len__", [](const LawContacts& c) { return c.rates.size(); })
      .def_property_readonly(
          "index", [](const LawContacts& c) { return c.index; },
          "Of each contact in the problem; those that constraints hold are left out.")
      .def_property_readonly("delassus", &square, "(m, m): how impulses change gap rates [1/kg].")
      .def_property_readonly(
          "rates", [](const LawContacts& c) { return copied(c.rates); },
          "Gap rates before [m/s], (m,); negative: approaches.")
      .def_property_readonly(
          "restitution", [](const LawContacts& c) { return copied(c.restitution); },
          "Coefficients of restitution, (m,).")
      .def_property_readonly(
          "stiffness", [](const LawContacts& c) { return copied(c.stiffness); }, "Relative stiffnesses, (m,).");
  module.def("add_impact_law", &add_named_law, py::arg("name"), py::arg("function"), py::arg("takes") = "all");
  module.def("impact_laws", [] {
    py::dict laws;
    for (const ImpactLaw* law : impact_laws()) laws[py::str(std::string(law->name))] = std::string(law->summary);
    return laws;
  });
}

}  // namespace carom::python
