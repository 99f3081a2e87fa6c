#include "carom/analysis/sweep/sweep_journal.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "carom/analysis/sweep/shard.h"
#include "carom/analysis/sweep/sweep_table.h"
#include "carom/analysis/sweep/table_text.h"
#include "carom/base/error.h"
#include "support/scratch_folder.h"

namespace carom::sweep {
namespace {

using test::ScratchFolder;

constexpr const char* kDescription = R"({"carom":"1","input":"ab","points":5})";

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(SweepTableText, CellsReadBack) {
  const std::vector<std::string> cells{"1.5", "", "a, \"b\"", "out-of-range: x is 1, expected 2"};
  std::string line;
  append_line(line, cells);
  ASSERT_TRUE(line.ends_with('\n'));
  line.pop_back();
  EXPECT_EQ(cells_of(line), cells);
  std::string values;
  for (const Value& value : {Value(0.1), Value(List{1, 2.5}), Value(), Value("a, b")}) {
    append_cell_of(values, value);
    values += ',';
  }
  EXPECT_EQ(values, "0.1,\"[1, 2.5]\",,\"a, b\",");
}

TEST(SweepTableText, CountsRowsOfPointsThatFailed) {
  FailedRows failed;
  for (const char* const line : {"1,0.5,duration", "2,,\"out-of-range: x is 2, expected 1\"\n", "3,,at-rest",
                                 "4,0.1,failed: the motion stalls", "\"a: b\",0.1,duration", "5,,\"a, b\"", ""})
    failed.look_at(line);
  EXPECT_EQ(failed.count, 2u);
  EXPECT_EQ(failed.first, "out-of-range: x is 2, expected 1");
}

TEST(SweepJournal, RemembersWhatWasFinished) {
  const ScratchFolder scratch;
  const std::string table = scratch.file("t.csv");
  {
    SweepJournal journal(table, kDescription, 5);
    EXPECT_EQ(journal.done(), 0u);
    journal.add(3, 2, "d\ne\n");
    journal.add(0, 1, "a\n");
  }
  SweepJournal again(table, kDescription, 5);
  EXPECT_EQ(again.done(), 3u);
  EXPECT_TRUE(again.is_done(0));
  EXPECT_FALSE(again.is_done(1));
  EXPECT_TRUE(again.is_done(4));
  again.add(1, 2, "b\nc\n");
  std::string all;
  for (const JournalPiece& piece : again.pieces()) all += again.read(piece);
  EXPECT_EQ(all, "a\nb\nc\nd\ne\n");
}

TEST(SweepJournal, APieceThatWasCutOffCountsAsNotWritten) {
  const ScratchFolder scratch;
  const std::string table = scratch.file("t.csv");
  {
    SweepJournal journal(table, kDescription, 5);
    journal.add(0, 1, "a\n");
    journal.add(1, 1, "b\n");
  }
  const std::string whole = bytes_of(journal_path(table));
  const std::size_t first = std::string(kDescription).size() + 1 + std::string("@ 0 1 2\na\n").size();
  for (std::size_t size = first; size < whole.size(); ++size) {
    std::ofstream(journal_path(table), std::ios::binary) << whole.substr(0, size);
    SweepJournal journal(table, kDescription, 5);
    EXPECT_EQ(journal.done(), 1u) << size;
    journal.add(1, 1, "b\n");
    EXPECT_EQ(bytes_of(journal_path(table)), whole) << size;
  }
}

TEST(SweepJournal, AnotherSweepIsRefusedWithTheDifference) {
  const ScratchFolder scratch;
  const std::string table = scratch.file("t.csv");
  { SweepJournal journal(table, kDescription, 5); }
  try {
    SweepJournal journal(table, R"({"carom":"1","input":"ab","points":6})", 6);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), Kind::usage);
    EXPECT_NE(std::string(error.what()).find("points is 5 there and 6 here"), std::string::npos) << error.what();
  }
}

TEST(SweepJournal, TwoAtATimeAreRefused) {
  const ScratchFolder scratch;
  const std::string table = scratch.file("t.csv");
  const SweepJournal journal(table, kDescription, 5);
  try {
    const SweepJournal second(table, kDescription, 5);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), Kind::file);
  }
}

