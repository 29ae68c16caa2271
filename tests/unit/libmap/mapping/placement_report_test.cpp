#include "libmap/mapping/placement_report.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>

#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
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

// A folder of reports for the time of a test.
class Reports {
 public:
  Reports() {
    std::string pattern = ::testing::TempDir() + "rankmap_reports.XXXXXX";
    path_ = ::mkdtemp(pattern.data()) == nullptr ? "" : pattern;
  }
  ~Reports() { std::filesystem::remove_all(path_); }
  void write(Rank rank, const std::string& text) const {
    write_text(path_ + "/rank." + std::to_string(rank), text);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

MapFile map_of(Rank ranks) {
  MapFile map;
  for (Rank rank = 0; rank < ranks; ++rank) {
    map.rows.push_back(planned());
    map.rows.back().rank = rank;
  }
  return map;
}

// As `report`, of another rank with more lines.
std::string report_of(Rank rank, const std::string& more = "", const std::string& host = "n0") {
  std::string text = report("0-1,4-5", "", "2", "", host) + more;
  text.replace(text.find("rank 3"), 6, "rank " + std::to_string(rank));
  return text;
}

TEST(JudgePlacement, TellsAllThatTheRankSaw) {
  const PlacementRow row = judge_placement(
      planned(),
      "rankmap-report 1\nrank 3\nsize 4\nlauncher Open MPI\nlocal_rank 1\nlocal_size 2\nhost n0\n"
      "pid 4242\nstate placed\ncpus_absent \ncpus_barred \ncpus_actual 0-1,4-5\nthreads 1\n"
      "gpu_mode own\ngpu_device 0000:8a:00.0\ngpu_variable CUDA_VISIBLE_DEVICES\n"
      "gpu_planned 2\ngpu_actual 2\nnic_variable UCX_NET_DEVICES\nnic_actual mlx5_1:1\n"
      "memory_actual set\nopenmp 2 threads\nmpi_peers 2\ndoubt \nnote \n");
  const ActualPlacement& seen = row.seen;
  EXPECT_EQ(row.verdict, PlacementVerdict::ok) << row.reason;
  EXPECT_EQ(seen.pid, 4242);
  EXPECT_EQ(seen.launcher, "Open MPI");
  EXPECT_EQ(seen.local_rank, 1);
  EXPECT_EQ(seen.gpu_mode, "own");
  EXPECT_EQ(seen.gpu_variable, "CUDA_VISIBLE_DEVICES");
  EXPECT_EQ(seen.gpus, "2");
  EXPECT_EQ(seen.gpu_device, "0000:8a:00.0");
  EXPECT_EQ(seen.cpus, (CpuSet{0, 1, 4, 5}));
  EXPECT_EQ(seen.memory, "set");
  EXPECT_EQ(seen.nic, "mlx5_1:1");
  EXPECT_EQ(seen.openmp, "2 threads");
  EXPECT_EQ(seen.mpi_peers, 2);
}

TEST(JudgePlacement, LeavesUntoldWhatIsADash) {
  const PlacementRow row = judge_placement(planned(), report());
  EXPECT_EQ(row.seen.nic, "");
  EXPECT_EQ(row.seen.openmp, "");
  EXPECT_EQ(row.seen.local_rank, none);
  EXPECT_EQ(row.seen.mpi_peers, 0);
}

TEST(JudgePlacement, LetsNoControlCharacterThrough) {
  const PlacementRow row = judge_placement(
      planned(), report("0-1,4-5", "", "\x1b[2J", "a \x07 doubt\x7f", "n0\x1b]0;x"));
  for (const std::string& text : {line_of(row), row.host, row.seen.gpus, row.reason})
    for (const char c : text) EXPECT_FALSE(std::iscntrl(static_cast<unsigned char>(c))) << text;
  EXPECT_EQ(row.seen.gpus, "?[2J");
}

TEST(ReadPlacement, NotesRanksThatMpiDoesNotTakeForNeighbours) {
  const Reports reports;
  reports.write(0, report_of(0, "mpi_peers 1\n"));
  reports.write(1, report_of(1, "mpi_peers 1\n"));
  std::vector<PlacementRow> rows = read_placement(reports.path(), map_of(2));
  EXPECT_EQ(rows[0].verdict, PlacementVerdict::note);
  EXPECT_EQ(rows[1].reason,
            "MPI takes 1 of the 2 ranks of this host for neighbours, so the others lose shared "
            "memory (hydra: a host named twice; Slurm: use --mpi=pmix)");
  reports.write(0, report_of(0, "mpi_peers 2\n"));
  reports.write(1, report_of(1, "mpi_peers 2\n"));
  rows = read_placement(reports.path(), map_of(2));
  EXPECT_EQ(worst_of(rows), PlacementVerdict::ok) << rows[0].reason;
}

TEST(ReadPlacement, CountsNeighboursByHost) {
  const Reports reports;
  MapFile map = map_of(2);
  map.rows[1].host = "n1";
  reports.write(0, report_of(0, "mpi_peers 1\n"));
  reports.write(1, report_of(1, "mpi_peers 1\n", "n1"));
  const std::vector<PlacementRow> rows = read_placement(reports.path(), map);
  EXPECT_EQ(worst_of(rows), PlacementVerdict::ok) << rows[0].reason;
}

// One rank's file must not take the others' rows away.
TEST(ReadPlacement, GivesARowToEveryFileThatIsNoReport) {
  const Reports reports;
  reports.write(0, report_of(0));
  reports.write(1, std::string(1 << 20, 'x'));
  reports.write(2, std::string("rankmap-report 1\nrank 2\n\0\xff\xfe garbage", 35));
  std::filesystem::create_directory(reports.path() + "/rank.3");
  reports.write(4, report_of(3));
  const std::vector<PlacementRow> rows = read_placement(reports.path(), map_of(5));
  EXPECT_EQ(rows[0].verdict, PlacementVerdict::ok);
  EXPECT_NE(rows[1].reason.find("/rank.1"), std::string::npos) << rows[1].reason;
  EXPECT_NE(rows[2].verdict, PlacementVerdict::ok);
  EXPECT_TRUE(rows[3].reason.starts_with("no report")) << rows[3].reason;
  EXPECT_EQ(rows[4].reason, "its report is damaged");
  EXPECT_EQ(summary_of(rows), "1 of 5 ranks sit as planned");
}

TEST(SummaryOf, CountsGoodRanksAndNotes) {
  std::vector<PlacementRow> rows(3);
  rows[0].verdict = PlacementVerdict::ok;
  rows[1].verdict = PlacementVerdict::note;
  rows[2].verdict = PlacementVerdict::wrong;
  EXPECT_EQ(summary_of(rows), "1 of 3 ranks sit as planned, 1 as far as their host goes");
  EXPECT_EQ(worst_of(rows), PlacementVerdict::wrong);
  EXPECT_EQ(summary_of({}), "0 of 0 ranks sit as planned");
  EXPECT_EQ(worst_of({}), PlacementVerdict::ok);
}

}  // namespace
}  // namespace rankmap
