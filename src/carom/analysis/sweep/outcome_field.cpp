#include "carom/analysis/sweep/outcome_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

namespace carom::sweep {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

struct PlainField {
  std::string_view path;
  double (*of)(const ImpactOutcome& outcome);
};

constexpr PlainField kPlainFields[] = {
    {"steps", [](const ImpactOutcome& o) { return static_cast<double>(o.steps); }},
    {"outcomes",
     [](const ImpactOutcome& o) { return static_cast<double>(std::max<std::size_t>(o.outcomes.size(), 1)); }},
    {"energy.before", [](const ImpactOutcome& o) { return o.energy.before; }},
    {"energy.after", [](const ImpactOutcome& o) { return o.energy.after; }},
    {"energy.change", [](const ImpactOutcome& o) { return o.energy.change; }},
    {"energy.change_from_impulses", [](const ImpactOutcome& o) { return o.energy.change_from_impulses; }},
    {"energy.contact_work", [](const ImpactOutcome& o) { return o.energy.contact_work; }},
    {"energy.wall_work", [](const ImpactOutcome& o) { return o.energy.wall_work; }},
    {"audit.min_impulse", [](const ImpactOutcome& o) { return o.audit.min_impulse; }},
    {"audit.min_gap_rate_after", [](const ImpactOutcome& o) { return o.audit.min_gap_rate_after; }},
    {"audit.constraint_residual", [](const ImpactOutcome& o) { return o.audit.constraint_residual; }},
    {"audit.complementarity_residual",
     [](const ImpactOutcome& o) { return o.audit.complementarity_residual.value_or(kNoNumber); }},
};

struct ListField {
  std::string_view path;
  bool per_contact;  ///< otherwise one entry for each coordinate
  const std::vector<double>& (*of)(const ImpactOutcome& outcome);
};

constexpr ListField kListFields[] = {
    {"velocity", false, [](const ImpactOutcome& o) -> const std::vector<double>& { return o.velocity; }},
    {"impulses", true, [](const ImpactOutcome& o) -> const std::vector<double>& { return o.impulses; }},
    {"gap_rates.before", true, [](const ImpactOutcome& o) -> const std::vector<double>& { return o.rate_before; }},
    {"gap_rates.after", true, [](const ImpactOutcome& o) -> const std::vector<double>& { return o.rate_after; }},
    {"audit.restitution", true,
     [](const ImpactOutcome& o) -> const std::vector<double>& { return o.audit.restitution; }},
    {"friction_work", true, [](const ImpactOutcome& o) -> const std::vector<double>& { return o.friction_work; }},
};

/// Lists with an entry for each tangent row.
constexpr ListField kTangentFields[] = {
    {"tangential_impulses", true,
     [](const ImpactOutcome& o) -> const std::vector<double>& { return o.tangential_impulses; }},
    {"slip.before", true, [](const ImpactOutcome& o) -> const std::vector<double>& { return o.slip_before; }},
    {"slip.after", true, [](const ImpactOutcome& o) -> const std::vector<double>& { return o.slip_after; }},
};

std::optional<std::size_t> read_entry(std::string_view text, std::size_t size) {
  std::size_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = problem == std::errc() && end == text.data() + text.size() && value < size;
  return good ? std::optional(value) : std::nullopt;
}

std::optional<std::size_t> contact_at(const ImpactProblem& problem, std::string_view text) {
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    if (!text.empty() && problem.contacts[i].name == text) return i;
  }
  return read_entry(text, problem.contacts.size());
}

/// What follows `path.` in a text; none where the text does not begin so.
std::optional<std::string_view> behind(std::string_view text, std::string_view path) {
  if (!text.starts_with(path) || text.size() <= path.size() + 1 || text[path.size()] != '.') return std::nullopt;
  return text.substr(path.size() + 1);
}

OutcomeField entry_of(const ListField& field, std::size_t i) {
  return {[of = field.of, i](const ImpactOutcome& outcome) {
            const std::vector<double>& list = of(outcome);
            return i < list.size() ? list[i] : kNoNumber;
          },
          {}};
}

