/// `carom run --checkpoint` and `carom resume` as a user meets them.

#include <gtest/gtest.h>

#include "apps/tool.h"
#include "carom/record/record_reader.h"

namespace carom::test::resume_test {
namespace {

const char* const kScene = "scenes/bouncing-ball.toml";

TEST(Resume, ARunThatIsKilledGoesOnToTheSameRecord) {
  const ScratchFolder folder;
  const std::string whole = folder.file("whole.h5"), killed = folder.file("killed.h5");
  // Takes about half a second: mostly it is killed on the way.
  const std::string run = "carom run scenes/cradle-smooth.toml --set run.duration=5 --progress none --out ";
  ASSERT_EQ(shell(run + whole).code, 0);
  const ToolRun first = shell("timeout -s KILL 0.4 " + run + killed + " --checkpoint 0.02 --flush 0.02; true");
  if (!RecordReader(killed).info().complete) {
    const ToolRun resumed = shell("carom resume " + killed + " --progress none --json");
    ASSERT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_EQ(resumed.json()["stop"], "duration");
  }
  const ToolRun same = shell("cmp <(carom events " + whole + " --json) <(carom events " + killed + " --json)");
  EXPECT_EQ(same.code, 0) << same.out;
  EXPECT_EQ(shell("carom run --from " + killed + " --progress none").code, 0);
}

TEST(Resume, AnyRecordedRunGoesOnBeyondItsEnd) {
  const ScratchFolder folder;
  const std::string path = folder.file("ball.h5");
  ASSERT_EQ(shell(std::string("carom run ") + kScene + " --progress none --out " + path).code, 0);
  const ToolRun over = shell("carom resume " + path + " --json");
  EXPECT_EQ(over.code, 2);
  EXPECT_EQ(over.json()["error"]["kind"], "usage");
  const ToolRun earlier = shell("carom resume " + path + " --duration 3 --json");
  EXPECT_EQ(earlier.code, 2);
  EXPECT_EQ(earlier.json()["error"]["kind"], "out-of-range");
  const ToolRun further = shell("carom resume " + path + " --duration 12 --progress none --json");
  ASSERT_EQ(further.code, 0) << further.err;
  EXPECT_EQ(further.json()["time"]["model"], 12.0);
  EXPECT_EQ(RecordReader(path).info().extended, std::vector<double>{12.0});
  EXPECT_EQ(shell("carom run --from " + path + " --progress none").code, 0);
}

TEST(Resume, BadInputIsSaid) {
  const ScratchFolder folder;
  EXPECT_EQ(shell("carom resume " + folder.file("none.h5")).code, 4);
  EXPECT_EQ(shell("carom resume scenes/cradle.toml").code, 4);
  EXPECT_EQ(shell(std::string("carom run ") + kScene + " --checkpoint 1").code, 2);
  EXPECT_EQ(shell(std::string("carom run ") + kScene + " --out " + folder.file("a.h5") + " --checkpoint 0").code, 2);
}

}  // namespace
}  // namespace carom::test::resume_test
