/// `carom plot` as a user meets it. Where gnuplot is missing, what needs it is skipped.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <sstream>

#include "apps/gnuplot_needed.h"
#include "apps/tool.h"
#include "carom/record/record_writer.h"
#include "common/gnuplot.h"

namespace carom::test {
namespace {

using nlohmann::json;

constexpr const char* kBouncing = R"(
format = 1
title = "a ball"
[world]
gravity = [0, 0, -10]
[run]
duration = 2
output_step = 0.01
[[material]]
name = "rubber"
[[pair]]
materials = ["rubber", "rubber"]
restitution = 0.5
[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.1 }
mass = 1
material = "rubber"
position = [0, 0, 1.1]
velocity = [1, 0, 0]
[[plane]]
name = "floor"
normal = [0, 0, 1]
material = "rubber"
)";

class PlotCommand : public testing::Test {
 protected:
  std::string record(const std::string& scene, const std::string& name, const std::string& options = "") {
    write_text(folder_.file("scene.toml"), scene);
    const ToolRun run =
        shell("carom run " + folder_.file("scene.toml") + " --out " + folder_.file(name) + " " + options);
    EXPECT_EQ(run.code, 0) << run.err;
    return folder_.file(name);
  }
  std::string ball() { return record(kBouncing, "ball.h5"); }

  /// Files in the folder.
  [[nodiscard]] std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.file("")))
      names.insert(entry.path().filename());
    return names;
  }

  ScratchFolder folder_;
};

TEST_F(PlotCommand, TellsTheQuantitiesItDrew) {
  const std::string run = ball(), data = folder_.file("d.csv");
  const json result = shell("carom plot " + run + " energy position.ball.z --json --data " + data).json();
  EXPECT_TRUE(result["file"].is_null());
  std::vector<std::string> names;
  for (const json& quantity : result["quantities"]) names.push_back(quantity["name"]);
  EXPECT_EQ(names, (std::vector<std::string>{"energy.kinetic", "energy.gravity", "energy.dissipated", "energy.total",
                                             "position.ball.z"}));
  const json z = result["quantities"][4];
  EXPECT_EQ(z["unit"], "m");
  EXPECT_EQ(z["first"], 1.1);
  EXPECT_EQ(z["maximum"], 1.1);
  EXPECT_NEAR(z["last"].get<double>(), 0.1, 1e-12);
  // Five quantities at the samples, and twice at every bounce.
  const int at_jumps = result["points"].get<int>() - 5 * 201;
  EXPECT_GT(at_jumps, 0);
  EXPECT_EQ(at_jumps % (5 * 2), 0);
}

TEST_F(PlotCommand, SizesAreInMillimetresAndLettersInPoints) {
  const std::string run = ball(), script = folder_.file("p.gp");
  ASSERT_EQ(shell("carom plot " + run + " velocity.ball.z --size 85x60mm --font 7.5 --data " + script).code, 0);
  const std::string text = read_text(script);
  EXPECT_NE(text.find("set terminal svg size 321,227 "), std::string::npos) << text.substr(0, 300);
  EXPECT_NE(text.find("font 'sans-serif,10'"), std::string::npos) << text.substr(0, 300);  // px, as SVG has them
  EXPECT_NE(text.find("set minussign"), std::string::npos);
  EXPECT_EQ(shell("carom plot " + run + " --size 20x20mm").code, 2);
  EXPECT_EQ(shell("carom plot " + run + " --font 100").code, 2);
}

TEST_F(PlotCommand, LowPanelsOfANarrowPictureShareTheirLegendAndHaveFewTics) {
  const std::string run = ball(), script = folder_.file("p.gp");
  const std::string compare = "carom plot --compare " + run + " " + run + " position.ball.z velocity.ball.z ";
  ASSERT_EQ(shell(compare + "--size 85x60mm --font 8 --data " + script).code, 0);
  const std::string text = read_text(script);
  EXPECT_NE(text.find("'position z'.\"\\n\".'of ball [m]'"), std::string::npos) << "labels longer than their panels";
  EXPECT_EQ(text.find("set key at"), text.rfind("set key at")) << "one legend";
  EXPECT_EQ(text.find("set ytics autofreq"), std::string::npos);
  EXPECT_NE(text.find(" rounded "), std::string::npos) << "corners do not reach beyond the values";
  ASSERT_EQ(shell("carom plot " + run + " position.ball.z --data " + script).code, 0);
  EXPECT_NE(read_text(script).find("set ytics autofreq"), std::string::npos);
}

