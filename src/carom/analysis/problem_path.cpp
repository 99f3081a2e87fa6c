#include "carom/analysis/problem_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "carom/base/error.h"
#include "carom/base/nearest_name.h"
#include "carom/base/utf8.h"
#include "carom/laws/impact/registry.h"

namespace carom {
namespace {

const LawParameter* option_named(std::string_view name) {
  for (const ImpactLaw* law : impact_laws()) {
    for (const LawParameter& parameter : law->parameters)
      if (parameter.name == name) return &parameter;
  }
  return nullptr;
}

}  // namespace

/// Takes a path apart.
class ProblemPathReader {
 public:
  ProblemPathReader(const ImpactProblem& problem, std::string_view path, ProblemPath& made)
      : problem_(problem), whole_(path), rest_(path), made_(made) {}

  void read() {
    const std::string_view field = next();
    if (field == "contacts") {
      read_contact(contact());
    } else if (field == "restitution") {
      made_.field_ = Field::restitution;
      made_.set_ = [](ImpactProblem& problem, double value) { problem.restitution = value; };
    } else if (field == "velocity") {
      made_.field_ = Field::velocity;
      read_entry([](ImpactProblem& problem) -> Vector& { return problem.velocity; }, problem_.velocity.size());
    } else if (field == "metric") {
      made_.field_ = Field::metric;
      read_metric();
    } else if (field == "persistent") {
      const Eigen::Index row = index(problem_.persistent.rows());
      const Eigen::Index column = index(problem_.persistent.cols());
      made_.set_ = [row, column](ImpactProblem& problem, double value) { problem.persistent(row, column) = value; };
    } else if (field == "options") {
      read_option(next());
    } else {
      refuse();
    }
    if (!rest_.empty()) refuse();
  }

 private:
  using Takes = ProblemPath::Takes;
  using Field = ProblemPath::Field;

  std::string_view next() {
    const std::size_t dot = std::min(rest_.find('.'), rest_.size());
    const std::string_view part = rest_.substr(0, dot);
    rest_.remove_prefix(std::min(dot + 1, rest_.size()));
    return part;
  }
  std::optional<Eigen::Index> try_index(std::string_view part, Eigen::Index size) const {
    Eigen::Index value = 0;
    const auto [end, problem] = std::from_chars(part.data(), part.data() + part.size(), value);
    const bool good = problem == std::errc() && end == part.data() + part.size() && value >= 0 && value < size;
    return good ? std::optional(value) : std::nullopt;
  }
  Eigen::Index index(Eigen::Index size) {
    const std::optional<Eigen::Index> value = try_index(next(), size);
    if (!value) refuse();
    return *value;
  }
  std::size_t contact() {
    // A name may hold dots: the longest that the path begins with.
    std::optional<std::size_t> found;
    std::size_t longest = 0;
    for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
      const std::string& name = problem_.contacts[i].name;
      if (name.size() <= longest || !rest_.starts_with(name)) continue;
      if (rest_.size() > name.size() && rest_[name.size()] != '.') continue;
      found = i;
      longest = name.size();
    }
    if (!found) return static_cast<std::size_t>(index(static_cast<Eigen::Index>(problem_.contacts.size())));
    rest_.remove_prefix(std::min(longest + 1, rest_.size()));
    return *found;
  }

