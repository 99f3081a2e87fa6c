#include "output/sweep_columns.h"

#include <algorithm>
#include <limits>

#include "carom/analysis/sweep/sweep_journal.h"
#include "carom/analysis/sweep/sweep_table.h"
#include "carom/analysis/sweep/table_text.h"
#include "carom/analysis/sweep/variation.h"
#include "carom/base/error.h"
#include "carom/base/nearest_name.h"
#include "carom/base/number.h"
#include "carom/record/hdf5.h"
#include "carom/scene/document/read_document.h"

namespace carom::app {
namespace {

constexpr std::string_view kIndex = "index";

/// The texts of --vary, from the journal; empty where there is none.
std::vector<std::string> varied_texts(const std::string& table) {
  std::vector<std::string> texts;
  try {
    const std::string journal = scene::read_text(sweep::journal_path(table));
    const scene::Document document = scene::parse_document("journal", journal.substr(0, journal.find('\n')));
    const scene::Node* const vary = document.root.find("vary");
    if (vary == nullptr || !vary->is(scene::Node::Type::array)) return texts;
    for (const scene::Node& text : vary->array())
      if (text.is(scene::Node::Type::string)) texts.push_back(text.string());
  } catch (const InputError&) {
    texts.clear();
  }
  return texts;
}

void add_cell(SweepColumn& column, const std::string& cell) {
  const NumberText number = read_number(cell);
  const bool good = number.status != NumberStatus::malformed;
  column.numbers.push_back(good ? number.value : std::numeric_limits<double>::quiet_NaN());
  if (good || cell.empty() || column.is_text()) {
    if (column.is_text()) column.words.push_back(cell);
    return;
  }
  for (std::size_t i = 0; i + 1 < column.numbers.size(); ++i) column.words.push_back(format_number(column.numbers[i]));
  column.words.push_back(cell);
}

}  // namespace

std::size_t SweepColumns::find(std::string_view name) const {
  std::vector<std::string_view> known;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == name) return i;
    known.push_back(columns[i].name);
  }
  throw InputError(Kind::unknown_name, "column", unknown_name_message("column", name, known));
}

bool is_sweep_table(const std::string& path) {
  if (path.ends_with(".csv")) return true;
  if (!hdf5::is_hdf5(path)) return false;
  try {
    const hdf5::File file = hdf5::File::read(path);
    return file.text_list_attribute("columns").has_value() && file.text_list_attribute("kinds").has_value();
  } catch (const InputError&) {
    return false;
  }
}

SweepColumns read_sweep_columns(const std::string& path) {
  const sweep::TableLines table = sweep::read_table(path);
  SweepColumns made;
  for (const std::string& name : table.columns) made.columns.push_back({name, {}, {}, false});
  for (const std::string& line : table.lines) {
    const std::vector<std::string> cells = sweep::cells_of(line);
    for (std::size_t c = 0; c < made.columns.size(); ++c) add_cell(made.columns[c], c < cells.size() ? cells[c] : "");
  }
  made.rows = table.lines.size();
  const auto index = std::find(table.columns.begin(), table.columns.end(), kIndex);
  made.has_instants = index != table.columns.end();
  const std::vector<std::string> texts = varied_texts(path);
  made.varied = !texts.empty()      ? std::min(texts.size(), made.columns.size())
                : made.has_instants ? static_cast<std::size_t>(index - table.columns.begin())
                                    : 1;
  for (std::size_t v = 0; v < std::min(made.varied, texts.size()); ++v) {
    made.columns[v].logarithmic = sweep::read_variation(texts[v]).spacing == sweep::Spacing::logarithmic;
  }
  return made;
}

}  // namespace carom::app