TEST_F(PlotCommand, CurvesOfOnePanelDifferInTheirDashes) {
  const std::string run = ball(), script = folder_.file("p.gp");
  ASSERT_EQ(shell("carom plot " + run + " energy --data " + script).code, 0);
  const std::string text = read_text(script);
  std::set<std::string> dashes;
  for (std::size_t at = text.find(" dt "); at != std::string::npos; at = text.find(" dt ", at + 1))
    dashes.insert(text.substr(at, text.find(" lw", at) - at));
  EXPECT_EQ(dashes.size(), 4u);  // kinetic, gravity, dissipated, total
}

TEST_F(PlotCommand, ComparedScenesAreNamedByWhatDiffersAndKeepTheirImpacts) {
  const std::string one = ball();
  std::string other = kBouncing;
  other.replace(other.find("restitution = 0.5"), 17, "restitution = 0.7");
  const std::string two = record(other, "other.h5"), script = folder_.file("p.gp");
  ASSERT_EQ(shell("carom plot --compare " + one + " " + two + " position.ball.z --data " + script).code, 0);
  const std::string text = read_text(script);
  EXPECT_NE(text.find("pair.0.restitution = 0.5"), std::string::npos);
  EXPECT_NE(text.find("pair.0.restitution = 0.7"), std::string::npos);
  EXPECT_NE(text.find("marks below: impacts"), std::string::npos);
}

TEST_F(PlotCommand, ABounceIsLeastAtItsImpactAndEnergiesJumpThere) {
  const std::string run = folder_.file("b.h5"), data = folder_.file("b.csv");
  ASSERT_EQ(shell("carom run scenes/bouncing-ball.toml --duration 1 -o " + run).code, 0);
  const std::string plot = "carom plot " + run + " position.ball.z energy.kinetic --data " + data;
  const json table = shell(plot + " --from 0.3 --to 0.6 --json").json()["quantities"][0];
  EXPECT_NEAR(table["minimum"].get<double>(), 0.1, 1e-12);
  EXPECT_NEAR(table["minimum_time"].get<double>(), 0.451523641, 5e-10);
  EXPECT_NE(shell(plot + " --from 0.3 --to 0.6").out.find("0.451523641"), std::string::npos);
  std::istringstream lines(read_text(data));
  std::string line;
  std::map<std::string, std::vector<std::pair<double, double>>> rows;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const std::size_t value = line.rfind(','), time = line.rfind(',', value - 1);
    rows[line.substr(0, line.find(','))].emplace_back(std::stod(line.substr(time + 1)),
                                                      std::stod(line.substr(value + 1)));
  }
  const auto& z = rows["\"position.ball.z\""];
  const auto least = std::min_element(z.begin(), z.end(), [](auto a, auto b) { return a.second < b.second; });
  ASSERT_NE(least, z.end());
  EXPECT_NEAR(least->first, 0.451523641, 5e-10);
  EXPECT_NEAR(least->second, 0.1, 1e-12);
  std::vector<double> kinetic;
  for (const auto& [time, value] : rows["\"energy.kinetic\""])
    if (time == least->first) kinetic.push_back(value);
  ASSERT_EQ(kinetic.size(), 2u);
  EXPECT_NEAR(kinetic[0], 9.81, 1e-11);
  EXPECT_NEAR(kinetic[1], 0.81 * 9.81, 1e-11);
}

TEST_F(PlotCommand, WritesEveryValueIntoATable) {
  const std::string run = ball(), data = folder_.file("d.csv");
  ASSERT_EQ(shell("carom plot " + run + " position.ball.x impulse.floor --from 0.5 --to 1 --data " + data).code, 0);
  std::istringstream lines(read_text(data));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "quantity,unit,time,value");
  int positions = 0, impulses = 0;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string name, unit, time, value;
    std::getline(cells, name, ',');
    std::getline(cells, unit, ',');
    std::getline(cells, time, ',');
    std::getline(cells, value, ',');
    EXPECT_GE(std::stod(time), 0.5);
    EXPECT_LE(std::stod(time), 1.0);
    if (name == "\"position.ball.x\"") {
      EXPECT_NEAR(std::stod(value), std::stod(time), 1e-12);
      ++positions;
    } else {
      EXPECT_EQ(name, "\"impulse.floor\"");
      EXPECT_EQ(unit, "\"N s\"");
      // The second impact: half the speed of the first, √20/2, turned round with half of it left.
      EXPECT_NEAR(std::stod(value), 0.75 * std::sqrt(20.0), 1e-9);
      ++impulses;
    }
  }
  EXPECT_EQ(positions, 51 + 2);  // before and after the impact
  EXPECT_EQ(impulses, 1);
}

