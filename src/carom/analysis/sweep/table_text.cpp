#include "carom/analysis/sweep/table_text.h"

#include "carom/base/number.h"
#include "carom/scene/document/source.h"
#include "carom/scene/document/toml_writer.h"
#include "carom/scene/value_node.h"

namespace carom::sweep {

void append_cell(std::string& text, std::string_view cell) {
  if (cell.find_first_of(",\"\n\r") == std::string_view::npos) {
    text += cell;
    return;
  }
  text += '"';
  for (const char c : cell) {
    if (c == '"') text += '"';
    text += c == '\n' || c == '\r' ? ' ' : c;  // a row is a line
  }
  text += '"';
}

void append_cell_of(std::string& text, const Value& value) {
  switch (value.type()) {
    case Value::Type::none: return;
    case Value::Type::boolean: text += value.boolean() ? "true" : "false"; return;
    case Value::Type::integer: text += std::to_string(value.integer()); return;
    case Value::Type::real: append_shortest(text, value.number()); return;
    case Value::Type::text: append_cell(text, value.text()); return;
    case Value::Type::list:
    case Value::Type::table: break;
  }
  append_cell(text, scene::toml_text(scene::node_of(value, ""), scene::Source("", "")));
}

void append_line(std::string& text, const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) text += ',';
    append_cell(text, cells[i]);
  }
  text += '\n';
}

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else if (c != '\r') {
      cells.back() += c;
    }
  }
  return cells;
}

std::size_t cell_count(std::string_view line) {
  bool quoted = false;
  std::size_t count = 1;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;  // twice for a quotation mark in a cell
    if (c == ',' && !quoted) ++count;
  }
  return count;
}

void FailedRows::look_at(std::string_view line) {
  // Most rows end with a plain word.
  const std::size_t comma = line.rfind(',');
  const std::string_view last = line.substr(comma == std::string_view::npos ? 0 : comma + 1);
  if (last.find(": ") == std::string_view::npos && last.find('"') == std::string_view::npos) return;
  const std::string stop = cells_of(line.substr(0, line.find_last_not_of("\r\n") + 1)).back();
  if (stop.find(": ") == std::string::npos) return;
  if (count++ == 0) first = stop;
}

}  // namespace carom::sweep
