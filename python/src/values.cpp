#include "values.h"

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include "carom/base/error.h"

namespace carom::python {
namespace {

namespace py = pybind11;

Value integer_value(const py::handle& object, const std::string& field) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  if (overflow != 0)
    throw InputError(Kind::out_of_range, field,
                     fmt::format("{} is {}, expected a whole number of 64 bits", field, std::string(py::str(object))));
  return Value(static_cast<std::int64_t>(number));
}

}  // namespace

Value to_value(const py::handle& object, const std::string& field) {
  if (object.is_none()) return Value();
  if (PyBool_Check(object.ptr())) return Value(object.cast<bool>());
  if (PyFloat_Check(object.ptr())) return Value(object.cast<double>());
  if (PyLong_Check(object.ptr())) return integer_value(object, field);
  if (PyUnicode_Check(object.ptr())) return Value(object.cast<std::string>());
  if (py::isinstance<py::dict>(object)) return Value(to_table(py::reinterpret_borrow<py::dict>(object), field));
  if (py::hasattr(object, "to_table")) return Value(to_table(object.attr("to_table")().cast<py::dict>(), field));
  if (py::hasattr(object, "tolist")) return to_value(object.attr("tolist")(), field);  // numpy
  if (py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object)) {
    List list;
    for (const py::handle entry : object) list.push_back(to_value(entry, fmt::format("{}.{}", field, list.size())));
    return Value(std::move(list));
  }
  if (py::hasattr(object, "__fspath__")) return Value(object.attr("__fspath__")().cast<std::string>());
  throw InputError(Kind::wrong_type, field,
                   fmt::format("{} is of the type {}, expected a number, a text, a list, an array or a dict", field,
                               std::string(py::str(py::type::of(object).attr("__name__")))));
}

Table to_table(const py::dict& dict, const std::string& field) {
  Table table;
  for (const auto& [key, value] : dict) {
    if (value.is_none()) continue;
    if (!PyUnicode_Check(key.ptr()))
      throw InputError(Kind::wrong_type, field, fmt::format("a key of {} is no text", field));
    const std::string name = py::str(key);
    table.set(name, to_value(value, field + "." + name));
  }
  return table;
}

py::object to_python(const Value& value) {
  switch (value.type()) {
    case Value::Type::none: return py::none();
    case Value::Type::boolean: return py::bool_(value.boolean());
    case Value::Type::integer: return py::int_(value.integer());
    case Value::Type::real: return py::float_(value.number());
    case Value::Type::text: return py::str(value.text());
    case Value::Type::list: {
      py::list list;
      for (const Value& entry : value.list()) list.append(to_python(entry));
      return list;
    }
    case Value::Type::table: {
      py::dict dict;
      for (const Field& entry : value.table().fields()) dict[py::str(entry.key)] = to_python(entry.value);
      return dict;
    }
  }
  return py::none();
}

py::object to_python(const Json& value) {
  return py::module_::import("json").attr("loads")(value.dump());
}

}  // namespace carom::python
