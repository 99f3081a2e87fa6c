#pragma once
/// What `impact` and `compare` share: reading a problem, choosing laws and audit, giving errors their place.

#include <string>
#include <string_view>
#include <vector>

#include "carom/analysis/compare_laws.h"
#include "carom/scene/document/path.h"
#include "carom/scene/problem_file.h"
#include "common/command_line.h"

namespace carom::app {

/// A problem and the text it came from.
struct ProblemInput {
  scene::Document document;
  scene::ProblemFile file;
};

/// Reads a file, or standard input for "-". Throws InputError with its place.
ProblemInput read_problem(const std::string& path);
/// The same for a document that has been read.
ProblemInput read_problem(scene::Document document);

/// Runs `work`; an InputError that it throws about a field of the problem gets its place in the file.
template <class Work>
auto pointing_into(const scene::Document& document, const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    throw scene::with_place(error, document);
  }
}

std::vector<std::string_view> impact_law_names();
std::vector<std::string_view> audit_names();

inline constexpr Value kLawValue{Value::Kind::choice, "NAME", "law", &impact_law_names};
inline constexpr Value kLawListValue{Value::Kind::choice_list, "NAME,…", "law", &impact_law_names};
inline constexpr Value kProblemValue{Value::Kind::file, "FILE|-"};
inline constexpr std::string_view kProblemHelp = "impact problem, JSON or TOML; - reads standard input";
inline constexpr Option kAuditOption{
    "--audit",
    {Value::Kind::choice, "DEPTH", "audit", &audit_names},
    "how much is audited; full also measures dependence on contact order and round-off (default basic)"};

/// What `--audit` says; basic where it is absent.
AuditDepth audit_depth(const Arguments& arguments);

/// Options of the problem that belong to other laws than this one.
std::vector<std::string> unused_options(const ImpactProblem& problem, const ImpactLaw& law);

}  // namespace carom::app