TEST_F(PlotCommand, DrawsInThreeFormats) {
  NEEDS_GNUPLOT();
  const std::string run = ball();
  const std::pair<std::string, std::string> kinds[] = {{"svg", "<?xml"}, {"png", "\x89PNG"}, {"pdf", "%PDF"}};
  for (const auto& kind : kinds) {
    const std::string file = folder_.file("e." + kind.first);
    const ToolRun plot = shell("carom plot " + run + " energy velocity.ball position.ball.z impulse.ball -o " + file);
    EXPECT_EQ(plot.code, 0) << plot.err;
    EXPECT_EQ(plot.err, "");
    EXPECT_NE(plot.out.find("picture: " + file), std::string::npos) << plot.out;
    EXPECT_EQ(read_text(file).substr(0, kind.second.size()), kind.second);
  }
  const std::string svg = read_text(folder_.file("e.svg"));
  for (const char* const text : {"energy [J]", "kinetic", "velocity [m/s]", "position z of ball [m]", "time [s]",
                                 "impulse of ball [N s]", "a ball", "grey lines: impacts"}) {
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  }
}

TEST_F(PlotCommand, WithoutANameThePictureIsNamedAfterTheRecord) {
  NEEDS_GNUPLOT();
  const std::string run = ball();
  EXPECT_EQ(shell("carom plot " + run + " --json").json()["file"], folder_.file("ball.svg"));
  EXPECT_EQ(files(), (std::set<std::string>{"ball.h5", "ball.svg", "scene.toml"}));
}

TEST_F(PlotCommand, ComparesRecordsByWhatDistinguishesThem) {
  NEEDS_GNUPLOT();
  const std::string a = record(kBouncing, "a.h5", "--set run.law=newton");
  const std::string b = record(kBouncing, "b.h5", "--set run.law=poisson");
  const std::string c = record(kBouncing, "c.h5", "--set run.law=newton --set body.ball.mass=2");
  const std::string file = folder_.file("c.svg");
  json result = shell("carom plot --compare " + a + " " + b + " energy.total position.ball.z --json -o " + file).json();
  EXPECT_EQ(result["quantities"].size(), 4u);
  EXPECT_EQ(result["quantities"][0]["record"], "newton");
  EXPECT_EQ(result["quantities"][3]["record"], "poisson");
  EXPECT_NE(read_text(file).find("poisson"), std::string::npos);
  result = shell("carom plot --compare " + a + " " + c + " energy --json -o " + file).json();
  EXPECT_EQ(result["quantities"][0]["record"], "a");
  EXPECT_EQ(result["quantities"].back()["record"], "body.ball.mass=2");
  EXPECT_EQ(shell("carom plot --compare " + a + " " + a + " --json -o " + file).code, 0);
}

/// The text as one word of a shell.
std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

