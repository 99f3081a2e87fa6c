/// `carom spectrum` as a user meets it.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <set>
#include <sstream>

#include "apps/gnuplot_needed.h"
#include "apps/tool.h"
#include "carom/record/record_writer.h"

namespace carom::test {
namespace {

using nlohmann::json;

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kRate = 2000.0;
constexpr double kOuterLine = 30.523123578468536;  // BPFO of the bearing below at 10 turns per second

/// A race with a dent: each passing ball excites a resonance of 600 Hz that dies away in 2 ms, the more so the nearer
/// the dent is to the load, once per turn; and a shaker moves it at 25 Hz with 40 m/s². Its velocity is the integral.
double race_velocity(double t) {
  double velocity = 40.0 * std::sin(kTurn * 25.0 * t) / (kTurn * 25.0);
  const double decay = 500.0, omega = kTurn * 600.0;
  for (double hit = std::floor(t * kOuterLine); hit >= 0.0 && t - hit / kOuterLine < 0.04; hit -= 1.0) {
    const double age = t - hit / kOuterLine;
    const double strength = 0.05 * (1.0 + 0.8 * std::cos(kTurn * 10.0 * hit / kOuterLine));
    velocity += strength * std::exp(-decay * age) * std::sin(omega * age);
  }
  return velocity;
}

class SpectrumCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<ScratchFolder>();
    Model model;
    for (const char* const name : {"ball", "outer race"}) {
      Body body;
      body.name = name;
      model.bodies.push_back(body);
    }
    RecordWriter writer(record(), model, RecordHeader{});
    for (int i = 0; i <= 16000; ++i) {
      const double t = i / kRate;
      State state;
      state.time = t;
      BodyState ball, race;
      ball.position = {std::cos(kTurn * 6.18 * t), std::sin(kTurn * 6.18 * t), 0.0};
      race.velocity.x() = race_velocity(t);
      state.bodies = {ball, race};
      writer.sample(state, {});
    }
    writer.finish(RunStop::duration, "{}");
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static std::string record() { return folder_->file("run.h5"); }
  static ToolRun spectrum(const std::string& arguments) {
    return shell("carom spectrum " + record() + " " + arguments);
  }
  static json spectrum_json(const std::string& arguments) {
    const ToolRun run = spectrum("--json " + arguments);
    EXPECT_EQ(run.code, 0) << run.out;
    EXPECT_EQ(run.err, "");
    return run.json();
  }
  static std::unique_ptr<ScratchFolder> folder_;
};
std::unique_ptr<ScratchFolder> SpectrumCommand::folder_;

const std::string kBearing = " --bearing balls=8,ball=0.0079375,pitch=0.0335026,inner=0,outer=10";

TEST_F(SpectrumCommand, GivesTheFieldsOfTheContract) {
  const json result = spectrum_json("--body 'outer race' --segment 2");
  EXPECT_EQ(result["body"], "outer race");
  EXPECT_EQ(result["quantity"], "acceleration");
  EXPECT_EQ(result["axis"], "x");
  EXPECT_EQ(result["unit"], "m/s²");
  EXPECT_EQ(result["samples"], 15999);
  EXPECT_NEAR(result["sampling_rate"].get<double>(), kRate, 1e-9);
  EXPECT_NEAR(result["resolution"].get<double>(), 0.5, 1e-12);
  EXPECT_EQ(result["psd"]["frequency"].size(), 2001u);
  EXPECT_EQ(result["psd"]["level"].size(), 2001u);
  EXPECT_NEAR(result["psd"]["frequency"][2000].get<double>(), 1000.0, 1e-9);
  EXPECT_TRUE(result["envelope"].is_null());
  EXPECT_TRUE(result["lines"].is_null());
  // The shaker stands out; central differences lower it by sin(2πf/f_s)/(2πf/f_s) = 0.999.
  const json line = result["peaks"][0];
  EXPECT_NEAR(line["frequency"].get<double>(), 25.0, 0.02);
  EXPECT_NEAR(line["rms"].get<double>(), 40.0 / std::numbers::sqrt2, 0.3);
  EXPECT_TRUE(line["name"].is_null());
}

TEST_F(SpectrumCommand, TheEnvelopeTellsTheDentOfTheOuterRaceByItsLines) {
  const json result = spectrum_json("--body 'outer race' --segment 4 --envelope" + kBearing);
  EXPECT_NEAR(result["lines"]["FTF"].get<double>(), 6.184609552691432, 1e-13);
  EXPECT_NEAR(result["lines"]["BPFO"].get<double>(), kOuterLine, 1e-12);
  EXPECT_NEAR(result["lines"]["BPFI"].get<double>(), 49.47687642153146, 1e-12);
  EXPECT_NEAR(result["lines"]["BSF"].get<double>(), 19.919390447308567, 1e-12);
  const json envelope = result["envelope"];
  EXPECT_EQ(envelope["frequency"], result["psd"]["frequency"]);
  EXPECT_LT(envelope["band"][0].get<double>(), 500.0);
  EXPECT_GT(envelope["band"][1].get<double>(), 700.0);
  ASSERT_GE(envelope["peaks"].size(), 4u);
  EXPECT_EQ(envelope["peaks"][0]["name"], "BPFO");
  EXPECT_NEAR(envelope["peaks"][0]["frequency"].get<double>(), kOuterLine, 0.05);
  std::set<std::string> names;
  for (const json& peak : envelope["peaks"])
    if (peak["name"].is_string()) names.insert(peak["name"]);
  EXPECT_TRUE(names.contains("2×BPFO")) << envelope["peaks"];
  EXPECT_TRUE(names.contains("BPFO−fo")) << envelope["peaks"];
  EXPECT_TRUE(names.contains("BPFO+fo")) << envelope["peaks"];
  // The spectrum itself shows the shaker instead.
  EXPECT_NEAR(result["peaks"][0]["frequency"].get<double>(), 25.0, 0.02);
}

TEST_F(SpectrumCommand, AGivenBandMeansTheEnvelopeOfThatBand) {
  const json result = spectrum_json("--body 'outer race' --band 500,700");
  EXPECT_EQ(result["envelope"]["band"], (json{500.0, 700.0}));
}

TEST_F(SpectrumCommand, ABallShowsItsOrbit) {
  const json result = spectrum_json("--body ball --quantity position --axis y --segment 4" + kBearing);
  ASSERT_EQ(result["peaks"].size(), 1u);
  EXPECT_EQ(result["peaks"][0]["name"], "FTF");
  EXPECT_NEAR(result["peaks"][0]["frequency"].get<double>(), 6.18, 0.01);
  EXPECT_NEAR(result["peaks"][0]["rms"].get<double>(), 1.0 / std::numbers::sqrt2, 1e-3);
}

TEST_F(SpectrumCommand, WritesTheSpectraIntoAFile) {
  const std::string file = folder_->file("spectrum.csv");
  const json result = spectrum_json("--body 'outer race' --segment 1 --envelope --csv " + file);
  std::istringstream lines(read_text(file));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "frequency,psd,envelope");
  std::size_t rows = 0;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    double frequency = 0.0, level = 0.0, envelope = 0.0;
    char comma = 0;
    cells >> frequency >> comma >> level >> comma >> envelope;
    EXPECT_EQ(frequency, result["psd"]["frequency"][rows].get<double>());
    EXPECT_EQ(level, result["psd"]["level"][rows].get<double>());
    EXPECT_EQ(envelope, result["envelope"]["level"][rows].get<double>());
    ++rows;
  }
  EXPECT_EQ(rows, result["psd"]["level"].size());
  EXPECT_EQ(spectrum("--body ball --axis y --quantity position --csv no/such/folder.csv").code, 4);
}

