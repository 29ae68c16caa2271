// AMD and Intel: their files, their lists, and what differs from NVIDIA.
#include <fcntl.h>
#include <stdlib.h>

#include "tests/unit/mpi_shim/gpu_node.hpp"

namespace rankmap::testing {
namespace {

using GpuMakers = GpuNode;

GpuPlan amd_plan(int gpu, const std::string& id = "") {
  return {
      .gpu = gpu, .id = id, .node_gpus = "3,2,1,0", .flags = "vendor=amd", .local_rank = 3 - gpu};
}

GpuPlan intel_plan(int gpu, const std::string& id, const std::string& more = "") {
  return {.gpu = gpu,
          .id = id,
          .node_gpus = "0,1,2,3",
          .flags = "slot=1;vendor=intel" + more,
          .local_rank = gpu};
}

TEST_F(GpuMakers, AmdGoesByTheKernelsTopology) {
  four_amd();
  const GpuOutcome outcome = place(amd_plan(2, "0000:c9:00.0"));
  EXPECT_EQ(outcome.at("ROCR_VISIBLE_DEVICES"), "2");
  EXPECT_EQ(outcome.at("device"), "0000:c9:00.0");
  EXPECT_EQ(outcome.at("variable"), "ROCR_VISIBLE_DEVICES");
  for (const char* variable : {"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "HIP_VISIBLE_DEVICES"})
    EXPECT_EQ(outcome.at(variable), "-");
  EXPECT_EQ(place(amd_plan(0, "GPU-00000000000000a3")).at("ROCR_VISIBLE_DEVICES"), "3");
  EXPECT_NE(place(amd_plan(0, "0000:c2:00.0")).at("doubt").find("has no GPU 0 0000:c2:00.0"),
            std::string::npos);
}

TEST_F(GpuMakers, AmdOrdinalsLeaveOutClosedDevices) {
  four_amd();
  remove("dev/dri/renderD128");
  EXPECT_EQ(place(amd_plan(2, "0000:c9:00.0")).at("ROCR_VISIBLE_DEVICES"), "1");
  EXPECT_NE(place(amd_plan(0, "0000:c1:00.0")).at("doubt").find("may not use"), std::string::npos);
  // a folder instead of the file reads like one that the cgroup hides
  remove("sys/class/kfd/kfd/topology/nodes/3/properties");
  node("sys/class/kfd/kfd/topology/nodes/3/properties/x");
  EXPECT_EQ(place(amd_plan(2, "0000:c9:00.0")).at("ROCR_VISIBLE_DEVICES"), "0");
  EXPECT_NE(place(amd_plan(1, "0000:c6:00.0")).at("doubt").find("that this process may see"),
            std::string::npos);
}

TEST_F(GpuMakers, AmdListsOfTwoLayersAreFollowed) {
  four_amd();
  // ROCr leaves c6, c9, ce; HIP shows c9 and ce of them
  Environment environment = {{"ROCR_VISIBLE_DEVICES", "1,2,3"}, {"HIP_VISIBLE_DEVICES", "1,2"}};
  GpuOutcome outcome = place(amd_plan(3, "0000:ce:00.0"), environment);
  EXPECT_EQ(outcome.at("ROCR_VISIBLE_DEVICES"), "3");
  EXPECT_EQ(outcome.at("HIP_VISIBLE_DEVICES"), "0");
  outcome = place(amd_plan(1, "0000:c6:00.0"), environment);
  EXPECT_EQ(outcome.at("ROCR_VISIBLE_DEVICES"), "1,2,3");
  EXPECT_EQ(outcome.at("doubt"),
            "GPU 1 of the plan is not in HIP_VISIBLE_DEVICES=1,2, which is "
            "kept. ");
  environment["RANKMAP_GPUS"] = "own-first";
  outcome = place(amd_plan(3, "0000:ce:00.0"), environment);
  EXPECT_EQ(outcome.at("ROCR_VISIBLE_DEVICES"), "3,2");
  EXPECT_EQ(outcome.at("HIP_VISIBLE_DEVICES"), "0,1");
}

TEST_F(GpuMakers, HipHonoursCudasVariable) {
  four_amd();
  const GpuOutcome outcome = place(amd_plan(3), {{"CUDA_VISIBLE_DEVICES", "2,3"}});
  EXPECT_EQ(outcome.at("ROCR_VISIBLE_DEVICES"), "3");
  EXPECT_EQ(outcome.at("HIP_VISIBLE_DEVICES"), "0");
  EXPECT_EQ(place(amd_plan(1), {{"CUDA_VISIBLE_DEVICES", "2,3"}}).at("ROCR_VISIBLE_DEVICES"), "-");
  // HIP's own stands over it
  EXPECT_EQ(place(amd_plan(1), {{"CUDA_VISIBLE_DEVICES", "2,3"}, {"HIP_VISIBLE_DEVICES", "1"}})
                .at("ROCR_VISIBLE_DEVICES"),
            "1");
}

TEST_F(GpuMakers, OneListUnderBothNamesIsMeantOnce) {
  four_amd();  // as Slurm writes it where it does not know the maker
  const GpuOutcome outcome =
      place(amd_plan(3), {{"CUDA_VISIBLE_DEVICES", "2,3"}, {"ROCR_VISIBLE_DEVICES", "2,3"}});
  EXPECT_EQ(outcome.at("ROCR_VISIBLE_DEVICES"), "3");
  EXPECT_EQ(outcome.at("HIP_VISIBLE_DEVICES"), "0");
}

TEST_F(GpuMakers, AmdUuidsAreSpelledAsInherited) {
  four_amd();
  EXPECT_EQ(
      place(amd_plan(2), {{"ROCR_VISIBLE_DEVICES", "GPU-00000000000000a3,GPU-00000000000000A2"}})
          .at("ROCR_VISIBLE_DEVICES"),
      "GPU-00000000000000A2");
  // a device named twice ends ROCr's list, and is no doubt
  EXPECT_EQ(place(amd_plan(1), {{"ROCR_VISIBLE_DEVICES", "1,1,2"}}).at("ROCR_VISIBLE_DEVICES"),
            "1");
  EXPECT_EQ(place(amd_plan(2), {{"ROCR_VISIBLE_DEVICES", "1,1,2"}}).at("ROCR_VISIBLE_DEVICES"),
            "1,1,2");
}

TEST_F(GpuMakers, AmdAligned) {
  four_amd();
  const Environment aligned = {{"RANKMAP_GPUS", "aligned"}};
  EXPECT_EQ(place(amd_plan(2, "0000:c9:00.0"), aligned).at("ROCR_VISIBLE_DEVICES"), "3,2,1,0");
}

TEST_F(GpuMakers, AmdPartsOfACardGoByIndex) {
  amd(0, "simd_count 0\n", 0);
  for (int part = 0; part < 4; ++part)  // two cards in two parts; the part stands in bits 28..31
    amd(1 + part,
        "simd_count 8\nlocation_id " +
            std::to_string((part / 2 == 0 ? 0x500 : 0x900) | (part % 2) << 28) +
            "\ndrm_render_minor " + std::to_string(128 + part) + "\n",
        128 + part);
  EXPECT_EQ(place(amd_plan(3, "0000:09:00.0")).at("ROCR_VISIBLE_DEVICES"), "3");
  EXPECT_EQ(place(amd_plan(2, "0000:09:00.0")).at("ROCR_VISIBLE_DEVICES"), "2");
  EXPECT_NE(place(amd_plan(0, "0000:09:00.0")).at("doubt").find("several parts"),
            std::string::npos);
}

void open_kfd(const std::string& root) {
  open((root + "/dev/kfd").c_str(), O_RDWR);
}

TEST_F(GpuMakers, AmdDriverStartedBeforeIsADoubt) {
  four_amd();
  node("dev/kfd");
  EXPECT_NE(place(amd_plan(1), {}, open_kfd).at("doubt").find("AMD GPU driver was initialised"),
            std::string::npos);
}

TEST_F(GpuMakers, WithoutADriverIndicesStandForBothMakers) {
  EXPECT_EQ(place(amd_plan(3, "0000:ce:00.0")).at("ROCR_VISIBLE_DEVICES"), "3");
  const GpuOutcome outcome =
      place(amd_plan(3), {{"ROCR_VISIBLE_DEVICES", "1,2,3"}, {"HIP_VISIBLE_DEVICES", "0,2"}});
  EXPECT_EQ(outcome.at("ROCR_VISIBLE_DEVICES"), "3");
  EXPECT_EQ(outcome.at("HIP_VISIBLE_DEVICES"), "0");
  EXPECT_EQ(place(intel_plan(3, "")).at("ZE_AFFINITY_MASK"), "3");
}

TEST_F(GpuMakers, IntelCountsTilesByDefault) {
  intel("0000:18:00.0", 128, 2);
  intel("0000:42:00.0", 129, 2);
  const GpuOutcome outcome = place(intel_plan(3, "0000:42:00.0", ";tile=1.1"));
  EXPECT_EQ(outcome.at("ZE_AFFINITY_MASK"), "3");
  EXPECT_EQ(outcome.at("ZE_ENABLE_PCI_ID_DEVICE_ORDER"), "1");
  EXPECT_EQ(outcome.at("device"), "0000:42:00.0");
  // a bus id alone does not name a tile
  EXPECT_NE(place(intel_plan(0, "0000:42:00.0")).at("doubt").find("several parts"),
            std::string::npos);
}

TEST_F(GpuMakers, IntelMasksNameTilesWhereCardsAreCounted) {
  intel("0000:18:00.0", 128, 2);
  intel("0000:42:00.0", 129, 2);
  Environment composite = {{"ZE_FLAT_DEVICE_HIERARCHY", "COMPOSITE"}};
  const GpuPlan tile = intel_plan(3, "0000:42:00.0", ";tile=1.1");
  EXPECT_EQ(place(tile, composite).at("ZE_AFFINITY_MASK"), "1.1");
  EXPECT_EQ(place(intel_plan(1, "0000:42:00.0"), composite).at("ZE_AFFINITY_MASK"), "1");
  composite["ZE_AFFINITY_MASK"] = "0,1.1";
  EXPECT_EQ(place(tile, composite).at("ZE_AFFINITY_MASK"), "1.1");
  for (const char* mask : {"0,1.0", "0", "1x", "1."}) {
    composite["ZE_AFFINITY_MASK"] = mask;
    EXPECT_EQ(place(tile, composite).at("ZE_AFFINITY_MASK"), mask);
    EXPECT_NE(place(tile, composite).at("doubt"), "");
  }
  composite["ZE_AFFINITY_MASK"] = "1";  // the whole card
  EXPECT_EQ(place(tile, composite).at("ZE_AFFINITY_MASK"), "1.1");
  remove("dev/dri/renderD128");  // the other card is closed: ours is the first
  composite.erase("ZE_AFFINITY_MASK");
  EXPECT_EQ(place(tile, composite).at("ZE_AFFINITY_MASK"), "0.1");
  EXPECT_EQ(place({.gpu = 3, .flags = "tile=1.1"}, composite).at("CUDA_VISIBLE_DEVICES"), "3");
  for (const char* bad : {";tile=x", ";tile=99999999999.1", ";tile=1.123456789"})
    EXPECT_EQ(place(intel_plan(3, "0000:42:00.0", bad), composite).at("ZE_AFFINITY_MASK"), "-");
}

TEST_F(GpuMakers, IntelMasksAreSets) {
  for (int card = 0; card < 4; ++card)
    intel("0000:0" + std::to_string(card) + ":00.0", 131 - card, 1);
  Environment environment = {{"RANKMAP_GPUS", "aligned"}};
  EXPECT_EQ(place(intel_plan(2, "0000:02:00.0"), environment).at("ZE_AFFINITY_MASK"), "0,1,2,3");
  GpuPlan permuted = intel_plan(0, "0000:00:00.0");
  permuted.node_gpus = "1,0";
  permuted.local_rank = 1;
  EXPECT_NE(place(permuted, environment).at("doubt").find("in the driver's order"),
            std::string::npos);
  environment["RANKMAP_GPUS"] = "own-first";
  EXPECT_EQ(place(intel_plan(0, "0000:00:00.0"), environment).at("ZE_AFFINITY_MASK"), "0,1,2,3");
  EXPECT_NE(place(intel_plan(2, "0000:02:00.0"), environment).at("doubt"), "");
  EXPECT_EQ(
      place(intel_plan(2, "0000:02:00.0"), {{"ZE_AFFINITY_MASK", "2,0,2"}}).at("ZE_AFFINITY_MASK"),
      "2");
}

TEST_F(GpuMakers, IntelUnlikeCardsNeedAnOrder) {
  intel("0000:00:02.0", 128, 1, "0x7d55");
  intel("0000:03:00.0", 129, 1, "0x56a0");
  const GpuPlan plan = intel_plan(1, "0000:03:00.0");
  EXPECT_EQ(place(plan).at("ZE_AFFINITY_MASK"), "1");
  EXPECT_NE(place(plan, {{"ZE_AFFINITY_MASK", "1"}}).at("doubt"), "");
  EXPECT_NE(place(plan, {{"ZE_ENABLE_PCI_ID_DEVICE_ORDER", "0"}}).at("doubt"), "");
  EXPECT_EQ(
      place(plan, {{"ZE_ENABLE_PCI_ID_DEVICE_ORDER", "1"}, {"ZE_AFFINITY_MASK", "1"}}).at("doubt"),
      "");
}

}  // namespace
}  // namespace rankmap::testing
