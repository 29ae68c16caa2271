// What follows from the tokens and affinities of `nvidia-smi topo -m`.
#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "libmap/machine/machine.hpp"
#include "libmap/machine/read/nvidia_topo.hpp"
#include "tests/unit/libmap/machine/read/topo_samples.hpp"

namespace rankmap {
namespace {

// A text of `gpus` GPUs whose every pair has the token.
std::string full_mesh(int gpus, const std::string& token) {
  std::string text;
  for (int i = 0; i < gpus; ++i) text += "\tGPU" + std::to_string(i);
  text += "\n";
  for (int i = 0; i < gpus; ++i) {
    text += "GPU" + std::to_string(i);
    for (int j = 0; j < gpus; ++j) text += i == j ? "\tX" : "\t" + token;
    text += "\n";
  }
  return text;
}

NodeModel read(const std::string& text, const std::string& nvlink = "") {
  ReaderOptions options;
  options.nvlink_text = nvlink;
  return read_nvidia_topo(text, "topo.txt", options);
}

bool warns(const NodeModel& model, const std::string& words) {
  for (const std::string& warning : model.warnings)
    if (warning.find(words) != std::string::npos) return true;
  return false;
}

// The connection of two vertices by name, of one kind; count 0: none.
Connection joining(const NodeModel& model, LinkKind kind, const std::string& a,
                   const std::string& b) {
  for (const Connection& row : model.connections) {
    const std::string first = model.vertex_name(row.a);
    const std::string second = model.vertex_name(row.b);
    if (row.kind == kind && ((first == a && second == b) || (first == b && second == a)))
      return row;
  }
  return {kind, 0, 0, 0, 0, 0};
}

std::string two_gpus(const std::string& token, const std::string& first,
                     const std::string& second) {
  return "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\nGPU0\tX\t" + token + "\t" +
         first + "\nGPU1\t" + token + "\tX\t" + second + "\n";
}

// 7 x 12 = 84 > 18 links that any GPU has: the 12 are all of a GPU's links, to switches.
TEST(NvidiaTopoLinks, RowsWithMoreLinksThanAGpuHasMeanSwitches) {
  const NodeModel model = read(full_mesh(8, "NV12"));
  const Connection row = joining(model, LinkKind::nvlink, "gpu3", "nvswitch");
  EXPECT_EQ(row.count, 12);
  EXPECT_EQ(row.bytes_per_second, from_gbps(12 * 25));
  EXPECT_EQ(row.nccl_bytes_per_second, from_gbps(20));
  EXPECT_EQ(joining(model, LinkKind::nvlink, "gpu0", "gpu1").count, 0);
  const Machine machine(model, 1);
  EXPECT_EQ(machine.switch_lanes(7), 12);
  EXPECT_TRUE(machine.uniform());
}

// 3 x 4 = 12 <= 18: each pair has 4 links of its own.
TEST(NvidiaTopoLinks, RowsWithinAGpusLinksAreDedicated) {
  const NodeModel model = read(full_mesh(4, "NV4"));
  EXPECT_EQ(joining(model, LinkKind::nvlink, "gpu1", "gpu2").count, 4);
  EXPECT_EQ(Machine(model, 1).dedicated_lanes(1, 2), 4);
}

// 3 GPUs with NV6 have rows of 12: dedicated as far as the matrix tells, but a V100 has 6 links.
TEST(NvidiaTopoLinks, TheNameOfTheGpuDecidesBetweenDedicatedAndShared) {
  const std::string names = "GPU 0: Tesla V100-SXM3-32GB\n Link 0: 25.781 GB/s\n";
  EXPECT_EQ(joining(read(full_mesh(3, "NV6")), LinkKind::nvlink, "gpu0", "gpu1").count, 6);
  EXPECT_EQ(joining(read(full_mesh(3, "NV6"), names), LinkKind::nvlink, "gpu0", "nvswitch").count,
            6);
}

TEST(NvidiaTopoLinks, AnNvlinkTextOfALargerMachineIsRefused) {
  const std::string two =
      "GPU 0: Tesla V100-SXM2-16GB\n Link 0: 25.781 GB/s\n"
      "GPU 1: Tesla V100-SXM2-16GB\n Link 0: 25.781 GB/s\n";
  const std::string three = two + "GPU 2: Tesla V100-SXM2-16GB\n Link 0: 25.781 GB/s\n";
  EXPECT_THROW(read(full_mesh(2, "NV2"), three), InputError);
  EXPECT_TRUE(warns(read(full_mesh(3, "NV2"), two), "tells of 2 of 3 GPUs"));
}

struct SpeedCase {
  int gpus;
  const char* token;
  double gbps;  // of a lane
  const char* board;
};

TEST(NvidiaTopoLinks, WithoutNamesTheSpeedIsAssumedAndSaid) {
  const SpeedCase cases[] = {
      {2, "NV4", 14.062, "A6000"}, {5, "NV1", 20, "P100"}, {2, "NV2", 25, "V100"},
      {4, "NV2", 25, "V100"},      {3, "NV2", 25, "V100"}, {4, "NV4", 25, "A100"},
      {4, "NV6", 25, "H100"},      {8, "NV6", 25, "V100"}, {8, "NV8", 25, "A100"},
      {8, "NV18", 25, "H100"},
  };
  for (const SpeedCase& row : cases) {
    SCOPED_TRACE(std::to_string(row.gpus) + " " + row.token);
    const NodeModel model = read(full_mesh(row.gpus, row.token));
    const Connection& link = model.connections.front();
    EXPECT_EQ(link.bytes_per_second, from_gbps(row.gbps * link.count));
    EXPECT_TRUE(warns(model, row.board));
    EXPECT_TRUE(warns(model, "--nvlink"));
  }
}

TEST(NvidiaTopoLinks, NvlinkStatusBringsNamesUuidsAndSpeeds) {
  for (const bool in_the_same_text : {true, false}) {
    const std::string text =
        testing::native_topo + (in_the_same_text ? testing::nvlink_status : "");
    const NodeModel model = read(text, in_the_same_text ? "" : testing::nvlink_status);
    EXPECT_EQ(model.gpus[0].name, "Tesla V100-SXM2-16GB");
    EXPECT_EQ(model.gpus[1].uuid, "GPU-bbbb0000-0000-0000-0000-000000000000");
    EXPECT_EQ(joining(model, LinkKind::nvlink, "gpu0", "gpu1").bytes_per_second,
              from_gbps(2 * 25.0));
    EXPECT_FALSE(warns(model, "NVLink speed assumed"));
  }
}

TEST(NvidiaTopoLinks, APrintedSpeedThatIsNotTheUsualOneIsTaken) {
  const NodeModel model = read(full_mesh(2, "NV2"),
                               "GPU 0: Tesla V100-SXM2-16GB\n Link 0: 12.5 GB/s\n"
                               "GPU 1: Tesla V100-SXM2-16GB\n Link 0: 12.5 GB/s\n");
  EXPECT_EQ(joining(model, LinkKind::nvlink, "gpu0", "gpu1").bytes_per_second, from_gbps(25));
  EXPECT_TRUE(warns(model, "not this GPU's usual speed"));
}

TEST(NvidiaTopoLinks, DoubledUuidsAreLeftOut) {
  const std::string status =
      "GPU 0: A (UUID: GPU-XXXX)\n Link 0: 25 GB/s\nGPU 1: A (UUID: GPU-XXXX)\n Link 0: 25 GB/s\n";
  const NodeModel model = read(full_mesh(2, "NV1"), status);
  EXPECT_EQ(model.gpus[0].uuid, "");
  EXPECT_TRUE(warns(model, "same UUID"));
}

TEST(NvidiaTopoLinks, LinksThatTheMatrixHidesAreAWarning) {
  EXPECT_TRUE(warns(read(full_mesh(2, "SYS"), testing::nvlink_status), "does not show"));
}

TEST(NvidiaTopoLinks, AnNvlinkTextOfAnotherKindIsRefused) {
  EXPECT_THROW(read(full_mesh(2, "NV1"), "something else"), InputError);
}

TEST(NvidiaTopoLinks, TheHostTreeFollowsTheTokens) {
  const NodeModel model = read(
      "\tGPU0\tGPU1\tGPU2\tGPU3\n"
      "GPU0\tX\tPIX\tPHB\tSYS\n"
      "GPU1\tPIX\tX\tPHB\tSYS\n"
      "GPU2\tPHB\tPHB\tX\tSOC\n"
      "GPU3\tSYS\tSYS\tSOC\tX\n");
  EXPECT_EQ(joining(model, LinkKind::pcie, "gpu0", "pcie0").bytes_per_second, from_gbps(12));
  EXPECT_EQ(joining(model, LinkKind::pcie, "pcie0", "bridge0").bytes_per_second, from_gbps(12));
  EXPECT_EQ(joining(model, LinkKind::pcie, "gpu2", "bridge0").count, 1);
  // Two slots of 12 GB/s hang below the bridge.
  EXPECT_EQ(joining(model, LinkKind::pcie, "bridge0", "domain0").bytes_per_second, from_gbps(24));
  EXPECT_EQ(joining(model, LinkKind::cpu, "domain0", "system").count, 1);
  EXPECT_EQ(joining(model, LinkKind::cpu, "domain1", "system").count, 1);
  const Machine machine(model, 1);
  EXPECT_EQ(machine.hops(0, 1), 2);  // gpu0 - pcie0 - gpu1
  EXPECT_EQ(machine.hops(0, 3), 6);  // pcie0, bridge0, domain0, system, domain1, gpu3
}

TEST(NvidiaTopoLinks, SwitchesAboveSwitchesAreOneHub) {
  const NodeModel model =
      read("\tGPU0\tGPU1\tGPU2\nGPU0\tX\tPSB\tPXB\nGPU1\tPSB\tX\tPXB\nGPU2\tPXB\tPXB\tX\n");
  EXPECT_EQ(joining(model, LinkKind::pcie, "pcie0", "pcie-upper0").count, 1);
  EXPECT_EQ(joining(model, LinkKind::pcie, "gpu2", "pcie-upper0").count, 1);
}

TEST(NvidiaTopoLinks, PathsBehindNvlinkAreToldFromTheNumaNodes) {
  const NodeModel near = read(two_gpus("NV2", "0-3\t0\t\tN/A", "0-3\t0\t\tN/A"));
  EXPECT_EQ(joining(near, LinkKind::pcie, "gpu1", "numa0").count, 1);
  const NodeModel far = read(two_gpus("NV2", "0-3\t0\t\tN/A", "4-7\t1\t\tN/A"));
  EXPECT_EQ(joining(far, LinkKind::cpu, "numa1", "system").count, 1);
}

TEST(NvidiaTopoLinks, PcieSpeedFollowsTheBoard) {
  const NodeModel model = read(full_mesh(8, "NV18"));
  EXPECT_EQ(joining(model, LinkKind::pcie, "gpu0", "domain0").bytes_per_second, from_gbps(48));
  EXPECT_TRUE(warns(model, "48 GB/s (x16 gen5)"));
}

TEST(NvidiaTopoLinks, TheNearestNicIsChosenAndTiesTakeTurns) {
  const NodeModel model = read(
      "\tGPU0\tGPU1\tGPU2\tmlx5_0\tmlx5_1\n"
      "GPU0\tX\tPHB\tSYS\tPXB\tPXB\n"
      "GPU1\tPHB\tX\tSYS\tPXB\tPXB\n"
      "GPU2\tSYS\tSYS\tX\tNODE\tSYS\n"
      "mlx5_0\tPXB\tPXB\tNODE\tX\tPIX\n"
      "mlx5_1\tPXB\tPXB\tSYS\tPIX\tX\n");
  EXPECT_EQ(model.gpus[0].nic, 0);
  EXPECT_EQ(model.gpus[1].nic, 1);
  EXPECT_EQ(model.gpus[2].nic, 0);
  EXPECT_EQ(joining(model, LinkKind::pcie, "nic:mlx5_1", "pcie0").count, 1);
}

TEST(NvidiaTopoLinks, CpuListsWithOneNumaNodeEachAreLocality) {
  const NodeModel model = read(testing::native_topo);
  EXPECT_EQ(model.gpus[1].cpus, (CpuSet{4, 5, 6, 7, 12, 13, 14, 15}));
  EXPECT_EQ(model.gpus[1].numa, 1);
  ASSERT_EQ(model.numa_nodes.size(), 2U);
  EXPECT_EQ(model.numa_nodes[0].cpus.to_string(), "0-3,8-11");
  EXPECT_EQ(model.nics[0].numa, 0);
}

// 0-3,8-11 and 4-7,12-15: second ranges 8 above the first, so 8 cores of 2 threads.
TEST(NvidiaTopoLinks, TwoRangesAreTheThreadsOfTheSameCores) {
  const NodeModel model = read(testing::native_topo);
  EXPECT_EQ(model.threads_per_core, 2);
  ASSERT_EQ(model.cores.size(), 8U);
  EXPECT_EQ(model.cores[5].cpus, (CpuSet{5, 13}));
  EXPECT_EQ(model.cores[5].logical, 5);
  EXPECT_EQ(model.cores[5].numa, 1);
  EXPECT_TRUE(warns(model, "second hardware threads"));
}

TEST(NvidiaTopoLinks, OneRangeIsOneCoreACpu) {
  const NodeModel model = read(two_gpus("SYS", "0-3\t0\t\tN/A", "4-7\t1\t\tN/A"));
  EXPECT_EQ(model.threads_per_core, 1);
  EXPECT_EQ(model.cores.size(), 8U);
  EXPECT_TRUE(warns(model, "each CPU is taken as a core"));
}

TEST(NvidiaTopoLinks, LogicalNumbersAreUnknownWhereCpusAreNotSeen) {
  const NodeModel model = read(two_gpus("SYS", "8-11\t2\t\tN/A", "16-19\t4\t\tN/A"));
  ASSERT_EQ(model.cores.size(), 8U);
  EXPECT_EQ(model.cores[0].logical, none);
  EXPECT_TRUE(warns(model, "logical core numbers are unknown"));
}

TEST(NvidiaTopoLinks, ListsOfDifferentShapesTellNoCores) {
  const NodeModel model = read(two_gpus("SYS", "0-3,8-11\t0\t\tN/A", "4-7\t1\t\tN/A"));
  EXPECT_TRUE(model.cores.empty());
}

TEST(NvidiaTopoLinks, AJobMaskIsNoLocality) {
  for (const std::string numa : {"N/A", "", "-1", "0-1"}) {
    const std::string fields = "0,64\t" + numa + "\t\tN/A";
    const NodeModel model = read(two_gpus("SYS", fields, fields));
    EXPECT_FALSE(model.gpus[0].cpus) << numa;
    EXPECT_EQ(model.gpus[0].numa, none) << numa;
    EXPECT_EQ(model.gpus[0].cpu_affinity, "0,64");
    EXPECT_TRUE(warns(model, "job's own mask")) << numa;
  }
}

TEST(NvidiaTopoLinks, OneListForTwoNumaNodesIsNoLocality) {
  const NodeModel model = read(two_gpus("SYS", "0-3\t0\t\tN/A", "0-3\t1\t\tN/A"));
  EXPECT_FALSE(model.gpus[1].cpus);
  EXPECT_EQ(model.gpus[1].numa, 1);
}

TEST(NvidiaTopoLinks, PartlySharedListsOfTwoNumaNodesAreNoLocality) {
  const NodeModel model = read(two_gpus("SYS", "0-5\t0\t\tN/A", "4-7\t1\t\tN/A"));
  EXPECT_FALSE(model.gpus[0].cpus);
  EXPECT_TRUE(warns(model, "several NUMA nodes"));
}

TEST(NvidiaTopoLinks, AListCutToSixNumbersIsNoLocality) {
  const NodeModel model = read(two_gpus("SYS", "0,2,4,6,8,10\t0\t\tN/A", "1,3,5,7,9,11\t1\t\tN/A"));
  EXPECT_FALSE(model.gpus[0].cpus);
  EXPECT_EQ(model.gpus[1].numa, 1);
  EXPECT_TRUE(warns(model, "looks cut"));
}

TEST(NvidiaTopoLinks, ADamagedCpuListIsUnknown) {
  const NodeModel model = read(two_gpus("SYS", "-31,64-95\t0\t\tN/A", "4-7\t1\t\tN/A"));
  EXPECT_FALSE(model.gpus[0].cpus);
  EXPECT_EQ(model.gpus[0].cpu_affinity, "-31,64-95");
  EXPECT_TRUE(warns(model, "not a list"));
}

TEST(NvidiaTopoLinks, DegenerateRangesAndManyCpusAreRead) {
  const NodeModel model = read(two_gpus("SYS", "0-0,8-8\t0\t\tN/A", "384-511\t1\t\tN/A"));
  EXPECT_EQ(model.gpus[0].cpus, (CpuSet{0, 8}));
  EXPECT_EQ(model.gpus[1].cpus->size(), 128U);
}

TEST(NvidiaTopoLinks, TheFirstCpuNodeOfAListIsTaken) {
  const NodeModel model = read(two_gpus("SYS", "0-3\t0,8,252-255\t\tN/A", "4-7\t8\t\tN/A"));
  EXPECT_EQ(model.gpus[0].numa, 0);
  EXPECT_TRUE(warns(model, "the first CPU node 0 is taken"));
}

TEST(NvidiaTopoLinks, GpuMemoryNodesAreNotCpuNodes) {
  const NodeModel model = read(two_gpus("NV6", "0-71\t0,4\t\t4", "72-143\t1,12\t\t12"));
  EXPECT_EQ(model.gpus[0].numa, 0);
  EXPECT_EQ(model.gpus[1].numa, 1);
  ASSERT_EQ(model.numa_nodes.size(), 4U);
  EXPECT_EQ(model.numa_nodes[2].id, 4);
  EXPECT_EQ(model.numa_nodes[2].subtype, "GPUMemory");
  EXPECT_TRUE(model.numa_nodes[2].cpus.empty());
}

TEST(NvidiaTopoLinks, UnknownPathsAreToldFromTheNumaNodes) {
  const NodeModel model = read(two_gpus("N/A", "0-3\t0\t\tN/A", "4-7\t1\t\tN/A"));
  EXPECT_EQ(joining(model, LinkKind::cpu, "numa1", "system").count, 1);
  EXPECT_TRUE(warns(model, "N/A"));
}

}  // namespace
}  // namespace rankmap
