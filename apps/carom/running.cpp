#include "running.h"

#include "carom/base/error.h"
#include "carom/base/number.h"
#include "output/run_output.h"

namespace carom::app {

namespace {

/// The value of an option that is a time; none where it is not given.
void read_seconds(const Arguments& arguments, const char* option, double& seconds) {
  const auto text = arguments.value(option);
  if (!text) return;
  seconds = parse_number(*text, option);
  if (!(seconds > 0.0)) throw InputError(Kind::out_of_range, option, std::string(option) + " must be > 0 s");
}

}  // namespace

RecordRhythm rhythm_of(const Arguments& arguments) {
  RecordRhythm rhythm;
  read_seconds(arguments, "--flush", rhythm.seconds);
  read_seconds(arguments, "--checkpoint", rhythm.checkpoint_seconds);
  return rhythm;
}

ProgressStyle style_of(const Arguments& arguments) {
  const auto name = arguments.value("--progress");
  return progress_style(name ? &*name : nullptr);
}

bool shows_sparkline(const Arguments& arguments) {
  const std::string style = arguments.value("--progress").value_or("bar");
  return style == "bar" || style == "plain";
}

Json summary_json(const Arguments& arguments, const RunSummary& summary) {
  Json json = summary.to_json();
  if (arguments.has("--bodies") || summary.result.final_state.bodies.size() <= kMostBodiesListed) {
    json["bodies"] = summary.bodies_json();
  }
  return json;
}

void report_run(const Arguments& arguments, const RunSummary& summary, Report& report) {
  report.exit_code = exit_code_of(summary.result.stop);
  if (summary.result.compliant)
    report.notes.insert(report.notes.begin(), summary.result.compliant->warnings.begin(),
                        summary.result.compliant->warnings.end());
  report.text = arguments.has("--json") ? json_text(summary_json(arguments, summary)) : run_text(summary);
}

}  // namespace carom::app
