#pragma once
/// The laws that Python names: those of the registry, and functions of one's own.

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "carom/laws/impact/impact_law.h"

namespace carom::python {

/// A law to ask, and what keeps it alive.
struct AskedLaw {
  const ImpactLaw* law = nullptr;
  std::shared_ptr<const ImpactLaw> own;  ///< a function of Python; empty: of the registry

  [[nodiscard]] bool in_python() const;
};

/// `law`: the name of one, a function, or None for the default. Throws InputError.
AskedLaw asked_law(const pybind11::object& law);

}  // namespace carom::python
