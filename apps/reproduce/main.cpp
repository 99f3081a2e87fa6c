/// carom-reproduce: the source papers, item by item, beside what carom finds. `carom reproduce` hands over to it.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "carom/base/activity.h"
#include "carom/base/error.h"
#include "carom/base/json.h"
#include "carom/base/nearest_name.h"
#include "carom/export/export_folder.h"
#include "common/command_help.h"
#include "common/gnuplot.h"
#include "common/map_picture.h"
#include "common/program.h"
#include "common/reproduce_command.h"
#include "common/signal_watch.h"
#include "common/task_progress.h"
#include "common/write_file.h"
#include "reproduce/chapters/papers.h"
#include "reproduce/report_output.h"

namespace carom::app {
namespace {

constexpr std::string_view kAll = "all";

std::vector<const reproduce::Paper*> chosen_papers(const std::vector<std::string>& names) {
  const std::span<const reproduce::Paper> papers = reproduce::papers();
  std::vector<std::string_view> known{kAll};
  for (const reproduce::Paper& paper : papers) known.push_back(paper.id);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw InputError(Kind::unknown_name, "PAPER", unknown_name_message("paper", name, known));
    }
  }
  const bool all = names.empty() || std::find(names.begin(), names.end(), kAll) != names.end();
  std::vector<const reproduce::Paper*> chosen;
  for (const reproduce::Paper& paper : papers) {
    if (all || std::find(names.begin(), names.end(), paper.id) != names.end()) chosen.push_back(&paper);
  }
  return chosen;
}

std::vector<reproduce::Chapter> make_chapters(const std::vector<const reproduce::Paper*>& papers, ProgressStyle style) {
  std::vector<reproduce::Chapter> chapters;
  TaskProgress progress(style, "papers");
  const reproduce::Announce announce = [](std::string_view /*what*/) {
    if (SignalWatch::interrupted()) throw Interrupted{};
  };
  for (const reproduce::Paper* const paper : papers) {
    chapters.push_back(paper->reproduce(announce));
    progress.report(static_cast<double>(chapters.size()), static_cast<double>(papers.size()));
  }
  return chapters;
}

std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The picture with a range in x, from its curves where it has none.
Picture ranged(Picture picture) {
  if (!picture.x_range.empty()) return picture;
  for (const Panel& panel : picture.panels) {
    for (const Curve& curve : panel.curves) {
      for (const double x : curve.x) picture.x_range.add(x);
    }
  }
  return picture;
}

void write_attachments(const std::vector<reproduce::Chapter>& chapters, const std::filesystem::path& folder) {
  for (const reproduce::Chapter& chapter : chapters) {
    for (const reproduce::Section& section : chapter.sections) {
      for (const reproduce::Attachment& file : section.attachments) {
        make_folder(folder.string());
        write_file((folder / file.name).string(), file.text, "table");
      }
    }
  }
}

/// Draws all pictures into a folder and reads them again for the page.
ReportPictures draw_pictures(const std::vector<reproduce::Chapter>& chapters, const std::filesystem::path& folder) {
  make_folder(folder.string());
  ReportPictures pictures;
  for (const reproduce::Chapter& chapter : chapters) {
    for (const reproduce::Section& section : chapter.sections) {
      for (const reproduce::Figure& figure : section.figures) {
        const std::filesystem::path path = folder / (figure.name + ".svg");
        draw(ranged(figure.picture), path.string());
        pictures[figure.name] = text_of_file(path);
      }
      for (const reproduce::MapFigure& figure : section.maps) {
        constexpr int kMapWidth = 640;
        const std::filesystem::path path = folder / (figure.name + ".svg");
        draw_maps({&figure.map, 1}, kMapWidth, path.string());
        pictures[figure.name] = text_of_file(path);
      }
    }
  }
  return pictures;
}

Report reproduce_papers(const Arguments& arguments) {
  const auto style_name = arguments.value("--progress");
  const ProgressStyle style = progress_style(style_name ? &*style_name : nullptr);
  const std::vector<reproduce::Chapter> chapters = make_chapters(chosen_papers(arguments.all_arguments()), style);
  Report report;
  report.text = arguments.has("--json") ? json_text(report_json(chapters)) : report_text(chapters);
  if (const auto out = arguments.value("--out")) {
    const std::filesystem::path folder(*out);
    make_folder(*out);
    const ReportPictures pictures = draw_pictures(chapters, folder / "figures");
    write_attachments(chapters, folder / "data");
    write_file((folder / "report.md").string(), report_markdown(chapters), "report");
    write_file((folder / "report.html").string(), report_html(chapters, pictures), "report");
    if (!arguments.has("--json")) report.text += fmt::format("\nreport: {}\n", (folder / "report.html").string());
  }
  return report;
}

Report run(const Arguments& arguments) {
  const SignalWatch watch;
  try {
    return reproduce_papers(arguments);
  } catch (const Interrupted&) {
    return {.text = {}, .exit_code = kInterrupted, .notes = {}, .diagnostic = {}, .more = {}};
  }
}

Report run_words(Words words) {
  const Command command = reproduce_command(&run);
  if (mentions(words, "--help") || mentions(words, "-h")) {
    return {mentions(words, "--json") ? json_text(command_help_json(command)) : command_help(command), kDone, {}, {}};
  }
  return command.run(parse_arguments(command, words));
}

std::string help_hint(const Words& /*words*/) {
  return "see 'carom reproduce --help'\n";
}

}  // namespace
}  // namespace carom::app

int main(int argc, char** argv) {
  return carom::app::run_program({&carom::app::run_words, &carom::app::help_hint}, argc, argv);
}
