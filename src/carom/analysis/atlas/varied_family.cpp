/// The family that varies two numbers of an impact problem.

#include <fmt/format.h>

#include "carom/analysis/atlas/family.h"
#include "carom/analysis/problem_path.h"

namespace carom::atlas {
namespace {

Axis varied_axis(const Variation& variation) {
  return {variation.path, variation.path, false, variation.range, {}};
}

/// A path whose values are no numbers cannot be mapped.
void require_number(const ProblemPath& path, ImpactProblem problem, double value) {
  path.set(problem, Value(value));
}

}  // namespace

Family varied_family(ImpactProblem problem, const Variation& x, const Variation& y) {
  Family family;
  family.name = "file";
  family.title = "impact problem";
  family.x = varied_axis(x);
  family.y = varied_axis(y);
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const std::string& name = problem.contacts[i].name;
    family.contacts.push_back(name.empty() ? fmt::format("contact {}", i) : name);
  }
  // Paths that name no number are found here and not in the middle of the map.
  const ProblemPath x_path(problem, x.path), y_path(problem, y.path);
  require_number(x_path, problem, x.range.low);
  require_number(y_path, problem, y.range.low);
  family.pattern = std::move(problem);
  family.fill = [x_path, y_path](double x_value, double y_value, ImpactProblem& cell) {
    x_path.set(cell, x_value);
    y_path.set(cell, y_value);
  };
  return family;
}

}  // namespace carom::atlas
