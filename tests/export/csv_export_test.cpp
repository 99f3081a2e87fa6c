#include "carom/export/csv.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "analysis/scene_run.h"
#include "carom/base/error.h"
#include "carom/base/number.h"
#include "record/fake_run.h"

namespace carom::csv_export_test {
namespace {

using test::ScratchFolder;
using Rows = std::vector<std::vector<std::string>>;

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// As RFC 4180 says, with line feeds.
Rows parse_csv(const std::string& text) {
  Rows rows{{""}};
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inside && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      rows.back().back() += '"';
      ++i;
    } else if (c == '"') {
      inside = !inside;
    } else if (!inside && c == ',') {
      rows.back().emplace_back();
    } else if (!inside && c == '\n') {
      rows.push_back({""});
    } else {
      rows.back().back() += c;
    }
  }
  EXPECT_FALSE(inside);
  rows.pop_back();
  return rows;
}

Rows table(const std::string& path) {
  Rows rows = parse_csv(read_text(path));
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size()) << path;
  return rows;
}

double number(const std::string& text) {
  return read_number(text).value;
}

class CsvExport : public testing::Test {
 protected:
  CsvExport() {
    RecordWriter writer(folder_.file("run.h5"), test::fake_model(), test::fake_header());
    test::tell(writer, 0, 100);
    writer.finish(RunStop::duration, "{}");
  }
  ScratchFolder folder_;
};

TEST_F(CsvExport, EveryNumberReadsBackToTheSameDouble) {
  RecordReader record(folder_.file("run.h5"));
  double done = 0.0;
  const ExportReport report = export_csv(record, folder_.file("deep/csv"), {}, [&done](double now) {
    EXPECT_GE(now, done);
    done = now;
  });
  EXPECT_EQ(done, 1.0);
  EXPECT_EQ(report.files, 5u);
  const Rows samples = table(folder_.file("deep/csv/samples.csv"));
  const Rows energy = table(folder_.file("deep/csv/energy.csv"));
  // Beside those at the samples there are rows at the jumps.
  const auto has_row = [&samples](const std::string& body, const std::vector<double>& expected) {
    return std::any_of(samples.begin() + 1, samples.end(), [&](const std::vector<std::string>& row) {
      bool same = row[1] == body && number(row[0]) == expected[0];
      for (std::size_t j = 1; j < expected.size() && same; ++j) same = number(row[1 + j]) == expected[j];
      return same;
    });
  };
  ASSERT_EQ(energy.size(), 1 + record.sample_count());
  EXPECT_EQ(energy[0][6], "total");
  std::uint64_t bytes = 0;
  for (const char* const name : {"samples", "energy", "events", "jumps", "contact_forces"})
    bytes += std::filesystem::file_size(folder_.file("deep/csv/" + std::string(name) + ".csv"));
  EXPECT_EQ(report.bytes, bytes);
  for (std::size_t i = 0; i < record.sample_count(); ++i) {
    const State state = record.state(i);
    for (std::size_t k = 0; k < 3; ++k) {
      const BodyState& body = state.bodies[k];
      const std::vector<double> expected = {state.time,
                                            body.position.x(),
                                            body.position.y(),
                                            body.position.z(),
                                            body.orientation.w(),
                                            body.orientation.x(),
                                            body.orientation.y(),
                                            body.orientation.z(),
                                            body.velocity.x(),
                                            body.velocity.y(),
                                            body.velocity.z(),
                                            body.angular_velocity.x(),
                                            body.angular_velocity.y(),
                                            body.angular_velocity.z()};
      EXPECT_TRUE(has_row(record.info().objects[k], expected)) << i << " " << k;
    }
    EXPECT_EQ(number(energy[1 + i][6]), record.energy(i).now.total());
    EXPECT_EQ(number(energy[1 + i][18]), record.energy(i).error());
  }
}

