/// Numbers of an impact problem by their paths, for the family that varies two of them.

#include <fmt/format.h>

#include <charconv>

#include "carom/analysis/atlas/family.h"
#include "carom/base/error.h"
#include "carom/base/utf8.h"

namespace carom::atlas {
namespace {

/// The parts of a dotted path, one after the other.
class Path {
 public:
  explicit Path(const std::string& path) : whole_(path), rest_(path) {}

  std::string next() {
    const std::size_t dot = rest_.find('.');
    std::string part = rest_.substr(0, dot);
    rest_ = dot == std::string::npos ? std::string() : rest_.substr(dot + 1);
    return part;
  }
  /// The next part as an index below `size`.
  std::size_t index(std::size_t size) {
    const std::string part = next();
    std::size_t value = size;
    const auto [end, problem] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (problem != std::errc() || end != part.data() + part.size() || value >= size) refuse();
    return value;
  }
  void end() const {
    if (!rest_.empty()) refuse();
  }
  [[noreturn]] void refuse() const {
    throw InputError(Kind::unknown_name, "--vary",
                     fmt::format("'{}' is no number of the problem; such are restitution, velocity.0, metric.0.0, "
                                 "contacts.0.restitution, contacts.0.normal.1, contacts.0.offset",
                                 printable(whole_)));
  }

 private:
  std::string whole_, rest_;
};

void set_contact(Contact& contact, Path path, double value) {
  const std::string field = path.next();
  if (field == "restitution") {
    contact.restitution = value;
  } else if (field == "tangential_restitution") {
    contact.tangential_restitution = value;
  } else if (field == "friction") {
    contact.friction = value;
  } else if (field == "offset") {
    contact.offset = value;
  } else if (field == "stiffness") {
    contact.stiffness = value;
  } else if (field == "normal") {
    contact.normal[static_cast<Eigen::Index>(path.index(static_cast<std::size_t>(contact.normal.size())))] = value;
  } else {
    path.refuse();
  }
  path.end();
}

std::size_t contact_of(const ImpactProblem& problem, Path& path) {
  Path by_name = path;
  const std::string name = by_name.next();
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    if (!name.empty() && problem.contacts[i].name == name) {
      path = by_name;
      return i;
    }
  }
  return path.index(problem.contacts.size());
}

void set_number(ImpactProblem& problem, const std::string& whole, double value) {
  Path path(whole);
  const std::string field = path.next();
  if (field == "contacts") {
    const std::size_t contact = contact_of(problem, path);
    set_contact(problem.contacts[contact], path, value);
    return;
  }
  const auto size = static_cast<std::size_t>(problem.velocity.size());
  if (field == "restitution") {
    problem.restitution = value;
  } else if (field == "velocity") {
    problem.velocity[static_cast<Eigen::Index>(path.index(size))] = value;
  } else if (field == "metric") {
    const auto row = static_cast<Eigen::Index>(path.index(size));
    const auto column = static_cast<Eigen::Index>(path.index(size));
    problem.metric(row, column) = problem.metric(column, row) = value;
  } else {
    path.refuse();
  }
  path.end();
}

Axis varied_axis(const Variation& variation) {
  return {variation.path, variation.path, false, variation.range, {}};
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
  ImpactProblem trial = problem;
  set_number(trial, x.path, x.range.low);
  set_number(trial, y.path, y.range.low);
  family.pattern = std::move(problem);
  family.fill = [x_path = x.path, y_path = y.path](double x_value, double y_value, ImpactProblem& cell) {
    set_number(cell, x_path, x_value);
    set_number(cell, y_path, y_value);
  };
  return family;
}

}  // namespace carom::atlas