TEST_F(SpectrumCommand, DrawsTheSpectraWithTheLinesOfTheBearing) {
  NEEDS_GNUPLOT();
  const std::string file = folder_->file("spectrum.svg");
  spectrum_json("--body 'outer race' --segment 4 --envelope -o " + file + kBearing);
  const std::string picture = read_text(file);
  for (const char* const text : {"density [(m/s²)²/Hz]", "envelope [(m/s²)²/Hz]", "frequency [Hz]", "BPFO", "2×BPFO",
                                 "FTF", "acceleration of outer race, x"}) {
    EXPECT_NE(picture.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(spectrum("--body ball -o spectrum.jpg").code, 2);
}

TEST_F(SpectrumCommand, APersonReadsTheStrongestLinesWithTheirNames) {
  const ToolRun run = spectrum("--body 'outer race' --segment 4 --envelope" + kBearing);
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_NE(run.out.find("acceleration of outer race, x: 15999 samples at 2000 Hz, 2 segments, resolution 0.25 Hz"),
            std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find("bearing: FTF 6.18461 Hz, BPFO 30.5231 Hz, BPFI 49.4769 Hz, BSF 19.9194 Hz"),
            std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find("level [(m/s²)²/Hz]"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("strongest lines of the envelope from"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("2×BPFO"), std::string::npos) << run.out;
}

TEST_F(SpectrumCommand, SaysWhenItCannotTellTheLinesOfABearingApart) {
  const ToolRun run = spectrum("--body 'outer race' --segment 0.2" + kBearing);
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.err.find("resolution of 5 Hz is coarse beside the 6.18 Hz"), std::string::npos) << run.err;
}

TEST_F(SpectrumCommand, BadInputIsMetWithWhatWasExpected) {
  const auto expect = [](const std::string& arguments, const std::string& kind, const std::string& part) {
    const ToolRun run = spectrum("--json " + arguments);
    EXPECT_EQ(run.code, 2) << arguments;
    EXPECT_EQ(run.json()["error"]["kind"], kind) << run.out;
    EXPECT_NE(run.json()["error"]["message"].get<std::string>().find(part), std::string::npos) << run.out;
  };
  expect("", "usage", "--body is missing; the record has ball, outer race");
  expect("--body 'outer rac'", "unknown-name", "did you mean 'outer race'?");
  expect("--body ball --axis w", "unknown-name", "known: x, y, z, radial");
  expect("--body ball --quantity acelleration", "unknown-name", "did you mean 'acceleration'?");
  expect("--body ball --segment long", "syntax", "--segment");
  expect("--body ball --segment 9", "out-of-range", "segment is 9 s");
  expect("--body ball --band 10", "size-mismatch", "expected two: LO,HI");
  expect("--body ball --band 10,2000", "out-of-range", "1000 Hz, half the sampling rate");
  expect("--body 'outer race' --axis radial", "unsupported", "at the origin");
  expect("--body ball --bearing balls", "syntax", "expected KEY=VALUE");
  expect("--body ball --bearing bals=8", "unknown-name", "did you mean 'balls'?");
  expect("--body ball --bearing balls=8,balls=8", "duplicate-name", "balls is given twice");
  expect("--body ball --bearing balls=8,ball=0.01", "missing-field", "--bearing has no pitch");
  expect("--body ball --bearing balls=8,ball=0.01,pitch=0.05", "missing-field", "neither inner nor outer");
  expect("--body ball --bearing balls=7.5,ball=0.01,pitch=0.05,inner=1", "out-of-range", "balls is 7.5");
  expect("--body ball --bearing balls=8,ball=0.06,pitch=0.05,inner=1", "out-of-range", "pitch is 0.05");
  expect("--body ball --bearing balls=8,ball=0.01,pitch=0.05,inner=1,angle=90deg", "out-of-range", "angle is");
  EXPECT_EQ(shell("carom spectrum no-such-file.h5 --body ball").code, 4);
}

}  // namespace
}  // namespace carom::test
