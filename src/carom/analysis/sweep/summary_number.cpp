#include "carom/analysis/sweep/summary_number.h"

namespace carom::sweep {
namespace {

struct NumberRow {
  std::string_view path;
  SummaryNumber of;
};

constexpr NumberRow kNumbers[] = {
    {"time.model", [](const RunSummary& s) { return s.result.final_state.time; }},
    {"events.impacts", [](const RunSummary& s) { return static_cast<double>(s.result.impacts); }},
    {"events.multiple", [](const RunSummary& s) { return static_cast<double>(s.result.multiple); }},
    {"events.contacts_opened", [](const RunSummary& s) { return static_cast<double>(s.result.contacts_opened); }},
    {"steps.accepted", [](const RunSummary& s) { return static_cast<double>(s.result.steps_accepted); }},
    {"steps.rejected", [](const RunSummary& s) { return static_cast<double>(s.result.steps_rejected); }},
    {"steps.evaluations", [](const RunSummary& s) { return static_cast<double>(s.result.evaluations); }},
    {"energy.initial", [](const RunSummary& s) { return s.result.energy.initial; }},
    {"energy.final", [](const RunSummary& s) { return s.result.energy.now.total(); }},
    {"energy.dissipated", [](const RunSummary& s) { return s.result.energy.dissipated(); }},
    {"energy.balance_error", [](const RunSummary& s) { return s.balance_error(); }},
    {"energy.impacts", [](const RunSummary& s) { return s.result.energy.impacts; }},
    {"energy.friction", [](const RunSummary& s) { return s.result.energy.friction; }},
    {"energy.wall_work", [](const RunSummary& s) { return s.result.energy.wall_work; }},
};

}  // namespace

SummaryNumber summary_number(std::string_view path) {
  for (const NumberRow& row : kNumbers)
    if (row.path == path) return row.of;
  return nullptr;
}

}  // namespace carom::sweep
