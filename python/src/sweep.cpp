/// carom.sweep: the points of a sweep, in threads of this process or a few at a time for somebody else's.

#include "carom/analysis/sweep/sweep.h"

#include <pybind11/stl.h>

#include "arrays.h"
#include "bindings.h"
#include "carom/analysis/shared_work.h"
#include "interrupts.h"
#include "problem.h"
#include "values.h"

namespace carom::python {
namespace {

using Rows = std::vector<Sweep::Row>;

/// Holds the sweep; threads may share it.
struct PythonSweep {
  Sweep sweep;
  std::size_t varied;  ///< number of varied paths
};

/// One column of the rows as an array: of numbers, NaN where there is none, or a list where one is a word.
py::object column_of(const std::vector<Rows>& points, std::size_t column) {
  bool words = false;
  for (const Rows& rows : points)
    for (const Sweep::Row& row : rows)
      words = words || row[column].is(Value::Type::text) || row[column].is(Value::Type::boolean);
  if (words) {
    py::list list;
    for (const Rows& rows : points)
      for (const Sweep::Row& row : rows) list.append(to_python(row[column]));
    return list;
  }
  std::vector<double> numbers;
  for (const Rows& rows : points)
    for (const Sweep::Row& row : rows) numbers.push_back(row[column].is_none() ? std::nan("") : row[column].number());
  return copied(numbers);
}

/// The measures and `stop` of the rows, by name; varied paths, which the caller knows, are left out.
py::dict measured(const Sweep& sweep, const std::vector<Rows>& points, std::size_t varied) {
  py::dict columns;
  const std::vector<std::string> names = sweep.columns();
  for (std::size_t i = varied; i < names.size(); ++i) columns[py::str(names[i])] = column_of(points, i);
  return columns;
}

/// Runs these points; `progress` is called with the number done, where it is given.
py::dict run_points(const PythonSweep& self, const std::vector<std::size_t>& points, int threads,
                    const py::object& progress) {
  std::vector<Rows> rows(points.size());
  const InterruptWatch watch;
  Crew crew;
  crew.threads = usable_threads(threads);
  crew.interrupted = &InterruptWatch::interrupted();
  if (!progress.is_none())
    crew.report = [&progress](std::size_t done) {
      const CallOfPython call;
      progress(done);
    };
  {
    const FreeInterpreter free;
    const bool done = for_each_piece(points.size(), crew, [&self, &points, &rows]() -> PieceWork {
      auto worker = std::make_shared<Sweep::Worker>(self.sweep.worker());
      return [&points, &rows, worker](std::size_t piece) {
        rows[piece] = worker->run(points[piece], &InterruptWatch::interrupted());
      };
    });
    if (!done) watch.raise();
  }
  return measured(self.sweep, rows, self.varied);
}

SweepOptions options_of(const std::vector<std::string>& vary, const std::vector<std::string>& measures, bool zip,
                        std::size_t random, std::size_t latin, std::uint64_t seed) {
  SweepOptions options;
  options.vary = vary;
  options.measures = measures;
  options.zip = zip;
  options.random = random;
  options.latin = latin;
  options.seed = seed;
  return options;
}

}  // namespace

void bind_sweep(py::module_& module) {
  py::class_<PythonSweep>(module, "Sweep")
      .def(py::init([](const Scene& scene, const std::vector<std::string>& vary,
                       const std::vector<std::string>& measures, bool zip, std::size_t random, std::size_t latin,
                       std::uint64_t seed) {
        const SweepOptions options = options_of(vary, measures, zip, random, latin, seed);
        const Scene copy = scene;  // another thread may change it
        const FreeInterpreter free;
        return PythonSweep{Sweep(copy, options), vary.size()};
      }))
      .def(py::init([](const KeptProblem& problem, const std::string& law, const std::vector<std::string>& vary,
                       const std::vector<std::string>& measures, bool zip, std::size_t random, std::size_t latin,
                       std::uint64_t seed) {
        return PythonSweep{Sweep(problem.problem, law, options_of(vary, measures, zip, random, latin, seed)),
                           vary.size()};
      }))
      .def("__len__", [](const PythonSweep& s) { return s.sweep.size(); })
      .def_property_readonly("columns", [](const PythonSweep& s) { return s.sweep.columns(); })
      .def_property_readonly("description", [](const PythonSweep& s) { return s.sweep.description(); })
      .def("values",
           [](const PythonSweep& s, std::size_t point) {
             py::list values;
             for (const Value& value : s.sweep.values(point)) values.append(to_python(value));
             return values;
           })
      .def("run_points", &run_points, py::arg("points"), py::arg("threads") = 0, py::arg("progress") = py::none());
  module.def("while_watching", [](const py::function& work) {
    const InterruptWatch watch;  // Ctrl-C ends what the threads of this work run
    const CallOfPython call;
    return work();
  });
  module.def("note_fork", &note_fork);
  module.def("end_long_work", &end_long_work);
}

}  // namespace carom::python