TEST_F(PlotCommand, NamesFromTheRecordAreTextAndNothingElse) {
  NEEDS_GNUPLOT();
  const std::string proof = folder_.file("owned"), run = folder_.file("evil.h5");
  // What gnuplot, a shell, SVG and markup could take for something else. No scene may have a line feed in a name, but a
  // file that says it is a record may.
  const std::vector<std::string> names = {"`touch " + proof + "`",
                                          "'; system('touch " + proof + "'); '",
                                          "\"; system(\"touch " + proof + "\") #",
                                          "<script>alert(1)</script>",
                                          "a_{b}^{c} @x &amp; %s %d {/Bold t}",
                                          "line\nset output 'x'",
                                          "$(touch " + proof + ")",
                                          "日本語 Größe ½",
                                          "\xff\xfe"};
  Model model;
  State state;
  std::string quantities;
  for (const std::string& name : names) {
    model.bodies.emplace_back();
    model.bodies.back().name = name;
    state.bodies.emplace_back();
    quantities += " " + shell_word("position.\"" + name + "\".y");
  }
  RecordWriter writer(run, model, RecordHeader{});
  for (const double time : {0.0, 1.0}) {
    state.time = time;
    writer.sample(state, {});
  }
  writer.finish(RunStop::duration, "{}");
  const std::string title = " --title " + shell_word("`touch " + proof + "` '<b>");
  for (const char* const ending : {"svg", "png", "pdf"}) {
    const std::string file = folder_.file(std::string("p.") + ending);
    const ToolRun plot = shell("carom plot " + run + quantities + title + " --size 1800x1200 -o " + file);
    EXPECT_EQ(plot.code, 0) << plot.err;
  }
  EXPECT_FALSE(std::filesystem::exists(proof));
  const std::string svg = read_text(folder_.file("p.svg"));
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find("<b>"), std::string::npos);
  EXPECT_NE(svg.find("&lt;script>alert(1)&lt;/script>"), std::string::npos);
  EXPECT_NE(svg.find("`touch "), std::string::npos);
  EXPECT_NE(svg.find("日本語 Größe ½"), std::string::npos);
  EXPECT_NE(svg.find("line\\x0Aset output"), std::string::npos);
  EXPECT_NE(svg.find("\\xFF\\xFE"), std::string::npos);
}

/// A record with these samples of one ball's height.
std::string record_heights(const std::string& path, const std::vector<double>& heights) {
  Model model;
  model.bodies.resize(1);
  model.bodies[0].name = "ball";
  RecordWriter writer(path, model, RecordHeader{});
  for (std::size_t i = 0; i < heights.size(); ++i) {
    State state;
    state.time = 0.1 * static_cast<double>(i);
    state.bodies.resize(1);
    state.bodies[0].position.z() = heights[i];
    writer.sample(state, {});
  }
  writer.finish(RunStop::duration, "{}");
  return path;
}

TEST_F(PlotCommand, OddSeriesAreDrawnAsFarAsTheyGo) {
  NEEDS_GNUPLOT();
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  const std::vector<std::vector<double>> series = {
      {1.0},      {0.0, 0.0, 0.0}, {2.0, 2.0 + 1e-15, 2.0}, {1.0, nan, 2.0, infinity, 3.0},
      {nan, nan}, {-1e308, 1e308}, {1e-320, 2e-320}};
  for (const std::vector<double>& heights : series) {
    const std::string run = record_heights(folder_.file("odd.h5"), heights);
    for (const char* const options : {"", "--log", "--events"}) {
      const ToolRun plot =
          shell("carom plot " + run + " position.ball.z " + options + " -o " + folder_.file("odd.svg"));
      EXPECT_EQ(plot.code, 0) << plot.err << testing::PrintToString(heights);
      const ToolRun path =
          shell("carom plot " + run + " position.ball.z --against position.ball.x -o " + folder_.file("odd.svg"));
      EXPECT_EQ(path.code, 0) << path.err << testing::PrintToString(heights);
    }
  }
  const std::string empty = record_heights(folder_.file("empty.h5"), {});
  EXPECT_EQ(shell("carom plot " + empty + " -o " + folder_.file("empty.svg")).code, 2);
}

