#include "carom/analysis/sweep/sweep_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <system_error>

#include "carom/analysis/sweep/table_text.h"
#include "carom/base/error.h"
#include "carom/base/number.h"
#include "carom/base/utf8.h"
#include "carom/record/disk_space.h"
#include "carom/record/hdf5.h"

namespace carom::sweep {
namespace {

constexpr std::size_t kChunkRows = 4096;
constexpr const char* kGroup = "/table";

[[noreturn]] void fail_on(const std::string& path, const std::string& what) {
  const std::string reason = std::generic_category().message(errno);
  Place place;
  place.file = path;
  throw InputError(Kind::file, place, fmt::format("cannot {} '{}': {}", what, printable(path, 200), reason));
}

/// A file beside the table's place, which it takes when it is whole.
class PartFile {
 public:
  explicit PartFile(std::string path) : path_(std::move(path)), part_(path_ + ".part") {}
  ~PartFile() {
    if (!kept_) std::remove(part_.c_str());
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  [[nodiscard]] const std::string& part() const { return part_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  void keep() {
    if (std::rename(part_.c_str(), path_.c_str()) != 0) fail_on(path_, "write");
    kept_ = true;
  }

 private:
  std::string path_, part_;
  bool kept_ = false;
};

class CsvWriter final : public TableWriter {
 public:
  CsvWriter(const std::string& path, std::span<const std::string> columns) : where_(path) {
    file_ = std::fopen(where_.part().c_str(), "wb");
    if (file_ == nullptr) fail_on(path, "write");
    std::string header;
    append_line(header, {columns.begin(), columns.end()});
    add(header);
  }
  ~CsvWriter() override {
    if (file_ != nullptr) std::fclose(file_);
  }
  void add(std::string_view lines) override {
    if (std::fwrite(lines.data(), 1, lines.size(), file_) != lines.size()) fail_on(where_.path(), "write");
  }
  void finish() override {
    std::FILE* const closing = file_;
    file_ = nullptr;
    if (std::fclose(closing) != 0) fail_on(where_.path(), "write");
    where_.keep();
  }

 private:
  PartFile where_;
  std::FILE* file_ = nullptr;
};

/// Of each column; the second of one name is `NAME (2)`.
std::vector<std::string> dataset_names(std::span<const std::string> columns) {
  std::vector<std::string> names;
  for (const std::string& column : columns) {
    std::string plain;
    for (const char c : column) plain += c == '/' ? std::string("\u2215") : std::string(1, c);
    std::string name = plain;
    for (int k = 2; std::find(names.begin(), names.end(), name) != names.end(); ++k)
      name = fmt::format("{} ({})", plain, k);
    names.push_back(std::move(name));
  }
  return names;
}

/// The cells of one column; numbers until a word comes.
struct ColumnCells {
  std::string dataset;
  bool is_text = false;
  std::vector<double> numbers{};
  std::vector<std::string> texts{};

  void add(const std::string& cell) {
    if (!is_text) {
      const NumberText number = read_number(cell);
      if (cell.empty() || number.status != NumberStatus::malformed) {
        numbers.push_back(cell.empty() ? std::numeric_limits<double>::quiet_NaN() : number.value);
        return;
      }
      is_text = true;
      for (const double earlier : numbers) texts.push_back(std::isnan(earlier) ? "" : format_number(earlier));
    }
    texts.push_back(cell);
  }
  [[nodiscard]] hdf5::Column column() const {
    std::size_t longest = 1;
    for (const std::string& text : texts) longest = std::max(longest, text.size());
    hdf5::Element element;
    if (is_text) element = {hdf5::Element::Kind::text, longest};
    return {fmt::format("{}/{}", kGroup, dataset), element, {}};
  }
};

class Hdf5Writer final : public TableWriter {
 public:
  Hdf5Writer(const std::string& path, std::span<const std::string> columns)
      : where_(path), names_(columns.begin(), columns.end()) {
    for (std::string& dataset : dataset_names(columns)) cells_.push_back({std::move(dataset)});
  }
  void add(std::string_view lines) override {
    while (!lines.empty()) {
      const std::size_t end = std::min(lines.find('\n'), lines.size());
      const std::vector<std::string> cells = cells_of(lines.substr(0, end));
      for (std::size_t c = 0; c < cells_.size(); ++c) cells_[c].add(c < cells.size() ? cells[c] : "");
      lines.remove_prefix(std::min(end + 1, lines.size()));
    }
  }
  void finish() override {
    hdf5::File file = hdf5::File::create(where_.part());
    file.create_group(kGroup);
    std::vector<std::string> kinds;
    for (const ColumnCells& cells : cells_) {
      write(file, cells);
      kinds.push_back(cells.is_text ? fmt::format("text {}", cells.column().element.text_length) : "number");
    }
    file.set_attribute("/", "columns", std::span<const std::string>(names_));
    file.set_attribute("/", "kinds", std::span<const std::string>(kinds));
    file.close();
    where_.keep();
  }

 private:
  void write(hdf5::File& file, const ColumnCells& cells) const {
    const hdf5::Column column = cells.column();
    const hdf5::Storage storage{kChunkRows, false};
    std::vector<std::byte> bytes;
    std::size_t rows = cells.numbers.size();
    if (cells.is_text) {
      rows = cells.texts.size();
      bytes.resize(rows * column.element.text_length);
      for (std::size_t i = 0; i < rows; ++i)
        std::memcpy(bytes.data() + i * column.element.text_length, cells.texts[i].data(), cells.texts[i].size());
    } else {
      const auto numbers = std::as_bytes(std::span(cells.numbers));
      bytes.assign(numbers.begin(), numbers.end());
    }
    reserve_space(where_.part(), hdf5::room_for(column, storage, rows));
    file.create_column(column, storage);
    if (rows > 0) file.append_rows(column, rows, bytes);
  }

  PartFile where_;
  std::vector<std::string> names_;
  std::vector<ColumnCells> cells_;
};

void require_cells(const TableLines& table, const std::string& path) {
  for (std::size_t i = 0; i < table.lines.size(); ++i) {
    const std::size_t cells = cell_count(table.lines[i]);
    if (cells == table.columns.size()) continue;
    Place place;
    place.file = path;
    throw InputError(Kind::file, place,
                     fmt::format("'{}' is damaged, or no table: row {} has {} cells, its head {}", printable(path, 200),
                                 i + 1, cells, table.columns.size()));
  }
}

TableLines read_csv(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) fail_on(path, "read");
  std::string text;
  char buffer[1 << 16];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, got);
  std::fclose(file);
  TableLines table;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (table.columns.empty()) {
      table.columns = cells_of(line);
    } else if (!line.empty()) {
      table.lines.emplace_back(line);
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (table.columns.empty()) {
    Place place;
    place.file = path;
    throw InputError(Kind::file, place, fmt::format("'{}' is empty, expected a table", printable(path, 200)));
  }
  require_cells(table, path);
  return table;
}

TableLines read_hdf5(const std::string& path) {
  const hdf5::File file = hdf5::File::read(path);
  const auto names = file.text_list_attribute("columns");
  const auto kinds = file.text_list_attribute("kinds");
  if (!names || !kinds || names->size() != kinds->size() || names->empty()) {
    Place place;
    place.file = path;
    throw InputError(Kind::file, place, fmt::format("'{}' is no table of a sweep", printable(path, 200)));
  }
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> datasets = dataset_names(*names);
  for (std::size_t c = 0; c < names->size(); ++c) {
    ColumnCells cells{std::move(datasets[c])};
    hdf5::Column column = cells.column();
    if ((*kinds)[c].starts_with("text ")) {
      const NumberText length = read_number((*kinds)[c].substr(5));
      column.element = {hdf5::Element::Kind::text, static_cast<std::size_t>(length.value)};
      cells.texts = file.read_texts(column, 0, file.rows(column));
    } else {
      cells.numbers.resize(file.rows(column));
      file.read_rows(column, 0, std::span(cells.numbers));
      for (const double number : cells.numbers) cells.texts.push_back(std::isnan(number) ? "" : format_number(number));
    }
    rows.resize(std::max(rows.size(), cells.texts.size()));
    for (std::size_t i = 0; i < cells.texts.size(); ++i) rows[i].push_back(std::move(cells.texts[i]));
  }
  TableLines table{*names, {}};
  for (const std::vector<std::string>& row : rows) {
    std::string& line = table.lines.emplace_back();
    append_line(line, row);
    line.pop_back();
  }
  return table;
}

}  // namespace

TableKind table_kind(const std::string& path) {
  if (path.ends_with(".csv")) return TableKind::csv;
  if (path.ends_with(".h5")) return TableKind::hdf5;
  throw InputError(Kind::usage, "--out",
                   fmt::format("the table is '{}', expected a name ending in .csv or .h5", printable(path)));
}

std::unique_ptr<TableWriter> write_table(const std::string& path, std::span<const std::string> columns) {
  if (table_kind(path) == TableKind::csv) return std::make_unique<CsvWriter>(path, columns);
  return std::make_unique<Hdf5Writer>(path, columns);
}

TableLines read_table(const std::string& path) {
  return hdf5::is_hdf5(path) ? read_hdf5(path) : read_csv(path);
}

}  // namespace carom::sweep
