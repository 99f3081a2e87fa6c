/// `carom export`: a record for other programs and other people: tables, VTK files, a web page, pictures, a video.

#include <fmt/format.h>

#include <memory>

#include "carom/analysis/sample_interval.h"
#include "carom/base/error.h"
#include "carom/base/json.h"
#include "carom/export/csv.h"
#include "carom/export/vtk.h"
#include "carom/export/whole_file.h"
#include "carom/simulation/record_scene.h"
#include "commands/table.h"
#include "common/progress.h"
#include "common/signal_watch.h"
#include "common/task_progress.h"
#include "common/text_table.h"
#include "viewing/export_options.h"
#include "viewing/film_page.h"
#include "viewing/film_source.h"
#include "viewing/filming.h"

namespace carom::app {
namespace export_command {

std::vector<std::string_view> theme_names() {
  return {"light", "dark"};
}

std::vector<std::string_view> framing_names() {
  return {"way", "bodies"};
}

std::vector<std::string_view> compare_names() {
  return {"side", "ghosts"};
}

constexpr Option kOptions[] = {
    {"--csv", {Value::Kind::file, "DIR"}, "tables of samples, energies, events and jumps into this folder"},
    {"--vtk", {Value::Kind::file, "DIR"}, "files for ParaView into this folder"},
    {"--html", {Value::Kind::file, "FILE"}, "one web page with the viewer and the film inside"},
    {"--frames", {Value::Kind::file, "DIR"}, "pictures frame_000000.png and so on into this folder"},
    {"--video", {Value::Kind::file, "FILE"}, "a video: .mp4, .webm or .gif"},
    {"--picture", {Value::Kind::file, "FILE.png"}, "one picture"},
    {"--at", {Value::Kind::text, "TIME"}, "of the picture: its time [s] (default: the start)"},
    {"--event", {Value::Kind::text, "N"}, "of the picture: this event, counted from 0, with its arrows"},
    {"--from", {Value::Kind::text, "TIME"}, "leave out what happened before this time [s]"},
    {"--to", {Value::Kind::text, "TIME"}, "leave out what happened after this time [s]"},
    {"--every", {Value::Kind::text, "N"}, "every N-th sample only (default: 1)"},
    {"--limit", {Value::Kind::text, "MB"}, "of the web page: refuse a larger one (default: 100)"},
    {"--fps", {Value::Kind::text, "N"}, "frames per second of film (default: 30)"},
    {"--speed", {Value::Kind::text, "S"}, "model seconds per second of film; 0.1 is slow motion (default: 1)"},
    {"--size", {Value::Kind::text, "WxH"}, "of the pictures, in pixels (default: 1280x720)"},
    {"--view", {Value::Kind::text, "VIEW"}, "iso, front, side, top or follow:NAME of a body"},
    {"--framing",
     {Value::Kind::choice, "WHAT", "framing", &framing_names},
     "hold the whole way of the bodies (default), or the bodies as they are at the time"},
    {"--compare",
     {Value::Kind::choice, "MODE", "way to compare", &compare_names},
     "several records side by side, or over each other"},
    {"--theme", {Value::Kind::choice, "THEME", "theme", &theme_names}, "colours"},
    {"--clean", {}, "no panels around the picture; frames and videos have none unless --panels is given"},
    {"--panels", {}, "with the panels of the viewer: plots, list of impacts, time"},
    {"--progress",
     {Value::Kind::choice, "STYLE", "style", &progress_names},
     "bar, plain, json or none, on standard error (default: bar on a terminal, none elsewhere)"},
    kJsonOption,
};

constexpr std::string_view kNotes[] = {
    "At least one of --csv, --vtk, --html, --frames, --video and --picture is needed. Several records are shown side "
    "by "
    "side in pages and pictures; tables and VTK files are made of one.",
    "The web page needs nothing else: it opens from a disk or an e-mail in any browser, without a network.",
    "Frames, videos and pictures are drawn by a browser without a window (chromium), videos are put together by "
    "ffmpeg. "
    "Frame k shows the time from + k·speed/fps exactly, however long it takes to draw.",
    "A file appears under its name when it is whole, in place of an older one.",
};

constexpr std::string_view kExamples[] = {
    "f=$(mktemp); carom run scenes/bouncing-ball.toml --out $f; carom export $f --csv $f.d",
};

/// One thing that was made.
struct Product {
  std::string kind;
  std::string path;
  std::string amount;  ///< "4 files"
  std::uint64_t bytes = 0;
};

class Export {
 public:
  explicit Export(const Arguments& arguments)
      : arguments_(arguments), choice_(read_choice(arguments)), paths_(arguments.all_arguments()) {
    const auto style = arguments.value("--progress");
    style_ = progress_style(style ? &*style : nullptr);
    check();
    for (const std::string& path : paths_) records_.push_back(std::make_unique<RecordReader>(path));
  }

