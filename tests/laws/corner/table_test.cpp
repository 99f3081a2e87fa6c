#include "carom/laws/corner/table.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "carom/laws/corner/prediction.h"
#include "support/places.h"

namespace carom::corner {
namespace {

std::string published_file() {
  std::ifstream in(test::test_data("corner_table.csv"), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(CornerTable, AllPublishedRowsComeOutToTheLastDigit) {
  std::istringstream published(published_file());
  std::string line;
  ASSERT_TRUE(std::getline(published, line));
  EXPECT_EQ(line, table_header() + "\r");
  const auto rows = published_table();
  ASSERT_EQ(rows.size(), 343U);
  for (const TableRow& row : rows) {
    ASSERT_TRUE(std::getline(published, line));
    EXPECT_EQ(format_row(row) + "\r", line);
  }
}

TEST(CornerTable, TheFileIsWrittenByteForByte) {
  std::ostringstream written;
  write_table(written);
  EXPECT_EQ(written.str(), published_file());
}

TEST(CornerTable, EveryRowIsPredictedWithoutIteration) {
  for (const TableRow& row : published_table()) {
    CornerProblem problem;
    problem.alpha = 3.14159265358979323846 / row.alpha_denominator;
    problem.restitution = row.restitution;
    problem.velocity = row.velocity_before;
    const Prediction prediction = predict(problem);
    EXPECT_EQ(prediction.steps, row.outcome.steps) << row.id;
    EXPECT_EQ(prediction.stop, row.outcome.stop) << row.id;
  }
}

}  // namespace
}  // namespace carom::corner