TEST(SweepJournal, AForeignTableIsNotOverwritten) {
  const ScratchFolder scratch;
  const std::string table = scratch.file("t.csv");
  std::ofstream(table) << "precious\n";
  EXPECT_THROW(SweepJournal(table, kDescription, 5), InputError);
  EXPECT_EQ(bytes_of(table), "precious\n");
}

TEST(SweepTable, BothKindsHoldTheSame) {
  const ScratchFolder scratch;
  const std::vector<std::string> columns{"a/b", "w", "n"};
  const std::string lines = "0.1,x,1\n,\"y, z\",\n1e-300,x,-0.0\n";
  for (const char* const name : {"t.csv", "t.h5"}) {
    const auto writer = write_table(scratch.file(name), columns);
    writer->add(lines);
    EXPECT_FALSE(std::filesystem::exists(scratch.file(name)));
    writer->finish();
  }
  const TableLines csv = read_table(scratch.file("t.csv")), h5 = read_table(scratch.file("t.h5"));
  EXPECT_EQ(csv.columns, columns);
  EXPECT_EQ(h5.columns, columns);
  ASSERT_EQ(csv.lines.size(), 3u);
  EXPECT_EQ(csv.lines[1], ",\"y, z\",");
  EXPECT_EQ(h5.lines, csv.lines);
}

TEST(SweepTable, Hdf5FilesOfTheSameTableHaveTheSameBytesAtAnyTime) {
  const ScratchFolder scratch;
  for (const char* const name : {"a.h5", "b.h5"}) {
    const auto writer = write_table(scratch.file(name), std::vector<std::string>{"x", "stop"});
    writer->add("1,separated\n");
    writer->finish();
    // HDF5 counts in seconds; a file must not tell which one it was made in.
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  }
  EXPECT_EQ(bytes_of(scratch.file("a.h5")), bytes_of(scratch.file("b.h5")));
}

TEST(SweepTable, ColumnsOfOneNameAreToldApartInHdf5) {
  const ScratchFolder scratch;
  const std::vector<std::string> columns{"velocity.0", "velocity.0", "stop"};
  const auto writer = write_table(scratch.file("t.h5"), columns);
  writer->add("1,-0.5,separated\n");
  writer->finish();
  const TableLines table = read_table(scratch.file("t.h5"));
  EXPECT_EQ(table.columns, columns);
  EXPECT_EQ(table.lines, std::vector<std::string>{"1,-0.5,separated"});
}

TEST(SweepTable, RowsWithoutAllCellsAreDamaged) {
  const ScratchFolder scratch;
  std::ofstream(scratch.file("t.csv")) << "x,y\n1,\"a, b\"\n2\n";
  try {
    read_table(scratch.file("t.csv"));
    ADD_FAILURE() << "it was read";
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), Kind::file);
    EXPECT_NE(std::string(error.what()).find("row 2 has 1 cells, its head 2"), std::string::npos) << error.what();
  }
}

/// The table of a shard of a sweep of 5 points, two rows for each but the third.
std::string shard_table(const ScratchFolder& scratch, const std::string& name, const Shard& shard,
                        const std::string& sweep = kDescription) {
  const std::string path = scratch.file(name);
  const auto writer = write_table(path, std::vector<std::string>{"x", "index", "stop"});
  for (std::size_t k = 0; k < shard.size(5); ++k) {
    const std::string x = std::to_string(shard.point(k));
    writer->add(x == "2" ? "2,,duration\n" : x + ",0,duration\n" + x + ",1,duration\n");
  }
  writer->finish();
  write_complete_journal(path, describe_shard(sweep, shard));
  return path;
}