  Report run() {
    if (needs_page()) page_ = require_viewer_page();
    limit_ = read_limit(arguments_);
    if (needs_stage()) plan_ = read_filming_plan(arguments_, records_, choice_);
    try {
      if (const auto folder = arguments_.value("--csv")) make_csv(*folder);
      if (const auto folder = arguments_.value("--vtk")) make_vtk(*folder);
      if (const auto file = arguments_.value("--html")) make_html(*file);
      if (needs_stage()) make_pictures();
    } catch (const Interrupted&) {
      interrupted_ = true;
    }
    return report();
  }

 private:
  [[nodiscard]] bool has(std::string_view option) const { return arguments_.has(option); }
  [[nodiscard]] bool needs_stage() const { return has("--frames") || has("--video") || has("--picture"); }
  [[nodiscard]] bool needs_page() const { return has("--html") || needs_stage(); }

  void check() const {
    if (!needs_page() && !has("--csv") && !has("--vtk")) {
      throw InputError(Kind::usage, "",
                       "what is to be made? Give one of --csv, --vtk, --html, --frames, --video, --picture");
    }
    for (const std::string_view option : {"--csv", "--vtk"}) {
      if (has(option) && paths_.size() > 1) {
        throw InputError(Kind::usage, std::string(option), fmt::format("{} is made of one record at a time", option));
      }
    }
    if (has("--clean") && has("--panels"))
      throw InputError(Kind::usage, "--panels", "--clean and --panels exclude each other");
    for (const std::string_view option : {"--at", "--event"}) {
      if (has(option) && !has("--picture")) {
        throw InputError(Kind::usage, std::string(option), fmt::format("{} is for a --picture", option));
      }
    }
    for (const std::string_view option : {"--html", "--video", "--picture"}) {
      if (const auto path = arguments_.value(option)) require_plain_target(*path);
    }
  }

  ExportProgress progress_of(TaskProgress& progress) const {
    return [&progress](double done) {
      if (SignalWatch::interrupted()) throw Interrupted{};
      progress.report(done, 1.0);
    };
  }

  void make_csv(const std::string& folder) {
    TaskProgress progress(style_, "tables");
    if (!has_energies_at_jumps(*records_.front(), choice_.span))
      notes_.emplace_back(
          "energy.csv has the samples alone, no rows at jumps: events times bodies are more than five million; less "
          "time (--from, --to) has them");
    const ExportReport made = export_csv(*records_.front(), folder, choice_, progress_of(progress));
    add("csv", folder, counted(static_cast<long>(made.files), "file"), made.bytes);
  }

  void make_vtk(const std::string& folder) {
    TaskProgress progress(style_, "VTK files");
    RecordReader& record = *records_.front();
    const ExportReport made = export_vtk(record, scene_of(record.info()), folder, choice_, progress_of(progress));
    add("vtk", folder, counted(static_cast<long>(made.files), "file"), made.bytes);
  }

  [[nodiscard]] std::string page_of(const SampleChoice& choice) const {
    std::vector<std::unique_ptr<FilmBuilder>> films;
    std::vector<const FilmBuilder*> all;
    for (const std::string& path : paths_) {
      films.push_back(film_of_record(path, choice));
      all.push_back(films.back().get());
    }
    return page_with_films(page_, all);
  }

