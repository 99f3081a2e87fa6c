/// `carom run --from` as a user meets it: a record is run again from itself and gives the same bits.

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>

#include "apps/tool.h"
#include "carom/record/record_reader.h"

namespace carom::test::rerun_test {
namespace {

using nlohmann::json;

const char* const kBall = R"(format = 1
title = "a ball bounces"
[world]
gravity = [0, 0, -9.81]
[run]
duration = 2
output_step = 0.25
[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.1 }
mass = 2
position = [0, 0, 1.1]
[[plane]]
name = "floor"
normal = [0, 0, 1]
point = [0, 0, 0]
)";

/// Fifty elastic balls side by side that bounce for a day.
std::string endless_scene() {
  std::string text = "format = 1\n[world]\ngravity = [0, 0, -9.81]\n[run]\nduration = 100000\noutput_step = 0.2\n";
  for (int i = 0; i < 50; ++i) {
    const std::string number = std::to_string(i);
    text += "[[body]]\nname = \"ball" + number + "\"\nshape = { kind = \"sphere\", radius = 0.1 }\nmass = 1\n";
    text += "position = [" + number + ", 0, 1.1]\n";
  }
  return text + "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\npoint = [0, 0, 0]\n";
}

void record(const std::string& path, const std::string& arguments = "") {
  const ToolRun run = shell("carom run - --json " + arguments + " --out " + path, kBall);
  ASSERT_EQ(run.code, 0) << run.out << run.err;
}

json verification(const std::string& path, int code, const std::string& arguments = "") {
  const ToolRun run = shell("carom run --json --from " + path + " " + arguments);
  EXPECT_EQ(run.code, code) << run.out << run.err;
  EXPECT_EQ(run.err, "");
  return run.json().value("verification", json::object());
}

/// Starts an endless run, waits until its record holds events, and ends it with a signal.
void record_until(const ScratchFolder& folder, const std::string& signal) {
  write_text(folder.file("scene.toml"), endless_scene());
  const ToolRun run = shell("cd '" + folder.file("") +
                            "'\ncarom run scene.toml --json --flush 0.1 --out run.h5 >summary.json & pid=$!\n"
                            "until [[ $(carom events run.h5 --to 0.6 2>/dev/null | wc -l) -gt 5 ]]; do\n"
                            "  kill -0 $pid 2>/dev/null || exit 90\n  sleep 0.05\ndone\n"
                            "kill -" +
                            signal + " $pid; wait $pid; true");
  ASSERT_EQ(run.code, 0) << run.err;
}

TEST(Rerun, GivesTheSameBits) {
  const ScratchFolder folder;
  record(folder.file("run.h5"), "--set run.duration=1.5 --set body.ball.velocity.0=0.1");
  const json result = verification(folder.file("run.h5"), 0);
  EXPECT_EQ(result["identical"], true);
  EXPECT_EQ(result["samples"], 7);
  EXPECT_EQ(result["events"], 2);
  EXPECT_EQ(result["whole"], true);
  EXPECT_EQ(result["first_difference"], nullptr);
  EXPECT_EQ(result["versions"]["recorded"], result["versions"]["now"]);
  const ToolRun text = shell("carom run --from " + folder.file("run.h5"));
  EXPECT_EQ(text.code, 0);
  EXPECT_NE(text.out.find("identical"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("7 samples and 2 events, every bit"), std::string::npos) << text.out;
}

TEST(Rerun, EveryKindOfEngineRepeatsItself) {
  const ScratchFolder folder;
  for (const char* const scene : {"thousand-spheres", "egg-on-its-side", "spring-pendulum", "cradle-smooth"}) {
    const std::string file = folder.file("run.h5");
    const ToolRun run =
        shell(std::string("carom run scenes/") + scene + ".toml --json --set run.duration=0.1 --out " + file);
    ASSERT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_EQ(verification(file, 0)["identical"], true) << scene;
  }
}

TEST(Rerun, ADifferenceExitsThreeAndSaysWhere) {
  const ScratchFolder folder;
  const std::string path = folder.file("run.h5");
  record(path);
  const double recorded = RecordReader(path).state(4).bodies[0].position.z();
  const double changed = std::nextafter(recorded, 2.0);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t data = H5Dopen2(file, "/position", H5P_DEFAULT);
  const hid_t space = H5Dget_space(data);
  const hsize_t element[] = {4, 0, 2};
  ASSERT_GE(H5Sselect_elements(space, H5S_SELECT_SET, 1, element), 0);
  const hid_t one = H5Screate(H5S_SCALAR);
  ASSERT_GE(H5Dwrite(data, H5T_NATIVE_DOUBLE, one, space, H5P_DEFAULT, &changed), 0);
  H5Sclose(one);
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(file);

  const json result = verification(path, 3);
  EXPECT_EQ(result["identical"], false);
  const json difference = result["first_difference"];
  EXPECT_EQ(difference["time"], 1.0);
  EXPECT_EQ(difference["table"], "samples");
  EXPECT_EQ(difference["column"], "/position");
  EXPECT_EQ(difference["row"], 4);
  EXPECT_EQ(difference["component"], 2);
  EXPECT_EQ(difference["objects"], json{"ball"});
  EXPECT_EQ(difference["recorded"], changed);
  EXPECT_EQ(difference["now"], recorded);
  const ToolRun text = shell("carom run --from " + path);
  EXPECT_EQ(text.code, 3);
  EXPECT_NE(text.out.find("first at 1 s, in /position of ball"), std::string::npos) << text.out;
}

TEST(Rerun, ARecordOfAnotherVersionIsComparedAllTheSame) {
  const ScratchFolder folder;
  const std::string path = folder.file("run.h5");
  record(path);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t attribute = H5Aopen(file, "version", H5P_DEFAULT);
  const hid_t type = H5Aget_type(attribute);
  std::string version(H5Tget_size(type), '\0');
  ASSERT_GE(H5Aread(attribute, type, version.data()), 0);
  version[0] = '7';
  ASSERT_GE(H5Awrite(attribute, type, version.data()), 0);
  H5Tclose(type);
  H5Aclose(attribute);
  H5Fclose(file);
  const json result = verification(path, 0);
  EXPECT_EQ(result["identical"], true);
  EXPECT_EQ(result["versions"]["recorded"], version);
  EXPECT_NE(result["versions"]["now"], version);
  const ToolRun text = shell("carom run --from " + path);
  EXPECT_NE(text.out.find("recorded by carom " + version + ", now carom "), std::string::npos) << text.out;
}

TEST(Rerun, AKilledRunIsComparedAsFarAsItGoes) {
  const ScratchFolder folder;
  record_until(folder, "KILL");
  const RecordReader record(folder.file("run.h5"));
  ASSERT_FALSE(record.info().complete);
  const json result = verification(folder.file("run.h5"), 0);
  EXPECT_EQ(result["identical"], true);
  EXPECT_EQ(result["whole"], true);
  EXPECT_EQ(result["samples"], record.sample_count());
  EXPECT_EQ(result["events"], record.event_count());
  const ToolRun text = shell("carom run --from " + folder.file("run.h5"));
  EXPECT_NE(text.out.find("was killed"), std::string::npos) << text.out;
}

TEST(Rerun, AnInterruptedRunIsComparedButForItsLastSample) {
  const ScratchFolder folder;
  record_until(folder, "INT");
  const RecordReader record(folder.file("run.h5"));
  ASSERT_EQ(record.info().stop, "interrupted");
  const json result = verification(folder.file("run.h5"), 0);
  EXPECT_EQ(result["identical"], true);
  EXPECT_EQ(result["samples"], record.sample_count() - 1);
  EXPECT_EQ(result["events"], record.event_count());
}

TEST(Rerun, OutKeepsARecordThatIsTheSame) {
  const ScratchFolder folder;
  record(folder.file("run.h5"), "--set run.duration=1");
  const json result = verification(folder.file("run.h5"), 0, "--out " + folder.file("again.h5"));
  EXPECT_EQ(result["identical"], true);
  const RecordReader first(folder.file("run.h5"));
  const RecordReader again(folder.file("again.h5"));
  EXPECT_EQ(first.info().scene, again.info().scene);
  EXPECT_EQ(first.info().settings, again.info().settings);
  EXPECT_EQ(first.series("/position", 0, first.sample_count()), again.series("/position", 0, again.sample_count()));
  EXPECT_EQ(verification(folder.file("again.h5"), 0)["identical"], true);
  const ToolRun same = shell("carom run --json --from " + folder.file("run.h5") + " --out " + folder.file("run.h5"));
  EXPECT_EQ(same.code, 2);
  EXPECT_EQ(same.json()["error"]["kind"], "usage");
}

TEST(Rerun, TakesNeitherASceneNorSettings) {
  const ScratchFolder folder;
  record(folder.file("run.h5"));
  for (const char* const more : {" scenes/cradle.toml", " --set run.duration=1"}) {
    const ToolRun run = shell("carom run --json --from " + folder.file("run.h5") + more);
    EXPECT_EQ(run.code, 2) << run.out;
    EXPECT_EQ(run.json()["error"]["kind"], "usage");
  }
  EXPECT_EQ(shell("carom run --json").json()["error"]["kind"], "usage");
}

TEST(Rerun, WhatIsNoRecordIsAFileProblem) {
  for (const char* const file : {"no-such-file.h5", "examples", "examples/cradle.json"}) {
    const ToolRun run = shell(std::string("carom run --json --from ") + file);
    EXPECT_EQ(run.code, 4) << run.out;
    EXPECT_EQ(run.json()["error"]["kind"], "file");
  }
}

}  // namespace
}  // namespace carom::test::rerun_test
