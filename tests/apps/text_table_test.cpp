#include "common/text_table.h"

#include <gtest/gtest.h>

#include <limits>

namespace carom::app {
namespace {

TEST(TextTable, AlignsColumnsByCellsNotBytes) {
  TextTable table({{"name", Align::left}, {"value"}});
  table.add_row({"Kugel α", "1"});
  table.add_row({"板", "–"});
  EXPECT_EQ(table.text(),
            "  name     value\n"
            "  Kugel α      1\n"
            "  板           –\n");
}

TEST(TextTable, CellsMayHaveSeveralLines) {
  TextTable table({{"law", Align::left}, {"flags", Align::left}});
  table.add_row({"rough", "one\ntwo"});
  EXPECT_EQ(table.text(),
            "  law    flags\n"
            "  rough  one\n"
            "         two\n");
}

TEST(TextTable, ColumnsThatDoNotFitFollowBelowWithTheFirstRepeated) {
  std::vector<Column> columns{{"row"}};
  std::vector<std::string> row{"0"};
  for (int i = 0; i < 12; ++i) {
    columns.push_back({std::string("column ") + std::to_string(i)});
    row.emplace_back("123456789");
  }
  TextTable table(columns);
  table.add_row(row);
  const std::string text = table.text();
  EXPECT_GT(table.width(), kTerminalWidth);
  EXPECT_NE(text.find("\n\n  row   column 6"), std::string::npos) << text;
}

TEST(TextTable, LongNarrowTablesStandInBlocksSideBySide) {
  TextTable table({{"i"}, {"v"}});
  for (int i = 0; i < 60; ++i) table.add_row({std::to_string(i), std::to_string(i * i)});
  const std::string text = table.text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 16) << text;
  EXPECT_NE(text.find("59  3481"), std::string::npos);
}

TEST(TextTable, NumbersThatDoNotExistAreDashes) {
  EXPECT_EQ(cell(std::numeric_limits<double>::quiet_NaN()), "–");
  EXPECT_EQ(cell(std::numeric_limits<double>::infinity()), "–");
  EXPECT_EQ(cell(std::optional<double>()), "–");
  EXPECT_EQ(cell(-0.0), "0");
  EXPECT_EQ(cell(1.0 / 3.0), "0.3333333");
  EXPECT_EQ(cell(1.0 / 3.0, 3), "0.333");
}

TEST(TextTable, WrapsAtBlanks) {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "words ";
  text.pop_back();
  const std::string wrapped = wrap(text, 4);
  EXPECT_NE(wrapped.find("\n    words"), std::string::npos);
  for (std::size_t begin = 0, end = 0; begin < wrapped.size(); begin = end + 1) {
    end = std::min(wrapped.find('\n', begin), wrapped.size());
    EXPECT_LE(end - begin, 100u);
  }
  EXPECT_EQ(wrap("", 4), "");
}

}  // namespace
}  // namespace carom::app
