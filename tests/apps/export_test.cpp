/// `carom export` as a user meets it.

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <set>

#include "apps/tool.h"
#include "common/compression.h"
#include "support/decoded_film.h"
#include "support/gunzip.h"
#include "support/places.h"

namespace carom::test::export_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// A ball that bounces; its name and the title of the scene would like to run a script.
const char* const kScene = R"(format = 1
title = "</script><script>alert(42)</script>"
[world]
gravity = [0, 0, -9.81]
[run]
duration = 2
output_step = 0.01
[[body]]
name = "<img src=x onerror=alert(43)>"
shape = { kind = "sphere", radius = 0.1 }
mass = 1
position = [0, 0, 1.1]
[[plane]]
name = "floor"
normal = [0, 0, 1]
)";

class Export : public testing::Test {
 protected:
  void SetUp() override {
    const ToolRun run = shell("carom run - --out '" + record() + "'", kScene);
    ASSERT_EQ(run.code, 0) << run.err;
  }
  [[nodiscard]] std::string record() const { return folder_.file("run.h5"); }
  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }
  [[nodiscard]] ToolRun run(const std::string& arguments, const std::string& before = "") const {
    return shell(before + "carom export '" + record() + "' " + arguments);
  }
  /// The names in the folder, besides that of the record.
  [[nodiscard]] std::set<std::string> made() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(fs::path(record()).parent_path())) {
      names.insert(entry.path().filename().string());
    }
    names.erase("run.h5");
    return names;
  }
  void expect_error(const std::string& arguments, int code, const std::string& words,
                    const std::string& before = "") const {
    const ToolRun failed = run(arguments, before);
    EXPECT_EQ(failed.code, code) << arguments << "\n" << failed.err;
    EXPECT_EQ(failed.out, "") << arguments;
    EXPECT_NE(failed.err.find(words), std::string::npos) << arguments << "\n" << failed.err;
    EXPECT_EQ(made(), std::set<std::string>{}) << arguments;
  }

 private:
  ScratchFolder folder_;
};