  /// One entry of a vector, or all of them.
  template <class VectorOf>
  void read_entry(const VectorOf& vector_of, Eigen::Index size) {
    if (rest_.empty()) {
      made_.takes_ = Takes::list;
      made_.length_ = static_cast<std::size_t>(size);
      return;
    }
    const Eigen::Index i = index(size);
    made_.set_ = [vector_of, i](ImpactProblem& problem, double value) { vector_of(problem)[i] = value; };
  }
  void read_metric() {
    const Eigen::Index size = problem_.velocity.size();
    const bool diagonal = rest_.starts_with("diagonal.");
    if (diagonal) next();
    const Eigen::Index row = index(size);
    const Eigen::Index column = diagonal ? row : index(size);
    made_.set_ = [row, column](ImpactProblem& problem, double value) {
      problem.metric(row, column) = problem.metric(column, row) = value;
    };
  }
  void read_option(std::string_view name) {
    if (name == "tolerance") {
      made_.set_ = [](ImpactProblem& problem, double value) { problem.options.tolerance = value; };
    } else if (name == "rest") {
      made_.set_ = [](ImpactProblem& problem, double value) { problem.options.rest = value; };
    } else if (name == "max_steps") {
      made_.set_ = [](ImpactProblem& problem, double value) { problem.options.max_steps = static_cast<long>(value); };
    } else if (const LawParameter* option = option_named(name)) {
      made_.takes_ = !option->choices.empty() ? Takes::word : option->is_flag ? Takes::flag : Takes::number;
      made_.set_ = [key = std::string(name)](ImpactProblem& problem, double value) {
        problem.options.by_law.insert_or_assign(key, value);
      };
    } else {
      refuse();
    }
  }
  void read_contact(std::size_t at) {
    const Contact& contact = problem_.contacts[at];
    const std::string_view field = next();
    if (field == "restitution") {
      made_.field_ = Field::restitution;
      made_.set_ = [at](ImpactProblem& problem, double value) { problem.contacts[at].restitution = value; };
    } else if (field == "tangential_restitution") {
      made_.set_ = [at](ImpactProblem& problem, double value) { problem.contacts[at].tangential_restitution = value; };
    } else if (field == "friction") {
      made_.field_ = Field::friction;
      made_.set_ = [at](ImpactProblem& problem, double value) { problem.contacts[at].friction = value; };
    } else if (field == "offset") {
      made_.field_ = Field::offset;
      made_.set_ = [at](ImpactProblem& problem, double value) { problem.contacts[at].offset = value; };
    } else if (field == "stiffness") {
      made_.field_ = Field::stiffness;
      made_.set_ = [at](ImpactProblem& problem, double value) { problem.contacts[at].stiffness = value; };
    } else if (field == "tangential_stiffness_ratio") {
      made_.set_ = [at](ImpactProblem& problem, double value) {
        problem.contacts[at].tangential_stiffness_ratio = value;
      };
    } else if (field == "rough") {
      made_.takes_ = Takes::flag;
      made_.set_ = [at](ImpactProblem& problem, double value) { problem.contacts[at].rough = value != 0.0; };
    } else if (field == "normal") {
      made_.field_ = Field::normal;
      read_entry([at](ImpactProblem& problem) -> Vector& { return problem.contacts[at].normal; },
                 contact.normal.size());
    } else if (field == "tangent_offsets") {
      read_entry([at](ImpactProblem& problem) -> Vector& { return problem.contacts[at].tangent_offsets; },
                 contact.tangent_offsets.size());
    } else if (field == "tangents") {
      const Eigen::Index row = index(contact.tangents.rows());
      const Eigen::Index column = index(contact.tangents.cols());
      made_.set_ = [at, row, column](ImpactProblem& problem, double value) {
        problem.contacts[at].tangents(row, column) = value;
      };
    } else {
      refuse();
    }
  }
  [[noreturn]] void refuse() const {
    throw InputError(Kind::unknown_name, "--vary",
                     fmt::format("'{}' is no number of the problem; such are restitution, velocity.0, metric.0.0, "
                                 "contacts.0.restitution, contacts.0.normal.1, contacts.0.offset",
                                 printable(whole_)));
  }

  const ImpactProblem& problem_;
  std::string_view whole_, rest_;
  ProblemPath& made_;
};

ProblemPath::ProblemPath(const ImpactProblem& problem, std::string_view path) : path_(path) {
  ProblemPathReader(problem, path_, *this).read();
}

void ProblemPath::set(ImpactProblem& problem, const Value& value) const {
  if (takes_ == Takes::list) {
    const List& entries = value.list();
    if (entries.size() != length_) {
      throw InputError(Kind::size_mismatch, path_,
                       fmt::format("{} has {} entries, expected {}", path_, entries.size(), length_));
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
      ProblemPath(problem, fmt::format("{}.{}", path_, i)).set(problem, entries[i]);
    }
    return;
  }
  if (takes_ == Takes::word) {
    const auto& choices = option_named(path_.substr(path_.find('.') + 1))->choices;
    const auto found = std::find(choices.begin(), choices.end(), value.text());
    if (found == choices.end()) {
      throw InputError(Kind::unknown_name, path_, unknown_name_message(path_, value.text(), choices));
    }
    set_(problem, static_cast<double>(found - choices.begin()));
    return;
  }
  set_(problem, takes_ == Takes::flag ? (value.boolean() ? 1.0 : 0.0) : value.number());
}

}  // namespace carom
