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

constexpr int kDeepest = 64;

Value value_of(const py::handle& object, const std::string& field, int depth);

Table table_of(const py::dict& dict, const std::string& field, int depth) {
  Table table;
  for (const auto& [key, value] : dict) {
    if (value.is_none()) continue;
    if (!PyUnicode_Check(key.ptr()))
      throw InputError(Kind::wrong_type, field, fmt::format("a key of {} is no text", field));
    const std::string name = to_text(key, field);
    table.set(name, value_of(value, field + "." + name, depth));
  }
  return table;
}

Value value_of(const py::handle& object, const std::string& field, int depth) {
  if (object.is_none()) return Value();
  if (PyBool_Check(object.ptr())) return Value(object.cast<bool>());
  if (PyFloat_Check(object.ptr())) return Value(object.cast<double>());
  if (PyLong_Check(object.ptr())) return integer_value(object, field);
  if (PyUnicode_Check(object.ptr())) return Value(to_text(object, field));
  if (++depth > kDeepest) {
    const std::string place = field.substr(0, 60) + "…";
    throw InputError(Kind::limit, place,
                     fmt::format("{} is nested more than {} deep; does it hold itself?", place, kDeepest));
  }
  if (py::isinstance<py::dict>(object)) return Value(table_of(py::reinterpret_borrow<py::dict>(object), field, depth));
  if (py::hasattr(object, "to_table")) return Value(table_of(object.attr("to_table")().cast<py::dict>(), field, depth));
  if (py::hasattr(object, "tolist")) return value_of(object.attr("tolist")(), field, depth);  // numpy
  if (py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object)) {
    List list;
    for (const py::handle entry : object)
      list.push_back(value_of(entry, fmt::format("{}.{}", field, list.size()), depth));
    return Value(std::move(list));
  }
  if (py::hasattr(object, "__fspath__")) return Value(object.attr("__fspath__")().cast<std::string>());
  throw InputError(Kind::wrong_type, field,
                   fmt::format("{} is of the type {}, expected a number, a text, a list, an array or a dict", field,
                               std::string(py::str(py::type::of(object).attr("__name__")))));
}

}  // namespace

std::string to_text(const py::handle& object, const std::string& field) {
  if (!PyUnicode_Check(object.ptr()))
    throw InputError(Kind::wrong_type, field,
                     fmt::format("{} is of the type {}, expected a text", field,
                                 std::string(py::str(py::type::of(object).attr("__name__")))));
  Py_ssize_t size = 0;
  const char* const letters = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (letters == nullptr) {
    PyErr_Clear();
    throw InputError(Kind::wrong_type, field,
                     fmt::format("{} has characters that are no text (lone surrogates)", field));
  }
  return {letters, static_cast<std::size_t>(size)};
}

Value to_value(const py::handle& object, const std::string& field) {
  return value_of(object, field, 0);
}

Table to_table(const py::dict& dict, const std::string& field) {
  return table_of(dict, field, 0);
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
