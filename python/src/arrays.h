#pragma once
/// numpy arrays in and out.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace carom::python {

namespace py = pybind11;

/// Numbers that lie one after the other.
using Reals = py::array_t<double, py::array::c_style>;

/// Anything that numpy reads as numbers, as such an array: itself where it is one already, else a copy. Throws
/// InputError (wrong_type) that names the field for strings, objects, complex numbers and ragged lists.
Reals reals(const py::handle& value, const char* field);

/// Throws InputError (size_mismatch) that says both shapes, where they differ; −1 stands for any number.
void require_shape(const Reals& array, const char* field, std::initializer_list<py::ssize_t> shape);

/// "(3, 6)", as Python writes a shape.
std::string shape_text(std::span<const py::ssize_t> shape);
std::string shape_of(const py::array& array);

/// A number; throws as `reals`.
double real(const py::handle& value, const char* field);

/// An array that owns its numbers.
py::array_t<double> copied(std::span<const double> values);
py::array_t<double> copied(std::span<const double> values, std::vector<py::ssize_t> shape);

/// Numbers that live in `owner`, seen without a copy; cannot be written.
py::array view_of(const double* values, std::vector<py::ssize_t> shape, const py::handle& owner);

}  // namespace carom::python
