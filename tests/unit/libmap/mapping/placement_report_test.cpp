#include "libmap/mapping/placement_report.hpp"

#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "libmap/base/random.hpp"

namespace rankmap {
namespace {

MapRow planned() {
  MapRow row;
  row.rank = 3;
  row.host = "n0";
  row.gpu = 2;
  row.cpus = CpuSet{0, 1, 4, 5};
  return row;
}

// A report as the shim writes it, with some lines replaced.
std::string report(const std::string& actual = "0-1,4-5", const std::string& absent = "",
                   const std::string& gpu = "2", const std::string& doubt = "",
                   const std::string& host = "n0.site.org") {
  return "rankmap-report 1\nrank 3\nsize 4\nhost " + host + "\npid 9\nstate placed\ncpus_absent " +
         absent + "\ncpus_barred \ncpus_actual " + actual +
         "\ngpu_variable CUDA_VISIBLE_DEVICES\ngpu_planned 2\ngpu_actual " + gpu +
         "\nnic_actual -\nmemory_actual set\ndoubt " + doubt + "\nnote \n";
}

TEST(JudgePlacement, IsOkWhereAllIsAsPlanned) {
  const PlacementRow row = judge_placement(planned(), report());
  EXPECT_EQ(row.verdict, PlacementVerdict::ok);
  EXPECT_EQ(row.reason, "");
  EXPECT_EQ(line_of(row), "rank 3: n0.site.org, gpu 2, cpus 0-1,4-5: ok");
}

TEST(JudgePlacement, NotesCpusThatDoNotExist) {
  const PlacementRow row = judge_placement(planned(), report("0-1", "4-5"));
  EXPECT_EQ(row.verdict, PlacementVerdict::note);
  EXPECT_EQ(line_of(row), "rank 3: n0.site.org, gpu 2, cpus 0-1: note: CPUs 4-5 do not exist here");
}

TEST(JudgePlacement, FindsWrongCpusGpusAndHosts) {
  EXPECT_EQ(judge_placement(planned(), report("0-7")).reason, "runs on CPUs 0-7, planned 0-1,4-5");
  EXPECT_EQ(judge_placement(planned(), report("0-1,4-5", "", "0")).reason,
            "CUDA_VISIBLE_DEVICES is \"0\", planned \"2\"");
  EXPECT_EQ(judge_placement(planned(), report("0-1,4-5", "", "2", "", "n1")).reason,
            "runs on n1, planned on n0");
  for (const PlacementRow& row : {judge_placement(planned(), report("0-7")),
                                  judge_placement(planned(), report("0-1,4-5", "", "0"))})
    EXPECT_EQ(row.verdict, PlacementVerdict::wrong);
}

TEST(JudgePlacement, GivesTheRanksOwnReasonWhereItIsWrong) {
  const PlacementRow row =
      judge_placement(planned(), report("0-1,4-5", "", "0", "GPU 2 of the plan is not in X. "));
  EXPECT_EQ(row.verdict, PlacementVerdict::wrong);
  EXPECT_EQ(row.reason, "GPU 2 of the plan is not in X");
}

TEST(JudgePlacement, RefusesReportsOfOtherRanksAndOtherTexts) {
  MapRow other = planned();
  other.rank = 4;
  for (const PlacementRow& row : {judge_placement(other, report()), judge_placement(planned(), ""),
                                  judge_placement(planned(), "hello")}) {
    EXPECT_EQ(row.verdict, PlacementVerdict::wrong);
    EXPECT_EQ(row.reason, "its report is damaged");
  }
}

TEST(JudgePlacement, SurvivesDamagedReports) {
  Random random(5);
  for (int round = 0; round < 3000; ++round) {
    std::string text = report();
    for (int i = 0; i < 4; ++i)
      text[random.below(text.size())] = static_cast<char>(random.below(256));
    const PlacementRow row =
        judge_placement(planned(), text.substr(0, random.below(text.size() + 1)));
    EXPECT_EQ(row.rank, 3);
  }
}

TEST(ReadPlacement, NeedsADirectory) {
  EXPECT_THROW(read_placement("/nonexistent/reports", MapFile{}), SystemError);
}

TEST(ReadPlacement, CallsAMissingReportWrong) {
  MapFile map;
  map.rows.push_back(planned());
  map.rows[0].rank = 0;
  const std::vector<PlacementRow> rows = read_placement("/proc/self", map);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(worst_of(rows), PlacementVerdict::wrong);
  EXPECT_EQ(line_of(rows[0]),
            "rank 0: planned gpu 2, cpus 0-1,4-5: wrong: no report: the rank did not start under "
            "rankmap-exec or the shim");
}

}  // namespace
}  // namespace rankmap