/// `CONTACT.ROW` among all tangent rows.
std::optional<std::size_t> tangent_row(const ImpactProblem& problem, std::string_view text) {
  const std::size_t dot = text.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto contact = contact_at(problem, text.substr(0, dot));
  if (!contact) return std::nullopt;
  const auto row =
      read_entry(text.substr(dot + 1), static_cast<std::size_t>(problem.contacts[*contact].tangents.rows()));
  if (!row) return std::nullopt;
  std::size_t first = 0;
  for (std::size_t i = 0; i < *contact; ++i) first += static_cast<std::size_t>(problem.contacts[i].tangents.rows());
  return first + *row;
}

OutcomeField list_field(const ImpactProblem& problem, std::string_view path) {
  for (const ListField& field : kListFields) {
    const auto rest = behind(path, field.path);
    if (!rest) continue;
    const auto i = field.per_contact ? contact_at(problem, *rest)
                                     : read_entry(*rest, static_cast<std::size_t>(problem.velocity.size()));
    return i ? entry_of(field, *i) : OutcomeField();
  }
  for (const ListField& field : kTangentFields) {
    const auto rest = behind(path, field.path);
    if (!rest) continue;
    const auto row = tangent_row(problem, *rest);
    return row ? entry_of(field, *row) : OutcomeField();
  }
  if (const auto rest = behind(path, "audit.observed_restitution")) {
    const auto i = contact_at(problem, *rest);
    if (!i) return {};
    return {
        [i = *i](const ImpactOutcome& outcome) { return outcome.audit.observed_restitution[i].value_or(kNoNumber); },
        {}};
  }
  if (const auto rest = behind(path, "audit.constraint_impulses")) {
    const auto i = read_entry(*rest, static_cast<std::size_t>(problem.persistent.rows()));
    if (!i) return {};
    return {[i = *i](const ImpactOutcome& outcome) { return outcome.audit.constraint_impulses[i]; }, {}};
  }
  return {};
}

OutcomeField word_field(const ImpactProblem& problem, std::string_view path) {
  if (path == "stop") return {{}, [](const ImpactOutcome& outcome) { return stop_name(outcome.stop); }};
  if (path == "law") return {{}, [](const ImpactOutcome& outcome) { return outcome.law; }};
  const auto rest = behind(path, "modes");
  const auto i = rest ? contact_at(problem, *rest) : std::nullopt;
  if (!i) return {};
  return {{}, [i = *i](const ImpactOutcome& outcome) {
            return i < outcome.modes.size() ? friction_mode_name(outcome.modes[i]) : std::string_view();
          }};
}

OutcomeField find_field(const ImpactProblem& problem, std::string_view path) {
  for (const PlainField& field : kPlainFields)
    if (field.path == path) return {field.of, {}};
  const std::string_view flag_text = behind(path, "flags").value_or(path);
  for (const Flag flag : all_flags()) {
    if (flag_name(flag) == flag_text)
      return {[flag](const ImpactOutcome& outcome) { return outcome.audit.flags.has(flag) ? 1.0 : 0.0; }, {}};
  }
  OutcomeField field = list_field(problem, path);
  return field.exists() ? field : word_field(problem, path);
}

/// Says which column of a batch has it.
void name_column(const ImpactProblem& problem, std::string_view path, OutcomeField& field) {
  using Column = OutcomeField::Column;
  if (path == "steps") field.column = Column::steps;
  if (path == "stop") field.column = Column::stop;
  const auto velocity = behind(path, "velocity"), impulse = behind(path, "impulses");
  if (!velocity && !impulse) return;
  field.column = velocity ? Column::velocity : Column::impulse;
  field.entry = velocity ? *read_entry(*velocity, static_cast<std::size_t>(problem.velocity.size()))
                         : *contact_at(problem, *impulse);
}

}  // namespace

OutcomeField outcome_field(const ImpactProblem& problem, std::string_view path) {
  OutcomeField field = find_field(problem, path);
  if (field.exists()) name_column(problem, path, field);
  return field;
}

std::vector<std::string> outcome_paths(const ImpactProblem& problem) {
  std::vector<std::string> paths{"stop", "law"};
  for (const PlainField& field : kPlainFields) paths.emplace_back(field.path);
  for (const ListField& field : kListFields) {
    const std::size_t size =
        field.per_contact ? problem.contacts.size() : static_cast<std::size_t>(problem.velocity.size());
    for (std::size_t i = 0; i < size; ++i) paths.push_back(fmt::format("{}.{}", field.path, i));
  }
  for (const Flag flag : all_flags()) paths.emplace_back(flag_name(flag));
  return paths;
}

}  // namespace carom::sweep
