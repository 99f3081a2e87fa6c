/// Normal force and friction laws that are functions of Python, for the compliant engine.

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "arrays.h"
#include "bindings.h"
#include "carom/base/error.h"
#include "carom/laws/friction/common_parameters.h"
#include "carom/laws/friction/registry.h"
#include "carom/laws/normal_force/common_parameters.h"
#include "carom/laws/normal_force/registry.h"
#include "interrupts.h"

namespace carom::python {
namespace {

/// What the function answers, as a finite number.
double finite_answer(const py::object& answer, const std::string& law) {
  const double value = real(answer, law.c_str());
  if (!std::isfinite(value))
    throw InputError(Kind::not_finite, law,
                     fmt::format("the law '{}' returned {}, expected a finite number", law, value));
  return value;
}

class PythonNormalForce final : public OwnNormalForce {
 public:
  PythonNormalForce(std::string name, py::object function) : name_(std::move(name)), function_(std::move(function)) {}
  [[nodiscard]] double force(double depth, double rate, const Contact& contact) const override {
    const CallOfPython call;
    const py::object function = function_;  // it may put another in its place
    return finite_answer(function(depth, rate, contact), name_);
  }
  [[nodiscard]] const std::string& name() const { return name_; }
  void replace(py::object function) { function_ = std::move(function); }

 private:
  std::string name_;
  py::object function_;
};

class PythonFriction final : public OwnFriction {
 public:
  PythonFriction(std::string name, py::object function) : name_(std::move(name)), function_(std::move(function)) {}
  [[nodiscard]] double coefficient(double speed) const override {
    const CallOfPython call;
    const py::object function = function_;
    return finite_answer(function(speed), name_);
  }
  [[nodiscard]] const std::string& name() const { return name_; }
  void replace(py::object function) { function_ = std::move(function); }

 private:
  std::string name_;
  py::object function_;
};

constexpr LawParameter kNormalParameters[] = {normal_parameter::kRestitution, normal_parameter::kExponent,
                                              normal_parameter::kStiffness};
constexpr LawParameter kFrictionParameters[] = {friction_parameter::kRegularisationSpeed};

/// Functions that were given a name; they live as long as the process, and a later one takes the place of an earlier.
template <class Own>
std::map<std::string, Own*, std::less<>>& named() {
  static auto* functions = new std::map<std::string, Own*, std::less<>>;
  return *functions;
}

/// The function of that name; `add` makes its law known where the name is new.
template <class Own, class Add>
void name_function(const std::string& name, const py::object& function, const Add& add) {
  if (name.empty() || name.size() > 48)
    throw InputError(Kind::out_of_range, "name", "the name of a law has 1 to 48 letters");
  const auto found = named<Own>().find(name);
  if (found != named<Own>().end()) {
    found->second->replace(function);
    return;
  }
  auto own = std::make_unique<Own>(name, function);
  add(*own);
  named<Own>().emplace(name, own.release());
}

void add_normal(const std::string& name, const py::object& function) {
  name_function<PythonNormalForce>(name, function, [](const PythonNormalForce& own) {
    auto law = std::make_unique<NormalLaw>();
    law->name = own.name();
    law->summary = "a function of Python";
    law->formula = "F(δ, δ̇)";
    law->source = "the user";
    law->parameters = kNormalParameters;
    law->check = &normal_parameter::check_exponent;
    law->calibrate = [](const NormalInput&) { return 0.0; };
    law->prepare = [](const NormalInput& input) {
      return NormalForce{.stiffness = input.stiffness, .exponent = input.exponent, .damping = 0.0};
    };
    law->effective_restitution = [](double nominal) { return nominal; };
    law->own = &own;
    add_normal_law(*law);
    (void)law.release();  // known from here on
  });
}

void add_friction(const std::string& name, const py::object& function) {
  name_function<PythonFriction>(name, function, [](const PythonFriction& own) {
    auto law = std::make_unique<FrictionLaw>();
    law->name = own.name();
    law->summary = "a function of Python";
    law->formula = "μ(v)";
    law->source = "the user";
    law->parameters = kFrictionParameters;
    law->prepare = [](const LawParameters& given) {
      Friction friction;
      friction.kind = FrictionKind::own;
      friction.speed = given.number(kFrictionParameters[0]);
      return friction;
    };
    law->own = &own;
    add_friction_law(*law);
    (void)law.release();  // known from here on
  });
}

template <class Laws>
py::dict summaries(const Laws& laws) {
  py::dict lines;
  for (const auto* law : laws) lines[py::str(std::string(law->name))] = std::string(law->summary);
  return lines;
}

}  // namespace

void bind_own_forces(py::module_& module) {
  using Contact = OwnNormalForce::Contact;
  py::class_<Contact>(module, "ForceContact", "The contact that a normal force of one's own is asked about.")
      .def_readonly("stiffness", &Contact::stiffness, "Of the pair, or Hertz's of the materials [N/mⁿ].")
      .def_readonly("reduced_mass", &Contact::reduced_mass, "Of the two along the normal [kg].")
      .def_readonly("approach_speed", &Contact::approach_speed, "When it began [m/s].")
      .def_readonly("restitution", &Contact::restitution, "Of the pair.");
  module.def("add_normal_law", &add_normal, py::arg("name"), py::arg("function"));
  module.def("add_friction_law", &add_friction, py::arg("name"), py::arg("function"));
  module.def("normal_laws", [] { return summaries(normal_laws()); });
  module.def("friction_laws", [] { return summaries(friction_laws()); });
}

}  // namespace carom::python
