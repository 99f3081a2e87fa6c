#include "arrays.h"

#include <fmt/format.h>

#include <cstring>

#include "carom/base/error.h"

namespace carom::python {
namespace {

[[noreturn]] void refuse(const char* field, const std::string& what) {
  throw InputError(Kind::wrong_type, field, fmt::format("{} is {}, expected an array of numbers", field, what));
}

/// What numpy makes of it. Where it makes nothing of it that is refused; want of memory and Ctrl-C come out as they
/// are.
py::array as_array(const py::handle& value, const char* field) {
  try {
    return py::array(py::reinterpret_borrow<py::object>(value));
  } catch (const py::error_already_set& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
  }
  refuse(field,
         fmt::format("of the type {} and has no shape", std::string(py::str(py::type::of(value).attr("__name__")))));
}

/// A masked array would give away the numbers that its mask hides.
void refuse_masked(const py::handle& value, const char* field) {
  if (py::hasattr(value, "_mask") && py::module_::import("numpy.ma").attr("is_masked")(value).cast<bool>())
    refuse(field, "an array with masked entries");
}

}  // namespace

Reals reals(const py::handle& value, const char* field) {
  const bool plain = Py_TYPE(value.ptr()) == py::detail::npy_api::get().PyArray_Type_;
  if (plain && Reals::check_(value)) return py::reinterpret_borrow<Reals>(value);
  if (value.is_none()) refuse(field, "None");
  if (!plain && py::isinstance<py::array>(value)) refuse_masked(value, field);
  const py::array given = as_array(value, field);
  const char kind = given.dtype().kind();
  if (std::strchr("fiub", kind) == nullptr)
    refuse(field, fmt::format("an array of {}", std::string(py::str(given.dtype()))));
  return py::array_t<double, py::array::c_style | py::array::forcecast>(given);
}

void require_shape(const Reals& array, const char* field, std::initializer_list<py::ssize_t> shape) {
  bool same = array.ndim() == static_cast<py::ssize_t>(shape.size());
  py::ssize_t axis = 0;
  for (const py::ssize_t size : shape) {
    if (same && size >= 0 && array.shape(axis) != size) same = false;
    ++axis;
  }
  if (same) return;
  std::string expected = "(";
  for (const py::ssize_t size : shape) {
    if (expected.size() > 1) expected += ", ";
    expected += size < 0 ? "any" : fmt::format("{}", size);
  }
  expected += shape.size() == 1 ? ",)" : ")";
  throw InputError(Kind::size_mismatch, field,
                   fmt::format("{} has the shape {}, expected {}", field, shape_of(array), expected));
}

std::string shape_text(std::span<const py::ssize_t> shape) {
  std::string text = "(";
  for (const py::ssize_t size : shape) {
    if (text.size() > 1) text += ", ";
    text += fmt::format("{}", size);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::string shape_of(const py::array& array) {
  return shape_text({array.shape(), static_cast<std::size_t>(array.ndim())});
}

double real(const py::handle& value, const char* field) {
  if (PyFloat_CheckExact(value.ptr())) return PyFloat_AS_DOUBLE(value.ptr());
  const Reals array = reals(value, field);
  if (array.size() != 1)
    throw InputError(Kind::size_mismatch, field,
                     fmt::format("{} has the shape {}, expected one number", field, shape_of(array)));
  return *array.data();
}

py::array_t<double> copied(std::span<const double> values) {
  return copied(values, {static_cast<py::ssize_t>(values.size())});
}

py::array_t<double> copied(std::span<const double> values, std::vector<py::ssize_t> shape) {
  py::array_t<double> array(std::move(shape));
  if (!values.empty()) std::memcpy(array.mutable_data(), values.data(), values.size_bytes());
  return array;
}

py::array view_of(const double* values, std::vector<py::ssize_t> shape, const py::handle& owner) {
  py::array array(py::dtype::of<double>(), std::move(shape), values, owner);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

}  // namespace carom::python
