#include "commands/plot_sweep.h"

#include <fmt/format.h>

#include <filesystem>

#include "carom/base/error.h"
#include "carom/base/json.h"
#include "carom/base/number.h"
#include "carom/base/utf8.h"
#include "common/map_picture.h"
#include "common/text_table.h"
#include "output/sweep_plot.h"

namespace carom::app {
namespace plot_sweep_command {

void refuse_record_options(const Arguments& arguments) {
  for (const char* const option : {"--from", "--to", "--compare", "--events", "--no-events", "--data"}) {
    if (!arguments.has(option)) continue;
    throw InputError(Kind::usage, option, fmt::format("{} is for records, not for the table of a sweep", option));
  }
}

/// The width of `--size WxH`; heights follow from what is drawn.
int width_of(const Arguments& arguments, const SweepPicture& picture) {
  const auto size = arguments.value("--size");
  if (!size)
    return picture.columns > 2 ? 300 * static_cast<int>(picture.columns) : picture.maps.size() > 1 ? 1200 : 900;
  const NumberText number = read_number(size->substr(0, size->find('x')));
  if (number.status == NumberStatus::good && number.value >= 200.0 && number.value <= 10000.0) {
    return static_cast<int>(number.value);
  }
  throw InputError(Kind::out_of_range, "--size",
                   fmt::format("--size is '{}', expected WxH with sides from 200 to 10000", printable(*size)));
}

}  // namespace plot_sweep_command

Report plot_sweep(const Arguments& arguments) {
  plot_sweep_command::refuse_record_options(arguments);
  const std::string table_file = *arguments.argument();
  const std::string file =
      arguments.value("--out").value_or(std::filesystem::path(table_file).replace_extension(".svg").string());
  picture_format(file);
  const SweepColumns table = read_sweep_columns(table_file);
  SweepPictureRequest request;
  request.measures.assign(arguments.all_arguments().begin() + 1, arguments.all_arguments().end());
  request.against = arguments.value("--against");
  request.title = arguments.value("--title").value_or("");
  request.logarithmic = arguments.has("--log");
  SweepPicture picture = sweep_picture(table, request);
  const int width = plot_sweep_command::width_of(arguments, picture);
  if (picture.kind == SweepPictureKind::curves) {
    if (arguments.has("--size")) picture.curves.width = width;
    draw(picture.curves, file);
  } else {
    draw_maps(picture.maps, width, file, picture.columns);
  }
  Report report;
  if (arguments.has("--json")) {
    report.text = json_text(Json{{"file", file},
                                 {"kind", picture_kind_name(picture.kind)},
                                 {"rows", table.rows},
                                 {"pictures", std::max(picture.maps.size(), picture.curves.panels.size())}});
  } else {
    report.text = labelled("picture", file) + labelled("kind", picture_kind_name(picture.kind)) +
                  labelled("rows", fmt::format("{}", table.rows));
  }
  return report;
}

}  // namespace carom::app
