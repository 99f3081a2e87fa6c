/// `carom view`: records, or a run while it computes, in a browser of this computer.

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <thread>

#include "carom/base/error.h"
#include "carom/base/json.h"
#include "carom/base/number.h"
#include "carom/record/hdf5.h"
#include "commands/table.h"
#include "common/signal_watch.h"
#include "output/run_output.h"
#include "scene_input.h"
#include "viewing/desktop.h"
#include "viewing/film_page.h"
#include "viewing/film_source.h"
#include "viewing/live_scene.h"
#include "viewing/view_server.h"

namespace carom::app {
namespace view_command {

constexpr Option kOptions[] = {
    kSetOption,
    kLawOption,
    kEngineOption,
    kDurationOption,
    {"--out", {Value::Kind::file, "RUN.h5"}, "of a scene: keep a record as carom run does", false, false, "-o"},
    {"--port", {Value::Kind::text, "N"}, "serve on this port (default: any that is free)"},
    {"--no-browser", {}, "print the address only"},
    {"--exit-when-idle", {Value::Kind::text, "SECONDS"}, "end when the run has ended and nobody asked for so long"},
    {"--json", {}, "print the address as a JSON object, and no summary"},
};

constexpr std::string_view kNotes[] = {
    "Prints an address and opens it where there is a desktop. The films are served to this computer only. Ctrl-C ends "
    "it.",
    "Several records of the same scene (run with different laws, for instance) are shown side by side. A record that "
    "is "
    "still being written is followed as it grows.",
    "A scene is run while you watch, and its summary printed at the end. Ctrl-C before that stops the run (exit code "
    "130); after that the exit code is that of carom run.",
};

constexpr std::string_view kExamples[] = {
    "printf 'format=1\\n[run]\\nduration=1\\n' | carom view - --no-browser --exit-when-idle 0.1",
};

int read_port(const Arguments& arguments) {
  const auto text = arguments.value("--port");
  if (!text) return 0;
  const double port = parse_number(*text, "--port");
  if (port != std::floor(port) || port < 0 || port > 65535) {
    throw InputError(Kind::out_of_range, "--port",
                     fmt::format("--port is {}; it must be a whole number from 0 to 65535", *text));
  }
  return static_cast<int>(port);
}

/// Infinite where the user ends it.
double read_idle_limit(const Arguments& arguments) {
  const auto text = arguments.value("--exit-when-idle");
  if (!text) return std::numeric_limits<double>::infinity();
  const double seconds = parse_number(*text, "--exit-when-idle");
  if (seconds < 0.0) {
    throw InputError(Kind::out_of_range, "--exit-when-idle",
                     fmt::format("--exit-when-idle is {}; it must be ≥ 0", *text));
  }
  return seconds;
}

/// Serves films until it is asked to end.
class Show {
 public:
  explicit Show(const Arguments& arguments)
      : port_(read_port(arguments)),
        idle_limit_(read_idle_limit(arguments)),
        json_(arguments.has("--json")),
        browser_(!arguments.has("--no-browser")) {}

  void start(const std::vector<FilmSource*>& films) {
    server_ = std::make_unique<ViewServer>(require_viewer_page(), films, port_);
    tell_address(films);
    const bool opened = browser_ && open_in_browser(server_->address());
    if (::isatty(STDERR_FILENO) == 1) {
      fmt::print(stderr, "{}; Ctrl-C ends it\n", opened ? "opening the browser" : "open this address in a browser");
    }
  }

  /// Waits until a signal comes, until `ended` says so, or, where `may_idle` allows it, until nobody asks any more.
  template <class Ended, class MayIdle>
  void wait(const Ended& ended, const MayIdle& may_idle) {
    while (!SignalWatch::interrupted() && !ended()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      if (may_idle() && server_->idle_time() > idle_limit_) return;
    }
  }

 private:
  void tell_address(const std::vector<FilmSource*>& films) const {
    std::string text = server_->address() + "\n";
    if (json_) {
      Json names = Json::array();
      for (const FilmSource* const film : films) names.push_back(film->name());
      text = json_text(Json{{"address", server_->address()}, {"films", names}});
    }
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (!written) throw InputError(Kind::file, "", "cannot write the address to standard output");
  }

  int port_;
  double idle_limit_;  ///< [s]
  bool json_;
  bool browser_;
  std::unique_ptr<ViewServer> server_;
};

void refuse_options_of_scenes(const Arguments& arguments) {
  for (const std::string_view option :
       {kLawOption.name, kEngineOption.name, kDurationOption.name, kSetOption.name, std::string_view("--out")}) {
    if (arguments.has(option)) {
      throw InputError(Kind::usage, std::string(option),
                       fmt::format("{} is for a scene; a record has been run", option));
    }
  }
}

Report view_records(const Arguments& arguments) {
  refuse_options_of_scenes(arguments);
  Show show(arguments);
  std::vector<std::unique_ptr<FilmSource>> records;
  std::vector<FilmSource*> films;
  for (const std::string& path : arguments.all_arguments()) {
    records.push_back(std::make_unique<RecordFilm>(path));
    films.push_back(records.back().get());
  }
  require_viewer_page();
  const SignalWatch watch;
  show.start(films);
  show.wait([] { return false; }, [] { return true; });
  return {};
}

Report view_scene(const Arguments& arguments) {
  Show show(arguments);
  const std::string file = *arguments.argument();
  LiveScene scene(Scene::read(file), arguments.all(kSetOption.name), file, arguments.value("--out").value_or(""));
  require_viewer_page();
  const SignalWatch watch;
  show.start({&scene});
  scene.start();
  show.wait([&scene] { return scene.failed(); }, [&scene] { return scene.ended(); });
  const RunSummary summary = scene.finish();
  Report report;
  report.exit_code = exit_code_of(summary.result.stop);
  if (summary.result.compliant) report.notes = summary.result.compliant->warnings;
  if (!arguments.has("--json")) report.text = run_text(summary);
  return report;
}

/// A file that is there and no HDF5 file is a scene; one that is not there is what its name says.
bool names_scene(const std::string& path) {
  if (path == "-") return true;
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored))
    return !hdf5::is_hdf5(path) && !std::filesystem::is_directory(path, ignored);
  return std::filesystem::path(path).extension() != ".h5";
}

Report run(const Arguments& arguments) {
  const std::vector<std::string>& paths = arguments.all_arguments();
  if (paths.size() == 1 && names_scene(paths.front())) return view_scene(arguments);
  return view_records(arguments);
}

}  // namespace view_command

const Command kViewCommand{
    .name = "view",
    .summary = "watch records, or a scene as it runs, in a browser",
    .argument = {.kind = Value::Kind::file, .name = "RUN.h5|SCENE", .repeated = true},
    .argument_help = "records of carom run --out, or one scene file (- reads standard input)",
    .options = view_command::kOptions,
    .notes = view_command::kNotes,
    .examples = view_command::kExamples,
    .run = &view_command::run,
};

}  // namespace carom::app
