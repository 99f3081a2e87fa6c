#pragma once

#include <pybind11/pybind11.h>

#include "carom/base/error.h"

namespace carom::python {

/// The exception that Python gets for an error; where it is told and not thrown.
pybind11::object python_error(const InputError& error);

}  // namespace carom::python
