#pragma once
/// Values of a scene, of a sweep and of summaries, from and to Python.

#include <pybind11/pybind11.h>

#include "carom/base/json.h"
#include "carom/scene/value.h"

namespace carom::python {

/// A text that is asked for, such as the path of a value. Throws InputError (wrong_type).
std::string to_text(const pybind11::handle& object, const std::string& field);

/// What may stand to the right of `=` in a scene file: numbers, texts, lists and arrays, dicts, shapes; None removes.
/// Throws InputError (wrong_type, limit) that names the field.
Value to_value(const pybind11::handle& object, const std::string& field);
/// A dict as a table; entries that are None are left out.
Table to_table(const pybind11::dict& dict, const std::string& field);
pybind11::object to_python(const Value& value);
pybind11::object to_python(const Json& value);

}  // namespace carom::python
