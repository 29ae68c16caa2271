// What ranks hold open, made up, against what they should.
#include <gtest/gtest.h>

#include "libmap/mapping/live/live_placement.hpp"

namespace rankmap {
namespace {

// On CPU 0, with GPUs open whose bus ids are 0000:10:00.0, 0000:11:00.0 ...
LiveRank rank_with(Rank rank, const std::vector<int>& gpus, const std::string& job = "j") {
  LiveRank live{job, rank, 100 + rank, CpuSet{0}, {}, gpus, {}};
  for (const int gpu : gpus) {
    live.devices.push_back("gpu " + std::to_string(gpu));
    live.gpu_ids.push_back("0000:1" + std::to_string(gpu) + ":00.0");
  }
  return live;
}

// Rank r on GPU r and CPU 0 of host n0.
MapFile map_of(Rank ranks) {
  MapFile map;
  for (Rank rank = 0; rank < ranks; ++rank) {
    MapRow row;
    row.rank = rank;
    row.host = "n0";
    row.gpu = rank;
    row.cpus = CpuSet{0};
    map.rows.push_back(row);
  }
  return map;
}

PlacementRow judged(const LiveRank& live, const MapFile& map) {
  const std::vector<PlacementRow> rows = judge_live({live}, map, "n0");
  return rows.empty() ? PlacementRow() : rows.front();
}

TEST(JudgeLive, IsOkWhereTheOwnGpuIsOpen) {
  const std::vector<PlacementRow> rows =
      judge_live({rank_with(0, {0}), rank_with(1, {1})}, map_of(2), "n0");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(worst_of(rows), PlacementVerdict::ok) << rows[0].reason;
  EXPECT_EQ(line_of(rows[1]), "rank 1: n0, pid 101, opened gpu 1, cpus 0: ok");
}

TEST(JudgeLive, FindsOtherGpus) {
  EXPECT_EQ(judged(rank_with(0, {1}), map_of(1)).reason,
            "holds GPU 1 open instead of the planned 0");
  const PlacementRow row = judged(rank_with(0, {0, 1, 3}), map_of(1));
  EXPECT_EQ(row.reason, "holds GPU 1, 3 open beside the planned 0");
  EXPECT_EQ(row.verdict, PlacementVerdict::wrong);
}

TEST(JudgeLive, GoesByTheBusIdWhereThePlanHasOne) {
  MapFile map = map_of(1);
  for (const char* id : {"0000:13:00.0", "00000000:13:00.0"}) {
    map.rows[0].gpu_id = id;
    EXPECT_EQ(judged(rank_with(0, {3}), map).verdict, PlacementVerdict::ok) << id;
    EXPECT_EQ(judged(rank_with(0, {0}), map).verdict, PlacementVerdict::wrong) << id;
  }
  map.rows[0].gpu_id = "0001:13:00.0";  // of another domain
  EXPECT_EQ(judged(rank_with(0, {3}), map).verdict, PlacementVerdict::wrong);
  LiveRank far = rank_with(0, {3});
  far.gpu_ids[0] = "00000001:13:00.0";
  EXPECT_EQ(judged(far, map).verdict, PlacementVerdict::ok);
  map.rows[0].gpu_id = "0000:AF:00.0";
  far.gpu_ids[0] = "0000:af:00.0";
  EXPECT_EQ(judged(far, map).verdict, PlacementVerdict::ok);
  map.rows[0].gpu_id = "GPU-3f1e";  // a uuid: only the index tells
  EXPECT_EQ(judged(rank_with(0, {0}), map).verdict, PlacementVerdict::ok);
}

TEST(JudgeLive, NotesThatNoGpuIsOpenYet) {
  const PlacementRow row = judged(rank_with(0, {}), map_of(1));
  EXPECT_EQ(row.verdict, PlacementVerdict::note);
  EXPECT_EQ(row.reason, "has opened no GPU yet");
}

TEST(JudgeLive, SaysNothingOfGpusItCannotTell) {
  MapFile map = map_of(1);
  map.rows[0].gpu_id = "MIG-7";
  EXPECT_EQ(judged(rank_with(0, {3}), map).verdict, PlacementVerdict::ok);
  map = map_of(1);
  map.rows[0].vendor = "amd";
  EXPECT_EQ(judged(rank_with(0, {}), map).verdict, PlacementVerdict::ok);
  map = map_of(1);
  map.rows[0].gpu = none;
  EXPECT_EQ(judged(rank_with(0, {3}), map).verdict, PlacementVerdict::ok);
}

TEST(JudgeLive, FindsCpusOutsideThePlan) {
  LiveRank live = rank_with(0, {0});
  live.cpus = CpuSet{0, 1, 2};
  const PlacementRow row = judged(live, map_of(1));
  EXPECT_EQ(row.verdict, PlacementVerdict::wrong);
  EXPECT_EQ(row.reason, "may run on CPUs 0-2, planned 0");
  MapFile map = map_of(1);
  map.rows[0].cpus = CpuSet{0, 1, 2, 3};
  EXPECT_EQ(judged(live, map).verdict, PlacementVerdict::ok);  // inside it
  map.rows[0].cpus = CpuSet();
  EXPECT_EQ(judged(live, map).verdict, PlacementVerdict::ok);  // none planned
}

TEST(JudgeLive, JoinsWhatIsWrong) {
  LiveRank live = rank_with(0, {1});
  live.cpus = CpuSet{7};
  EXPECT_EQ(judged(live, map_of(1)).reason,
            "holds GPU 1 open instead of the planned 0; may run on CPUs 7, planned 0");
}

TEST(JudgeLive, MissesRanksThatDoNotRun) {
  const std::vector<PlacementRow> rows = judge_live({rank_with(1, {1})}, map_of(2), "n0");
  EXPECT_EQ(rows[0].verdict, PlacementVerdict::wrong);
  EXPECT_EQ(rows[0].reason, "no process of this rank runs here");
  EXPECT_EQ(rows[0].rank, 0);
  EXPECT_EQ(rows[1].verdict, PlacementVerdict::ok);
}

TEST(JudgeLive, LeavesOutTheRanksOfOtherHosts) {
  MapFile map = map_of(4);
  map.rows[0].host = "n1";
  map.rows[1].host = "n0.site.org";
  map.rows[2].host = "*";
  map.rows[3].host = "localhost";
  std::vector<Rank> ranks;
  for (const PlacementRow& row : judge_live({}, map, "n0.other.org")) ranks.push_back(row.rank);
  EXPECT_EQ(ranks, (std::vector<Rank>{1, 2, 3}));
}

TEST(JudgeLiveWithoutAMap, FindsGpusThatSeveralRanksHold) {
  const std::vector<PlacementRow> rows =
      judge_live({rank_with(0, {0}), rank_with(1, {0, 1}), rank_with(2, {2})}, "n0");
  EXPECT_EQ(rows[0].reason, "gpu 0 is held open by ranks 0, 1");
  EXPECT_EQ(rows[1].reason, "gpu 0 is held open by ranks 0, 1");
  EXPECT_EQ(rows[1].verdict, PlacementVerdict::wrong);
  EXPECT_EQ(rows[2].verdict, PlacementVerdict::ok);
  EXPECT_EQ(summary_of(rows), "1 of 3 ranks sit as planned");
}

TEST(JudgeLiveWithoutAMap, LetsTwoJobsShareAGpu) {
  const std::vector<PlacementRow> rows =
      judge_live({rank_with(0, {0}, "a"), rank_with(0, {0}, "b")}, "n0");
  EXPECT_EQ(worst_of(rows), PlacementVerdict::ok);
}

// ROCm opens the render nodes of all GPUs it sees.
TEST(JudgeLiveWithoutAMap, NotesSharedRenderNodes) {
  std::vector<LiveRank> ranks = {rank_with(0, {}), rank_with(1, {})};
  for (LiveRank& rank : ranks) rank.devices = {"renderD128"};
  const std::vector<PlacementRow> rows = judge_live(ranks, "n0");
  EXPECT_EQ(rows[0].verdict, PlacementVerdict::note);
  EXPECT_EQ(rows[0].reason, "renderD128 is held open by ranks 0, 1");
}

}  // namespace
}  // namespace rankmap
