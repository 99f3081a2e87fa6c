/// carom.corner: the disk in a corner, over arrays.

#include "carom/laws/corner/batch.h"

#include <fmt/format.h>

#include <cmath>

#include "arrays.h"
#include "bindings.h"
#include "carom/base/error.h"
#include "carom/laws/corner/prediction.h"
#include "interrupts.h"

namespace carom::python {
namespace {

/// All of one length; the Python side has broadcast them.
py::dict solve_corners(const Reals& alpha, const Reals& restitution, const Reals& x, const Reals& y, double approach,
                       double rest, std::int64_t max_steps) {
  const auto count = static_cast<std::size_t>(alpha.size());
  const corner::Thresholds thresholds{approach, rest, max_steps};
  std::vector<double> slope(count);
  py::array_t<double> out_x(alpha.size()), out_y(alpha.size()), radius(alpha.size());
  py::array_t<std::int32_t> steps(alpha.size());
  py::array_t<std::uint8_t> stop(alpha.size());
  std::vector<corner::Stop> stops(count);
  const auto span_of = [count](const Reals& array) { return std::span<const double>(array.data(), count); };
  const corner::BatchInput input{span_of(restitution), slope, span_of(x), span_of(y)};
  const corner::BatchOutput output{
      {out_x.mutable_data(), count}, {out_y.mutable_data(), count}, {steps.mutable_data(), count}, stops};
  double* radii = radius.mutable_data();
  std::uint8_t* codes = stop.mutable_data();
  {
    const FreeInterpreter free;
    for (std::size_t i = 0; i < count; ++i) {
      try {
        corner::check({alpha.data()[i], restitution.data()[i], {x.data()[i], y.data()[i]}, thresholds});
      } catch (const InputError& error) {
        if (count == 1) throw;
        throw InputError(error.kind(), error.place(), fmt::format("problem {}: {}", i, error.what()));
      }
      slope[i] = std::tan(alpha.data()[i]);
    }
    corner::solve_batch(input, output, thresholds);
    for (std::size_t i = 0; i < count; ++i) {
      radii[i] = corner::spectral_radius(alpha.data()[i], restitution.data()[i]);
      codes[i] = static_cast<std::uint8_t>(stops[i]);
    }
  }
  py::dict result;
  result["x"] = out_x;
  result["y"] = out_y;
  result["steps"] = steps;
  result["stop_code"] = stop;
  result["spectral_radius"] = radius;
  return result;
}

}  // namespace

void bind_corner(py::module_& module) {
  module.def("corners", &solve_corners);
  py::list stops;
  for (const corner::Stop stop : {corner::Stop::z0, corner::Stop::rest, corner::Stop::step_limit})
    stops.append(std::string(corner::stop_name(stop)));
  module.attr("corner_stop_names") = py::tuple(stops);
}

}  // namespace carom::python
