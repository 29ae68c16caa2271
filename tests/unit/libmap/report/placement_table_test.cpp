// The table at the end of a job.
#include "libmap/report/placement_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "placement_rows.hpp"

namespace rankmap {
namespace {

using testing::placed_row;
using testing::placed_rows;

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(PlacementTable, HasALineARank) {
  std::vector<PlacementRow> rows = placed_rows(2);
  rows[1].seen.nic = "mlx5_1:1";
  EXPECT_EQ(placement_table(rows, 16),
            "rank  host  GPU  CPUs  memory       NIC       verdict\n"
            "   0  n0    0    10    preferred:1  -         ok\n"
            "   1  n0    1    11    preferred:1  mlx5_1:1  ok\n"
            "2 of 2 ranks sit as planned\n");
}

TEST(PlacementTable, TellsWhatIsOtherThanPlanned) {
  PlacementRow row = placed_row(3);
  row.seen.gpus = "GPU-9,GPU-8";  // in aligned lists and by uuid
  row.seen.memory = "refused";
  row.verdict = PlacementVerdict::note;
  row.reason = "the kernel says no";
  EXPECT_EQ(
      placement_table({row}, 16),
      "rank  host  GPU               CPUs  memory               NIC  verdict\n"
      "   3  n0    3 as GPU-9,GPU-8  13    preferred:1 refused  -    note: the kernel says no\n"
      "0 of 1 ranks sit as planned, 1 as far as their host goes\n");
}

TEST(PlacementTable, HasDashesForWhatIsUnknown) {
  PlacementRow row;
  row.rank = 0;
  row.reason = "no report";
  EXPECT_EQ(placement_table({row}, 16),
            "rank  host  GPU  CPUs  memory  NIC  verdict\n"
            "   0  -     -    -     -       -    wrong: no report\n"
            "0 of 1 ranks sit as planned\n");
}

TEST(PlacementTable, OfManyRanksShowsThoseThatAreNotOk) {
  std::vector<PlacementRow> rows = placed_rows(16);
  EXPECT_EQ(lines_of(placement_table(rows, 16)), 18U);
  rows.push_back(placed_row(16));
  EXPECT_EQ(placement_table(rows, 16), "17 of 17 ranks sit as planned\n");
  rows[7].verdict = PlacementVerdict::wrong;
  rows[7].reason = "was not placed";
  const std::string text = placement_table(rows, 16);
  EXPECT_EQ(lines_of(text), 3U);
  EXPECT_NE(text.find("   7  n0    7    17    preferred:1  -    wrong: was not placed\n"),
            std::string::npos)
      << text;
}

TEST(PlacementTable, OfManyBadRanksShowsSomeAndCountsTheRest) {
  std::vector<PlacementRow> rows = placed_rows(100);
  for (PlacementRow& row : rows) row.verdict = PlacementVerdict::wrong;
  const std::string text = placement_table(rows, 16);
  EXPECT_EQ(lines_of(text), 1U + 16U + 2U);
  EXPECT_NE(text.find("\n... and 84 more\n0 of 100 ranks sit as planned\n"), std::string::npos);
}

TEST(PlacementTable, OfNoRanksIsItsSummary) {
  EXPECT_EQ(placement_table({}, 16), "0 of 0 ranks sit as planned\n");
}

}  // namespace
}  // namespace rankmap
