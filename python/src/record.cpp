/// A record file: columns as arrays, quantities at any time, its film.

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <memory>

#include "arrays.h"
#include "bindings.h"
#include "carom/base/error.h"
#include "carom/base/nearest_name.h"
#include "carom/export/whole_file.h"
#include "carom/simulation/record_scene.h"
#include "events.h"
#include "interrupts.h"
#include "record_file.h"
#include "values.h"
#include "viewing/film_page.h"
#include "viewing/film_source.h"

namespace carom::python {
namespace {

Side side_of(const py::object& given) {
  const std::string word = to_text(given, "side");
  if (word == "before") return Side::before;
  if (word == "after") return Side::after;
  throw InputError(Kind::unknown_name, "side", fmt::format("side is '{}', expected 'before' or 'after'", word));
}

constexpr const char* kTables[] = {"samples", "events", "contacts", "jumps", "joints", "forces"};

std::size_t table_index(const std::string& name) {
  for (std::size_t i = 0; i < std::size(kTables); ++i)
    if (name == kTables[i]) return i;
  throw InputError(Kind::unknown_name, "table", fmt::format("unknown table '{}'", name));
}

/// A column of the samples as a view that keeps the record alive.
py::array sample_column(const py::object& self, const std::string& path) {
  auto& file = self.cast<RecordFile&>();
  std::vector<std::string_view> known;
  for (const hdf5::Column& column : file.table(0)) {
    known.push_back(column.path);
    if (column.path != path || column.element.kind != hdf5::Element::Kind::real) continue;
    std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(file.samples())};
    for (const std::size_t length : column.row) shape.push_back(static_cast<py::ssize_t>(length));
    return view_of(file.numbers(column), std::move(shape), self);
  }
  throw InputError(Kind::unknown_name, path, unknown_name_message("column", path, known));
}

/// The columns of a table of events, each an array of its own: texts as bytes.
py::dict table_columns(RecordFile& file, const std::string& name) {
  const std::size_t which = table_index(name);
  const std::size_t rows = file.rows(which);
  py::dict columns;
  for (const hdf5::Column& column : Columns(file.table(which))) {
    if (!file.has(column)) continue;
    const std::string type = column.element.kind == hdf5::Element::Kind::real ? "<f8"
                             : column.element.kind == hdf5::Element::Kind::integer
                                 ? "<i8"
                                 : fmt::format("S{}", column.element.text_length);
    std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(rows)};
    for (const std::size_t length : column.row) shape.push_back(static_cast<py::ssize_t>(length));
    py::array array(py::dtype(type), shape);
    void* const values = array.mutable_data();
    if (rows > 0) file.read([&](OpenRecord& open) { open.reader.read_raw(column, 0, rows, values); });
    columns[py::str(column.path.substr(column.path.rfind('/') + 1))] = array;
  }
  return columns;
}

/// All bodies at times that the samples cover: arrays with the times as first axis.
py::dict states_at(RecordFile& file, const Reals& times, const py::object& side_word) {
  const Side side = side_of(side_word);
  const auto count = static_cast<std::size_t>(times.size()), bodies = file.info().bodies;
  const auto t = static_cast<py::ssize_t>(count), n = static_cast<py::ssize_t>(bodies);
  py::array_t<double> position({t, n, py::ssize_t{3}}), orientation({t, n, py::ssize_t{4}}),
      velocity({t, n, py::ssize_t{3}}), spin({t, n, py::ssize_t{3}});
  double *x = position.mutable_data(), *q = orientation.mutable_data(), *v = velocity.mutable_data(),
         *w = spin.mutable_data();
  file.read([&](OpenRecord& open) {
    IntervalCursor& cursor = open.cursor();
    for (std::size_t i = 0; i < count; ++i) {
      const double time = times.data()[i];
      if (!cursor.covers(time))
        throw InputError(Kind::out_of_range, "time",
                         fmt::format("the record has no samples around the time {} s", time));
      const SampleInterval& interval = cursor.at(time, side);
      for (std::size_t body = 0; body < bodies; ++body) {
        const BodyState state = interval.body(static_cast<int>(body), time, side);
        x = std::copy_n(state.position.data(), 3, x);
        *q++ = state.orientation.w();
        q = std::copy_n(state.orientation.vec().data(), 3, q);
        v = std::copy_n(state.velocity.data(), 3, v);
        w = std::copy_n(state.angular_velocity.data(), 3, w);
      }
    }
  });
  py::dict arrays;
  arrays["position"] = position;
  arrays["orientation"] = orientation;
  arrays["velocity"] = velocity;
  arrays["angular_velocity"] = spin;
  return arrays;
}

