#include "output/sparkline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "apps/tool.h"
#include "common/text_table.h"

namespace carom::test {
namespace {

using app::EnergySparkline;
using app::sparkline;

TEST(Sparkline, GoesFromLowToHigh) {
  EXPECT_EQ(sparkline({0, 1, 2, 3, 4, 5, 6, 7}, 8), "▁▂▃▄▅▆▇█");
  EXPECT_EQ(sparkline({5, 5, 5}, 3), "▁▁▁");
  EXPECT_EQ(sparkline({0, 2, 0, 2, 7, 7}, 3), "▁▁█");
  EXPECT_EQ(sparkline({0, std::nan(""), 1}, 3), "▁ █");
  EXPECT_EQ(sparkline({0, 1}, 4), "▁▁██");
  EXPECT_EQ(sparkline({}, 4), "");
}

/// A run of n samples in which the kinetic energy grows from 0 to 1 and an impact happens in each of the last quarter.
std::string growing(int n, int width) {
  EnergySparkline watch;
  for (int i = 0; i < n; ++i) {
    if (4 * i >= 3 * n) {
      EventRecord event;
      event.time = i;
      watch.event(event);
    }
    EnergyBook book;
    book.now.kinetic = static_cast<double>(i) / (n - 1);
    State state;
    state.time = i;
    watch.sample(state, book);
  }
  return watch.text(width);
}

TEST(Sparkline, ShowsTheSameForLongAndShortRuns) {
  for (const int samples : {100, 5000, 200000}) {
    const std::string text = growing(samples, 60);
    std::istringstream lines(text);
    std::string kinetic, impacts, more;
    std::getline(lines, kinetic);
    std::getline(lines, impacts);
    EXPECT_FALSE(std::getline(lines, more)) << text;
    EXPECT_EQ(kinetic.substr(0, 12), "kinetic     ");
    // Cell k of 22 has the height 8k/21, rounded down.
    EXPECT_NE(kinetic.find("▁▁▁▂▂▂▃▃▄▄▄▅▅▅▆▆▇▇▇███"), std::string::npos) << kinetic;
    EXPECT_TRUE(kinetic.ends_with("  0 … 1 J")) << kinetic;
    EXPECT_NE(impacts.find("▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁"), std::string::npos) << impacts;
    EXPECT_NE(impacts.find("█████"), std::string::npos) << impacts;
    EXPECT_NE(impacts.find(std::to_string(samples / 4) + " in "), std::string::npos) << impacts;
    for (const std::string& line : {kinetic, impacts}) EXPECT_LE(app::text_width(line), 60);
  }
}

TEST(Sparkline, NeedsRoomAndSomethingToShow) {
  EXPECT_EQ(growing(100, 40), "");
  EXPECT_EQ(EnergySparkline().text(80), "");
}

TEST(Sparkline, IsForTerminalsOnly) {
  const std::string run = "carom run scenes/bouncing-ball.toml --set run.duration=1";
  EXPECT_EQ(shell(run).err, "");
  EXPECT_EQ(shell(run + " --progress none").err, "");
  if (shell("type -P script").code != 0) GTEST_SKIP() << "there is no terminal to try it on";
  const auto on_terminal = [](const std::string& command) {
    return shell("script -qec 'stty cols 90; " + command + "' /dev/null < /dev/null").out;
  };
  const std::string shown = on_terminal(run);
  EXPECT_NE(shown.find("kinetic     ▁"), std::string::npos) << shown;
  EXPECT_NE(shown.find("dissipated  ▁"), std::string::npos) << shown;
  EXPECT_NE(shown.find("1 in 1 s"), std::string::npos) << shown;
  EXPECT_EQ(on_terminal(run + " --progress none").find("▁"), std::string::npos);
}

}  // namespace
}  // namespace carom::test
