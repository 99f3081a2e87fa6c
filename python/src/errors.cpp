/// InputError as an exception of Python: carom._errors makes one of the class of its kind.

#include <exception>

#include "bindings.h"
#include "carom/base/diagnostic.h"
#include "carom/base/error.h"

namespace carom::python {
namespace {

py::object exception_of(const InputError& error) {
  const Place& place = error.place();
  std::string text = format_diagnostic(error);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return py::module_::import("carom._errors")
      .attr("make")(std::string(kind_name(error.kind())), std::string(error.what()), text, place.file, place.line,
                    place.column, place.field);
}

}  // namespace

py::object python_error(const InputError& error) {
  return exception_of(error);
}

void bind_errors(py::module_& module) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const InputError& error) {
      const py::object exception = exception_of(error);
      PyErr_SetObject(py::type::of(exception).ptr(), exception.ptr());
    }
  });
  std::vector<std::string> kinds;
  py::list names;
  for (int kind = 0; kind <= static_cast<int>(Kind::limit); ++kind)
    names.append(std::string(kind_name(static_cast<Kind>(kind))));
  module.attr("error_kinds") = py::tuple(names);
}

}  // namespace carom::python