  void make_html(const std::string& path) {
    const std::string html = page_of(choice_);
    const double megabytes = static_cast<double>(html.size()) / 1e6;
    if (megabytes > limit_) {
      Place place;
      place.file = path;
      throw InputError(
          Kind::limit, place,
          fmt::format("the page would have {:.1f} MB, more than {} (--limit); take fewer samples (--every N, "
                      "or a larger output_step in the scene) or less time (--from, --to)",
                      megabytes, limit_));
    }
    WholeFile file(path);
    file.write(html);
    file.keep();
    add("html", path, counted(static_cast<long>(paths_.size()), "film"), html.size());
  }

  void make_pictures() {
    Stage stage(page_of(plan_.choice), plan_.size, SignalWatch::interrupted());
    if (const auto path = arguments_.value("--picture")) {
      // A picture shows the viewer as it is; frames and videos show the scene alone.
      plan_.shot.clean = has("--clean");
      stage.set(plan_.shot);
      add_pictures(
          "picture", *path,
          keep_picture(plan_.event ? stage.picture_of_event(*plan_.event) : stage.picture_at(plan_.at), *path));
    }
    plan_.shot.clean = !has("--panels");
    stage.set(plan_.shot);
    if (const auto folder = arguments_.value("--frames")) {
      add_pictures("frames", *folder, film_frames(stage, plan_.times, *folder, style_));
    }
    if (!interrupted_ && has("--video"))
      add_pictures("video", plan_.video.path, film_video(stage, plan_.times, plan_.video, style_));
    if (plan_.times.count() < 2 && (has("--frames") || has("--video"))) {
      notes_.push_back(
          fmt::format("{} s at this speed are a single frame; a smaller --speed makes more of them, for "
                      "instance --speed {:.2g}",
                      plan_.times.to - plan_.times.from, (plan_.times.to - plan_.times.from) / 5.0));
    }
  }

  void add(std::string kind, std::string path, std::string amount, std::uint64_t bytes) {
    products_.push_back({std::move(kind), std::move(path), std::move(amount), bytes});
  }

  void add_pictures(std::string kind, const std::string& path, const FilmingReport& made) {
    interrupted_ = interrupted_ || made.interrupted;
    const bool nothing_left = made.interrupted && kind == "video";
    if (!nothing_left) add(std::move(kind), path, counted(made.frames, "frame"), made.bytes);
  }

  [[nodiscard]] Report report() const {
    Report report;
    report.exit_code = interrupted_ ? kInterrupted : kDone;
    report.notes = notes_;
    Json made = Json::array();
    for (const Product& product : products_) {
      made.push_back(
          Json{{"kind", product.kind}, {"path", product.path}, {"amount", product.amount}, {"bytes", product.bytes}});
      report.text += fmt::format("{:<8} {}: {}, {:.3g} MB\n", product.kind, product.path, product.amount,
                                 static_cast<double>(product.bytes) / 1e6);
    }
    if (has("--json")) report.text = json_text(Json{{"made", made}, {"interrupted", interrupted_}});
    return report;
  }

  const Arguments& arguments_;
  SampleChoice choice_;
  std::vector<std::string> paths_;
  std::vector<std::unique_ptr<RecordReader>> records_;
  ProgressStyle style_ = ProgressStyle::none;
  std::string_view page_;
  double limit_ = 0.0;  ///< [MB]
  FilmingPlan plan_;
  std::vector<Product> products_;
  std::vector<std::string> notes_;
  bool interrupted_ = false;
};

Report run(const Arguments& arguments) {
  const SignalWatch watch;
  return Export(arguments).run();
}

}  // namespace export_command

const Command kExportCommand{
    .name = "export",
    .summary = "make tables, VTK files, a web page, pictures or a video of a record",
    .argument = {.kind = Value::Kind::file, .name = "RUN.h5", .repeated = true},
    .argument_help = "record of carom run --out",
    .options = export_command::kOptions,
    .notes = export_command::kNotes,
    .examples = export_command::kExamples,
    .run = &export_command::run,
};

}  // namespace carom::app
