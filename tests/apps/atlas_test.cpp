#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "apps/gnuplot_needed.h"
#include "apps/png_reader.h"
#include "apps/tool.h"
#include "common/compression.h"
#include "common/map_colours.h"
#include "common/map_picture.h"

namespace carom::test {
namespace {

app::Colour sequential(double share) {
  return app::value_colour(app::Hues::sequential, share);
}

Map small_map() {
  Map map;
  map.title = "a <b> & c";
  map.x_label = "x";
  map.y_label = "α [°]";
  map.columns = 3;
  map.rows = 2;
  map.values = {0.0, 1.0, std::nan(""), 2.0, 3.0, 4.0};
  return map;
}

/// The bytes of the picture of a map.
std::string drawn(const Map& map, const char* ending, int width = 640) {
  const ScratchFolder scratch;
  const std::string path = scratch.file(std::string("map") + ending);
  app::draw_maps({&map, 1}, width, path);
  return read_text(path);
}

/// The first PNG inside an SVG.
std::string embedded_png(const std::string& svg) {
  const std::string mark = "base64,";
  const std::size_t at = svg.find(mark);
  return at == std::string::npos ? "" : app::base64_decoded(svg.substr(at + mark.size()));
}

TEST(MapScale, ZeroIsInTheMiddleWhereValuesHaveBothSigns) {
  Map map;
  map.columns = 3;
  map.rows = 1;
  map.values = {-1.0, 0.0, 4.0};
  const app::ValueScale scale = app::value_scale(map);
  EXPECT_EQ(scale.hues, app::Hues::diverging);
  EXPECT_EQ(scale.share(0.0), 0.5);
  EXPECT_EQ(scale.share(-4.0), 0.0);
  map.values = {0.0, 1.0, 4.0};
  EXPECT_EQ(app::value_scale(map).hues, app::Hues::sequential);
}

TEST(MapScale, DirectionsOfAWholeTurnHaveOneColour) {
  Map map;
  map.columns = 2;
  map.rows = 1;
  map.values = {-170.0, 30.0};
  map.period = 360.0;
  const app::ValueScale scale = app::value_scale(map);
  EXPECT_EQ(scale.hues, app::Hues::cyclic);
  EXPECT_EQ(app::value_colour(scale.hues, 0.0), app::value_colour(scale.hues, 1.0));
  EXPECT_NEAR(scale.share(370.0), scale.share(10.0), 1e-15);
  EXPECT_EQ(scale.share(-180.0), 0.0);
  EXPECT_EQ(scale.share(180.0), 1.0);
}

TEST(MapPicture, TheSvgHasOnePixelForEachCellWithTheHighestRowFirst) {
  NEEDS_GNUPLOT();
  const std::string svg = drawn(small_map(), ".svg");
  const PngImage image = read_png(embedded_png(svg));
  ASSERT_EQ(image.width, 3u);
  ASSERT_EQ(image.height, 2u);
  EXPECT_EQ(image.pixels[0], sequential(0.5));  // 2, upper left
  EXPECT_EQ(image.pixels[2], sequential(1.0));  // 4
  EXPECT_EQ(image.pixels[3], sequential(0.0));  // 0, lower left
  EXPECT_EQ(image.pixels[5], (app::Colour{200, 200, 200}));
  EXPECT_NE(svg.find("image-rendering:pixelated"), std::string::npos);
}

TEST(MapPicture, TheSvgIsOneFileThatNeedsNoOther) {
  NEEDS_GNUPLOT();
  const ScratchFolder scratch;
  const Map map = small_map();
  app::draw_maps({&map, 1}, 640, scratch.file("map.svg"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch.file("")), {}), 1);
  const std::string svg = read_text(scratch.file("map.svg"));
  for (std::size_t at = svg.find("href='"); at != std::string::npos; at = svg.find("href='", at + 1)) {
    const std::string_view target = std::string_view(svg).substr(at + 6, 10);
    EXPECT_TRUE(target.starts_with("data:image") || target.starts_with("#")) << target;
  }
}

TEST(MapPicture, TextsAreShownAndNeverRun) {
  NEEDS_GNUPLOT();
  const ScratchFolder scratch;
  Map map = small_map();
  const std::string touched = scratch.file("touched");
  map.title = "a <b> & c'; system 'touch " + touched + "'; x='";
  map.x_label = "`touch " + touched + "`";
  map.classes = {"it's", "\"b\"", "c", "d", "e\nf"};
  const std::string svg = drawn(map, ".svg");
  EXPECT_NE(svg.find("a &lt;b> &amp; c"), std::string::npos);
  EXPECT_EQ(svg.find("<b>"), std::string::npos);
  EXPECT_NE(svg.find("`touch "), std::string::npos);
  EXPECT_NE(svg.find("e\\x0Af"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(touched));
}

TEST(MapPicture, ClassesThatOccurAreNamedAndOthersNot) {
  NEEDS_GNUPLOT();
  Map map = small_map();
  map.classes = {"first", "second", "third", "fourth", "fifth", "absent"};
  const std::string svg = drawn(map, ".svg");
  EXPECT_NE(svg.find(">fourth<"), std::string::npos);
  EXPECT_NE(svg.find(">no value<"), std::string::npos);
  EXPECT_EQ(svg.find(">absent<"), std::string::npos);
  const PngImage image = read_png(embedded_png(svg));
  EXPECT_EQ(image.pixels[3], (app::Colour{0, 114, 178}));
}

TEST(MapPicture, ThePngDecodesAndShowsEveryColourOfTheCells) {
  NEEDS_GNUPLOT();
  const PngImage image = read_png(drawn(small_map(), ".png", 400));
  EXPECT_EQ(image.width, 800u);
  const app::Colour black{0, 0, 0}, white{255, 255, 255};
  for (const app::Colour colour : {sequential(0.0), sequential(0.5), sequential(1.0), black, white}) {
    EXPECT_NE(std::find(image.pixels.begin(), image.pixels.end(), colour), image.pixels.end());
  }
}

TEST(MapPicture, MapsWithoutValuesOrWithOneValueAreDrawn) {
  NEEDS_GNUPLOT();
  Map map = small_map();
  map.values.assign(6, std::nan(""));
  EXPECT_NO_THROW(read_png(drawn(map, ".png")));
  map.values.assign(6, 1e300);
  map.logarithmic = true;
  EXPECT_NO_THROW(read_png(drawn(map, ".png")));
  map.values = {1.0, 10.0, 100.0, 0.0, -1.0, 1000.0};
  const PngImage image = read_png(embedded_png(drawn(map, ".svg")));
  EXPECT_EQ(image.pixels[0], (app::Colour{200, 200, 200}));  // 0 has no logarithm
  EXPECT_EQ(image.pixels[2], sequential(1.0));
}

TEST(MapPicture, MapsOfOneRowOneColumnOrOneCellAreDrawn) {
  NEEDS_GNUPLOT();
  Map map = small_map();
  for (const auto& [columns, rows] : {std::pair{1, 1}, {1, 3}, {3, 1}}) {
    map.columns = static_cast<std::size_t>(columns);
    map.rows = static_cast<std::size_t>(rows);
    map.values.assign(map.columns * map.rows, 0.0);
    map.values.back() = 1.0;
    map.value_range = {0.0, 1.0};
    const PngImage image = read_png(embedded_png(drawn(map, ".svg")));
    EXPECT_EQ(image.pixels[image.width - 1], sequential(1.0)) << columns << "x" << rows;
    EXPECT_EQ(image.pixels[image.width * (image.height - 1)], sequential(columns * rows == 1 ? 1.0 : 0.0));
  }
}

TEST(MapPicture, CurvesGoOverTheCells) {
  NEEDS_GNUPLOT();
  Map map = small_map();
  const PngImage without = read_png(drawn(map, ".png"));
  map.curves.push_back({.label = "limit", .x = {0.0, 1.0}, .y = {0.0, 1.0}, .colour = 1});
  const PngImage with = read_png(drawn(map, ".png"));
  const app::Colour vermilion{0xD5, 0x5E, 0x00};
  EXPECT_EQ(std::count(without.pixels.begin(), without.pixels.end(), vermilion), 0);
  EXPECT_GT(std::count(with.pixels.begin(), with.pixels.end(), vermilion), 500);
}

TEST(AtlasCommand, JsonTellsTheMaps) {
  const ToolRun run = shell("carom atlas corner --laws newton,geometric --quantity energy --size 12x9 --json");
  ASSERT_EQ(run.code, 0) << run.err;
  const auto json = run.json();
  EXPECT_EQ(json["family"], "corner");
  EXPECT_EQ(json["columns"], 12);
  EXPECT_EQ(json["rows"], 9);
  ASSERT_EQ(json["maps"].size(), 3u);
  EXPECT_EQ(json["maps"][0]["law"], "newton");
  EXPECT_EQ(json["maps"][2]["quantity"], "disagreement");
  EXPECT_TRUE(json["maps"][2]["law"].is_null());
}

TEST(AtlasCommand, WritesPictureAndData) {
  NEEDS_GNUPLOT();
  const ScratchFolder scratch;
  const std::string svg = scratch.file("a.svg"), png = scratch.file("a.png"), csv = scratch.file("a.csv");
  const std::string command = "carom atlas approach --alpha 30deg --laws geometric --quantity zone --size 8x4 ";
  ASSERT_EQ(shell(command + "-o " + svg + " --data " + csv).code, 0);
  ASSERT_EQ(shell(command + "-o " + png).code, 0);
  EXPECT_EQ(read_png(embedded_png(read_text(svg))).width, 8u);
  EXPECT_GT(read_png(read_text(png)).width, 1000u);
  std::istringstream lines(read_text(csv));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "direction_deg,restitution,zone");
  int rows = 0;
  while (std::getline(lines, line)) ++rows;
  EXPECT_EQ(rows, 32);
}

TEST(AtlasCommand, BadInputIsRefusedBeforeTheWork) {
  for (const char* const arguments :
       {"mountain",
        "corner -o a.pdf",
        "corner --size 10",
        "corner --size 0x5",
        "corner --size 3.5x5",
        "corner --x 5deg",
        "corner --x 40deg,20deg",
        "corner --y 0,2",
        "corner --laws newtn",
        "corner --quantity colour",
        "corner --planes 2",
        "corner --aim 1 --direction 10deg",
        "ellipsoid --planes 5",
        "ellipsoid --quantity direction",
        "approach --alpha 90deg",
        "file",
        "file --problem examples/cradle.json --vary velocity.0 --x 0,1 --y 0,1",
        "file --problem examples/cradle.json --vary velocity.0 --vary velocity.9 --x 0,1 --y 0,1",
        "corner --laws newton --quantity disagreement",
        "corner --threads 0",
        "corner --width 10"}) {
    const ToolRun run = shell(std::string("carom atlas ") + arguments);
    EXPECT_EQ(run.code, 2) << arguments << run.out << run.err;
  }
}

TEST(AtlasCommand, ASignalEndsALongMap) {
  const ToolRun run = shell("timeout --preserve-status -s INT 1 carom atlas corner --laws compliant --size 2000x2000");
  EXPECT_EQ(run.code, 130) << run.err;
  EXPECT_EQ(run.out, "");
}

}  // namespace
}  // namespace carom::test