TEST_F(Export, TablesAndVtkFilesGoIntoTheirFolders) {
  const ToolRun both =
      run("--csv '" + file("tables") + "' --vtk '" + file("vtk") + "' --from 0.5 --to 1 --every 10 --json");
  EXPECT_EQ(both.code, 0) << both.err;
  const json products = both.json()["made"];
  ASSERT_EQ(products.size(), 2u);
  EXPECT_EQ(products[0]["kind"], "csv");
  EXPECT_EQ(products[1]["path"], file("vtk"));
  const std::string table = read_text(file("tables") + "/samples.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 6);
  EXPECT_TRUE(fs::exists(file("vtk") + "/run.pvd"));
}

TEST_F(Export, NothingIsMadeOfWrongOptions) {
  expect_error("", 2, "what is to be made?");
  expect_error("--csv x --every 0", 2, "--every");
  expect_error("--csv x --every 1.5", 2, "--every");
  expect_error("--csv x --from 1 --to 0.5", 2, "--to");
  expect_error("--csv x '" + record() + "'", 2, "one record at a time");
  expect_error("--vtk x '" + record() + "'", 2, "one record at a time");
  expect_error("--csv x --at 1", 2, "--at is for a --picture");
  expect_error("--csv x --event 1", 2, "--event is for a --picture");
  expect_error("--csv x --clean --panels", 2, "exclude each other");
  expect_error("--csv x --theme pink", 2, "pink");
  expect_error("--csv", 2, "--csv needs a value");
  EXPECT_EQ(shell("carom export README.md --csv x").code, 4);
  EXPECT_EQ(shell("carom export nothing.h5 --csv x").code, 4);
}

#ifdef CAROM_HAS_VIEWER

/// What stands in the page between two texts.
std::string between(const std::string& page, const std::string& begin, const std::string& end) {
  const std::size_t first = page.find(begin);
  EXPECT_NE(first, std::string::npos) << begin;
  if (first == std::string::npos) return {};
  const std::size_t inside = first + begin.size();
  return page.substr(inside, page.find(end, inside) - inside);
}

/// The film of that number in a page.
DecodedFilm film_in(const std::string& page, int number) {
  const std::string script = between(page, "id=\"film-" + std::to_string(number) + "\"", "</script>");
  return DecodedFilm(gunzip(app::base64_decoded(script.substr(script.find('>') + 1))));
}

TEST_F(Export, ThePageHoldsTheFilms) {
  const ToolRun made_page = run("'" + record() + "' --html '" + file("run.html") + "'");
  EXPECT_EQ(made_page.code, 0) << made_page.err;
  const std::string page = read_text(file("run.html"));
  EXPECT_NE(made_page.out.find("2 films, "), std::string::npos) << made_page.out;
  for (const int number : {0, 1}) {
    const DecodedFilm film = film_in(page, number);
    EXPECT_EQ(film.header()["complete"], true);
    EXPECT_EQ(film.header()["scene"]["objects"][0]["name"], "<img src=x onerror=alert(43)>");
    EXPECT_EQ(film.array("time").size(), 201u);
    EXPECT_EQ(film.array("event.time").size(), 2u);
  }
  EXPECT_EQ(page.find("film-2"), std::string::npos);
  EXPECT_EQ(made(), std::set<std::string>{"run.html"});
}

TEST_F(Export, NoNameOfASceneStandsInThePage) {
  const std::string hostile = file("\"><script>alert(44)<'.h5");
  fs::copy(record(), hostile);
  // In shell quotes, an apostrophe is written '\''.
  std::string quoted = hostile;
  quoted.replace(quoted.find('\''), 1, "'\\''");
  const ToolRun run = shell("carom export '" + quoted + "' --html '" + file("run.html") + "'");
  ASSERT_EQ(run.code, 0) << run.err;
  const std::string page = read_text(file("run.html"));
  for (const char* const text : {"alert(42)", "alert(43)", "alert(44)"}) {
    EXPECT_EQ(page.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(film_in(page, 0).header()["scene"]["title"], "</script><script>alert(42)</script>");
  EXPECT_EQ(film_in(page, 0).header()["name"], "\"><script>alert(44)<'.h5");
}

TEST_F(Export, ThePageCanBeAnExcerpt) {
  ASSERT_EQ(run("--html '" + file("run.html") + "' --from 0.5 --to 1.505 --every 20").code, 0);
  const DecodedFilm film = film_in(read_text(file("run.html")), 0);
  const std::vector<double> times = film.array("time");
  ASSERT_EQ(times.size(), 6u);  // 0.5, 0.7, … 1.5
  EXPECT_NEAR(times.front(), 0.5, 1e-12);
  EXPECT_NEAR(times.back(), 1.5, 1e-12);
  EXPECT_EQ(film.array("event.time").size(), 1u);
}

TEST_F(Export, APageThatIsTooLargeIsRefusedWithAdvice) {
  expect_error("--html '" + file("run.html") + "' --limit 0.1", 4, "--every N");
  expect_error("--html '" + file("run.html") + "' --limit 0", 2, "--limit");
}

TEST_F(Export, NothingIsLeftUnderTheNameWhereItCannotBeWritten) {
  expect_error("--html /nonexistent/run.html", 4, "/nonexistent/run.html");
  expect_error("--html /dev/full", 4, "not a plain file");
  expect_error("--html scenes", 4, "it is a folder");
  // A disk that is full: no file may grow beyond 64 kB.
  expect_error("--html '" + file("run.html") + "'", 4, "cannot write", "trap '' XFSZ; ulimit -f 64; ");
  write_text(file("run.html"), "older");
  EXPECT_EQ(run("--html '" + file("run.html") + "'", "trap '' XFSZ; ulimit -f 64; ").code, 4);
  EXPECT_EQ(read_text(file("run.html")), "older");
  EXPECT_EQ(made(), std::set<std::string>{"run.html"});
}

TEST_F(Export, WrongOptionsOfPicturesAreFoundBeforeABrowserStarts) {
  const std::string picture = "--picture '" + file("a.png") + "' ";
  expect_error(picture + "--size 1280", 2, "--size");
  expect_error(picture + "--size 0x720", 2, "--size");
  expect_error(picture + "--size 99999x720", 2, "--size");
  expect_error(picture + "--view left", 2, "unknown view 'left'");
  expect_error(picture + "--view follow:egg", 2, "unknown body 'egg'");
  expect_error(picture + "--at 3", 2, "the film goes from 0 to 2 s");
  expect_error(picture + "--at 0.5 --from 1", 2, "the film goes from 1 to 2 s");
  expect_error(picture + "--from 5", 2, "no samples in that time");
  expect_error(picture + "--event 2", 2, "from 0 to 1");
  expect_error(picture + "--event 0 --at 1", 2, "exclude each other");
  expect_error(picture + "--fps 0", 2, "--fps");
  expect_error("--frames '" + file("frames") + "' --speed 1e-9", 2, "frames; choose a larger --speed");
  expect_error("--video '" + file("a.avi") + "'", 2, ".mp4, .webm or .gif");
}

TEST_F(Export, MissingProgramsAreNamed) {
  const std::string alone = "PATH='" + fs::path(tool_path()).parent_path().string() + "'; ";
  expect_error("--picture '" + file("a.png") + "'", 4, "Debian: chromium-headless-shell", alone);
  expect_error("--video '" + file("a.mp4") + "'", 4, "Debian: ffmpeg", alone);
  expect_error("--picture '" + file("a.png") + "'", 4, "cannot start", "export CAROM_BROWSER=/nonexistent; ");
  expect_error("--picture '" + file("a.png") + "'", 4, "failed: it has ended", "export CAROM_BROWSER=/bin/false; ");
}

bool has_program(const std::string& names) {
  return shell("command -v " + names).code == 0;
}

/// Width and height of a PNG.
std::pair<std::uint32_t, std::uint32_t> png_size(const std::string& bytes) {
  EXPECT_EQ(bytes.substr(0, 8), "\x89PNG\r\n\x1A\n");
  const auto number = [&bytes](std::size_t place) {
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < 4; ++k) value = value << 8 | static_cast<unsigned char>(bytes.at(place + k));
    return value;
  };
  return {number(16), number(20)};
}

/// The tool draws with either.
bool has_browser() {
  return has_program("chromium-headless-shell") || has_program("chromium");
}

/// One test for all that starts a browser, which takes its time.
TEST_F(Export, FramesVideosAndPicturesShowTheirTimeExactly) {
  if (!has_browser()) GTEST_SKIP() << "there is no chromium";
  fs::create_directory(file("temporary"));
  fs::create_directory(file("frames"));
  for (const char* const old : {"frame_000001.png", "frame_000003.png", "frame_000004.png", "mine.png"}) {
    write_text(file("frames") + "/" + old, "old");
  }
  const std::string video = has_program("ffmpeg") ? " --video '" + file("run.gif") + "'" : "";
  const ToolRun filmed = run("--frames '" + file("frames") + "' --picture '" + file("one.png") + "'" + video +
                                 " --clean --at 0.6 --from 0.5 --to 0.7 --fps 10 --size 320x180 --json",
                             "export TMPDIR='" + file("temporary") + "'; ");
  ASSERT_EQ(filmed.code, 0) << filmed.err;
  EXPECT_EQ(filmed.json()["made"][0]["kind"], "picture");
  std::set<std::string> frames;
  for (const auto& entry : fs::directory_iterator(file("frames"))) frames.insert(entry.path().filename().string());
  EXPECT_EQ(frames, (std::set<std::string>{"frame_000000.png", "frame_000001.png", "frame_000002.png", "mine.png"}));
  const std::string first = read_text(file("frames") + "/frame_000000.png");
  const std::string second = read_text(file("frames") + "/frame_000001.png");
  EXPECT_EQ(png_size(first), std::pair(320u, 180u));
  EXPECT_NE(first, second);
  EXPECT_EQ(second, read_text(file("one.png")));
  if (!video.empty()) {
    EXPECT_EQ(read_text(file("run.gif")).substr(0, 6), "GIF89a");
  }
  EXPECT_TRUE(fs::is_empty(file("temporary")));
}

TEST_F(Export, ASignalKeepsTheFramesAndRemovesTheVideo) {
  if (!has_browser() || !has_program("ffmpeg")) GTEST_SKIP() << "there is no chromium or no ffmpeg";
  const ToolRun stopped =
      shell("carom export '" + record() + "' --frames '" + file("frames") + "' --video '" + file("run.mp4") +
            "' --speed 0.001 --size 320x180 & id=$!\n" + "for i in {1..600}; do [ -e '" + file("frames") +
            "/frame_000001.png' ] && break; sleep 0.1; done; kill -TERM $id; wait $id");
  EXPECT_EQ(stopped.code, 130) << stopped.err;
  EXPECT_EQ(made(), std::set<std::string>{"frames"});
  EXPECT_EQ(png_size(read_text(file("frames") + "/frame_000001.png")), std::pair(320u, 180u));
  for (const auto& entry : fs::directory_iterator(file("frames"))) EXPECT_EQ(entry.path().extension(), ".png");
}

#else

TEST_F(Export, ABuildWithoutTheViewerSaysSo) {
  expect_error("--html '" + file("run.html") + "'", 4, "without its viewer");
  expect_error("--picture '" + file("a.png") + "'", 4, "without its viewer");
}

#endif

TEST(Compression, GzipComesBack) {
  std::string bytes;
  for (std::int64_t i = 0; i < 300'000; ++i) bytes += static_cast<char>((i * i) % 251);
  for (const std::string& text : {std::string(), std::string("a"), bytes}) {
    EXPECT_EQ(gunzip(app::gzip(text, app::GzipEffort::quick)), text);
    EXPECT_EQ(gunzip(app::gzip(text, app::GzipEffort::thorough)), text);
  }
}

TEST(Compression, Base64OfTheStandardsExamples) {
  const std::pair<std::string, std::string> examples[] = {// RFC 4648, section 10
                                                          {"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"},
                                                          {"\xFB\xFF", "+/8="}};
  for (const auto& [bytes, text] : examples) {
    EXPECT_EQ(app::base64(bytes), text);
    EXPECT_EQ(app::base64_decoded(text), bytes);
  }
}

}  // namespace
}  // namespace carom::test::export_test
