#pragma once
/// Events as Python sees them: with the names of what touched.

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "carom/mechanics/model.h"
#include "carom/simulation/event.h"

namespace carom::python {

/// Names of the objects of a model, bodies first.
using Names = std::shared_ptr<const std::vector<std::string>>;
Names names_of(const Model& model);

struct NamedEvent {
  Event event;
  Names names;
};

struct NamedContact {
  ContactRecord record;
  std::string a, b;
};

struct NamedJump {
  JumpRecord record;
  std::string body;
};

void bind_events(pybind11::module_& module);

}  // namespace carom::python