TEST_F(CsvExport, EventsHaveARowPerContactAndJumpsPerBody) {
  RecordReader record(folder_.file("run.h5"));
  export_csv(record, folder_.file("csv"));
  const Rows events = table(folder_.file("csv/events.csv")), jumps = table(folder_.file("csv/jumps.csv"));
  std::size_t row = 1, jump = 1;
  const EventBlock block = record.events(0, record.event_count());
  for (std::size_t i = 0; i < block.events.size(); ++i) {
    const EventRecord& event = block.events[i];
    const auto expect_event = [&](const std::vector<std::string>& cells) {
      EXPECT_EQ(cells[0], std::to_string(i));
      EXPECT_EQ(number(cells[1]), event.time);
      EXPECT_EQ(cells[2], event_kind_name(event.kind));
      EXPECT_EQ(cells[4], event.law);
      EXPECT_EQ(cells[6], stop_name(event.stop));
      EXPECT_EQ(cells[9].empty(), event.flags.empty());
    };
    for (std::size_t k = 0; k < event.contacts.size(); ++k, ++row) {
      const auto& cells = events.at(row);
      expect_event(cells);
      EXPECT_EQ(cells[10], std::to_string(k));
      EXPECT_EQ(cells[11], record.info().objects[static_cast<std::size_t>(event.contacts[k].a)]);
      EXPECT_EQ(cells[12], record.info().objects[static_cast<std::size_t>(event.contacts[k].b)]);
      EXPECT_EQ(number(cells[13]), event.contacts[k].point.x());
      EXPECT_EQ(number(cells[18]), event.contacts[k].normal.z());
      EXPECT_EQ(number(cells[19]), event.contacts[k].impulse);
      EXPECT_EQ(number(cells[22]), event.contacts[k].tangential_impulse.z());
      EXPECT_EQ(number(cells[24]), event.contacts[k].rate_after);
      ASSERT_EQ(cells.size(), 28u);
      EXPECT_EQ(cells[26].empty(), !event.contacts[k].course.has_value());
      if (event.contacts[k].course) {
        EXPECT_EQ(number(cells[26]), event.contacts[k].course->peak_force);
      }
    }
    if (event.contacts.empty()) {
      expect_event(events.at(row));
      for (std::size_t k = 10; k < events[row].size(); ++k) EXPECT_EQ(events[row][k], "");
      ++row;
    }
    for (const JumpRecord& body : event.jumps) {
      EXPECT_EQ(jumps.at(jump)[0], std::to_string(i));
      EXPECT_EQ(jumps[jump][2], record.info().objects[static_cast<std::size_t>(body.body)]);
      EXPECT_EQ(number(jumps[jump][3]), body.velocity_before.x());
      EXPECT_EQ(number(jumps[jump][14]), body.angular_velocity_after.z());
      ++jump;
    }
  }
  EXPECT_EQ(row, events.size());
  EXPECT_EQ(jump, jumps.size());
}

TEST_F(CsvExport, ForcesOfContactsHaveARowPerSampleAndContact) {
  RecordReader record(folder_.file("run.h5"));
  export_csv(record, folder_.file("csv"));
  const Rows forces = table(folder_.file("csv/contact_forces.csv"));
  const ContactLoadBlock loads = record.contact_loads(0, record.sample_count());
  ASSERT_EQ(forces.size(), loads.loads.size() + 1);
  for (std::size_t i = 0; i < loads.loads.size(); ++i) {
    EXPECT_EQ(number(forces[i + 1][9]), loads.loads[i].force);
    EXPECT_EQ(forces[i + 1][16], slip_mode_name(loads.loads[i].mode));
  }
}

TEST_F(CsvExport, AChoiceLeavesSamplesAndEventsOut) {
  RecordReader record(folder_.file("run.h5"));
  export_csv(record, folder_.file("csv"), {{0.2, 0.755}, 3});
  const std::vector<double> time = record.series("/time", 0, record.sample_count());
  std::vector<double> expected;
  std::size_t inside = 0;
  for (const double t : time)
    if (t >= 0.2 && t <= 0.755 && inside++ % 3 == 0) expected.push_back(t);
  const Rows energy = table(folder_.file("csv/energy.csv"));
  ASSERT_EQ(energy.size(), expected.size() + 1);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(number(energy[i + 1][0]), expected[i]);
  const Rows events = table(folder_.file("csv/events.csv"));
  EXPECT_EQ(events.at(1)[0], "20");
  EXPECT_EQ(events.back()[0], "75");
  EXPECT_THROW(export_csv(record, folder_.file("csv"), {{99.0, 100.0}, 1}), InputError);
}

