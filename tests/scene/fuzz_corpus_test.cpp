// The stored inputs of the fuzz targets through the same functions, so that they are tried in every build.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "contact/heavy_cases.h"
#include "fuzz/feed_problem_file.h"
#include "fuzz/feed_scene_file.h"
#include "support/places.h"

namespace carom {
namespace {

std::vector<std::string> corpus() {
  std::vector<std::string> inputs;
  for (const auto& file : std::filesystem::directory_iterator(test::project_file("tests/fuzz/corpus"))) {
    std::ifstream stream(file.path(), std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return inputs;
}

void feed(std::string_view input) {
  fuzz::feed_problem_file(input);
  fuzz::feed_scene_file(input);
}

TEST(FuzzCorpus, EveryInputIsReadOrRefusedProperly) {
  ASSERT_FALSE(corpus().empty());
  for (const std::string& input : corpus()) EXPECT_NO_THROW(feed(input)) << input;
}

TEST(FuzzCorpus, SoIsEveryBeginningOfOne) {
  for (const std::string& input : corpus()) {
    // Long inputs are cut at some hundred and fifty places at most.
    const auto places = static_cast<std::size_t>(test::property_cases(150));
    for (std::size_t length = 0; length < input.size(); length += 1 + input.size() / places) {
      ASSERT_NO_THROW(feed(std::string_view(input).substr(0, length))) << input.substr(0, length);
    }
  }
}

TEST(FuzzCorpus, SoAreInputsWithRandomBytesChanged) {
  std::mt19937 random(7);
  const std::vector<std::string> inputs = corpus();
  for (int i = 0; i < 4 * test::property_cases(1000); ++i) {
    std::string input = inputs[random() % inputs.size()];
    for (int edits = 0; edits < 3; ++edits) input[random() % input.size()] = static_cast<char>(random() % 256);
    ASSERT_NO_THROW(feed(input)) << input;
  }
}

TEST(FuzzCorpus, SoAreInputsWithLinesDroppedRepeatedOrExchanged) {
  std::mt19937 random(11);
  for (const std::string& input : corpus()) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < input.size();) {
      const std::size_t end = std::min(input.find('\n', at), input.size() - 1) + 1;
      lines.push_back(input.substr(at, end - at));
      at = end;
    }
    if (lines.size() < 3) continue;
    for (int i = 0; i < test::heavy_cases(40); ++i) {
      std::vector<std::string> changed = lines;
      const std::size_t from = random() % lines.size();
      const std::size_t to = random() % lines.size();
      if (i % 3 == 0) changed[from].clear();
      if (i % 3 == 1) changed[to] = lines[from];
      if (i % 3 == 2) std::swap(changed[from], changed[to]);
      std::string text;
      for (const std::string& line : changed) text += line;
      ASSERT_NO_THROW(feed(text)) << text;
    }
  }
}

}  // namespace
}  // namespace carom
