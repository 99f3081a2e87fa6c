/// `carom plot` of the tables of sweeps.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "apps/gnuplot_needed.h"
#include "apps/tool.h"

namespace carom::test {
namespace {

using nlohmann::json;

json plotted_table(const std::string& arguments, const std::string& picture) {
  const ToolRun run = shell("carom plot " + arguments + " --json -o " + picture);
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_GT(std::filesystem::file_size(picture), 1000u);
  return run.json();
}

TEST(SweepPlot, DrawsWhatSuitsTheTable) {
  NEEDS_GNUPLOT();
  const ScratchFolder folder;
  const std::string corner = "carom sweep examples/corner.toml --measure steps energy.after ";
  const auto sweep = [&](const std::string& vary, const std::string& name) {
    const ToolRun run = shell(corner + vary + " -o " + folder.file(name));
    EXPECT_EQ(run.code, 0) << run.err;
    return folder.file(name);
  };
  const std::string curve = sweep("--vary 'velocity.1=lin(-1,1,21)' --vary law=newton,geometric", "curve.csv");
  EXPECT_EQ(plotted_table(curve, folder.file("curve.svg"))["kind"], "curves");
  EXPECT_EQ(plotted_table(curve + " steps", folder.file("one.png"))["pictures"], 1);
  const std::string grid = sweep("--vary 'velocity.1=lin(-1,1,21)' --vary 'restitution=lin(0,1,11)'", "grid.h5");
  EXPECT_EQ(plotted_table(grid, folder.file("grid.svg"))["kind"], "heat maps");
  EXPECT_EQ(plotted_table(grid + " stop", folder.file("stop.png"))["kind"], "heat maps");
  // Words have no logarithms.
  EXPECT_EQ(plotted_table(grid + " stop --log", folder.file("stop-log.png"))["kind"], "heat maps");
  EXPECT_EQ(read_text(folder.file("stop-log.png")), read_text(folder.file("stop.png")));
  EXPECT_EQ(plotted_table(grid + " --against energy.after steps", folder.file("against.png"))["kind"], "density");
  const std::string drawn =
      sweep("--vary 'velocity.1=lin(-1,1)' --vary 'restitution=lin(0,1)' --latin 500 --seed 3", "latin.csv");
  const json matrix = plotted_table(drawn, folder.file("latin.png"));
  EXPECT_EQ(matrix["kind"], "scatter matrix");
  EXPECT_EQ(matrix["pictures"], 16);
}

TEST(SweepPlot, ABifurcationDiagramCountsRowsInCells) {
  NEEDS_GNUPLOT();
  const ScratchFolder folder;
  const ToolRun run = shell(
      "carom sweep scenes/bouncing-ball.toml --vary 'pair.0.restitution=lin(0.5,0.9,9)' "
      "--each impact:ball --measure velocity.ball.z --duration 3 -o " +
      folder.file("b.csv"));
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(plotted_table(folder.file("b.csv"), folder.file("b.png"))["kind"], "density");
}

TEST(SweepPlot, ALongCurveIsThinned) {
  NEEDS_GNUPLOT();
  const ScratchFolder folder;
  std::string text = "x,y,stop\n";
  for (int i = 0; i < 100000; ++i) text += std::to_string(i) + "," + std::to_string(i % 1000) + ",duration\n";
  write_text(folder.file("long.csv"), text);
  EXPECT_EQ(plotted_table(folder.file("long.csv"), folder.file("long.svg"))["kind"], "curves");
  // A point takes some ten bytes.
  EXPECT_LT(std::filesystem::file_size(folder.file("long.svg")), 200000u);
}

TEST(SweepPlot, RefusesWhatItCannotDraw) {
  const ScratchFolder folder;
  write_text(folder.file("t.csv"), "x,y,stop\n1,2,duration\n2,3,duration\n");
  write_text(folder.file("empty.csv"), "");
  write_text(folder.file("none.csv"), "x,y,z\n1,nan,1\n2,inf,2\n");
  EXPECT_EQ(shell("carom plot " + folder.file("t.csv") + " z -o " + folder.file("t.svg")).code, 2);
  EXPECT_EQ(shell("carom plot " + folder.file("t.csv") + " y --against stop -o " + folder.file("t.svg")).code, 2);
  EXPECT_EQ(shell("carom plot " + folder.file("t.csv") + " --from 1 -o " + folder.file("t.svg")).code, 2);
  const ToolRun none = shell("carom plot " + folder.file("none.csv") + " y -o " + folder.file("t.svg"));
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("'y' has no finite number to draw"), std::string::npos) << none.err;
  EXPECT_EQ(shell("carom plot " + folder.file("empty.csv") + " -o " + folder.file("t.svg")).code, 4);
  EXPECT_EQ(shell("carom plot " + folder.file("missing.csv") + " -o " + folder.file("t.svg")).code, 4);
}

}  // namespace
}  // namespace carom::test
