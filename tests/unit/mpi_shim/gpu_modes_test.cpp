// The four modes: own, aligned, own-first, keep.
#include <fcntl.h>
#include <stdlib.h>

#include "tests/unit/mpi_shim/gpu_node.hpp"

namespace rankmap::testing {
namespace {

using GpuModes = GpuNode;

Environment mode(const std::string& word, const char* list = nullptr) {
  Environment environment = {{"RANKMAP_GPUS", word}};
  if (list != nullptr) environment["CUDA_VISIBLE_DEVICES"] = list;
  return environment;
}

// The plan of local rank l on four_nvidia(), ranks on GPUs 2,0,3,1.
GpuPlan permuted(int local_rank) {
  static constexpr int gpus[] = {2, 0, 3, 1};
  static constexpr const char* ids[] = {"0000:07:00.0", "0000:0a:00.0", "0000:47:00.0",
                                        "0000:4e:00.0"};
  return {.gpu = gpus[local_rank],
          .id = ids[gpus[local_rank]],
          .node_gpus = "2,0,3,1",
          .local_rank = local_rank};
}

TEST_F(GpuModes, AlignedGivesEveryRankTheSameList) {
  four_nvidia();
  for (int rank = 0; rank < 4; ++rank) {
    const GpuOutcome outcome = place(permuted(rank), mode("aligned"));
    EXPECT_EQ(outcome.at("CUDA_VISIBLE_DEVICES"), "2,0,3,1");
    EXPECT_EQ(outcome.at("CUDA_DEVICE_ORDER"), "PCI_BUS_ID");
    EXPECT_EQ(outcome.at("mode"), "aligned");
    EXPECT_EQ(outcome.at("doubt"), "");
  }
  EXPECT_EQ(
      place(permuted(1), mode("aligned", "GPU-d,GPU-c,GPU-b,GPU-a")).at("CUDA_VISIBLE_DEVICES"),
      "GPU-c,GPU-a,GPU-d,GPU-b");
}

TEST_F(GpuModes, AlignedIsTheDefaultWhereProgramsCountByLocalRank) {
  four_nvidia();
  GpuPlan worker = permuted(3);
  worker.by_local_rank = true;
  EXPECT_EQ(place(worker).at("CUDA_VISIBLE_DEVICES"), "2,0,3,1");
  EXPECT_EQ(place(worker, mode("own")).at("CUDA_VISIBLE_DEVICES"), "1");
}

TEST_F(GpuModes, AlignedNamesASharedGpuOnce) {
  four_nvidia();
  GpuPlan shared = {.gpu = 2, .id = "0000:47:00.0", .node_gpus = "2,0,2,0", .local_rank = 2};
  EXPECT_EQ(place(shared, mode("aligned")).at("CUDA_VISIBLE_DEVICES"), "2,0");
  // at every rank, also at one whose own position would fit
  shared.node_gpus = "2,2,0,0";
  shared.local_rank = 0;
  const GpuOutcome outcome = place(shared, mode("aligned"));
  EXPECT_EQ(outcome.at("CUDA_VISIBLE_DEVICES"), "-");
  EXPECT_NE(outcome.at("doubt").find("local rank modulo count"), std::string::npos);
}

TEST_F(GpuModes, AlignedNeedsWhatTheMapAndTheLauncherTell) {
  four_nvidia();
  GpuPlan plan = permuted(1);
  plan.node_gpus = "";
  EXPECT_NE(place(plan, mode("aligned")).at("doubt").find("does not tell the GPUs"),
            std::string::npos);
  plan = permuted(1);
  plan.local_rank = -1;
  EXPECT_NE(place(plan, mode("aligned")).at("doubt").find("does not tell the local rank"),
            std::string::npos);
  for (const int local_rank : {0, 7}) {
    plan.local_rank = local_rank;
    EXPECT_NE(place(plan, mode("aligned")).at("doubt").find("otherwise than the map"),
              std::string::npos);
  }
}

TEST_F(GpuModes, AlignedNeedsAllGpusOfTheNodesRanks) {
  four_nvidia();
  const GpuOutcome listed = place(permuted(1), mode("aligned", "0,2,3"));
  EXPECT_EQ(listed.at("CUDA_VISIBLE_DEVICES"), "0,2,3");
  EXPECT_NE(listed.at("doubt").find("may not use all"), std::string::npos);
  remove("dev/nvidia0");  // GPU 3
  EXPECT_NE(place(permuted(1), mode("aligned")).at("doubt"), "");
}

TEST_F(GpuModes, AlignedDoubtsAMapThatCountsOtherwise) {
  four_nvidia();
  GpuPlan plan = permuted(1);
  plan.id = "0000:0a:00.0";  // not at index 0
  EXPECT_NE(place(plan, mode("aligned")).at("doubt").find("counts GPUs otherwise"),
            std::string::npos);
  EXPECT_EQ(place(plan, mode("own")).at("CUDA_VISIBLE_DEVICES"), "1");
}

TEST_F(GpuModes, AlignedCountsAsTheMapDid) {
  four_nvidia();
  remove("dev/nvidia2");  // 0a is not for this job: usable are 07, 47, 4e
  // planned inside the job, where 47 is GPU 1
  GpuPlan plan = {.gpu = 1, .id = "0000:47:00.0", .node_gpus = "2,1", .local_rank = 1};
  EXPECT_EQ(place(plan, mode("aligned")).at("CUDA_VISIBLE_DEVICES"), "2,1");
  // planned for the whole node, where 47 is GPU 2; 4e and 47 are the ordinals 2 and 1 here
  plan = {.gpu = 2, .id = "0000:47:00.0", .node_gpus = "3,2", .local_rank = 1};
  EXPECT_EQ(place(plan, mode("aligned")).at("CUDA_VISIBLE_DEVICES"), "2,1");
  // 07 is GPU 0 in both: is GPU 2 47 or 4e?
  plan = {.gpu = 0, .id = "0000:07:00.0", .node_gpus = "2,0", .local_rank = 1};
  EXPECT_NE(place(plan, mode("aligned")).at("doubt").find("not certain how"), std::string::npos);
  // GPU 1 of the whole node is closed, so the map cannot mean it
  plan.node_gpus = "1,0";
  EXPECT_EQ(place(plan, mode("aligned")).at("CUDA_VISIBLE_DEVICES"), "1,0");
}

TEST_F(GpuModes, AlignedWithoutADriverWritesTheMapsList) {
  EXPECT_EQ(place(permuted(2), mode("aligned")).at("CUDA_VISIBLE_DEVICES"), "2,0,3,1");
  EXPECT_EQ(place(permuted(2), mode("aligned", "3,2,1,0")).at("CUDA_VISIBLE_DEVICES"), "2,0,3,1");
  EXPECT_NE(place(permuted(2), mode("aligned", "3,2")).at("doubt"), "");
}

TEST_F(GpuModes, AlignedRefusesPartsOfGpus) {
  GpuPlan plan = permuted(2);
  plan.id = "MIG-1";
  EXPECT_NE(place(plan, mode("aligned")).at("doubt").find("parts of GPUs"), std::string::npos);
}

TEST_F(GpuModes, OwnFirstShowsTheOthersBehind) {
  four_nvidia();
  EXPECT_EQ(place(permuted(2), mode("own-first")).at("CUDA_VISIBLE_DEVICES"), "3,0,1,2");
  EXPECT_EQ(place(permuted(2), mode("own-first", "1,3,0")).at("CUDA_VISIBLE_DEVICES"), "3,1,0");
  remove("dev/nvidia2");  // GPU 1: ordinals are those of the three others
  EXPECT_EQ(place(permuted(2), mode("own-first")).at("CUDA_VISIBLE_DEVICES"), "2,0,1");
  EXPECT_EQ(place(permuted(2), mode("own-first", "2,0")).at("CUDA_VISIBLE_DEVICES"), "2,0");
}

TEST_F(GpuModes, OwnFirstShowsAMigDeviceAlone) {
  four_nvidia();
  EXPECT_EQ(place({.id = "MIG-2"}, mode("own-first", "MIG-1,MIG-2")).at("CUDA_VISIBLE_DEVICES"),
            "MIG-2");
  EXPECT_EQ(place({.id = "MIG-2"}, mode("own-first")).at("CUDA_VISIBLE_DEVICES"), "MIG-2");
}

TEST_F(GpuModes, OwnFirstWithoutADriverKnowsTheMapsGpus) {
  EXPECT_EQ(place(permuted(2), mode("own-first")).at("CUDA_VISIBLE_DEVICES"), "3,2,0,1");
  EXPECT_EQ(place(permuted(2), mode("own-first", "5,3")).at("CUDA_VISIBLE_DEVICES"), "3,5");
}

TEST_F(GpuModes, KeepTouchesNothing) {
  four_nvidia();
  GpuOutcome outcome = place(permuted(2), mode("keep"));
  EXPECT_EQ(outcome.at("CUDA_VISIBLE_DEVICES"), "-");
  EXPECT_EQ(outcome.at("CUDA_DEVICE_ORDER"), "-");
  EXPECT_EQ(outcome.at("variable"), "");
  EXPECT_EQ(outcome.at("mode"), "keep");
  EXPECT_EQ(outcome.at("device"), "0000:4e:00.0");
  outcome = place({.id = "0000:99:00.0"}, mode("keep", "0,0"));
  EXPECT_EQ(outcome.at("doubt"), "");
}

TEST_F(GpuModes, AnUnknownWordIsADoubtAndOwn) {
  four_nvidia();
  const GpuOutcome outcome = place(permuted(2), mode("mine"));
  EXPECT_EQ(outcome.at("CUDA_VISIBLE_DEVICES"), "3");
  EXPECT_EQ(outcome.at("mode"), "own");
  EXPECT_NE(outcome.at("doubt").find("RANKMAP_GPUS=mine is not known"), std::string::npos);
}

void open_control(const std::string& root) {
  open((root + "/dev/nvidiactl").c_str(), O_RDWR);
}
void open_third(const std::string& root) {
  open((root + "/dev/nvidia3").c_str(), O_RDWR);
}

TEST_F(GpuModes, ADriverThatWasStartedBeforeIsADoubt) {
  four_nvidia();
  for (void (*const before)(const std::string&) : {open_control, open_third}) {
    const GpuOutcome outcome = place(permuted(2), mode("own", "1,3"), before);
    EXPECT_EQ(outcome.at("CUDA_VISIBLE_DEVICES"), "1,3");
    EXPECT_EQ(outcome.at("planned"), "3");
    EXPECT_NE(outcome.at("doubt").find("CUDA driver was initialised before"), std::string::npos);
    EXPECT_NE(outcome.at("doubt").find("set CUDA_VISIBLE_DEVICES=3 "), std::string::npos);
  }
}

TEST_F(GpuModes, ADriverThatStartedWithThePlanIsFine) {
  four_nvidia();
  EXPECT_EQ(place(permuted(2), mode("own", "3"), open_control).at("doubt"), "");
  EXPECT_EQ(place(permuted(2), mode("own", "GPU-dddd"), open_control).at("doubt"), "");
  EXPECT_EQ(place(permuted(2), mode("keep"), open_control).at("doubt"), "");
  // GPUs 0 to 3 in that order are what it shows by itself, if it counts in PCI order
  const GpuPlan first = {.id = "0000:07:00.0"};
  EXPECT_EQ(place(first, mode("own-first"), open_control).at("doubt"), "");
  nvidia("0000:4e:00.0", "GPU-dddd4444-0000", 0, "Test 200");
  EXPECT_NE(place(first, mode("own-first"), open_control).at("doubt"), "");
}

}  // namespace
}  // namespace rankmap::testing
