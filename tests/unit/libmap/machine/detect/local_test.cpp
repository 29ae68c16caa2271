// Detection of this machine with a stand-in for NVIDIA's library on a machine that hwloc makes up:
// two packages of 20 cores with two threads each, PU 0-39 and 40-79, no PCI devices.
#include "libmap/machine/detect/local.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "libmap/base/error.hpp"
#include "libmap/machine/machine.hpp"

namespace rankmap {
namespace {

// Where a stand-in lies: of a "present" driver, or of an "old" one.
std::string library_of(const char* driver) {
  std::string path = RANKMAP_STAND_IN_FOLDER;
  path += '/';
  path += driver;
  path += "/libnvidia-ml.so.1";
  return path;
}

class Local : public ::testing::Test {
 protected:
  void SetUp() override { setenv("HWLOC_SYNTHETIC", "pack:2 [numa] core:20 pu:2", 1); }
  void TearDown() override {
    unsetenv("HWLOC_SYNTHETIC");
    unsetenv("RANKMAP_STAND_IN_NVML");
    unsetenv("RANKMAP_NVML_LIBRARY");
  }
  static NodeModel detect(const char* machine, const char* driver = "present") {
    setenv("RANKMAP_STAND_IN_NVML", machine, 1);
    return detect_local({library_of(driver)});
  }
  static bool warns_of(const NodeModel& model, const std::string& words) {
    for (const std::string& warning : model.warnings)
      if (warning.find(words) != std::string::npos) return true;
    return false;
  }
};

TEST_F(Local, FindsTheGpusOfADgx1) {
  const NodeModel model = detect("dgx1v");
  EXPECT_EQ(model.source_format, "local");
  ASSERT_EQ(model.gpus.size(), 8U);
  EXPECT_EQ(model.gpus[2].bus_id, "0000:0a:00.0");
  EXPECT_EQ(model.gpus[2].uuid, "GPU-2");
  EXPECT_EQ(model.gpus[2].name, "Tesla V100-SXM2-16GB");
  EXPECT_EQ(model.gpus[4].numa, 1);
  EXPECT_EQ(model.gpus[4].cpu_affinity, "40-79");
  EXPECT_EQ(model.gpus[4].cpus->to_string(), "40-79");
  EXPECT_TRUE(model.warnings.empty());
}

TEST_F(Local, FindsTheLinksOfADgx1) {
  const Machine machine(detect("dgx1v"), 1);
  EXPECT_EQ(machine.dedicated_lanes(0, 3), 2);
  EXPECT_EQ(machine.dedicated_lanes(0, 1), 1);
  EXPECT_EQ(machine.dedicated_lanes(0, 5), 0);
  for (int gpu = 0; gpu < 8; ++gpu) {
    int lanes = 0;
    for (int other = 0; other < 8; ++other) lanes += machine.dedicated_lanes(gpu, other);
    EXPECT_EQ(lanes, 6);  // NVLinks of a V100
  }
  EXPECT_EQ(machine.pair_bandwidth(0, 3), from_gbps(50));  // two lanes of 25
}

TEST_F(Local, HangsHiddenGpusByTheirCommonAncestors) {
  const Machine machine(detect("dgx1v"), 1);
  // 0-5 have no NVLink: gpu0 > switch > host bridge > numa0 > system > numa1 > ... > gpu5.
  EXPECT_EQ(machine.hops(0, 5), 8);
  EXPECT_EQ(machine.hops(0, 6), 8);
}

TEST_F(Local, TakesLinksToSwitchesAsOneHub) {
  const NodeModel model = detect("h100x8");
  const Machine machine(model, 1);
  for (int gpu = 0; gpu < 8; ++gpu) EXPECT_EQ(machine.switch_lanes(gpu), 18);
  EXPECT_EQ(machine.dedicated_lanes(0, 1), 0);
  EXPECT_TRUE(machine.uniform());
  EXPECT_EQ(machine.pair_bandwidth(0, 7), from_gbps(18 * 25.0));
}

TEST_F(Local, MakesMigInstancesSlotsOfTheirOwn) {
  const NodeModel model = detect("mig");
  ASSERT_EQ(model.gpus.size(), 3U);
  EXPECT_EQ(model.gpus[0].uuid, "MIG-a");
  EXPECT_EQ(model.gpus[1].uuid, "MIG-b");
  EXPECT_EQ(model.gpus[1].device, 0);
  EXPECT_EQ(model.gpus[1].bus_id, model.gpus[0].bus_id);
  EXPECT_EQ(model.gpus[2].uuid, "GPU-1");
  EXPECT_EQ(model.gpus[2].device, none);
  EXPECT_TRUE(warns_of(model, "MIG"));
  // Both instances go over the hub of their GPU: instance > device0 > instance.
  const Machine machine(model, 1);
  EXPECT_EQ(machine.hops(0, 1), 2);
  // The four NVLinks to the other GPU start at that hub.
  EXPECT_EQ(machine.hops(0, 2), 2);
}

TEST_F(Local, LeavesOutAGpuInMigModeWithoutInstances) {
  const NodeModel model = detect("emptymig");
  ASSERT_EQ(model.gpus.size(), 1U);
  EXPECT_EQ(model.gpus[0].uuid, "GPU-1");
  EXPECT_TRUE(warns_of(model, "without instances"));
}

TEST_F(Local, KeepsTheNumaNodeOfGpuMemoryApart) {
  const NodeModel model = detect("gracehopper");
  EXPECT_EQ(model.gpus[0].gpu_numa_id, "4");
  EXPECT_EQ(model.gpus[0].numa, 0);
}

TEST_F(Local, SymmetrisesLinksToldByOneEnd) {
  const NodeModel model = detect("onesided");
  EXPECT_TRUE(warns_of(model, "gpu0-gpu1"));
  EXPECT_EQ(Machine(model, 1).dedicated_lanes(1, 0), 4);
}

TEST_F(Local, TellsOfLinksToUnknownDevices) {
  EXPECT_TRUE(warns_of(detect("strangers"), "2 NVLinks end at unknown devices"));
}

TEST_F(Local, TakesTheSpeedOfUnknownBoardsFromTheLinkVersion) {
  const NodeModel model = detect("nameless");
  // NVML's version 4 is NVLink 3: 25 GB/s a lane, 20 achieved.
  const auto nvlink =
      std::find_if(model.connections.begin(), model.connections.end(),
                   [](const Connection& row) { return row.kind == LinkKind::nvlink; });
  ASSERT_NE(nvlink, model.connections.end());
  EXPECT_EQ(nvlink->nccl_bytes_per_second, from_gbps(20));
}

TEST_F(Local, GoesOnWithoutWhatFails) {
  const NodeModel model = detect("errors");
  ASSERT_EQ(model.gpus.size(), 2U);
  EXPECT_TRUE(warns_of(model, "nvmlDeviceGetNvLinkState failed with NVML error 999"));
  EXPECT_FALSE(model.gpus[0].cpus.has_value());
  EXPECT_EQ(model.gpus[0].numa, none);
  EXPECT_EQ(Machine(model, 1).dedicated_lanes(0, 1), 0);
}

TEST_F(Local, GoesOnWithoutALostGpu) {
  const NodeModel model = detect("lostgpu");
  EXPECT_EQ(model.gpus.size(), 1U);
  EXPECT_TRUE(warns_of(model, "nvmlDeviceGetHandleByIndex_v2 failed"));
}

TEST_F(Local, GoesOnWithALibraryThatLacksFunctions) {
  const NodeModel model = detect("dgx1v", "old");
  ASSERT_EQ(model.gpus.size(), 8U);
  EXPECT_TRUE(warns_of(model, "nvmlDeviceGetCpuAffinity is missing"));
  EXPECT_EQ(Machine(model, 1).slots(), 8);
}

TEST_F(Local, TakesCoresWhereNoGpuIsFound) {
  for (const char* machine : {"nogpus", "nodriver"}) {
    const NodeModel model = detect(machine);
    EXPECT_TRUE(model.gpus.empty());
    EXPECT_EQ(model.cores.size(), 40U);
    EXPECT_EQ(model.threads_per_core, 2);
    EXPECT_EQ(model.cores[20].cpus.to_string(), "40-41");
    EXPECT_EQ(model.cores[20].numa, 1);
    // core > numa0 > system > numa1 > core
    EXPECT_EQ(Machine(model, 1).hops(0, 39), 4);
  }
  EXPECT_TRUE(warns_of(detect("nodriver"), "nvmlInit_v2 failed with NVML error 9"));
}

TEST_F(Local, TakesTheLibraryThatTheEnvironmentNames) {
  setenv("RANKMAP_STAND_IN_NVML", "dgx1v", 1);
  const std::string library = library_of("present");
  setenv("RANKMAP_NVML_LIBRARY", library.c_str(), 1);
  EXPECT_EQ(detect_local({}).gpus.size(), 8U);
  setenv("RANKMAP_NVML_LIBRARY", "/nowhere/libnvidia-ml.so.1", 1);
  EXPECT_TRUE(detect_local({}).gpus.empty());
}

TEST(LocalReal, ReadsTheMachineThatRunsTheTest) {
  const NodeModel model = detect_local({});
  EXPECT_GE(model.cores.size(), 1U);
  for (const Core& core : model.cores) EXPECT_FALSE(core.cpus.empty());
  EXPECT_GE(Machine(model, 1).slots(), 1);
}

}  // namespace
}  // namespace rankmap