TEST_F(CsvExport, ForeignFilesStayAndNothingHalfWrittenIsLeft) {
  RecordReader record(folder_.file("run.h5"));
  std::filesystem::create_directories(folder_.file("csv"));
  std::ofstream(folder_.file("csv/mine.txt")) << "mine";
  std::ofstream(folder_.file("csv/samples.csv")) << "old";
  struct Stop {};
  EXPECT_THROW(export_csv(record, folder_.file("csv"), {}, [](double) { throw Stop{}; }), Stop);
  EXPECT_EQ(read_text(folder_.file("csv/samples.csv")), "old");
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.file("csv"))) files += entry.exists() ? 1 : 0;
  EXPECT_EQ(files, 2u);
  export_csv(record, folder_.file("csv"));
  EXPECT_EQ(read_text(folder_.file("csv/mine.txt")), "mine");
  EXPECT_NE(read_text(folder_.file("csv/samples.csv")), "old");
  // A file stands where the folder should be.
  try {
    export_csv(record, folder_.file("csv/mine.txt/more"));
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), Kind::file);
    EXPECT_NE(std::string(error.what()).find("cannot make the folder"), std::string::npos) << error.what();
  }
}

/// One body meets a wall head on between two samples, with e = ½.
TEST(CsvExportOfAJump, HasARowBeforeAndOneAfter) {
  const std::string scene = R"(format = 1
[run]
duration = 1
output_step = 0.4
[[material]]
name = "m"
[[pair]]
materials = ["m", "m"]
restitution = 0.5
[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.25 }
mass = 2
material = "m"
velocity = [1, 0, 0]
[[plane]]
name = "wall"
normal = [-1, 0, 0]
point = [0.75, 0, 0]
material = "m"
)";
  const ScratchFolder folder;
  (void)test::record_scene(scene, folder.file("run.h5"));
  RecordReader record(folder.file("run.h5"));
  export_csv(record, folder.file("csv"));
  const Rows samples = table(folder.file("csv/samples.csv")), energy = table(folder.file("csv/energy.csv"));
  const double time[] = {0, 0.4, 0.5, 0.5, 0.8, 1};
  const double x[] = {0, 0.4, 0.5, 0.5, 0.35, 0.25};
  const double v[] = {1, 1, 1, -0.5, -0.5, -0.5};
  ASSERT_EQ(samples.size(), 7u);
  ASSERT_EQ(energy.size(), 7u);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(number(samples[i + 1][0]), time[i], 1e-12);
    EXPECT_EQ(samples[i + 1][0], energy[i + 1][0]);
    EXPECT_NEAR(number(samples[i + 1][2]), x[i], 1e-12);
    EXPECT_NEAR(number(samples[i + 1][9]), v[i], 1e-12);
    EXPECT_NEAR(number(energy[i + 1][1]), v[i] * v[i], 1e-12);        // kinetic
    EXPECT_NEAR(number(energy[i + 1][9]), 1.0 - v[i] * v[i], 1e-12);  // impacts
    EXPECT_NEAR(number(energy[i + 1][18]), 0.0, 1e-12);               // balance error
  }
}

TEST(CsvField, AnythingThatIsNoPlainWordIsQuoted) {
  EXPECT_EQ(csv_field("ball-1"), "ball-1");
  EXPECT_EQ(csv_field("große Kugel"), "\"große Kugel\"");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"hi\"\n"), "\"say \"\"hi\"\"\n\"");
  EXPECT_EQ(csv_field("=1+1"), "\"=1+1\"");
  EXPECT_EQ(csv_field("-ball"), "\"-ball\"");
  EXPECT_EQ(parse_csv(csv_field("x\n\",\"y") + ",2\n"), (Rows{{"x\n\",\"y", "2"}}));
}

}  // namespace
}  // namespace carom::csv_export_test