std::string merge_complaint(const std::vector<std::string>& tables, const std::string& path) {
  try {
    merge_tables(tables, path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "merged";
}

TEST(SweepMerge, ShardsInAnyOrderGiveTheTableOfTheWholeSweep) {
  const ScratchFolder scratch;
  const std::string whole = shard_table(scratch, "whole.csv", {0, 1});
  for (const std::size_t count : {2u, 3u, 5u, 7u}) {
    std::vector<std::string> tables;
    for (std::size_t i = count; i-- > 0;) {
      tables.push_back(shard_table(scratch, std::to_string(count) + "-" + std::to_string(i) + ".csv", {i, count}));
    }
    const std::string merged = scratch.file("merged" + std::to_string(count) + ".csv");
    EXPECT_EQ(merge_tables(tables, merged), 9u);
    EXPECT_EQ(bytes_of(merged), bytes_of(whole));
    EXPECT_EQ(bytes_of(journal_path(merged)), bytes_of(journal_path(whole)));
  }
}

TEST(SweepMerge, RefusesShardsThatDoNotBelongTogether) {
  const ScratchFolder scratch;
  const std::string merged = scratch.file("m.csv");
  const std::string zero = shard_table(scratch, "0.csv", {0, 3}), one = shard_table(scratch, "1.csv", {1, 3}),
                    two = shard_table(scratch, "2.csv", {2, 3});
  EXPECT_NE(merge_complaint({zero, two}, merged).find("missing: 1/3"), std::string::npos);
  EXPECT_NE(merge_complaint({zero, one, one, two}, merged).find("the same shard"), std::string::npos);
  const std::string other = shard_table(scratch, "o.csv", {1, 3}, R"({"carom":"1","input":"cd","points":5})");
  EXPECT_NE(merge_complaint({zero, other, two}, merged).find("the scene or problem is another one"), std::string::npos);
  const std::string of_two = shard_table(scratch, "h.csv", {1, 2});
  EXPECT_NE(merge_complaint({zero, of_two}, merged).find("do not belong together"), std::string::npos);
  std::filesystem::remove(journal_path(one));
  EXPECT_NE(merge_complaint({zero, one, two}, merged).find("is missing"), std::string::npos);
  EXPECT_NE(merge_complaint({zero, scratch.file("nothing.csv")}, merged).find("no such file"), std::string::npos);
  { SweepJournal running(scratch.file("r.csv"), describe_shard(kDescription, {1, 3}), 2); }
  std::ofstream(scratch.file("r.csv")) << "x,index,stop\n";
  EXPECT_NE(merge_complaint({zero, scratch.file("r.csv"), two}, merged).find("is not whole"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(merged));
}

TEST(SweepMerge, RefusesTablesThatWereChanged) {
  const ScratchFolder scratch;
  const std::string merged = scratch.file("m.csv");
  const std::string zero = shard_table(scratch, "0.csv", {0, 2}), one = shard_table(scratch, "1.csv", {1, 2});
  std::ofstream(one) << "x,index,stop\n1,0,duration\n";
  EXPECT_NE(merge_complaint({zero, one}, merged).find("has 1 points, expected 2"), std::string::npos);
  std::ofstream(one) << "y,index,stop\n1,0,duration\n3,0,duration\n";
  EXPECT_NE(merge_complaint({zero, one}, merged).find("has other columns than the sweep"), std::string::npos);
}

TEST(SweepMerge, TellsOfManyShardsThatAreMissing) {
  const ScratchFolder scratch;
  const std::string one = shard_table(scratch, "1.csv", {1, 1000000000});
  const std::string complaint = merge_complaint({one}, scratch.file("m.csv"));
  EXPECT_NE(complaint.find("missing: 0/1000000000, 2/1000000000"), std::string::npos) << complaint;
  EXPECT_NE(complaint.find("and 999999989 more"), std::string::npos) << complaint;
}

TEST(SweepShard, CountsFromZeroOrFromOne) {
  EXPECT_EQ(read_shard("0/4").index, 0u);
  EXPECT_EQ(read_shard("4/4").index, 0u);
  EXPECT_EQ(read_shard("3/4").index, 3u);
  for (const char* const text : {"", "1", "5/4", "0/0", "a/b", "-1/4", "1/2/3"}) {
    EXPECT_THROW(read_shard(text), InputError) << text;
  }
  std::size_t points = 0;
  for (std::size_t i = 0; i < 4; ++i) points += Shard{i, 4}.size(10);
  EXPECT_EQ(points, 10u);
}

}  // namespace
}  // namespace carom::sweep