/// The quantities that a name stands for, at times: (quantities, times), with their names.
py::tuple quantities_at(RecordFile& file, const py::object& name, const Reals& times, const py::object& side_word) {
  const Side side = side_of(side_word);
  const std::vector<Quantity> quantities = find_quantities(file.info(), to_text(name, "quantity"));
  const auto count = static_cast<std::size_t>(times.size());
  py::array_t<double> values({static_cast<py::ssize_t>(quantities.size()), static_cast<py::ssize_t>(count)});
  double* out = values.mutable_data();
  std::vector<std::string> names;
  file.read([&](OpenRecord& open) {
    for (const Quantity& quantity : quantities) {
      names.push_back(quantity.name);
      for (std::size_t i = 0; i < count; ++i) *out++ = open.quantities.at(quantity, times.data()[i], side);
    }
  });
  return py::make_tuple(names, values);
}

/// Series of all quantities that the names stand for, with jumps as two values; (name, label, unit, times, values).
py::list series(RecordFile& file, const py::list& names, double from, double to, bool jumps) {
  std::vector<Quantity> quantities;
  for (const py::handle name : names)
    for (Quantity& quantity : find_quantities(file.info(), to_text(name, "quantity")))
      quantities.push_back(std::move(quantity));
  const std::vector<Series> read = file.read([&](OpenRecord& open) {
    return open.quantities.read(quantities, {from, to}, jumps ? ReadAt::own_jumps : ReadAt::samples);
  });
  py::list list;
  for (std::size_t i = 0; i < read.size(); ++i) {
    const auto is_zero = [](double value) { return value == 0.0; };
    if (!quantities[i].kept_if_zero && std::all_of(read[i].value.begin(), read[i].value.end(), is_zero)) continue;
    list.append(py::make_tuple(quantities[i].name, quantities[i].label, quantities[i].unit, copied(read[i].time),
                               copied(read[i].value)));
  }
  return list;
}

NamedEvent event_at(RecordFile& file, std::size_t index) {
  if (index >= file.events()) throw py::index_error(fmt::format("event {}: the record has {}", index, file.events()));
  Event event = file.read([index](OpenRecord& open) { return Event(open.reader.events(index, 1).events.front()); });
  return {std::move(event), std::make_shared<const std::vector<std::string>>(file.info().objects)};
}

/// One page with the viewer and the films of these records inside.
std::string html_of(const std::vector<std::string>& paths) {
  const FreeInterpreter free;
  const std::string_view page = app::require_viewer_page();
  std::vector<std::unique_ptr<FilmBuilder>> films;
  std::vector<const FilmBuilder*> pointers;
  for (const std::string& path : paths) {
    films.push_back(app::film_of_record(path));
    pointers.push_back(films.back().get());
  }
  return app::page_with_films(page, pointers);
}

void save_whole(const std::string& path, const std::string& text) {
  WholeFile file(path);
  file.write(text);
  file.keep();
}

}  // namespace

void bind_record(py::module_& module) {
  py::class_<RecordFile>(module, "RecordFile", "A record file; carom.Run is what people see of it.")
      .def(py::init<std::string>(), py::arg("path"))
      .def_property_readonly("path", &RecordFile::path)
      .def_property_readonly("closed", &RecordFile::closed)
      .def("close", &RecordFile::close)
      .def_property_readonly("sample_count", &RecordFile::samples)
      .def_property_readonly("event_count", &RecordFile::events)
      .def_property_readonly("objects", [](RecordFile& f) { return f.info().objects; })
      .def_property_readonly("body_count", [](RecordFile& f) { return f.info().bodies; })
      .def_property_readonly("joints", [](RecordFile& f) { return f.info().joints; })
      .def_property_readonly("engine", [](RecordFile& f) { return f.info().engine; })
      .def_property_readonly("law", [](RecordFile& f) { return f.info().law; })
      .def_property_readonly("version", [](RecordFile& f) { return f.info().version; })
      .def_property_readonly("complete", [](RecordFile& f) { return f.info().complete; })
      .def_property_readonly("stop", [](RecordFile& f) { return f.info().stop; })
      .def_property_readonly("summary", [](RecordFile& f) { return f.info().summary; })
      .def("scene", [](RecordFile& f) { return recorded_scene(f.info()); })
      .def("column", &sample_column)
      .def("column_names",
           [](RecordFile& f) {
             std::vector<std::string> names;
             for (const hdf5::Column& column : f.table(0)) names.push_back(column.path);
             return names;
           })
      .def("table", &table_columns)
      .def("states_at", &states_at)
      .def("quantities_at", &quantities_at)
      .def("quantity_names", [](RecordFile& f) { return quantity_names(f.info()); })
      .def("series", &series)
      .def("impact_times",
           [](RecordFile& f, double from, double to, std::size_t most) {
             return f.read([&](OpenRecord& open) { return open.quantities.impact_times({from, to}, most); });
           })
      .def("event", &event_at);
  module.def("html_of_records", &html_of);
  module.def("save_whole_file", &save_whole);
}

}  // namespace carom::python