TEST_F(PlotCommand, BadInputIsMetWithWhatWasExpected) {
  const std::string run = ball();
  const auto expect = [](const std::string& arguments, int code, const std::string& kind, const std::string& part) {
    const ToolRun plot = shell("carom plot " + arguments + " --json");
    EXPECT_EQ(plot.code, code) << arguments << plot.out;
    EXPECT_EQ(plot.json()["error"]["kind"], kind) << plot.out;
    EXPECT_NE(plot.json()["error"]["message"].get<std::string>().find(part), std::string::npos) << plot.out;
  };
  expect(run + " enrgy", 2, "unknown-name", "did you mean 'energy'?");
  expect(run + " position.bal.z", 2, "unknown-name", "did you mean 'ball'?");
  expect(run + " -o e.jpg", 2, "usage", "expected .svg, .png or .pdf");
  expect(run + " --data e.txt", 2, "usage", "expected .csv or .gp");
  expect(run + " --size 3", 2, "out-of-range", "expected WxH");
  expect(run + " --size 3x99999", 2, "out-of-range", "expected WxH");
  expect(run + " --from 2 --to 1", 2, "out-of-range", "before --from");
  expect(run + " --from 20", 2, "out-of-range", "nothing to plot in this span");
  expect(run + " --from soon", 2, "syntax", "--from");
  expect(run + " " + run, 2, "usage", "several are compared with --compare");
  expect("--compare " + run, 2, "usage", "two records or more");
  expect("--compare " + run + " energy " + run, 2, "usage", "records come first");
  expect(run + " --against position.ball", 2, "usage", "means 3 quantities");
  expect(run + " --against impulse.ball", 2, "unsupported", "at events only");
  expect(run + " impulse.ball --against energy.total", 2, "unsupported", "at events only");
  expect("no-such-file.h5", 4, "file", "there is no such file");
  expect(folder_.file("scene.toml"), 4, "file", "a scene is run first");
}

TEST_F(PlotCommand, WithoutGnuplotItSaysWhatToInstallAndDataAreWritten) {
  const std::string run = ball(), data = folder_.file("d.csv"), script = folder_.file("d.gp");
  const ToolRun plot = shell("PATH=$(dirname $(type -P carom)):/nowhere; carom plot " + run + " --data " + data +
                             " -o " + folder_.file("e.svg"));
  EXPECT_EQ(plot.code, 4);
  EXPECT_NE(plot.err.find("gnuplot-nox"), std::string::npos) << plot.err;
  EXPECT_TRUE(std::filesystem::exists(data));
  EXPECT_EQ(shell("carom plot " + run + " --data " + script).code, 0);
  EXPECT_EQ(files(), (std::set<std::string>{"ball.h5", "d.csv", "d.gp", "scene.toml"}));
  EXPECT_EQ(read_text(script).substr(0, 17), "set encoding utf8");
}

TEST_F(PlotCommand, NothingHalfWrittenIsLeftUnderTheName) {
  NEEDS_GNUPLOT();
  const std::string run = ball();
  EXPECT_EQ(shell("carom plot " + run + " -o " + folder_.file("no/such/folder.svg")).code, 4);
  // A disk without room: no file may grow beyond a few blocks.
  write_text(folder_.file("old.svg"), "old");
  const ToolRun plot = shell("trap '' XFSZ; ulimit -f 2; carom plot " + run + " -o " + folder_.file("old.svg"));
  EXPECT_EQ(plot.code, 4) << plot.err;
  EXPECT_EQ(read_text(folder_.file("old.svg")), "old");
  EXPECT_EQ(files(), (std::set<std::string>{"ball.h5", "old.svg", "scene.toml"}));
}

TEST(GnuplotScript, TextsStandInSingleQuotesWithQuotesDoubled) {
  Picture picture;
  picture.title = "it's `x` \"y\" \\";
  picture.panels.resize(1);
  picture.panels[0].curves = {{.label = "'", .x = {0.0, 1.0}, .y = {1.0, 2.0}}};
  const std::string script = app::gnuplot_script(picture, app::PictureFormat::svg);
  EXPECT_NE(script.find("'it''s `x` \"y\" \\'"), std::string::npos) << script;
  EXPECT_NE(script.find("title ''''"), std::string::npos) << script;
  EXPECT_NE(script.find("noenhanced"), std::string::npos);
}

TEST(GnuplotScript, AxesShowConstantsAndZeroes) {
  Picture picture;
  picture.panels.resize(1);
  picture.panels[0].curves = {{.label = "a", .x = {0.0, 1.0}, .y = {5.0, 6.0}},
                              {.label = "b", .x = {0.0, 1.0}, .y = {0.0, 0.0}}};
  EXPECT_NE(app::gnuplot_script(picture, app::PictureFormat::svg).find("set yrange [-0.30000000000000004:6.3]"),
            std::string::npos);
  picture.panels[0].curves = {{.label = "a", .x = {0.0, 1.0}, .y = {2.0, 2.0}}};
  EXPECT_NE(app::gnuplot_script(picture, app::PictureFormat::svg).find("set yrange [1.8:2.2]"), std::string::npos);
}

}  // namespace
}  // namespace carom::test
